"""Evaluation of instructions that change the cells or the frame, or give notice of something; the next one follows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.engine.evaluator.expressions import Expressions
from rulewright.engine.evaluator.map_queries import remembered
from rulewright.engine.evaluator.scope import BASE, REGISTERS, STACK, Environment, Evaluate, Scope
from rulewright.engine.evaluator.state_reads import StateReads, offsets
from rulewright.engine.faults import BOUNDS, NO_KEY, NO_PLAYER, fault, out_of_bounds
from rulewright.ir import model as m
from rulewright.ir.dataflow.memoized_queries import condition_set_by
from rulewright.ir.model import NONE

Step = Callable[[list[int], Environment], int | None]
"""An instruction: None if the next one comes; else where to go on in this function, or (below 0) how its block is left:
see `leave`."""


class FunctionFrame:
    """The frames of one function: what its expressions may mention, and how its slots are written."""

    def __init__(self, x: Expressions, number: int) -> None:
        self.number, self.function = number, x.ctx.program.functions[number]
        self.slots = tuple(zip(offsets(self.function.slots), self.function.slots, strict=False))
        self.scope = Scope.of((), self.slots)
        self._padded = x.ctx.support.padded

    def store(self, number: int) -> Callable[[Environment, Any], None]:
        """A function that stores a value in a slot."""
        offset, slot = self.slots[number]
        capacity, padded = slot.ty.capacity, self._padded
        if slot.ty.kind != "list":

            def store(E: Environment, value: Any) -> None:
                E[STACK][E[BASE] + offset] = value

            return store

        def store_list(E: Environment, value: Any) -> None:
            at = E[BASE] + offset
            E[STACK][at : at + 1 + capacity] = padded(value, capacity, slot.name)

        return store_list


class Instructions:
    """Makes the closures of instructions after which the next one comes."""

    def __init__(self, x: Expressions, frame: FunctionFrame) -> None:
        self.x, self.ctx, self.support, self.layout = x, x.ctx, x.ctx.support, x.ctx.layout
        self.function, self.slots, self.scope, self.store = frame.function, frame.slots, frame.scope, frame.store
        self.state = StateReads(x)

    def _s_SetLocal(self, i: m.SetLocal, pc: int) -> Step:
        store, value = self.store(i.slot), self.x.value(i.value, self.scope)
        known = self.ctx.memo_layout.numbers.get(condition_set_by(self.function, i))
        if known is not None:
            return self._found_out(store, value, known, self.ctx.facts.pays(i.value))
        offset, slot = self.slots[i.slot]
        if slot.ty.kind == "list":
            return lambda C, E: store(E, value(C, E))

        def set_local(C: list[int], E: Environment) -> None:
            E[STACK][E[BASE] + offset] = value(C, E)

        return set_local

    def _found_out(self, store: Callable[[Environment, Any], None], value: Evaluate, number: int, pays: bool) -> Step:
        """Find out for whom a condition holds; where it held for no player, that is known until what it reads has
        changed, and costs what it did."""
        x = self.x

        def find_out(C: list[int], E: Environment) -> None:
            results = remembered(C, E[REGISTERS], number)
            if results:
                if pays:
                    x.pay(E[REGISTERS], results[0])
                store(E, NONE)
                return
            R = E[REGISTERS]
            left = R.budget + R.meter.left
            found = value(C, E)
            store(E, found)
            if found == NONE:
                results[0] = left - (R.budget + R.meter.left)

        return find_out

    def _s_Append(self, i: m.Append, pc: int) -> Step:
        (offset, slot), value, append = self.slots[i.slot], self.x.value(i.value, self.scope), self.support.append
        keeps, capacity = i.keeps_none, slot.ty.capacity

        def add(C: list[int], E: Environment) -> None:
            found = value(C, E)
            if found != NONE or keeps:
                append(E[STACK], E[BASE] + offset, capacity, found, slot.name)

        return add

    # ------------------------------------------------------------------------------------------ the state

    @staticmethod
    def _present(address: Evaluate, what: str) -> Evaluate:
        """An address, or an error if a key is none."""

        def present(C: list[int], E: Environment) -> int:
            at: int = address(C, E)
            return at if at >= 0 else fault(NO_KEY, f"there is no `{what}` of none")

        return present

    def _cell(self, place: Any, index: tuple[str, ...], keys: tuple[m.Expr, ...], what: str) -> Evaluate:
        """The number of a cell that is written."""
        found = self.x.address(place.at, place.strides, index, keys, self.scope)
        return self._present(found, what) if not isinstance(found, int) else lambda C, E: found

    def _s_SetField(self, i: m.SetField, pc: int) -> Step:
        declared, place = self.layout.field_of[i.field], self.layout.fields[i.field]
        address, value = self._cell(place, declared.index, i.index, i.field), self.x.value(i.value, self.scope)
        ty, name = declared.ty, i.field
        if ty.kind == "list":
            capacity, padded, is_record = ty.capacity, self.support.padded, declared.is_record

            def set_list(C: list[int], E: Environment) -> None:
                at = address(C, E)
                C[at : at + 1 + capacity] = padded(value(C, E), capacity, name, is_record)

            return set_list
        if ty.kind == "set":
            size = self.layout.set_bits(ty)

            def set_bits(C: list[int], E: Environment) -> None:
                at, new = address(C, E), value(C, E)
                if new >> size:
                    fault(BOUNDS, f"`{name}` cannot hold such a number")
                C[at] = new

            return set_bits
        low, high = {"bool": (0, 1), "entity": (0, self.layout.sizes.get(ty.universe, 0) - 1)}.get(
            ty.kind, (ty.low, ty.high)
        )
        optional = ty.optional

        def set_field(C: list[int], E: Environment) -> None:
            at, new = address(C, E), value(C, E)
            if not low <= new <= high and not (optional and new == NONE):
                out_of_bounds(name, new, low, high)
            C[at] = new

        return set_field

    def _s_Reset(self, i: m.Reset, pc: int) -> Step:
        places = [self.layout.fields[name] for name in i.fields]
        spans = [(place.at, place.at + place.span * place.count) for place in places]
        values = [(at, end, self.layout.initial[at:end]) for at, end in spans]

        def reset(C: list[int], E: Environment) -> None:
            for at, end, value in values:
                C[at:end] = value

        return reset

    def _s_Move(self, i: m.Move, pc: int) -> Step:
        instance = self._present(self.state.instance(i.zone, i.index, self.scope), i.zone)
        what, bottom, face = self.x.value(i.what, self.scope), i.at == "bottom", -1 if i.face is None else i.face
        is_list = i.is_list or self.x.is_list(i.what, self.scope)
        move: Any = self.support.move if is_list else self.support.move_set

        def move_pieces(C: list[int], E: Environment) -> None:
            zone = instance(C, E)
            move(C, what(C, E), zone, bottom, face)

        return move_pieces

    def _s_Flip(self, i: m.Flip, pc: int) -> Step:
        what, turn, side = self.x.bits(i.what, self.scope), self.support.turn, i.side
        return lambda C, E: turn(C, what(C, E), side)

    def _s_SwapItems(self, i: m.SwapItems, pc: int) -> Step:
        place: Any = self.layout.zones[i.zone] if i.zone else self.layout.fields[i.field]
        declared: Any = self.layout.zone_of[i.zone] if i.zone else self.layout.field_of[i.field]
        address = self._cell(place, declared.index, i.index, i.zone or i.field)
        stack, swap = bool(i.zone) and declared.order == "stack", self.support.swap
        first, second = self.x.value(i.first, self.scope), self.x.value(i.second, self.scope)
        return lambda C, E: swap(C, address(C, E), stack, first(C, E), second(C, E))

    def _s_Merge(self, i: m.Merge, pc: int) -> Step:
        left, right = self.x.value(i.left, self.scope), self.x.value(i.right, self.scope)
        join, merged = self.support.join, i.merged
        return lambda C, E: join(C, merged, left(C, E), right(C, E))

    def _s_Eliminate(self, i: m.Eliminate, pc: int) -> Step:
        player, out = self.x.value(i.player, self.scope), self.layout.out

        def eliminate(C: list[int], E: Environment) -> None:
            one = player(C, E)
            if one < 0:
                fault(NO_PLAYER, "there is no player to eliminate")
            C[out] |= 1 << one

        return eliminate

    # ------------------------------------------------------------------------------------------ notices

    def _s_Show(self, i: m.Show, pc: int) -> Step:
        what, to, show, name = (
            self.x.bits(i.what, self.scope), self.x.bits(i.to, self.scope), self.support.show, self.function.name,
        )  # fmt: skip

        def show_pieces(C: list[int], E: Environment) -> None:
            pieces, players = what(C, E), to(C, E)
            show(C, pieces, players)
            shown = E[REGISTERS].shown
            if shown is not None:
                shown.append((C, name, pieces, players))

        return show_pieces

    def _s_Fired(self, i: m.Fired, pc: int) -> Step:
        number = self.ctx.rule_numbers[i.rule]

        def fired(C: list[int], E: Environment) -> None:
            counts = E[REGISTERS].fired
            if counts is not None:
                counts[number] += 1

        return fired

    def _s_Observe(self, i: m.Observe, pc: int) -> Step:
        def observe(C: list[int], E: Environment) -> None:
            watch = E[REGISTERS].watch
            if watch is not None:
                watch.block(i.block, i.leaving, C)

        return observe

    def _s_Tell(self, i: m.Tell, pc: int) -> Step:
        # The values are evaluated afterwards: a game costs the same, and fails the same, without them.
        name = self.function.name

        def note(C: list[int], E: Environment) -> None:
            announcements = E[REGISTERS].announcements
            if announcements is not None:
                announcements.append((name, pc, C[:], E[STACK][:], E[BASE]))

        return note
