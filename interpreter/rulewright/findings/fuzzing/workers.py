"""The workers of the fuzzer: portions are played in this process, in others, or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from rulewright.data.ruleset import Ruleset
from rulewright.engine import EngineName
from rulewright.findings.fuzzing.failures import Setting
from rulewright.findings.fuzzing.search.exploration import Exploration, ExplorationResult, Explorers, explore
from rulewright.findings.fuzzing.search.portion_search import Harvest, Portion, search
from rulewright.host.workers import Cluster, Jobs, worker_pool
from rulewright.play.game import Game
from rulewright.play.loading import load

Work = Portion | Exploration
Result = Harvest | ExplorationResult
Played = Callable[[Mapping[Setting, Game], Sequence[Work]], Iterator[Result]]


class Searcher:
    """Plays portions, elsewhere: it loads the games of each setting when they are first played."""

    def __init__(self, ruleset: Ruleset, engine: EngineName) -> None:
        self._ruleset, self._engine = ruleset, engine
        self._games: dict[Setting, Game] = {}
        self._explorers = Explorers()

    def __call__(self, portion: Work) -> Result:
        """The result of a portion."""
        setting = portion.setting
        if setting not in self._games:
            game = load(self._ruleset, setting.players, setting.variants, dict(setting.options))
            game.backend = self._engine
            self._games[setting] = game
        return done(self._games[setting], portion, self._explorers)

    def __reduce__(self) -> tuple[type[Searcher], tuple[Ruleset, EngineName]]:
        return Searcher, (self._ruleset, self._engine)


def done(game: Game, portion: Work, explorers: Explorers) -> Result:
    """The result of a portion."""
    if isinstance(portion, Portion):
        return search(game, portion)
    return explore(game, explorers.of(game, portion.passed), portion)


@contextmanager
def players(ruleset: Ruleset, jobs: Jobs, engine: EngineName) -> Iterator[Played]:
    """The players of portions; the results come in their order, with any workers."""
    if not isinstance(jobs, Cluster) and jobs <= 1:
        explorers = Explorers()
        yield lambda games, portions: (done(games[portion.setting], portion, explorers) for portion in portions)
        return
    with worker_pool(Searcher(ruleset, engine), jobs, "games of the fuzzer") as in_order:

        def elsewhere(_games: Mapping[Setting, Game], portions: Sequence[Work]) -> Iterator[Result]:
            left = iter(portions)
            return (result for _, result in in_order(lambda: next(left, None)))

        yield elsewhere
