"""Descriptions of a change, without a kind of mistake to look for: the reader sees what was not meant.

Fields are described from the rules alone; the others play, as the analyses side by side do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rulewright.examination.described.effect_in_games import effects_in_games
from rulewright.examination.described.part_of_no_effect import parts_of_no_effect
from rulewright.examination.described.statement_in_games import statements_in_games
from rulewright.examination.findings import Suspect
from rulewright.examination.playing.playing_budget import Pair

DESCRIBED_BY_GAMES: dict[str, Callable[[Sequence[Pair]], Iterable[Suspect]]] = {
    "effects of answers": effects_in_games,
    "effects of statements": statements_in_games,
    "parts of no effect": parts_of_no_effect,
}
"""Descriptions for which games are played, by what they look for."""

__all__ = ["DESCRIBED_BY_GAMES"]
