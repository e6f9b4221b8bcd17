"""A module of WebAssembly: functions, written when their number is first needed, one memory, one table, globals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Protocol, cast

from rulewright.engine.native.webassembly.encoding import (
    PREAMBLE,
    Op,
    Section,
    Type,
    function_type,
    name,
    section,
    signed,
    unsigned,
    vector,
)
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import VOID, Global, Local

PAGE = 1 << 16
MOST_PAGES = 1 << 14
_CONST = {Type.I32: Op.I32_CONST, Type.I64: Op.I64_CONST}
_FUNCTION, _MEMORY, _GLOBAL = b"\x00", b"\x02", b"\x03"


class Module:
    """Collects what a module consists of; functions are declared first, so that bodies can call them in any order."""

    def __init__(self) -> None:
        self._types: list[bytes] = []
        self._functions: list[int] = []
        self._params: list[tuple[Type, ...]] = []
        self._bodies: dict[int, bytes] = {}
        self._globals: list[bytes] = []
        self._exports: list[bytes] = [name("memory") + _MEMORY + unsigned(0)]
        self._exported: set[str] = set()
        """The names of the functions among them."""
        self._table: list[int] = []
        self._data: list[bytes] = []

    def type_number(self, params: Iterable[Type], results: Iterable[Type]) -> int:
        """The number of a type of functions."""
        kind = function_type(params, results)
        if kind not in self._types:
            self._types.append(kind)
        return self._types.index(kind)

    def declare(self, params: Sequence[Type], results: Sequence[Type] = (), export: str = "") -> int:
        """The number of a new function."""
        self._functions.append(self.type_number(params, results))
        self._params.append(tuple(params))
        number = len(self._functions) - 1
        if export:
            assert export not in self._exported, f"two functions are exported as {export}"
            self._exported.add(export)
            self._exports.append(name(export) + _FUNCTION + unsigned(number))
        return number

    def params(self, function: int) -> tuple[Type, ...]:
        """The types of the parameters of a function."""
        return self._params[function]

    def body(self, function: int, part: str = "") -> FunctionBody:
        """An empty body for a function, which may be named after the `part` of the engine that it is."""
        return FunctionBody(self._params[function])

    @contextmanager
    def writing(self, function: int, part: str = "") -> Iterator[tuple[FunctionBody, list[Local]]]:
        """Code that writes the body of a function; gives the body and the parameters."""
        body = self.body(function, part)
        yield body, body.parameters()
        self.define(function, body)

    def define(self, function: int, body: FunctionBody) -> None:
        """Take the body of a function."""
        self._bodies[function] = body.encoded()

    def add_global(self, kind: Type, value: int = 0, export: str = "") -> Global:
        """A new variable."""
        self._globals.append(bytes((kind, 1, _CONST[kind])) + signed(value) + bytes((Op.END,)))
        number = len(self._globals) - 1
        if export:
            self._exports.append(name(export) + _GLOBAL + unsigned(number))
        return Global(number, kind)

    def add_to_table(self, function: int) -> int:
        """The number in the table by which a function can be called indirectly."""
        self._table.append(function)
        return len(self._table) - 1

    def add_data(self, address: int, content: bytes) -> None:
        """Note bytes that lie in memory at the beginning."""
        self._data.append(b"\x00" + bytes((Op.I32_CONST,)) + signed(address) + bytes((Op.END,)) + vector_of(content))

    def encoded(self, memory: int) -> bytes:
        """The module, with a memory of so many bytes; only the host can let it grow."""
        pages, most = unsigned(-(-memory // PAGE)), unsigned(MOST_PAGES)
        limits = unsigned(len(self._table))
        parts = [
            section(Section.TYPE, vector(self._types)),
            section(Section.FUNCTION, vector([unsigned(kind) for kind in self._functions])),
            section(Section.TABLE, vector([b"\x70\x01" + limits + limits])),
            section(Section.MEMORY, vector([b"\x01" + pages + most])),
            section(Section.GLOBAL, vector(self._globals)),
            section(Section.EXPORT, vector(self._exports)),
            section(Section.ELEMENT, vector([b"\x00" + bytes((Op.I32_CONST, 0, Op.END)) + self._elements()])),
            section(Section.CODE, vector([self._bodies[number] for number in range(len(self._functions))])),
            section(Section.DATA, vector(self._data)),
        ]
        return PREAMBLE + b"".join(parts)

    def _elements(self) -> bytes:
        return vector([unsigned(function) for function in self._table])


def vector_of(content: bytes) -> bytes:
    """Bytes with their number before them."""
    return unsigned(len(content)) + content


class _Owner(Protocol):
    @property
    def module(self) -> Module:
        """The module that they are written into."""


def function(part: str, *params: Type, gives: Type = VOID) -> Callable[[Callable[..., None]], cached_property[int]]:
    """The number of a function with such parameters and result, whose body the method writes: it is given the body and
    the parameters. Profiles count its work under `part`."""
    results = () if gives is VOID else (gives,)

    def decorated(write: Callable[..., None]) -> cached_property[int]:
        def number(owner: _Owner) -> int:
            found = owner.module.declare(params, results)
            with owner.module.writing(found, part) as (body, given):
                write(owner, body, *given)
            return found

        number.__doc__ = write.__doc__
        return cast("cached_property[int]", cached_property(number))

    return decorated
