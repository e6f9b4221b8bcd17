"""The binary format of WebAssembly (Core Specification) and the instructions of one function while they are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from functools import lru_cache
from itertools import groupby

PREAMBLE = b"\0asm\x01\0\0\0"


class Type(IntEnum):
    """Types of values, and the type of a block without a result."""

    I32 = 0x7F
    I64 = 0x7E
    F64 = 0x7C
    VOID = 0x40


class Section(IntEnum):
    """Sections, which stand in this order but for `DATA_COUNT`."""

    CUSTOM = 0
    TYPE = 1
    FUNCTION = 3
    TABLE = 4
    MEMORY = 5
    GLOBAL = 6
    EXPORT = 7
    ELEMENT = 9
    CODE = 10
    DATA = 11


class Op(IntEnum):
    """Instructions of one byte."""

    code: bytes
    """The byte itself."""

    def __init__(self, value: int) -> None:
        self.code = bytes((value,))

    UNREACHABLE = 0x00
    BLOCK = 0x02
    LOOP = 0x03
    IF = 0x04
    ELSE = 0x05
    END = 0x0B
    BR = 0x0C
    BR_IF = 0x0D
    BR_TABLE = 0x0E
    RETURN = 0x0F
    CALL = 0x10
    CALL_INDIRECT = 0x11
    DROP = 0x1A
    SELECT = 0x1B
    LOCAL_GET = 0x20
    LOCAL_SET = 0x21
    LOCAL_TEE = 0x22
    GLOBAL_GET = 0x23
    GLOBAL_SET = 0x24
    I32_LOAD = 0x28
    I64_LOAD = 0x29
    F64_LOAD = 0x2B
    I64_LOAD32_S = 0x34
    I32_LOAD8_U = 0x2D
    I64_LOAD32_U = 0x35
    I32_STORE = 0x36
    I64_STORE = 0x37
    F64_STORE = 0x39
    I32_STORE8 = 0x3A
    I64_STORE32 = 0x3E
    I32_CONST = 0x41
    I64_CONST = 0x42
    F64_CONST = 0x44
    I32_EQZ = 0x45
    I32_EQ = 0x46
    I32_NE = 0x47
    I32_LT_S = 0x48
    I32_LT_U = 0x49
    I32_GT_S = 0x4A
    I32_GT_U = 0x4B
    I32_LE_S = 0x4C
    I32_GE_S = 0x4E
    I32_GE_U = 0x4F
    I64_EQZ = 0x50
    I64_EQ = 0x51
    I64_NE = 0x52
    I64_LT_S = 0x53
    I64_LT_U = 0x54
    I64_GT_S = 0x55
    I64_GE_U = 0x5A
    F64_EQ = 0x61
    F64_NE = 0x62
    F64_LT = 0x63
    F64_GT = 0x64
    F64_GE = 0x66
    I32_CLZ = 0x67
    I32_CTZ = 0x68
    I32_POPCNT = 0x69
    I32_ADD = 0x6A
    I32_SUB = 0x6B
    I32_MUL = 0x6C
    I32_DIV_S = 0x6D
    I32_REM_S = 0x6F
    I32_AND = 0x71
    I32_OR = 0x72
    I32_XOR = 0x73
    I32_SHL = 0x74
    I32_SHR_U = 0x76
    I64_CLZ = 0x79
    I64_CTZ = 0x7A
    I64_POPCNT = 0x7B
    I64_ADD = 0x7C
    I64_SUB = 0x7D
    I64_MUL = 0x7E
    I64_REM_U = 0x82
    I64_AND = 0x83
    I64_OR = 0x84
    I64_XOR = 0x85
    I64_SHL = 0x86
    I64_SHR_U = 0x88
    F64_SQRT = 0x9F
    F64_ADD = 0xA0
    F64_SUB = 0xA1
    F64_MUL = 0xA2
    F64_DIV = 0xA3
    I32_WRAP_I64 = 0xA7
    I64_EXTEND_I32_S = 0xAC
    I64_EXTEND_I32_U = 0xAD
    F32_DEMOTE_F64 = 0xB6
    F64_CONVERT_I32_S = 0xB7
    I32_REINTERPRET_F32 = 0xBC


ALIGNMENT = {
    Op.I32_LOAD: 2,
    Op.I64_LOAD: 3,
    Op.F64_LOAD: 3,
    Op.I64_LOAD32_S: 2,
    Op.I64_LOAD32_U: 2,
    Op.I32_STORE: 2,
    Op.I64_STORE: 3,
    Op.F64_STORE: 3,
    Op.I32_LOAD8_U: 0,
    Op.I32_STORE8: 0,
    Op.I64_STORE32: 2,
}
"""For each access to memory the power of two at which its addresses are expected."""
KEPT = 1 << 14
"""So many encoded numbers are kept: most come again and again."""
MEMORY_FILL = b"\xfc\x0b\x00"
MEMORY_COPY = b"\xfc\x0a\x00\x00"


@lru_cache(KEPT)
def unsigned(value: int) -> bytes:
    """A number in unsigned LEB128."""
    assert value >= 0, "an offset or index below 0"
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)


@lru_cache(KEPT)
def signed(value: int) -> bytes:
    """A number in signed LEB128."""
    found = bytearray()
    while not -0x40 <= value < 0x40:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value & 0x7F)
    return bytes(found)


@lru_cache(KEPT)
def local_access(op: Op, number: int) -> bytes:
    """An instruction about a local: every other instruction is one of these."""
    return bytes((op,)) + unsigned(number)


@lru_cache(KEPT)
def constant(op: Op, value: int) -> bytes:
    """A constant."""
    return bytes((op,)) + signed(value)


@lru_cache(KEPT)
def memory_access(op: Op, offset: int) -> bytes:
    """A load or store."""
    return bytes((op, ALIGNMENT[op])) + unsigned(offset)


def vector(items: Sequence[bytes]) -> bytes:
    """A vector: items with their number before them."""
    return unsigned(len(items)) + b"".join(items)


def name(text: str) -> bytes:
    """A name in UTF-8."""
    raw = text.encode()
    return unsigned(len(raw)) + raw


def section(kind: Section, content: bytes) -> bytes:
    """A section; an empty one is left out."""
    return bytes((kind,)) + unsigned(len(content)) + content if content else b""


def function_type(params: Iterable[Type], results: Iterable[Type]) -> bytes:
    """The type of a function."""
    return b"\x60" + vector([bytes((t,)) for t in params]) + vector([bytes((t,)) for t in results])


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
        behind = [(other, other.at - at) for other in self._marks if other.at > at or other is mark]
        del self._code[at:]
        write()  # it may insert something earlier itself, and make marks
        end = len(self._code)
        self._code += after
        for other, offset in behind:
            other.at = end + offset

    # ------------------------------------------------------------------------------------------------------ output

    def encoded(self) -> bytes:
        """The entry of the code section."""
        assert not self._open, "a block is open"
        runs = [(kind, len(list(run))) for kind, run in groupby(self._locals)]
        head = vector([unsigned(count) + bytes((kind,)) for kind, count in runs])
        content = head + bytes(self._code) + bytes((Op.END,))
        return unsigned(len(content)) + content
