"""Experiments in files: arms, sweeps, and one clear error about whatever is wrong in them."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from test_experiments import asked, report

import rulewright_lab as lab
from rulewright.data.json_positions import read_path, show_path
from rulewright.data.toml_positions import TomlText
from rulewright_lab.experiments.balance.sweeps import full, latin_hypercube, values_of

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
    found = lab.experiments.read_experiment(file)
    assert [arm.game.parameters["size"] for arm in found.arms] == ["8", "6", "5", "5"]


@pytest.mark.parametrize(
    ("text", "place", "told"),
    [
        ("games = \n", "1:9", "valid TOML"),
        ("games = 3\ngames = 4\n", "2:10", "stands twice"),
        ("games = 3\n", "1:1", "arms"),
        ("games = 0\n" + ARMS.replace("games = 4", ""), "1:9", "too small: at least 1"),
        (ARMS + "[[arms]]\nrule = 'x'\n", "11:1", "did you mean `rules`"),
        (ARMS + "[[sweeps]]\nparameters = { sice = '5..6' }\n", "11:23", "did you mean `size`"),
        (ARMS + "[[sweeps]]\nparameters = { size = '5..600' }\n", "11:23", "too large"),
        (ARMS + "[[sweeps]]\nparameters = { size = '5..400' }\n", "11:23", "with size = 33: "),
        (ARMS + "[[sweeps]]\nparameters = { size = 'five' }\n", "11:23", "8..12"),
        (ARMS + "[[sweeps]]\nparameters = { size = '5..6' }\nsamples = 900\n", "12:11", "too large"),
        (ARMS.replace('["decisions"]', '[\n"wins",\n  "duration"]'), "5:3", "no measure"),
        ("[[arms]]\nplayers = 2\n", "1:3", "the first arm needs `rules`"),
        ("[[arms]]\nrules = 'no-such-game'\n", "2:9", "no ruleset `no-such-game`"),
        (ARMS + "[[arms]]\nplayers = 3\n", "11:11", "2 players, not by 3"),
        (ARMS + "[[arms]]\noptions.size = 'x'\n", "11:16", "unknown name `x`"),
        (ARMS + "[[arms]]\nvariants = ['Long war']\n", "11:13", "no variant `Long war`"),
        (ARMS + "[[arms]]\nseats = ['mtcs:4']\n", "11:1", "did you mean `mcts`"),
        (ARMS + "[[arms]]\nname = 'as it is'\n", "11:8", "another arm is called"),
    ],
)
def test_wrong_files_are_one_error(tmp_path: Path, text: str, place: str, told: str) -> None:
    """Nothing is played; the message names the place and shows the line, in either format."""
    code, out, err = asked(written(tmp_path, text))
    assert (code, out) == (2, "")
    assert told in err
    assert f"experiment.toml:{place}" in err
    assert err.count("error[") == 1
    assert text.splitlines()[int(place.partition(":")[0]) - 1].strip() in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("row", "place", "told"),
    [
        ({"rules": "breakthrough", "options": {"size": "x"}}, '"x"', "unknown name `x`"),
        ({"rules": "breakthrough", "players": 3}, "3", "not by 3"),
        ({"rules": "no-such-game"}, '"no-such-game"', "no-such-game"),
    ],
)
def test_wrong_json_is_one_error(tmp_path: Path, row: dict[str, object], place: str, told: str) -> None:
    file = tmp_path / "experiment.json"
    text = json.dumps({"arms": [row]})
    file.write_text(text, "utf-8")
    code, out, err = asked(str(file))
    assert (code, out) == (2, "")
    assert told in err
    assert f"experiment.json:1:{text.index(place) + 1}" in err


def test_an_error_in_a_file_of_variants_is_told_there(tmp_path: Path) -> None:
    (tmp_path / "wrong.rules").write_text('variant "Wrong" of breakthrough\n    set sice = 5\n', "utf-8")
    _, out, err = asked(written(tmp_path, ARMS + "[[arms]]\nvariants = ['wrong.rules']\n"))
    assert out == ""
    assert "wrong.rules:2:" in err


def test_places_in_toml() -> None:
    """Every value of a file is found where it is written."""
    text = 'a = 1\n"b c" = [\n  "x", # y\n  "y"]\n[t.u]\nv = { w = true, z = "w" }\n[[s]]\n[[s]]\nlong = """\nx\n"""\n'
    source = TomlText(text, "file.toml")
    places = {
        ("a",): (1, 5),
        ("b c", 0): (3, 3),
        ("t", "u", "v", "w"): (6, 11),
        ("t", "u", "v", "z"): (6, 21),
        ("s", 1): (8, 3),
        ("s", 1, "long"): (10, 1),
        ("s", 1, "none"): (8, 3),
    }
    for path, place in places.items():
        found = source.span(path)
        assert (found.line, found.column) == place, path
    assert source.span(("t", "u", "v", "z"), key=True).column == 17
    for path in places:
        assert read_path(show_path(path)) == [*path]


def test_a_new_experiment_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from typer.testing import CliRunner

    from rulewright_tools.app import app

    monkeypatch.chdir(tmp_path)
    for name in ("breakthrough", "tic-tac-toe", "baron"):
        done = CliRunner().invoke(app, ["new", "experiment", f"of-{name}", "--of", name])
        assert done.exit_code == 0, done.stderr
        assert len(report(f"of-{name}.toml", "--games", "2")["arms"]) >= 1
    assert CliRunner().invoke(app, ["new", "experiment", "of-baron", "--of", "baron"]).exit_code == 2
