"""Many games at once that are played by numbered actions, with what is seen of them in memory that is used again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any

from rulewright.engine.chance_streams import MASK, PLAYERS, stream_key
from rulewright.engine.native.observed import (
    ACTION,
    BEGIN,
    COUNTER,
    KEY,
    LEARNER,
    LOOK,
    PASS,
    SEED,
    STATUS,
    TOLD,
    VIEWER,
    Observed,
    entry_bytes,
)
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.states.state import State

REFUSED = -2
"""In place of a number of options: the action is not legal."""


class Episodes(ABC):
    """Games beside each other. Each has an entry, with numbers at the offsets of `rulewright.engine.native.observed`:
    whoever plays writes an action into it, or BEGIN, LOOK or PASS, and calls :meth:`act`.

    The buffers stay where they are; numpy arrays can be laid over them.
    """

    native = False
    """True if machine code plays and observes."""

    def __init__(self, engine: Engine, count: int, size: int, actions: int) -> None:
        self.engine, self.count = engine, count
        self.size, self.actions = size, actions
        layout = engine.layout
        self.ranks = layout.ranks.stop - layout.ranks.start
        """The number of cells that tell how a game has ended; behind them stand those of what was paid."""
        self.paid = (layout.paid.stop or 0) - (layout.paid.start or 0)
        self.stride = entry_bytes(self.ranks + self.paid)
        """The bytes of an entry."""

    @property
    @abstractmethod
    def entries(self) -> Any:
        """The buffer of the entries."""

    @property
    @abstractmethod
    def observations(self) -> Any:
        """The buffer of the observations, floats of 32 bits."""

    @property
    @abstractmethod
    def masks(self) -> Any:
        """The buffer of the masks, a byte for each action."""

    @abstractmethod
    def act(self) -> None:
        """Do in each game what its entry says, let other seats decide at random until the learner of the entry is
        asked, and observe it. RulesetError if the rules of one end in an error."""

    @abstractmethod
    def state(self, number: int) -> State:
        """The position of a game."""

    @abstractmethod
    def kept(self) -> Any:
        """All games as they are, to be pickled."""

    @abstractmethod
    def put_back(self, kept: Any) -> None:
        """Take over games that were kept, from as many of the same rules."""

    def payoffs(self, number: int) -> tuple[Fraction, ...]:
        """The worth of a game to each seat, see :attr:`State.payoffs`."""
        return self.state(number).payoffs


def random_key(seed: int) -> int:
    """The key of the numbers by which other seats decide in a game of a seed: those of the game at random."""
    return stream_key(seed & MASK, PLAYERS)


__all__ = [
    "ACTION",
    "BEGIN",
    "COUNTER",
    "Episodes",
    "KEY",
    "LEARNER",
    "LOOK",
    "Observed",
    "PASS",
    "REFUSED",
    "SEED",
    "STATUS",
    "TOLD",
    "VIEWER",
    "random_key",
]
