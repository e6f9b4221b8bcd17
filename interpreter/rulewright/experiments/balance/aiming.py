"""Values of parameters with which a measure has a given mean: which they are, and how sure that is.

A space of few settings is tried in full; in a larger one settings are drawn by the tree-structured Parzen estimator of
J. Bergstra, R. Bardenet, Y. Bengio, B. Kégl, *Algorithms for hyper-parameter optimization* (NIPS 2011), as optuna has
it. The better half of what was tried goes on with twice as many games, and so on: successive halving, K. Jamieson,
A. Talwalkar, *Non-stochastic best arm identification and hyperparameter optimization* (AISTATS 2016). All settings are
played with equal seeds. As the best of many is partly the luckiest, what is told of it comes from games with other
seeds.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from math import inf, prod
from typing import Any

from rulewright.agents.words import wrong
from rulewright.compiler import OptionValue
from rulewright.diagnostics.suggestions import listing
from rulewright.experiments.arms import Arm
from rulewright.experiments.balance.sweeps import Setting, full, written
from rulewright.experiments.balance.swept_parameters import Swept, Unloadable, loaded
from rulewright.experiments.columns.measures import SHARE, MeasureReader
from rulewright.experiments.columns.wanted import Wanted
from rulewright.experiments.experiment import Experiment
from rulewright.experiments.playing.game_player import MOST
from rulewright.experiments.results import Results
from rulewright.experiments.statistics.paired_differences import LEVEL, mean_interval, rounded
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.host.workers import Jobs
from rulewright.play.loading import load

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
_AIM = re.compile(r"\s*(.+?)\s*=\s*(-?\d+(?:\.\d+)?)\s*(%?)\s*")

Tell = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Target:
    """A measure, and the mean that it is to have."""

    measure: str
    value: float

    @staticmethod
    def read(text: str, arm: Arm) -> Target:
        """From words as ``wins(seat 1) = 50%``; RulesetError if the arm has no such measure."""
        found = _AIM.fullmatch(text)
        if found is None:
            raise wrong(f"`{text}` is no aim", "write MEASURE = VALUE, as in wins(seat 1) = 50% or decisions = 80")
        return Target.of(found[1], float(found[2]) / (100 if found[3] else 1), arm, bool(found[3]))

    @staticmethod
    def of(measure: str, value: float, arm: Arm, percent: bool = False) -> Target:
        """An aim that is checked."""
        reader = MeasureReader(arm, Wanted.read((measure,)))
        if measure not in reader.units:
            reader = MeasureReader(arm)
            reader.require(measure)
            ours = [name for name in reader.units if name.startswith(f"{measure}(")]
            raise wrong(f"`{measure}` stands for several measures", f"name one: {listing(ours, 30)}")
        share = reader.units[measure] == SHARE
        if percent and not share:
            raise wrong(f"`{measure}` is no share, so it has no per cents", f"write {measure} = {value * 100:g}")
        least = -1.0 if measure == "first_seat_advantage" else 0.0
        if share and not least <= value <= 1:
            raise wrong(f"a share such as `{measure}` lies between {least:g} and 1", f"write {measure} = 50%")
        return Target(measure, value)

    def away(self, mean: float | None) -> float:
        """The distance of a mean; the largest if there is none."""
        return inf if mean is None else abs(mean - self.value)


class Candidate:
    """A setting that is tried, and what its games have shown so far."""

    def __init__(self, number: int, arm: Arm, setting: Setting) -> None:
        self.number, self.arm, self.setting = number, arm, setting
        self.games = 0
        """Games that have been played with it."""
        self._said, self._sum = 0, 0.0

    @property
    def mean(self) -> float | None:
        """The mean of the measure over the games of which it says something."""
        return self._sum / self._said if self._said else None

    @property
    def silent(self) -> int:
        """Games of which the measure says nothing: stopped, failed, or without what is measured."""
        return self.games - self._said

    def add(self, games: int, said: int, mean: float) -> None:
        """Take in games."""
        self.games += games
        self._said += said
        self._sum += said * mean


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
        own = {name: value for name, value in settings.items() if self._plain.get(name) != written(value)}
        lines = [f'variant "{self.aim.measure} near {near}" of {self.arm.game.name.replace("-", "_")}']
        lines += [f"    set {name} = {written(value)}" for name, value in (own or settings).items()]
        return "\n".join(lines) + "\n"

    @property
    def _plain(self) -> dict[str, str]:
        """The values of parameters without options."""
        game = self.arm.game
        return load(game.ruleset, game.players, game.variants).parameters

    def data(self) -> dict[str, object]:
        """It as plain data."""
        found, ends = self.confirmed.arms[0], self.interval
        return {
            **{key: value for key, value in self.arm.data().items() if key != "arm"},
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

    def run(self, tell: Tell | None = None) -> Aimed:
        """Search, and confirm; `tell` hears how many games there are so far."""
        small = prod(map(len, self._swept.values())) <= ENUMERATED
        tried, unloadable = self._all(tell) if small else self._drawn(tell)
        left = self._ranked(tried)
        while len(left) > 1 and left[0].games < self._games:
            left = left[: max(FINALISTS, -(-len(left) // 2))]
            self._play(left, min(self._games, 2 * left[0].games), tell)
            left = self._ranked(left)
        # of those with most games the nearest; a setting that has been left behind does not come back
        order = sorted(tried, key=lambda one: (-one.games, self._aim.away(one.mean), one.number))
        confirmed = self._experiment([order[0].arm], self._seed + self._games, self._games, tell)
        method = "all" if small else "TPE"
        return Aimed(self._aim, self._arm, self._swept, method, tuple(order), tuple(unloadable), confirmed)

    def _ranked(self, some: Iterable[Candidate]) -> list[Candidate]:
        return sorted(some, key=lambda one: (self._aim.away(one.mean), one.number))

    def _all(self, tell: Tell | None) -> tuple[list[Candidate], list[Unloadable]]:
        settings = full(self._swept)
        made, failed = loaded(self._arm, settings)
        tried = [Candidate(number, arm, settings[number]) for number, arm in made.items()]
        self._play(tried, self._first, tell)
        return tried, failed

    def _drawn(self, tell: Tell | None) -> tuple[list[Candidate], list[Unloadable]]:
        """Settings of a sampler, each played as far as the first look goes."""
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            sampler = optuna.samplers.TPESampler(seed=self._seed % 2**32, multivariate=True, constant_liar=True)
        study = optuna.create_study(sampler=sampler)
        tried: dict[tuple[OptionValue, ...], Candidate] = {}
        failed: dict[tuple[OptionValue, ...], Unloadable] = {}
        for _ in range(TRIALS // BATCH):
            trials = [study.ask() for _ in range(BATCH)]
            settings = [{name: self._suggested(trial, name) for name in self._swept} for trial in trials]
            fresh = {tuple(one.values()): one for one in settings}
            fresh = {key: one for key, one in fresh.items() if key not in tried and key not in failed}
            made, wrongs = loaded(self._arm, list(fresh.values())) if fresh else ({}, [])
            failed |= {tuple(one.setting.values()): one for one in wrongs}
            new = [
                Candidate(len(tried) + place, arm, list(fresh.values())[number])
                for place, (number, arm) in enumerate(made.items())
            ]
            self._play(new, self._first, tell)
            tried |= {tuple(one.setting.values()): one for one in new}
            for trial, setting in zip(trials, settings, strict=True):
                known = tried.get(tuple(setting.values()))
                if known is None or known.mean is None:
                    study.tell(trial, state=optuna.trial.TrialState.FAIL)
                else:
                    study.tell(trial, self._aim.away(known.mean))
        return list(tried.values()), list(failed.values())

    def _suggested(self, trial: Any, name: str) -> OptionValue:
        """The value of a parameter in a trial: numbers are ordered, names are not."""
        values = self._swept[name]
        if all(isinstance(one, int) and not isinstance(one, bool) for one in values):
            number: int = trial.suggest_int(name, 0, len(values) - 1)
        else:
            number = trial.suggest_categorical(name, list(range(len(values))))
        return values[number]

    def _play(self, some: Sequence[Candidate], until: int, tell: Tell | None) -> None:
        """Play on with some settings until they have so many games."""
        if not some:
            return
        begin = some[0].games
        results = self._experiment([one.arm for one in some], self._seed + begin, until - begin, tell)
        for one, found in zip(some, results.arms, strict=True):
            known = found.statistics.get(self._aim.measure)
            one.add(found.played, known.count if known else 0, known.mean if known else 0.0)

    def _experiment(self, arms: Sequence[Arm], seed: int, games: int, tell: Tell | None) -> Results:
        experiment = Experiment(tuple(arms), games, seed, (self._aim.measure,), self._most)
        results = experiment.begin()
        before = self._played
        experiment.run(results, self._jobs, None if tell is None else lambda done: tell(before + done))
        self._played += games * len(arms)
        return results
