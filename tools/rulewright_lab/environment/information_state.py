"""Information states as texts: equal for two positions if and only if a player cannot tell them apart, with all that
they remember (perfect recall).

:meth:`State.history` plays a game again from its beginning each time. Whoever walks through a game asks after each
answer, so here what each player has seen is carried along with the positions, and looked up only when it is asked for.

Information states as arrays, for games whose length is bounded: the answers that a player has heard of, each with
what they saw before it, and what they see now.

That is a stack of observations, as learning algorithms are given where one picture does not say all (V. Mnih and
others, *Human-level control through deep reinforcement learning*, Nature 518, 2015), of all that have been. Only what
was seen between two answers, and not any more at the next one, is not in it.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from rulewright.engine import Observer, State
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

    def observed(
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
    """Answers as they are in a world that a player thinks possible, whose log begins anew."""
    return tuple(replace(one, number=-1) for one in answered)


SHORT = 4_000
"""Texts of so many characters are told in full; of longer ones the beginning is told by its digest."""
LAST = 1_000


@dataclass(frozen=True, slots=True)
class _Seen:
    """All that a player has seen up to a position."""

    observer: Observer
    text: str
    """The end of it, one JSON object a line."""
    digest: bytes
    """Of all before the text."""
    answered: tuple[Answered, ...]
    """The answers that they have heard of, if tensors are wanted."""

    def after(self, here: Walk) -> _Seen:
        """Observations with those that are new in a position of a walk."""
        observer, answered, tensors = self.observer.copy(), self.answered, here.tensors
        entries = list(observer.look(here.state))
        if tensors is not None:
            observed = zip(observer.observed, entries, strict=False)  # they come first
            answered = tensors.observed(answered, self.observer.before, observed, here.actions())
        return _grown(self, observer, entries, answered)


def _grown(before: _Seen, observer: Observer, entries: Any, answered: tuple[Answered, ...]) -> _Seen:
    text, seen = before.text, before.digest
    for entry in entries:
        text += json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n"
    if len(text) > SHORT + LAST:
        cut = text.index("\n", len(text) - SHORT) + 1
        seen = blake2b(seen + text[:cut].encode(), digest_size=16).digest()
        text = text[cut:]
    return _Seen(observer, text, seen, answered)


class Walk:
    """A position in a walk through a game from its beginning, and what its players have seen on the way. It never
    changes; :meth:`step` gives the next one."""

    __slots__ = ("_actions", "_before", "_known", "state", "tensors")

    def __init__(self, state: State, before: Walk | None = None, tensors: InformationTensors | None = None) -> None:
        """With `tensors` a walk from its beginning also keeps what these need."""
        self.state = state
        self._before = before
        self.tensors: InformationTensors | None = before.tensors if before is not None else tensors
        """The arrays of information states, if they are wanted."""
        self._actions: tuple[int | None, ...] | None = None if before is not None else (None,) * len(state.log)
        self._known: dict[int, _Seen] = {}

    def step(self, state: State) -> Walk:
        """The position after an answer, or after an outcome of chance."""
        return Walk(state, self)

    def information_state(self, player: int) -> str:
        """All that a player (by number) has seen and heard, one JSON object a line, as :meth:`State.history` tells it;
        of much the beginning as a digest."""
        seen = self._seen(player)
        return f"{seen.digest.hex()}\n{seen.text}" if seen.digest else seen.text

    def actions(self) -> tuple[int | None, ...]:
        """The actions of all answers, by their number in the log; only where arrays are wanted."""
        way: list[Walk] = []
        here = self
        while here._actions is None:
            assert here._before is not None
            way.append(here)
            here = here._before
        assert self.tensors is not None
        found = here._actions
        for point in reversed(way):
            assert point._before is not None
            found = point._actions = (*found, *self.tensors.numbers(point._before.state, point.state))
        return found

    def tensor(self, player: int) -> array[float]:
        """Array of an information state, see :class:`InformationTensors`, with which the walk must have begun."""
        assert self.tensors is not None
        seen = self._seen(player)
        return self.tensors.array(seen.answered, seen.observer.before)

    def _seen(self, player: int) -> _Seen:
        way: list[Walk] = []
        here: Walk | None = self
        while here is not None and player not in here._known:
            way.append(here)
            here = here._before
        found = here._known[player] if here is not None else None
        for point in reversed(way):
            found = found or _Seen(Observer(point.state, player), "", b"", ())
            found = found.after(point)
        assert found is not None
        self._known[player] = found
        return found

    def in_world(self, player: int, seed: int) -> Walk:
        """A walk that goes on in a world that a player thinks possible (:meth:`State.imagine`): they have seen the
        same, of what others have seen nothing is known before it."""
        world = self.state.imagine(player, seed)
        found = Walk(world, tensors=self.tensors)
        seen = self._seen(player)
        observer = seen.observer.copy()
        observer.entries, observer.secret = [], []
        found._known[player] = _Seen(observer, seen.text, seen.digest, settled(seen.answered))
        return found

    def __copy__(self) -> Walk:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Walk:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _walk_again, (
            self.state,
            {player: self._seen(player) for player in range(self.state.engine.program.players)},
            self.tensors,
            self.actions() if self.tensors is not None else None,
        )


def _walk_again(
    state: State,
    known: dict[int, _Seen],
    tensors: InformationTensors | None,
    actions: tuple[int | None, ...] | None,
) -> Walk:
    found = Walk(state, tensors=tensors)
    found._known.update(known)
    if actions is not None:
        found._actions = actions
    return found
