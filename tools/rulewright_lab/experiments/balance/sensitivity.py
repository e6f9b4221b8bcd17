"""Sensitivity: which parameter moves which measure, as shares of its variance.

The indices are those of I. M. Sobol (*Global sensitivity indices for nonlinear mathematical models*, Mathematics and
Computers in Simulation 55, 2001), estimated from the points of A. Saltelli and others (*Variance based sensitivity
analysis of model output*, Computer Physics Communications 181, 2010) by SALib, with intervals by a bootstrap. A point
is a value of every parameter, and a block of seeds: chance is an input like the others, so its share of the variance is
given, too, and is not taken for an effect of parameters (B. Iooss, M. Ribatet, *Global sensitivity analysis of computer
models with functional inputs*, Reliability Engineering & System Safety 94, 2009). The output is the mean of a measure
over the games of a block.
"""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterator, Sequence
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rulewright.foundation import __version__, dataclass
from rulewright.host import Jobs, defer_interrupts, scope
from rulewright_lab.agents.words import wrong
from rulewright_lab.experiments.arms import Arm
from rulewright_lab.experiments.balance.sweeps import MOST_ARMS, Setting, Swept, Unloadable, loaded
from rulewright_lab.experiments.columns.measures import MeasureReader
from rulewright_lab.experiments.columns.wanted import Wanted
from rulewright_lab.experiments.playing.game_player import MOST
from rulewright_lab.experiments.playing.portions import Listed, Portion, PortionPlayer
from rulewright_lab.experiments.playing.rounds import Rounds
from rulewright_lab.experiments.statistics.column_statistics import DIGITS
from rulewright_lab.experiments.statistics.paired_differences import LEVEL, holm, rounded

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[np.float64]

CHANCE = "chance"
"""The input besides the parameters: which seeds are played."""
SAMPLES = 128
"""Points to begin with; each is varied in every parameter."""
POINT_GAMES = 10
"""Games of a point."""
FEWEST = 8
"""The least number of points for a measure."""
RESAMPLES = 400
CONSTANT = 1e-12
"""The least spread of a measure that varies."""


class Index(NamedTuple):
    """A share of the variance, and how far it may be off with 95 % confidence."""

    share: float
    off: float

    def data(self) -> dict[str, object]:
        """Contents as plain data."""
        return {"share": rounded(self.share), "off": rounded(self.off)}


class Moved(NamedTuple):
    """The part that a parameter has in what a measure varies."""

    parameter: str
    first: Index
    """By itself, whatever the others are."""
    total: Index
    """Together with the others, chance among them."""
    means: tuple[float, ...]
    """The mean of the measure for each value."""
    certain: bool
    """True if it does move it by itself, whatever else was looked at."""


@dataclass(frozen=True, slots=True)
class Moves:
    """The parameters that move a measure."""

    measure: str
    unit: str
    mean: float
    points: int
    """The points that count, of those that were drawn first: all whose games say something."""
    parameters: tuple[Moved, ...]
    """Empty if it does not vary, or if too few points say something."""
    chance: Index | None
    """The part of chance by itself."""

    @property
    def enough(self) -> bool:
        """True if enough points say something."""
        return self.points >= FEWEST


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """The answer: every measure with what moves it."""

    arm: Arm
    swept: Swept
    samples: int
    games: int
    """Games of a point."""
    seed: int
    played: tuple[int, int, int]
    """The numbers of games that are finished, unfinished, failed."""
    unloadable: tuple[Unloadable, ...]
    left_out: int
    """Points whose rules, or those of one of its variations, do not load."""
    moves: tuple[Moves, ...]
    complete: bool = True
    """False if it was interrupted: then points that were not played say nothing."""

    def data(self) -> dict[str, object]:
        """Contents as plain data."""
        finished, unfinished, failed = self.played
        return {
            **{key: value for key, value in self.arm.data().items() if key != "arm"},
            "complete": self.complete,
            "method": "Sobol",
            "level": LEVEL,
            "seed": self.seed,
            "samples": self.samples,
            "games_of_a_point": self.games,
            "games": sum(self.played),
            "finished": finished,
            "unfinished": unfinished,
            "failed": failed,
            "parameters": [{"parameter": name, "values": list(values)} for name, values in self.swept.items()],
            "unloadable": [{"setting": dict(one.setting), "why": one.why} for one in self.unloadable],
            "points_left_out": self.left_out,
            "measures": [
                {
                    "measure": one.measure,
                    "unit": one.unit,
                    "mean": rounded(one.mean) if one.mean == one.mean else None,
                    "points": one.points,
                    "chance": None if one.chance is None else one.chance.data(),
                    "parameters": [
                        {
                            "parameter": moved.parameter,
                            "first": moved.first.data(),
                            "total": moved.total.data(),
                            "means": [None if mean != mean else rounded(mean) for mean in moved.means],
                            "certain": moved.certain,
                        }
                        for moved in one.parameters
                    ],
                }
                for one in self.moves
            ],
        }


