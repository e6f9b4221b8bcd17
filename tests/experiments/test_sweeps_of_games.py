"""A parameter of each of the five games, swept: its measure goes the way that its rules say."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulewright_lab as lab
from sampling import thorough

pytest.importorskip("scipy")

SWEEPS = sorted((Path(__file__).parent / "sweeps").glob("*.toml"))
EACH_DAY = {"carolus-magnus", "domaine"}
FALLING = {"loewenherz"}
"""Games whose measure falls as the parameter rises."""


@pytest.mark.parametrize(
    "file",
    [pytest.param(file, marks=() if file.stem in EACH_DAY else thorough) for file in SWEEPS],
    ids=lambda file: file.stem,
)
def test_a_swept_parameter_moves_its_measure(file: Path) -> None:
    experiment = lab.experiments.read_experiment(file)
    results = experiment.begin()
    experiment.run(results)
    wanted = experiment.measures[0]
    names = [name for name in results.measures if name.partition("(")[0] == wanted]
    assert names
    for name in names:
        means = [one.mean(name) for one in results.arms[1:]]
        assert len(means) == 3
        assert means == sorted(set(means), reverse=file.stem in FALLING), name  # type: ignore[type-var]
    first = next(lab.experiments.most_important_first(results.compared()))
    assert first.measure in names


def test_there_is_one_of_each_game() -> None:
    assert [file.stem for file in SWEEPS] == ["baron", "carolus-magnus", "domaine", "kings-and-things", "loewenherz"]
