"""Tables of the answers of costly queries and areas (:mod:`rulewright.ir.dataflow.memoized_queries`).

Each has an *age*, a counter that goes up whenever something that it reads is written; an answer is good if it has the
age of now. So to forget all answers is one addition. A table has a row for each combination of arguments; all places of
an area share one if nothing but their area is asked for. That the condition of a consequence or end does not hold is an
answer, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import cached_property
from math import prod

from rulewright.engine.cells.layout import Layout
from rulewright.engine.native.memory_map import MemoryMap
from rulewright.engine.native.passes import ALL, Passes
from rulewright.engine.native.values import Value
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import Local, Term, const, mem64, select
from rulewright.engine.native.word_sizes import words
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.dataflow.effects import Tokens
from rulewright.ir.dataflow.memoized_queries import MemoizedQueries
from rulewright.ir.walk import nodes

MOST_BYTES = 1 << 20
"""The size of a table at most."""
ANSWER = 8
"""The offset of the answer in a row, behind its age."""


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """Addresses of the answers of a query."""

    age: int
    """The address of the age of now, of 64 bits."""
    rows: int
    lows: tuple[int, ...]
    """For each argument what has the first row: one less than its least value, for none."""
    sizes: tuple[int, ...]
    """For each argument how many rows there are for it."""
    span: int
    """The bytes of a row."""
    area: str = ""
    """The area of which any place has the same answer as argument; empty if there is none."""


class AnswerTables:
    """The tables of a program."""

    def __init__(
        self,
        layout: Layout,
        memory: MemoryMap,
        program: m.Program,
        more: Collection[str] = (),
        passes: Passes = ALL,
    ) -> None:
        """Also `more` queries are remembered."""
        self._layout, self._memory = layout, memory
        self._memoized = MemoizedQueries(program, more)
        self._areas = {area.name: area.place for area in program.areas}
        self.queries: dict[str, AnswerTable] = {}
        for query in program.queries if "memo" in passes else ():
            if query.name in self._memoized.place and query.ty.kind != "list":
                bounds = [self._bounds(slot.ty) for slot in query.params]
                known = [bound for bound in bounds if bound is not None]
                size = 8 * words(layout.set_bits(query.ty)) if query.ty.kind == "set" else 8
                if len(known) == len(bounds):
                    self._add(query.name, known, size, self._area(query) if "areas" in passes else "")
        for area in program.areas if "areas" in passes else ():
            self._add(f"area {area.name}", [(0, layout.sizes[area.place] - 1)], 8)
        for graph in program.graphs if "grown-maps" in passes else ():
            if graph.shape == "growing":
                self._add(f"map {graph.name}", [], 0)
        for name in self._memoized.conditions if "conditions" in passes else ():
            self._add(name, [], 0)
        self._kept_maps = {place for name, place in self._memoized.place.items() if name.startswith("map ")}
        """The growing maps: pieces that are moved say which places come and go."""
        self._ages = {self._memoized.place[name]: table.age for name, table in self.queries.items()}
        self._earlier: dict[str, AnswerTable] = {}
        """The tables of answers about the earlier state, which all have one age."""

    def table(self, name: str, earlier: bool) -> AnswerTable | None:
        """The table for a query or ``area x``, as a question about the state of now or the earlier one."""
        table = self.queries.get(name)
        if table is None or not earlier:
            return table
        if name not in self._earlier:
            rows = self._memory.reserve(table.span * prod(table.sizes))
            self._earlier[name] = replace(table, age=self._earlier_age, rows=rows)
        return self._earlier[name]

    @cached_property
    def _earlier_age(self) -> int:
        return self._new_age()

    def _new_age(self) -> int:
        age = self._memory.reserve(8)
        self._memory.constants.append((age, (1).to_bytes(8, "little")))  # rows begin with 0
        return age

    def _area(self, query: m.QueryDef) -> str:
        """The area that is all that a query asks about its one argument."""
        if len(query.params) != 1 or query.params[0].ty.optional:
            return ""
        param, asked, found = query.params[0], 0, set[str]()
        for node in nodes(query.body):
            match node:
                case m.Component(area, m.Var(name)) if name == param.name:
                    found.add(area)
                    asked += 1
                case m.CallQuery(other, (m.Var(name),)) if name == param.name and other in self.queries:
                    found.add(self.queries[other].area)
                    asked += 1
                case m.Var(name) if name == param.name:
                    asked -= 1
        area = found.pop() if len(found) == 1 else ""
        return area if asked == 0 and area and self._areas[area] == param.ty.universe else ""

    def _add(self, name: str, bounds: list[tuple[int, int]], size: int, area: str = "") -> None:
        sizes = tuple(high - low + 2 for low, high in bounds)
        span = ANSWER + size
        if span * prod(sizes) <= MOST_BYTES:
            age, rows = self._new_age(), self._memory.reserve(span * prod(sizes))
            self.queries[name] = AnswerTable(age, rows, tuple(low - 1 for low, _ in bounds), sizes, span, area)

    def _bounds(self, ty: m.Ty) -> tuple[int, int] | None:
        """The least and the largest value of an argument; None if they are not known for sure."""
        if ty.kind == "bool":
            return 0, 1
        return (0, self._layout.sizes[ty.universe] - 1) if ty.kind == "entity" else None

    def forget(self, body: FunctionBody, function: str, instruction: m.Instr) -> None:
        """Let answers be too old that an instruction may have changed."""
        concerned = self._memoized.concerned(function, instruction)
        self.age(body, self._ages_of(concerned))

    def forgotten_from(self, function: str, move: m.Move) -> dict[tuple[str, int], frozenset[int]]:
        """For each zone that a move may take pieces from, and each class of pieces, the addresses of the ages of the
        answers that it may change."""
        concerned = self._memoized.concerned_from(function, move)
        return {source: frozenset(self._ages_of(found)) for source, found in concerned.items()}

    def _ages_of(self, concerned: Iterable[int]) -> Iterable[int]:
        """The ages of what is concerned and kept in a table, but for growing maps."""
        return (self._ages[n] for n in concerned if n in self._ages and n not in self._kept_maps)

    @property
    def piece_classes(self) -> tuple[int, ...]:
        """The sets of pieces that are told apart there."""
        return self._memoized.piece_classes

    def forget_directly(self, body: FunctionBody, function: str, instruction: m.Instr, areas: frozenset[str]) -> None:
        """Let answers be too old that an instruction may have changed, but for some areas and through them."""
        self.age(body, (self._ages[n] for n in self._directly(function, instruction, areas)))

    def forget_through(self, body: FunctionBody, function: str, instruction: m.Instr, areas: frozenset[str]) -> None:
        """Let the others be too old, but for the areas themselves."""
        kept = {*self._directly(function, instruction, areas), *(self._memoized.place[f"area {a}"] for a in areas)}
        concerned = self._memoized.concerned(function, instruction)
        self.age(body, (self._ages[n] for n in concerned if n in self._ages and n not in kept))

    def _directly(self, function: str, instruction: m.Instr, areas: frozenset[str]) -> list[int]:
        found = self._memoized.concerned_directly(function, instruction, areas)
        return [n for n in found if n in self._ages and n not in self._kept_maps]

    def forget_written(self, body: FunctionBody, tokens: Tokens) -> None:
        """Let answers be too old that depend on something of this."""
        self.age(body, (self._ages[n] for n in self._memoized.depending(tokens) if n in self._ages))

    def forget_all(self, body: FunctionBody) -> None:
        """Let all answers be too old: the cells are others."""
        self.age(body, self._ages.values())

    def forget_earlier(self, body: FunctionBody) -> None:
        """Let the answers about the earlier state be too old: it is another one."""
        self.age(body, (self._earlier_age,))

    def forget_answers(self, body: FunctionBody, table: AnswerTable) -> None:
        """Let the answers in one table be too old."""
        self.age(body, (table.age,))

    def age(self, body: FunctionBody, ages: Iterable[int]) -> None:
        """Let the answers with these ages be too old."""
        for age in ages:
            body.set(mem64(0, age), mem64(0, age) + 1)

    def hold_row(self, body: FunctionBody, table: AnswerTable, arguments: tuple[Value, ...]) -> Local:
        """The address of the row for some arguments."""
        found = const(0)
        for low, size, argument in zip(table.lows, table.sizes, arguments, strict=True):
            if argument.constant is not None:
                number = const(0 if argument.constant == m.NONE else argument.constant - low)
            else:
                number = argument.term - low
                if argument.null:
                    number = select(number, 0, argument.term.ne(m.NONE))
            found = found * size + number
        return body.hold(found * table.span + table.rows)

    def is_good(self, table: AnswerTable, row: Local) -> Term:
        """The truth of the answer in a row being not too old."""
        return mem64(row).eq(mem64(0, table.age))

    def mark_good(self, body: FunctionBody, table: AnswerTable, row: Local) -> None:
        """Note that a row has an answer of now."""
        body.set(mem64(row), mem64(0, table.age))
