"""The order in which differences are listed: first those that matter to who designs a game, as far as they are large.

Effect sizes alone put what is easy to measure first: the number of options hardly varies between games, so the smallest
change of it is a large effect. So each size (its logarithm: very large and large are much the same to a reader) is
weighed by what the measure is about, and each topic is listed once: that seat 2 wins less says nothing new if seat 1
wins more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import log1p

from rulewright_lab.experiments.columns.measures import family
from rulewright_lab.experiments.columns.wanted import USED, USES
from rulewright_lab.experiments.results import Compared

_WINNING, _LENGTH, _CHOICE = "who wins", "length", "choice"
_TOPICS = {
    "wins": _WINNING,
    "payoff": _WINNING,
    "first_seat_advantage": _WINNING,
    "decisions": _LENGTH,
    "moves": _LENGTH,
    "options": _CHOICE,
    "forced": _CHOICE,
}
_WEIGHTS = {
    "wins": 6.0,
    "first_seat_advantage": 4.0,
    "payoff": 1.0,
    "payoff_spread": 0.5,
    "ties": 2.0,
    "decisions": 1.3,
    "moves": 1.2,
    "options": 0.3,
    "forced": 0.3,
    "unfinished": 6.0,
    "failed": 6.0,
    USES: 1.0,
    USED: 1.0,
}
"""Weights of measures. Who wins comes before how the game goes: a shift of ten points (0.2, which is called small)
weighs as much as one of 1.3 in the length, which is very large. What is counted over a game follows from its length, so
that comes just before."""
_OWN = 1.2
"""The weight of what the rules measure themselves: their author wants to know it."""
CONSTANT = 10.0
"""The size of an effect where nothing else varies."""


def topic(measure: str) -> str:
    """The subject of a measure: of the uses of a rule this rule."""
    name = family(measure)
    return measure.removeprefix(name) if name in (USES, USED) else _TOPICS.get(name, name)


def importance(measure: str) -> float:
    """The weight of an effect on a measure."""
    name = family(measure)
    return _WEIGHTS.get(name, _OWN)


def _size(one: Compared) -> float:
    effect = one.found.effect
    return importance(one.measure) * log1p(CONSTANT if effect is None else abs(effect))


def _rank(one: Compared) -> tuple[float, bool]:
    """The larger comes first; of what is equally large, as what two seats win, that which rises."""
    return round(_size(one), 9), one.found.mean > 0


def most_important_first(compared: Iterable[Compared]) -> Iterator[Compared]:
    """The differences that are no chance, in the order in which they are listed, the largest first: of each topic and
    arm but one, for the others say the same again."""
    seen: set[tuple[int, str]] = set()
    for one in sorted((one for one in compared if one.certain), key=_rank, reverse=True):
        key = one.arm, topic(one.measure)
        if key not in seen:
            seen.add(key)
            yield one
