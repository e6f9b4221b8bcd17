"""Random expressions mean the same after each pass as before any: ``tests/torture/expressions.py`` tries as many more
as wanted."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from expression_oracle import Batch, Figures, shrunk, tried
from lockstep import Differs
from random_expressions import ATOMS, CONNECTIVES, FORMS, Expressions, Tree
from values_everywhere import expression

from rulewright.engine import ALL_PASSES
from rulewright.ir import model as m
from rulewright.ir.transform import masks
from rulewright.ir.transform.passes import SHARED
from sampling import THOROUGH, sample

PROGRAMS, EACH = sample(2, 20), 500
ON_ENGINES = 80


def test_expressions_mean_the_same_after_each_pass() -> None:
    figures = Figures()
    for seed in range(PROGRAMS):
        figures.add(tried(seed, EACH))
    assert figures.expressions + figures.too_long >= PROGRAMS * EACH
    assert figures.refused < figures.expressions / 20
    often = {"inlining", "unswitching", "masks", "emptiness", "rays", "floods", "all"}
    assert set(figures.changed) >= (SHARED | often if THOROUGH else often)


@pytest.mark.parametrize("seed", range(sample(1, 20)))
def test_both_engines_evaluate_them_as_written(seed: int) -> None:
    assert len(tried(seed, ON_ENGINES, engines=True).compared) == 2


def test_a_pass_that_takes_any_variable_for_the_member_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Among some thousand expressions, and a small one is told."""
    compared = masks.MemberSets._compared

    def wrong(self: Any, part: m.Cmp, var: str) -> Any:
        if isinstance(part.left, m.Var) and isinstance(part.right, m.Const) and part.right.value >= 0:
            return compared(self, m.Cmp(part.op, m.Var(var), part.right), var)
        return compared(self, part, var)

    def found() -> str:
        for seed in range(4, 4 + 3 * PROGRAMS):
            try:
                tried(seed, EACH)
            except Differs as difference:
                return str(difference)
        return ""

    monkeypatch.setattr(masks.MemberSets, "_compared", wrong)
    least = found().split("\n")[0]
    assert least.startswith("passes masks: ")
    assert " or " in least or "not (" in least
    assert len(least) < 160


def test_what_differs_is_made_small() -> None:
    tree = Expressions(Random(3)).of("{Cell}", 4, {})
    assert tree.size > 3
    assert shrunk(tree, lambda one: "Cell" in str(one)).size <= 2


def test_each_production_is_drawn() -> None:
    r, drawn = Random(1), Counter[str]()
    for number in range(1500):
        maker = Expressions(r)
        trees = [maker.of(r.choice(list(FORMS)), 1 + number % 3, {})]
        for tree in trees:
            drawn[tree.form] += 1
            trees += tree.parts
    assert len(drawn) > len({form for forms in (*FORMS.values(), ATOMS, CONNECTIVES) for form in forms})


def test_expressions_are_those_of_the_language(tmp_path: Path) -> None:
    batch = Batch(tmp_path, 1, 20)
    for tree in batch.trees.values():
        expression(str(tree))
    assert batch.lowered(Tree("nobody", "Int"), "e") is None


def test_a_place_that_pays_is_evaluated_once(tmp_path: Path) -> None:
    """One evaluation where no component was known yet: the Python engine did two, and paid twice."""
    every = "(not (((c1 is (0, 2)) and (c2 is not (1, 1))) and ((c2 in {here, (0, 2)}) and (c2 is (1, 1)))))"
    cells = f"{{c1 in Cell where not (c1 is (0, 2) and c1 in Cell)}} where some(c2 in (0, 2).neighbours where {every})"
    query = f"query q7() -> set of Cell = {{{{c1 for n1 in {{0 .. 3}}}} for c1 in {cells}}}"
    batch = Batch(tmp_path, 72, 5, {"q7": query})
    text = "here in yard(first(c1 in q7() where every(c2 in q7() where true has true)))"
    body = batch.lowered(cast(Any, text), "e")
    assert body is not None
    assert batch._parted(body, ()) == ""


def test_loop_invariants_within_loop_invariants(tmp_path: Path) -> None:
    """Code before two loops at once: it stood in the wrong place, and the module was refused."""
    q7 = "query q7() -> set of Space = {best(s2 in Space by 1) for s1 in Space where (s1 in Space)}"
    batch = Batch(tmp_path, 136, 3, {"q7": q7})
    query = "seen_before(stood) >= 2"
    best = f"best(p in {{p in players where {query}}} by sum(2 for s in q7() where true))"
    text = f"{{single({best}) for c in cells, d in Cell where {query}}}"
    body = batch.lowered(cast(Any, text), "e")
    assert body is not None
    assert batch._parted(body, ALL_PASSES) == ""
