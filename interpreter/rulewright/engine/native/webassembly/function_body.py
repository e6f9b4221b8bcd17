"""The body of one function of WebAssembly while it is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from rulewright.engine.native.webassembly.encoding import (
    Op,
    Type,
    constant,
    local_access,
    memory_access,
    unsigned,
    vector,
)

WORD = 1 << 64
_GET, _SET, _TEE, _I32, _I64 = Op.LOCAL_GET, Op.LOCAL_SET, Op.LOCAL_TEE, Op.I32_CONST, Op.I64_CONST


class Mark:
    """A place in code that is being written."""

    def __init__(self, at: int) -> None:
        self.at = at


class Block:
    """A block that is open within a `with`: a class of its own, as generators take a tenth of the compiler's time."""

    __slots__ = ("_body", "_op")

    def __init__(self, body: FunctionBody, op: Op) -> None:
        self._body, self._op = body, op

    def __enter__(self) -> int:
        return self._body.open(self._op)

    def __exit__(self, *_: object) -> None:
        self._body.close()


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
        self._code += constant(_I32, value - (1 << 32) if value >= 1 << 31 else value)

    def i64(self, value: int) -> None:
        """A constant of 64 bits."""
        self._code += constant(_I64, value - WORD if value >= 1 << 63 else value)

    def local(self, kind: Type) -> int:
        """A new local, which is 0 at first."""
        self._locals.append(kind)
        return self._params + len(self._locals) - 1

    def get(self, local: int) -> None:
        """Push a local."""
        self._code += local_access(_GET, local)

    def set(self, local: int) -> None:
        """Pop into a local."""
        self._code += local_access(_SET, local)

    def tee(self, local: int) -> None:
        """Copy the top of the stack into a local."""
        self._code += local_access(_TEE, local)

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
        self._code += memory_access(op, offset)

    def _numbered(self, op: Op, number: int) -> None:
        self._code.append(op)
        self._code += unsigned(number)

    def entered(self) -> None:
        """A rule is come to here; for those who count."""

    # --------------------------------------------------------------------------------------------- structured code

    def block(self) -> Block:
        """A block; branches to its label go behind it."""
        return Block(self, Op.BLOCK)

    def loop(self) -> Block:
        """A loop; branches to its label go to its begin."""
        return Block(self, Op.LOOP)

    def when(self) -> Block:
        """Code for the case that the top of the stack is not 0."""
        return Block(self, Op.IF)

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

    def open(self, op: Op) -> int:
        """Begin a block of some kind that :meth:`close` ends; its label."""
        self._code += bytes((op, Type.VOID))
        self._depth += 1
        return self._depth

    def close(self) -> None:
        """End the innermost block."""
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
