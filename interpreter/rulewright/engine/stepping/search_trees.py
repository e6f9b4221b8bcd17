"""The result of a search: figures about the options of a state."""

from __future__ import annotations

from abc import ABC, abstractmethod

from rulewright.engine.states.state import State
from rulewright.foundation.lazy_dataclass import dataclass

Payoffs = tuple[float, ...]
"""The payoff of each seat."""


@dataclass(frozen=True, slots=True)
class OptionStatistics:
    """An option that was tried."""

    option: int
    """Its number."""
    visits: int
    """The times that it was looked at."""
    total: float
    """The payoffs of the seat that is asked, added up."""
    certain: Payoffs | None
    """The payoffs that are certain to follow if all play as well as they can."""

    @property
    def mean(self) -> float:
        """The mean payoff of the seat that is asked."""
        return self.total / self.visits if self.visits else 0.0


@dataclass(frozen=True, slots=True)
class RootStatistics:
    """The root of a tree, without what is below."""

    seat: int
    """The player who is asked."""
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
