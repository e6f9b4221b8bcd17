"""The functions behind fingerprints of positions, which are part of a module if anybody calls them."""

from __future__ import annotations

from rulewright.engine.chance_streams import GAMMA
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.lazy_functions import function
from rulewright.engine.native.webassembly.module import Module
from rulewright.engine.native.webassembly.terms import I64, Local, Term, const


class PositionFunctions:
    """The numbers of the functions, which are written when they are first asked for."""

    def __init__(self, module: Module) -> None:
        self.module = module

    @function("positions", I64, I64, I64, gives=I64)
    def added(self, body: FunctionBody, total: Local, word: Local, key: Local) -> None:
        """A lane (the first argument), with what a word of a number adds to it, whose key is the third argument. See
        :mod:`rulewright.engine.cells.fingerprint`."""
        mixed = body.hold(word ^ key)
        body.push(mix(body, mixed) + total)

    @function("positions", I64, I64, gives=I64)
    def key(self, body: FunctionBody, at: Local, lane: Local) -> None:
        """The key of words with a number in a lane."""
        mixed = body.hold(at * GAMMA + lane)
        body.push(mix(body, mixed))


def mix(body: FunctionBody, word: Local) -> Term:
    """A local mixed by the finaliser of SplitMix64; it is changed here."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        body.set(word, (word ^ word >> shift) * const(factor, I64))
    return word ^ word >> 31
