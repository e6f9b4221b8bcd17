"""Nullability: which parameters, results, slots and lists may hold none although their types do not say so.

Code generation asks, so that it tests for none only where none can come from. One pass over each function and query
finds which values flow where (flow-insensitive; B. Hackett, A. Aiken, *How is aliasing used in systems software?*, has
the like); what may be none is then what can be reached from a source of none. The flows of a function belong to it
alone, so they are found once for all programs that share it. The result may be too large, never too small.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.memo import memoized_by_node
from rulewright.foundation.reachability import reachable
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import reachable_instructions, slots_stored, successors
from rulewright.ir.graphs import unfolded
from rulewright.ir.walk import children, deep_recursion

Place = tuple[str, str, int]
"""A holder of values: ``param`` and ``result`` of a query, ``slot`` and ``returned`` of a function, ``field``; with a
name and a number. For a list: whether an item may be none."""
Sources = frozenset[Place]
"""The places from which a value may come that could be none."""

NOWHERE: Sources = frozenset()
NONE_ITSELF: Place = ("none", "", 0)
ALWAYS: Sources = frozenset((NONE_ITSELF,))
"""The value may be none for itself."""
TAKEN: Place = ("taken", "", 0)
"""A value that a loop takes from a list, or chance from what there is: none only where there is nothing."""

Environment = Mapping[str, Sources]
_Loop = m.Filter | m.Leading | m.Sort | m.Collect | m.Mapped | m.Best | m.Reaches
_Plain = (
    m.Alive | m.Fault | m.Kind | m.Cmp | m.SetEq | m.And | m.Or | m.Not | m.SetOp | m.Contains | m.MakeSet | m.IntRange
    | m.Size | m.Lowest | m.ToList | m.ToSet | m.ZoneGet | m.ZoneList | m.Top | m.ClockwiseFrom | m.InZone
    | m.NeighboursOf | m.EdgesOf | m.Component | m.Fingerprint | m.Grown | m.Preimage | m.PlacesOf
    | m.RegionsBeside | m.Ray | m.Occurrences
)  # fmt: skip
"""Expressions that never give none: sets, lists of what exists, truths, counts."""


@dataclass(frozen=True, slots=True)
class Flow:
    """Values that go from some places to another."""

    to: Place
    sources: Sources


class Nullability:
    """The places of a program that may hold none."""

    def __init__(self, program: m.Program, taken: bool = True) -> None:
        self._program, self._taken = program, taken
        self._sets = _find_sets(program)
        self.places: frozenset[Place] = self._spread(_flows(program))
        """The places that may hold none, whether or not their types say so; without `taken`, not those that only get
        what is taken from something."""

    def _spread(self, flows: Iterable[Flow]) -> frozenset[Place]:
        """All that can be reached from the places that may hold none by themselves."""
        after: dict[Place, list[Place]] = {}
        for flow in flows:
            if flow.to not in self._sets:
                for source in flow.sources:
                    after.setdefault(source, []).append(flow.to)
        begin = [place for place in after if self._may_begin(place)]
        begin += _find_optional(self._program)
        return frozenset(reachable(begin, lambda place: after.get(place, ())))

    def _may_begin(self, place: Place) -> bool:
        """True if something printed, or that depends on where a piece lies, may be none."""
        sort, name, number = place
        match sort:
            case "none":
                return True
            case "taken":
                return self._taken
            case "table":
                return any(m.NONE in t.values for t in self._program.tables if t.name == name)
            case "entry":
                return any(t.values[number] == m.NONE for t in self._program.tables if t.name == name)
            case "zones":
                return any(zone.index.count(name) != 1 for zone in self._program.zones)
            case "distance":
                return any(
                    m.NONE in row for g in self._program.graphs if g.name == name for row in unfolded(g).distance
                )
            case _:
                return False


def _find_sets(program: m.Program) -> frozenset[Place]:
    """The places that hold sets, or fields whose bounds are checked: no none gets there."""
    slots = (("slot", f.name, n) for f in program.functions for n, s in enumerate(f.slots) if s.ty.kind == "set")
    params = (("param", q.name, n) for q in program.queries for n, s in enumerate(q.params) if s.ty.kind == "set")
    results = (("result", q.name, 0) for q in program.queries if q.ty.kind == "set")
    returned = (("returned", f.name, 0) for f in program.functions if f.result is not None and f.result.kind == "set")
    fields = (("field", f.name, 0) for f in program.fields if f.ty.kind != "list")
    return frozenset((*slots, *params, *results, *returned, *fields))


def _find_optional(program: m.Program) -> list[Place]:
    """The places whose types say that they may hold none, and lists that begin with one."""
    slots = (("slot", f.name, n) for f in program.functions for n, s in enumerate(f.slots) if s.ty.optional)
    params = (("param", q.name, n) for q in program.queries for n, s in enumerate(q.params) if s.ty.optional)
    results = (("result", q.name, 0) for q in program.queries if q.ty.optional)
    returned = (("returned", f.name, 0) for f in program.functions if f.result is not None and f.result.optional)
    fields = (("field", f.name, 0) for f in program.fields if f.ty.optional or _begins_with_none(f))
    return [*slots, *params, *results, *returned, *fields]


def _begins_with_none(field: m.Field) -> bool:
    return isinstance(field.initial, tuple) and m.NONE in field.initial


def _flows(program: m.Program) -> Iterable[Flow]:
    for query in program.queries:
        yield from _query_flows(query)
    for function in program.functions:
        yield from _function_flows(function)
    for area in program.areas:
        found = _Flows("")
        found.value(area.across, {area.var: NOWHERE})
        yield from found.flows


@memoized_by_node
def _query_flows(query: m.QueryDef) -> tuple[Flow, ...]:
    found = _Flows("")
    with deep_recursion():
        env = {slot.name: frozenset((("param", query.name, n),)) for n, slot in enumerate(query.params)}
        found.note(("result", query.name, 0), found.value(query.body, env))
    return tuple(found.flows)


@memoized_by_node
def _function_flows(function: m.Function) -> tuple[Flow, ...]:
    found = _Flows(function.name)
    with deep_recursion():
        for i in function.code:
            found.instruction(i)
    if function.result is not None and len(function.code) in reachable_instructions(function):
        found.note(("returned", function.name, 0), ALWAYS)
    return tuple(found.flows)


class _Flows:
    """The flows in one function or query."""

    def __init__(self, function: str) -> None:
        self._function = function
        self.flows: list[Flow] = []

    def note(self, to: Place, sources: Sources) -> None:
        """Values from some sources go to a place."""
        if sources:
            self.flows.append(Flow(to, sources))

    def _slot(self, slot: int) -> Place:
        return ("slot", self._function, slot)

    # ------------------------------------------------------------------------------------------ instructions

    def instruction(self, i: m.Instr) -> None:
        """Note the flows of one instruction."""
        match i:
            case m.SetLocal(slot, m.First(m.Local(members)) | m.Item(m.Local(members), m.Local())):
                self.note(self._slot(slot), frozenset((self._slot(members), TAKEN)))  # so loops begin
            case m.SetLocal() | m.Append(keeps_none=True):
                self.note(self._slot(i.slot), self.value(i.value, {}))
            case m.Append():
                self.value(i.value, {})  # none adds nothing
            case m.SetField():
                self._all(i.index, {})
                self.note(("field", i.field, 0), self.value(i.value, {}))
            case m.Call(function, args, into, _, shared):
                for number, arg in enumerate(args):
                    self.note(("slot", function, number), self.value(arg, {}))
                if into is not None:
                    self.note(self._slot(into), frozenset((("returned", function, 0),)))
                for number, slot in enumerate(shared):
                    self.note(self._slot(slot), frozenset((("slot", function, number),)))
            case m.Return():
                self.note(("returned", self._function, 0), ALWAYS if i.value is None else self.value(i.value, {}))
            case m.Chance():
                self.value(i.source, {})
                self.note(self._slot(i.into), frozenset((TAKEN,)))
            case m.Choose():
                self._choose(i)
            case m.FinishRank():
                self._all(i.keys, {i.var: self._members(i.source, {})})
            case m.Move():
                self._all((i.what, *i.index), {})
            case m.SwapItems():
                self._all((*i.index, i.first, i.second), {})
            case m.Merge() | m.Show() | m.Flip() | m.JumpUnless() | m.Eliminate() | m.FinishWin():
                self._all(children(i), {})
            case m.Tell(_, values):
                self._all(values, {})
            case m.Jump() | m.Fail() | m.Reset() | m.Fired() | m.Observe() | m.Turn():
                pass
            case _:
                assert_never(i)

    def _choose(self, i: m.Choose) -> None:
        self.value(i.who, {})
        if i.source is not None:
            self.value(i.source, {})  # a list is offered without what is none in it
        offered: Environment = {i.var: NOWHERE}
        if i.where is not None:
            self.value(i.where, offered)
        self._restricted(i.restrictions, offered)
        for extra in i.extras:
            if extra.guard is not None:
                self.value(extra.guard, {})
            self._restricted(extra.restrictions, {})

    def _restricted(self, restrictions: tuple[m.Restriction, ...], env: Environment) -> None:
        for restriction in restrictions:
            self.value(restriction.condition, env)
            self._all(tuple(x.condition for x in restriction.unless), env)

    # ------------------------------------------------------------------------------------------- expressions

    def _all(self, items: Iterable[m.Expr], env: Environment) -> Sources:
        found = NOWHERE
        for item in items:
            found = _union(found, self.value(item, env))
        return found

    def value(self, e: m.Expr, env: Environment) -> Sources:
        """The places from which an expression may get none; its calls of queries are noted on the way."""
        match e:
            case m.Const(value):
                return ALWAYS if value == m.NONE else NOWHERE
            case m.Var(name):
                return env[name]
            case m.Local(slot):
                return frozenset((self._slot(slot),))
            case m.Attr(table, m.Const(at)) if at >= 0:
                return frozenset((("entry", table, at),))
            case m.Attr(table):
                return _union(self.value(e.of, env), frozenset((("table", table, 0),)))
            case m.FieldGet(field, index):
                return _union(self._all(index, env), frozenset((("field", field, 0),)))
            case m.CallQuery(query, args):
                for number, arg in enumerate(args):
                    self.note(("param", query, number), self.value(arg, env))
                return frozenset((("result", query, 0),))
            case m.Arith() | m.Ahead() | m.Old() | m.SideOf() | m.Canon() | m.MakeList() | m.Joined() | m.Charged():
                return self._all(children(e), env)
            case m.After(function, args):
                for number, arg in enumerate(args):
                    self.note(("slot", function, number), self.value(arg, env))
                return self.value(e.of, env)
            case m.IfElse():
                self.value(e.condition, env)
                return _union(self.value(e.then, env), self.value(e.otherwise, env))
            case m.LetIn():
                return self.value(e.body, {**env, e.var: self.value(e.value, env)})
            case m.PlaceOf(universe):
                return _union(self.value(e.piece, env), frozenset((("zones", universe, 0),)))
            case m.DistanceOf(graph):
                return self._all(children(e), env) | {("distance", graph, 0)}
            case m.ListConst(values):
                return ALWAYS if m.NONE in values else NOWHERE
            case m.Item() | m.Single() | m.First() | m.SlotOf() | m.Towards() | m.EdgeBetween() | m.Nearest():
                self._all(children(e), env)
                return ALWAYS
            case m.Filter() | m.Leading() | m.Sort():
                return self._over(e, env)
            case m.Collect() | m.Mapped() | m.Best() | m.Reaches():
                self._over(e, env)
                return NOWHERE
            case m.Fold():
                for bind in e.binds:
                    env = {**env, bind.var: self._members(bind.source, env)}
                self._all([x for x in (e.where, e.body) if x is not None], env)
                return ALWAYS if e.kind in ("max", "min") else NOWHERE
            case m.Closure():
                self._all([x for x in (e.start, e.within) if x is not None], env)
                self.value(e.step, {**env, e.var: NOWHERE})
                return NOWHERE
            case m.ReachFrom():
                self._all([x for x in (e.start, e.within) if x is not None], env)
                if e.across is not None and e.var is not None:
                    self.value(e.across, {**env, e.var: NOWHERE})
                return NOWHERE
            case _ if isinstance(e, _Plain):
                self._all(children(e), env)
                return NOWHERE
            case _:
                assert_never(e)

    def _over(self, e: _Loop, env: Environment) -> Sources:
        """The sources of none in the members of a loop's source, with which its body is evaluated."""
        source, body = children(e)
        members = self._members(source, env)
        self.value(body, {**env, e.var: members})
        return members

    def _members(self, source: m.Expr, env: Environment) -> Sources:
        """The sources of none in the members of a set or list: a set has no none, whatever its keys are."""
        found = self.value(source, env)
        return frozenset((("field", source.field, 0),)) if isinstance(source, m.FieldGet) else found


