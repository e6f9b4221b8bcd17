"""The function for an area: one flood finds what hangs together, and all its places share the answer."""

from __future__ import annotations

from dataclasses import replace

from rulewright.engine.native.lowering.answer_tables import ANSWER
from rulewright.engine.native.lowering.expressions.expression_table import expressions
from rulewright.engine.native.lowering.expressions.flood_lowering import FloodLowering, push_known_area
from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.values import Value
from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.ir import model as m


def first_found(w: FunctionWriter, area: str, place: Value) -> Value:
    """The place whose row has the set of all places that hang together with one: for all of these the same."""
    sets, span = w.ctx.area_sets(area, w.earlier)
    result = replace(place, locals=(w.body.local(Type.I32),))
    with w.unless_null([place] if place.null else [], result):
        push_known_area(w, area, place)
        w.body.i32(sets)
        w.body.op(Op.I32_SUB)
        w.body.i32(span)
        w.body.op(Op.I32_DIV_S)
        w.body.set(result.locals[0])
    return result


def write_area(ctx: LoweringContext, area: m.AreaMap, earlier: bool) -> None:
    """Write the function that :meth:`LoweringContext.area_number` names."""
    number, table = ctx.area_number(area.name, earlier), ctx.answers.table(f"area {area.name}", earlier)
    body = ctx.rule_body(number)
    body.entered()
    w = FunctionWriter(ctx, body)
    w.earlier = earlier
    graph = next(g for g in ctx.graphs.values() if g.place == area.place)
    size = len(graph.neighbours)
    (sets, span), place = ctx.area_sets(area.name, earlier), Value((0,), low=0, high=size - 1)
    if table is not None:
        ctx.log.note("areas")
        row = ctx.answers.hold_row(body, table, (place,))
        ctx.answers.push_is_good(body, table, row)
        with body.when():
            body.get(row)
            body.memory(Op.I32_LOAD, ANSWER)
            body.op(Op.RETURN)
    base = body.local(Type.I32)
    flood = FloodLowering(expressions(w))
    found = flood.over_edges(graph, place, None, area.var, area.across)
    store_area(w, base, (sets, span), place, found)
    if table is not None:
        with w.loop(found, "*") as (member, _, _):
            row = ctx.answers.hold_row(body, table, (member,))
            body.get(row)
            body.get(base)
            body.memory(Op.I32_STORE, ANSWER)
            ctx.answers.mark_good(body, table, row)
    body.get(base)
    ctx.module.define(number, body)


def store_area(w: FunctionWriter, base: int, sets: tuple[int, int], place: Value, members: Value) -> None:
    """Store an area at the row of one of its places, the address of which comes into a local; `sets` are the address of
    the rows and the bytes of each."""
    body, (begin, span) = w.body, sets
    w.push(place)
    body.i32(span)
    body.op(Op.I32_MUL)
    body.i32(begin)
    body.op(Op.I32_ADD)
    body.set(base)
    w.store_set(members, 0, base)
