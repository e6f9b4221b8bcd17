"""Hearing when procedures begin, while a game is played."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rulewright.engine import Engine
from rulewright.ir import model as m


@dataclass(frozen=True, slots=True)
class Moment:
    """A procedure begins."""

    before: int
    """The number of decisions answered before."""
    function: str
    args: tuple[int, ...]
    """Raw values of its parameters."""
    cells: list[int]
    """Everything that could be seen; not to be changed."""


_ALONE = threading.RLock()
"""Held by whoever listens: games in other threads may have the same engine."""


class Listener:
    """Notes the beginnings of some procedures of an engine, as long as it is `awake`, in the thread that listens."""

    def __init__(self, engine: Engine, functions: Iterable[str], heard: Callable[[str, list[int], list[int]], None]):
        self.engine = engine
        self.functions = tuple(functions)
        self.heard = heard
        self.awake = False

    @contextmanager
    def listening(self) -> Iterator[None]:
        """In here the engine's blocks with which those procedures begin tell it."""
        compiled = self.engine.compiled
        numbers = [compiled.entries[compiled.ctx.functions[name]] for name in self.functions]
        with _ALONE:
            before = [compiled.blocks[number] for number in numbers]
            for number, name, block in zip(numbers, self.functions, before, strict=True):
                compiled.blocks[number] = self._told(name, block)
            try:
                yield
            finally:
                for number, block in zip(numbers, before, strict=True):
                    compiled.blocks[number] = block

    def _told(self, name: str, block: Callable[[list[int], list[int], Any], int]) -> Any:
        thread = threading.get_ident()

        def told(C: list[int], S: list[int], R: Any) -> int:
            if self.awake and threading.get_ident() == thread:
                self.heard(name, C, S[R.base : R.base + params])
            return block(C, S, R)

        compiled = self.engine.compiled
        number = compiled.ctx.functions[name]
        params = compiled.offsets[number][self.engine.program.functions[number].params]
        return told


def startable(program: m.Program) -> tuple[str, ...]:
    """The procedures with which a scenario could begin: those whose parameters can be written down."""
    return tuple(
        f.name
        for f in program.functions
        if f.word in ("procedure", "phase")
        and f.name.isidentifier()
        and all(_writable(slot.ty) for slot in f.slots[: f.params])
    )


def _writable(ty: m.Ty) -> bool:
    return ty.kind in ("entity", "int", "bool") and ty.universe != "Piece"
