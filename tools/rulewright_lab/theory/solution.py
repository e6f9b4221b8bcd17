"""The value of a game for those who play it as well as it can be played, as plain data."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

from rulewright.foundation import dataclass, table

Method = Literal["retrograde analysis", "alpha-beta", "expectiminax", "value iteration"]
LineEnd = Literal["over", "comes again", "chance", "not followed"]


@dataclass(frozen=True, slots=True)
class Bounds:
    """The worth of a position to the first seat: at least and at most; None where there is no bound yet."""

    least: Fraction | None = None
    most: Fraction | None = None

    @property
    def exact(self) -> bool:
        """True if it is known."""
        return self.least is not None and self.least == self.most


@dataclass(frozen=True, slots=True)
class RatedOption:
    """An option of the first question, and what it is worth."""

    key: str
    value: Bounds
    best: bool
    """True if no option is better for who is to move, as far as is known."""


@dataclass(frozen=True, slots=True)
class Step:
    """An answer of the principal line."""

    who: str
    question: str
    key: str


@dataclass(frozen=True, slots=True)
class Solution:
    """The value of a game of two, or bounds of it if the budget was spent before."""

    seats: tuple[str, ...]
    value: Bounds
    total: Fraction
    """The sum of the payoffs of both, whatever happens."""
    by_places: bool
    """True if payoffs follow from places, so that 1, 0 and -1 are a win, a draw and a loss."""
    in_part: bool
    """True if it began in a position that a scenario lays out: what that starts may be over before the game is."""
    method: Method
    positions: int
    """The positions that were looked at, those met again each time."""
    who: str
    """The player who is to move first."""
    question: str
    options: tuple[RatedOption, ...]
    line: tuple[Step, ...]
    line_end: LineEnd
    length: int | None
    """The number of answers in which the winner can surely win, however the other one plays; None for a draw, or if it
    is not known."""
    symmetries: int = 1
    """The symmetries of the map that were proved to be symmetries of the rules, with that in which nothing moves."""
    distinct: tuple[int, int] | None = None
    """If all positions were looked at, how many there are, symmetric ones as one, and for how many these stand."""
    each_is_won: bool = False
    """True if it is known that each game that ends is won by one of both, of a game with chance."""

    @property
    def wins(self) -> float | None:
        """The part of the games that the first seat wins, where none is drawn."""
        return float(1 + self.value.least) / 2 if self.each_is_won and self.value.least is not None else None

    @property
    def payoffs(self) -> tuple[Bounds, ...]:
        """The worth to each seat."""
        mine = self.value
        theirs = Bounds(
            None if mine.most is None else self.total - mine.most,
            None if mine.least is None else self.total - mine.least,
        )
        return mine, theirs

    @property
    def words(self) -> str:
        """The value in words."""
        first, second = self.seats
        least, most = self.value.least, self.value.most
        if self.by_places:
            if least == most and least is not None and least in (-1, 0, 1):
                drawn = "a draw, or not decided" if self.in_part else "a draw"
                return {1: f"{first} wins", 0: drawn, -1: f"{second} wins"}[int(least)]
            if least == 0:
                return f"{first} wins, or it is a draw"
            if most == 0:
                return f"{second} wins, or it is a draw"
            if self.value.exact:
                return f"worth {payoff_text(least)} to {first}"
            return "not known"
        if self.value.exact:
            return f"worth {payoff_text(least)} to {first}, {payoff_text(self.total - least)} to {second}"  # type: ignore[operator]
        parts = [f"at least {payoff_text(least)}"] * (least is not None) + [f"at most {payoff_text(most)}"] * (
            most is not None
        )
        return f"worth {' and '.join(parts)} to {first}" if parts else "not known"

    def _repr_html_(self) -> str:
        rows = [(one.key, one.value.least, one.value.most, "yes" if one.best else "") for one in self.options]
        parts = f"{self.words}; {self.positions} positions"
        return table(("Option", "At least", "At most", "Best"), rows, parts)

    def data(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "solved": self.value.exact,
            "value": self.words,
            "payoffs": [
                {"seat": seat, "least": number(one.least), "most": number(one.most)}
                for seat, one in zip(self.seats, self.payoffs, strict=True)
            ],
            "method": self.method,
            "positions": self.positions,
            "symmetries": self.symmetries,
            "distinct": None if self.distinct is None else self.distinct[0],
            "stand_for": None if self.distinct is None else self.distinct[1],
            "who": self.who,
            "question": self.question,
            "options": [
                {"key": one.key, "least": number(one.value.least), "most": number(one.value.most), "best": one.best}
                for one in self.options
            ],
            "length": self.length,
            "wins": self.wins,
            "line": [{"who": step.who, "question": step.question, "answer": step.key} for step in self.line],
            "line_end": self.line_end,
        }


LARGE = 10**6
"""Fractions of a larger denominator are shown as decimals."""


def payoff_text(payoff: Fraction | None) -> str:
    """A payoff for people."""
    return f"{float(payoff):.7g}" if payoff is not None and payoff.denominator > LARGE else str(payoff)


def number(payoff: Fraction | None) -> int | float | None:
    """A payoff as a number of JSON."""
    if payoff is None:
        return None
    return payoff.numerator if payoff.denominator == 1 else float(payoff)
