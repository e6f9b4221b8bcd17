"""Games by what the clients of other libraries call them: as :func:`rulewright.load` does, or one that is loaded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from rulewright.diagnostics import RulesetError
from rulewright.play import Game, load

Options = Mapping[str, str | int | bool]


def game_named(
    ruleset: str | Path | Game,
    players: int | None = None,
    variants: Iterable[str] = (),
    options: Options | None = None,
) -> Game:
    """The game of a ruleset, named as everywhere, or one that is loaded already. RulesetError if there is none."""
    return ruleset if isinstance(ruleset, Game) else load(ruleset, players, variants, options)


__all__ = ["Game", "Options", "RulesetError", "game_named"]
