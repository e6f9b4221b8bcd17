"""Scenarios in which a rule is used that no random game uses: from positions that a solver has laid."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rulewright.examination.findings import Suspect
from rulewright.examination.playing.pair import Pair
from rulewright.fuzzing.aim.branch_distance import BranchDistance
from rulewright.fuzzing.aim.ways import Ways, condition_of
from rulewright.fuzzing.model_finding import Laid, Unsolved, position_search
from rulewright.ir import model as m

if TYPE_CHECKING:
    from rulewright.fuzzing.model_finding.laid_positions import PositionSearch

MOST = 3
"""Rules of an examination for which positions are laid; the solver takes some seconds for each."""


class LaidScenarios:
    """Lays positions for a few rules, in the first game that has them."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self._pairs, self._left = pairs, MOST

    def refused(
        self, suspect: Suspect, label: str, wanted: Callable[[m.Choose, m.Restriction], m.Expr | None]
    ) -> Suspect:
        """A suspect of a restriction, with a scenario in which it refuses something alone."""

        def lay(search: PositionSearch, program: m.Program) -> Iterator[Laid | Unsolved]:
            for function, pc, i, restriction in _restricted(program, label):
                condition = wanted(i, restriction)
                if condition is not None:
                    yield search.refused(function, pc, restriction, condition)

        return self._with(suspect, "refuse something", lay)

    def used(self, suspect: Suspect, rule: str) -> Suspect:
        """A suspect of a rule that happens by itself, with a scenario in which it does."""

        def lay(search: PositionSearch, program: m.Program) -> Iterator[Laid | Unsolved]:
            for way in Ways(program, BranchDistance(program)).to(rule):
                yield search.used(rule, condition_of(way))

        return self._with(suspect, "happen", lay)

    def _with(
        self, suspect: Suspect, what: str, lay: Callable[[PositionSearch, m.Program], Iterator[Laid | Unsolved]]
    ) -> Suspect:
        if not self._left or self._pairs[0].budget.over:
            return suspect
        self._left -= 1
        game = self._pairs[0].game
        search = position_search(game)
        found = list(lay(search, game.program)) if search is not None else []
        for one in found:
            if isinstance(one, Laid):
                where = "; ".join(one.changes)
                hint = f"it can {what}, in a position that a solver has laid" + (f": {where}" if where else "")
                return replace(
                    suspect, hint=f"{hint}; if games do not come there it is of no use", scenario=one.scenario
                )
        if found and all(one is Unsolved.NONE_NEAR for one in found):
            hint = f"nor has a solver found a position near those of games in which it does {what}; {suspect.hint}"
            return replace(suspect, hint=hint)
        return suspect


def _restricted(program: m.Program, label: str) -> Iterator[tuple[str, int, m.Choose, m.Restriction]]:
    """The questions with a restriction."""
    for function in program.functions:
        for pc, i in enumerate(function.code):
            if isinstance(i, m.Choose):
                several = (*i.restrictions, *(one for extra in i.extras for one in extra.restrictions))
                yield from ((function.name, pc, i, one) for one in several if one.label == label)


__all__ = ["LaidScenarios"]
