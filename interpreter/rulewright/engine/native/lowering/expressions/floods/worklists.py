"""The places of a flood from which nobody has gone on yet."""

from __future__ import annotations

from typing import Protocol

from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.values import Value
from rulewright.engine.native.webassembly.terms import I32, Stacked, const, mem32


class Worklist(Protocol):
    """Places that wait."""

    def add(self, place: Value) -> None:
        """Let a place wait that never has."""

    def take(self, out: int) -> Value:
        """Take one of the places; go to a label if none waits."""


class SetWorklist:
    """Few places as a set, the last (or lowest) of which is taken."""

    def __init__(self, writer: FunctionWriter, waiting: Value, lowest: bool = False) -> None:
        self.writer, self.waiting = writer, waiting
        self._next = writer.first if lowest else writer.last

    def add(self, place: Value) -> None:
        """Let a place wait."""
        self.writer.insert(self.waiting, place)

    def take(self, out: int) -> Value:
        """Take the next place."""
        self.writer.body.branch_if(out, self.writer.empty(self.waiting))
        here = self.writer.hold(self._next(self.waiting), 0, self.waiting.bits - 1)
        self.writer.remove(self.waiting, here)
        return here


class StackWorklist:
    """Many places as a stack in memory."""

    def __init__(self, writer: FunctionWriter, size: int) -> None:
        self.writer, self.size, self.stack = writer, size, writer.ctx.memory.reserve(4 * size)
        self.top = writer.body.hold(const(0))

    def add(self, place: Value) -> None:
        """Let a place wait."""
        self.writer.body.set(mem32(self.top, self.stack), place.term)
        self.writer.body.set(self.top, self.top + 4)

    def take(self, out: int) -> Value:
        """Take the place that came last."""
        body = self.writer.body
        body.branch_if(out, self.top.eqz())
        body.set(self.top, self.top - 4)
        return self.writer.hold(mem32(self.top, self.stack), 0, self.size - 1)


class QueueWorklist:
    """Places as a queue in memory: near ones come before far ones."""

    def __init__(self, writer: FunctionWriter, size: int) -> None:
        self.writer, self.size, self.queue = writer, size, writer.ctx.memory.reserve(4 * size)
        self.first, self.end = writer.body.locals(I32, I32)
        writer.body.set(self.first, 0)
        writer.body.set(self.end, 0)

    def add(self, place: Value) -> None:
        """Let a place wait."""
        self.writer.body.set(mem32(self.end, self.queue), place.term)
        self.writer.body.set(self.end, self.end + 4)

    def take(self, out: int) -> Value:
        """Take the place that came first."""
        body = self.writer.body
        body.branch_if(out, self.first.eq(self.end))
        body.push(mem32(self.first, self.queue))
        body.set(self.first, self.first + 4)
        return self.writer.hold(Stacked(), 0, self.size - 1)
