"""Sets of places moved by a step of the map: on a grid a step is a shift of bits (as chess programs move bitboards)."""

from __future__ import annotations

from functools import reduce
from operator import or_

from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.values import MASK, Value, constant_set
from rulewright.engine.native.webassembly.terms import I64, Term, const
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


def shifted_back(writer: FunctionWriter, v: Value, shift: Shift) -> Value:
    """The places from which steps lead into a set."""
    size = shift.places.bit_length()
    if not size:
        return constant_set(0)
    result = writer.allocate_set(size)
    further, bits = divmod(shift.by, WORD_BITS)
    for number in range(words(size)):
        places = shift.places >> WORD_BITS * number & MASK
        writer.body.set(result.locals[number], _shifted(v, number + further, bits) & places)
    return result


def _shifted(v: Value, number: int, bits: int) -> Term:
    """64 bits of a set, beginning so many bits behind the begin of a word."""
    if not bits:
        return v.word(number) if 0 <= number < v.words else const(0, I64)
    parts = [v.word(number) >> bits] if 0 <= number < v.words else []
    if 0 <= number + 1 < v.words:
        parts.append(v.word(number + 1) << WORD_BITS - bits)
    return reduce(or_, parts) if parts else const(0, I64)
