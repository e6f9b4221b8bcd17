"""The short story of what goes wrong in the random game of a seed: a broken assertion, or an error of the rules."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.compiler import sources
from rulewright.fuzzing.deadlines import Limits
from rulewright.fuzzing.failures import Key, Setting
from rulewright.fuzzing.reproduction.reproduction import Story, story_of, with_causes
from rulewright.fuzzing.search.coverage import Reached
from rulewright.fuzzing.search.portion_search import Portion
from rulewright.fuzzing.search.scouts import scout
from rulewright.play.game import Game

EFFORT = 20_000
"""Decisions that are played at most to shrink a game."""

GAMES = 20
"""Random games in which an assertion is looked for that broke in a game of players who are not random."""


def story_of_seed(
    game: Game, seed: int, assertion: str, options: Mapping[str, str], most: int = 20_000
) -> Story | None:
    """The shortest story that leads to what is wrong in the random game of a seed, or in one of the next.

    Without an `assertion`, the name of an invariant or property, an error of the rules is looked for. The story has the
    changes of variants and editions that it needs, if rules without them keep what it breaks. None if no game shows it.
    """
    setting = Setting(game.players, game.variants, tuple(sorted(options.items())))
    passed: frozenset[Key] = frozenset()
    seeds = range(seed, seed + GAMES)
    while seeds:
        limits = Limits(decisions=EFFORT)
        harvest, played = scout(game, Portion(setting, seed, 0, most, Reached(), passed=passed, limits=limits), seeds)
        found = harvest.found
        if found is None:
            return None
        trouble = found.trouble
        asserted = trouble.kind in ("invariant", "property") and trouble.name == assertion
        if asserted or (trouble.kind == "error" and not assertion):
            story = story_of(game, sources(game.ruleset), found, limits)
            changed = game.variants or game.ruleset.base is not None
            return with_causes(game.ruleset, story, Limits()) if changed else story
        passed |= {trouble.key}
        seeds = seeds[played - 1 :]
    return None
