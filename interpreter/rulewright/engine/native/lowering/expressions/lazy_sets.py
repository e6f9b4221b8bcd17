"""Lazy sets: a large set is read word by word where it lies, instead of into locals as a whole."""

from __future__ import annotations

from rulewright.engine.native.lowering.expressions.expression_lowering import Address
from rulewright.engine.native.values import Value
from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.engine.native.word_sizes import words


def refer_to_set(address: Address, bits: int) -> Value:
    """The set at an address, which does not change while an expression is worked out; empty if a key is none."""
    w, log = address.w, address.w.ctx.log
    if words(bits) == 1 or not log.makes("lazy-sets"):
        return address.load_set(bits, False)
    log.note("lazy-sets")
    if not address.nulls:
        return Value(is_set=True, bits=bits, base=address.hold(), at=address.at)
    body, base = w.body, w.body.local(Type.I32)
    address.push()
    body.i32(address.at)
    body.op(Op.I32_ADD)
    body.i32(w.ctx.memory.sets((0,), words(bits)))
    w.push_present(address.nulls)
    body.op(Op.SELECT)
    body.set(base)
    return Value(is_set=True, bits=bits, base=base)
