"""Levels: the best by a printed value are those in the first of some known sets that has any, one for each value."""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from operator import and_, or_

from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.value_sets import FEW
from rulewright.engine.native.values import Value, constant_set
from rulewright.engine.native.webassembly.terms import I64, mem64
from rulewright.engine.native.word_sizes import WORD_BITS, is_large, words
from rulewright.ir import model as m
from rulewright.ir.model import NONE


def levels(ctx: LoweringContext, e: m.Best) -> list[int]:
    """The members with each of a few printed keys, the highest first; none if the keys are no such."""
    match e.key:
        case m.Attr(name, m.Var(var)) if var == e.var and ctx.tables[name].ty.kind not in ("set", "list"):
            found: dict[int, int] = {}
            for member, value in enumerate(ctx.tables[name].values):
                if isinstance(value, int) and value != NONE:
                    found[value] = found.get(value, 0) | 1 << member
            if len(found) <= FEW and ctx.log.makes("levels"):
                return [found[value] for value in sorted(found, reverse=True)]
    return []


def highest(writer: FunctionWriter, source: Value, ordered: list[int]) -> Value:
    """Those members of a set that are in the first of some sets that has any."""
    writer.ctx.log.note("levels")
    falling = all(_lowest(high) > low.bit_length() - 1 for high, low in pairwise(ordered))
    rising = all(high.bit_length() - 1 < _lowest(low) for high, low in pairwise(ordered))
    if words(source.bits) == 1 and not is_large(source.bits) and (falling or rising):
        return _at_the_end(writer, source, ordered, falling)
    body, result = writer.body, writer.allocate_set(source.bits, source.living)
    with body.block() as done:
        for level in ordered:
            writer.wordwise(source.bits, (source, constant_set(level)), and_, into=result)
            body.branch_if(done, writer.empty(result).eqz())
    return result


def _at_the_end(writer: FunctionWriter, source: Value, ordered: list[int], falling: bool) -> Value:
    """The same where members of higher levels come before all others, or behind: the first member, or the last one,
    tells the level."""
    body, every = writer.body, reduce(or_, ordered)
    members, result = body.local(I64), writer.allocate_set(source.bits, source.living)
    level = [next((one for one in ordered if one >> member & 1), 0) for member in range(WORD_BITS)]
    table = writer.ctx.memory.sets([0, *level] if falling else [*level, 0], 1)
    body.set(members, source.word(0) & every)
    row = WORD_BITS - members.clz().wrap() if falling else members.ctz().wrap()
    body.set(result.local, mem64(row << 3, table) & members)
    return result


def _lowest(members: int) -> int:
    """The least member of a set."""
    return (members & -members).bit_length() - 1
