"""Types of kernels in linear memory: what takes how much room, where the fields of a record lie, and a look at them."""

from __future__ import annotations

import ast
import struct
import sys
from collections.abc import Callable
from operator import add
from types import SimpleNamespace
from typing import Any

from rulewright.engine.native.webassembly.encoding import Type
from rulewright.foundation.lazy_dataclass import dataclass

I32, I64, F64 = Type.I32, Type.I64, Type.F64


@dataclass(frozen=True, slots=True)
class Scalar:
    """A number."""

    kind: Type
    size = property(lambda self: 4 if self.kind is I32 else 8)


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a record, or none; in a row the record itself."""

    record: type
    kind, size = I32, 4


@dataclass(frozen=True, slots=True)
class Link:
    """The address of a record in a row of addresses."""

    record: type
    kind, size = I32, 4


@dataclass(frozen=True, slots=True)
class Row:
    """The address of items side by side."""

    item: Scalar | Address | Link
    kind, size = I32, 4


@dataclass(frozen=True, slots=True)
class VectorType:
    """A vector, which lies in a record: where its items are, how many, for how many there is room, and the most."""

    record: type
    kind, size = I32, 16


ITEMS, COUNT, ROOM, MOST = 0, 4, 8, 12


@dataclass(frozen=True, slots=True)
class Interface:
    """A protocol, of which each world has its own implementation; it takes no room."""

    protocol: type
    kind, size = I32, 0


Kind = Scalar | Address | Link | Row | VectorType | Interface
INT, WORD, REAL = Scalar(I32), Scalar(I64), Scalar(F64)
_NAMED: dict[str, Kind] = {
    "int": INT, "bool": INT, "Word": WORD, "float": REAL, "Words": Row(WORD), "Numbers": Row(WORD), "Reals": Row(REAL),
    "Floats": Row(REAL),
}  # fmt: skip
_GENERIC: dict[str, Callable[[type], Kind]] = {
    "Vector": VectorType,
    "Records": lambda record: Row(Address(record)),
    "Links": lambda record: Row(Link(record)),
}


def kind_of(annotation: ast.expr, names: dict[str, Any]) -> Kind | None:
    """The type that an annotation names in a module; nothing for one that the subset does not have."""
    match annotation:
        case ast.BinOp(left, ast.BitOr(), ast.Constant(None)):
            return kind_of(left, names)
        case ast.Name(name) if name in _NAMED:
            return _NAMED[name]
        case ast.Name(name) if isinstance(found := names.get(name), type):
            return Interface(found) if getattr(found, "_is_protocol", False) else Address(found)
        case ast.Subscript(ast.Name(name), ast.Name(item)) if name in _GENERIC and isinstance(names.get(item), type):
            return _GENERIC[name](names[item])
        case _:
            return None


_FORMS = {I32: "i", I64: "q", F64: "d"}


class RecordLayout:
    """The fields of a record at their offsets, each behind the last one; fields that are `absent` take no room."""

    def __init__(self, record: type, absent: frozenset[str] = frozenset()) -> None:
        names = vars(sys.modules[record.__module__])
        self.fields: dict[str, tuple[int, Kind]] = {}
        at, alignment = 0, 4
        for name, annotation in record.__annotations__.items():
            kind = kind_of(ast.parse(annotation, mode="eval").body, names)
            assert kind is not None, f"{record.__qualname__}.{name}: {annotation} is no type of kernels"
            if name in absent:
                continue
            each = 8 if kind.size == 8 else 4
            at = -(-at // each) * each if kind.size else at
            self.fields[name] = at, kind
            at, alignment = at + kind.size, max(alignment, each)
        self.size = -(-at // alignment) * alignment
        """The bytes of a record."""
        there = [(name, at, kind) for name, (at, kind) in self.fields.items() if kind.size]
        self.names = [name for name, *_ in there]
        self.vectors = [(n, kind.record) for n, (*_, kind) in enumerate(there) if isinstance(kind, VectorType)]
        """The vectors among them, each with its number and the record of its items."""
        ends = [0, *(at + kind.size for _, at, kind in there)]
        gaps = [f"{at - end}x" for end, (_, at, _) in zip(ends, there, strict=False)]
        forms = [f"{kind.size}s" if isinstance(kind, VectorType) else _FORMS[kind.kind] for *_, kind in there]
        self.form = struct.Struct(f"<{''.join(map(add, gaps, forms))}{self.size - ends[-1]}x")
        """The form of its bytes."""


class Layouts:
    """The layouts of records in one program."""

    def __init__(self, absent: frozenset[str] = frozenset()) -> None:
        self.absent = absent
        self._known: dict[type, RecordLayout] = {}

    def of(self, record: type) -> RecordLayout:
        """The layout of a record."""
        if record not in self._known:
            self._known[record] = RecordLayout(record, self.absent)
        return self._known[record]

    def step(self, item: Kind) -> int:
        """The bytes from one item of a row to the next."""
        return self.of(item.record).size if isinstance(item, Address) else item.size


class RecordView:
    """Records in the memory of an instance, for the host: fields by name, vectors as lists of addresses."""

    def __init__(self, layouts: Layouts, read: Callable[[int, int], bytes]) -> None:
        self._layouts, self._read = layouts, read

    def record(self, record: type, address: int) -> SimpleNamespace:
        """The fields of a record at an address."""
        layout = self._layouts.of(record)
        values: list[Any] = list(layout.form.unpack(self._read(address, layout.size)))
        for number, item in layout.vectors:
            items, count = struct.unpack("<2i8x", values[number])
            step = self._layouts.of(item).size
            values[number] = range(items, items + step * count, step) if count else range(0)
        return SimpleNamespace(**dict(zip(layout.names, values, strict=True)))
