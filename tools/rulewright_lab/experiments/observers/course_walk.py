"""Games that were played gone through once more in place, and what observers have seen of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Protocol

from rulewright.engine import RandomAnswers, Stepper, stepper_of
from rulewright.play import Game


class Observer(Protocol):
    """Looks at a game."""

    needs_states: bool
    """True if it asks for states, not only for what machine code tells at once."""

    def begin(self, at: Stepper, seed: int) -> None:
        """Take note of a game that has begun with a seed."""

    def answered(self, at: Stepper, option: int, size: int) -> None:
        """Take note of an answer that is about to be given, of so many."""

    def look(self, at: Stepper) -> None:
        """Take note of a position: the first one, and that after each answer."""

    def end(self, at: Stepper, finished: bool) -> dict[str, float]:
        """The numbers of the game, by name."""


def keeps_memories(game: Game) -> bool:
    """True if players remember hidden pieces: machine code does not, and would give a state only by going the whole way
    to it again with Python."""
    return game.engine.layout.known >= 0


class CourseWalk:
    """Goes through games of one ruleset."""

    def __init__(self, game: Game, observers: Sequence[Observer], rated: tuple[str, ...] = ()) -> None:
        """`rated` are the queries that observers ask :meth:`Stepper.rates`.

        Where one looks at states, Python goes through the games: machine code would have to read all cells for each.
        """
        self._game, self._observers, self._rated = game, observers, rated
        self._looks = any(one.needs_states for one in observers)

    def seen(self, seed: int, most: int, answers: Sequence[int] | None = None) -> dict[str, float]:
        """The numbers of all observers of a game: that of the seed at random, or with other answers."""
        stepper = self._stepper
        before = stepper.handed_over
        found = self._gone(stepper, seed, most, answers)
        if stepper.handed_over > before:  # uses were not counted right
            found = self._gone(self._exact, seed, most, answers)
        return found

    def _gone(self, stepper: Stepper, seed: int, most: int, answers: Sequence[int] | None) -> dict[str, float]:
        size, pick, number = stepper.begin(seed), RandomAnswers(seed), 0
        observers = self._observers
        for one in observers:
            one.begin(stepper, seed)
            one.look(stepper)
        while size and number < (most if answers is None else len(answers)):
            option = pick(size) if answers is None else answers[number]
            for one in observers:
                one.answered(stepper, option, size)
            size, number = stepper.apply(option), number + 1
            for one in observers:
                one.look(stepper)
        found: dict[str, float] = {}
        for one in observers:
            found |= one.end(stepper, not size)
        return found

    @cached_property
    def _stepper(self) -> Stepper:
        if self._looks:
            return self._exact
        return stepper_of(self._game.program, self._game.backend, self._game.passes, self._rated)

    @cached_property
    def _exact(self) -> Stepper:
        return stepper_of(self._game.program, "python", self._game.passes, self._rated)
