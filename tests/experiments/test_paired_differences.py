"""Statistics of differences, against examples of their authors and by simulation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from sampling import sample

np = pytest.importorskip("numpy")
stats = pytest.importorskip("scipy.stats")

from rulewright_lab.experiments.statistics.column_statistics import Histogram, SeveralPairs, SeveralStatistics  # noqa: E402
from rulewright_lab.experiments.statistics.paired_differences import Difference, holm, mean_interval  # noqa: E402
from rulewright_lab.experiments.statistics.paired_differences import difference as of_pairs  # noqa: E402


def difference(first: list[float], other: list[float], share: bool = False) -> Difference:
    found = SeveralPairs(("it",))
    found.add(np.array([first]), np.array([other]))
    return of_pairs(found.each()["it"], share)


def pairs(both: int, first: int, other: int, neither: int) -> tuple[list[float], list[float]]:
    x = [1.0] * (both + first) + [0.0] * (other + neither)
    y = [1.0] * both + [0.0] * first + [1.0] * other + [0.0] * neither
    return x, y


@pytest.mark.parametrize(
    ("cells", "interval"),
    [((36, 12, 2, 0), (0.0569, 0.3404)), ((20, 12, 2, 16), (0.0562, 0.3290)), ((0, 0, 0, 50), (-0.0714, 0.0714))],
)
def test_newcombes_own_examples(cells: tuple[int, int, int, int], interval: tuple[float, float]) -> None:
    """Examples of the paper, by method 10; there the first is the minuend."""
    first, other = pairs(*cells)
    found = difference(other, first, share=True)
    assert (found.low, found.high) == pytest.approx(interval, abs=0.002)


def test_holms_example() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


def test_constants_are_not_corrected_for_and_equals_once() -> None:
    same = ["a", "a", None, "b", None]
    assert holm([0.01, 0.02, 1.0, 0.03, 1.0], same) == pytest.approx([0.04, 0.04, 1, 0.04, 1])


def test_measures_that_tell_the_same_are_known() -> None:
    """In any units, from any beginnings, in blocks of any size; what is not known of a game is part of it."""
    dice = np.random.default_rng(5)
    x = dice.integers(0, 4, (2, 50)) / 3
    rows = np.stack([x, 7 - 0.1 * x, x + 1e-3 * dice.random((2, 50)), x * 0, np.where(x > 0.9, np.nan, x)])
    shapes = []
    for size in (50, 7):
        found = SeveralPairs(("it", "affine", "near", "constant", "partly"))
        for begin in range(0, 50, size):
            found.add(rows[:, 0, begin : begin + size], rows[:, 1, begin : begin + size])
        shapes.append({name: one.shape for name, one in found.each().items()})
    assert shapes[0] == shapes[1]
    of = shapes[0]
    assert of["it"] == of["affine"]
    assert len({of["it"], of["near"], of["constant"], of["partly"]}) == 4


class Kind(NamedTuple):
    """A kind of measure: values in arms that are the more apart the larger a number is, and the mean of an arm."""

    drawn: Callable[[Any, float, tuple[int, int]], Any]
    mean: Callable[[float], float]
    share: bool = False


KINDS = {
    "normal": Kind(lambda dice, apart, size: dice.normal(apart, 1 + apart, size), lambda apart: apart),
    "skewed": Kind(lambda dice, apart, size: dice.exponential(1 + apart, size), lambda apart: 1 + apart),
    "very skewed": Kind(
        lambda dice, apart, size: dice.lognormal(apart, 1, size), lambda apart: float(np.exp(apart + 0.5))
    ),
    "counts": Kind(
        lambda dice, apart, size: dice.geometric(0.2 - apart / 10, size), lambda apart: 1 / (0.2 - apart / 10)
    ),
    "bounded": Kind(
        lambda dice, apart, size: dice.beta(0.3 + apart, 0.3, size), lambda apart: (0.3 + apart) / (0.6 + apart)
    ),
    "share with ties": Kind(
        lambda dice, apart, size: dice.choice([0.0, 0.5, 1.0], size, p=[0.4 - apart / 4, 0.2, 0.4 + apart / 4]),
        lambda apart: 0.5 + apart / 4,
        True,
    ),
    "share": Kind(lambda dice, apart, size: dice.random(size) < 0.5 + apart / 3, lambda apart: 0.5 + apart / 3, True),
    "rare share": Kind(
        lambda dice, apart, size: dice.random(size) < 0.03 + apart / 10, lambda apart: 0.03 + apart / 10, True
    ),
    "rare": Kind(lambda dice, apart, size: dice.poisson(0.05 + apart / 10, size), lambda apart: 0.05 + apart / 10),
}


@pytest.mark.parametrize("apart", [0.0, 0.4], ids=["equal", "apart"])
@pytest.mark.parametrize("games", [8, 20, 50, 200])
@pytest.mark.parametrize("kind", KINDS)
def test_intervals_hold_the_true_difference(kind: str, games: int, apart: float) -> None:
    """95 of a hundred do; fewer than 93 by more than chance would be too few. Where all games of both arms show one
    value, that is all that is told."""
    one, repeats = KINDS[kind], sample(150, 4000)
    dice = np.random.default_rng([games, int(10 * apart), *kind.encode()])
    found = SeveralPairs(tuple(map(str, range(repeats))))
    found.add(*(one.drawn(dice, by, (repeats, games)).astype(float) for by in (0.0, apart)))
    true, held, told = one.mean(apart) - one.mean(0.0), 0, 0
    for pairs in found.each().values():
        if pairs.extent:
            interval = of_pairs(pairs, one.share)
            held += interval.low - 1e-12 <= true <= interval.high + 1e-12
            told += 1
    assert held >= stats.binom.ppf(1e-4, told, 0.93), f"{held} of {told}"


def test_pairs_narrow_intervals() -> None:
    """Numbers that vary together."""
    dice = np.random.default_rng(1)
    shared = dice.normal(size=80)
    x, y = shared + dice.normal(size=80) / 2, shared + dice.normal(size=80) / 2 + 0.7
    found = difference(x.tolist(), y.tolist())
    assert found.variance_ratio is not None
    assert found.variance_ratio < 0.6


def test_what_seldom_differs_is_not_certain() -> None:
    found = difference([0.0, 5.0] * 20, [0.0, 5.0] * 18 + [1.0, 6.0] * 2)
    assert (found.method, found.low, found.chance) == ("rare", -found.high, 0.125)
    assert found.high == pytest.approx(6 * 0.2305, abs=0.001)
    assert difference([0.0, 5.0] * 20, [0.0, 5.0] * 20).high == pytest.approx(5 * 0.0876, abs=0.001)


def test_what_does_not_vary() -> None:
    same = difference([3.0, 3.0], [3.0, 3.0])
    assert (same.mean, same.low, same.high, same.chance, same.effect) == (0, 0, 0, 1, 0)
    shifted = difference([3.0] * 10, [5.0] * 10)
    assert (shifted.mean, shifted.effect, shifted.variance_ratio) == (2, None, None)
    assert shifted.chance == pytest.approx(2 / 2**10)
    same_values = SeveralStatistics(("it",))
    same_values.add(np.array([[2.0, 2.0]]))
    assert mean_interval(same_values.each()["it"]) == (2, 2)


def test_blocks_are_joined_to_the_moments_of_all() -> None:
    dice = np.random.default_rng(3)
    values = dice.normal(1e6, 1, size=(2, 1000))
    values[1, dice.random(1000) < 0.3] = np.nan
    found = SeveralStatistics(("all", "some"))
    for begin in range(0, 1000, 128):
        found.add(values[:, begin : begin + 128])
    for row, one in zip(values, found.each().values(), strict=True):
        known = row[~np.isnan(row)]
        assert one.count == len(known)
        assert one.mean == pytest.approx(known.mean(), rel=1e-14)
        assert one.variance == pytest.approx(known.var(ddof=1), rel=1e-9)
        assert (one.least, one.most) == (known.min(), known.max())
        assert one.quantile(0.5) == pytest.approx(np.quantile(known, 0.5, method="inverted_cdf"), rel=1e-12)


def test_histograms_are_bounded_and_know_no_order() -> None:
    dice = np.random.default_rng(4)
    values = np.concatenate((dice.normal(size=20_000), dice.integers(-5, 5, 500)))
    found = []
    for order in (values, values[::-1], np.sort(values)):
        histogram = Histogram()
        for begin in range(0, len(order), 777):
            histogram.add(order[begin : begin + 777])
        found.append(histogram.counts())
        assert not histogram.exact
    assert found[0] == found[1] == found[2]
    assert len(found[0]) <= 2048
    assert sum(found[0].values()) == len(values)
    middle = np.quantile(values, 0.9, method="inverted_cdf")
    reached = np.cumsum(list(found[0].values()))
    assert list(found[0])[int(np.searchsorted(reached, 0.9 * len(values)))] == pytest.approx(middle, rel=0.01)
