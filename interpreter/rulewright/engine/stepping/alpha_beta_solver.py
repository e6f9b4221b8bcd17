"""An alpha-beta search to the end of the game in machine code, and what it has found out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Literal

Stop = Literal["looks", "done", "spent", "comes again", "differs"]
"""The reason why a search has stopped: to look at the clock, with a result, as no more positions may be looked at, at a
position that comes again, as payoffs have two sums."""


class AlphaBetaSolver(ABC):
    """Asks of positions of a game of two whether they are worth so much to the first seat; what it finds out it keeps.

    :class:`CannotGoOn` is raised where the machine code has stopped with an error: of the rules, or for want of room.
    """

    positions: int
    """The positions that were looked at."""
    sums: tuple[int, ...]
    """The sums of payoffs that were met: one, or two if they differ."""

    @property
    @abstractmethod
    def result(self) -> int:
        """The bound that was found: a lower one if it is as much as was asked for."""

    @abstractmethod
    def look_ahead(self, answers: int, beyond: int) -> None:
        """Look so many answers ahead from now on, and take a position beyond them to be worth so much; 0: look to the
        end of the game."""

    @abstractmethod
    def ask(self, wanted: int, most: int | None) -> None:
        """Begin with the position in which the stepper is; so many positions may be looked at in all."""

    @abstractmethod
    def go_on(self, positions: int) -> Stop:
        """Look at about so many positions more."""
