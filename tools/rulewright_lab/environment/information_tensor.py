"""Information states as arrays, for games whose length is bounded: the answers that a player has heard of, each with
what they saw before it, and what they see now.

That is a stack of observations, as learning algorithms are given where one picture does not say all (V. Mnih and
others, *Human-level control through deep reinforcement learning*, Nature 518, 2015), of all that have been. Only what
was seen between two answers, and not any more at the next one, is not in it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulewright.engine import State
from rulewright.foundation import dataclass
from rulewright_lab.environment.action_space import ActionSpace
from rulewright_lab.environment.observation import Observations, Part


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer as a player has heard of it."""

    number: int
    """In the log; -1 if more will not be told of it."""
    who: str
    """The seat."""
    action: int | None
    """The number of the action; None as long as they do not know it."""
    before: array[float]
    """The observation of the player before it."""


class InformationTensors:
    """The information states of one game as arrays of `size` floats; :attr:`parts` say what stands where."""

    def __init__(self, seats: tuple[str, ...], actions: ActionSpace, observations: Observations, longest: int) -> None:
        """`longest` is the number of answers that are counted in a game; later ones are left out."""
        self._seats, self._actions, self._observations, self.longest = seats, actions, observations, longest
        shapes = {
            "answered": (longest, len(seats)),
            "action": (longest, actions.count),
            "seen before": (longest, observations.size),
            "seen now": (observations.size,),
        }
        columns = {"answered": seats}
        parts: list[Part] = []
        self.size = 0
        """The number of elements of an array."""
        for name, shape in shapes.items():
            parts.append(Part(name, self.size, shape, columns=columns.get(name, ())))
            self.size += parts[-1].size
        self.parts = tuple(parts)
        """The parts, in the order of their offsets; a row for each answer that the player has heard of."""

    def heard(
        self,
        answered: tuple[Answered, ...],
        before: Mapping[str, Any],
        entries: Iterable[tuple[int, Mapping[str, Any]]],
        numbers: Sequence[int | None],
    ) -> tuple[Answered, ...]:
        """The answers that a player has heard of, and those of new entries of their history, each with its number in
        the log; `before` is what they saw before these, `numbers` are the actions of all answers, by that number."""
        found = list(answered)
        at = {one.number: n for n, one in enumerate(found)}
        for number, entry in entries:
            if entry["who"] not in self._seats:
                continue
            action = None if entry["key"] is None else numbers[number]
            if number in at:  # it was asked of several at once, and is told now that all have answered
                found[at[number]] = replace(found[at[number]], action=action)
            else:
                found.append(Answered(number, entry["who"], action, self._observations.of_view(before)))
        return tuple(found)

    def numbers(self, before: State, after: State) -> list[int | None]:
        """The actions of the answers by which one state follows from another, for each new entry of the log; None for
        entries that are no answers of players."""
        found: list[int | None] = []
        point, last = before, len(after.log) - 1
        for number in range(len(before.log), len(after.log)):
            entry = after.log[number]
            if entry.who not in self._seats:
                found.append(None)
                continue
            turn = point.turn_of(self._seats.index(entry.who)) or point
            assert turn.decision is not None
            option = [one.key for one in turn.decision.options].index(entry.key)
            found.append(self._actions.legal(turn)[option])
            if number < last and after.log[number + 1].who in self._seats:
                point = turn.choose(option)
        return found

    def array(self, answered: Sequence[Answered], now: Mapping[str, Any]) -> array[float]:
        """The answers that a player has heard of, and what they see now, as an array of `size` floats."""
        found = array("f", bytes(4 * self.size))
        who, action, seen, last = (part.offset for part in self.parts)
        actions, width = self._actions.count, self._observations.size
        for row, one in enumerate(answered[: self.longest]):
            found[who + row * len(self._seats) + self._seats.index(one.who)] = 1.0
            if one.action is not None:
                found[action + row * actions + one.action] = 1.0
            found[seen + row * width : seen + (row + 1) * width] = one.before
        found[last : last + width] = self._observations.of_view(now)
        return found


def settled(answered: Sequence[Answered]) -> tuple[Answered, ...]:
    """The same answers in a world that a player thinks possible, whose log begins anew."""
    return tuple(replace(one, number=-1) for one in answered)
