"""Ways to a rule: the conditions on a path of the program from its beginning to where the rule is used.

A path is followed as in symbolic execution (J. King, *Symbolic execution and program testing*, Communications of the
ACM 19(7), 1976), but for what it changes in the state: its conditions are evaluated in a position as if all of them had
to hold there at once. What is chosen, or reached by a loop, is any member for which the rest is nearest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from rulewright.findings.fuzzing.aim.branch_distance import DEPTH, STEP, BranchDistance, is_nothing, total
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import successors
from rulewright.ir.transform.rewriting import Rewriter, substituted, with_slots
from rulewright.ir.walk import allowed, conjuncts, nodes

MOST_WAYS = 4
"""The number of paths to a rule that are distinguished."""

Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition must hold, or must not."""

    rule: str
    """The rule in which it stands."""
    condition: m.Expr
    wanted: bool = True


@dataclass(frozen=True, slots=True)
class Pick:
    """A step in which a player, chance or a loop takes a member of a set."""

    rule: str
    var: str
    source: m.Expr
    conditions: tuple[m.Expr, ...] = ()


Step = Condition | Pick
Way = tuple[Step, ...]


class Ways:
    """The ways to the rules of a program."""

    def __init__(self, program: m.Program, distances: BranchDistance) -> None:
        self._distances = distances
        self._functions = {function.name: function for function in program.functions}
        self._main = program.main
        self._callers: dict[str, list[Place]] = {}
        self._uses: dict[str, list[Place]] = {}
        for function in program.functions:
            for pc, i in enumerate(function.code):
                match i:
                    case m.Call(called):
                        self._callers.setdefault(called, []).append((function.name, pc))
                    case m.Fired(rule) | m.FinishWin(rule=rule) | m.FinishRank(rule=rule):
                        self._uses.setdefault(rule, []).append((function.name, pc))
                    case _:
                        pass  # it uses no rule

    def to(self, rule: str) -> tuple[Way, ...]:
        """Some ways to a rule, those through the fewest calls first."""
        found = [self._way(calls) for use in self._uses.get(rule, ()) for calls in self._calls(use)]
        return tuple(sorted(dict.fromkeys(found), key=len)[:MOST_WAYS])

    def _calls(self, use: Place) -> Iterator[tuple[Place, ...]]:
        """The places of the calls that lead to a use, and the use itself: a shortest way to each that calls its
        function."""
        if use[0] == self._main:
            yield (use,)
        for call in self._callers.get(use[0], ()):
            before = self._shortest.get(call[0])
            if before is not None and use[0] not in {call[0], *(name for name, _ in before)}:
                yield (*before, call, use)

    @cached_property
    def _shortest(self) -> dict[str, tuple[Place, ...]]:
        """For each function the calls on a shortest way there."""
        found: dict[str, tuple[Place, ...]] = {self._main: ()}
        waiting = [self._main]
        for name in waiting:
            for pc, i in enumerate(self._functions[name].code):
                if isinstance(i, m.Call) and i.function not in found:
                    found[i.function] = (*found[name], (name, pc))
                    waiting.append(i.function)
        return found

    def _way(self, calls: tuple[Place, ...]) -> Way:
        """The steps through some calls."""
        steps: list[Step] = []
        given: tuple[m.Expr, ...] = ()
        for function, to in calls:
            walk = _Walk(self._functions[function], given, self._distances)
            steps += walk.to(to)
            i = self._functions[function].code[to]
            given = tuple(map(walk.seen, i.args)) if isinstance(i, m.Call) else ()
        return tuple(steps)


