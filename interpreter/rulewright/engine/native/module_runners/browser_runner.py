"""Modules that are run by the browser in which Python itself runs (Pyodide): by its own ``WebAssembly``.

Memories are those of JavaScript: what is read from them is copied. There are no other threads, so nothing can stop a
module from outside; see :mod:`rulewright.engine.native.instance`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import js
from pyodide import __version__
from pyodide.ffi import JsBigInt, JsException, to_js

from rulewright.engine.native.module_runners.interface import NoRoom, Trap
from rulewright.engine.native.webassembly.disassembly import exported_parameters
from rulewright.engine.native.webassembly.encoding import Type
from rulewright.engine.native.webassembly.module import PAGE

_WORD = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class BrowserModule:
    """A module as JavaScript has compiled it."""

    code: bytes
    compiled: Any
    parameters: dict[str, tuple[Type, ...]]
    """The types of the parameters of its exported functions, as JavaScript does not give them."""


class RunningInBrowser:
    """An instance of a module."""

    def __init__(self, module: BrowserModule) -> None:
        try:
            self._exports = js.WebAssembly.Instance.new(module.compiled, js.Object.new()).exports
        except JsException as problem:
            raise NoRoom(problem) from None
        self._parameters = module.parameters
        self._memory = self._exports.memory
        self._bytes = js.Uint8Array.new(self._memory.buffer)
        self._trapped = False

    def raw(self, name: str, arguments: int, release: bool = True) -> tuple[Callable[[], int | None], Any, Any]:
        """A call of an exported function, and the numbers that it finds as its arguments."""
        function, buffer = getattr(self._exports, name), bytearray(8 * arguments)
        wide, narrow = memoryview(buffer).cast("Q"), memoryview(buffer).cast("i")[::2]
        are_wide = [kind is Type.I64 for kind in self._parameters[name]]

        def call() -> int:
            given = [JsBigInt(wide[at]) if is_wide else narrow[at] for at, is_wide in enumerate(are_wide)]
            try:
                found = function(*given)
            except JsException:
                self._trapped = True
                return 0
            if found is not None:
                wide[0] = found & _WORD
            return 0

        return call, wide, narrow

    def trapped(self) -> bool:
        """True if the last call has ended in a trap."""
        return self._trapped

    def failed(self, error: int | None) -> None:
        """Forget a trap, if there was one, and raise."""
        if self._trapped:
            self._trapped = False
            raise Trap

    @property
    def budget(self) -> int:
        """The steps that the last run has left."""
        return int(self._exports.budget.value)

    def read(self, address: int, size: int) -> bytes:
        """Bytes of the memory."""
        found: bytes = self._bytes.subarray(address, address + size).to_bytes()
        return found

    def write(self, address: int, content: bytes) -> None:
        """Put bytes into the memory; there must be room."""
        self._bytes.subarray(address, address + len(content)).assign(content)

    def numbers(self, size: int) -> Any:
        """The first bytes of the memory as numbers that change with it. It must not grow any more."""
        return js.Int32Array.new(self._memory.buffer, 0, size // 4)

    def grow(self, size: int) -> None:
        """Make the memory at least so large."""
        more = size - self._bytes.length
        if more > 0:
            try:
                self._memory.grow(-(-more // PAGE))
            except JsException as problem:
                raise NoRoom(problem) from None
            self._bytes = js.Uint8Array.new(self._memory.buffer)  # the buffer before has become empty

    def setter(self, address: int) -> Callable[[int], None]:
        """A function that puts a number of 64 bits there."""
        return lambda value: self.write(address, value.to_bytes(8, "little", signed=True))


class BrowserRunner:
    """Lets the browser compile modules."""

    threads = False

    @property
    def name(self) -> str:
        """The name and version, for people."""
        return f"WebAssembly of the browser (Pyodide {__version__})"

    @property
    def kind(self) -> str:
        """A word for what is kept: WebAssembly itself, which is the same for all browsers."""
        return "webassembly"

    def module(self, code: bytes) -> BrowserModule:
        """A module that the browser has compiled."""
        try:
            compiled = js.WebAssembly.Module.new(to_js(code))
        except JsException as problem:
            raise NoRoom(problem) from None
        return BrowserModule(code, compiled, exported_parameters(code))

    def serialized(self, module: BrowserModule) -> bytes:
        """The module as bytes, to be kept."""
        return module.code

    def restored(self, kept: bytes) -> BrowserModule | None:
        """The module that was kept; None if the browser does not take it."""
        try:
            return self.module(kept)
        except NoRoom:
            return None

    def instance(self, module: BrowserModule) -> RunningInBrowser:
        """An instance of a module."""
        return RunningInBrowser(module)
