"""A compiled program in memory, run by wasmtime, or in a browser by the browser."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any

from rulewright.engine.native.lowering.program_lowering import NativeProgram
from rulewright.engine.native.module_runners.interface import SMALLEST, ModuleRunner
from rulewright.engine.native.module_runners.interface import NoRoom as NoRoom
from rulewright.engine.native.module_runners.interface import Trap as Trap


@cache
def runner() -> ModuleRunner:
    """The runner of modules here; an ImportError if there is none."""
    if sys.platform == "emscripten":
        from rulewright.engine.native.module_runners.browser_runner import BrowserRunner

        return BrowserRunner()
    from rulewright.engine.native.module_runners.wasmtime_runner import WasmtimeRunner

    return WasmtimeRunner()


class Instance:
    """The memory of a program, and its functions. One thread uses it at a time."""

    def __init__(self, native: NativeProgram, module: Any) -> None:
        self.native = native
        self.running = running = runner().instance(module)
        self.raw, self.failed = running.raw, running.failed
        self.read, self.write, self.numbers = running.read, running.write, running.numbers
        self.begin = self.function("begin", 1)
        self.play = self.function("play", 4)
        self.play_many = self.function("play_many", 5)
        self._functions: dict[tuple[str, bool], Callable[..., int]] = {}

    def function(self, name: str, arguments: int, release: bool = True) -> Callable[..., int]:
        """An exported function of numbers; 32 bits of its result. :class:`Trap` if the program stops with an error."""
        call, wide, narrow = self.raw(name, arguments, release)
        trapped, failed = self.running.trapped, self.failed

        def called(*given: int) -> int:
            for number, argument in enumerate(given):
                wide[number] = argument
            error = call()
            if error or trapped():
                failed(error)
            result: int = narrow[0]
            return result

        return called

    def known(self, name: str, arguments: int, release: bool = True) -> Callable[..., int]:
        """The same, made once."""
        key = name, release
        if key not in self._functions:
            self._functions[key] = self.function(name, arguments, release)
        return self._functions[key]

    @property
    def budget(self) -> int:
        """The steps that the last run has left."""
        return self.running.budget

    def grow(self, size: int) -> None:
        """Make the memory at least so large; :class:`NoRoom` if that cannot be."""
        self.running.grow(size)

    def number(self, address: int) -> int:
        """A number in memory."""
        return int.from_bytes(self.read(address, 4), "little", signed=True)


def compiled_module(native: NativeProgram) -> Any:
    """The machine code of a program."""
    return runner().module(native.code)


def try_out() -> None:
    """Make an instance of the smallest module: :class:`NoRoom` if that cannot be."""
    runner().instance(runner().module(SMALLEST))
