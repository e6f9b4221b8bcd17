"""A value of every type in every place where a value can stand: refused, or both engines come to the same."""

from __future__ import annotations

from random import Random
from typing import get_args

import pytest
from value_forms import FORMS, STATEMENTS
from values_everywhere import Everywhere, expression, operations, places, statements

from rulewright.compiler.symbols.static_types import BUILTINS
from rulewright.compiler.symbols.static_types import STATEMENTS as CALLS
from rulewright.compiler.tree_walk import nodes
from rulewright.syntax import ast
from sampling import sample

ELSEWHERE = {"old", "possible"}
"""Functions that are asked in a property only, and about a call."""
EACH = sample(4, 200)
"""The number of values tried with each form."""


@pytest.fixture(scope="module")
def everywhere(tmp_path_factory: pytest.TempPathFactory) -> Everywhere:
    return Everywhere(tmp_path_factory.mktemp("everywhere"))


def test_every_kind_of_expression_and_statement_is_tried() -> None:
    trees: list[ast.Node] = [expression(form) for form in (*FORMS, *operations())]
    trees += [node for form in STATEMENTS for node in statements(form)]
    kinds = {type(node) for tree in trees for node in nodes(tree)}
    leaves = {ast.StringLiteral, ast.NoneValue, ast.TypeName, ast.BoolLiteral}  # values themselves, without operands
    assert set(get_args(ast.Primary | ast.Operation)) - kinds <= leaves
    without_operands = {ast.Proceed, ast.Stop, ast.Obey, ast.Step, ast.NobodyWins, ast.DrawnGame}
    assert set(get_args(ast.Stmt)) - kinds <= without_operands
    assert all(any(form == f"{word}(_0)" for form in STATEMENTS) for word in CALLS)


def test_both_engines_agree(everywhere: Everywhere) -> None:
    r, made = Random(1), 0
    tried = []
    for form in (*FORMS, *operations(), *STATEMENTS):
        called = form.partition("(")[0]
        fits = bool(places(form)) and called in BUILTINS and called not in ELSEWHERE
        found = everywhere.tried(form, r, EACH, fits)
        assert found or not fits, f"nothing fits `{form}`"
        tried += found
    for start in range(0, len(tried), 60):
        made += everywhere.compared(tried[start : start + 60]).games
    assert made == len(tried) > 100 * EACH


@pytest.mark.parametrize(
    ("form", "values"),
    [
        ("towards(_0, _1)", ("cells", "north")),
        ("ray(_0, _1)", ("[(0, 0), (1, 1)]", "north")),
        ("ahead(_0, _1)", ("Space", "2")),
        ("on_board(_0)", ("deck",)),
        ("in_game(_0)", ("Cube",)),
        ("place(_0)", ("Cube",)),
        ("side(_0)", ("deck",)),
        ("slot(_0)", ("deck",)),
        ("_0 is a Cube", ("Cube",)),
        ("_0 in on", ("Cube",)),
        ("_0.other(_1)", ("Border", "here")),
        ("[_0, _1]", ("cells", "cells")),
        ("{_0, _1}", ("cells", "cells")),
        ("_0 or else _1", ("cells", "cells")),
        ("_0 + _1", ("stood", "numbers")),
        ("merge _0 with _1", ("Region", "region(there)")),
        ("show _0 to _1", ("first(deck)", "cells")),
        ("move _0 to _1", ("stood", "deck")),
        ("move _0 of _1 to deck", ("2", "[first(deck)]")),
    ],
)
def test_what_is_many_is_not_taken_for_one(everywhere: Everywhere, form: str, values: tuple[str, ...]) -> None:
    assert everywhere.lowered(form, values).codes == ("TYP201",)


def test_a_difference_is_told_with_its_text(everywhere: Everywhere, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test of the test."""
    from lockstep import Differs, Lockstep

    def differs(*_: object) -> None:
        raise Differs("it comes to 1 and 2")

    monkeypatch.setattr(Lockstep, "play", differs)
    with pytest.raises(Differs, match=r"-\(2\): it comes to 1 and 2"):
        everywhere.compared([everywhere.lowered("-_0", ("2",))])
