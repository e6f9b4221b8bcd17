"""A compiled program in memory, run by wasmtime.

A call through wasmtime's Python objects takes some 20 µs. So functions are called through the C interface, each with
one buffer for its arguments, which takes less than one.
"""

from __future__ import annotations

import atexit
import ctypes
from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import Any, TypeVar, cast
from weakref import WeakSet

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine.native.lowering.program_lowering import NativeProgram
from rulewright.engine.native.webassembly.module import PAGE
from rulewright.host.api_arguments import printable

T = TypeVar("T")


RESERVED, GUARD = 1 << 24, 1 << 16
"""The address space that a memory takes where it is scarce, and the part of it that nobody may touch."""


class Trap(Exception):
    """The program has stopped with an error; what it is, the Python backend says."""


class NoRoom(RulesetError):
    """The library cannot make or load machine code, or has no memory for an instance of it."""

    def __init__(self, problem: Exception) -> None:
        first = str(problem).strip().partition("\n")[0]
        hint = "the engine `auto` plays with Python then"
        super().__init__(Diagnostic("RUN018", f"machine code cannot be run here: {printable(first)}", hint=hint))


class Instance:
    """The memory of a program, and its functions. One thread uses it at a time."""

    def __init__(self, native: NativeProgram, module: Any) -> None:
        import wasmtime

        self.native = native
        try:
            self._store = _freed_at_exit(wasmtime.Store(_engine()))
            self._exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        except (wasmtime.WasmtimeError, MemoryError, OSError) as problem:
            raise NoRoom(problem) from None
        self._memory: Any = self._exports["memory"]
        self._trap = ctypes.c_void_p()
        self._kept: list[Any] = []
        self.begin = self.function("begin", 1)
        self.play = self.function("play", 4)
        self.play_many = self.function("play_many", 5)
        self._functions: dict[tuple[str, bool], Callable[..., int]] = {}

    def raw(self, name: str, arguments: int, release: bool = True) -> tuple[Callable[[], int | None], Any, Any]:
        """A call of an exported function, and the numbers that it finds as its arguments, as 64 and as 32 bits each.

        The first of the numbers is then the result, if the function has given one. What comes of the call is 0, unless
        the library itself has failed. With `release` other threads run meanwhile, which takes a moment.
        """
        import wasmtime

        bindings: Any = wasmtime._bindings
        pointer, size = ctypes.c_void_p, ctypes.c_size_t
        kind = (ctypes.CFUNCTYPE if release else ctypes.PYFUNCTYPE)(pointer, pointer, pointer, pointer, size, pointer)
        call = kind(("wasmtime_func_call_unchecked", bindings.dll))
        store, exported = self._store, cast(Any, self._exports[name])
        given = (bindings.wasmtime_val_raw_t * arguments)()
        self._kept += (given, exported)
        apart = ctypes.sizeof(bindings.wasmtime_val_raw_t) // 8
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

    def function(self, name: str, arguments: int, release: bool = True) -> Callable[..., int]:
        """An exported function of numbers; 32 bits of its result. :class:`Trap` if the program stops with an error."""
        call, wide, narrow = self.raw(name, arguments, release)
        trap = self._trap

        def called(*given: int) -> int:
            for number, argument in enumerate(given):
                wide[number] = argument
            error = call()
            if error or trap.value:
                self.failed(error)
            result: int = narrow[0]
            return result

        return called

    def known(self, name: str, arguments: int, release: bool = True) -> Callable[..., int]:
        """The same, made once."""
        key = name, release
        if key not in self._functions:
            self._functions[key] = self.function(name, arguments, release)
        return self._functions[key]

    def failed(self, error: int | None) -> None:
        """Free what the library has made of a failure, if there was one, and raise."""
        import wasmtime

        bindings: Any = wasmtime._bindings
        if error:
            bindings.wasmtime_error_delete(ctypes.cast(error, ctypes.POINTER(bindings.wasmtime_error_t)))
        elif not self._trap.value:
            return
        if self._trap.value:
            bindings.wasm_trap_delete(ctypes.cast(self._trap, ctypes.POINTER(bindings.wasm_trap_t)))
            self._trap.value = None
        raise Trap

    # ------------------------------------------------------------------------------------------------------ memory

    @property
    def address(self) -> int:
        """The address of the memory in this process; it may change when the memory grows."""
        found: int = ctypes.addressof(self._memory.data_ptr(self._store).contents)
        return found

    @property
    def budget(self) -> int:
        """The steps that the last run has left."""
        exported: Any = self._exports["budget"]
        left: int = exported.value(self._store)
        return left

    def read(self, address: int, size: int) -> bytes:
        """Bytes of the memory."""
        return ctypes.string_at(self.address + address, size)

    def write(self, address: int, content: bytes) -> None:
        """Put bytes into the memory; there must be room."""
        ctypes.memmove(self.address + address, content, len(content))

    def numbers(self, size: int) -> Any:
        """The first bytes of the memory as numbers that change with it. It must not grow any more."""
        self._kept.append(seen := (ctypes.c_int32 * (size // 4)).from_address(self.address))
        return memoryview(seen).cast("B").cast("i")

    def number(self, address: int) -> int:
        """A number in memory."""
        return int.from_bytes(self.read(address, 4), "little", signed=True)

    def grow(self, size: int) -> None:
        """Make the memory at least so large."""
        more = size - self._memory.data_len(self._store)
        if more > 0:
            import wasmtime

            try:
                self._memory.grow(self._store, -(-more // PAGE))
            except (wasmtime.WasmtimeError, MemoryError) as problem:
                raise NoRoom(problem) from None


def compiled_module(native: NativeProgram) -> Any:
    """The machine code of a program."""
    import wasmtime

    try:
        return _freed_at_exit(wasmtime.Module(_engine(), native.code))
    except (wasmtime.WasmtimeError, MemoryError, OSError) as problem:
        raise NoRoom(problem) from None


def restored_module(code: bytes) -> Any | None:
    """The module of machine code that `Module.serialize` has given; None if it is none for this machine and library.

    The code is trusted: the library looks for what it has been made for, not for what it does.
    """
    import wasmtime

    try:
        return _freed_at_exit(wasmtime.Module.deserialize(_engine(), code))
    except wasmtime.WasmtimeError:
        return None


_made: list[Any] = []
_making = Lock()


def _engine() -> Any:
    """The compiler, for all programs: one, as modules of one run in no store of another."""
    import wasmtime

    with _making:
        if not _made:
            config = wasmtime.Config()
            config.cranelift_opt_level = "speed"
            if is_scarce():
                config.memory_reservation, config.memory_guard_size = RESERVED, GUARD
                config.memory_reservation_for_growth = RESERVED
            _made.append(_freed_at_exit(wasmtime.Engine(config)))
    return _made[0]


SMALLEST = b"\0asm\x01\0\0\0" + b"\x05\x03\x01\0\x01"
"""A module that has nothing but a memory of one page."""


def try_out() -> None:
    """Make an instance of the smallest module: :class:`NoRoom` if that cannot be."""
    import wasmtime

    try:
        store = wasmtime.Store(_engine())
        wasmtime.Instance(store, wasmtime.Module(_engine(), SMALLEST), [])
    except (wasmtime.WasmtimeError, MemoryError, OSError) as problem:
        raise NoRoom(problem) from None


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
"""Things that the library has allocated and nobody has freed."""


def _freed_at_exit(made: T) -> T:
    """Let something of the library be freed before Python takes the library apart, which would fail noisily then."""
    _managed.add(made)
    return made


@atexit.register
def _free() -> None:
    for one in list(_managed):
        one.close()
