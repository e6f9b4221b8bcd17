"""Exact values of games that are played at random, by all that can follow: what experiments are held against."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction

import rulewright as rw
from rulewright_lab.theory.positions import ChancePositions


def exact_mean(game: rw.Game, measure: Callable[[rw.State], Fraction]) -> Fraction:
    """The mean of a measure of finished games in which all answers are random, each position looked at once."""
    at = ChancePositions(game.start(0, ask_chance=True))
    known: dict[Hashable, Fraction] = {}

    def mean() -> Fraction:
        key = at.key()
        if key in known:
            return known[key]
        if not at.options:
            return measure(at.state)
        kept, weights = at.keep(), at.weights or (1,) * at.options
        found = Fraction(0)
        for option, weight in enumerate(weights):
            at.apply(option)
            found += weight * mean()
            at.go_to(kept)
        known[key] = found / sum(weights)
        return known[key]

    return mean()


def won_by(seat: int) -> Callable[[rw.State], Fraction]:
    """The measure ``wins`` of a seat."""

    def read(state: rw.State) -> Fraction:
        assert state.result is not None
        places = state.result.places
        return Fraction(places[seat] == 1, places.count(1))

    return read


def tied(state: rw.State) -> Fraction:
    """The measure ``ties``."""
    assert state.result is not None
    return Fraction(state.result.drawn)
