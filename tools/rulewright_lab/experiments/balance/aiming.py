"""Values of parameters with which a measure has a given mean: which they are, and how sure that is.

A space of few settings is tried in full; in a larger one settings are drawn by the tree-structured Parzen estimator of
J. Bergstra, R. Bardenet, Y. Bengio, B. Kégl, *Algorithms for hyper-parameter optimization* (NIPS 2011), as optuna has
it. The better half of what was tried goes on with twice as many games, and so on: successive halving, K. Jamieson, A.
Talwalkar, *Non-stochastic best arm identification and hyperparameter optimization* (AISTATS 2016). All settings are
played with equal seeds. As the best of many is partly the luckiest, its figures come from games with other seeds.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from math import prod
from pathlib import Path
from typing import Any

from rulewright import names
from rulewright.compiler import OptionValue
from rulewright.foundation import __version__, dataclass
from rulewright.host import Jobs, defer_interrupts, scope
from rulewright.play import load
from rulewright.syntax import print_expr
from rulewright_lab.agents.words import wrong
from rulewright_lab.experiments.arms import Arm
from rulewright_lab.experiments.balance.sweeps import Setting, Swept, Unloadable, as_written, full, loaded
from rulewright_lab.experiments.balance.targets import Target
from rulewright_lab.experiments.columns.measures import SHARE
from rulewright_lab.experiments.experiment import Experiment
from rulewright_lab.experiments.playing.game_player import MOST
from rulewright_lab.experiments.playing.portions import Cutter, PortionPlayer
from rulewright_lab.experiments.playing.rounds import Rounds
from rulewright_lab.experiments.results import Results
from rulewright_lab.experiments.statistics.paired_differences import LEVEL, mean_interval, rounded

ENUMERATED = 64
"""A space of so many settings is tried in full."""
TRIALS = 64
"""So many settings of a larger space are tried."""
BATCH = 16
"""So many of them are drawn before the next are drawn by what they have shown."""
FIRST_PART = 8
"""The first look at a setting has this part of the games."""
FINALISTS = 3
"""So many settings are played to the end."""

Tell = Callable[[int], None]


class Candidate:
    """A setting that is tried, and what its games have shown so far."""

    def __init__(self, number: int, arm: Arm, setting: Setting) -> None:
        self.number, self.arm, self.setting = number, arm, setting
        self.games = 0
        """Games that have been played with it."""
        self.rounds = 0
        """The rounds that it has come to."""
        self._answering, self._sum = 0, 0.0

    @property
    def mean(self) -> float | None:
        """The mean of the measure over the games in which it is defined."""
        return self._sum / self._answering if self._answering else None

    @property
    def silent(self) -> int:
        """Games in which the measure is undefined: stopped, failed, or without what is measured."""
        return self.games - self._answering

    def add(self, games: int, answering: int, mean: float) -> None:
        """Take in games."""
        self.games += games
        self._answering += answering
        self._sum += answering * mean


@dataclass(frozen=True, slots=True)
class Aimed:
    """The answer to an aim."""

    aim: Target
    arm: Arm
    """The rules that were changed."""
    swept: Swept
    method: str
    """The choice of settings: ``all``, or the name of the sampler."""
    tried: tuple[Candidate, ...]
    """All settings that were played, the best ones first."""
    unloadable: tuple[Unloadable, ...]
    confirmed: Results
    """Games of the first of them with other seeds."""
    search_seed: int
    """The first seed of the games with which they were looked for."""
    complete: bool = True
    """False if it was interrupted: then nothing is known for certain of the first of them."""

    @property
    def best(self) -> Candidate:
        """The setting that was found."""
        return self.tried[0]

    @property
    def space(self) -> int:
        """The number of all settings."""
        return prod(map(len, self.swept.values()))

    @property
    def unit(self) -> str:
        """The unit of the measure."""
        return self.confirmed.arms[0].units[self.aim.measure]

    @property
    def mean(self) -> float | None:
        """The mean of the measure in the games with other seeds."""
        return self.confirmed.arms[0].mean(self.aim.measure)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The interval that holds the true mean in 95 of a hundred cases."""
        found = self.confirmed.arms[0].statistics.get(self.aim.measure)
        return None if found is None else mean_interval(found, self.unit == SHARE)

    @property
    def reached(self) -> bool:
        """True if nothing in the games with other seeds speaks against it."""
        ends = self.interval
        return ends is not None and ends[0] <= self.aim.value <= ends[1]

    @property
    def games(self) -> int:
        """The number of games that were played."""
        return sum(one.games for one in self.tried) + self.confirmed.arms[0].played

    @property
    def variant(self) -> str:
        """The setting as a file with a variant."""
        near = f"{100 * self.aim.value:g} %" if self.unit == SHARE else f"{self.aim.value:g}"
        settings = {**self.arm.options, **self.best.setting}
        own = {name: value for name, value in settings.items() if self._plain.get(name) != as_written(value)}
        lines = [f'variant "{self.aim.measure} near {near}" of {names.game(self.arm.game.name)}']
        lines += [
            f"    set {name} = {print_expr(names.value(as_written(value)))}"
            for name, value in (own or settings).items()
        ]
        return "\n".join(lines) + "\n"

    @property
    def _plain(self) -> dict[str, str]:
        """The values of parameters without options."""
        game = self.arm.game
        return load(game.ruleset, game.players, game.variants).parameters

    def data(self) -> dict[str, object]:
        """Contents as plain data."""
        found, ends = self.confirmed.arms[0], self.interval
        return {
            **{key: value for key, value in self.arm.data().items() if key != "arm"},
            "complete": self.complete,
            "measure": self.aim.measure,
            "unit": self.unit,
            "target": self.aim.value,
            "parameters": [{"parameter": name, "values": list(values)} for name, values in self.swept.items()],
            "method": self.method,
            "space": self.space,
            "tried": [
                {
                    "setting": dict(one.setting),
                    "games": one.games,
                    "silent": one.silent,
                    "mean": None if one.mean is None else rounded(one.mean),
                }
                for one in self.tried
            ],
            "unloadable": [{"setting": dict(one.setting), "why": one.why} for one in self.unloadable],
            "games": self.games,
            "level": LEVEL,
            "found": {
                "setting": dict(self.best.setting),
                "first_seed": self.confirmed.seed,
                "games": found.played,
                "finished": found.games["finished"],
                "unfinished": found.games["unfinished"],
                "failed": found.games["failed"],
                "mean": None if self.mean is None else rounded(self.mean),
                "interval": None if ends is None else [rounded(end) for end in ends],
                "reached": self.reached,
            },
            "variant": self.variant,
        }


