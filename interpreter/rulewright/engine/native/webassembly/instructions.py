"""The instructions of one function of WebAssembly while they are written: bytes, locals, labels, insertion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from rulewright.engine.native.webassembly.encoding import (
    Op,
    Type,
    local_access,
    memory_access,
    unsigned,
    vector,
)


class Mark:
    """A place in code that is being written."""

    def __init__(self, at: int) -> None:
        self.at = at


class Instructions:
    """Instructions, locals and labels. A label is the depth of its block: branches count from the innermost one."""

    def __init__(self, params: Sequence[Type]) -> None:
        self._params = tuple(params)
        self._locals: list[Type] = []
        self._code = bytearray()
        self._open: list[Op] = []
        """The instructions that have begun the blocks which are open."""
        self._closed = 0
        """The end of the `if` that was closed last."""
        self._marks: list[Mark] = []

    # ----------------------------------------------------------------------------------------------- instructions

    def op(self, op: Op) -> None:
        """An instruction without operands in the code."""
        self._code.append(op)

    def write(self, code: bytes, count: int) -> None:
        """Instructions that are encoded already: so many, looks at locals not counted. There are no branches, calls and
        begins or ends of blocks among them."""
        self._code += code

    def new_local(self, kind: Type) -> int:
        """The number of a new local, which is 0 at first."""
        self._locals.append(kind)
        return len(self._params) + len(self._locals) - 1

    def local_tee(self, number: int) -> None:
        """Copy the top of the stack into a local."""
        self._code += local_access(Op.LOCAL_TEE, number)

    def global_set(self, number: int) -> None:
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

    def branch(self, label: int) -> None:
        """Go to a label."""
        self._numbered(Op.BR, len(self._open) - label)

    def br_if(self, label: int) -> None:
        """Go to a label if the top of the stack is not 0."""
        self._numbered(Op.BR_IF, len(self._open) - label)

    def br_table(self, labels: Sequence[int], default: int) -> None:
        """Go to the label whose number lies on the stack."""
        self._code.append(Op.BR_TABLE)
        self._code += vector([unsigned(len(self._open) - label) for label in labels])
        self._code += unsigned(len(self._open) - default)

    def open(self, op: Op) -> int:
        """Begin a block of some kind that :meth:`close` ends; its label."""
        self._code += bytes((op, Type.VOID))
        self._open.append(op)
        return len(self._open)

    def close(self) -> None:
        """End the innermost block."""
        self._code.append(Op.END)
        if self._open.pop() is Op.IF:
            self._closed = len(self._code)

    def reopen(self) -> int:
        """Go on with the other case of the `if` that has just been closed."""
        assert self._closed == len(self._code), "something stands between an if and its else"
        self._code[-1] = Op.ELSE
        self._open.append(Op.ELSE)
        return len(self._open)

    # --------------------------------------------------------------------------------------------------- insertion

    def mark(self) -> Mark:
        """A place in the code, which can be found again when more is written before it."""
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
        assert not self._open, "a block is open"
        runs = [(kind, len(list(run))) for kind, run in groupby(self._locals)]
        head = vector([unsigned(count) + bytes((kind,)) for kind, count in runs])
        content = head + bytes(self._code) + bytes((Op.END,))
        return unsigned(len(content)) + content
