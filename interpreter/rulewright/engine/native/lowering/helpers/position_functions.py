"""The function behind fingerprints of positions, which is part of a module if anybody calls it."""

from __future__ import annotations

from rulewright.engine.chance_streams import GAMMA
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.lazy_functions import function
from rulewright.engine.native.webassembly.module import Module
from rulewright.engine.native.webassembly.terms import I64, Local, Term, const


class PositionFunctions:
    """The number of the function, which is written when it is first asked for."""

    def __init__(self, module: Module) -> None:
        self.module = module

    @function("positions", I64, I64, I64, I64, gives=I64)
    def added(self, body: FunctionBody, total: Local, word: Local, at: Local, lane: Local) -> None:
        """A lane (the first argument), with what a word of a number (the second and third) adds to it; the fourth is
        the number of the lane. See :mod:`rulewright.engine.cells.fingerprint`."""
        mixed = body.local(I64)
        body.set(mixed, at * GAMMA + lane)
        body.set(mixed, mix(body, mixed) ^ word)
        body.push(mix(body, mixed) + total)


def mix(body: FunctionBody, word: Local) -> Term:
    """A local mixed by the finaliser of SplitMix64; it is changed here."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        body.set(word, (word ^ word >> shift) * const(factor, I64))
    return word ^ word >> 31
