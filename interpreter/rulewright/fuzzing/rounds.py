"""Portions of games are handed out round by round, to this process or to others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from rulewright.data.ruleset import Ruleset
from rulewright.fuzzing.failures import Setting
from rulewright.fuzzing.search.portion_search import Harvest, Portion, search
from rulewright.host.workers import Cluster, Jobs, worker_pool
from rulewright.play.game import Game
from rulewright.play.loading import load

Played = Callable[[Mapping[Setting, Game], Sequence[Portion]], Iterator[Harvest]]


class Searcher:
    """Plays portions, elsewhere: it loads the games of each setting when they are first played."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._games: dict[Setting, Game] = {}

    def __call__(self, portion: Portion) -> Harvest:
        """The harvest of a portion."""
        setting = portion.setting
        if setting not in self._games:
            self._games[setting] = load(self._ruleset, setting.players, setting.variants, dict(setting.options))
        return search(self._games[setting], portion)

    def __reduce__(self) -> tuple[type[Searcher], tuple[Ruleset]]:
        return Searcher, (self._ruleset,)


@contextmanager
def players(ruleset: Ruleset, jobs: Jobs) -> Iterator[Played]:
    """The players of portions; the harvests come in their order, with any workers."""
    if not isinstance(jobs, Cluster) and jobs <= 1:
        yield lambda games, portions: (search(games[portion.setting], portion) for portion in portions)
        return
    with worker_pool(Searcher(ruleset), jobs, "games of the fuzzer") as in_order:

        def elsewhere(_games: Mapping[Setting, Game], portions: Sequence[Portion]) -> Iterator[Harvest]:
            left = iter(portions)
            return (harvest for _, harvest in in_order(lambda: next(left, None)))

        yield elsewhere
