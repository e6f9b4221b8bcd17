"""Control-flow graphs: the successors of instructions, the graph of a function, and which functions call which."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from typing import assert_never

from rulewright.foundation.memo import memoized_by_node
from rulewright.foundation.reachability import reachable
from rulewright.ir import model as m
from rulewright.ir.control_flow.graph_algorithms import components, immediate_dominators
from rulewright.ir.walk import nodes


@memoized_by_node
def code_nodes(function: m.Function) -> tuple[tuple[object, ...], ...]:
    """For each instruction of a function itself and every node below it."""
    return tuple(tuple(nodes(i)) for i in function.code)


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
def reachable_instructions(function: m.Function) -> frozenset[int]:
    """The instructions that some way leads to from the first; ``len(code)`` among them if the end can be run past."""
    code = function.code

    def after(pc: int) -> list[int]:
        return [to for to in successors(code[pc], pc) if to != EXIT] if pc < len(code) else []

    return frozenset(reachable((0,), after))


@memoized_by_node
def suspension_points(function: m.Function) -> tuple[int, ...]:
    """The places where a function can rest: calls and questions that some way of the rules leads to."""
    code = function.code
    pcs = sorted(reachable_instructions(function))
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
    `stored`: that it has stored something. Then a question may have come again on the way, and passed."""
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


class ControlFlowGraph:
    """The ways through one function: a node for each instruction, and :data:`EXIT`, to which all leads that ends."""

    def __init__(self, code: Sequence[m.Instr]) -> None:
        self._after = {
            pc: tuple(dict.fromkeys(to if to < len(code) else EXIT for to in successors(i, pc)))
            for pc, i in enumerate(code)
        }
        self._after[EXIT] = ()
        before: dict[int, list[int]] = {pc: [] for pc in self._after}
        for pc, ways in self._after.items():
            for to in ways:
                before[to].append(pc)
        ends = frozenset(reachable((EXIT,), before.__getitem__))
        for endless in (pc for pc in self._after if pc not in ends):
            self._after[endless] += (EXIT,)
            before[EXIT].append(endless)
        for pc, i in enumerate(code):
            if isinstance(i, m.Fail):  # where the rules go on, this way was not taken
                before[pc] = [one for one in before[pc] if len(self._after[one]) == 1]
        self._postdominators: dict[int, int] = {}
        if any(len(to) > 1 for to in self._after.values()):
            self._postdominators = immediate_dominators(before, EXIT)
        self._branches: dict[int, tuple[int, ...]] = {}

    def after(self, pc: int) -> tuple[int, ...]:
        """The instructions to which the rules may go on."""
        return self._after[pc]

    def end(self, pc: int) -> int:
        """The instruction at which all ways from a branch come together again."""
        return self._postdominators.get(pc, EXIT)

    def branch(self, pc: int) -> tuple[int, ...]:
        """The instructions that depend on which way is taken at a branch (F. E. Allen's control dependence)."""
        if pc not in self._branches:
            end = self.end(pc)
            found: dict[int, None] = {}
            waiting = list(self._after[pc])
            while waiting:
                at = waiting.pop()
                if at not in (end, EXIT) and at not in found:
                    found[at] = None
                    waiting.extend(self._after[at])
            self._branches[pc] = tuple(sorted(found))
        return self._branches[pc]


@memoized_by_node
def control_flow_graph(function: m.Function) -> ControlFlowGraph:
    """The control-flow graph of a function."""
    return ControlFlowGraph(function.code)


Functions = frozenset[Hashable]
"""Functions, each by something that stands for it."""


@memoized_by_node
def callees(function: m.Function) -> tuple[str, ...]:
    """The functions that a function calls, each once."""
    return tuple(dict.fromkeys(i.function for i in function.code if isinstance(i, m.Call)))


def with_callees(functions: Iterable[m.Function], names: Iterable[str]) -> dict[str, m.Function]:
    """The functions with some names and all that they call, directly or not, breadth first."""
    known = {f.name: f for f in functions}
    found = reachable(filter(known.__contains__, names), lambda name: filter(known.__contains__, callees(known[name])))
    return {name: known[name] for name in found}


def with_callers(functions: Iterable[m.Function], names: Iterable[str]) -> frozenset[str]:
    """The names of some functions and of all that call them, directly or not."""
    known, found = {f.name: frozenset(callees(f)) for f in functions}, set(names)
    while more := {name for name, called in known.items() if name not in found and not found.isdisjoint(called)}:
        found |= more
    return frozenset(found)


@lru_cache(maxsize=64)
def _components(calls: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[frozenset[str], ...]:
    return tuple(map(frozenset, components(dict(calls))))


class CallGraph:
    """The functions of a program by what they call."""

    def __init__(self, functions: Iterable[m.Function]) -> None:
        self._functions = {f.name: f for f in functions}
        self._components = _components(tuple((name, callees(f)) for name, f in self._functions.items()))
        """The functions that call one another, those that they call before them."""
        self._cycles: dict[str, frozenset[str]] = {}
        for component in self._components:
            for name in component:
                if len(component) > 1 or name in callees(self._functions[name]):
                    self._cycles[name] = component

    def callees_first(self) -> list[str]:
        """All functions, those that one calls before it, unless they stand in a cycle with it."""
        return [name for component in self._components for name in sorted(component)]

    def closures(self, mark: Callable[[m.Function], Hashable]) -> dict[str, Functions]:
        """Each function with all that it calls, directly or not; `mark` gives the key of one."""
        found: dict[str, Functions] = {}
        for component in self._components:
            inside = [self._functions[name] for name in component]
            below = {called for function in inside for called in callees(function)} - component
            closure = frozenset(map(mark, inside)).union(*(found[name] for name in below))
            found.update(dict.fromkeys(component, closure))
        return found

    def cycle(self, name: str) -> frozenset[str] | None:
        """The functions that call one another in a cycle with this one; None if it stands in none."""
        return self._cycles.get(name)