class _Walk:
    """A walk through one function, along a shortest path."""

    def __init__(self, function: m.Function, args: tuple[m.Expr, ...], distances: BranchDistance) -> None:
        self._function, self._distances = function, distances
        stores = [i for i in function.code if isinstance(i, m.SetLocal)]
        self._loops = {i.slot for i in stores if m.Local(i.slot) in nodes(i.value)}
        """The slots that go on from what they were: in which turn of its loop a rule is used is unknown."""
        self._begun: dict[int, m.Expr] = {slot: arg for slot, arg in enumerate(args) if slot in self._loops}
        """The values with which loops begin: a set of which they take one member after the other."""
        self._slots: dict[int, m.Expr] = {slot: arg for slot, arg in enumerate(args) if slot not in self._loops}

    def seen(self, e: m.Expr) -> m.Expr:
        """An expression in which slots of the frame are what was stored in them; unknown ones stay."""
        found: m.Expr = with_slots(e, self._slots)
        return found

    def to(self, pc: int) -> list[Step]:
        """The steps on the way to an instruction."""
        path = self._path(pc)
        return [step for at, after in pairwise(path) for step in self._step(at, after) if known(step)]

    def _path(self, to: int) -> list[int]:
        code, before, waiting = self._function.code, {0: 0}, [0]
        for at in waiting:
            if at == to:
                break
            for after in successors(code[at], at):
                if 0 <= after < len(code) and after not in before:
                    before[after] = at
                    waiting.append(after)
        path = [to]
        while path[-1] in before and path[-1] != 0:
            path.append(before[path[-1]])
        return path[::-1]

    def _step(self, at: int, after: int) -> Iterator[Step]:
        i, rule = self._function.code[at], self._function.name
        match i:
            case m.JumpUnless(condition, to):
                for part in conjuncts(condition) if after != to else [condition]:
                    yield Condition(rule, self.seen(part), after != to)
            case m.SetLocal(slot, m.First(of) | m.Item(of)):  # a loop goes through all of them in turn
                source = with_slots(of, {**self._begun, **self._slots})
                yield self._picked(slot, Pick(rule, self._distances.fresh(), source))
            case m.SetLocal(slot, value) if slot in self._loops:
                if m.Local(slot) not in nodes(value):
                    self._begun[slot] = self.seen(value)
            case m.SetLocal(slot, value):
                self._slots[slot] = self.seen(value)
            case m.Chance(source=source, into=into, label=label):
                yield self._picked(into, Pick(f"{rule}.{label}", self._distances.fresh(), self.seen(source)))
            case m.Choose(label=label):
                yield from self._chosen(i, after, at, f"{rule}.{label}" if label else rule)
            case m.Call(into=into, shared=shared):
                for slot in (*shared, *(() if into is None else (into,))):
                    self._slots.pop(slot, None)
            case m.Append(slot):
                self._slots.pop(slot, None)
            case _:
                pass  # what it changes lies in the state

    def _picked(self, slot: int, pick: Pick) -> Pick:
        self._slots.pop(slot, None)
        if known(pick):
            self._slots[slot] = m.Var(pick.var)
        return pick

    def _chosen(self, i: m.Choose, after: int, at: int, rule: str) -> Iterator[Step]:
        """The conditions on an answer."""
        if after == i.on_empty:
            return
        extra = next((extra for extra in i.extras if extra.to == after and after != at + 1), None)
        extra = extra or (i.extras[0] if i.source is None and i.extras else None)
        if extra is not None:
            for part in (*(() if extra.guard is None else conjuncts(extra.guard)), *allowed(extra.restrictions)):
                yield Condition(rule, self.seen(part))
            return
        if i.source is not None:
            var = self._distances.fresh()
            own = _Renamed(i.var, var)
            conditions = (*(() if i.where is None else (i.where,)), *allowed(i.restrictions))
            yield self._picked(
                i.into, Pick(rule, var, self.seen(i.source), tuple(own.of(self.seen(c)) for c in conditions))
            )


@dataclass(frozen=True, slots=True)
class _Renamed:
    """A variable gets another name; the new one is bound nowhere else."""

    old: str
    new: str

    def of(self, e: m.Expr) -> m.Expr:
        """An expression with the new name."""
        return substituted(Rewriter(), e, {self.old: m.Var(self.new)})


_CONSTANT = m.Const | m.ListConst | m.Cmp | m.Arith | m.Contains | m.Size | m.IntRange | m.Not | m.And | m.Or


def known(step: Step) -> bool:
    """True if a step can be evaluated in a position: it needs nothing that only a running rule knows. A condition on
    constants alone is about what a loop counts, which is another number the next time."""
    if isinstance(step, Condition) and all(isinstance(node, _CONSTANT) for node in nodes(step.condition)):
        return False
    return not any(isinstance(node, m.Local) for node in nodes(step))


def distance_of(way: Way, distances: BranchDistance, depth: int = DEPTH) -> m.Expr:
    """The distance of a way: the sum over its steps, with those members picked for which it is least. Behind a pick of
    which there are no members no step is come to."""
    if not way:
        return m.Const(0)
    step, rest = way[0], way[1:]
    behind = distance_of(rest, distances, depth)
    if isinstance(step, Condition):
        return total([distances.scaled(distances.of(step.condition, step.wanted, depth)), behind])

    def own() -> m.Expr:
        return distances.scaled(total([distances.of(one, True, depth) for one in step.conditions]))

    bound = (m.Bound(step.var, step.source),)
    needed = any(isinstance(node, m.Var) and node.name == step.var for one in rest for node in nodes(one))
    if not needed:
        return total([distances.nearest_of(bound, own, depth, STEP), behind])
    allowed_ones = m.Fold("min", bound, m.And(step.conditions) if step.conditions else None, behind)
    found = m.Var(distances.fresh())
    nearest = total([distances.nearest_of(bound, own, depth, STEP), m.Const(STEP * len(rest))])
    return m.LetIn(found.name, allowed_ones, m.IfElse(is_nothing(found), nearest, found))


def condition_of(way: Way) -> m.Expr:
    """The condition that all steps of a way can be taken in one position."""
    if not way:
        return m.Const(1)
    step, rest = way[0], condition_of(way[1:])
    if isinstance(step, Condition):
        return m.And((step.condition if step.wanted else m.Not(step.condition), rest))
    return m.Fold("some", (m.Bound(step.var, step.source),), m.And((*step.conditions, rest)), None)
