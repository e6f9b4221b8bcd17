"""A game for one viewer: its positions as far as the viewer can distinguish them, and its log in sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import rulewright as rw


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log."""

    text: str
    kind: str
    cites: tuple[str, ...]
    at: int
    """The number of the position to which it has led."""
    forced: bool = False
    """True for an answer beside which the rules left no other one, as far as the viewer may know that."""

    def data(self) -> dict[str, Any]:
        """The line as data."""
        found = {"text": self.text, "kind": self.kind, "cites": list(self.cites), "at": self.at}
        return {**found, "forced": True} if self.forced else found


@dataclass(frozen=True, slots=True)
class _Position:
    """A position that has been read."""

    state: rw.State
    number: int
    lines: tuple[LogLine, ...]


class ViewerLog:
    """The log of the line of play of one game for one viewer. Lines of positions that stay are not written anew.

    The viewer's numbers of positions count those only that look different to them: the number of hidden answers of
    others may be a secret.
    """

    def __init__(self, game: rw.Game, viewer: int | None) -> None:
        self._game = game
        self._viewer = viewer
        self._positions: list[_Position] = []
        self._seen: tuple[rw.State, object] | None = None
        """The position that was looked at last, and what is seen of it."""
        self._narrator: rw.narration.Narrator | None = None

    def read_some(self, positions: list[rw.State]) -> bool:
        """Read the next of these positions that is not read yet; False if there is none.

        A long game that is opened anew takes its time, position by position, so that no limit for one of them ends it.
        """
        if len(self._positions) < len(positions):
            self._read(positions[: len(self._positions) + 1])
            return True
        return False

    def line_numbers(self, positions: list[rw.State]) -> list[int]:
        """The viewer's number of each position."""
        self._read(positions)
        return [one.number for one in self._positions[: len(positions)]]

    def lines(self, positions: list[rw.State], at: int) -> list[LogLine]:
        """All lines on the way to one of these positions."""
        self._read(positions)
        return [line for one in self._positions[: at + 1] for line in one.lines]

    def _read(self, positions: list[rw.State]) -> None:
        same = 0
        for one, position in zip(self._positions, positions, strict=False):
            if one.state is not position:
                break
            same += 1
        if same < len(self._positions):
            del self._positions[same:]
            self._narrator = None
        for at in range(same, len(positions)):
            before = self._positions[-1] if self._positions else None
            number = 0 if before is None else before.number + self._differ(before.state, positions[at])
            self._positions.append(_Position(positions[at], number, tuple(self._look(positions, at, number))))

    def _differ(self, before: rw.State, state: rw.State) -> bool:
        """True if the view or the log of the viewer has changed since."""
        viewer = self._viewer
        was = self._seen[1] if self._seen is not None and self._seen[0] is before else before.view(viewer)
        now = state.view(viewer)
        self._seen = (state, now)
        return was != now or before.log_for(viewer) != state.log_for(viewer)

    def _look(self, positions: list[rw.State], at: int, number: int) -> list[LogLine]:
        state = positions[at]
        if at == 0:
            self._narrator = rw.narration.Narrator(self._game, state, self._viewer)
            found = rw.narration.story(self._game, state, self._viewer)
        else:
            if self._narrator is None:
                self._narrator = rw.narration.Narrator(self._game, positions[at - 1], self._viewer)
            found = self._narrator.look(state)
        forced = at > 0 and self._is_forced(positions[at - 1], state)
        return [
            LogLine(rw.characters.printable(one.text), one.kind, one.cites, number, forced and one.kind == "answer")
            for one in found
        ]

    def _is_forced(self, before: rw.State, state: rw.State) -> bool:
        """True if the answer that has led to a position was the only one. How many there were may be a secret of its
        seat."""
        given = [entry.who for entry in state.log[len(before.log) :] if entry.who in self._game.seats]
        if len(given) != 1:
            return False
        seat = self._game.seats.index(given[0])
        at = before if before.decision is None or before.decision.seat == seat else before.turn_of(seat)
        is_known = self._viewer in (None, seat) or not self._game.has_secrets
        return is_known and at is not None and at.decision is not None and len(at.decision.options) == 1
