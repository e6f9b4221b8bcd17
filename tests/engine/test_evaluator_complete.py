"""The evaluator finds its methods by name: each node of a program has one, and none is left over."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from oracle import Oracle
from programs import race

from closed_words import words_of
from rulewright.engine.evaluator.evaluated_program import EVALUATED, EvaluatedProgram
from rulewright.engine.evaluator.instructions import Instructions
from rulewright.engine.evaluator.scope import VARIABLES, Scope
from rulewright.engine.evaluator.transfers import Transfers
from rulewright.ir import model as m
from rulewright.ir.walk import EXPR_TYPES, INSTR_TYPES


def test_each_expression_has_its_method() -> None:
    assert set(EVALUATED) == set(EXPR_TYPES)


def test_each_instruction_has_its_method() -> None:
    made = [
        name.removeprefix("_s_") for part in (Instructions, Transfers) for name in vars(part) if name.startswith("_s_")
    ]
    assert sorted(made) == sorted(kind.__name__ for kind in INSTR_TYPES)


def test_the_oracle_has_a_method_for_each_expression_of_queries() -> None:
    """It has no frames, hence neither `Local` nor `After`, and its maps do not grow."""
    methods = {name for name in dir(Oracle) if name[0].isupper()}
    assert methods == {kind.__name__ for kind in EXPR_TYPES if kind not in (m.Local, m.After, m.Grown)}


@pytest.mark.parametrize(("kind", "field"), [(m.Arith, "op"), (m.Cmp, "op"), (m.SetOp, "op"), (m.Fold, "kind")])
def test_each_operation_is_described_to_who_writes_a_backend(kind: type, field: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "engine-lowering.md").read_text("utf-8")
    rows = "\n".join(re.findall(rf"^\|[^|]*`{kind.__name__}`.*$", page, re.MULTILINE))
    assert set(words_of(kind, field)) <= set(re.findall(r"`(\w+)`", rows))


def test_an_environment_has_one_place_for_each_variable() -> None:
    """Asking whether a value is a list took a place each time."""
    x, scope = EvaluatedProgram(race()).x, Scope.of()
    nested: m.Expr = m.Const(1)
    for number in range(100):
        nested = m.LetIn(f"v{number}", nested, m.Var(f"v{number}"))
    assert x.value(nested, scope)([], scope.blank()) == 1
    assert len(scope.blank()) == VARIABLES + 100
