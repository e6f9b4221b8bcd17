"""A compiled program in memory, run by wasmtime.

A call through wasmtime's Python objects takes some 20 µs. So functions are called through the C interface with one
buffer for all arguments, which takes less than one.
"""

from __future__ import annotations

import atexit
import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar
from weakref import WeakSet

from rulewright.engine.native.lowering.program_lowering import NativeProgram

T = TypeVar("T")

ARGUMENTS = 5
"""The most arguments that a function takes."""


class Trap(Exception):
    """The program has stopped with an error; what it is, the Python backend says."""


class Instance:
    """The memory of a program, and its functions. One thread uses it at a time."""

    def __init__(self, native: NativeProgram, module: Any) -> None:
        import wasmtime

        self.native = native
        self._store = _freed_at_exit(wasmtime.Store(_engine()))
        self._exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        self._memory: Any = self._exports["memory"]
        self._arguments = (wasmtime._bindings.wasmtime_val_raw_t * ARGUMENTS)()
        self._trap = ctypes.c_void_p()
        self.begin = self._function("begin")
        self.play = self._function("play")
        self.play_many = self._function("play_many")

    def _function(self, name: str) -> Callable[..., int]:
        """An exported function of numbers; 32 bits of its result. :class:`Trap` if the program stops with an error."""
        import wasmtime

        bindings: Any = wasmtime._bindings
        pointer, size = ctypes.c_void_p, ctypes.c_size_t
        kind = ctypes.CFUNCTYPE(pointer, pointer, pointer, pointer, size, pointer)
        call = kind(("wasmtime_func_call_unchecked", bindings.dll))
        store: Any = self._store
        exported: Any = self._exports[name]
        context, function = ctypes.cast(store._context(), pointer).value, ctypes.addressof(exported._func)
        apart = ctypes.sizeof(bindings.wasmtime_val_raw_t) // 8
        wide = (ctypes.c_uint64 * (ARGUMENTS * apart)).from_buffer(self._arguments)
        narrow = (ctypes.c_int32 * (ARGUMENTS * apart * 2)).from_buffer(self._arguments)
        arguments_at, trap, trap_at = ctypes.addressof(self._arguments), self._trap, ctypes.addressof(self._trap)

        def called(*arguments: int) -> int:
            for number, argument in enumerate(arguments):
                wide[number * apart] = argument
            error = call(context, function, arguments_at, ARGUMENTS, trap_at)
            if error or trap.value:
                self._failed(error)
            return narrow[0]

        return called

    def _failed(self, error: int | None) -> None:
        """Free what the library has made of the failure, and raise."""
        import wasmtime

        bindings: Any = wasmtime._bindings
        if error:
            bindings.wasmtime_error_delete(ctypes.cast(error, ctypes.POINTER(bindings.wasmtime_error_t)))
        if self._trap.value:
            bindings.wasm_trap_delete(ctypes.cast(self._trap, ctypes.POINTER(bindings.wasm_trap_t)))
            self._trap.value = None
        raise Trap

    # ------------------------------------------------------------------------------------------------------ memory

    def read(self, address: int, size: int) -> bytes:
        """Bytes of the memory."""
        return bytes(self._memory.read(self._store, address, address + size))

    def number(self, address: int) -> int:
        """A number in memory."""
        return int.from_bytes(self.read(address, 4), "little", signed=True)

    def cells(self) -> list[int]:
        """The cells of the state."""
        memory = self.native.memory
        return memory.decode_cells(self.read(memory.cells, memory.stack - memory.cells))


def compiled_module(native: NativeProgram) -> Any:
    """The machine code of a program."""
    import wasmtime

    return _freed_at_exit(wasmtime.Module(_engine(), native.code))


@cache
def _engine() -> Any:
    """The compiler, for all programs."""
    import wasmtime

    config = wasmtime.Config()
    config.cranelift_opt_level = "speed"
    return _freed_at_exit(wasmtime.Engine(config))


_managed: WeakSet[Any] = WeakSet()
"""Things that the library has allocated and nobody has freed."""


def _freed_at_exit(made: T) -> T:
    """Let something of the library be freed before Python takes the library apart, which would fail noisily then."""
    _managed.add(made)
    return made


@atexit.register
def _free() -> None:
    for one in list(_managed):
        one.close()
