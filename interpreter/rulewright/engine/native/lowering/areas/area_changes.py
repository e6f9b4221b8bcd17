"""Areas that are kept although an edge has changed: only those that hang together at this edge can be others.

An edge that opens joins two areas. One that closes leaves all as they are if its ends still hang together: a flood from
one of them comes to the other one soon, as the way around is mostly short. Else what it has found is one part, and what
it has not the other.
"""

from __future__ import annotations

from functools import cached_property
from operator import or_

from rulewright.engine.native.lowering.areas.area_function import store_area
from rulewright.engine.native.lowering.expressions.expression_table import expressions
from rulewright.engine.native.lowering.expressions.floods.flood_goals import OnePlace
from rulewright.engine.native.lowering.expressions.floods.flood_lowering import FloodLowering
from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.lowering.memo_tables import RESULT, MemoTable
from rulewright.engine.native.values import Value
from rulewright.engine.native.webassembly.terms import I32, Local, mem32
from rulewright.engine.native.word_sizes import is_large
from rulewright.ir import model as m
from rulewright.ir.dataflow.memoized_queries import memo_name
from rulewright.ir.expressions.state_reads import StateRead
from rulewright.ir.walk import nodes

_KEYS = m.Local | m.Var | m.Const
"""Keys that are worked out twice without harm."""


class AreaChanges:
    """The areas of a program that are kept up to date, and for each the function that does it."""

    def __init__(self, ctx: LoweringContext) -> None:
        self._ctx = ctx
        self._numbers: dict[str, int] = {}

    @cached_property
    def _by_field(self) -> dict[str, tuple[m.AreaMap, ...]]:
        """For each field that decides upon areas by nothing but its value at an edge, these areas."""
        found: dict[str, tuple[m.AreaMap, ...]] = {}
        if not self._ctx.log.makes("area-changes"):
            return found
        for area in self._ctx.program.areas:
            size = self._ctx.layout.sizes[area.place]
            if is_large(size) or self._ctx.memos.find(memo_name(area)) is None:
                continue
            reads = [node for node in nodes(area.across) if isinstance(node, StateRead)]
            fields = {node.field for node in reads if isinstance(node, m.FieldGet) and node.index == (m.Var(area.var),)}
            if all(isinstance(node, m.FieldGet) and node.index == (m.Var(area.var),) for node in reads):
                for field in fields:
                    found[field] = (*found.get(field, ()), area)
        return found

    def of(self, i: m.Instr) -> tuple[m.AreaMap, ...]:
        """The areas that an instruction may change at one edge only."""
        if not isinstance(i, m.SetField) or len(i.index) != 1 or not isinstance(i.index[0], _KEYS):
            return ()
        return self._by_field.get(i.field, ())

    def number(self, area: m.AreaMap) -> int:
        """The function that keeps an area up to date: given an edge that was closed and is open now (the second
        argument is 1) or the other way round, it tells whether any area is another one."""
        if area.name not in self._numbers:
            self._numbers[area.name] = self._ctx.module.declare((I32, I32), (I32,))
            with self._ctx.log.inside(memo_name(area)):
                self._write(area)
        return self._numbers[area.name]

    def _write(self, area: m.AreaMap) -> None:
        ctx = self._ctx
        ctx.log.note("area-changes")
        graph = next(g for g in ctx.graphs.values() if g.place == area.place)
        table, size = ctx.memos.find(memo_name(area)), len(graph.neighbours)
        assert table is not None
        body = ctx.rule_body(self._numbers[area.name])
        edge, is_open = body.parameters()
        body.entered()
        writer = FunctionWriter(ctx, body)
        ends = ctx.memory.numbers(end for edge in graph.edges for end in edge)
        changed = Value((edge,), low=0, high=max(0, len(graph.edges) - 1))
        lower = expressions(writer)
        places = [lower.table(ends + 4 * side, 8, changed).load_number(0, size - 1) for side in (0, 1)]
        one, other = self._held(writer, table, places)
        same = body.local()
        with body.when(same.tee(one.eq(other)).eq(is_open)):  # open within an area, or closed between two
            body.give(0)
        old = [writer.load_set(0, base, size) for base in (one, other)]
        with body.when(is_open):
            self._store(writer, area, table, places[0], writer.wordwise(size, old, or_))
            body.give(1)
        with body.block() as met:
            goal = OnePlace(lower, places[1], met)
            part = FloodLowering(lower).over_edges(graph, places[0], None, area.var, area.across, goal)
            self._store(writer, area, table, places[0], part)
            self._store(writer, area, table, places[1], writer.without(size, old[0], part))
            body.give(1)
        body.push(0)
        ctx.module.define(self._numbers[area.name], body)

    def _held(self, writer: FunctionWriter, table: MemoTable, places: list[Value]) -> list[Local]:
        """The addresses of the areas of two places; if one is not known, all are invalid, and nobody goes on."""
        body, found = writer.body, list[Local]()
        for place in places:
            row = table.row(body, place)
            with body.when(table.is_valid(row).eqz()):
                table.invalidate(body)
                body.give(1)
            found.append(body.hold(mem32(row, RESULT)))
        return found

    def _store(self, writer: FunctionWriter, area: m.AreaMap, table: MemoTable, place: Value, members: Value) -> None:
        """Store an area at the row of one of its places, and let all of them share it."""
        base = writer.body.local()
        store_area(writer, base, self._ctx.area_sets(area.name, False), place, members)
        with writer.loop(members, "*") as (member, _, _):
            writer.body.set(mem32(table.row(writer.body, member), RESULT), base)


__all__ = ["AreaChanges"]
