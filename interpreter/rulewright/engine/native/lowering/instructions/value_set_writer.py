"""Keeping the sets of a field up to date."""

from __future__ import annotations

from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.lowering.write_journal import Turned
from rulewright.engine.native.value_sets import ValueSets
from rulewright.engine.native.values import Value, present
from rulewright.engine.native.webassembly.terms import I32, I64, Local, Term, const, mem32, mem64, select


def exchange(writer: FunctionWriter, sets: ValueSets, base: Term, at: int, v: Value) -> Turned:
    """Take a key out of the set of the value that it has, and put it into that of another one; what was turned."""
    body, first = writer.body, writer.ctx.memory.sets_at + sets.offset
    begin = writer.ctx.memory.cell_at[writer.ctx.layout.fields[sets.field].at]
    key, bit, word = body.locals(I32, I64, I32)
    body.set(word, key.tee(base + (at - begin) >> 2) >> 6 << 3)
    body.set(bit, 1 << key.extend_u())
    old = writer.hold(mem32(base, at), sets.low, sets.high, null=True)
    turned: list[Local] = []
    for value in (old, v):
        address = body.local()
        if value.constant is not None:
            row = const(sets.slot(value.known) * sets.span)
        else:
            slot = value.term - (sets.low - 1)
            row = (select(slot, 0, present([value])) if value.null else slot) * sets.span
        # out of the old set, where it is, and into the new one, where it is not
        body.set(mem64(address.tee(row + word), first), mem64(address, first) ^ bit)
        turned.append(address)
    out, into = turned
    return out + first, into + first, bit
