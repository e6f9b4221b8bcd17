"""The most answers that players can give in a game, as far as that follows from the rules alone.

Loops end because something runs out that only shrinks on each way around them (a ranking function; R. W. Floyd,
*Assigning Meanings to Programs*, 1967): a counter, the members of a set, the places of a list. Where a loop has no such
thing, each of its answers may still fill a cell that was empty and is never emptied again
(:mod:`rulewright_lab.theory.filled_cells`). Answers may be too high, never too low.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from math import inf

from rulewright.ir import EXIT, CallGraph, components, interval, reachable, slots_stored, successors
from rulewright.ir import model as m
from rulewright_lab.theory.filled_cells import FilledCells

MOST = 1_000_000
"""A higher bound is of no use."""


def most_answers(program: m.Program) -> int | None:
    """A number of answers that no game exceeds; None if the rules give none."""
    found = min(_Bound(program, None).value, _Bound(program, FilledCells(program)).value)
    return int(found) if found <= MOST else None


class _Bound:
    """The bound of one program, perhaps with the answers that fill cells counted by these."""

    def __init__(self, program: m.Program, filled: FilledCells | None) -> None:
        self._functions = {function.name: function for function in program.functions}
        self._sizes = {universe.name: universe.size for universe in program.universes}
        self._filled = filled
        self._chains: dict[str, int] = {}
        """The fields whose cells count answers, with how many come at most before each is filled."""
        self._most: dict[str, float] = {}
        """For each function the most answers from its beginning to its end."""
        graph = CallGraph(program.functions)
        for name in graph.callees_first():
            function, cycle = self._functions[name], graph.cycle(name)
            self._most.update(dict.fromkeys(cycle or (), 0.0))
            asks = self._ways(function, range(len(function.code)))
            self._most.update(dict.fromkeys(cycle or (name,), inf if cycle and asks else asks))
        self.value = self._most[program.main]
        if filled is not None:
            self.value += sum(filled.answers(field, chain) for field, chain in self._chains.items())

    def _cost(self, function: m.Function, pc: int) -> float:
        """The answers of one instruction."""
        match function.code[pc]:
            case m.Call(called):
                return self._most[called]
            case m.Choose():
                chain = self._filled.chain(function.name, pc) if self._filled is not None else None
                if chain is None:
                    return 1
                self._chains[chain[0]] = max(chain[1], self._chains.get(chain[0], 0))
                return 0
            case _:
                return 0

    def _ways(self, function: m.Function, inside: Set[int] | range) -> float:
        """The most answers on any way among these instructions."""
        within = frozenset(inside)
        after = {pc: [to for to in successors(function.code[pc], pc) if to in within] for pc in inside}
        most: dict[int, float] = {}
        for component in components(after):
            behind = {to for pc in component for to in after[pc]} - set(component)
            looped = len(component) > 1 or component[0] in after[component[0]]
            own = self._loop(function, component) if looped else self._cost(function, component[0])
            most.update(dict.fromkeys(component, own + max((most[to] for to in behind), default=0)))
        return max(most.values(), default=0)

    def _loop(self, function: m.Function, component: list[int]) -> float:
        """The most answers of a loop."""
        nodes = frozenset(component)
        if not any(self._cost(function, pc) for pc in component):
            return 0
        bounds = [
            rounds * self._ways(function, nodes - {test})
            for test in component
            if (rounds := self._rounds(function, nodes, test)) is not None
        ]
        return min(bounds, default=inf)

    # --------------------------------------------------------------------------------------------- ranking functions

    def _rounds(self, function: m.Function, nodes: frozenset[int], test: int) -> int | None:
        """The number of times that a loop can go on at a condition; None if nothing is known to run out."""
        i = function.code[test]
        if not isinstance(i, m.JumpUnless) or i.to in nodes:
            return None
        match i.condition:
            case m.Cmp("gt", m.Local(slot), m.Const(0)):
                return self._counts_down(function, nodes, test, slot)
            case m.Cmp("ne", m.Size(m.Local(slot), False), m.Const(0)):
                return self._drains(function, nodes, test, slot)
            case m.Cmp("lt", m.Local(slot), m.Size(m.Local(items), True)):
                return self._walks(function, nodes, test, slot, items)
            case _:
                return None

    def _counts_down(self, function: m.Function, nodes: frozenset[int], test: int, slot: int) -> int | None:
        at = _only_store(function, nodes, slot)
        if at is None or not _is_passed(function, nodes, test, at):
            return None
        match function.code[at]:
            case m.SetLocal(_, m.Arith("sub", m.Local(counter), m.Const(step))) if counter == slot and step > 0:
                begins = [interval(value) for value in self._given(function, nodes, slot)]
                known = [one[1] for one in begins if one is not None]
                return max(0, *known) if known and len(known) == len(begins) else None
        return None

    def _drains(self, function: m.Function, nodes: frozenset[int], test: int, slot: int) -> int | None:
        """A set from which each round takes its first member."""
        at = _only_store(function, nodes, slot)
        if at is None or not _is_passed(function, nodes, test, at):
            return None
        match function.code[at]:
            case m.SetLocal(_, m.SetOp("minus", m.Local(source), m.MakeSet((m.Local(member),)))) if source == slot:
                taken = _only_store(function, nodes, member)
                if taken is None or function.code[taken] != m.SetLocal(member, m.First(m.Local(slot))):
                    return None
                # The member is taken from the set as it is now, so the set loses it.
                if _is_passed(function, nodes, test, taken) and at not in _from(function, nodes - {taken}, test):
                    sizes = [self._members(value) for value in self._given(function, nodes, slot)]
                    known = [size for size in sizes if size is not None]
                    return max(known) if len(known) == len(sizes) else self._of_type(function.slots[slot].ty)
        return None

    def _walks(self, function: m.Function, nodes: frozenset[int], test: int, slot: int, items: int) -> int | None:
        """A list that is gone through from its first place to its last."""
        at = _only_store(function, nodes, slot)
        if at is None or not _is_passed(function, nodes, test, at) or _stores(function, nodes, items):
            return None
        match function.code[at]:
            case m.SetLocal(_, m.Arith("add", m.Local(place), m.Const(step))) if place == slot and step > 0:
                begins = [interval(value) for value in self._given(function, nodes, slot)]
                if begins and all(one is not None and one[0] >= 0 for one in begins):
                    return function.slots[items].ty.capacity
        return None

    def _given(self, function: m.Function, nodes: frozenset[int], slot: int) -> Iterator[m.Expr]:
        """The values that a slot may have when a loop begins (reaching definitions): a variable without a name for what
        is not known."""
        before: dict[int, list[int]] = {0: [EXIT]}
        for pc, i in enumerate(function.code):
            for to in successors(i, pc):
                before.setdefault(to, []).append(pc)
        waiting = [pc for node in nodes for pc in before.get(node, ()) if pc not in nodes]
        seen = set(waiting)
        while waiting:
            pc = waiting.pop()
            if pc == EXIT:
                yield m.Var("")
            elif slot in slots_stored(i := function.code[pc]):
                yield i.value if isinstance(i, m.SetLocal) else m.Var("")
            else:
                more = set(before.get(pc, ())) - nodes - seen
                seen |= more
                waiting += more

    def _members(self, e: m.Expr) -> int | None:
        """The most members of a set."""
        match e:
            case m.IntRange(low, high):
                least, most = interval(low), interval(high)
                return max(0, most[1] - least[0] + 1) if least and most else None
            case m.MakeSet(items):
                return len(items)
            case m.Const(int(bits)) if bits >= 0:
                return bits.bit_count()
            case m.Alive(universe):
                return self._sizes[universe]
            case m.Filter(source, is_list=False) | m.Best(source, is_list=False):
                return self._members(source)
            case m.SetOp("minus" | "inter", left):
                return self._members(left)
            case _:
                return None

    def _of_type(self, ty: m.Ty) -> int | None:
        """The most members that a set of a type can have."""
        if ty.universe == "Int":
            return max(0, ty.high - ty.low + 1) if ty.high - ty.low < m.MAX_NUMBER_BITS else m.MAX_NUMBER_BITS
        return self._sizes.get(ty.universe)


def _stores(function: m.Function, nodes: frozenset[int], slot: int) -> list[int]:
    """The instructions of a loop that store something in a slot."""
    return [pc for pc in sorted(nodes) if slot in slots_stored(function.code[pc])]


def _only_store(function: m.Function, nodes: frozenset[int], slot: int) -> int | None:
    found = _stores(function, nodes, slot)
    return found[0] if len(found) == 1 else None


def _from(function: m.Function, nodes: frozenset[int], start: int) -> Mapping[int, None]:
    """All instructions that the rules may come to from one on, without leaving some."""
    after = {pc: [to for to in successors(function.code[pc], pc) if to != EXIT and to in nodes] for pc in nodes}
    return dict.fromkeys(reachable((start,), after.__getitem__))


def _is_passed(function: m.Function, nodes: frozenset[int], test: int, at: int) -> bool:
    """True if each way around a loop, from a condition back to it, leads through an instruction."""
    left = nodes - {at}
    return all(test not in _from(function, left, to) for to in successors(function.code[test], test) if to in left)
