"""A game beside the one that it changes: what a variant, or a ruleset that extends another, has brought into play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from rulewright.compiler import OptionValue
from rulewright.diagnostics import RulesetError
from rulewright.engine import Refusals
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

    A rule is known by its name and the place where it is written. What it cites does not matter: an edition cites its
    own rulebook, for rules too that it takes over word for word.
    """
    before = {replace(info, cites=()) for info in base.program.rules}
    return tuple(info.name for info in game.program.rules if replace(info, cites=()) not in before)


def restrictions(game: Game) -> frozenset[str]:
    """The labels of all restrictions of a game."""
    asked = [i for f in game.program.functions for i in f.code if isinstance(i, m.Choose)]
    extras = [restriction for i in asked for extra in i.extras for restriction in extra.restrictions]
    return frozenset(r.label for r in (*extras, *(r for i in asked for r in i.restrictions)))


def idle_restrictions(game: Game, wanted: Iterable[str], seeds: Sequence[int], most: int) -> frozenset[str]:
    """Those of some restrictions that refuse nothing in the random games of these seeds."""
    left = set(wanted)
    for seed in seeds:
        for labels in _refusing(game, seed, most):
            left -= labels
            if not left:
                return frozenset()
    return frozenset(left)


def _refusing(game: Game, seed: int, most: int) -> Iterator[frozenset[str]]:
    """The restrictions that refuse something at each decision of a game."""
    state = game.start(seed)
    for answer in game.playout(seed, keep=True, most=most).answers:
        yield Refusals(state).refusing()
        state = state.choose(answer)


__all__ = ["beneath", "brought", "idle_restrictions", "restrictions"]
