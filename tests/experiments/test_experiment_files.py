"""Experiments in files: arms, sweeps, and one clear error about whatever is wrong in them."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from test_experiments import asked, report

import rulewright as rw
from rulewright.experiments.sweeps import full, latin_hypercube, values_of

pytest.importorskip("scipy")

ARMS = """
games = 4
measures = ["decisions"]
[[arms]]
name = "as it is"
rules = "breakthrough"
[[arms]]
options = { size = 6 }
rules = "breakthrough"
"""


def written(folder: Path, text: str) -> str:
    file = folder / "experiment.toml"
    file.write_text(text, "utf-8")
    return str(file)


def test_values() -> None:
    assert values_of("goal", "8..12") == (8, 9, 10, 11, 12)
    assert values_of("goal", "-4..5 by 4") == (-4, 0, 4)
    assert values_of("goal", [3, 3, True]) == (3, True)


def test_all_combinations_and_some() -> None:
    swept = {"goal": range(20), "begin": ("red", "white")}
    assert len(full(swept)) == 40
    some = latin_hypercube(swept, 20, 1)
    assert some == latin_hypercube(swept, 20, 1) != latin_hypercube(swept, 20, 2)
    assert sorted(one["goal"] for one in some) == list(range(20))  # of each row of the cube one
    assert [one["begin"] for one in some].count("red") == 10


def test_toml_and_json_say_the_same(tmp_path: Path) -> None:
    text = ARMS + '[[sweeps]]\nparameters = { size = "5..6" }\n'
    first = report(written(tmp_path, text))
    assert [arm["arm"] for arm in first["arms"]] == ["as it is", "breakthrough", "size = 5", "size = 6"]
    assert [arm["options"]["size"] for arm in first["arms"]] == ["8", "6", "5", "6"]
    assert {arm["games"] for arm in first["arms"]} == {4}
    file = tmp_path / "experiment.json"
    file.write_text(json.dumps(tomllib.loads(text)), "utf-8")
    assert report(str(file)) == first
    assert report(str(file), "--games", "2", "--seed", "9")["arms"][0]["games"] == 2


def test_paths_are_those_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "small.rules").write_text('variant "Small" of breakthrough\n    set size = 5\n', "utf-8")
    text = ARMS + '[[arms]]\nrules = "small.rules"\n[[arms]]\nvariants = ["small.rules"]\n'
    file = written(tmp_path, text)
    monkeypatch.chdir("/")
    found = rw.experiments.read_experiment(file)
    assert [arm.game.parameters["size"] for arm in found.arms] == ["8", "6", "5", "5"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("games = \n", "valid TOML"),
        ("games = 3\n", "arms"),
        ("games = 0\n" + ARMS.replace("games = 4", ""), "games"),
        (ARMS + "[[arms]]\nrule = 'x'\n", "rule"),
        (ARMS + "[[sweeps]]\nparameters = { sice = '5..6' }\n", "sice"),
        (ARMS + "[[sweeps]]\nparameters = { size = '5..600' }\n", "too large"),
        (ARMS + "[[sweeps]]\nparameters = { size = '5..400' }\n", "size"),
        (ARMS + "[[sweeps]]\nparameters = { size = 'five' }\n", "8..12"),
        (ARMS.replace('"decisions"', '"duration"'), "duration"),
        ("[[arms]]\nplayers = 2\n", "the first arm needs `rules`"),
        ("[[arms]]\nrules = 'no-such-game'\n", "no-such-game"),
    ],
)
def test_wrong_files_are_one_error(tmp_path: Path, text: str, told: str) -> None:
    code, out, err = asked(written(tmp_path, text))
    assert (code, out) == (2, "")
    assert told in err
    assert "Traceback" not in err


def test_a_new_experiment_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from typer.testing import CliRunner

    from rulewright_tools.app import app

    monkeypatch.chdir(tmp_path)
    for name in ("breakthrough", "tic-tac-toe", "baron"):
        done = CliRunner().invoke(app, ["new", "experiment", f"of-{name}", "--of", name])
        assert done.exit_code == 0, done.stderr
        assert len(report(f"of-{name}.toml", "--games", "2")["arms"]) >= 1
    assert CliRunner().invoke(app, ["new", "experiment", "of-baron", "--of", "baron"]).exit_code == 2
