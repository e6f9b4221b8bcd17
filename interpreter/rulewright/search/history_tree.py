"""The tree of histories of a game from its beginning, with chance as a player, and what each seat has seen by then.

This is the extensive form (H. W. Kuhn, *Extensive games and the problem of information*, Contributions to the Theory of
Games II, 1953). Histories are made when they are first come to. Which of them a seat cannot distinguish is known by a
digest of all that it has observed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any

from rulewright.engine import Observer, Passes, State, start
from rulewright.ir.model import Program

Digest = bytes
_NOTHING: Digest = b""
MOST_HISTORIES = 20_000


class History:
    """A position with all that has led there."""

    __slots__ = ("_observers", "children", "digests", "sizes", "state", "weights")

    def __init__(self, state: State, observers: tuple[Observer, ...], digests: tuple[Digest, ...]) -> None:
        self.state, self._observers = state, observers
        self.digests = tuple(
            digest_of(observer.look(state), before) for observer, before in zip(observers, digests, strict=True)
        )
        """For each seat a digest of its observations."""
        decision = state.decision
        self.sizes = 0 if decision is None else len(decision.options)
        """The number of options; 0 if the game is over."""
        self.weights = (decision.weights or (1,) * self.sizes) if decision and decision.seat is None else ()
        """The weights of the outcomes of chance; none if a seat is to move."""
        self.children: dict[int, History] = {}

    def keys(self) -> list[str]:
        """The keys of the options."""
        decision = self.state.decision
        return [] if decision is None else [option.key for option in decision.options]

    def after(self, option: int) -> History:
        """The history that goes on with an option; RulesetError if the rules end in an error."""
        return History(self.state.choose(option), tuple(one.copy() for one in self._observers), self.digests)


class HistoryTree:
    """The histories of a game, as far as they were come to. So many are kept; others are made again each time."""

    def __init__(self, program: Program, passes: Passes) -> None:
        state = start(program, ask_chance=True, passes=passes)
        observers = tuple(Observer(state, seat) for seat in range(program.players))
        self.root = History(state, observers, (_NOTHING,) * program.players)
        """The history before the first decision."""
        self._kept = 0

    def after(self, history: History, option: int) -> History:
        """The history that goes on with an option; RulesetError if the rules end in an error."""
        known = history.children.get(option)
        if known is None:
            known = history.after(option)
            if self._kept < MOST_HISTORIES:
                history.children[option] = known
                self._kept += 1
        return known


def digest_of(entries: Iterable[Mapping[str, Any]], before: Digest = _NOTHING) -> Digest:
    """The digest of the observations of a seat, and of these entries that follow."""
    return prefixes(entries, before)[-1]


def prefixes(entries: Iterable[Mapping[str, Any]], before: Digest = _NOTHING) -> list[Digest]:
    """The digests of all prefixes of the observations of a seat, in order."""
    found = [before]
    for entry in entries:
        text = json.dumps(entry, sort_keys=True, default=str).encode()
        found.append(blake2b(found[-1] + text, digest_size=16).digest())
    return found
