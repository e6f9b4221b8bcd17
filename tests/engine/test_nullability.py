"""Nullability is known before a game is played; closures are made when they are first run, and that changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from building import c, function, loc, program
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from maker import Maker
from playground import everything, random_position
from programs import race

import rulewright as rw
from rulewright.compiler import player_counts, sources
from rulewright.diagnostics import RulesetError
from rulewright.engine import Engine
from rulewright.engine.evaluator.blocks import Block, FunctionEvaluation
from rulewright.engine.evaluator.registers import Registers
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


class Watched:
    """An engine that compares every value that is given, returned or stored with what the analysis calls safe."""

    def __init__(self, made: m.Program) -> None:
        self.engine, self.null = Engine(made), Nullability(made).places
        compiled = self.engine.compiled
        find = compiled.x.query
        compiled.x.query = lambda name: self._query(name, find(name))
        make = compiled._block
        compiled._block = lambda key: self._block(make(key))  # type: ignore[method-assign]
        for number, block in enumerate(compiled.blocks):
            compiled.blocks[number] = self._block(block)

    def _look(self, place: Any, ty: Ty, value: Any) -> None:
        none = NONE in value if isinstance(value, tuple | list) else value == NONE
        assert not none or ty.optional or place in self.null, f"{place} is none, and the analysis does not know it"

    def _query(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        query = self.engine.compiled.ctx.queries[name]

        def asked(C: list[int], R: Registers, *args: Any) -> Any:
            for number, (slot, arg) in enumerate(zip(query.params, args, strict=True)):
                self._look(("param", name, number), slot.ty, arg)
            value = function(C, R, *args)
            self._look(("result", name, 0), query.ty, value)
            return value

        return asked

    def _block(self, block: Block) -> Block:
        def watched(C: list[int], S: list[int], R: Registers) -> int:
            if S:
                self._frame(S, R.base)
            self._fields(C)
            return block(C, S, R)

        return watched

    def _frame(self, S: list[int], base: int) -> None:
        function = self.engine.program.functions[S[base - 3]]
        for number, (slot, at) in enumerate(
            zip(function.slots, self.engine.compiled.offsets[S[base - 3]], strict=False)
        ):
            first = base + at
            value: Any = S[first + 1 : first + 1 + S[first]] if slot.ty.kind == "list" else S[first]
            self._look(("slot", function.name, number), slot.ty, value)

    def _fields(self, C: list[int]) -> None:
        for field in self.engine.program.fields:
            place = self.engine.layout.fields[field.name]
            if field.ty.kind == "list":
                for at in range(place.at, place.at + place.span * place.count, place.span):
                    self._look(("field", field.name, 0), field.ty, C[at + 1 : at + 1 + C[at]])


@pytest.mark.parametrize("folder", [f.name for f in rw.shipped_rulesets()])
def test_it_is_sound_for_shipped_games(folder: str) -> None:
    ruleset = rw.open_ruleset(folder)
    counts = player_counts(sources(ruleset).rules)
    some = counts[-1:] if folder == LARGEST else sorted({counts[0], counts[-1]})
    for players in counts if THOROUGH else some:
        played(Watched(rw.load(ruleset, players).program).engine, players, most=sample(60, 1000))


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
    made = replace(PLAYGROUND, queries=(*PLAYGROUND.queries, *queries), functions=(*PLAYGROUND.functions, extra))
    engine, stack = Watched(made).engine, list[int]()
    block = engine.push(stack, "random", ())
    with suppress(RulesetError):  # expressions may be errors of the rules
        engine.run(list(random_position(made, Random(seed)).cells), stack, engine.registers(3), block)


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
    lower(made)


def test_closures_made_beforehand_play_the_same() -> None:
    """The same states, byte for byte, whenever closures were made."""
    lazy, eager = Engine(race()), Engine(race())
    for query in eager.program.queries:
        eager.compiled.query(query.name)
    for number in range(len(eager.program.functions)):
        eager.compiled.function(number)
    for seed in range(20):
        assert played(lazy, seed) == played(eager, seed)


def played(engine: Engine, seed: int, most: int = 1000) -> list[tuple[list[int], list[int]]]:
    cells, stack = engine.begin(seed)
    state = advance(engine, cells, stack, 3, engine.push(stack, engine.program.main, ()), Mode(), None)
    found = [(list(state.cells), list(state.stack))]
    dice = Random(seed)
    while state.decision is not None and len(found) < most:
        state = state.choose(dice.choice(state.decision.options))
        found.append((list(state.cells), list(state.stack)))
    return found


def test_a_mistake_in_the_making_of_closures_is_no_error_of_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*_: object) -> None:
        raise ValueError("a mistake of ours")

    monkeypatch.setattr(FunctionEvaluation, "_made", wrong)
    engine = Engine(race())
    cells, stack = engine.begin(1)
    block = engine.push(stack, engine.program.main, ())
    with pytest.raises(AssertionError, match="no closure could be made: a mistake of ours"):
        engine.run(cells, stack, engine.registers(3), block)
