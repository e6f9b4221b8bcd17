"""The body of one function of WebAssembly while it is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby

from rulewright.engine.native.webassembly.encoding import ALIGNMENT, Op, Type, signed, unsigned, vector

WORD = 1 << 64
_NEAR = 128
_GET, _SET, _TEE = (
    [bytes((op, number)) for number in range(_NEAR)] for op in (Op.LOCAL_GET, Op.LOCAL_SET, Op.LOCAL_TEE)
)
"""The encoded instructions about the first locals: every other instruction is one of these."""


class Mark:
    """A place in code that is being written."""

    def __init__(self, at: int) -> None:
        self.at = at


class FunctionBody:
    """Instructions, locals and labels. A label is the depth of its block: branches count from the innermost one."""

    def __init__(self, params: Sequence[Type]) -> None:
        self._params = len(params)
        self._locals: list[Type] = []
        self._code = bytearray()
        self._depth = 0
        self._marks: list[Mark] = []

    # ----------------------------------------------------------------------------------------------- instructions

    def op(self, *ops: Op) -> None:
        """Instructions without operands in the code."""
        self._code += bytes(ops)

    def raw(self, code: bytes) -> None:
        """Instructions that are encoded already."""
        self._code += code

    def i32(self, value: int) -> None:
        """A constant of 32 bits."""
        self._code.append(Op.I32_CONST)
        self._code += signed(value - (1 << 32) if value >= 1 << 31 else value)

    def i64(self, value: int) -> None:
        """A constant of 64 bits."""
        self._code.append(Op.I64_CONST)
        self._code += signed(value - WORD if value >= 1 << 63 else value)

    def local(self, kind: Type) -> int:
        """A new local, which is 0 at first."""
        self._locals.append(kind)
        return self._params + len(self._locals) - 1

    def get(self, local: int) -> None:
        """Push a local."""
        self._code += _GET[local] if local < _NEAR else bytes((Op.LOCAL_GET,)) + unsigned(local)

    def set(self, local: int) -> None:
        """Pop into a local."""
        self._code += _SET[local] if local < _NEAR else bytes((Op.LOCAL_SET,)) + unsigned(local)

    def tee(self, local: int) -> None:
        """Copy the top of the stack into a local."""
        self._code += _TEE[local] if local < _NEAR else bytes((Op.LOCAL_TEE,)) + unsigned(local)

    def increase(self, local: int, by: int) -> None:
        """Add a constant to a local of 32 bits."""
        self._change(local, Op.I32_ADD, by)

    def decrease(self, local: int, by: int) -> None:
        """Subtract a constant from a local of 32 bits."""
        self._change(local, Op.I32_SUB, by)

    def _change(self, local: int, op: Op, by: int) -> None:
        self.get(local)
        self.i32(by)
        self.op(op)
        self.set(local)

    def get_global(self, number: int) -> None:
        """Push a global."""
        self._numbered(Op.GLOBAL_GET, number)

    def set_global(self, number: int) -> None:
        """Pop into a global."""
        self._numbered(Op.GLOBAL_SET, number)

    def call(self, function: int) -> None:
        """Call a function by its number."""
        self._numbered(Op.CALL, function)

    def call_indirect(self, kind: int) -> None:
        """Call the function whose number in the table lies on the stack."""
        self._numbered(Op.CALL_INDIRECT, kind)
        self._code.append(0)

    def memory(self, op: Op, offset: int = 0) -> None:
        """Load or store; the address lies on the stack (below the value), `offset` is added to it."""
        self._code += bytes((op, ALIGNMENT[op])) + unsigned(offset)

    def _numbered(self, op: Op, number: int) -> None:
        self._code.append(op)
        self._code += unsigned(number)

    def entered(self) -> None:
        """A rule is come to here; for those who count."""

    # --------------------------------------------------------------------------------------------- structured code

    @contextmanager
    def block(self) -> Iterator[int]:
        """A block; branches to its label go behind it."""
        yield self._open(Op.BLOCK)
        self._close()

    @contextmanager
    def loop(self) -> Iterator[int]:
        """A loop; branches to its label go to its begin."""
        yield self._open(Op.LOOP)
        self._close()

    @contextmanager
    def when(self) -> Iterator[None]:
        """Code for the case that the top of the stack is not 0."""
        self._open(Op.IF)
        yield
        self._close()

    def otherwise(self) -> None:
        """From here on the code for the case that it is 0."""
        self._code.append(Op.ELSE)

    def branch(self, label: int) -> None:
        """Go to a label."""
        self._numbered(Op.BR, self._depth - label)

    def branch_if(self, label: int) -> None:
        """Go to a label if the top of the stack is not 0."""
        self._numbered(Op.BR_IF, self._depth - label)

    def branch_table(self, labels: Sequence[int], default: int) -> None:
        """Go to the label whose number lies on the stack."""
        self._code.append(Op.BR_TABLE)
        self._code += vector([unsigned(self._depth - label) for label in labels])
        self._code += unsigned(self._depth - default)

    def open_block(self) -> int:
        """Begin a block that :meth:`close_block` ends."""
        return self._open(Op.BLOCK)

    def close_block(self) -> None:
        """End the innermost block."""
        self._close()

    def _open(self, op: Op) -> int:
        self._code += bytes((op, Type.VOID))
        self._depth += 1
        return self._depth

    def _close(self) -> None:
        self._code.append(Op.END)
        self._depth -= 1

    # --------------------------------------------------------------------------------------------------- insertion

    def mark(self) -> Mark:
        """This place in the code, which can be found again when more is written before it."""
        self._marks.append(Mark(len(self._code)))
        return self._marks[-1]

    def insert(self, mark: Mark, write: Callable[[], object]) -> None:
        """Write something at an earlier place, behind what was inserted there before.

        Code does not depend on where it stands, as branches count blocks; this must not branch to those around it.
        """
        at, after = mark.at, self._code[mark.at :]
        del self._code[at:]
        write()
        length = len(self._code) - at
        self._code += after
        for other in self._marks:
            if other.at > at or other is mark:
                other.at += length

    # ------------------------------------------------------------------------------------------------------ output

    def encoded(self) -> bytes:
        """The entry of the code section."""
        assert self._depth == 0, "a block is open"
        runs = [(kind, len(list(run))) for kind, run in groupby(self._locals)]
        head = vector([unsigned(count) + bytes((kind,)) for kind, count in runs])
        content = head + bytes(self._code) + bytes((Op.END,))
        return unsigned(len(content)) + content
