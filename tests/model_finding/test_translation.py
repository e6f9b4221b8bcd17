"""Formulas say what the engine says: of the position itself, and of those that the solver finds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import rulewright as rw
from rulewright.engine.random_numbers import RandomAnswers
from rulewright.ir import model as m
from rulewright.play.game import Game

pytest.importorskip("z3")

from rulewright.findings.model_finding.laid_positions import framed
from rulewright.findings.model_finding.nearest_position import Change, ModelFinder, changed_state
from rulewright.findings.model_finding.symbolic_values import Unknowable, number, term
from rulewright.findings.model_finding.translation import Translation
from rulewright.findings.model_finding.unknown_cells import UnknownCells
from rulewright.ir.walk import refuses

ROOT = Path(__file__).parents[2]
GAMES = ("baron", "carolus-magnus", "connect-four", "domaine", "kings-and-things", "loewenherz", "othello")


def conditions(game: Game, most: int) -> Iterator[tuple[rw.State, m.Expr]]:
    """Conditions that random games ask, of one candidate each, with the state that rests at their question."""
    asked = 0
    for seed in range(20):
        pick, state = RandomAnswers(seed), game.start(seed, ask_chance=True)
        while (decision := state.decision) is not None and (question := state.question) is not None:
            if isinstance(i := question.instr, m.Choose) and i.source is not None and not i.is_list:
                members = state.evaluate(framed(state, i.source))
                member = (members & -members).bit_length() - 1
                where = () if i.where is None else (i.where,)
                for one in (*where, *map(refuses, i.restrictions)) if members else ():
                    yield state, framed(state, m.LetIn(i.var, m.Const(member), one))
                    asked += 1
            if asked >= most:
                return
            state = state.choose(decision.options[pick(len(decision.options))])


@pytest.mark.parametrize("name", GAMES)
def test_formulas_hold_where_conditions_hold(name: str) -> None:
    """With every unknown cell as it is, a formula is as true as the condition."""
    import z3

    game, asked = rw.load(ROOT / "rulesets" / name), 0
    for state, condition in conditions(game, 40):
        unknown = UnknownCells(state.engine, state.cells)
        translation = Translation(state, unknown)
        try:
            formula = translation.condition(condition)
        except Unknowable:
            continue
        asked += 1
        solver = z3.SimpleSolver()
        solver.add(*translation.definitions, *(z3.Not(one) for one in unknown.changes()))
        solver.add(formula if not isinstance(formula, bool) else z3.BoolVal(formula))
        assert (solver.check() == z3.sat) == bool(state.evaluate(condition)), condition
    assert asked


@pytest.mark.parametrize("name", GAMES)
def test_what_is_found_meets_the_condition(name: str) -> None:
    """The engine says that a condition holds, or does not hold, in the position that was found for it."""
    game, finder, found = rw.load(ROOT / "rulesets" / name), ModelFinder(), 0
    for state, condition in conditions(game, 12):
        for wanted in (condition, m.Not(condition)):
            change = finder.nearest(state, wanted)
            if isinstance(change, Change):
                found += 1
                assert changed_state(state, change).evaluate(wanted), wanted
                if not change.cells and not change.pieces:
                    assert state.evaluate(wanted)
    assert found


@pytest.mark.parametrize("name", [one for one in GAMES if one not in ("connect-four", "othello")])
def test_queries_have_the_value_that_the_engine_gives(name: str) -> None:
    """With every unknown cell as it is, each query of the rules has one value only: that of the engine."""
    import z3

    game, asked = rw.load(ROOT / "rulesets" / name), 0
    pick, state = RandomAnswers(3), game.start(3, ask_chance=True)
    for _ in range(30):
        decision = state.decision
        assert decision is not None
        state = state.choose(decision.options[pick(len(decision.options))])
    sizes = state.engine.layout.sizes
    for query in game.program.queries:
        if query.ty.kind in ("set", "list") or not all(slot.ty.universe in sizes for slot in query.params):
            continue
        last = m.CallQuery(query.name, tuple(m.Const(sizes[slot.ty.universe] - 1) for slot in query.params))
        first = m.CallQuery(query.name, tuple(m.Const(0) for _ in query.params))
        for call in (first, last):
            unknown = UnknownCells(state.engine, state.cells)
            translation = Translation(state, unknown)
            try:
                told = state.evaluate(call)
                value = number(translation.value(call, {}))
            except (Unknowable, rw.RulesetError):
                continue
            asked += 1
            solver = z3.SimpleSolver()
            solver.add(*translation.definitions, *(z3.Not(one) for one in unknown.changes()), term(value) != int(told))
            assert solver.check() == z3.unsat, (query.name, told)
    assert asked > 5
