"""Memo tables: the kept results of costly queries, areas, growing maps and conditions, valid until what they read is
written (:mod:`rulewright.ir.dataflow.memoized_queries`).

Each table has a *version*, a counter that goes up whenever something that its results depend on is written; a row is
valid if it has the version of now. So to invalidate all rows is one addition. A table has a row for each combination of
arguments; all places of an area share one if nothing but their area is needed. Of a condition only that it holds for no
player is kept; what a row of a growing map stands for lies elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from math import prod

from rulewright.engine.cells.layout import Layout
from rulewright.engine.native.memory_map import MemoryMap, is_large, words
from rulewright.engine.native.passes import ALL, Passes
from rulewright.engine.native.values import Value
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import Local, Term, const, mem64, select
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.dataflow.effects import Tokens
from rulewright.ir.dataflow.memoized_queries import MemoizedQueries
from rulewright.ir.intervals import of_type
from rulewright.ir.transform.charges import Charges
from rulewright.ir.walk import nodes

MOST_BYTES = 1 << 20
"""The size of a table at most."""
NO_FLOODS: Mapping[str, tuple[int, int]] = {}
RESULT = 8
"""The offset of the result in a row, behind its version."""


@dataclass(frozen=True, slots=True)
class MemoTable:
    """Addresses of the results of one function of the state."""

    version: int
    """The address of the version of now, of 64 bits."""
    rows: int
    lows: tuple[int, ...]
    """For each argument what has the first row: one less than its least value, for none."""
    sizes: tuple[int, ...]
    """For each argument how many rows there are for it."""
    span: int
    """The bytes of a row."""
    area: str = ""
    """The area of which any place has the same result as argument; empty if there is none."""
    start: int | None = None
    """The argument that has no rows: a place, which has the result of all that a flood from there finds."""
    places: int = 0
    """The number of such places; a row has a set of those with each truth."""
    cost: int | None = None
    """The offset of what the result has cost; None if it costs nothing."""

    def row(self, body: FunctionBody, *arguments: Value) -> Local:
        """The address of the row for some arguments."""
        found = const(0)
        for low, size, argument in zip(self.lows, self.sizes, arguments, strict=True):
            if argument.constant is not None:
                number = const(0 if argument.constant == m.NONE else argument.constant - low)
            else:
                number = argument.term - low
                if argument.null:
                    number = select(number, 0, argument.term.ne(m.NONE))
            found = found * size + number
        return body.hold(found * self.span + self.rows)

    def is_valid(self, row: Local) -> Term:
        """The truth of a row being valid."""
        return mem64(row).eq(mem64(0, self.version))

    @contextmanager
    def when_valid(self, body: FunctionBody, *arguments: Value) -> Iterator[Local]:
        """Code for the case that the row for some arguments is valid; gives its address."""
        row = self.row(body, *arguments)
        with body.when(self.is_valid(row)):
            yield row

    def keep_cost(self, body: FunctionBody, row: Local, steps: Term) -> None:
        """Note what a result has cost: finding it costs as much."""
        if self.cost is not None:
            body.set(mem64(row, self.cost), steps)

    def mark_valid(self, body: FunctionBody, row: Local) -> None:
        """Note that a row has a result of now."""
        body.set(mem64(row), mem64(0, self.version))

    def invalidate(self, body: FunctionBody) -> None:
        """Let no row be valid."""
        invalidate(body, (self.version,))


def invalidate(body: FunctionBody, versions: Iterable[int]) -> None:
    """Let no row with one of these versions be valid."""
    for version in versions:
        body.set(mem64(0, version), mem64(0, version) + 1)


class MemoTables:
    """The tables of a program."""

    def __init__(
        self,
        layout: Layout,
        memory: MemoryMap,
        program: m.Program,
        charges: Charges,
        more: Collection[str] = (),
        passes: Passes = ALL,
        floods: Mapping[str, tuple[int, int]] = NO_FLOODS,
    ) -> None:
        """Keep also the results of `more` queries; of those among `floods` one argument is the start of a flood
        over so many places, all of which have its result."""
        self._layout, self._memory = layout, memory
        self.memoized = MemoizedQueries(charges.program, more)
        """The names of all that is kept, and the instructions that invalidate it."""
        self._areas = {area.name: area.place for area in program.areas if not charges.facts.pays(area.across)}
        self.tables: dict[str, MemoTable] = {}
        for query in program.queries if "memo" in passes else ():
            if query.name in self.memoized.numbers and query.ty.kind != "list":
                bounds = [self._bounds(slot.ty) for slot in query.params]
                known = [bound for bound in bounds if bound is not None]
                size = 8 * words(layout.set_bits(query.ty)) if query.ty.kind == "set" else 8
                if len(known) == len(bounds) and query.name in floods and not is_large(floods[query.name][1]):
                    self._add_flood(query.name, known, *floods[query.name])
                elif len(known) == len(bounds):
                    area = self._area(query) if "areas" in passes else ""
                    self._add(query.name, known, size, area, charges.pays(query.name))
        for one in program.areas if "areas" in passes else ():
            self._add(f"area {one.name}", [(0, layout.sizes[one.place] - 1)], 8)
        for graph in program.graphs if "grown-maps" in passes else ():
            if graph.shape == "growing":
                self._add(f"map {graph.name}", [], 0)
        for name in self.memoized.conditions if "conditions" in passes else ():
            self._add(name, [], 0, pays=True)
        self._versions = {self.memoized.numbers[name]: table.version for name, table in self.tables.items()}
        updated = {self.memoized.numbers[name] for name in self.tables if name.startswith("map ")}
        self._written = {number: version for number, version in self._versions.items() if number not in updated}
        """The versions of all tables but growing maps, which are kept up to date by the code that moves pieces."""
        self._earlier: dict[str, MemoTable] = {}
        """The tables of results about the earlier state, which all have one version."""

    def find(self, name: str, earlier: bool = False) -> MemoTable | None:
        """The table of a query, ``area x``, ``map x`` or ``condition x``, as a question about the state of now or the
        earlier one."""
        table = self.tables.get(name)
        if table is None or not earlier:
            return table
        if name not in self._earlier:
            rows = self._memory.reserve(table.span * prod(table.sizes))
            self._earlier[name] = replace(table, version=self._earlier_version, rows=rows)
        return self._earlier[name]

    @cached_property
    def _earlier_version(self) -> int:
        return self._new_version()

    def _new_version(self) -> int:
        version = self._memory.reserve(8)
        self._memory.constants.append((version, (1).to_bytes(8, "little")))  # rows begin with 0
        return version

    def _area(self, query: m.QueryDef) -> str:
        """The area that is all that a query asks about its one argument."""
        if len(query.params) != 1 or query.params[0].ty.optional:
            return ""
        param, depth, found = query.params[0], 0, set[str]()
        for node in nodes(query.body):
            match node:
                case m.Component(area, m.Var(name)) if name == param.name:
                    found.add(area)
                    depth += 1
                case m.CallQuery(other, (m.Var(name),)) if name == param.name and other in self.tables:
                    found.add(self.tables[other].area)
                    depth += 1
                case m.Var(name) if name == param.name:
                    depth -= 1
        area = found.pop() if len(found) == 1 else ""
        return area if depth == 0 and area and self._areas.get(area) == param.ty.universe else ""

    def _add(self, name: str, bounds: list[tuple[int, int]], size: int, area: str = "", pays: bool = False) -> None:
        sizes = tuple(high - low + 2 for low, high in bounds)
        cost = RESULT + size if pays else None
        span = RESULT + size + (8 if pays else 0)
        if span * prod(sizes) <= MOST_BYTES:
            version, rows = self._new_version(), self._memory.reserve(span * prod(sizes))
            lows = tuple(low - 1 for low, _ in bounds)
            self.tables[name] = MemoTable(version, rows, lows, sizes, span, area, cost=cost)

    def _add_flood(self, name: str, bounds: list[tuple[int, int]], start: int, places: int) -> None:
        self._add(name, [*bounds[:start], *bounds[start + 1 :]], 16 * words(places))
        if name in self.tables:
            self.tables[name] = replace(self.tables[name], start=start, places=places)

    def _bounds(self, ty: m.Ty) -> tuple[int, int] | None:
        """The least and the largest value of an argument; None if they are not known for sure."""
        return None if ty.kind == "int" else of_type(ty, self._layout.sizes)

    def versions(self, numbers: Iterable[int]) -> list[int]:
        """The versions of what an instruction invalidates, given its numbers."""
        return [self._written[n] for n in numbers if n in self._written]

    def invalidate_readers(self, body: FunctionBody, tokens: Tokens) -> None:
        """Let nothing be valid that depends on some tokens: what they stand for has been put back."""
        invalidate(body, (self._versions[n] for n in self.memoized.depending(tokens) if n in self._versions))

    def invalidate_all(self, body: FunctionBody) -> None:
        """Let nothing be valid: the cells are others."""
        invalidate(body, self._versions.values())

    def invalidate_earlier(self, body: FunctionBody) -> None:
        """Let nothing about the earlier state be valid: it is another one."""
        invalidate(body, (self._earlier_version,))
