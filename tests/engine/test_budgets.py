"""All work of rules is bounded by the budget, for each kind of expression and instruction."""

from __future__ import annotations

from typing import Any

import pytest
from budgeted import EXPRESSIONS, INSTRUCTIONS, LAST, Cells, asking, counted, running

from rulewright.diagnostics import RulesetError
from rulewright.engine import engine_of
from rulewright.engine.evaluator.expressions import KEPT_MEMBERS, Members
from rulewright.engine.runtime.machine import DRAW
from rulewright.host.budgets import Limits, limited
from rulewright.ir import model as m
from rulewright.ir.walk import EXPR_TYPES, INSTR_TYPES

STEPS = 1000
MOST = 400
"""Bytecodes that one step pays for at most."""


def test_every_class_of_operation_is_tried() -> None:
    """A new operation must say here how it is charged."""
    assert set(EXPRESSIONS) | {m.Local} == set(EXPR_TYPES)  # only functions have locals: `SetLocal` reads some
    assert set(INSTRUCTIONS) | set(LAST) == set(INSTR_TYPES)


@pytest.mark.parametrize("kind", EXPRESSIONS, ids=lambda kind: kind.__name__)
def test_expressions_are_paid_for(kind: type) -> None:
    engine = engine_of(asking(EXPRESSIONS[kind]))
    function = engine.compiled.query("d30")
    cells = Cells(engine.begin(1)[0])
    with limited(Limits(steps=STEPS)), counted() as work, pytest.raises(RulesetError, match="RUN006"):
        engine.call(function, cells, 1)
    assert work() < STEPS * MOST


@pytest.mark.parametrize("kind", INSTRUCTIONS, ids=lambda kind: kind.__name__)
def test_instructions_are_paid_for(kind: type) -> None:
    engine = engine_of(running(INSTRUCTIONS[kind]))
    cells, stack = Cells(engine.begin(1)[0]), Cells()
    block = engine.push(stack, "game", ())

    def run() -> Any:
        nonlocal block
        registers = engine.registers(3)
        while (status := engine.run(cells, stack, registers, block)) == DRAW:
            question = engine.question(stack, registers.base)
            stack[registers.base + question.into] = engine.outcome(cells, stack, question, registers.legal)
            block = question.after
        return status

    with limited(Limits(steps=STEPS)), counted() as work, pytest.raises(RulesetError) as caught:
        run()
    assert caught.value.diagnostics[0].code == "RUN006"
    assert work() < STEPS * MOST


def test_what_is_remembered_is_bounded() -> None:
    """A remembered query that is always asked for another argument does not fill the memory."""
    flood = EXPRESSIONS[m.Component]
    engine = engine_of(asking(flood))
    remembered = engine.compiled.ctx.memo_layout
    function = engine.compiled.query("d0")
    registers = engine.registers(0)
    cells = engine.begin(1)[0]
    with limited(Limits(steps=10**9)):
        for n in range(2 * remembered.most):
            registers.budget = 1000
            function(cells, registers, n % 256 + 256 * n)
    assert all(len(answers) <= remembered.most for answers in registers.memo[1:])


def test_members_of_sets_are_remembered_within_bounds() -> None:
    """There are more than the bound."""
    members = Members()
    for n in range(2600):
        assert len(members[(1 << 1024) - 1 - (1 << n % 1024) - (n << 20)]) > 900
    assert sum(map(len, members.values())) < 8 * KEPT_MEMBERS
