"""Lists among the values of expressions, known before they are evaluated: a loop over a set reads bits, else items."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from random_programs import random_program

import rulewright as rw
from rulewright.engine import start
from rulewright.engine.evaluator.expressions import Expressions
from rulewright.engine.evaluator.scope import Environment, Evaluate, Scope
from rulewright.ir import model as m
from sampling import sample

PROGRAMS = 200
ANSWERS = 12


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Counter[tuple[str, bool, bool]]:
    """By kinds of expressions: whether a list was expected, whether there was one, and how often."""
    counted: Counter[tuple[str, bool, bool]] = Counter()
    make = Expressions._fresh

    def watched(self: Expressions, e: m.Expr, s: Scope) -> Evaluate:
        made, expected, kind = make(self, e, s), self.is_list(e, s), type(e).__name__

        def evaluated(C: list[int], E: Environment) -> Any:
            value = made(C, E)
            counted[kind, expected, isinstance(value, tuple)] += 1
            return value

        for table in (self._constants, self.invariants):
            if made in table:
                table[evaluated] = table[made]  # type: ignore[index]
        return evaluated

    monkeypatch.setattr(Expressions, "_fresh", watched)
    return counted


def test_lists_are_where_they_are_expected(found: Counter[tuple[str, bool, bool]]) -> None:
    for number in range(sample(60, PROGRAMS)):
        r = Random(f"lists {number}")
        try:
            state = start(random_program(r.randrange(1 << 64)), seed=number)
            for _ in range(ANSWERS):
                if state.decision is None:
                    break
                state = state.choose(r.choice(state.decision.options))
        except rw.RulesetError:
            pass  # an error of the rules: what was evaluated before it counts
    assert [kind for kind, expected, there in found if expected != there] == []
    lists = {kind for kind, expected, _ in found if expected}
    assert {"Fingerprint", "Sort", "ListConst", "Local", "Var"} <= lists
