"""The rules by which passes rewrite, for all conditions of small grammars and all values of what they ask: the second
evaluator comes to the same before and after."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import fields
from itertools import product
from operator import not_
from pathlib import Path
from random import Random
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[1] / "engine"))

from oracle import OF_SETS, Oracle, world
from oracle_world import bits
from playground import everything, random_position

from closed_words import words_of
from rulewright.ir import comparison, set_operations
from rulewright.ir import model as m
from rulewright.ir.model import NONE
from rulewright.ir.transform.masks import MemberSets
from rulewright.ir.transform.optimizer import Optimizer
from rulewright.ir.walk import EXPR_TYPES, INSIDE, ExprFacts

PROGRAM = everything()
X, Y, K, N = map(m.Var, "xykn")
PIECES = range(12)
VALUES = [{"y": y, "k": k} for y, k in product((0, 2, 4, 7, 10), (NONE, 0, 2))]
ORACLES = [Oracle(one, one) for seed in (3, 8) for one in [world(random_position(PROGRAM, Random(seed)))]]


def compared(left: m.Expr, right: m.Expr) -> Iterator[m.Expr]:
    """All comparisons of two values, in both orders."""
    for one, other in ((left, right), (right, left)):
        for op in words_of(m.Cmp, "op"):
            yield m.Cmp(op, one, other)  # type: ignore[arg-type]
        yield from (m.Cmp("eq", one, other, True), m.Cmp("ne", one, other, True))


def about(member: m.Expr) -> list[m.Expr]:
    """Conditions on a piece, each of which can be had at once, or not."""
    colour, worth = m.Attr("Piece.colour", member), m.Attr("Piece.worth", member)
    return [
        *compared(colour, K),
        *compared(worth, m.Const(2)),
        *compared(colour, m.Const(NONE)),
        *compared(member, m.Const(3)),
        *compared(member, m.Const(NONE)),
        *compared(m.PlaceOf("Cell", member), m.Const(4)),
        m.Attr("Piece.shiny", member),
        m.Contains(m.Kind("Coin"), member),
        m.Contains(m.ZoneGet("hand", (m.First(m.Alive("Player")),)), member),
        m.InZone(("box", "table"), member),
        m.InZone(("deck",), member),
    ]


OF_BOTH = [*compared(m.Attr("Piece.colour", X), m.Attr("Piece.colour", Y)), *compared(X, Y)]
ATOMS: list[m.Expr] = [*about(X), *about(Y), *OF_BOTH, m.FieldGet("flag", ()), *compared(K, m.Const(1))]
FEW: list[m.Expr] = [
    *ATOMS[:: len(ATOMS) // 16],
    *about(X)[-5:],
    *about(Y)[-2:],
    m.Cmp("eq", K, m.Const(1)),
    m.Cmp("lt", Y, m.Const(5)),
]
CONDITIONS: list[m.Expr] = [
    *ATOMS,
    *map(m.Not, ATOMS),
    *(kind(pair) for kind in (m.And, m.Or) for pair in product(FEW, repeat=2)),
    *(m.Not(m.Or((one, m.Not(other)))) for one, other in product(FEW, repeat=2)),
    *(m.LetIn("y", Y, one) for one in FEW),
    m.LetIn("z", K, m.Cmp("eq", m.Attr("Piece.colour", X), m.Var("z"))),
]


def value(oracle: Oracle, e: m.Expr, values: dict[str, int]) -> Any:
    """The value of an expression; a set as its members, whatever it is kept as."""
    known = {name: None if one == NONE else one for name, one in values.items()}
    return oracle.value(e, known)


def members(oracle: Oracle, e: m.Expr, values: dict[str, int]) -> frozenset[int]:
    """The members of a set."""
    found = value(oracle, e, values)
    return bits(found) if isinstance(found, int) else frozenset(found)


def test_members_for_which_a_condition_holds() -> None:
    """The mask is the set of them, or all others."""
    sets = MemberSets(PROGRAM, {table.name: table for table in PROGRAM.tables}, ExprFacts({}))
    found = 0
    for condition in CONDITIONS:
        mask = sets.of(condition, "x")
        if mask is None:
            continue
        found += 1
        for oracle, values in product(ORACLES, VALUES[:: 1 if condition in ATOMS else 4]):
            holds = {x for x in PIECES if value(oracle, condition, {**values, "x": x}) == 1}
            known = members(oracle, mask[0], values) & set(PIECES)
            assert holds == (set(PIECES) - known if mask[1] else known), (condition, values)
    assert found > len(CONDITIONS) // 10


def rewritten(expressions: Iterable[m.Expr], *passes: str) -> list[tuple[m.Expr, m.Expr]]:
    """Expressions that passes make others of, and these."""
    optimizer = Optimizer(PROGRAM, passes)
    both = [(e, optimizer.rewritten("test", e)) for e in expressions]
    return [(before, after) for before, after in both if before != after]


FILTERS: list[m.Expr] = [m.Filter(m.Kind("Piece"), "x", one) for one in CONDITIONS]
FOLDS: list[m.Expr] = [
    m.Fold(kind, binds, one, K if kind in ("sum", "max", "min") else None)  # type: ignore[arg-type]
    for kind in ("count", "some", "no")
    for binds in ((m.Bound("x", m.Kind("Cube")),), (m.Bound("y", m.Kind("Coin")), m.Bound("x", m.Kind("Piece"))))
    for one in [*FEW, *(kind(pair) for kind in (m.And, m.Or) for pair in product(FEW[::3], repeat=2))]
]
EVERY: list[m.Expr] = [
    m.Fold("every", (m.Bound("x", m.Kind("Piece")),), where, body)
    for where, body in product((None, *FEW[::4]), [*FEW[::2], *map(m.Or, product(FEW[::4], repeat=2))])
]
SETS: list[m.Expr] = [
    m.MakeSet(()),
    m.Kind("Coin"),
    m.MakeSet((m.PlaceOf("Cell", Y),)),
    *(m.Filter(m.Kind("Piece"), "x", one) for one in FEW[::3]),
    *(m.SetOp(op, m.Kind("Coin"), m.Filter(m.Kind("Piece"), "x", FEW[1])) for op in words_of(m.SetOp, "op")),  # type: ignore[arg-type]
    m.Collect(m.Kind("Coin"), "x", m.PlaceOf("Cell", X)),
    m.Collect(m.Kind("Coin"), "x", m.NeighboursOf("Board", m.PlaceOf("Cell", X)), True),
    m.Best(m.Kind("Cube"), "x", m.Attr("Piece.worth", X)),
    m.IfElse(m.FieldGet("flag", ()), m.Kind("Coin"), m.MakeSet(())),
]
COUNTS: list[m.Expr] = [
    *map(m.Size, SETS),
    *(m.Fold("count", (m.Bound("x", one),), None, None) for one in SETS),
]
EMPTY: list[m.Expr] = [
    *(e for count, n in product(COUNTS, (-1, 0, 1, 2)) for e in compared(count, m.Const(n))),
    *(m.SetEq(*pair) for one in SETS for pair in ((one, m.MakeSet(())), (m.MakeSet(()), one))),
    *(e for one in SETS for e in compared(m.First(one), m.Const(NONE))),
    *(
        e
        for kind, one in product(("max", "min"), SETS)
        for e in compared(m.Fold(kind, (m.Bound("x", one),), None, m.Attr("Piece.worth", X)), m.Const(NONE))  # type: ignore[arg-type]
    ),
]
BY_PASS: dict[str, list[m.Expr]] = {
    "masks": [*FILTERS, *FOLDS, *EVERY],
    "unswitching": [*FILTERS, *FOLDS],
    "emptiness": EMPTY,
}


@pytest.mark.parametrize("name", BY_PASS)
def test_what_a_pass_makes_of_small_expressions(name: str) -> None:
    changed = rewritten(BY_PASS[name], name)
    assert len(changed) > len(BY_PASS[name]) // 8
    for before, after in changed:
        is_set = isinstance(before, m.Filter)
        for oracle, values in product(ORACLES, VALUES[::4]):
            one, two = ((members if is_set else value)(oracle, e, values) for e in (before, after))
            assert one == two, (before, values)


def test_comparisons_with_their_sides_exchanged() -> None:
    for op, a, b in product(words_of(m.Cmp, "op"), range(-1, 3), range(-1, 3)):
        assert comparison.applied(op, a, b) == comparison.applied(comparison.mirrored(op), b, a)  # type: ignore[arg-type]


def test_what_is_known_of_operations_on_sets() -> None:
    """For all sets of three members."""
    op: Any
    assert set(OF_SETS) == set(words_of(m.SetOp, "op"))
    for op, a, b in product(OF_SETS, range(8), range(8)):
        result = OF_SETS[op](bits(a), bits(b))
        assert bits(set_operations.applied(op, a, b)) == result
        for more in range(8):
            assert result <= bits(set_operations.at_most(op, a | more, b | more))
            one, other = (bits(side) <= bits(more) for side in (a, b))
            assert not set_operations.all_have(op, one, other) or result <= bits(more)
        for one, other in product((a, None), (b, None)):
            known = set_operations.at_most_of(op, *(None if side is None else bits(side) for side in (one, other)))
            assert known is None or result <= known
        for member in range(3):
            there = member in bits(a), member in bits(b)
            assert set_operations.member_formula(op, *there, all, any, not_) == (member in result)
            for sure in product((False, True), repeat=2):
                if all(there[side] or not sure[side] for side in (0, 1)) and set_operations.surely_holds(op, *sure):
                    assert member in result
        assert len(result) <= set_operations.most_members(op, len(bits(a)), len(bits(b)))
        width = set_operations.width(op, a.bit_length(), b.bit_length())
        assert set_operations.applied(op, a, b).bit_length() <= width


def test_of_each_expression_with_a_variable_the_part_that_sees_it_is_known_and_the_last() -> None:
    for kind in EXPR_TYPES:
        annotated = {f.name: str(f.type) for f in fields(kind)}
        parts = [name for name, annotation in annotated.items() if "Expr" in annotation]
        assert ("var" in annotated) == (kind in INSIDE), kind
        assert kind not in INSIDE or parts[-1] == INSIDE[kind], kind
