"""Many games, in one process or in several: each from its own seed, so that it does not matter who plays it."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

import rulewright as rw
from rulewright_tools.console import CommandError
from rulewright_tools.session.last_moments import with_story
from rulewright_tools.session.seat_policies import policies_of
from rulewright_tools.session.statistics import Leak, Statistics

BATCH = 10
"""Games that are played between two looks at the keyboard."""
LOOKED_AT = 16
"""Decisions of a game at which it is tried whether they tell a secret."""
DEALS = 4
"""So often what is hidden is dealt anew then."""


@dataclass(frozen=True, slots=True)
class Task:
    """The data that a process needs to play some of the games; hashable, so that it loads the game once."""

    ruleset: str
    players: int | None
    variants: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    checked: int
    """Invariants and properties are looked at in the games of the seeds below this one: they take twice as long."""
    most: int
    policies: tuple[str, ...] = ()
    look: int = 8
    noise: int = 10
    check_views: bool = False
    backend: rw.playing.EngineName = "auto"
    passes: str = "all"

    def load(self) -> tuple[rw.Game, tuple[rw.playing.Agent, ...]]:
        """The game and how its seats decide: one policy for all or one for each."""
        options = dict(self.options)
        game = rw.load(self.ruleset, self.players, self.variants, options, self.backend, self.passes)
        return game, policies_of(game, self.policies, self.look, self.noise)


@lru_cache(maxsize=1)
def _loaded(task: Task) -> tuple[rw.Game, tuple[rw.playing.Agent, ...]]:
    return task.load()


def play_elsewhere(task: Task, seeds: range) -> Statistics | tuple[rw.Diagnostic, ...]:
    """In another process: play the games of these seeds. What is wrong with the rules comes back as data."""
    try:
        return play_batch(*_loaded(task), task, seeds)
    except rw.RulesetError as error:
        return error.diagnostics


def play_batch(game: rw.Game, policies: tuple[rw.playing.Agent, ...], task: Task, seeds: range) -> Statistics:
    """Play the games of these seeds."""
    tally = Statistics()
    for seed in seeds:
        try:
            play_one(game, policies, seed, tally, task)
        except rw.RulesetError as error:
            raise with_story(error, game, seed, task.most, not policies) from error
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
    """Look at some decisions of a game again, and count the choices that tell a secret. Without `answers` it is one at
    random."""
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


def batches(seed: int, games: int) -> list[range]:
    """The seeds of the games, in portions. Game number i has seed ``seed + i``, whoever plays it."""
    return [range(start, min(start + BATCH, seed + games)) for start in range(seed, seed + games, BATCH)]


def run(
    game: rw.Game, policies: tuple[rw.playing.Agent, ...], task: Task, seed: int, games: int, jobs: int
) -> Generator[Statistics, None, None]:
    """Play all games; gives a tally for each portion, in any order."""
    portions = batches(seed, games)
    if jobs == 1 or len(portions) == 1:
        for portion in portions:
            yield play_batch(game, policies, task, portion)
        return
    left = iter(portions)
    jobs = min(jobs, len(portions))
    try:
        with rw.workers.process_pool(jobs) as pool:
            running: set[Future[Statistics | tuple[rw.Diagnostic, ...]]] = set()
            while True:
                # A few portions wait in front of the processes, so that none is ever idle; not all of them, for Ctrl-C.
                more = islice(left, 2 * jobs - len(running))
                running |= {pool.submit(play_elsewhere, task, portion) for portion in more}
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    found = future.result()
                    if isinstance(found, tuple):
                        raise rw.RulesetError(found)
                    yield found
    except BrokenProcessPool as error:
        raise CommandError("a process that played games was killed (out of memory?); try fewer --jobs") from error