class Search:
    """Looks for the setting with which an aim is met."""

    def __init__(
        self, arm: Arm, aim: Target, swept: Swept, games: int = 1000, seed: int = 0, most: int = MOST, jobs: Jobs = 1
    ) -> None:
        """With so many `games` of those settings that come to the end, and as many to confirm the best."""
        if games < 1:
            raise wrong("without a game nothing is found", "play 1 or more, better 1000")
        self._arm, self._aim, self._swept = arm, aim, swept
        self._games, self._seed, self._most, self._jobs = games, seed, most, jobs
        self._first = max(1, games // FIRST_PART)
        self._played = 0
        self._tried: list[Candidate] = []
        self._unloadable: list[Unloadable] = []
        self._arms: dict[int, Arm] = {}

    @property
    def most(self) -> tuple[int, int]:
        """The settings that are tried and the games that are played at most."""
        tried = count = min(prod(map(len, self._swept.values())), max(ENUMERATED, TRIALS))
        games = self._first
        total = count * games
        while count > 1 and games < self._games:
            count, more = min(count, max(FINALISTS, -(-count // 2))), min(self._games, 2 * games)
            total, games = total + count * (more - games), more
        return tried, total + self._games

    def run(self, tell: Tell | None = None, journal: str | Path | None = None) -> Aimed:
        """Search, and confirm; `tell` gets the number of games so far.

        With the file of a `journal` what it has already is not played again, and what is played is kept there. At
        Ctrl-C the answer is what was found so far, and not complete.
        """
        small = prod(map(len, self._swept.values())) <= ENUMERATED
        self._tell, self._played, complete = tell, 0, False
        self._tried.clear()
        self._unloadable.clear()
        confirmed: Results | None = None
        player = PortionPlayer((self._arm,), (self._aim.measure,), self._most, varied=self._arms)
        seeds = range(self._seed, self._seed + 2 * self._games)
        try:
            with Rounds(
                player, seeds, self._jobs, journal, None if journal is None else self.identity()
            ) as self._rounds:
                if small:
                    self._all()
                else:
                    self._drawn()
                left = self._ranked(self._tried)
                while len(left) > 1 and left[0].games < self._games:
                    left = left[: max(FINALISTS, -(-len(left) // 2))]
                    self._play(left, min(self._games, 2 * left[0].games))
                    left = self._ranked(left)
                confirmed = self._begun(self._order()[:1], self._fresh)
                self._take(confirmed, self._order()[:1], range(self._fresh, seeds.stop))
                self._rounds.finish()
            complete = True
        except KeyboardInterrupt:
            if not any(one.games for one in self._tried):
                raise
        order = self._order()
        method = "all" if small else "TPE"
        confirmed = confirmed or self._begun(order[:1], self._fresh)
        return Aimed(
            self._aim,
            self._arm,
            self._swept,
            method,
            tuple(order),
            tuple(self._unloadable),
            confirmed,
            self._seed,
            complete,
        )

    def identity(self) -> dict[str, Any]:
        """All that its games follow from, as plain data."""
        return {
            "Rulewright": __version__,
            "question": "aim",
            "measure": self._aim.measure,
            "value": self._aim.value,
            "over": {name: [*values] for name, values in self._swept.items()},
            "games": self._games,
            "seed": self._seed,
            "decisions": self._most,
            "steps": scope().steps,
            "arm": self._arm.identity(),
        }

    def _order(self) -> list[Candidate]:
        """Of those that came to most rounds the nearest; a setting that has been left behind does not come back."""
        return sorted(self._tried, key=lambda one: (-one.rounds, self._aim.away(one.mean), one.number))

    def _ranked(self, some: Iterable[Candidate]) -> list[Candidate]:
        return sorted(some, key=lambda one: (self._aim.away(one.mean), one.number))

    def _all(self) -> None:
        settings = full(self._swept)
        made, failed = loaded(self._arm, settings)
        self._unloadable += failed
        self._try([(settings[number], arm) for number, arm in made.items()])

    def _try(self, some: Sequence[tuple[Setting, Arm]]) -> list[Candidate]:
        """A first look at settings."""
        begin = len(self._tried)
        new = [Candidate(number, arm, setting) for number, (setting, arm) in enumerate(some, begin)]
        self._tried += new
        self._arms |= {one.number: one.arm for one in new}
        self._play(new, self._first)
        return new

    def _drawn(self) -> None:
        """Settings of a sampler, each played as far as the first look goes."""
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            sampler = optuna.samplers.TPESampler(seed=self._seed % 2**32, multivariate=True, constant_liar=True)
        study = optuna.create_study(sampler=sampler)
        tried: dict[tuple[OptionValue, ...], Candidate | None] = {}
        for _ in range(TRIALS // BATCH):
            trials = [study.ask() for _ in range(BATCH)]
            settings = [{name: self._suggested(trial, name) for name in self._swept} for trial in trials]
            fresh = [*{tuple(one.values()): one for one in settings if tuple(one.values()) not in tried}.values()]
            made, wrongs = loaded(self._arm, fresh) if fresh else ({}, [])
            self._unloadable += wrongs
            tried |= {tuple(one.setting.values()): None for one in wrongs}
            new = self._try([(fresh[number], arm) for number, arm in made.items()])
            tried |= {tuple(one.setting.values()): one for one in new}
            for trial, setting in zip(trials, settings, strict=True):
                known = tried.get(tuple(setting.values()))
                if known is None or known.mean is None:
                    study.tell(trial, state=optuna.trial.TrialState.FAIL)
                else:
                    study.tell(trial, self._aim.away(known.mean))

    def _suggested(self, trial: Any, name: str) -> OptionValue:
        """The value of a parameter in a trial: numbers are ordered, names are not."""
        values = self._swept[name]
        if all(isinstance(one, int) and not isinstance(one, bool) for one in values):
            number: int = trial.suggest_int(name, 0, len(values) - 1)
        else:
            number = trial.suggest_categorical(name, list(range(len(values))))
        return values[number]

    def _play(self, some: Sequence[Candidate], until: int) -> None:
        """Play on with some settings until they have so many games."""
        if not some:
            return
        results = self._begun(some, self._seed)
        seeds = range(self._seed + some[0].games, self._seed + until)
        for one in some:
            one.rounds += 1
        try:
            self._take(results, some, seeds)
        finally:  # also what there is when it is interrupted
            for one, found in zip(some, results.arms, strict=True):
                known = found.statistics.get(self._aim.measure)
                one.add(found.played, known.count if known else 0, known.mean if known else 0.0)

    @property
    def _fresh(self) -> int:
        """The first of the seeds that no search has used."""
        return self._seed + self._games

    def _begun(self, some: Sequence[Candidate], seed: int) -> Results:
        """Results of some settings without a game."""
        arms = tuple(one.arm for one in some)
        return Experiment(arms, self._games, seed, (self._aim.measure,), self._most).begin()

    def _take(self, results: Results, some: Sequence[Candidate], seeds: range) -> None:
        """Take games of some settings into their results."""
        place = {one.number: number for number, one in enumerate(some)}
        settings = {one.number: one.setting for one in some}
        for number, columns in self._rounds.round(
            Cutter({one.number: one.arm for one in some}, seeds, settings=settings)
        ):
            with defer_interrupts():
                self._rounds.keep(number, columns)
                results.add(place[number], columns)
                self._played += len(columns)
            if self._tell is not None:
                self._tell(self._played)
