"""The interface of a kind of input for the driver."""

from __future__ import annotations

import random
from typing import Any, ClassVar, NamedTuple


class Outcome(NamedTuple):
    """The outcome of one input, when nothing went wrong."""

    word: str
    """``accepted``, ``refused SYN001``: what is counted."""
    amount: int = 0
    """The amount of further work: decisions that were played."""


class Kind:
    """Inputs of one kind: each follows from a seed and its number, so that it can be made again."""

    name: ClassVar[str]
    about: ClassVar[str]
    unit: ClassVar[str] = ""
    """The unit of amounts."""
    patience: ClassVar[float] = 60.0
    """Seconds of processor time after which an input hangs; of any time, ten times as many. A check of the largest
    ruleset takes a third of it on a busy machine."""
    weight: ClassVar[int] = 1
    """The number of inputs it has while a kind of weight 1 has one; what is quick has many."""

    small = False
    """True if only small games are wanted, for a quick look."""

    def prepare(self) -> None:
        """Read what all inputs begin with; done once by each worker."""

    def make(self, rng: random.Random) -> Any:
        """One input."""
        raise NotImplementedError

    def attempt(self, made: Any) -> Outcome:
        """Use it. Whatever is raised, RulesetError too unless it is an answer here, is a finding."""
        raise NotImplementedError

    def told(self, made: Any) -> str:
        """The input, for a person."""
        return str(made)

    def numbered(self, seed: int, number: int) -> Any:
        """The input of this number."""
        return self.make(random.Random(f"{seed} {self.name} {number}"))


def refused(codes: list[str]) -> Outcome:
    """Refused; the first code is the one that is counted."""
    return Outcome(f"refused {codes[0]}")
