"""Results of searches: figures about the options of a state, and exact values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Literal

from rulewright.engine.states.state import State
from rulewright.foundation.lazy_dataclass import dataclass

Payoffs = tuple[float, ...]
"""The payoff of each seat."""


@dataclass(frozen=True, slots=True)
class OptionStatistics:
    """An option that was tried."""

    option: int
    """The number of the option."""
    visits: int
    """The times that it was looked at."""
    total: float
    """The payoffs of the seat to decide, added up."""
    certain: Payoffs | None
    """The payoffs that are certain to follow if all play as well as they can."""

    @property
    def mean(self) -> float:
        """The mean payoff of the seat to decide."""
        return self.total / self.visits if self.visits else 0.0


@dataclass(frozen=True, slots=True)
class RootStatistics:
    """The root of a tree, without what is below."""

    seat: int
    """The player to decide."""
    simulations: int
    """The simulations that were made: fewer than were wanted, if all has become known."""
    tried: tuple[OptionStatistics, ...]
    """The options that were tried, in the order in which that was first done."""
    certain: Payoffs | None
    """The payoffs that are certain to follow."""
    full: bool
    """True if there was no room for more of the tree."""

    def ranked(self) -> list[OptionStatistics]:
        """The options, the one to take first: by what is certain of them, then by how often they were looked at.

        Nothing is certain of the others: they stand between those that are worth more and less than their mean; of two
        that are worth as much, that is better of which something is certain, if that is the best that there is.
        """
        others = [one for one in self.tried if one.certain is None]
        visits = sum(one.visits for one in others)
        middle = sum(one.total for one in others) / visits if visits else 0.0

        def worth(one: OptionStatistics) -> tuple[float, bool, int, float, int]:
            certain = one.certain[self.seat] if one.certain is not None else middle
            return certain, (one.certain is None) is (self.certain is None), one.visits, one.total, -one.option

        return sorted(self.tried, key=worth, reverse=True)


class SearchTree(ABC):
    """A tree of options that grows by simulations."""

    @abstractmethod
    def reset(self, state: State, seed: int) -> None:
        """Begin a search from a state, with the numbers that follow from a seed."""

    @abstractmethod
    def grow(self, simulations: int) -> bool:
        """Simulate so often; False if there is nothing left to find out."""

    @abstractmethod
    def found(self) -> RootStatistics:
        """The figures by now."""


class InformationSetTree(ABC):
    """A tree of options that grows by simulations in several worlds that a seat thinks possible."""

    @abstractmethod
    def reset(self, state: State, seed: int) -> None:
        """Begin a search from a state, with the numbers that follow from a seed. Only the question counts."""

    @abstractmethod
    def grow(self, world: int, state: State, simulations: int) -> None:
        """Simulate so often in the world with a number, which is a state."""

    @abstractmethod
    def found(self) -> RootStatistics:
        """The figures by now, in the order of the options."""


class CannotGoOn(Exception):
    """The machine code has no room for what the rules do: the Python backend has to search from the beginning."""


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
        """The bound that was found: a lower one if it is as much as was wanted."""

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
