"""Many games at random by machine code, each a row of all that is measured of it: how it ended, what was counted."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from rulewright.engine.native.measured import Measured, RowPlan
from rulewright.engine.native.passes import ALL, Passes
from rulewright.engine.native.tiering import EngineName, backend_for
from rulewright.host.budgets import TOTAL, scope
from rulewright.ir.model import Program

if TYPE_CHECKING:
    from rulewright.engine.native.backend import Backend


class MeasuredGames:
    """Plays games of a program, and asks queries at their ends."""

    def __init__(self, program: Program, measured: Measured, backend: Backend) -> None:
        assert backend.native.plan is not None
        self.measured = measured
        self._program, self._backend = program, backend
        self.plan: RowPlan = backend.native.plan
        """The places of what is measured in a row; before it stand the answers, why it stopped, the rule that ended it
        or -1, a place for each seat, and so on as :class:`Outcome` has it."""
        self.most_games = backend.most_games
        """So many games are played at once at most."""

    def rows(self, seeds: range, most: int) -> array[int]:
        """The rows of some games, up to the first that only the Python backend can tell of, or to so many as are
        played at once; none if that is the first one."""
        here = scope()
        here.look()
        if not seeds:
            return array("i")
        games = min(len(seeds), self.most_games)
        return self._backend.play_rows(seeds[0], games, min(most, here.decisions), here.steps, TOTAL, here)


def measured_games(
    program: Program, measured: Measured, games: int, wanted: EngineName = "auto", passes: Passes = ALL
) -> MeasuredGames | None:
    """The player of so many more games of a program; None if that is left to the Python backend."""
    if scope().pools:  # native steps cannot be paid from what others share
        return None
    backend = backend_for(program, wanted, games, passes=passes, measured=measured)
    return None if backend is None else MeasuredGames(program, measured, backend)


__all__ = ["MeasuredGames", "measured_games"]
