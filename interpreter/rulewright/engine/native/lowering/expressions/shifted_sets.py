"""Sets of places moved by a step of the map: on a grid a step is a shift of bits (as chess programs move bitboards)."""

from __future__ import annotations

from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.values import Value, constant_set
from rulewright.engine.native.webassembly.encoding import Op
from rulewright.engine.native.word_sizes import WORD_BITS, is_large, words
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.graphs import against, walks
from rulewright.ir.model import NONE

FAR = 16
"""Longer ways are not asked for at once."""


@dataclass(frozen=True, slots=True)
class Shift:
    """Steps that lead from every place, where they lead to one, to that with a number so much larger."""

    by: int
    places: int
    """The places from which they lead to one, as a set."""


def shift_of(graph: m.Graph, direction: int, steps: int) -> Shift | None:
    """The shift that some steps in a direction are; None if they are none."""
    if not 0 <= direction < len(graph.towards) or abs(steps) > FAR or is_large(len(graph.neighbours)):
        return None
    reached = walks(graph.towards if steps >= 0 else against(graph.towards), 1 + abs(steps))[-1][direction]
    by = {to - place for place, to in enumerate(reached) if to != NONE}
    if len(by) > 1:
        return None
    return Shift(next(iter(by), 0), sum(1 << place for place, to in enumerate(reached) if to != NONE))


def shifted_back(w: FunctionWriter, v: Value, shift: Shift) -> Value:
    """The places from which steps lead into a set."""
    size = shift.places.bit_length()
    if not size:
        return constant_set(0)
    body, result = w.body, w.allocate_set(size)
    further, bits = divmod(shift.by, WORD_BITS)
    for number in range(words(size)):
        _push_shifted(w, v, number + further, bits)
        body.i64(shift.places >> WORD_BITS * number & (1 << WORD_BITS) - 1)
        body.op(Op.I64_AND)
        body.set(result.locals[number])
    return result


def _push_shifted(w: FunctionWriter, v: Value, number: int, bits: int) -> None:
    """Push 64 bits of a set, beginning so many bits behind the begin of a word."""
    parts = [(number, bits, Op.I64_SHR_U), (number + 1, WORD_BITS - bits, Op.I64_SHL)][: 2 if bits else 1]
    known = [part for part in parts if 0 <= part[0] < v.words]
    if not known:
        w.body.i64(0)
    for order, (word, by, op) in enumerate(known):
        w.push_word(v, word)
        if by:
            w.body.i64(by)
            w.body.op(op)
        if order:
            w.body.op(Op.I64_OR)
