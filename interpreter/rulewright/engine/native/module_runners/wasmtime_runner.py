"""Modules that are run by wasmtime.

A call through wasmtime's Python objects takes some 20 µs. So functions are called through the C interface, each with
one buffer for its arguments, which takes less than one.
"""

from __future__ import annotations

import atexit
import ctypes
import platform
import sys
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from threading import Lock
from typing import Any, TypeVar, cast
from weakref import WeakSet

import wasmtime

from rulewright.engine.native.module_runners.interface import NoRoom, Trap
from rulewright.engine.native.webassembly.module import PAGE

T = TypeVar("T")

_bindings: Any = wasmtime._bindings
_FAILURES = (wasmtime.WasmtimeError, MemoryError, OSError)

RESERVED, GUARD = 1 << 24, 1 << 16
"""The address space that a memory takes where it is scarce, and the part of it that must not be touched."""


class WasmtimeModule:
    """An instance of a module in memory."""

    def __init__(self, module: Any) -> None:
        try:
            self.store = _freed_at_exit(wasmtime.Store(_engine()))
            self.exports = wasmtime.Instance(self.store, module, []).exports(self.store)
        except _FAILURES as problem:
            raise NoRoom(problem) from None
        self.memory: Any = self.exports["memory"]
        self._trap = ctypes.c_void_p()
        self._kept: list[Any] = []
        self._address = self._found_address()
        """The address of the memory in this process; another one when it has grown."""

    def raw(self, name: str, arguments: int, release: bool = True) -> tuple[Callable[[], int | None], Any, Any]:
        """A call of an exported function, and the numbers that it finds as its arguments."""
        pointer, size = ctypes.c_void_p, ctypes.c_size_t
        kind = (ctypes.CFUNCTYPE if release else ctypes.PYFUNCTYPE)(pointer, pointer, pointer, pointer, size, pointer)
        call = kind(("wasmtime_func_call_unchecked", _bindings.dll))
        store, exported = self.store, cast(Any, self.exports[name])
        given = (_bindings.wasmtime_val_raw_t * arguments)()
        self._kept += (given, exported)
        apart = ctypes.sizeof(_bindings.wasmtime_val_raw_t) // 8
        wide = memoryview((ctypes.c_uint64 * (arguments * apart)).from_buffer(given)).cast("B").cast("Q")[::apart]
        narrow = memoryview((ctypes.c_int32 * (arguments * apart * 2)).from_buffer(given)).cast("B").cast("i")
        every = (
            pointer(ctypes.cast(store._context(), pointer).value),
            pointer(ctypes.addressof(exported._func)),
            pointer(ctypes.addressof(given)),
            size(arguments),
            pointer(ctypes.addressof(self._trap)),
        )
        return partial(call, *every), wide, narrow[:: 2 * apart]

    def trapped(self) -> bool:
        """True if the last call has ended in a trap."""
        return bool(self._trap.value)

    def failed(self, error: int | None) -> None:
        """Free what the library has made of a failure, if there was one, and raise."""
        if error:
            _bindings.wasmtime_error_delete(ctypes.cast(error, ctypes.POINTER(_bindings.wasmtime_error_t)))
        elif not self._trap.value:
            return
        if self._trap.value:
            _bindings.wasm_trap_delete(ctypes.cast(self._trap, ctypes.POINTER(_bindings.wasm_trap_t)))
            self._trap.value = None
        raise Trap

    @property
    def budget(self) -> int:
        """The steps that the last run has left."""
        exported: Any = self.exports["budget"]
        left: int = exported.value(self.store)
        return left

    def _found_address(self) -> int:
        found: int = ctypes.addressof(self.memory.data_ptr(self.store).contents)
        return found

    def read(self, address: int, size: int) -> bytes:
        """Bytes of the memory."""
        return ctypes.string_at(self._address + address, size)

    def write(self, address: int, content: bytes) -> None:
        """Put bytes into the memory; there must be room."""
        ctypes.memmove(self._address + address, content, len(content))

    def numbers(self, size: int) -> Any:
        """The first bytes of the memory as numbers that change with it. It must not grow any more."""
        self._kept.append(seen := (ctypes.c_int32 * (size // 4)).from_address(self._address))
        return memoryview(seen).cast("B").cast("i")

    def grow(self, size: int) -> None:
        """Make the memory at least so large."""
        more = size - self.memory.data_len(self.store)
        if more > 0:
            try:
                self.memory.grow(self.store, -(-more // PAGE))
                self._address = self._found_address()
            except (wasmtime.WasmtimeError, MemoryError) as problem:
                raise NoRoom(problem) from None

    def setter(self, address: int) -> Callable[[int], None]:
        """A function that puts a number of 64 bits there, also from another thread while the program runs."""
        return partial(setattr, ctypes.c_int64.from_address(self._address + address), "value")


class WasmtimeRunner:
    """Compiles modules with Cranelift."""

    threads = True

    @property
    def name(self) -> str:
        """The name and version, for people."""
        return f"wasmtime {version('wasmtime')}"

    @property
    def kind(self) -> str:
        """A text for all that machine code depends on. Wasmtime itself refuses code for another processor."""
        return f"{sys.platform} {platform.machine()} {sys.byteorder} {version('wasmtime')} {is_scarce()}"

    def module(self, code: bytes) -> Any:
        """The machine code of a module."""
        try:
            return _freed_at_exit(wasmtime.Module(_engine(), code))
        except _FAILURES as problem:
            raise NoRoom(problem) from None

    def serialized(self, module: Any) -> bytes:
        """The machine code as bytes, to be kept."""
        return bytes(module.serialize())

    def restored(self, kept: bytes) -> Any | None:
        """The module of machine code that was kept; None if it is none for this machine and library.

        The code is trusted: the library looks for what it has been made for, not for what it does.
        """
        try:
            return _freed_at_exit(wasmtime.Module.deserialize(_engine(), kept))
        except wasmtime.WasmtimeError:
            return None

    def instance(self, module: Any) -> WasmtimeModule:
        """An instance of a module."""
        return WasmtimeModule(module)


_made: list[Any] = []
_making = Lock()


def _engine() -> Any:
    """The compiler, for all programs: one, as modules of one run in no store of another."""
    with _making:
        if not _made:
            config = wasmtime.Config()
            config.cranelift_opt_level = "speed"
            if is_scarce():
                config.memory_reservation, config.memory_guard_size = RESERVED, GUARD
                config.memory_reservation_for_growth = RESERVED
            _made.append(_freed_at_exit(wasmtime.Engine(config)))
    return _made[0]


def is_scarce() -> bool:
    """True if the system bounds the address space of this process, as shared hosts do (``ulimit -v``).

    Elsewhere each memory takes 4 GB of it, of which only what is used is real: then no access need be checked, which
    makes games a fifth to two fifths faster.
    """
    try:
        import resource
    except ImportError:  # on Windows
        return False
    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


_managed: WeakSet[Any] = WeakSet()
"""Things that the library has allocated and was never freed."""


def _freed_at_exit(made: T) -> T:
    """Let something of the library be freed before Python takes the library apart, which would fail noisily then."""
    _managed.add(made)
    return made


@atexit.register
def _free() -> None:
    for one in list(_managed):
        one.close()
