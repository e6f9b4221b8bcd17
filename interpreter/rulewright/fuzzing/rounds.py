"""Portions of games are handed out round by round, to this process or to several."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

from rulewright.fuzzing.failures import Setting
from rulewright.fuzzing.search.portion_search import Harvest, Portion, search
from rulewright.host.workers import process_pool
from rulewright.play.game import Game
from rulewright.play.loading import load
from rulewright.rulesets.opening import opened


@dataclass(frozen=True, slots=True)
class Task:
    """The data that another process needs to load the games; hashable, so that it does it once."""

    ruleset: str
    files: tuple[str, ...]


Played = Callable[[Mapping[Setting, Game], Task, Sequence[Portion]], Iterator[Harvest]]


@contextmanager
def players(jobs: int) -> Iterator[Played]:
    """The players of portions: this process, or several others; in both cases the harvests come in their order."""
    if jobs <= 1:
        yield lambda games, _task, portions: (search(games[portion.setting], portion) for portion in portions)
        return
    with process_pool(jobs) as pool:
        yield lambda _games, task, portions: pool.map(_elsewhere, [task] * len(portions), portions)


def _elsewhere(task: Task, portion: Portion) -> Harvest:
    return search(_loaded(task, portion.setting), portion)


@lru_cache(maxsize=4)
def _loaded(task: Task, setting: Setting) -> Game:
    ruleset, _ = opened(task.ruleset, task.files)
    return load(ruleset, setting.players, setting.variants, dict(setting.options))
