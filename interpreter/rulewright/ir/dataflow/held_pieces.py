"""The pieces that slots, fields and zones may ever hold.

Types of the program do not say of which kind a piece is, and a zone may be given any, so it is found out from where
values come: a forward flow of sets of pieces through slots, fields, zones, calls and results, which only grow (abstract
interpretation, P. and R. Cousot, 1977). The answer may be too large, never too small.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from itertools import chain
from operator import or_

from rulewright.ir import model as m
from rulewright.ir.dataflow.code_nodes import code_nodes
from rulewright.ir.dataflow.expression_reads import instructions_of
from rulewright.ir.walk import nodes
from rulewright.node_memo import memoized_by_node

_CARRIERS = (m.SetLocal, m.Append, m.Choose, m.Chance, m.SetField, m.Move, m.Return, m.Call)
_RESULT = -1
_ASKS = "asks "
_Place = str | tuple[str, int]
"""A zone or field, or a slot or the result of a function."""
_NO_NAMES: Mapping[str, int] = {}


class HeldPieces:
    """The pieces that the slots, fields and zones of one program may hold, as sets."""

    def __init__(self, program: m.Program, laid_out: bool = False) -> None:
        """With `laid_out` not only in games from the beginning, but from positions that were laid out by hand, too:
        there zones hold all that they are declared for, and fields and parameters any piece."""
        self._all = (1 << next((u.size for u in program.universes if u.name == "Piece"), 0)) - 1
        kinds = {kind.name: kind.members for kind in program.kinds}
        self._kinds = kinds
        mixed = any(instructions_of(f, (m.Exchange,)) for f in program.functions)
        self.zones = {z.name: self._all if mixed or z.name == "box" else 0 for z in program.zones}
        """For each zone all that may ever lie there."""
        for piece, (zone, _) in enumerate(program.begins):
            self.zones[zone] |= 1 << piece
        self._queries = {q.name: q for q in program.queries}
        self._slots: dict[tuple[str, int], int] = {}
        self._results: dict[str, int] = {}
        self._kind_of = {f.name: f.ty.kind for f in program.fields if f.ty.universe == "Piece"}
        self.fields = {f.name: self._constant(f.initial, f.ty.kind) for f in program.fields if f.name in self._kind_of}
        """For each field over pieces all that its values may hold."""
        self._pieces = {f.name: _piece_slots(f) for f in program.functions}
        """For each function its slots with pieces, and the kinds of their types."""
        if laid_out:
            for declared in program.zones:
                self.zones[declared.name] |= self._declared(declared)
            self.fields = dict.fromkeys(self.fields, self._all)
            self._slots = {(f.name, slot): self._all for f in program.functions for slot in range(f.params)}
        self._readers: dict[_Place, list[int]] = {}
        """For each place those of the instructions through which pieces flow that look at it."""
        self._reads_of: dict[str, frozenset[_Place]] = {}
        carried = self._carried(program)
        self._waiting = dict.fromkeys(range(len(carried)))
        while self._waiting:
            at = next(iter(self._waiting))
            del self._waiting[at]
            self._pass(*carried[at])

    def _carried(self, program: m.Program) -> list[tuple[m.Function, m.Instr]]:
        """The instructions through which pieces flow."""
        found: list[tuple[m.Function, m.Instr]] = []
        for function in program.functions:
            for i, places, names in _carriers(function):
                if self._may_carry(function, i):
                    for place in chain(places, *map(self._places, names)):
                        self._readers.setdefault(place, []).append(len(found))
                    found.append((function, i))
        return found

    def _may_carry(self, function: m.Function, i: m.Instr) -> bool:
        """True if pieces may come somewhere by an instruction through which they may flow in some game."""
        match i:
            case m.SetField(field):
                return field in self.fields
            case m.Call(called, args, into, _, shared):
                own, given = self._pieces[function.name], self._pieces[called]
                return into in own or any(slot < len(args) for slot in given) or not own.keys().isdisjoint(shared)
            case _:
                return True

    def _places(self, name: str) -> frozenset[_Place]:
        """The zones and fields at which somebody looks who names one, or a query."""
        query = self._queries.get(name.removeprefix(_ASKS)) if name.startswith(_ASKS) else None
        if query is None:
            return frozenset((name,))
        if name not in self._reads_of:
            self._reads_of[name] = frozenset()  # queries never form a cycle
            self._reads_of[name] = frozenset[_Place]().union(*map(self._places, _names_in(query)))
        return self._reads_of[name]

    def _declared(self, zone: m.Zone) -> int:
        """The pieces that a zone is declared for, and those that are of no narrower kind than one above."""
        wanted = union_of(self._kinds[kind] for kind in zone.kinds) if zone.kinds else self._all
        found, seen = wanted, 0
        for members in sorted(self._kinds.values(), key=int.bit_count):
            found |= members & ~seen if members & wanted else 0
            seen |= members
        return found

    def of(self, function: str, e: m.Expr, kind: str = "", names: Mapping[str, int] = _NO_NAMES) -> int:
        """The pieces that a value in a function may be or hold; `kind` is that of its type, if it is known, `names` are
        the variables around it."""
        return self._of(function, e, kind, names)

    def _pass(self, function: m.Function, i: m.Instr) -> None:
        name = function.name
        match i:
            case m.SetLocal(slot):
                self._come(name, slot, name, i.value)
            case m.Append(slot):
                self._come(name, slot, name, i.value, "entity")
            case m.Choose() | m.Chance():
                if i.source is not None:
                    self._come(name, i.into, name, i.source, "list" if i.is_list else "set")
            case m.SetField(field) if field in self.fields:
                more = self._of(name, i.value, self._kind_of[field])
                self.fields[field] = self._joined(f"field {field}", self.fields[field], more)
            case m.Move(_, is_list, zone):
                more = self._of(name, i.what, "list" if is_list else "set")
                self.zones[zone] = self._joined(f"zone {zone}", self.zones[zone], more)
            case m.Return() if i.value is not None:
                kind = function.result.kind if function.result is not None else ""
                more = self._of(name, i.value, kind)
                self._results[name] = self._joined((name, _RESULT), self._results.get(name, 0), more)
            case m.Call(called, args, into, _, shared):
                for slot, arg in enumerate(args):
                    self._come(called, slot, name, arg)
                for slot, mine in enumerate(shared):
                    self._come(name, mine, called, m.Local(slot))
                if into is not None and into in self._pieces[name]:
                    found = self._results.get(called, 0)
                    self._slots[name, into] = self._joined((name, into), self._slots.get((name, into), 0), found)

    def _come(self, to: str, slot: int, name: str, value: m.Expr, kind: str = "") -> None:
        """A value of a function comes to a slot, of this one or of another."""
        pieces = self._pieces[to]
        if slot in pieces:
            more = self._of(name, value, kind or pieces[slot])
            self._slots[to, slot] = self._joined((to, slot), self._slots.get((to, slot), 0), more)

    def _joined(self, place: _Place, known: int, more: int) -> int:
        """The pieces that a place may hold, if some come to it; who looks at it is looked at again if it holds more."""
        if more & ~known:
            self._waiting.update(dict.fromkeys(self._readers.get(place, ())))
        return known | more

    def _of(self, function: str, e: m.Expr, kind: str, names: Mapping[str, int] = _NO_NAMES) -> int:
        """The pieces that a value in a function may be or hold; `kind` is that of its type, if it is known, `names` are
        the variables around it."""

        def of(e: m.Expr, kind: str = kind) -> int:
            return self._of(function, e, kind, names)

        match e:
            case m.Const(value):
                return self._constant(value, kind)
            case m.Local(slot):
                return self._slots.get((function, slot), 0) if slot in self._pieces.get(function, ()) else self._all
            case m.Var(name):
                return names.get(name, self._all)
            case m.Kind(name):
                return self._kinds.get(name, self._all)
            case m.ZoneGet(zone) | m.ZoneList(zone) | m.Top(zone):
                return self.zones[zone]
            case m.FieldGet(field):
                return self.fields.get(field, self._all)
            case m.MakeSet(items) | m.MakeList(items):
                return union_of(of(item, "entity") for item in items)
            case m.SetOp(op):
                one, other = of(e.left, "set"), of(e.right, "set")
                return one | other if op == "union" else one & other if op == "inter" else one
            case m.First() | m.Single() | m.ToSet() | m.ToList():
                return of(e.of, "list" if isinstance(e, m.ToSet) else "")
            case m.Lowest():
                return of(e.of, "set")
            case m.Filter() | m.Best():
                return of(e.source, "list" if e.is_list else "set")
            case m.IfElse():
                return of(e.then) | of(e.otherwise)
            case m.LetIn(var):
                return self._of(function, e.body, kind, {**names, var: of(e.value, "")})
            case m.CallQuery(query, args) if query in self._queries:
                declared = self._queries[query]
                given = {p.name: of(arg, p.ty.kind) for p, arg in zip(declared.params, args, strict=True)}
                return self._of("", declared.body, declared.ty.kind, given)
        return self._all

    def _constant(self, value: int | tuple[int, ...], kind: str) -> int:
        """The pieces of a constant: one of them, or a set or list of them; any of these, if its type is not known."""
        if isinstance(value, tuple):
            return union_of(self._constant(one, "entity") for one in value)
        if value < 0:
            return 0
        found = value if kind != "entity" else 0
        if kind != "set" and value < self._all.bit_length():
            found |= 1 << value
        return found & self._all


@memoized_by_node
def _piece_slots(function: m.Function) -> dict[int, str]:
    """The slots of a function that hold pieces, and the kinds of their types."""
    return {number: slot.ty.kind for number, slot in enumerate(function.slots) if slot.ty.universe == "Piece"}


@memoized_by_node
def _carriers(function: m.Function) -> tuple[tuple[m.Instr, tuple[_Place, ...], tuple[str, ...]], ...]:
    """The instructions through which pieces may flow, each with the slots and results at which it looks, and with the
    zones, fields and queries in it."""
    own = _piece_slots(function)
    found, all_nodes, name = [], code_nodes(function), function.name
    for pc, i in instructions_of(function, _CARRIERS):
        match i:
            case m.SetLocal(slot) | m.Append(slot) | m.Choose(into=slot) | m.Chance(into=slot):
                if slot not in own:
                    continue
            case m.Return(value):
                if value is None or (function.result is not None and function.result.universe != "Piece"):
                    continue
        inside = all_nodes[pc]
        places: dict[_Place, None] = {(name, e.slot): None for e in inside if isinstance(e, m.Local)}
        if isinstance(i, m.Call):
            places |= dict.fromkeys((name, slot) for slot in i.shared)
            places |= dict.fromkeys((i.function, number) for number in (_RESULT, *range(len(i.shared))))
        found.append((i, tuple(places), _named(inside)))
    return tuple(found)


@memoized_by_node
def _names_in(query: m.QueryDef) -> tuple[str, ...]:
    return _named(nodes(query.body))


def _named(inside: Iterable[object]) -> tuple[str, ...]:
    """The zones, fields and queries among some expressions."""
    found: dict[str, None] = {}
    for e in inside:
        match e:
            case m.ZoneGet(zone) | m.ZoneList(zone) | m.Top(zone):
                found[f"zone {zone}"] = None
            case m.FieldGet(field):
                found[f"field {field}"] = None
            case m.CallQuery(query):
                found[_ASKS + query] = None
    return tuple(found)


def union_of(sets: Iterable[int]) -> int:
    """All that is in one of some sets."""
    return reduce(or_, sets, 0)
