"""Functions for areas and growing maps: floods, and their upkeep when an edge changes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from operator import or_

from rulewright.engine.native.lowering.expressions.expression_table import expressions
from rulewright.engine.native.lowering.expressions.flood_goals import OnePlace
from rulewright.engine.native.lowering.expressions.flood_lowering import FloodLowering, known_area
from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.lowering.memo_tables import RESULT, MemoTable
from rulewright.engine.native.memory_map import is_large, words
from rulewright.engine.native.values import ABSOLUTE, Value, constant
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import I32, I64, Local, mem32, mem64, without_lowest
from rulewright.ir import model as m
from rulewright.ir.dataflow.memoized_queries import memo_name
from rulewright.ir.expressions.state_reads import StateRead
from rulewright.ir.graphs import origin
from rulewright.ir.walk import nodes


def first_found(writer: FunctionWriter, area: str, place: Value) -> Value:
    """The place whose row has the set of all places that hang together with one: for all of these the same."""
    sets, span = writer.ctx.area_sets(area, writer.earlier)
    result = replace(place, locals=(writer.body.local(),))
    with writer.unless_null([place] if place.null else [], result):
        writer.body.set(result.local, (known_area(writer, area, place) - sets).div_s(span))
    return result


def write_area(ctx: LoweringContext, area: m.AreaMap, earlier: bool) -> None:
    """Write the function that :meth:`LoweringContext.area_number` names."""
    number, table = ctx.area_number(area.name, earlier), ctx.memos.find(memo_name(area), earlier)
    body = ctx.rule_body(number)
    (start,) = body.parameters()
    body.entered()
    writer = FunctionWriter(ctx, body)
    writer.earlier = earlier
    graph = next(g for g in ctx.graphs.values() if g.place == area.place)
    sets, place = ctx.area_sets(area.name, earlier), Value((start,), low=0, high=len(graph.neighbours) - 1)
    if table is not None:
        ctx.log.note("areas")
        with table.when_valid(body, place) as row:
            body.give(mem32(row, RESULT))
    base = body.local()
    found = FloodLowering(expressions(writer)).over_edges(graph, place, None, area.var, area.across)
    store_area(writer, base, sets, place, found)
    if table is not None:
        with writer.loop(found, "*") as (member, _, _):
            row = table.row(body, member)
            body.set(mem32(row, RESULT), base)
            table.mark_valid(body, row)
    body.push(base)
    ctx.module.define(number, body)


def store_area(writer: FunctionWriter, base: Local, sets: tuple[int, int], place: Value, members: Value) -> None:
    """Store an area at the row of one of its places, the address of which comes into a local; `sets` are the address of
    the rows and the bytes of each."""
    begin, span = sets
    writer.body.set(base, place.term * span + begin)
    writer.store_set(members, 0, base)


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
        argument is 1) or the other way round, it returns whether any area has changed."""
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
        """The addresses of the areas of two places; if one is not known, all are invalid, and the code ends."""
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


def write_grown(ctx: LoweringContext, graph: m.Graph, earlier: bool) -> None:
    """Write the functions that :meth:`LoweringContext.grown` names."""
    _GrownWriter(ctx, graph, earlier).write()


