"""An evaluation: weights of features, and the payoffs that it expects of a position."""

from __future__ import annotations

from math import exp

from rulewright.diagnostics import RulesetError
from rulewright.engine import Engine, Stepper
from rulewright.foundation import dataclass
from rulewright.ir import Program
from rulewright_lab.evaluation.derived_queries import LEARNT_QUERY, UNIT, derived_of
from rulewright_lab.evaluation.features import features_of

LOGISTIC, LINEAR = "logistic", "linear"
STEEPEST = 30.0
"""A logistic evaluation is as good as certain beyond."""


@dataclass(frozen=True, slots=True)
class Weight:
    """The weight of a feature."""

    feature: str
    weight: float
    """Of a value as large as usual."""
    scale: float
    """The usual size of its values: their standard deviation in the games that were learnt from."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The weights of all features of a game, in their order."""

    name: str
    """The words that name it, for agents."""
    kind: str
    """``logistic``: of the chance to win, for payoffs from -1 to 1; ``linear``: of the payoff."""
    intercept: float
    low: float
    high: float
    """The lowest and the highest payoff that it can expect."""
    weights: tuple[Weight, ...]
    digest: str = ""
    """The digest of the file that it was read from: another one under the same name plays other games."""
    is_derived: bool = False
    """True if all features are expressions of the rules' language: then one query gives the weighed sum."""

    def __str__(self) -> str:
        return self.name

    def program(self, engine: Engine) -> Program:
        """The program that steppers must play so that it can be asked about positions of a game."""
        if not self.is_derived:
            return engine.program
        known: dict[tuple[Weight, ...], Program] = engine.cache("evaluated programs")
        if self.weights not in known:
            known[self.weights] = derived_of(engine).weighed([one.weight / one.scale for one in self.weights])
        return known[self.weights]

    def queries(self, engine: Engine) -> tuple[str, ...]:
        """The queries that a stepper must know for it."""
        return (LEARNT_QUERY,) if self.is_derived else queries_of(engine)

    def evaluator(self, engine: Engine) -> Evaluator | QueryEvaluator:
        """The evaluator of positions of a game."""
        return QueryEvaluator(self) if self.is_derived else Evaluator(engine, self)


class QueryEvaluator:
    """Asks the query for the weighed sum about the positions of steppers of :meth:`Evaluation.program`."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation

    def payoffs(self, stepper: Stepper) -> tuple[float, ...]:
        """The payoff that each seat can expect; that of a usual position if the query ends in an error."""
        try:
            sums = stepper.rates(LEARNT_QUERY)
        except RulesetError:
            return tuple(expected(self._evaluation, 0.0) for _ in range(stepper.engine.program.players))
        players, total = len(sums), sum(sums)
        above = [(players * one - total) / (players - 1) if players > 1 else float(one) for one in sums]
        return tuple(expected(self._evaluation, one / UNIT) for one in above)


class Evaluator:
    """Asks an evaluation about the positions of steppers of a game, which must know :attr:`queries`."""

    def __init__(self, engine: Engine, evaluation: Evaluation) -> None:
        self._features, self._evaluation = features_of(engine), evaluation
        each = evaluation.weights
        self._wanted = [one.weight != 0 for one in each]
        self._factors = [(row, one.weight / one.scale) for row, one in enumerate(each) if one.weight != 0]

    def payoffs(self, stepper: Stepper) -> tuple[float, ...]:
        """The payoff that each seat can expect; that of a usual position if a query ends in an error."""
        features = self._features
        players = features.players
        sums = [0.0] * players
        try:
            values = features.of(stepper, self._wanted)
        except RulesetError:
            values = [0] * (len(self._wanted) * players)
        for row, factor in self._factors:
            of_seats = values[row * players : (row + 1) * players]
            if any(of_seats):
                total = sum(of_seats)
                for seat, value in enumerate(of_seats):
                    above = (players * value - total) / (players - 1) if players > 1 else value
                    sums[seat] += factor * above
        return tuple(expected(self._evaluation, one) for one in sums)


def expected(evaluation: Evaluation, weighed: float) -> float:
    """The payoff that follows from a weighed sum of features."""
    at = evaluation.intercept + weighed
    if evaluation.kind == LOGISTIC:
        return 2 / (1 + exp(-max(-STEEPEST, min(STEEPEST, at)))) - 1
    return max(evaluation.low, min(evaluation.high, at))


def queries_of(engine: Engine) -> tuple[str, ...]:
    """The queries that a stepper must know, so that an evaluation can be computed."""
    return features_of(engine).queries
