"""The context that all generated code of a program shares: its layout, tables as Python constants, known facts."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache
from hashlib import blake2b
from threading import RLock
from typing import Any

from rulewright.engine import faults
from rulewright.engine.cells.layout import layout_of
from rulewright.engine.cells.support import Support
from rulewright.engine.codegen.registers import MemoLayout, forget, refill
from rulewright.engine.codegen.value_ranges import V, of_type
from rulewright.engine.found_secrets import forgotten_places
from rulewright.ir import model as m
from rulewright.ir.control_flow.questions import move_in_turns
from rulewright.ir.dataflow.effects import EffectAnalysis
from rulewright.ir.dataflow.nullability import Nullability
from rulewright.ir.declared_sight import hides_anything
from rulewright.ir.graphs import unfolded
from rulewright.ir.information_flow.piece_visibility import moves_out_of_sight, uncounted
from rulewright.ir.model import NONE, Program
from rulewright.ir.rule_places import rule_numbers
from rulewright.ir.transform.optimizer import Optimizer
from rulewright.ir.transform.passes import SHARED
from rulewright.ir.walk import children

BIT_TABLE = 12
"""Universes up to this size have a table that lists the members of every set."""

CACHED = 32
"""Of larger universes (up to this size) the members of the sets that occur are remembered."""
KEPT_MEMBERS = 1 << 18
"""The room for sets that are kept: 1 for each set, and 1 for each eight members of it."""


@cache
def _subsets(size: int) -> tuple[tuple[int, ...], ...]:
    """For each set of members below `size` the tuple of its members; all programs share it."""
    return tuple(map(_members, range(1 << size)))


def _members(mask: int) -> tuple[int, ...]:
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)


class Members(dict[int, tuple[int, ...]]):
    """Remembers the members of sets."""

    def __init__(self) -> None:
        super().__init__()
        self._left = KEPT_MEMBERS

    def __missing__(self, mask: int) -> tuple[int, ...]:
        found = _members(mask)
        self._left -= 1 + len(found) // 8
        if self._left < 0:
            self.clear()
            self._left = KEPT_MEMBERS
        self[mask] = found
        return found


_SIMPLE = (
    m.Const,
    m.Var,
    m.Alive,
    m.Kind,
    m.Attr,
    m.Cmp,
    m.And,
    m.Or,
    m.Not,
    m.IfElse,
    m.SetOp,
    m.Contains,
    m.SetEq,
    m.Size,
    m.SideOf,
    m.PlaceOf,
    m.InZone,
    m.Canon,
    m.PlacesOf,
    m.NeighboursOf,
    m.Preimage,
    m.EdgesOf,
    m.EdgeBetween,
    m.DistanceOf,
    m.Single,
)


class Context:
    """The names that generated code may refer to, made here."""

    def __init__(self, program: Program, passes: Collection[str] = SHARED) -> None:
        self.program = program
        self.optimizer = Optimizer(program, passes)
        """The passes over the program: what is written is what they make of queries and instructions."""
        self.layout = layout_of(program)
        self.depend = EffectAnalysis.of(program)
        self.queries = {q.name: q for q in program.queries}
        self.query_names = {q.name: f"q{i}" for i, q in enumerate(program.queries)}
        self.functions = {f.name: i for i, f in enumerate(program.functions)}
        self.tables = self.optimizer.tables
        self.kinds = {k.name: k for k in program.kinds}
        self.graphs = {g.name: unfolded(g) for g in program.graphs}
        self.areas = {a.name: a for a in program.areas}
        self.merged_of = {m.name: m for m in program.merged}
        self.facts = self.optimizer.facts
        self.memo_layout = MemoLayout(self.optimizer.charges.program)
        self.support = Support(self.layout, self.graphs, self.merged_of)
        self.rules = faults.Rules(program)
        self.changing_zones = self._find_changing_zones(("face", "all"))
        """Zones of which it depends on the state of the game who sees the faces, with what that depends on."""
        self.changing_audiences = self._find_changing_zones(("face", "back", "count", "all"))
        """Zones of which it depends on the state who sees anything of them, with what that depends on."""
        self._unobserved = forgotten_places(program) if self.support.player_memory is not None else None
        self.hides = hides_anything(program)
        self.out_of_sight = moves_out_of_sight(program)
        self.moves_in_turns = move_in_turns(program.functions)
        self.uncounted = self._numbers(uncounted(program))
        """The zones, by number, that not everyone can count."""
        self.writing = RLock()
        """Held by who writes code: threads that play one game come to new code at the same time."""
        self.globals: dict[str, Any] = {"__builtins__": {}, "len": len, "tuple": tuple, "reversed": reversed}
        self.globals.update(Fault=faults.Fault, fault=faults.fault, spent=refill)
        self.globals.update(bounds=faults.out_of_bounds)
        self.globals["forget"] = forget
        self._made: dict[object, str] = {}
        self.null = Nullability(program).places
        """The parameters, results, slots and lists that may be or hold none."""
        self.demand_query: Callable[[str, bool], str] = lambda query, _: self.query_names[query]
        """Makes a query known, or a form of it that takes none for every parameter; gives its name."""
        self.outlined = 0
        self.rule_numbers = rule_numbers(program)
        self._simple: dict[int, bool] = {}
        self._kept: list[m.Expr] = []

    def _find_changing_zones(self, facets: tuple[str, ...]) -> dict[str, frozenset[str]]:
        found = {}
        for zone in self.program.zones:
            by = [a.by for a in zone.audiences if a.by is not None and a.facet in facets]
            read = frozenset[str]().union(*(self.depend.reads(e) for e in by))
            if read:
                found[zone.name] = read
        return found

    def typed(self, code: str, ty: m.Ty, null: bool) -> V:
        """A value of a declared type."""
        layout = self.layout
        return of_type(code, ty, null, layout.sizes, layout.set_bits(ty) if ty.kind == "set" else 0)

    def sight_changes(self, i: m.Instr) -> tuple[int, ...]:
        """The zones, by number, of which an instruction may change who sees the faces."""
        if not self.changing_zones:
            return ()
        written = self.depend.writes(i)
        names = [name for name, read in self.changing_zones.items() if read & written]
        return self._numbers(names)

    def unobserved(self, function: str, pc: int) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """The zones, by number, where something may be moved, shuffled or exchanged that a player does not observe."""
        if self._unobserved is None:
            return (), (), ()
        return (
            self._numbers(self._unobserved.places.get((function, pc), ())),
            self._numbers(self._unobserved.shuffled.get((function, pc), ())),
            self._numbers(self._unobserved.exchanged.get((function, pc), ())),
        )

    def _numbers(self, names: Collection[str]) -> tuple[int, ...]:
        places = [self.layout.zones[name] for name in sorted(names)]
        return tuple(n for place in places for n in range(place.first, place.first + place.count))

    def expect_none(self, *place: Any) -> None:
        """Note that none may come to a place; the analysis of nullability must have found it."""
        assert place in self.null, f"{place} may be none"

    def make(self, key: object, prefix: str, build: Callable[[], Any]) -> str:
        """The name of a constant, which is built when it is first needed."""
        name = self._made.get(key)
        if name is None:
            # The same name in every program, so that code with the same meaning is the same code.
            name = prefix + blake2b(repr(key).encode(), digest_size=6).hexdigest()
            while name in self.globals:
                name += "_"
            self._made[key] = name
            self.globals[name] = build()
        return name

    def given(self, key: object, prefix: str, value: Any) -> str:
        """The name of a constant that is already made."""
        return self.make(key, prefix, lambda: value)

    def simple(self, e: m.Expr) -> bool:
        """True if an expression is short, and harmless if it is computed without need."""
        known = self._simple.get(id(e))
        if known is None:
            known = self._find_simple(e)
            self._simple[id(e)] = known
            self._kept.append(e)
        return known

    def _find_simple(self, e: m.Expr) -> bool:
        match e:
            case m.Local():
                return True
            case m.FieldGet(field):
                if self.layout.field_of[field].ty.kind == "list":
                    return False
            case m.ZoneGet(zone):
                if self.layout.zones[zone].ordered:
                    return False
            case m.Fold("some" | "no", (bind,), None) if not bind.is_list:
                return self.simple(bind.source)
            case _ if not isinstance(e, _SIMPLE):
                return False
            case _:
                pass  # as simple as its parts
        harmless = True  # no all(): a built-in on the way down would use up the machine's stack
        for child in children(e):
            harmless = harmless and self.simple(child)
        return harmless

    def helper(self, name: str) -> str:
        """Make a method of :class:`Support` callable in generated code."""
        self.globals[name] = getattr(self.support, name)
        return name

    def table(self, name: str) -> str:
        """A table as a tuple; values of list tables are tuples."""
        return self.make(("table", name), "T", lambda: tuple(self.tables[name].values))

    def masks(self, name: str, with_none: bool = False) -> str:
        """For each value of a table the set of members that have it."""

        def build() -> dict[int, int]:
            found: dict[int, int] = {}
            for member, value in enumerate(self.tables[name].values):
                assert isinstance(value, int)
                if value != NONE or with_none:
                    found[value] = found.get(value, 0) | 1 << member
            return found

        return self.make(("masks", name, with_none), "M", build)

    def bit_table(self, size: int) -> str:
        """For each set of at most `size` members the tuple of its members."""
        if size > BIT_TABLE:
            return self.make("members", "MEMBERS", Members)
        size = next(s for s in (4, 6, 8, 10, 12) if s >= size)
        return self.make(("bits", size), "BITS", lambda: _subsets(size))

    def members(self, mask: int) -> str:
        """The members of a set that is known."""
        return self.make(("set", mask), "A", lambda: _members(mask))

    def incidences(self, graph: str) -> str:
        """For each place its edges with the place at the other end."""

        def build() -> tuple[tuple[tuple[int, int], ...], ...]:
            found: list[list[tuple[int, int]]] = [[] for _ in self.graphs[graph].neighbours]
            for edge, (a, b) in enumerate(self.graphs[graph].edges):
                found[a].append((edge, b))
                found[b].append((edge, a))
            return tuple(map(tuple, found))

        return self.make(("incidences", graph), "I", build)