class _GrownWriter:
    def __init__(self, ctx: LoweringContext, graph: m.Graph, earlier: bool) -> None:
        self.ctx, self.graph, self.earlier = ctx, graph, earlier
        self.found, self.table = ctx.grown(graph.name, earlier), ctx.memos.find(memo_name(graph), earlier)
        self.size, bits = len(graph.neighbours), 64 * words(len(graph.neighbours))
        self.members = Value(is_set=True, bits=bits, base=ABSOLUTE, at=self.found.members)
        self.covered = Value(is_set=True, bits=bits, base=ABSOLUTE, at=self.found.covered)
        self.count = mem32(0, self.found.covered + 8 * words(bits))
        """The number of places on which pieces lie."""

    def write(self) -> None:
        """Write both."""
        self._find(self._writer(self.found.find))
        self._put(self._writer(self.found.put))

    def _writer(self, number: int) -> FunctionWriter:
        body = self.ctx.rule_body(number)
        body.entered()
        writer = FunctionWriter(self.ctx, body)
        writer.earlier = self.earlier
        return writer

    def _place(self, local: Local) -> Value:
        return Value((local,), low=0, high=self.size - 1)

    # -------------------------------------------------------------------------------------------------- all places

    def _find(self, writer: FunctionWriter) -> None:
        """A look at each piece: the place where it lies, if it lies on one, and those beside it."""
        ctx, layout, body, table = self.ctx, self.ctx.layout, writer.body, self.table
        if table is not None:
            ctx.log.note("grown-maps")
            with table.when_valid(body) as row:
                body.give()
        for one in (self.members, self.covered):
            writer.assign(one, Value(is_set=True))
        ground = ctx.memory.numbers(layout.ground(self.graph.place, origin(self.graph)))
        at, place = body.locals(I32, I32)
        body.set(self.count, 0)
        first = expressions(writer).cell_at(layout.loc)
        body.set(at, first)
        with body.block() as out, body.loop() as again:
            body.branch_if(out, at.ge_u(first + 4 * layout.pieces))
            body.set(place, mem32(mem32(at) << 2, ground))
            body.set(at, at + 4)
            body.branch_if(again, place.lt_s(0))
            body.branch_if(again, writer.contains(self.covered, self._place(place)))
            self._cover(writer, place)
            with self._around(body, place) as beside:
                writer.insert(self.members, self._place(beside))
            body.branch(again)
        with body.when(self.count.eqz()):
            writer.insert(self.members, constant(origin(self.graph)))
        self._list(body)
        if table is not None:
            table.mark_valid(body, row)
        ctx.module.define(self.found.find, body)

    def _list(self, body: FunctionBody) -> None:
        """Write the list of the members."""
        end, at, word = body.locals(I32, I32, I64)
        body.set(end, self.found.items)
        with body.loop() as next_word:
            body.set(word, mem64(at, self.members.at))
            with body.until(word.eqz()):
                body.set(end, end + 4)
                body.set(mem32(end), word.ctz().wrap() + (at << 3))
                body.set(word, without_lowest(word))
            body.set(at, at + 8)
            body.branch_if(next_word, at.lt_u(8 * self.members.words))
        self._store_length(body, end)

    # --------------------------------------------------------------------------------------------- one place more

    def _put(self, writer: FunctionWriter) -> None:
        """A piece is put on a place (the argument): those beside it come, unless one lies there already. The first
        piece of all lets everything be found anew, as the origin may go."""
        ctx, body, table = self.ctx, writer.body, self.table
        (place,) = body.parameters()
        if table is None:
            ctx.module.define(self.found.put, body)
            return
        with body.block() as out:
            body.branch_if(out, table.is_valid(table.row(body)).eqz())
            body.branch_if(out, writer.contains(self.covered, self._place(place)))
            with body.when(self.count.eqz()):
                table.invalidate(body)
                body.branch(out)
            self._cover(writer, place)
            with self._around(body, place) as beside, body.block() as known:
                body.branch_if(known, writer.contains(self.members, self._place(beside)))
                writer.insert(self.members, self._place(beside))
                self._insert(body, beside)
        ctx.module.define(self.found.put, body)

    def _insert(self, body: FunctionBody, place: Local) -> None:
        """Put a place into the list, behind all smaller ones."""
        at, end = body.locals(I32, I32)
        items = self.found.items
        body.set(end, at.tee(items + (mem32(0, items) << 2)))
        with body.until(at.eq(items)) as found:
            body.branch_if(found, mem32(at).lt_s(place))
            body.set(mem32(at, 4), mem32(at))
            body.set(at, at - 4)
        body.set(mem32(at, 4), place)
        body.set(end, end + 4)
        self._store_length(body, end)

    # ------------------------------------------------------------------------------------------------------ shared

    def _cover(self, writer: FunctionWriter, place: Local) -> None:
        """Note that a piece lies on a place."""
        writer.insert(self.covered, self._place(place))
        writer.body.set(self.count, self.count + 1)

    @contextmanager
    def _around(self, body: FunctionBody, place: Local) -> Iterator[Local]:
        """A loop over a place and those beside it; gives the local with each."""
        table, capacity = self.ctx.memory.rows(self._closed)
        row, left, one = body.locals(I32, I32, I32)
        body.set(left, mem32(row.tee(place * (4 * (1 + capacity)) + table)))
        with body.until(left.eqz()):
            body.set(left, left - 1)
            body.set(row, row + 4)
            body.set(one, mem32(row))
            yield one

    @cached_property
    def _closed(self) -> tuple[int, ...]:
        """The places beside each place, a set."""
        return tuple(around | 1 << place for place, around in enumerate(self.graph.neighbours))

    def _store_length(self, body: FunctionBody, end: Local) -> None:
        """Note the length of the list, given the address of its last item."""
        body.set(mem32(0, self.found.items), end - self.found.items >> 2)
