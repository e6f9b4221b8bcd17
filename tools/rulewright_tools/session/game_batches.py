"""Many games, in one process or in several: each from its own seed, so that it does not matter who plays it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

import rulewright as rw
from rulewright_tools.session.last_moments import with_story
from rulewright_tools.session.seat_policies import policies_of
from rulewright_tools.session.statistics import Leak, Statistics

BATCH = 10
"""Games that are played between two looks at the keyboard."""
LOOKED_AT = 16
"""The number of decisions of a game that are tested for revealing a secret."""
DEALS = 4
"""So often what is hidden is dealt anew then."""


@dataclass(frozen=True, slots=True)
class Task:
    """The way in which games are to be played."""

    ruleset: str
    players: int | None
    variants: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    checked: int
    """Invariants and properties are looked at in the games of the seeds below this one: they take twice as long."""
    most: int
    policies: tuple[str, ...] = ()
    check_views: bool = False
    backend: rw.playing.EngineName = "auto"
    passes: str = "all"

    def load(self) -> tuple[rw.Game, tuple[rw.playing.Agent, ...]]:
        """The game and how its seats decide: one policy for all or one for each."""
        options = dict(self.options)
        game = rw.load(self.ruleset, self.players, self.variants, options, self.backend, self.passes)
        return game, policies_of(game, self.policies)


class BatchPlayer:
    """Plays batches of games; errors of the rules are returned as data. It can be sent to other processes: agents are
    made anew there, of their words."""

    def __init__(self, game: rw.Game, policies: tuple[rw.playing.Agent, ...], task: Task) -> None:
        self._game, self._policies, self._task = game, policies, task

    def __call__(self, seeds: range) -> Statistics | tuple[rw.Diagnostic, ...]:
        """The games of these seeds."""
        try:
            return play_batch(self._game, self._policies, self._task, seeds)
        except rw.RulesetError as error:
            return error.diagnostics

    def __reduce__(self) -> tuple[Callable[[rw.Game, Task], BatchPlayer], tuple[rw.Game, Task]]:
        return _player, (self._game, self._task)


def _player(game: rw.Game, task: Task) -> BatchPlayer:
    return BatchPlayer(game, policies_of(game, task.policies), task)


def play_batch(game: rw.Game, policies: tuple[rw.playing.Agent, ...], task: Task, seeds: range) -> Statistics:
    """Play the games of these seeds."""
    tally = Statistics()
    for seed in seeds:
        try:
            play_one(game, policies, seed, tally, task)
        except rw.RulesetError as error:
            raise with_story(error, game, seed, task.most, not policies, dict(task.options)) from error
    return tally


def play_one(game: rw.Game, policies: tuple[rw.playing.Agent, ...], seed: int, tally: Statistics, task: Task) -> None:
    """One game: chance and picks both come from its seed, so that it can be played again."""
    fired = game.new_fired()
    check = seed < task.checked
    keep = task.check_views and bool(policies)
    played = game.playout(seed, fired=fired, most=task.most, policies=policies, check=check, keep=keep)
    tally.checked += check
    used = [name for name, times in zip(game.rule_names, fired, strict=True) if times]
    for broken in played.broken:
        tally.note_broken(broken, seed)
    if task.check_views:
        look_at_views(game, played, played.answers if keep else None, tally)
    result = played.result
    if result is None:
        tally.add_unfinished(seed, played.decisions, used)
    else:
        tally.add(result, game.seats, played.decisions, used)
        tally.add_measures(played.measures, game.seats)


def look_at_views(game: rw.Game, played: rw.playing.Played, answers: Sequence[int] | None, tally: Statistics) -> None:
    """Look at some decisions of a game again, and count the choices that reveal a secret. Without `answers` it is one
    at random."""
    watched = rw.playing.Dice(played.seed, "decisions that are looked at").some(played.decisions, LOOKED_AT)
    for number, state in game.states(played.seed, watched, answers):
        decision = state.decision
        if decision is None or decision.seat is None:
            continue
        tally.looked_at += 1
        for deal in range(DEALS):
            found = game.leaks(state, decision.seat, deal)
            for what in found:
                tally.note_leak(decision.name, Leak(played.seed, number + 1, what))
            if found:
                break


def batches(seed: int, games: int) -> Iterator[range]:
    """The seeds of the games, in portions. Game number i has seed ``seed + i``, in any process."""
    return (range(start, min(start + BATCH, seed + games)) for start in range(seed, seed + games, BATCH))


def run(
    game: rw.Game,
    policies: tuple[rw.playing.Agent, ...],
    task: Task,
    seed: int,
    games: int,
    jobs: rw.workers.Jobs,
) -> Generator[Statistics, None, None]:
    """Play all games; gives a tally for each portion."""
    left = batches(seed, games)
    if jobs == 1 or games <= BATCH:
        for portion in left:
            yield play_batch(game, policies, task, portion)
        return
    player = BatchPlayer(game, policies, task)
    with closing(rw.workers.map_in_order(player, lambda: next(left, None), jobs, f"games of {game.name}")) as played:
        for _, found in played:
            if isinstance(found, tuple):
                raise rw.RulesetError(found)
            yield found
