"""A position laid out by hand, from which a function of the rules is entered: for scenarios."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine import faults
from rulewright.engine.runtime.machine import engine_of
from rulewright.engine.runtime.records import Mode, Origin
from rulewright.engine.states.state import State, advance
from rulewright.foundation.bit_sets import bits_of, members_of
from rulewright.ir.model import NONE, Expr, Program

Value = int | Sequence[int]
"""A raw value: an index, number, truth or bit set; for a list its items."""


class Position:
    """The cells before the game begins; pieces lie where they begin, fields have their initial values."""

    def __init__(self, program: Program, seed: int = 0, ask_chance: bool = False) -> None:
        self.engine = engine_of(program)
        self.program = program
        self.cells, _ = self.engine.begin(seed)
        self.mode = Mode(ask_chance, False)
        self._laid = 0
        self._support = self.engine.compiled.ctx.support

    @property
    def state(self) -> State:
        """The position as it is now, in which no question is pending."""
        return State.at_rest(self.engine, list(self.cells), self.mode, None)

    def evaluate(self, e: Expr) -> Any:
        """The raw value of a closed expression."""
        return self.state.evaluate(e)

    def put(self, pieces: int | Sequence[int], zone: str, index: Sequence[int] = (), face: int | None = None,
            bottom: bool = False) -> None:  # fmt: skip
        """Move pieces (a bit set or a list) to a zone."""
        self._known(zone in self.engine.layout.zones, f"zone `{zone}`")
        number = self.engine.layout.instance_number(zone, tuple(index))
        items = members_of(pieces)
        self._laid |= sum(1 << piece for piece in items)
        self._do(self._support.move, self.cells, items, number, bottom, -1 if face is None else face)
        memory = self.engine.layout.memory  # no player has observed it
        self.cells[memory] = [0] * len(self.cells[memory])

    def turn(self, pieces: Sequence[int], side: int) -> None:
        """Turn pieces to one of their sides."""
        self._do(self._support.turn, self.cells, sum(1 << piece for piece in pieces), side)

    def take(self, candidates: int, amount: int, zone: str, index: Sequence[int] = ()) -> list[int] | None:
        """The first `amount` of some pieces that have not been put anywhere; None if there are not so many."""
        layout = self.engine.layout
        free = bits_of(candidates & ~self._laid)
        here = layout.instance_number(zone, tuple(index))
        free = [p for p in free if layout.initial[layout.loc + p] != here] or free
        return free[:amount] if len(free) >= amount else None

    def set_field(self, name: str, index: Sequence[int], value: Value) -> None:
        """Set a field, checked against its type."""
        layout = self.engine.layout
        self._known(name in layout.fields, f"field `{name}`")
        declared, place = layout.field_of[name], layout.fields[name]
        at = place.at + sum(k * s for k, s in zip(index, place.strides, strict=True))
        ty = declared.ty
        if ty.kind == "list":
            assert not isinstance(value, int)
            self.cells[at : at + place.span] = self._do(self._support.padded, value, ty.capacity, name)
            return
        assert isinstance(value, int)
        low, high = ty.low, ty.high
        if ty.kind == "set":
            low, high = 0, (1 << layout.set_bits(ty)) - 1
        elif ty.kind in ("bool", "entity"):
            low, high = 0, 1 if ty.kind == "bool" else layout.sizes[ty.universe] - 1
        if not (low <= value <= high or (value == NONE and ty.optional)):
            self._do(faults.out_of_bounds, name, value, low, high)
        self.cells[at] = value

    def join(self, merged: str, left: int, right: int) -> None:
        """Merge two regions."""
        self._do(self._support.join, self.cells, merged, left, right)

    def put_out(self, player: int) -> None:
        """A player is out of the game."""
        self.cells[self.engine.layout.out] |= 1 << player

    def enter(self, function: str, args: Sequence[Value] = ()) -> State:
        """Run a function until the first decision, or to its end; the state then rests."""
        engine = self.engine
        self._known(function in engine.compiled.ctx.functions, f"rule `{function}`")
        declared = self.program.functions[engine.compiled.ctx.functions[function]]
        self._known(len(args) == declared.params, f"rule `{function}` with {len(args)} arguments")
        values: list[int] = []
        for slot, value in zip(declared.slots, args, strict=False):
            if slot.ty.kind == "list":
                assert not isinstance(value, int)
                values += self._do(self._support.padded, value, slot.ty.capacity, slot.name)
            else:
                assert isinstance(value, int)
                values.append(value)
        stack: list[int] = []
        block = engine.push(stack, function, values)
        mode = replace(self.mode, origin=Origin(list(self.cells), list(stack), block))
        return advance(engine, list(self.cells), stack, 3, block, mode, None)

    def _do(self, action: Any, *args: Any) -> Any:
        try:
            return action(*args)
        except faults.Fault as fault:
            raise RulesetError(Diagnostic(fault.code, fault.message)) from None

    def _known(self, good: bool, what: str) -> None:
        if not good:
            raise RulesetError(Diagnostic(faults.NO_OPTION, f"there is no {what}"))
