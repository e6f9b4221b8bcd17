"""A game beside the one that it changes: what a variant, or a ruleset that extends another, has brought into play."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import takewhile

from rulewright.compiler import OptionValue
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import RulesetError
from rulewright.ir import model as m
from rulewright.play.game import Game
from rulewright.play.loading import load


def beneath(game: Game, options: Mapping[str, OptionValue]) -> Game | None:
    """The game that the variants of a game change, or that of the ruleset that its ruleset extends.

    The `options` are set in it, too, if it has these parameters. None if the game changes no other, or if that one
    cannot be played by so many.
    """
    under = game.ruleset if game.program.variants else game.ruleset.base
    if under is None:
        return None
    try:
        plain = load(under, game.players, (), {}, game.backend)
        own = {name: value for name, value in options.items() if name in dict(plain.program.options)}
        return load(under, game.players, (), own, game.backend) if own else plain
    except RulesetError:
        return None


def brought(game: Game, base: Game) -> tuple[str, ...]:
    """The rules with a name that a game has brought, or has put in the place of others.

    A rule is known by its name and the place where it is written, or by its words: what replaces a part of the base
    often repeats lines of it. What it cites does not matter: an edition cites its own rulebook, for rules too that it
    takes over word for word.
    """
    places = {replace(info, cites=()) for info in base.program.rules}
    old, new = _Clauses(base), _Clauses(game)
    before = {info.name: info for info in base.program.rules}

    def repeated(info: m.RuleInfo) -> bool:
        words = new.words(info)
        return info.name in before and words != () and words == old.words(before[info.name])

    rules = game.program.rules
    return tuple(info.name for info in rules if replace(info, cites=()) not in places and not repeated(info))


class _Clauses:
    """The words of the clauses of a game."""

    def __init__(self, game: Game) -> None:
        self._lines: dict[str, list[str]] = {}
        under: Ruleset | None = game.ruleset
        while under is not None:
            self._lines.update({file.path: file.text.splitlines() for file in under.files})
            under = under.base

    def words(self, info: m.RuleInfo) -> tuple[str, ...]:
        """The line of a rule with those that stand below it; without comments and citations."""
        lines = self._lines.get(info.file, [])[info.line - 1 :]
        if not lines:
            return ()
        depth = _depth(lines[0])
        below = takewhile(lambda line: not line.strip() or _depth(line) > depth, lines[1:])
        texts = [(_depth(line) - depth, _ASIDE.sub("", line).strip()) for line in (lines[0], *below)]
        return tuple(f"{deeper} {words}" for deeper, words in texts if words)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


_ASIDE = re.compile(r"(^|\s)#.*$|\s@[A-Z][\w,@ -]*$")
"""Comments and citations."""
