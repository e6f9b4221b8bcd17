"""Size of the game tree: from random ways through it.

The number of its leaves is the mean, over random ways, of the product of the numbers of options along the way: D. E.
Knuth, *Estimating the efficiency of backtrack programs*, Mathematics of Computation 29, 1975. A few ways carry most of
that mean, so few games tend to underestimate. Beside it the figure that is usual for known games, the mean length times
the logarithm of the mean number of options: L. V. Allis, *Searching for solutions in games and artificial
intelligence*, PhD thesis, University of Limburg, 1994.
"""

from __future__ import annotations

from functools import cached_property
from math import log10
from typing import TYPE_CHECKING

from rulewright.diagnostics import RulesetError
from rulewright.engine import RandomAnswers, Stepper
from rulewright.play import Game

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[np.float64]

GAMES = 1000
"""Ways at most."""
NAMES = TREE_SIZE, TREE_COMPLEXITY = "tree_size", "tree_complexity"
COLUMNS = "tree: logarithm of the product", "tree: decisions", "tree: options"


class TreeProbe:
    """Goes random ways through the tree of a game, that of a seed for chance."""

    def __init__(self, game: Game, most: int) -> None:
        self._game, self._most = game, most

    def columns(self, seed: int) -> dict[str, float]:
        """The figures of a way, down to where the game ends, or was stopped; none if a rule has failed."""
        stepper, pick, product, decisions, options = self._stepper, RandomAnswers(seed), 0.0, 0, 0
        try:
            size = stepper.begin(seed)
            while size and decisions < self._most:
                product, decisions, options = product + log10(size), decisions + 1, options + size
                size = stepper.apply(pick(size))
        except RulesetError:
            return {}
        return dict(zip(COLUMNS, (product, float(decisions), float(options)), strict=True))

    @cached_property
    def _stepper(self) -> Stepper:
        return self._game.stepper()


def sizes(rows: Column, weights: Column) -> Column:
    """Figures of a tree: from a way in each column, and how often it counts in each set of ways, a row for each set."""
    import numpy as np

    product, decisions, options = rows
    ways = weights.sum(axis=1)
    most = np.where(weights > 0, product, 0).max(axis=1, initial=0, keepdims=True)  # the largest is 1: no sum vanishes
    knuth = most[:, 0] + np.log10((weights * 10.0 ** np.minimum(product - most, 0)).sum(axis=1) / ways)
    length = (weights * decisions).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        branching = np.where(length > 0, (weights * options).sum(axis=1) / length, 1.0)
    return np.stack((knuth, length / ways * np.log10(branching)), axis=1)
