"""Machine code as text, one instruction a line."""

from __future__ import annotations

from collections.abc import Iterator
from struct import unpack

from rulewright.engine.native.webassembly.disassembly import Reader, exported_functions, sections_of
from rulewright.engine.native.webassembly.encoding import ALIGNMENT, Op, Section, Type


class _CodeReader(Reader):
    """Operands of instructions, too."""

    def signed(self) -> int:
        """A number in LEB128 whose last byte has the sign."""
        begin = self.at
        found, bits = self.unsigned(), 7 * (self.at - begin)
        return found - (1 << bits) if found >> bits - 1 & 1 else found

    def real(self) -> float:
        """The next float."""
        self.at += 8
        (found,) = unpack("<d", self.code[self.at - 8 : self.at])
        return float(found)


_INDEX = {
    Op.BR, Op.BR_IF, Op.CALL, Op.LOCAL_GET, Op.LOCAL_SET, Op.LOCAL_TEE, Op.GLOBAL_GET, Op.GLOBAL_SET,
}  # fmt: skip
_OPENING = {Op.BLOCK, Op.LOOP, Op.IF}
_BULK = 0xFC


def function_texts(module: bytes) -> dict[str, str]:
    """The exported functions of a module by their names: locals and instructions as text."""
    sections = sections_of(module)
    code = Reader(sections[Section.CODE])
    bodies = [code.part() for _ in range(code.unsigned())]
    return {
        name: "".join(f"{line}\n" for line in _body(_CodeReader(bodies[number])))
        for name, number in exported_functions(sections).items()
    }


def _body(reader: _CodeReader) -> Iterator[str]:
    """The lines of a function."""
    for _ in range(reader.unsigned()):
        many, kind = reader.unsigned(), Type(reader.byte())
        yield f"(local {many} of {kind.name.lower()})"
    depth = 0
    while reader.at < len(reader.code):
        number = reader.byte()
        if number == _BULK:
            yield "  " * depth + _bulk(reader)
            continue
        op = Op(number)
        depth -= op in (Op.END, Op.ELSE)
        if depth >= 0:
            yield "  " * depth + _written(op) + _operands(op, reader)
        depth += op in _OPENING or op is Op.ELSE


def _written(op: Op) -> str:
    """The name of an instruction in the text format: ``i32.add``, ``local.get``, ``br_if``."""
    first, _, rest = op.name.lower().partition("_")
    return f"{first}.{rest}" if first in ("i32", "i64", "f64", "local", "global") else op.name.lower()


def _operands(op: Op, reader: _CodeReader) -> str:
    """Operands of an instruction, as they are written behind it."""
    if op in _OPENING:
        kind = Type(reader.byte())
        return "" if kind is Type.VOID else f" (result {kind.name.lower()})"
    if op in _INDEX:
        return f" {reader.unsigned()}"
    if op in (Op.I32_CONST, Op.I64_CONST):
        return f" {reader.signed()}"
    if op is Op.F64_CONST:
        return f" {reader.real()!r}"
    if op in ALIGNMENT:
        reader.unsigned()
        offset = reader.unsigned()
        return f" offset={offset}" if offset else ""
    if op is Op.BR_TABLE:
        return "".join(f" {reader.unsigned()}" for _ in range(reader.unsigned() + 1))
    if op is Op.CALL_INDIRECT:
        called, _ = reader.unsigned(), reader.unsigned()
        return f" (type {called})"
    return ""


def _bulk(reader: _CodeReader) -> str:
    """An instruction for a whole range of memory."""
    name = {10: "memory.copy", 11: "memory.fill"}[reader.unsigned()]
    for _ in range(2 if name == "memory.copy" else 1):
        reader.byte()
    return name
