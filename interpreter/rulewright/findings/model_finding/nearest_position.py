"""The position nearest to another one in which a condition holds: as few cells as can be hold something else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import z3

from rulewright.diagnostics import RulesetError
from rulewright.engine import Engine, State
from rulewright.findings.model_finding.laid import Unsolved
from rulewright.findings.model_finding.symbolic_values import Unknowable
from rulewright.findings.model_finding.translation import Translation
from rulewright.findings.model_finding.translation_budget import PART
from rulewright.findings.model_finding.unknown_cells import UnknownCells
from rulewright.ir import model as m

EFFORT = 3_000_000
"""The steps of the solver for one question: a measure that is the same on each machine, about a second."""
FAR = 1, 2, 4, 8, 16, 64, 256
"""The distances that numbers may have from what they are, tried in turn."""
REFINED = 20
"""Models that break what was left out of the formula, until it is given up."""
CHANGES = 1, 2, 4, 8, 16, 32
"""The numbers of cells that may hold something else, tried in turn."""


@dataclass(frozen=True, slots=True)
class Change:
    """The cells and pieces that are otherwise in the position that was found."""

    cells: dict[int, int]
    """Cells of fields with their values."""
    pieces: dict[int, int]
    """Pieces, with the numbers of the zones in which they lie."""


class ModelFinder:
    """A search for positions near those of one game."""

    def __init__(self, invariants: Sequence[m.Expr] = ()) -> None:
        self._invariants = tuple(invariants)
        """Conditions that hold in each position."""

    def nearest(self, state: State, condition: m.Expr) -> Change | Unsolved:
        """The least change of a position, of the numbers of changes that are tried, with which a closed condition
        holds."""
        unknown = UnknownCells(state.engine, state.cells)
        translation = Translation(state, unknown)
        try:
            wanted = translation.condition(condition)
        except Unknowable:
            return Unsolved.TOO_LARGE
        if isinstance(wanted, bool):
            return Change({}, {}) if wanted else Unsolved.NONE_NEAR
        solver = z3.SimpleSolver()
        solver.set("random_seed", 0)
        solver.set("rlimit", EFFORT)
        solver.add(wanted, *translation.definitions, *unknown.bounds())
        for _ in range(REFINED):
            found = _fewest(solver, unknown)
            if isinstance(found, Unsolved):
                return found
            changed = changed_state(state, found)
            broken = self._broken(changed)
            if not broken:  # a part that was too large for a formula was taken as it is, and may be otherwise now
                return found if _holds(changed, condition) else Unsolved.NONE_NEAR
            try:  # the condition of an invariant is added when it is broken: most of them never are
                kept = [translation.condition(one, PART) for one in broken]
            except Unknowable:
                return Unsolved.NONE_NEAR
            solver.add(*kept, *translation.definitions, *unknown.bounds())
        return Unsolved.TOO_HARD

    def _broken(self, state: State) -> list[m.Expr]:
        """The invariants that a position breaks."""
        return [one for one in self._invariants if not state.evaluate(one)]


def _holds(state: State, condition: m.Expr) -> bool:
    try:
        return bool(state.evaluate(condition))
    except RulesetError:
        return False


def changed_state(state: State, change: Change) -> State:
    """The position with a change, without a question."""
    return State.at_rest(state.engine, changed_cells(list(state.cells), state.engine, change), state.mode, None)


def changed_cells(cells: list[int], engine: Engine, change: Change) -> list[int]:
    """Some cells of the same game with a change in them."""
    for at, value in change.cells.items():
        cells[at] = value
    layout = engine.layout
    for piece, zone in change.pieces.items():  # only zones without an order: all of them at once, so that none is full
        cells[layout.instances[cells[layout.loc + piece]].at] &= ~(1 << piece)
        cells[layout.instances[zone].at] |= 1 << piece
        cells[layout.loc + piece] = zone
    return cells


def _fewest(solver: z3.Solver, unknown: UnknownCells) -> Change | Unsolved:
    """The model with the fewest changes."""
    changes = unknown.changes()
    found = _checked(solver, unknown)
    if found != z3.sat:
        return Unsolved.NONE_NEAR if found == z3.unsat else Unsolved.TOO_HARD
    best = solver.model()
    for most in CHANGES:
        solver.push()
        solver.add(z3.AtMost(*changes, most))
        found = _checked(solver, unknown)
        best = solver.model() if found == z3.sat else best
        if found != z3.unsat:
            break
        solver.pop()
    else:
        solver.push()
    for far in FAR:
        solver.push()
        solver.add(*unknown.within_reach(far))
        found = _checked(solver, unknown)
        best = solver.model() if found == z3.sat else best
        solver.pop()
        if found != z3.unsat:
            break
    solver.pop()
    return Change(*unknown.changed(best))


def _checked(solver: z3.Solver, unknown: UnknownCells) -> z3.CheckSatResult:
    """Look for a model in which no zone is too full; what one breaks is demanded of the next."""
    for _ in range(REFINED):
        found = solver.check()
        broken = list(unknown.overfull(solver.model())) if found == z3.sat else []
        if not broken:
            return found
        solver.add(*broken)
    return z3.unknown
