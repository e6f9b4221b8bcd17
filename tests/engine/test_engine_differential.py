"""Generated code against the plain evaluator: random expressions over random positions."""

from __future__ import annotations

from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from maker import Maker
from oracle import Oracle, Wrong, plain, world
from playground import everything, random_position

from rulewright.diagnostics import RulesetError
from rulewright.ir import model as m

PROGRAM = everything()


def compare(seed: int, depth: int, old: bool = False) -> None:
    r = Random(seed)
    maker = Maker(PROGRAM, r, old)
    e = maker.make(maker.kind(), {}, depth)
    now, before = random_position(PROGRAM, r), random_position(PROGRAM, r)
    try:
        expected = Oracle(world(now), world(before)).value(e, {})
    except Wrong as wrong:
        expected = wrong
    try:
        found = plain(now.evaluate(e, before), expected)
    except RulesetError as error:
        found = error
    if isinstance(expected, Wrong):
        assert isinstance(found, RulesetError), (e, found)
        assert found.diagnostics[0].code == str(expected), e
    else:
        if isinstance(found, frozenset) and isinstance(expected, int):
            found = sum(1 << i for i in found)
        assert found == expected, e


@settings(max_examples=400, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32), st.integers(1, 5))
def test_random_expressions(seed: int, depth: int) -> None:
    compare(seed, depth)


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32))
def test_random_expressions_with_old(seed: int) -> None:
    compare(seed, 4, True)


def test_the_region_of_a_place_on_the_way() -> None:
    """A place that was reached or where a piece lies need not be the one that stands for its region."""
    merged = next(one for one in PROGRAM.merged)
    ring = next(g for g in PROGRAM.graphs if g.place == merged.place)
    size = len(ring.neighbours)
    pieces = next(u.size for u in PROGRAM.universes if u.name == "Piece")
    others = 0
    for seed in range(12):
        position = random_position(PROGRAM, Random(seed))
        places: list[m.Expr] = [m.Ahead(ring.name, "", m.Const(start), m.Const(1)) for start in range(size)]
        places += [m.PlaceOf(merged.place, m.Const(piece)) for piece in range(pieces)]
        for number, place in enumerate(places):
            e = m.Canon(merged.name, place)
            expected = Oracle(world(position), world(position)).value(e, {})
            assert plain(position.evaluate(e, position), expected) == expected, e
            others += number < size and expected != (number + 1) % size
    assert others > 0
