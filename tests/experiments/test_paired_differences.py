"""Statistics of differences, against examples of their authors and by simulation."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("scipy")

from rulewright.experiments.statistics.column_statistics import Histogram, SeveralPairs, SeveralStatistics  # noqa: E402
from rulewright.experiments.statistics.paired_differences import Difference, holm, mean_interval  # noqa: E402
from rulewright.experiments.statistics.paired_differences import difference as of_pairs  # noqa: E402


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


@pytest.mark.parametrize("games", [12, 80])
def test_intervals_hold_the_true_difference(games: int) -> None:
    """Numbers that vary together, in 60 experiments: 95 of a hundred intervals hold it, and pairing narrows them."""
    dice, held = np.random.default_rng(1), 0
    for _ in range(60):
        shared = dice.normal(size=games)
        x, y = shared + dice.normal(size=games) / 2, shared + dice.normal(size=games) / 2 + 0.7
        found = difference(x.tolist(), y.tolist())
        held += found.low <= 0.7 <= found.high
        assert found.variance_ratio is not None
        assert found.variance_ratio < 0.6
    assert held >= 51


def test_what_does_not_vary() -> None:
    same = difference([3.0, 4.0], [3.0, 4.0])
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
