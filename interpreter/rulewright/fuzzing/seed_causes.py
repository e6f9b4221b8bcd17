"""Invariants and properties that random games break: the changes of a variant or edition that did it."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.compiler import sources
from rulewright.fuzzing.deadlines import Limits
from rulewright.fuzzing.failures import Key, Setting
from rulewright.fuzzing.reproduction.reproduction import story_of, with_causes
from rulewright.fuzzing.search.coverage import Reached
from rulewright.fuzzing.search.portion_search import Portion
from rulewright.fuzzing.search.scouts import scout
from rulewright.play.game import Game
from rulewright.scenarios import Cause

EFFORT = 20_000
"""Decisions that are played at most to shrink a game."""

GAMES = 20
"""Random games in which an assertion is looked for that broke in a game of players who are not random."""


def causes_of(
    game: Game, assertion: str, seed: int, options: Mapping[str, str], most: int = 20_000
) -> tuple[Cause, ...]:
    """The changes without which an invariant or property would hold that is broken in the random game of a seed.

    None if the game has no changes, if it breaks without them, or if no short scenario shows it.
    """
    if not game.variants and game.ruleset.base is None:
        return ()
    setting = Setting(game.players, game.variants, tuple(sorted(options.items())))
    passed: frozenset[Key] = frozenset()
    seeds = range(seed, seed + GAMES)
    while seeds:
        limits = Limits(decisions=EFFORT)
        harvest, played = scout(game, Portion(setting, seed, 0, most, Reached(), passed=passed, limits=limits), seeds)
        found = harvest.found
        if found is None:
            return ()
        if found.trouble.kind in ("invariant", "property") and found.trouble.name == assertion:
            story = story_of(game, sources(game.ruleset), found, limits)
            return with_causes(game.ruleset, story, Limits()).causes
        passed |= {found.trouble.key}
        seeds = seeds[played - 1 :]
    return ()


__all__ = ["causes_of"]
