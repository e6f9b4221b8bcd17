"""EXM301: a clause of a variant that could be changed without a failing scenario."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.findings import Suspect
from rulewright.examination.playing.playing_budget import PlayingBudget
from rulewright.fuzzing.mutation.guarding import unguarded
from rulewright.play.game import Game

UNGUARDED = "clauses that no scenario guards"
"""The name of this analysis, for those who wait."""


def unguarded_clauses(games: list[Game], budget: PlayingBudget) -> Iterator[Suspect]:
    """The scenarios of a variant hold with another number, without a restriction and so on: nothing tests it."""
    first = games[0]
    universes = dict.fromkeys(universe for game in games for universe in game.program.universes)
    for one in unguarded(first.ruleset, first.variants, universes, lambda: budget.over):
        mutant = one.mutant
        instead = f"with `{mutant.after}` in its place" if mutant.after else "without it"
        held = f"all {one.scenarios} scenarios of the change hold" if one.scenarios > 1 else "the scenario holds"
        yield Suspect(
            "EXM301",
            mutant.rule,
            mutant.before,
            f"nothing tests `{mutant.before}`: {instead} {held} as well",
            "a scenario that looks at what it does, or refuses, would guard it",
            span=mutant.span,
        )


__all__ = ["UNGUARDED", "unguarded_clauses"]
