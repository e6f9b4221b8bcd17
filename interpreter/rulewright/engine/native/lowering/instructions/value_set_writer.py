"""Keeping the sets of a field up to date."""

from __future__ import annotations

from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.value_sets import ValueSets
from rulewright.engine.native.values import Value
from rulewright.engine.native.webassembly.encoding import Op, Type


def exchange(w: FunctionWriter, sets: ValueSets, base: int, at: int, v: Value) -> None:
    """Take a key out of the set of the value that it has, and put it into that of another one."""
    body, first = w.body, w.ctx.memory.sets_at + sets.offset
    begin = w.ctx.memory.cell_at[w.ctx.layout.fields[sets.field].at]
    key, bit, word = body.local(Type.I32), body.local(Type.I64), body.local(Type.I32)
    body.get(base)
    body.i32(at - begin)
    body.op(Op.I32_ADD)
    body.i32(2)
    body.op(Op.I32_SHR_U)
    body.tee(key)
    body.i32(6)
    body.op(Op.I32_SHR_U)
    body.i32(3)
    body.op(Op.I32_SHL)
    body.set(word)
    body.i64(1)
    body.get(key)
    body.op(Op.I64_EXTEND_I32_U, Op.I64_SHL)
    body.set(bit)
    body.get(base)
    body.memory(Op.I32_LOAD, at)
    old = w.pop(sets.low, sets.high, null=True)
    for value in (old, v):
        address = body.local(Type.I32)
        if value.constant is not None:
            body.i32(sets.slot(value.known) * sets.span)
        else:
            w.push(value)
            body.i32(sets.low - 1)
            body.op(Op.I32_SUB)
            if value.null:
                body.i32(0)
                w.push_present([value])
                body.op(Op.SELECT)
            body.i32(sets.span)
            body.op(Op.I32_MUL)
        body.get(word)
        body.op(Op.I32_ADD)
        body.tee(address)
        body.get(address)
        body.memory(Op.I64_LOAD, first)
        body.get(bit)
        # out of the old set, where it is, and into the new one, where it is not
        body.op(Op.I64_XOR)
        body.memory(Op.I64_STORE, first)
