"""Games by what the clients of other libraries call them: a name or its beginning, and values of parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from rulewright.data.ruleset_folders import shipped_rulesets
from rulewright.diagnostics import RulesetError
from rulewright.play.game import Game
from rulewright.play.loading import load

Options = Mapping[str, str | int | bool]


def game_named(
    ruleset: str | Path | Game,
    players: int | None = None,
    variants: Iterable[str] = (),
    options: Options | None = None,
) -> Game:
    """The game of a ruleset: a path, the name of a shipped one, or the beginning of such a name (``leduc``); one that
    is loaded already is taken as it is. RulesetError if there is no such game."""
    if isinstance(ruleset, Game):
        return ruleset
    name = str(ruleset)
    shipped = [path.name for path in shipped_rulesets()]
    begun = [one for one in shipped if one == name or one.startswith(f"{name}-")]
    return load(begun[0] if len(begun) == 1 else ruleset, players, variants, options)


__all__ = ["Game", "Options", "RulesetError", "game_named"]
