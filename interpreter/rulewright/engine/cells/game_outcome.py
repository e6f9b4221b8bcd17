"""The outcome of a game, as its cells tell it."""

from __future__ import annotations

from rulewright.foundation.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """A game that came to its end, or was stopped after so many answers, as its cells tell it."""

    answers: int
    rule: int
    """1 and the number of the rule that ended it, or 0."""
    ranks: tuple[int, ...]
    """The cells of `Layout.ranks`: the players' places, then more."""
    paid: tuple[int, ...]
    """The cells of `Layout.paid`."""
    options: int = -1
    """The numbers of options of all decisions together; -1 if nobody has counted them."""
    forced: int = -1
    """The number of decisions with one option, if they were counted."""
