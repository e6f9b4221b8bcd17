"""Weights that fit how games ended, found by the library scikit-learn.

Where payoffs follow from places it is a logistic regression of the chance to win, a draw being half a win; where the
rules say what is paid, a ridge regression of the payoff. Both shrink weights; by how much is chosen by cross-validation
over whole games. One game of five is held out: the quality is measured on these, and then all games are fitted.

The text of a file of weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine import NO_OPTION, Engine
from rulewright.foundation import dataclass
from rulewright.play import Game
from rulewright_lab.evaluation.derived_queries import derived_of
from rulewright_lab.evaluation.evaluation import LINEAR, LOGISTIC, Evaluation, Weight, expected
from rulewright_lab.evaluation.features import features_of
from rulewright_lab.evaluation.weights_file import text_of
from rulewright_lab.learning.samples import GameSamples, Learning

if TYPE_CHECKING:
    import numpy as np

    Matrix = np.ndarray[Any, np.dtype[np.float64]]

HELD_OUT = 5
"""One game of so many is held out."""
SHRINKING = (0.001, 0.01, 0.1, 1.0)
"""The strengths of the penalty that are tried, as parts of the number of rows."""
FOLDS = 3
LEAST_GAMES = 15
DIGITS = 6
"""Weights are rounded: what rounding errors of the library change does not show."""
_CERTAIN = 1e-6


@dataclass(frozen=True, slots=True)
class Quality:
    """The quality of predictions of the games that were held out; None where undefined."""

    positions: int
    r2: float
    """The part of the variance of payoffs that is explained."""
    log_loss: float | None
    """Of the chance to win; `base` of one who knows only how often is won."""
    base: float | None
    auc: float | None
    """The part of pairs in which a position that was won is rated above one that was lost."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """An evaluation, and how good it is."""

    evaluation: Evaluation
    quality: Quality
    games: int
    positions: int


def fitted(game: Game, games: Sequence[GameSamples], name: str = "", is_derived: bool = False) -> Fitted:
    """The evaluation that fits games best; RulesetError if there are too few."""
    from threadpoolctl import threadpool_limits

    if len(games) < LEAST_GAMES:
        message = f"{len(games)} games came to an end, and {LEAST_GAMES} are needed to learn from them"
        raise RulesetError(Diagnostic(NO_OPTION, message, hint="play more of them: --games"))
    engine, players = game.engine, game.players
    kind = LINEAR if engine.payoffs.pays or players == 1 else LOGISTIC
    rows, targets, groups = _rows(games, players)
    out = groups % HELD_OUT == HELD_OUT - 1
    with threadpool_limits(limits=1):  # sums in one order, so that the same games give the same weights
        first = _fit(engine, rows[~out], targets[~out], groups[~out], kind, name, is_derived)
        quality = _quality(first, rows[out], targets[out], targets[~out])
        last = _fit(engine, rows, targets, groups, kind, name, is_derived)
    return Fitted(last, quality, len(games), len(rows) // players)


def _rows(games: Sequence[GameSamples], players: int) -> tuple[Matrix, Matrix, Any]:
    """For each position and seat the features compared with the other seats, the payoff, and the number of the game."""
    import numpy as np

    blocks, targets, groups = [], [], []
    for number, game in enumerate(games):
        for values in game.values:
            raw = np.array(values, dtype=float).reshape(-1, players)
            total = raw.sum(axis=1, keepdims=True)
            blocks.append(((players * raw - total) / (players - 1)).T if players > 1 else raw.T)
            targets.append(game.payoffs)
            groups += [number] * players
    return np.concatenate(blocks), np.array(targets).reshape(-1), np.array(groups)


def _fit(
    engine: Engine, rows: Matrix, targets: Matrix, groups: Any, kind: str, name: str, is_derived: bool
) -> Evaluation:
    """The weights for some rows."""
    from sklearn.preprocessing import StandardScaler

    scaler = StandardScaler(with_mean=False).fit(rows)
    scaled = scaler.transform(rows)
    strength = min(SHRINKING, key=lambda one: _lost(scaled, targets, groups, kind, one))
    weights, intercept = _regression(scaled, targets, kind, strength)
    low, high = (float(targets.min()), float(targets.max())) if kind == LINEAR else (-1.0, 1.0)
    features = derived_of(engine).features if is_derived else features_of(engine).names
    found = tuple(
        Weight(feature, round(float(weight), DIGITS) + 0.0, float(f"{scale:.{DIGITS}g}"))
        for feature, weight, scale in zip(features, weights, scaler.scale_, strict=True)
    )
    return Evaluation(name, kind, round(intercept, DIGITS) + 0.0, low, high, found, is_derived=is_derived)


def _lost(scaled: Matrix, targets: Matrix, groups: Any, kind: str, strength: float) -> float:
    """The loss on games that were not fitted, with a strength of the penalty."""
    import numpy as np
    from sklearn.model_selection import GroupKFold

    lost = 0.0
    for fit, rest in GroupKFold(FOLDS).split(scaled, targets, groups):
        weights, intercept = _regression(scaled[fit], targets[fit], kind, strength)
        sums = scaled[rest] @ weights + intercept
        if kind == LINEAR:
            lost += float(((targets[rest] - sums) ** 2).sum())
        else:
            chance = (targets[rest] + 1) / 2
            lost += float((np.logaddexp(0, sums) - chance * sums).sum())
    return lost


def _regression(scaled: Matrix, targets: Matrix, kind: str, strength: float) -> tuple[Matrix, float]:
    """The weights and the intercept."""
    import numpy as np
    from sklearn.linear_model import LogisticRegression, Ridge

    penalty = strength * len(scaled)
    if kind == LINEAR:
        model = Ridge(alpha=penalty, solver="cholesky").fit(scaled, targets)
        return model.coef_, float(model.intercept_)
    chance = (targets + 1) / 2
    twice, labels = np.concatenate([scaled, scaled]), np.repeat([1, 0], len(scaled))
    parts = np.concatenate([chance, 1 - chance])
    some = parts > 0
    if len(np.unique(labels[some])) < 2:
        return np.zeros(scaled.shape[1]), 0.0
    logistic = LogisticRegression(C=1 / penalty, solver="newton-cholesky", tol=1e-8, max_iter=200)
    logistic.fit(twice[some], labels[some], sample_weight=parts[some])
    return logistic.coef_[0], float(logistic.intercept_[0])


def _quality(found: Evaluation, rows: Matrix, targets: Matrix, known: Matrix) -> Quality:
    """The quality of predictions of games that an evaluation does not know."""
    import numpy as np
    from sklearn.metrics import roc_auc_score

    factors = np.array([one.weight / one.scale for one in found.weights])
    sums = rows @ factors
    payoffs = np.array([expected(found, float(one)) for one in sums])
    spread = float(((targets - known.mean()) ** 2).sum())
    r2 = 1 - float(((targets - payoffs) ** 2).sum()) / spread if spread else 0.0
    log_loss = base = None
    if found.kind == LOGISTIC:
        chance, guess = (targets + 1) / 2, float((known.mean() + 1) / 2)
        log_loss = _log_loss(chance, (payoffs + 1) / 2)
        base = _log_loss(chance, np.full(len(chance), guess))
    decided = targets != np.median(targets) if len(np.unique(targets)) > 2 else np.full(len(targets), True)
    labels = targets[decided] > np.median(targets) if len(np.unique(targets)) > 2 else targets > targets.min()
    auc = float(roc_auc_score(labels, sums[decided])) if len(np.unique(labels)) == 2 else None
    return Quality(len(rows), r2, log_loss, base, auc)


def _log_loss(chance: Matrix, predicted: Matrix) -> float:
    import numpy as np

    predicted = np.clip(predicted, _CERTAIN, 1 - _CERTAIN)
    return float(-(chance * np.log(predicted) + (1 - chance) * np.log(1 - predicted)).mean())


def weights_text(game: Game, learning: Learning, rounds: int, fitted: Fitted) -> str:
    """The text of what was learnt, and from what; the same for the same games."""
    learnt = {
        "agents": list(learning.agents),
        "games": fitted.games,
        "positions": fitted.positions,
        "rounds": rounds,
        "seed": learning.seed,
    }
    return text_of(game.engine, fitted.evaluation, learnt)
