"""The interface to whatever runs WebAssembly: the same bytes run in wasmtime and in a browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.host.api_arguments import printable

SMALLEST = b"\0asm\x01\0\0\0" + b"\x05\x03\x01\0\x01" + b"\x07\x0a\x01\x06memory\x02\0"
"""A module that has nothing but a memory of one page, which it exports."""


class Trap(Exception):
    """The program has stopped with an error; the Python backend finds out which."""


class NoRoom(RulesetError):
    """The library cannot make or load machine code, or has no memory for an instance of it."""

    def __init__(self, problem: Exception) -> None:
        first = str(problem).strip().partition("\n")[0]
        hint = "the engine `auto` plays with Python then"
        super().__init__(Diagnostic("RUN018", f"machine code cannot be run here: {printable(first)}", hint=hint))


class RunningModule(Protocol):
    """An instance of a module: its memory and its functions. One thread uses it at a time."""

    def raw(self, name: str, arguments: int, release: bool = True) -> tuple[Callable[[], int | None], Any, Any]:
        """A call of an exported function, and the numbers that it finds as its arguments, as 64 and as 32 bits each.

        The first of the numbers is then the result, if the function has given one. What comes of the call is 0, unless
        the library itself has failed. With `release` other threads run meanwhile, which takes a moment.
        """

    def trapped(self) -> bool:
        """True if the last call has ended in a trap."""

    def failed(self, error: int | None) -> None:
        """Free what a failure has left, if there was one, and raise :class:`Trap`."""

    @property
    def budget(self) -> int:
        """The steps that the last run has left."""

    def read(self, address: int, size: int) -> bytes:
        """Bytes of the memory."""

    def write(self, address: int, content: bytes) -> None:
        """Put bytes into the memory; there must be room."""

    def numbers(self, size: int) -> Any:
        """The first bytes of the memory as numbers that change with it. It must not grow any more."""

    def grow(self, size: int) -> None:
        """Make the memory at least so large; :class:`NoRoom` if that cannot be."""

    def setter(self, address: int) -> Callable[[int], None]:
        """A function that puts a number of 64 bits there, also from another thread while the program runs. The memory
        must not grow any more."""


class ModuleRunner(Protocol):
    """A runner of modules."""

    @property
    def name(self) -> str:
        """The name and version, for people."""

    @property
    def kind(self) -> str:
        """A text that differs if what is serialized by one cannot be restored by the other."""

    @property
    def threads(self) -> bool:
        """True if other threads run while a module does."""

    def module(self, code: bytes) -> Any:
        """A module that can be run; :class:`NoRoom` if it cannot be made."""

    def serialized(self, module: Any) -> bytes:
        """The module as bytes, to be kept."""

    def restored(self, kept: bytes) -> Any | None:
        """The module of such bytes; None if they are none for this machine and library. They are trusted."""

    def instance(self, module: Any) -> RunningModule:
        """An instance of a module; :class:`NoRoom` if it cannot be made."""
