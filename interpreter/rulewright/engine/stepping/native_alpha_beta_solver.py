"""An alpha-beta search to the end of the game by one instance of the machine code, with a table behind its stack."""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct

from rulewright.engine.native.backend import Backend
from rulewright.engine.native.instance import NoRoom, Trap
from rulewright.engine.native.lowering.driver import alpha_beta_map as at
from rulewright.engine.native.watchdog import watchdog
from rulewright.engine.stepping.alpha_beta_solver import AlphaBetaSolver, Stop
from rulewright.engine.stepping.search_trees import CannotGoOn
from rulewright.host.budgets import scope

WAY = 1 << 24
"""The bytes for the positions on the way, of a search that needs no more."""
MOST_BYTES = 3 << 30
"""The bytes that a table takes at most: addresses have 32 bits."""
_UNLIMITED = (1 << 63) - 1
_NUMBER, _WORD = Struct("<i"), Struct("<Q")
_STOPS: dict[int, Stop] = {
    at.GOES_ON: "looks", at.DONE: "done", at.SPENT: "spent", at.COMES_AGAIN: "comes again", at.DIFFERS: "differs",
}  # fmt: skip


class NativeAlphaBetaSolver(AlphaBetaSolver):
    """The search of :mod:`rulewright.theory.alpha_beta`, position by position."""

    def __init__(self, backend: Backend, position: Callable[[], bytes], memory: int) -> None:
        """`position` gives the bytes of the state to begin with; the table takes so much memory at most."""
        self._instance, self._position, self._at = backend.instance(), position, backend.native.alpha_beta
        self._ask, self._prove = self._instance.function("ask", 1), self._instance.function("prove", 1)
        self._forget = self._instance.function("forget", 1, release=False)
        pairs = 1 << max(4, (min(memory, MOST_BYTES) // (2 * at.ENTRY_BYTES)).bit_length() - 1)
        table = backend.native.memory.end + 7 & ~7
        self._first = table + pairs * 2 * at.ENTRY_BYTES
        self._end = self._first
        self._set(at.TABLE, table)
        self._set(at.MASK, pairs - 1)
        self._make_room(self._first + WAY)
        self._most: int | None = None

    @property
    def positions(self) -> int:
        """The register, in memory."""
        return int.from_bytes(self._instance.read(self._at + at.POSITIONS, 8), "little")

    @positions.setter
    def positions(self, number: int) -> None:
        self._instance.write(self._at + at.POSITIONS, _WORD.pack(number))

    @property
    def result(self) -> int:
        """The register, in memory."""
        return self._instance.number(self._at + at.RESULT)

    @property
    def sums(self) -> tuple[int, ...]:
        """The registers, in memory."""
        if not self._instance.number(self._at + at.SUM_KNOWN):
            return ()
        one, other = (self._instance.number(self._at + register) for register in (at.SUM, at.OTHER))
        return (one, other) if self._instance.number(self._at + at.STATE) == at.DIFFERS else (one,)

    @sums.setter
    def sums(self, known: tuple[int, ...]) -> None:
        self._set(at.SUM_KNOWN, len(known))
        self._set(at.SUM, sum(known))

    def _set(self, register: int, number: int) -> None:
        self._instance.write(self._at + register, _NUMBER.pack(number))

    def _make_room(self, end: int) -> None:
        """Let the way have the memory up to an address."""
        self._instance.grow(end)
        self._end = end
        self._instance.write(self._at + at.LIMIT, end.to_bytes(4, "little"))

    def look_ahead(self, answers: int, beyond: int) -> None:
        """The registers, in memory."""
        self._set(at.HORIZON, answers)
        self._set(at.BEYOND, beyond)

    def ask(self, wanted: int, most: int | None) -> None:
        """Put the position into the memory, and begin."""
        self._most = most
        self._instance.write(0, self._position())
        self._forget()
        self._set(at.WANTED, wanted)
        self._instance.write(self._at + at.FREE, self._first.to_bytes(4, "little"))
        self._instance.write(self._at + at.MOST, _WORD.pack(_UNLIMITED if most is None else min(most, _UNLIMITED)))
        try:
            self._ask(scope().steps)
        except Trap:
            scope().look()
            raise CannotGoOn from None

    def go_on(self, positions: int) -> Stop:
        """Go on from what stands in memory; where the way needs more room the search begins anew, with all it knows."""
        here = scope()
        self._instance.write(self._at + at.STOP, _WORD.pack(self.positions + positions))
        while True:
            try:
                with watchdog.watching(self._instance, here):
                    stop = self._prove(here.steps)
            except Trap:
                here.look()
                raise CannotGoOn from None
            if stop != at.NO_ROOM:
                return _STOPS[stop]
            try:
                self._make_room(2 * self._end - self._first)
            except (NoRoom, OverflowError):
                raise CannotGoOn from None
            self.ask(self._instance.number(self._at + at.WANTED), self._most)
