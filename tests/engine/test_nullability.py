"""Nullability is known before code is made; code is made when it is first run, and that changes nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from building import c, function, loc, program
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from maker import Maker
from playground import everything
from programs import race

import rulewright as rw
from rulewright.compiler import player_counts, sources
from rulewright.engine import Engine
from rulewright.engine.codegen.blocks import Superblock
from rulewright.engine.codegen.compiled_program import Compiled
from rulewright.engine.native.lowering.program_lowering import lower
from rulewright.engine.runtime.records import Mode
from rulewright.engine.states.state import advance
from rulewright.ir import model as m
from rulewright.ir.dataflow.nullability import Nullability
from rulewright.ir.model import INT, NONE, Slot, Ty
from sampling import THOROUGH, sample

PLAYGROUND = everything()
LARGEST = "kings-and-things"
"""It takes as long as all others together; every day it is tried in one number of players."""


def write_all(made: m.Program) -> Compiled:
    """All code of a program; an error if none comes to a place that the analysis calls safe."""
    compiled = Compiled(made)
    compiled.write_all()
    foreign = [name for name in compiled.ctx.globals if re.fullmatch(r"q\d+n", name)]
    assert not foreign, "a query is asked with none, and the analysis does not know it"
    return compiled


@pytest.mark.parametrize("folder", [f.name for f in rw.shipped_rulesets()])
def test_it_is_sound_for_shipped_games(folder: str) -> None:
    ruleset = rw.open_ruleset(folder)
    counts = player_counts(sources(ruleset).rules)
    some = counts[-1:] if folder == LARGEST else sorted({counts[0], counts[-1]})
    for players in counts if THOROUGH else some:
        write_all(rw.load(ruleset, players).program)


def type_of(kind: tuple[str, str]) -> Ty:
    what, universe = kind
    if what in ("bool", "int"):
        return Ty("bool") if what == "bool" else INT
    if what == "one":
        return Ty("entity", universe)
    return Ty("set", universe) if what == "set" else Ty("list", universe, capacity=200)


@settings(max_examples=sample(40, 1000), suppress_health_check=list(HealthCheck))
@given(st.integers(0, 10**9), st.integers(1, 5))
def test_it_is_sound_for_random_expressions(seed: int, depth: int) -> None:
    """In queries, which are asked by one another, and in a function with slots of each type."""
    maker = Maker(PLAYGROUND, Random(seed))
    kinds = [maker.kind() for _ in range(4)]
    queries = tuple(
        m.QueryDef(
            f"random{n}", (Slot("given", type_of(kind)),), type_of(kind), maker.make(kind, {"given": kind}, depth)
        )
        for n, kind in enumerate(kinds)
    )
    code = [m.SetLocal(n, m.CallQuery(f"random{n}", (maker.make(kind, {}, depth),))) for n, kind in enumerate(kinds)]
    again = [m.SetLocal(n, m.CallQuery(f"random{n}", (loc(n),))) for n in range(len(kinds))]
    slots = tuple(Slot(f"slot{n}", type_of(kind)) for n, kind in enumerate(kinds))
    extra = function("random", [*code, *again, m.Return(None)], slots=slots)
    write_all(replace(PLAYGROUND, queries=(*PLAYGROUND.queries, *queries), functions=(*PLAYGROUND.functions, extra)))


def test_none_goes_through_calls_and_back() -> None:
    """Given to one function, handed on by it, returned and stored."""
    slots = (Slot("x", INT),)
    last = function("last", [m.Return(loc(0))], slots=slots, params=1, result=INT)
    first = function(
        "first", [m.Call("last", (loc(0),), 0, "last"), m.Return(loc(0))], slots=slots, params=1, result=INT
    )
    main = function("game", [m.Call("first", (c(NONE),), 0, "first"), m.Return(None)], slots=slots)
    found = Nullability(program(functions=(last, first, main))).places
    assert {("slot", "last", 0), ("returned", "last", 0), ("returned", "first", 0), ("slot", "game", 0)} <= found
    safe = function("game", [m.Call("first", (c(1),), 0, "first"), m.Return(None)], slots=slots)
    assert not {p for p in Nullability(program(functions=(last, first, safe))).places if p[1] in ("first", "last")}


def test_what_runs_off_its_end_gives_none() -> None:
    slots = (Slot("x", INT),)
    code: list[Any] = [m.JumpUnless(loc(0), 2), m.Return(c(1)), m.Fired("end")]
    found = Nullability(program(functions=(function("given", code, slots=slots, params=1, result=INT),))).places
    assert ("returned", "given", 0) in found


def test_what_is_printed_on_something_known_may_be_no_none() -> None:
    """A list takes one entry of a column that has gaps elsewhere, also natively."""
    worth = m.Table("Piece.worth", "Piece", replace(INT, optional=True), (5, NONE))
    queue = m.Field("queue", (), (), Ty("list", "Int", capacity=4), (), ())
    put = m.SetField("queue", (), m.MakeList((m.Attr("Piece.worth", c(0)),)))
    made = program(
        functions=(function("game", [put, m.Return(None)]),),
        tables=(worth,),
        fields=(queue,),
        pieces=("first", "second"),
    )
    assert ("field", "queue", 0) not in Nullability(made).places
    write_all(made)
    lower(made)


def test_code_made_beforehand_plays_the_same() -> None:
    """The same states, byte for byte, whenever the code was made."""
    lazy, eager = Engine(race()), Engine(race())
    eager.compiled.write_all()
    for seed in range(20):
        assert played(lazy, seed) == played(eager, seed)


def played(engine: Engine, seed: int) -> list[tuple[list[int], list[int]]]:
    cells, stack = engine.begin(seed)
    state = advance(engine, cells, stack, 3, engine.push(stack, engine.program.main, ()), Mode(), None)
    found = [(list(state.cells), list(state.stack))]
    dice = Random(seed)
    while state.decision is not None:
        state = state.choose(dice.choice(state.decision.options))
        found.append((list(state.cells), list(state.stack)))
    return found


def test_a_mistake_of_code_generation_is_no_error_of_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(_: Superblock) -> None:
        raise ValueError("a mistake of ours")

    monkeypatch.setattr(Superblock, "write", wrong)
    engine = Engine(race())
    cells, stack = engine.begin(1)
    block = engine.push(stack, engine.program.main, ())
    with pytest.raises(AssertionError, match="no code could be generated: a mistake of ours"):
        engine.run(cells, stack, engine.registers(3), block)
