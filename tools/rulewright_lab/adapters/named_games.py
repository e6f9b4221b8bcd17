"""Games of adapters, named by the arguments of :func:`rulewright.load`, or loaded already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from rulewright.data import Ruleset
from rulewright.diagnostics import RulesetError
from rulewright.host import invalid_argument
from rulewright.play import Game, load

Named = str | Path | Ruleset | Game
Options = Mapping[str, str | int | bool]


def game_named(
    ruleset: Named,
    players: int | None = None,
    variants: Iterable[str] = (),
    options: Options | None = None,
) -> Game:
    """The game of a ruleset, named as everywhere, or one that is loaded already. RulesetError if there is none, or if a
    game that is loaded is given arguments that it no longer takes."""
    if not isinstance(ruleset, Game):
        return load(ruleset, players, variants, options)
    for name, given in (("players", players), ("variants", tuple(variants)), ("options", options)):
        if given:
            raise invalid_argument(f"`{name}`", given, "the game is loaded already", "give it to `rulewright.load`")
    return ruleset


__all__ = ["Game", "Named", "Options", "RulesetError", "game_named"]
