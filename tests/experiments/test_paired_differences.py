"""Statistics of differences, against examples of their authors and by simulation."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("scipy")

from rulewright.experiments.paired_differences import difference, holm, mean_interval  # noqa: E402


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
    assert mean_interval([2.0, 2.0]) == (2, 2)
