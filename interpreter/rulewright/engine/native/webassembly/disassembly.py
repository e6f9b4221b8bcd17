"""Modules of machine code, read from their binary format."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.engine.native.webassembly.encoding import PREAMBLE, Section, Type

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
        found = bits = 0
        while True:
            byte = self.byte()
            found |= (byte & 0x7F) << bits
            bits += 7
            if byte < 0x80:
                return found

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
