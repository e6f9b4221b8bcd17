"""Control flow of instructions: where the rules may go on after one, and which slots it surely overwrites.

Every pass over a function's code asks here. Both matches are exhaustive, so mypy names this file if an instruction is
added without saying what it does.
"""

from __future__ import annotations

from typing import assert_never

from rulewright.foundation.node_memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir.control_flow.code_nodes import code_nodes
from rulewright.ir.walk import nodes

EXIT = -1
"""The successor of instructions that end a function."""

Slots = frozenset[int]
NO_SLOTS: Slots = frozenset()

_GOES_ON = m.StateChange | m.LocalChange | m.Notice | m.Call | m.Chance
_STORES_NOTHING = m.StateChange | m.Notice


def successors(i: m.Instr, pc: int) -> tuple[int, ...]:
    """The places where the rules may go on after the instruction at `pc`; ``(EXIT,)`` if they leave the function."""
    match i:
        case m.Jump(to):
            return (to,)
        case m.JumpUnless(_, to):
            return (pc + 1, to)
        case m.Choose(extras=extras, on_empty=on_empty):
            empty = () if on_empty is None else (on_empty,)
            return (pc + 1, *(extra.to for extra in extras), *empty)
        case m.Return() | m.FinishWin() | m.FinishRank() | m.Fail():
            return (EXIT,)
        case _ if isinstance(i, _GOES_ON):
            return (pc + 1,)
        case _:
            assert_never(i)


@memoized_by_node
def reachable(function: m.Function) -> frozenset[int]:
    """The instructions that some way leads to from the first; ``len(code)`` among them if the end can be run past."""
    code = function.code
    found: set[int] = set()
    waiting = [0]
    while waiting:
        pc = waiting.pop()
        if pc not in found and pc != EXIT:
            found.add(pc)
            if pc < len(code):
                waiting.extend(successors(code[pc], pc))
    return frozenset(found)


@memoized_by_node
def suspension_points(function: m.Function) -> tuple[int, ...]:
    """The places where a function can rest: calls and questions that some way of the rules leads to."""
    code = function.code
    pcs = sorted(reachable(function))
    return tuple(pc for pc in pcs if pc < len(code) and isinstance(code[pc], m.Call | m.Choose | m.Chance))


def definitions(i: m.Instr) -> Slots:
    """The slots that an instruction overwrites before the one after it is run.

    The answer of a question is stored only on the way to the next instruction, not on the ways of its extras.
    """
    match i:
        case m.SetLocal(slot):
            return frozenset((slot,))
        case m.Choose(into=into) | m.Chance(into=into):
            return frozenset((into,))
        case m.Call(into=into, shared=shared):
            return frozenset(shared) | (NO_SLOTS if into is None else {into})
        case m.Append() | m.Jump() | m.JumpUnless() | m.Return() | m.FinishWin() | m.FinishRank() | m.Fail():
            return NO_SLOTS
        case _ if isinstance(i, _STORES_NOTHING):
            return NO_SLOTS
        case _:
            assert_never(i)


def slots_stored(i: m.Instr) -> Slots:
    """The slots whose value is another one, or a longer list, on the way to the next instruction."""
    return definitions(i) | {i.slot} if isinstance(i, m.Append) else definitions(i)


def instructions_since(function: m.Function, pc: int, rest: int, stored: bool) -> frozenset[int]:
    """The instructions on the ways from the last time that one was carried out to where the function comes to rest;
    `stored`: that it has stored something. Then a question may have been asked again on the way, and passed."""
    ways = successors(function.code[pc], pc)
    before: dict[int, list[int]] = {}
    found, waiting = set[int](), list(ways[:1] if stored else ways)
    while waiting:
        at = waiting.pop()
        if at in found or at == rest or not 0 <= at < len(function.code):
            continue
        found.add(at)
        after = successors(function.code[at], at)
        if at == pc:
            after = after[1:] if stored else ()
        for to in after:
            before.setdefault(to, []).append(at)
            waiting.append(to)
    leading, waiting = set[int](), list(before.get(rest, ()))
    while waiting:
        at = waiting.pop()
        if at not in leading:
            leading.add(at)
            waiting += before.get(at, ())
    return frozenset(leading)


@memoized_by_node
def uses_and_definitions(function: m.Function) -> tuple[tuple[Slots, Slots], ...]:
    """For each instruction of a function the slots that its expressions read, and those that it overwrites."""
    inside = zip(function.code, code_nodes(function), strict=True)
    return tuple((_slots_read(found), definitions(i)) for i, found in inside)


def _slots_read(inside: tuple[object, ...]) -> Slots:
    found = {node.slot for node in inside if isinstance(node, m.Local)}
    return frozenset(found) if found else NO_SLOTS


def reads_slot(e: object, slots: Slots) -> bool:
    """True if an expression reads one of some slots."""
    return bool(slots) and any(isinstance(node, m.Local) and node.slot in slots for node in nodes(e))
