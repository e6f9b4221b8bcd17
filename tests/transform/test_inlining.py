"""Calls of short queries become their bodies, with the same meaning: nothing is bound that was not, nothing is asked
twice that costs something."""

from __future__ import annotations

import pytest

from program_texts import program_of, rewritten
from rulewright.ir.transform.inlining import ALONE, LONGEST, MOST_GROWTH, SHORT
from rulewright.ir.transform.optimizer import Optimizer

CALL = "CallQuery('long', [a])"
OWN = "own(c) = Cmp('eq', FieldGet('owner', [c]), 1)"
BEFORE_AND_AFTER = {
    "a body": (OWN, "CallQuery('own', [$1])", "Cmp('eq', FieldGet('owner', [$1]), 1)"),
    "in a loop": (
        OWN,
        "Filter(Alive('Cell'), 'd', CallQuery('own', [d]))",
        "Filter(Alive('Cell'), 'd', Cmp('eq', FieldGet('owner', [d]), 1))",
    ),
    "a body with calls": (
        f"{OWN}\nother(c) = Not(CallQuery('own', [c]))",
        "CallQuery('other', [3])",
        "Not(Cmp('eq', FieldGet('owner', [3]), 1))",
    ),
    "what is asked once takes its place": (
        OWN,
        "CallQuery('own', [First(Alive('Cell'))])",
        "Cmp('eq', FieldGet('owner', [First(Alive('Cell'))]), 1)",
    ),
    "what is asked twice is bound": (
        "twice(n) = Arith('add', n, n)",
        "CallQuery('twice', [Size(Alive('Cell'))])",
        "LetIn('n', Size(Alive('Cell')), Arith('add', n, n))",
    ),
    "what is asked in a loop is bound": (
        "near(c) = Filter(Alive('Cell'), 'd', Contains(NeighboursOf('Board', c), d))",
        "CallQuery('near', [First(Alive('Cell'))])",
        "LetIn('c', First(Alive('Cell')), Filter(Alive('Cell'), 'd', Contains(NeighboursOf('Board', c), d)))",
    ),
    "what can be an error is worked out": (
        "no(n) = 0",
        "CallQuery('no', [Arith('div_down', 1, $0)])",
        "LetIn('n', Arith('div_down', 1, $0), 0)",
    ),
    "what nobody asks and cannot be an error is not": ("no(n) = 0", "CallQuery('no', [Size(Alive('Cell'))])", "0"),
    "a variable keeps what it means": (
        "beside(c) = Filter(Alive('Cell'), 'd', Contains(NeighboursOf('Board', c), d))",
        "Filter(Alive('Cell'), 'd', Contains(CallQuery('beside', [d]), d))",
        "Filter(Alive('Cell'), 'd', Contains(Filter(Alive('Cell'), 'd''1', "
        "Contains(NeighboursOf('Board', d), d'1)), d))".replace("'d''1'", r"'d\'1'"),
    ),
    "arguments are exchanged": (
        "less(a, b) = Cmp('lt', a, b)",
        "Filter(Alive('Cell'), 'a', Fold('some', [Bound('b', Alive('Cell'))], CallQuery('less', [b, a]), none))",
        "Filter(Alive('Cell'), 'a', Fold('some', [Bound('b', Alive('Cell'))], Cmp('lt', b, a), none))",
    ),
    "a variable of the caller has the name of a parameter": (
        "sum(a, b) = Arith('add', Arith('mul', a, a), Arith('mul', b, b))",
        "Collect(Alive('Cell'), 'b', CallQuery('sum', [b, Size(Alive('Cell'))]))",
        r"Collect(Alive('Cell'), 'b', LetIn('b\'', Size(Alive('Cell')), "
        "Arith('add', Arith('mul', b, b), Arith('mul', b', b'))))",
    ),
    "nothing moves into another state": (
        "before(c) = Old(FieldGet('owner', [c]))",
        "CallQuery('before', [Single(Filter(Alive('Cell'), 'd', Cmp('eq', FieldGet('owner', [d]), 0)))])",
        "LetIn('c', Single(Filter(Alive('Cell'), 'd', Cmp('eq', FieldGet('owner', [d]), 0))), "
        "Old(FieldGet('owner', [c])))",
    ),
    "what is bound to a slot is the slot": ("", "LetIn('x', $0, Arith('add', x, x))", "Arith('add', $0, $0)"),
    "areas are remembered": (
        "there(c) = ReachFrom('Board', c, none, none, none)",
        "Contains(CallQuery('there', [$0]), $1)",
        "Contains(CallQuery('there', [$0]), $1)",
    ),
}


@pytest.mark.parametrize("what", BEFORE_AND_AFTER)
def test_inlining(what: str) -> None:
    queries, before, after = BEFORE_AND_AFTER[what]
    assert rewritten(before, queries, {"inlining"}) == after
    assert rewritten(before, queries, ()) == before


def chain(length: int) -> str:
    """A sum of so many nodes."""
    return "Arith('add', c, " * (length // 2) + "c" + ")" * (length // 2)


def asked_often(calls: int) -> str:
    """A query with so many calls of another one."""
    return f"MakeSet([{', '.join([CALL] * calls)}])"


@pytest.mark.parametrize(
    ("length", "calls", "taken"),
    [
        (SHORT - 1, 500, True),
        (59, 10, True),
        (LONGEST + 1, 2, False),
        (LONGEST + 1, 1, True),
        (ALONE - 1, 1, True),
        (ALONE + 1, 1, False),
    ],
)
def test_what_is_short_or_seldom_called_is_taken(length: int, calls: int, taken: bool) -> None:
    asked = asked_often(calls)
    program = program_of(f"long(c) = {chain(length)}\nall(a) = {asked}")
    optimizer = Optimizer(program, {"inlining"})
    assert (optimizer.query("all").body != program.queries[1].body) is taken


def test_the_program_does_not_grow_without_bound() -> None:
    calls = MOST_GROWTH // 59 + 2
    asked = asked_often(calls)
    program = program_of(f"long(c) = {chain(59)}\nall(a) = {asked}")
    assert Optimizer(program, {"inlining"}).query("all").body is program.queries[1].body


def test_it_is_known_which_query_a_body_was() -> None:
    optimizer = Optimizer(program_of(f"{OWN}\nall() = Filter(Alive('Cell'), 'd', CallQuery('own', [d]))"))
    found = optimizer.query("all").body
    assert optimizer.origin(found) == ""
    assert optimizer.origin(found.where) == "own"  # type: ignore[union-attr]
    assert optimizer.done == {("all", "inlining", "own"): 1}
