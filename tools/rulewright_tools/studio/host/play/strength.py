"""Strengths of opponents: *easy*, *middle* and *strong* think for some time, as this machine thinks about these rules.

The time becomes a number of simulations once, before an opponent thinks for the first time, and is kept with the game:
from then on the answers of the opponent follow from the game alone, as those of any other agent.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from weakref import WeakKeyDictionary

import rulewright as rw
import rulewright_lab as lab

SECONDS: Mapping[str, float] = {"easy": 0.1, "middle": 1.0, "strong": 5.0}
"""The seconds that each strength thinks about an answer at the beginning of a game."""

MOST = 1_000_000
"""Simulations at most: with more, trees of several games fill the memory of a server."""

ENOUGH, LONG, SEVERAL = 0.25, 1.0, 256
"""Searches of twice as many simulations each are timed until one takes long, or enough and has had several: the first
ones deal the worlds of what is hidden, which those after them only look up."""

SEARCHED = 100
"""Answers after which no position is looked for any more in which a player has a choice."""

_KIND = re.compile(rf"({'|'.join(SECONDS)}) \((.+)\)")

Clock = Callable[[], float]
"""The seconds since some moment."""


def measured_kind(strength: str, agent: str) -> str:
    """The word for a seat that an agent plays as strong as that: ``middle (mcts:340)``."""
    return f"{strength} ({agent})"


def parts_of(kind: str) -> tuple[str, str]:
    """The strength that a word for a seat names, and its agent; either may be empty."""
    if kind in SECONDS:
        return kind, ""
    found = _KIND.fullmatch(kind)
    return (found[1], found[2]) if found is not None else ("", kind)


class Strengths:
    """The numbers of simulations of each strength on this machine, found once for all games with the same rules."""

    clock: Clock = staticmethod(time.perf_counter)
    """The clock by which searches are timed; tests put another one in its place."""

    def __init__(self) -> None:
        self._timed: WeakKeyDictionary[rw.Game, list[tuple[int, float]]] = WeakKeyDictionary()

    def measured(self, game: rw.Game, kinds: Sequence[str]) -> tuple[str, ...]:
        """Words for seats, with an agent for each that only names a strength."""
        return tuple(self._measured(game, kind) if kind in SECONDS else kind for kind in kinds)

    def _measured(self, game: rw.Game, strength: str) -> str:
        if game not in self._timed:
            self._timed[game] = _timed(game, self.clock)
        return measured_kind(strength, f"mcts:{simulations(self._timed[game], SECONDS[strength])}")


def simulations(timed: Sequence[tuple[int, float]], seconds: float) -> int:
    """The number of simulations that take so long, from searches that were timed, by two figures; at least one."""
    known = [(number, took) for number, took in timed if took <= seconds]
    number, took = known[-1] if known else (1, seconds)
    if known and len(known) < len(timed):
        number = min(round(number * seconds / took), timed[len(known)][0]) if took > 0 else number
    elif known:
        before, less = timed[-2] if len(timed) > 1 else (0, 0.0)
        each = max((took - less) / (number - before), took / number / 4)  # the rest is dealing, once
        number = number + round((seconds - took) / each) if each > 0 else MOST
    return int(float(f"{min(number, MOST):.2g}"))


def _timed(game: rw.Game, clock: Clock) -> list[tuple[int, float]]:
    """Numbers of simulations, each with the seconds that a search took from the first position with a choice."""
    state = game.start(0)
    for _ in range(SEARCHED):
        if (decision := state.decision) is None or (decision.seat is not None and len(decision.options) > 1):
            break
        state = state.choose(0)
    if state.decision is None or state.decision.seat is None:
        return [(1, 0.0)]
    found: list[tuple[int, float]] = []
    number = 1
    _search(game, state, number)  # whatever is compiled before the first one is no part of it
    while number <= MOST:
        begun = clock()
        _search(game, state, number)
        found.append((number, clock() - begun))
        if found[-1][1] >= (ENOUGH if number >= SEVERAL else LONG):
            break
        number *= 2
    return found


def _search(game: rw.Game, state: rw.State, number: int) -> None:
    game.search(lab.agent(game, f"mcts:{number}")).analyse(state, rw.playing.Dice(0, "strength"))
