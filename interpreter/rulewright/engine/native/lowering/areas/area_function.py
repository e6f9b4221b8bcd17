"""The function for an area: one flood finds what hangs together, and all its places share the result."""

from __future__ import annotations

from dataclasses import replace

from rulewright.engine.native.lowering.expressions.expression_table import expressions
from rulewright.engine.native.lowering.expressions.floods.flood_lowering import FloodLowering, known_area
from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.lowering.memo_tables import RESULT
from rulewright.engine.native.values import Value
from rulewright.engine.native.webassembly.terms import Local, mem32
from rulewright.ir import model as m
from rulewright.ir.dataflow.memoized_queries import memo_name


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
