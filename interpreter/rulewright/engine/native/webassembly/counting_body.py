"""The body of a function that counts the instructions it carries out, by the rules that they were written for.

Straight-line code is counted at its end, as virtual machines count what they call fuel: an addition before each branch,
call and begin or end of a block.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.engine.native.webassembly.encoding import ALIGNMENT, Op, Type, signed, unsigned
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.instructions import Mark

_LEAVE = frozenset((Op.RETURN, Op.UNREACHABLE))
_NUMBERED = frozenset((Op.BR, Op.BR_IF, Op.CALL, Op.CALL_INDIRECT))


class CountingBody(FunctionBody):
    """A body with counters; `rule` tells for whom code is written now, `counter` where it is counted."""

    def __init__(self, params: Sequence[Type], rule: Callable[[], str], counter: Callable[[str], int]) -> None:
        super().__init__(params)
        self._rule, self._counter = rule, counter
        self._for, self._pending = "", 0

    def _note(self, count: int = 1) -> None:
        rule = self._rule()
        if rule != self._for:
            self._flush()
            self._for = rule
        self._pending += count

    def _flush(self) -> None:
        """Count what was written since the last time, here: nothing on the stack is touched."""
        if self._pending:
            self._add(self._counter(self._for), self._pending)
            self._pending = 0

    def _add(self, address: int, number: int) -> None:
        zero, at = bytes((Op.I32_CONST, 0)), unsigned(address)
        self._code += zero + zero + bytes((Op.I64_LOAD, ALIGNMENT[Op.I64_LOAD])) + at
        self._code += bytes((Op.I64_CONST,)) + signed(number) + bytes((Op.I64_ADD,))
        self._code += bytes((Op.I64_STORE, ALIGNMENT[Op.I64_STORE])) + at

    def entered(self) -> None:
        """Count that the rule is come to."""
        self._add(self._counter(self._rule()) + 8, 1)

    # ------------------------------------------------------------------------------------- what is written and counted

    def op(self, op: Op) -> None:
        """An instruction without operands in the code."""
        self._note()
        if op in _LEAVE:
            self._flush()
        super().op(op)

    def write(self, code: bytes, count: int) -> None:
        """Instructions that are encoded already."""
        begin = 0
        if count:
            if self._rule() != self._for:  # those before are counted behind the first looks at locals
                begin = _behind_locals(code)
                super().write(code[:begin], 0)
            self._note(count)
        super().write(code[begin:], count)

    def memory(self, op: Op, offset: int = 0) -> None:
        """Load or store."""
        self._note()
        super().memory(op, offset)

    def _numbered(self, op: Op, number: int) -> None:
        self._note()
        if op in _NUMBERED:
            self._flush()
        super()._numbered(op, number)

    def br_table(self, labels: Sequence[int], default: int) -> None:
        """Go to the label whose number lies on the stack."""
        self._note()
        self._flush()
        super().br_table(labels, default)

    def open(self, op: Op) -> int:
        """Begin a block."""
        self._note()
        self._flush()
        return super().open(op)

    def close(self) -> None:
        """End a block."""
        self._flush()
        super().close()

    def insert(self, mark: Mark, write: Callable[[], object]) -> None:
        """Write something at an earlier place, and count it there."""
        kept = self._for, self._pending
        self._for, self._pending = "", 0

        def counted() -> None:
            write()
            self._flush()

        super().insert(mark, counted)
        self._for, self._pending = kept

    def encoded(self) -> bytes:
        """The entry of the code section."""
        self._flush()
        return super().encoded()


def _behind_locals(code: bytes) -> int:
    """The offset of the first instruction that does not look at a local."""
    at = 0
    while code[at] == Op.LOCAL_GET:
        at += 1
        while code[at] > 0x7F:
            at += 1
        at += 1
    return at