class SensitivityAnalysis:
    """Draws points, plays them, and finds the indices."""

    def __init__(
        self,
        arm: Arm,
        swept: Swept,
        samples: int = SAMPLES,
        games: int = POINT_GAMES,
        seed: int = 0,
        measures: Sequence[str] = (),
        most: int = MOST,
    ) -> None:
        if samples < FEWEST or samples & (samples - 1):
            raise wrong(f"{samples} samples cannot be drawn evenly", f"take a power of two, {FEWEST} or more: 64, 128")
        if games < 1:
            raise wrong("points without a game show nothing", "play 1 or more games of each")
        for name, values in swept.items():
            if len(values) < 2:
                raise wrong(f"`{name}` has one value, so it moves nothing", "give two values or more")
        self._arm, self._swept, self._samples, self._games = arm, swept, samples, games
        self._seed, self._measures, self._most = seed, tuple(measures), most
        for name in measures:
            MeasureReader(arm).require(name)
        self.units = MeasureReader(arm, Wanted.read(self._measures)).units
        self._dice = 2 * (seed % 2**31) + 1
        """The seed of the library, which takes 0 for none."""
        self._problem: dict[str, Any] = {
            "num_vars": len(swept) + 1,
            "names": [*swept, CHANCE],
            "bounds": [[0.0, 1.0]] * (len(swept) + 1),
        }
        self._points = self._drawn()
        distinct = list(dict.fromkeys(setting for setting, _ in self._points))
        if len(distinct) > MOST_ARMS:
            hint = "take fewer values of each parameter, or fewer samples"
            raise wrong(f"{len(distinct)} rulesets would be played, of which {MOST_ARMS} are possible", hint)
        settings: list[Setting] = [dict(zip(swept, chosen, strict=True)) for chosen in distinct]
        made, self._unloadable = loaded(arm, settings)
        self._arms = tuple(made.values())
        self._arm_of = {distinct[number]: place for place, number in enumerate(made)}
        loading = [(self._arm_of[setting], block) for setting, block in self._points if setting in self._arm_of]
        self._todo = list(dict.fromkeys(loading))  # point after point, so that the first ones are whole soon

    @property
    def total(self) -> int:
        """The number of games that are to be played."""
        return len(self._todo) * self._games

    @property
    def settings(self) -> tuple[int, int]:
        """The settings that are to be played, and those whose rules do not load."""
        return len(self._arms), len(self._unloadable)

    def _drawn(self) -> list[tuple[tuple[Any, ...], int]]:
        """The points: a value of each parameter, and the number of a block of seeds."""
        from SALib.sample import sobol

        rows = sobol.sample(self._problem, self._samples, calc_second_order=False, seed=self._dice)
        found = []
        for row in rows.tolist():
            *parameters, chance = row
            setting = tuple(
                values[min(int(u * len(values)), len(values) - 1)]
                for u, values in zip(parameters, self._swept.values(), strict=True)
            )
            found.append((setting, min(int(chance * self._samples), self._samples - 1)))
        return found

    def run(
        self, jobs: Jobs = 1, tell: Callable[[int], None] | None = None, journal: str | Path | None = None
    ) -> Sensitivity:
        """Play all points; `tell` gets the number of games so far.

        With the file of a `journal` what it has already is not played again, and what is played is kept there. At
        Ctrl-C the answer is that of the points so far, and not complete.
        """
        import numpy as np

        means: dict[tuple[int, int], list[float]] = {}
        status, done, complete = np.zeros(3, np.int64), 0, False
        player = PortionPlayer(self._arms, self._measures, self._most)
        wanted = [Portion(arm, self._seeds(block)) for arm, block in self._todo]
        everything = range(self._seed, self._seed + self._samples * self._games)
        try:
            with Rounds(player, everything, jobs, journal, None if journal is None else self.identity()) as rounds:
                for arm, columns in rounds.round(Listed(wanted)):
                    with defer_interrupts():
                        rounds.keep(arm, columns)
                        block = (columns.seeds.start - self._seed) // self._games
                        known = [columns.column(one) if one in columns.packed else np.zeros(0) for one in self.units]
                        means[arm, block] = [float(np.nanmean(one)) if (one == one).any() else nan for one in known]
                        status += columns.games
                        done += len(columns)
                    if tell is not None:
                        tell(done)
                rounds.finish()
            complete = True
        except KeyboardInterrupt:
            if not means:
                raise
        nothing = [nan] * len(self.units)
        outputs = np.array(
            [
                means.get((self._arm_of[setting], block), nothing) if setting in self._arm_of else nothing
                for setting, block in self._points
            ]
        )
        a, b, c = status.tolist()
        return Sensitivity(
            self._arm,
            self._swept,
            self._samples,
            self._games,
            self._seed,
            (a, b, c),
            tuple(self._unloadable),
            self._left_out(),
            tuple(self._moves(outputs)),
            complete,
        )

    def identity(self) -> dict[str, Any]:
        """All that its games follow from, as plain data."""
        return {
            "Rulewright": __version__,
            "question": "sensitivity",
            "over": {name: [*values] for name, values in self._swept.items()},
            "samples": self._samples,
            "games of a point": self._games,
            "seed": self._seed,
            "decisions": self._most,
            "steps": scope().steps,
            "arm": {**self._arm.identity(), "measure": [*self.units]},
        }

    def _seeds(self, block: int) -> range:
        begin = self._seed + block * self._games
        return range(begin, begin + self._games)

    def _left_out(self) -> int:
        """The number of groups, a point with its variations, one of which does not load."""
        group = len(self._swept) + 3
        bad = [setting not in self._arm_of for setting, _ in self._points]
        return sum(any(bad[begin : begin + group]) for begin in range(0, len(bad), group))

    def _moves(self, outputs: Column) -> Iterator[Moves]:
        certain = self._certain(outputs)
        for number, (name, unit) in enumerate(self.units.items()):
            column = outputs[:, number]
            kept, points = self._whole(column)
            y = column[kept]
            mean = float(y.mean()) if points else nan
            if points < FEWEST or float(y.max() - y.min()) < CONSTANT:
                yield Moves(name, unit, mean, points, (), None)
                continue
            moved, chance = [], None
            for place, (parameter, first, total) in enumerate(self._indices(y)):
                if parameter == CHANCE:
                    chance = first
                else:
                    found = certain[number, place] and total.share > 0
                    moved.append(Moved(parameter, first, total, self._means(column, place), found))
            yield Moves(name, unit, mean, points, tuple(moved), chance)

    def _whole(self, column: Column) -> tuple[NDArray[np.bool_], int]:
        """The places of a column that belong to points all of whose variations say something, and the number of these
        points."""
        import numpy as np

        group = len(self._swept) + 3
        whole = ~np.isnan(column).reshape(-1, group).any(axis=1)
        return np.repeat(whole, group), int(whole.sum())

    def _certain(self, outputs: Column) -> dict[tuple[int, int], bool]:
        """For each measure and parameter whether the means of its values differ by more than chance can do.

        The points that were drawn, without their variations, are a sample of each value: the test of W. H. Kruskal and
        W. A. Wallis (*Use of ranks in one-criterion variance analysis*, Journal of the American Statistical Association
        47, 1952) finds smaller effects in it than the intervals of the indices do. All are corrected together.
        """
        from scipy import stats

        group = len(self._swept) + 3
        chances: dict[tuple[int, int], float] = {}
        same: list[Hashable] = []
        """A measure that follows from another one, such as what both of two players win, is not compared again."""
        for number in range(outputs.shape[1]):
            column = outputs[:, number]
            kept, _ = self._whole(column)
            drawn = [at for at in range(len(column)) if at % group in (0, group - 1) and kept[at]]
            for place, values in enumerate(self._swept.values()):
                samples = [[column[at] for at in drawn if self._points[at][0][place] == value] for value in values]
                several = [one for one in samples if one]
                varies = len(several) > 1 and len({y for one in several for y in one}) > 1
                chances[number, place] = float(stats.kruskal(*several).pvalue) if varies else 1.0
                same.append((place, _shape(column)) if varies else None)
        adjusted = holm(list(chances.values()), same)
        return {key: chance < 1 - LEVEL for key, chance in zip(chances, adjusted, strict=True)}

    def _indices(self, y: Column) -> Iterator[tuple[str, Index, Index]]:
        from SALib.analyze import sobol

        with warnings.catch_warnings():  # of pandas, and of what does not vary in a resample
            warnings.simplefilter("ignore")
            found = sobol.analyze(
                self._problem,
                y,
                calc_second_order=False,
                num_resamples=RESAMPLES,
                conf_level=LEVEL,
                seed=self._dice,
            )
        columns = (found[key].tolist() for key in ("S1", "S1_conf", "ST", "ST_conf"))
        for name, s1, off1, st, off in zip(self._problem["names"], *columns, strict=True):
            yield name, Index(s1, off1), Index(st, off)

    def _means(self, column: Column, place: int) -> tuple[float, ...]:
        """The mean of a measure for each value of a parameter."""
        import numpy as np

        parameter = list(self._swept)[place]
        at = [setting[place] for setting, _ in self._points]
        found = []
        for value in self._swept[parameter]:
            some = [y for y, one in zip(column.tolist(), at, strict=True) if one == value and y == y]
            found.append(float(np.mean(some)) if some else np.nan)
        return tuple(found)


def _shape(column: Column) -> bytes:
    """Digest that is equal for columns of which each is the other one in other units."""
    import numpy as np

    known = column == column
    off = np.where(known, column - column[known][:1], 0.0)
    apart = off[np.abs(off) > CONSTANT][:1]
    return np.where(known, np.round(off / apart, DIGITS) + 0.0, np.inf).tobytes() if len(apart) else b""
