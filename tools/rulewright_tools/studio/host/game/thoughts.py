"""Thoughts of players, and lines of play that they have left: as far as a viewer may know them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import rulewright as rw
from rulewright_tools.studio.host.game.observer import Perspective
from rulewright_tools.studio.host.play.line_of_play import LineOfPlay

HINTS = 3
"""The number of answers in a hint, and in thoughts."""


class Thoughts:
    """Thoughts and attempts of the players of a game; `names` are those of the rules."""

    def __init__(self, rules: rw.Game, names: rw.display_names.DisplayNames) -> None:
        self._hides = rules.has_secrets
        self._names = names

    def may_know(self, perspective: Perspective, seat: int | None) -> bool:
        """True if a viewer may know what a player has thought and tried."""
        return perspective.viewer is None or not self._hides or (seat is not None and seat == perspective.seat)

    def other_lines(self, play: LineOfPlay, numbers: Sequence[int], perspective: Perspective) -> list[dict[str, Any]]:
        """The other lines of play, by the answers with which they part from this one: those that the viewer gave, and
        all of them where nothing is hidden."""
        found = []
        for line, other in enumerate(play.others):
            parts = play.parts(line)
            decision = play.positions[parts].decision
            if decision is None or parts + 1 >= len(other.positions) or not self.may_know(perspective, decision.seat):
                continue
            entry = other.positions[parts + 1].log[len(play.positions[parts].log)]
            found.append({"line": line, "at": numbers[parts], "who": decision.who, "label": self._label(entry.key)})
        return found

    def thought(self, play: LineOfPlay, at: int, perspective: Perspective) -> dict[str, Any] | None:
        """Thoughts of the agent whose answer has led to a position."""
        found = play.thoughts.get(at)
        decision = play.positions[at - 1].decision if at else None
        if found is None or decision is None or not self.may_know(perspective, decision.seat):
            return None
        assert decision.seat is not None
        return {**self.described(decision, play.kinds[decision.seat], found), "looked": found.looked}

    def described(self, decision: rw.Decision, agent: str, found: rw.playing.PositionAnalysis) -> dict[str, Any]:
        """The best answers to a question, as an agent has found them."""
        assert decision.seat is not None
        return {
            "who": decision.who,
            "agent": agent,
            "answers": [
                {
                    "label": self._label(decision.options[one.option].key),
                    "chance": one.chances[decision.seat] if one.chances else None,
                    "visits": one.visits,
                }
                for one in found.answers[:HINTS]
            ],
        }

    def _label(self, key: str) -> str:
        return rw.characters.printable(self._names.text(key))
