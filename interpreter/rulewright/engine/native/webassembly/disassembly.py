"""Machine code read from its binary format, and as text, one instruction a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from struct import unpack

from rulewright.engine.native.webassembly.encoding import ALIGNMENT, PREAMBLE, Op, Section, Type

_FUNCTION = 0
_OF_FUNCTIONS = 0x60


class Reader:
    """Numbers and names of the binary format, read one after the other."""

    def __init__(self, code: bytes) -> None:
        self.code, self.at = code, 0

    def byte(self) -> int:
        """The next byte."""
        self.at += 1
        return self.code[self.at - 1]

    def unsigned(self) -> int:
        """A number in LEB128."""
        return self._number()[0]

    def signed(self) -> int:
        """A number in LEB128 whose last byte has the sign."""
        found, bits = self._number()
        return found - (1 << bits) if found >> bits - 1 & 1 else found

    def _number(self) -> tuple[int, int]:
        found = bits = 0
        while True:
            byte = self.byte()
            found |= (byte & 0x7F) << bits
            bits += 7
            if byte < 0x80:
                return found, bits

    def real(self) -> float:
        """The next float."""
        self.at += 8
        (found,) = unpack("<d", self.code[self.at - 8 : self.at])
        return float(found)

    def part(self) -> bytes:
        """Bytes after their number."""
        size = self.unsigned()
        self.at += size
        return self.code[self.at - size : self.at]


def sections_of(module: bytes) -> dict[int, bytes]:
    """The content of each section."""
    reader, sections = Reader(module), dict[int, bytes]()
    reader.at = len(PREAMBLE)
    while reader.at < len(module):
        kind = reader.byte()
        sections[kind] = reader.part()
    return sections


def exported_functions(sections: Mapping[int, bytes]) -> dict[str, int]:
    """The numbers of the exported functions by their names."""
    exports, found = Reader(sections[Section.EXPORT]), {}
    for _ in range(exports.unsigned()):
        name, kind, number = exports.part().decode(), exports.byte(), exports.unsigned()
        if kind == _FUNCTION:
            found[name] = number
    return found


def exported_parameters(module: bytes) -> dict[str, tuple[Type, ...]]:
    """The types of the parameters of the exported functions."""
    sections = sections_of(module)
    if Section.FUNCTION not in sections:
        return {}
    types, kinds = Reader(sections[Section.TYPE]), list[tuple[Type, ...]]()
    for _ in range(types.unsigned()):
        assert types.byte() == _OF_FUNCTIONS
        kinds.append(tuple(Type(types.byte()) for _ in range(types.unsigned())))
        types.part()  # the results
    functions = Reader(sections[Section.FUNCTION])
    declared = [kinds[functions.unsigned()] for _ in range(functions.unsigned())]
    return {name: declared[number] for name, number in exported_functions(sections).items()}


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
        name: "".join(f"{line}\n" for line in _body(Reader(bodies[number])))
        for name, number in exported_functions(sections).items()
    }


def _body(reader: Reader) -> Iterator[str]:
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


def _operands(op: Op, reader: Reader) -> str:
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


def _bulk(reader: Reader) -> str:
    """An instruction for a whole range of memory."""
    name = {10: "memory.copy", 11: "memory.fill"}[reader.unsigned()]
    for _ in range(2 if name == "memory.copy" else 1):
        reader.byte()
    return name
