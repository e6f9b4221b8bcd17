"""The functions of kernels in one module: their numbers, and what their translation needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from rulewright.engine.kernels.vocabulary import FIRST_ROOM
from rulewright.engine.native.translation.operands import ZERO, Bound, Value
from rulewright.engine.native.translation.record_layout import (
    COUNT,
    I32,
    ITEMS,
    MOST,
    ROOM,
    Address,
    Interface,
    Kind,
    Layouts,
)
from rulewright.engine.native.translation.sources import Source, source_of
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.module import Module
from rulewright.engine.native.webassembly.terms import Local, Term, greater, lesser, mem32
from rulewright.foundation.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Intrinsic:
    """A function that is no part of a kernel: the types of its parameters and its result, and what writes its call."""

    parameters: tuple[Kind, ...]
    result: Kind
    write: Callable[..., Term]


class FunctionTable:
    """The functions of kernels that are called, and what their translation needs of a module."""

    def __init__(
        self,
        module: Module,
        layouts: Layouts,
        take: Callable[[FunctionBody, Term], Local],
        constant: Callable[[bytes], int],
        singletons: Mapping[type, int],
        bindings: Mapping[type, object],
        intrinsics: Mapping[Any, Intrinsic],
    ) -> None:
        """`take` writes code that gives the address of so many bytes, and `constant` gives that of bytes that never
        change. Of the `singletons` there is one record each, at an address; `bindings` are implementations of
        interfaces, with methods that write code, and `intrinsics` functions that are no part of kernels."""
        self.module, self.layouts, self.take, self.constant = module, layouts, take, constant
        self.singletons, self.bindings, self.intrinsics = singletons, bindings, intrinsics
        self.numbers: dict[Source, int] = {}
        self.waiting: list[Source] = []

    def function(self, called: Any, export: str = "") -> int:
        """The number of the function that a function or method becomes."""
        return self.declared(source_of(called), export)[0]

    def declared(self, source: Source, export: str = "") -> tuple[int, list[Kind | None], Kind | None]:
        """The number of a function, the types of its parameters (nothing for one that takes no room), the result."""
        kinds = [None if self._is_erased(kind) else kind for _, kind in source.parameters()]
        result = source.result()
        if source not in self.numbers:
            results = () if result is None else (result.kind,)
            given = [kind.kind for kind in kinds if kind is not None]
            self.numbers[source] = self.module.declare(given, results, export)
            self.waiting.append(source)
        return self.numbers[source], kinds, result

    def _is_erased(self, kind: Kind | None) -> bool:
        return isinstance(kind, Interface) or (isinstance(kind, Address) and kind.record in self.singletons)

    def bound(self, protocol: type) -> Bound:
        """The implementation of an interface."""
        return Bound(self.bindings[protocol], protocol)

    def singleton(self, record: type) -> Value:
        """The record of which there is one."""
        return Value(Address(record), ZERO, self.singletons[record])

    @cached_property
    def grow(self) -> int:
        """The function that gives a vector, by its address, room for more records of a size."""
        number = self.module.declare((I32, I32))
        with self.module.writing(number) as (body, [vector, size]):
            count, room = mem32(vector, COUNT), body.local()
            body.set(room, greater(count << 1, body.hold(ZERO + FIRST_ROOM)))
            body.set(room, lesser(room, mem32(vector, MOST)))
            items = self.take(body, room * size)
            with body.when(count):
                body.copy(items, mem32(vector, ITEMS), count * size)
            body.set(mem32(vector, ITEMS), items)
            body.set(mem32(vector, ROOM), room)
        return number
