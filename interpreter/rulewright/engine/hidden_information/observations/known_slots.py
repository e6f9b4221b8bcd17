"""Locals of running rules whose value a player knows, because they have seen or answered all that it was made of.

A value in a slot was made of what it was made of when it was stored, so the cells of now do not show whether it is
known. It is followed back instead through the assignments and branches of its function, and through the calls that the
stack shows, to what is read there: whether a short-cut was taken does not count, so that the answer is the same in all
positions that look alike to the player. What is returned by a call counts as known only if nothing hidden was read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from rulewright.engine.hidden_information.answers.changes_since import value_or_none
from rulewright.engine.hidden_information.hidden_state import decider_then, knows_answer
from rulewright.engine.hidden_information.visibility import dependence, seen
from rulewright.engine.runtime.canonical_form import Frame, frames
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.runtime.position import Position
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import (
    control_flow_graph,
    definitions,
    successors,
    with_callees,
)
from rulewright.ir.dataflow.effects import OwnReads, instructions_of, locations
from rulewright.ir.reads import Whole, counted, reads
from rulewright.ir.walk import children, nodes
from rulewright.knowledge.answers.public_answers import PublicAnswers, public_answers
from rulewright.knowledge.public_values import public_values
from rulewright.knowledge.secrets.hidden_values import HiddenValues

Keys = Mapping[str, tuple[int, m.Expr] | None]
"""For each binder the frame and the expression that it stands for; None if it may be anything."""

_FORKS = (m.JumpUnless, m.Choose)


class KnownSlots:
    """The slots in the frames of a state, as one player knows them."""

    def __init__(self, state: Position, player: int) -> None:
        self.state, self.player, self.engine = state, player, state.engine
        self.frames: Sequence[Frame] = list(frames(state.engine, state.stack))
        self._known: dict[tuple[int, int], bool] = {}

    def knows(self, number: int, slot: int) -> bool:
        """True if the player knows what is in a slot of a frame."""
        known = self._known.get((number, slot))
        if known is None:
            self._known[number, slot] = True  # unless something else shows that it is not
            known = self._known[number, slot] = self._find(number, slot)
        return known

    def _find(self, number: int, slot: int) -> bool:
        function = self._function(number)
        if slot < function.params and not self._given(number, slot):
            return False
        places = [pc for pc, i in enumerate(function.code) if slot in definitions(i)]
        if self._is_a_known_answer(number, slot, places):
            return True
        return all(self._stored(number, pc) and self._comes_to(number, pc) for pc in places)

    def _is_a_known_answer(self, number: int, slot: int, places: Sequence[int]) -> bool:
        """True if a slot holds something, and only answers that the player has given or observed can have put it there.

        They know the answers, whatever let the rules put the question, or not put it again.
        """
        function, frame = self._function(number), self.frames[number]
        value = self.state.stack[frame.base + self.engine.compiled.offsets[frame.function][slot]]
        if value == m.NONE or slot < function.params:
            return False
        stores = [(pc, function.code[pc]) for pc in places]
        given = [(pc, i) for pc, i in stores if not (isinstance(i, m.SetLocal) and i.value == m.Const(m.NONE))]
        observed = (isinstance(i, m.Choose) and self._answered(number, pc, i) for pc, i in given)
        return bool(given) and all(observed)

    def _function(self, number: int) -> m.Function:
        return self.engine.program.functions[self.frames[number].function]

    def _given(self, number: int, slot: int) -> bool:
        """True if they know what a function was given for a parameter."""
        if not number:
            return True
        call = self._function(number - 1).code[self.frames[number - 1].pc]
        return not isinstance(call, m.Call) or slot >= len(call.args) or self.sees(number - 1, call.args[slot])

    def _stored(self, number: int, pc: int) -> bool:
        """True if they know what an instruction stores in a slot."""
        i = self._function(number).code[pc]
        if not isinstance(i, m.Stores):
            return True
        match i:
            case m.SetLocal() | m.Append():
                return self.sees(number, i.value)
            case m.Choose() | m.Chance():
                return self._answered(number, pc, i)
            case m.Call(called):
                return self._public_result(called)
            case _:
                assert_never(i)

    def _answered(self, number: int, pc: int, i: m.Choose | m.Chance) -> bool:
        function, frame = self._function(number), self.frames[number]
        if isinstance(i, m.Choose) and self._own(frame, pc):
            return True
        # That a piece lies in sight now does not show that it is the one that was chosen.
        if _public_answers(self.engine).member(function.name, pc):
            return True
        value = self.state.stack[frame.base + self.engine.compiled.offsets[frame.function][i.into]]
        held = self.frames[: number + 1]
        return i.universe == "Piece" and value >= 0 and knows_answer(self.state, held, pc, value, self.player)

    def _own(self, frame: Frame, pc: int, stored: bool = True) -> bool:
        return decider_then(self.state, frame, pc, stored) == self.player

    def _comes_to(self, number: int, pc: int) -> bool:
        """True if they know whether the rules have come to an instruction. A branch that ends the game was not taken:
        all see that it goes on."""
        function, frame = self._function(number), self.frames[number]
        for fork, i in instructions_of(function, _FORKS):
            if pc not in control_flow_graph(function).branch(fork) or len(self._ways(frame, fork)) < 2:
                continue
            if isinstance(i, m.JumpUnless):
                knows = self.sees(number, i.condition)
            else:
                knows = (
                    not i.extras
                    or self._own(frame, fork, stored=False)
                    or _public_answers(self.engine).whether(function.name, fork)
                )
            if not knows:
                return False
        return True

    def _ways(self, frame: Frame, fork: int) -> frozenset[int]:
        """The places where a fork may have led that lead on to where a frame rests."""
        known, place = self.engine.cache("ways of forks"), (frame.function, frame.pc, fork)
        if place not in known:
            function = self.engine.program.functions[frame.function]
            before = {frame.pc, *values_of(self.engine).reached(function.name, frame.pc)}
            known[place] = before.intersection(successors(function.code[fork], fork))
        found: frozenset[int] = known[place]
        return found

    def _public_result(self, name: str) -> bool:
        """True if a function asks no question, and reads nothing that is hidden from any player."""
        run = with_callees(self.engine.program.functions, (name,)).values()
        if any(instructions_of(function, (m.Choose, m.Chance)) for function in run):
            return False
        reads = OwnReads(frozenset(), (f"after {name}",), frozenset())
        return dependence(self.engine).through(reads).isdisjoint(self._hidden_tokens())

    def _hidden_tokens(self) -> frozenset[str]:
        """All that some player does not see, as the analysis of effects names it."""
        return self.engine.once("hidden from somebody", _hidden_tokens)

    # ------------------------------------------------------------------------------------------ expressions

    def sees(self, number: int, e: m.Expr, keys: Keys | None = None) -> bool:
        """True if they see all that an expression may read in a frame."""
        given: Keys = keys or {}
        inner = counted(e)
        match e:
            case m.Local(slot):
                return self.knows(number, slot)
            case _ if isinstance(inner, Whole):
                return self._reads(number, inner, given, counting=True)
            case _ if isinstance(e, Whole):
                return self._reads(number, e, given)
            case m.Top(zone, index, count):
                return self.sees(number, count, given) and self._reads(number, m.ZoneList(zone, index), given)
            case m.CallQuery(name, args):
                query = next(q for q in self.engine.program.queries if q.name == name)
                passed = {p.name: self._passed(number, arg, given) for p, arg in zip(query.params, args, strict=True)}
                return all(self.sees(number, arg, given) for arg in args) and self.sees(number, query.body, passed)
            case m.After():
                return dependence(self.engine).reads(e).isdisjoint(self._hidden_tokens()) and all(
                    self.knows(number, n.slot) for n in nodes(e) if isinstance(n, m.Local)
                )
            case _:
                shows = public_values(self.engine.program).shows
                return (not isinstance(e, m.StateRead) or all(map(shows, reads(e)))) and all(
                    self.sees(number, child, given) for child in children(e)
                )

    def _passed(self, number: int, e: m.Expr, keys: Keys) -> tuple[int, m.Expr] | None:
        """A key as the frame knows it."""
        if isinstance(e, m.Var):
            return keys.get(e.name)
        return (number, e) if all(isinstance(n, m.Const | m.Local | m.Attr) for n in nodes(e)) else None

    def _reads(self, number: int, read: Whole, keys: Keys, counting: bool = False) -> bool:
        if not all(self.sees(number, key, keys) for key in read.index):
            return False
        layout = self.engine.layout
        if isinstance(read, m.FieldGet):
            declared: m.Field | m.Zone = layout.field_of[read.field]
            strides = [stride // layout.fields[read.field].span for stride in layout.fields[read.field].strides]
        else:
            declared = layout.zone_of[read.zone]
            strides = [stride // layout.zones[read.zone].span for stride in layout.zones[read.zone].strides]
        facets = seen(self.state, declared, self.player)
        if facets.faces:
            return True
        rows = facets.rows
        row = self._row(number, read.index, strides, declared.index, keys)
        if row is not None:
            rows = rows[row : row + 1]
        return all(facets if counting else "face" in facets for facets in rows)

    def _row(
        self, number: int, index: Sequence[m.Expr], strides: Sequence[int], universes: Sequence[str], keys: Keys
    ) -> int | None:
        """The row that keys name; None if that may be any."""
        row = 0
        for key, stride, universe in zip(index, strides, universes, strict=True):
            passed = self._passed(number, key, keys)
            if passed is None or universe in self.engine.layout.merged:
                return None
            held, e = passed
            value = value_or_none(self.engine, self.state.cells, self.state.stack, self.frames[held], e)
            if not 0 <= value < self.engine.layout.sizes[universe]:
                return None
            row += value * stride
        return row


def values_of(engine: Engine) -> HiddenValues:
    """The knowledge of hidden values that the rules of a game give; found once."""
    return engine.once("hidden values", HiddenValues)


def _public_answers(engine: Engine) -> PublicAnswers:
    return engine.once("public answers", public_answers)


def _hidden_tokens(program: m.Program) -> frozenset[str]:
    public = public_values(program)
    zones = [zone for zone in program.zones if zone.name not in public.faces]
    names = [f"zone {zone.name}" for zone in zones]
    names += [f"field {f.name}" for f in program.fields if f.name not in public.fields]
    return locations(zones).union(names, ("side",)) if zones else frozenset(names)
