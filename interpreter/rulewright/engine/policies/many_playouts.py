"""Many games, of which only the end or a row of measures is kept, as arrays."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from time import perf_counter
from typing import TYPE_CHECKING

from rulewright.engine.native.observation_plan import Measured, RowPlan
from rulewright.engine.native.passes import ALL, Passes
from rulewright.engine.native.tiering import EngineName, backend_for
from rulewright.engine.policies.playout import Playout
from rulewright.engine.policies.policy import Agent
from rulewright.engine.runtime.records import PayoffRule
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.notebook_html import table
from rulewright.host.budgets import DECISIONS, TOTAL, Scope, scope
from rulewright.ir.model import Program

if TYPE_CHECKING:
    from rulewright.engine.native.backend import Backend

FIRST = 32
"""Games that the native backend plays before the first look at the clock."""
SPAN = 0.05
"""Seconds that it plays between two looks."""
STOPPED = -1
"""In place of a rule: the game was stopped after too many decisions."""


@dataclass(frozen=True, slots=True)
class Playouts:
    """Ends of many games; game number *i* has seed ``seed + i``. Arrays of numpy can be made of them as they are."""

    seed: int
    decisions: array[int]
    """Answers of players; chance is not counted."""
    rules: array[int]
    """The number of the rule that ended it, among ``Game.rule_names``; -1 if it was stopped."""
    places: tuple[array[int], ...]
    """For each seat its places, from 1; 0 if the game was stopped."""
    drawn: array[int]
    """For each game 1 if several are in the first place and none has beaten the others."""
    broken: dict[int, tuple[str, ...]]
    """For the number of each game in which an invariant or property did not hold those that did not, if it was looked
    at them: each as ``name`` or ``name (member)``."""
    _payoffs: PayoffRule
    _paid: tuple[array[int], ...] = ()
    """For each seat what it was paid, if the rules pay."""

    @property
    def payoffs(self) -> tuple[array[float], ...]:
        """For each seat the worth of the games; of one that was stopped what was paid so far, or 0. Made anew whenever
        it is needed."""
        if self._payoffs.pays:
            return tuple(array("d", column) for column in self._paid)
        found = tuple(array("d") for _ in self.places)
        known: dict[tuple[int, ...], tuple[float, ...]] = {(0,) * (len(found) + 1): (0.0,) * len(found)}
        for ranks in zip(*self.places, self.drawn, strict=True):
            if ranks not in known:
                known[ranks] = tuple(map(float, self._payoffs.payoffs(ranks, ())))
            for column, payoff in zip(found, known[ranks], strict=True):
                column.append(payoff)
        return found

    def __len__(self) -> int:
        return len(self.decisions)

    def _repr_html_(self) -> str:
        games = max(1, len(self))
        rows = [
            (f"seat {number}", sum(place == 1 for place in places) / games, sum(payoffs) / games)
            for number, (places, payoffs) in enumerate(zip(self.places, self.payoffs, strict=True), 1)
        ]
        caption = f"{len(self)} games from seed {self.seed}, {sum(self.decisions) / games:.4g} decisions each"
        return table(("", "In the first place", "Payoff"), rows, caption)


def play_many(
    program: Program,
    count: int,
    seed: int,
    most: int = DECISIONS,
    backend: Backend | None = None,
    threads: int = 1,
    check: bool = False,
    policies: Sequence[Agent] = (),
    wanted: EngineName = "auto",
    passes: Passes = ALL,
) -> Playouts:
    """Play games of successive seeds, natively with a backend; what it cannot play is played without.

    Native games at random are played by so many threads at the same time. With `check` invariants and properties are
    looked at; a backend must be one that does, unless there are policies.
    """
    rule, places = PayoffRule.of(program), _columns(program.players)
    paid = _columns(program.players) if rule.pays else ()
    made = Playouts(seed, array("i"), array("i"), places, array("i"), {}, rule, paid)
    if policies or backend is None or scope().pools:  # native steps cannot be paid from what others share
        rated = backend if policies else None
        each = Playout(program, None, policies, check, rated, wanted, passes)
        _play_one_by_one(each, range(seed, seed + count), most, made)
        return made
    alone: Playout | None = None
    for portion, rows in _portions(backend, range(seed, seed + count), most, threads):
        done = 0
        while True:
            width = backend.width
            made.decisions.extend(rows[0::width])
            made.rules.extend(rows[2::width])
            for number, column in enumerate(made.places):
                column.extend(rows[3 + number :: width])
            ranks = [rows[at::width] for at in range(3, 4 + program.players)]
            made.drawn.extend(rule.drawn(ranks))
            for number, column in enumerate(made._paid):
                column.extend(rows[4 + program.players + number :: width])
            done += len(rows) // width
            if done == len(portion):
                break
            alone = alone or Playout(program, check=check, passes=passes)
            _play_one_by_one(alone, portion[done : done + 1], most, made)
            done += 1
            rows = _rows(backend, portion[done:], most, scope())
    return made


def _columns(count: int) -> tuple[array[int], ...]:
    return tuple(array("i") for _ in range(count))


def _play_one_by_one(alone: Playout, seeds: range, most: int, made: Playouts) -> None:
    """Play some games one after the other."""
    names = {name: number for number, name in enumerate(alone.engine.rule_names)}
    for seed in seeds:
        scope().look()
        played = alone.play(seed, most)
        if played.broken:
            made.broken[len(made)] = played.broken
        made.decisions.append(played.decisions)
        made.rules.append(names[played.rule] if played.finished else STOPPED)
        for column, place in zip(made.places, played.places, strict=True):
            column.append(place)
        made.drawn.append(int(played.result is not None and played.result.drawn))
        for column, paid in zip(made._paid, played.payoffs, strict=bool(made._paid)):
            column.append(int(paid))


def _rows(backend: Backend, seeds: range, most: int, here: Scope) -> array[int]:
    """The rows of some games, up to the first that only the Python backend can finish."""
    if not seeds:
        return array("i")
    return backend.play_rows(seeds[0], len(seeds), min(most, here.decisions), here.steps, TOTAL, here)


class _Portions:
    """Cuts games into portions that take about :data:`SPAN` each, as estimated from the first ones that a
    backend has played: the speed is kept, so that a few games are not measured anew each time."""

    def __init__(self, seeds: range, threads: int, backend: Backend) -> None:
        self._left, self._threads, self._backend = seeds, threads, backend
        self._size = backend.portion or FIRST

    def next(self) -> range:
        """The next portion; several threads get equal parts of what is left at last."""
        size = self._size if self._threads == 1 else min(self._size, -(-len(self._left) // self._threads))
        portion, self._left = self._left[:size], self._left[size:]
        return portion

    def took(self, games: int, seconds: float) -> None:
        """Note how long a portion took: the next ones are at most twice as large."""
        most = self._backend.most_games
        wanted = int(games * SPAN / max(seconds, SPAN / most))
        self._size = max(1, min(wanted, max(2 * games, self._size), most))
        self._backend.portion = self._size


def _portions(backend: Backend, seeds: range, most: int, threads: int) -> Iterator[tuple[range, array[int]]]:
    """Portions of the games in their order, each with its rows."""
    here, portions = scope(), _Portions(seeds, threads, backend)

    def play(portion: range) -> array[int]:
        begun = perf_counter()
        found = _rows(backend, portion, most, here)
        portions.took(len(portion), perf_counter() - begun)
        return found

    if threads == 1:
        while portion := portions.next():
            here.look()
            yield portion, play(portion)
        return
    with ThreadPoolExecutor(threads) as pool:
        running: deque[tuple[range, Future[array[int]]]] = deque()
        try:
            while True:
                while len(running) <= threads and (portion := portions.next()):
                    running.append((portion, pool.submit(play, portion)))
                if not running:
                    return
                here.look()
                portion, rows = running.popleft()
                yield portion, rows.result()
        finally:
            for _, left in running:
                left.cancel()


class MeasuredGames:
    """Plays games of a program, and asks queries at their ends."""

    def __init__(self, program: Program, measured: Measured, backend: Backend) -> None:
        assert backend.native.plan is not None
        self.measured = measured
        self._program, self._backend = program, backend
        self.plan: RowPlan = backend.native.plan
        """The places of what is measured in a row; before it stand the answers, why it stopped, the rule that ended it
        or -1, a place for each seat, and so on as :class:`Outcome` has it."""
        self.most_games = backend.most_games
        """So many games are played at once at most."""

    def rows(self, seeds: range, most: int) -> array[int]:
        """The rows of some games, up to the first that only the Python backend can finish, or to so many as are
        played at once; none if that is the first one."""
        here = scope()
        here.look()
        if not seeds:
            return array("i")
        games = min(len(seeds), self.most_games)
        return self._backend.play_rows(seeds[0], games, min(most, here.decisions), here.steps, TOTAL, here)


def measured_games(
    program: Program, measured: Measured, games: int, wanted: EngineName = "auto", passes: Passes = ALL
) -> MeasuredGames | None:
    """The player of so many more games of a program; None if that is left to the Python backend."""
    if scope().pools:  # native steps cannot be paid from what others share
        return None
    backend = backend_for(program, wanted, games, passes=passes, measured=measured)
    return None if backend is None else MeasuredGames(program, measured, backend)
