"""The function behind fingerprints of positions, which is part of a module if anybody calls it."""

from __future__ import annotations

from functools import cached_property

from rulewright.engine.chance_streams import GAMMA
from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.module import Module


class PositionFunctions:
    """The number of the function, which is written when it is first asked for."""

    def __init__(self, module: Module) -> None:
        self._module = module

    @cached_property
    def added(self) -> int:
        """A lane (the first argument), with what a word of a number (the second and third) adds to it; the fourth is
        the number of the lane. See :mod:`rulewright.engine.cells.fingerprint`."""
        number = self._module.declare((Type.I64,) * 4, (Type.I64,))
        body = self._module.body(number, "positions")
        total, word, at, lane = range(4)
        mixed = body.local(Type.I64)
        body.get(at)
        body.i64(GAMMA)
        body.op(Op.I64_MUL)
        body.get(lane)
        body.op(Op.I64_ADD)
        body.set(mixed)
        push_mixed(body, mixed)
        body.get(word)
        body.op(Op.I64_XOR)
        body.set(mixed)
        push_mixed(body, mixed)
        body.get(total)
        body.op(Op.I64_ADD)
        self._module.define(number, body)
        return number


def push_mixed(body: FunctionBody, word: int) -> None:
    """Mix a local by the finaliser of SplitMix64, and push it."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        body.get(word)
        body.get(word)
        body.i64(shift)
        body.op(Op.I64_SHR_U, Op.I64_XOR)
        body.i64(factor)
        body.op(Op.I64_MUL)
        body.set(word)
    body.get(word)
    body.get(word)
    body.i64(31)
    body.op(Op.I64_SHR_U, Op.I64_XOR)
