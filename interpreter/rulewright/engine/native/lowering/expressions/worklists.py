"""The places of a flood from which nobody has gone on yet."""

from __future__ import annotations

from typing import Protocol

from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.values import Value
from rulewright.engine.native.webassembly.encoding import Op, Type


class Worklist(Protocol):
    """Places that wait."""

    def add(self, place: Value) -> None:
        """Let a place wait that never has."""

    def take(self, out: int) -> Value:
        """Take one of the places; go to a label if none waits."""


class SetWorklist:
    """Few places as a set, the last of which is taken."""

    def __init__(self, w: FunctionWriter, waiting: Value) -> None:
        self.w, self.waiting = w, waiting

    def add(self, place: Value) -> None:
        """Let a place wait."""
        self.w.insert(self.waiting, place)

    def take(self, out: int) -> Value:
        """Take the last place."""
        self.w.push_empty(self.waiting)
        self.w.body.branch_if(out)
        self.w.charge(1)
        self.w.push_last(self.waiting)
        here = self.w.pop(0, self.waiting.bits - 1)
        self.w.remove(self.waiting, here)
        return here


class StackWorklist:
    """Many places as a stack in memory."""

    def __init__(self, w: FunctionWriter, size: int) -> None:
        self.w, self.size, self.stack = w, size, w.ctx.memory.reserve(4 * size)
        self.top = w.body.local(Type.I32)
        w.body.i32(0)
        w.body.set(self.top)

    def add(self, place: Value) -> None:
        """Let a place wait."""
        self.w.body.get(self.top)
        self.w.push(place)
        self.w.body.memory(Op.I32_STORE, self.stack)
        self.w.body.increase(self.top, 4)

    def take(self, out: int) -> Value:
        """Take the place that came last."""
        body = self.w.body
        body.get(self.top)
        body.op(Op.I32_EQZ)
        body.branch_if(out)
        self.w.charge(1)
        body.decrease(self.top, 4)
        body.get(self.top)
        body.memory(Op.I32_LOAD, self.stack)
        return self.w.pop(0, self.size - 1)


class QueueWorklist:
    """Places as a queue in memory: near ones come before far ones."""

    def __init__(self, w: FunctionWriter, size: int) -> None:
        self.w, self.size, self.queue = w, size, w.ctx.memory.reserve(4 * size)
        self.first, self.end = w.body.local(Type.I32), w.body.local(Type.I32)
        for local in (self.first, self.end):
            w.body.i32(0)
            w.body.set(local)

    def add(self, place: Value) -> None:
        """Let a place wait."""
        self.w.body.get(self.end)
        self.w.push(place)
        self.w.body.memory(Op.I32_STORE, self.queue)
        self.w.body.increase(self.end, 4)

    def take(self, out: int) -> Value:
        """Take the place that came first."""
        body = self.w.body
        body.get(self.first)
        body.get(self.end)
        body.op(Op.I32_EQ)
        body.branch_if(out)
        self.w.charge(1)
        body.get(self.first)
        body.memory(Op.I32_LOAD, self.queue)
        body.increase(self.first, 4)
        return self.w.pop(0, self.size - 1)