def _union(a: Sources, b: Sources) -> Sources:
    return a | b if a and b else a or b


@memoized_by_node
def loop_members(function: m.Function) -> dict[int, m.Local]:
    """The instructions that store such a member, each with the slot of the set or list, which is not empty there."""
    code = function.code
    entered = {to for pc, i in enumerate(code) for to in successors(i, pc) if to != pc + 1}
    found: dict[int, m.Local] = {}
    for pc in range(1, len(code)):
        before = code[pc - 1]
        if pc in entered or not isinstance(before, m.JumpUnless) or before.to == pc:
            continue
        match code[pc]:
            case m.SetLocal(_, m.First(m.Local() as source, is_list)):
                there = before.condition == m.Cmp("ne", m.Size(source, is_list), m.Const(0))
            case m.SetLocal(_, m.Item(m.Local() as source, m.Local() as at)):
                there = before.condition == m.Cmp("lt", at, m.Size(source, True)) and _is_a_count(function, at.slot)
            case _:
                continue
        if there:
            found[pc] = source
    return found


def _is_a_count(function: m.Function, slot: int) -> bool:
    """True if a slot holds only numbers from 0 on, which grow."""
    return slot >= function.params and all(_is_a_step(i, slot) for i in function.code if slot in slots_stored(i))


def _is_a_step(i: m.Instr, slot: int) -> bool:
    match i:
        case m.SetLocal(_, m.Const(value)):
            return value >= 0
        case m.SetLocal(_, m.Arith("add", m.Local(place), m.Const(step))):
            return place == slot and step >= 0
        case _:
            return False
