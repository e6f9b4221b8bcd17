"""Aims: values of parameters with which a measure has a mean, confirmed with other seeds, written as a variant."""

from __future__ import annotations

import json
from html import unescape
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from test_experiments import asked
from typer.testing import CliRunner

import rulewright as rw
from rulewright_tools.app import app
from sampling import thorough

pytest.importorskip("scipy")
pytest.importorskip("optuna")

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "schemas" / "experiment-aim-report.schema.json").read_text("utf-8"))
RULES = """
game loaded_die
players 2
param favour = 3
param sides = 6
param who: {first_seat, last_seat} = first_seat
procedure play
    each p in players
        p chooses stake from {1 .. 3}
    chance chooses number from {1 .. sides}
    if number <= favour
        finish with winner (first(players) if who is first_seat else last(players))
    finish with winner (last(players) if who is first_seat else first(players))
"""


@pytest.fixture
def die(tmp_path: Path) -> str:
    """A game that the first seat wins with a chance of favour / sides."""
    folder = tmp_path / "loaded-die"
    folder.mkdir()
    (folder / "ruleset.json").write_text(
        json.dumps({"name": "loaded-die", "title": "Loaded die", "rules": ["game.rules"]}), "utf-8"
    )
    (folder / "game.rules").write_text(RULES, "utf-8")
    return str(folder)


def found(*words: str) -> Any:
    code, out, err = asked(*words, "--format", "json")
    assert code in (0, 1), err
    data = json.loads(out)
    jsonschema.validate(data, SCHEMA)
    return data


def test_all_settings_of_a_small_space_are_tried(die: str) -> None:
    data = found(die, "--aim", "wins(seat 1) = 75%", "--over", "favour=1..7,sides=4|8", "--games", "400")
    assert (data["method"], data["space"], len(data["tried"])) == ("all", 14, 14)
    best = data["found"]
    assert best["setting"]["favour"] / best["setting"]["sides"] == 0.75
    assert best["reached"]
    assert best["interval"][0] <= 0.75 <= best["interval"][1]
    assert best["first_seed"] == 400  # none of those with which it was found
    assert data["games"] == sum(one["games"] for one in data["tried"]) + 400


def test_a_large_space_is_searched(die: str) -> None:
    words = ("--aim", "wins(seat 1) = 50%", "--over", "favour=0..15,sides=1..15,who", "--games", "240")
    data = found(die, *words)
    assert (data["method"], data["space"]) == ("TPE", 480)
    assert len(data["tried"]) <= 64
    assert data["found"]["mean"] == pytest.approx(0.5, abs=0.1)
    assert found(die, *words) == data


def test_the_same_in_any_number_of_processes(die: str) -> None:
    words = (die, "--aim", "wins(seat 1) = 40%", "--over", "favour=1..3", "--games", "2")
    assert found(*words, "--jobs", "2") == found(*words)


def test_what_cannot_be_reached_is_told(die: str) -> None:
    code, out, err = asked(die, "--aim", "wins(seat 1) = 50%", "--over", "favour=1..2", "--games", "200")
    assert code == 1, err
    assert "favour = 2" in out
    assert "That is not wins(seat 1) = 50.0 %" in out


def test_it_is_written_as_a_variant_that_runs(die: str, tmp_path: Path) -> None:
    file = tmp_path / "even.rules"
    words = (die, "--aim", "wins(seat 1) = 50%", "--over", "favour=1..4,sides=4|8", "--games", "200")
    assert asked(*words, "--output", str(file))[0] == 0
    assert len(file.read_text("utf-8").splitlines()) == 3
    checked = CliRunner().invoke(app, ["check", str(file)])
    assert "error" not in checked.stdout
    assert "even.rules" not in checked.stdout  # the game has a warning, the variant none
    parameters = rw.load(file).parameters
    assert int(parameters["favour"]) * 2 == int(parameters["sides"])
    code, out, err = asked(*words, "--output", str(file))
    assert (code, out) == (2, "")
    assert "exists already" in err


@thorough
def test_settings_that_do_not_load_are_counted_and_named() -> None:
    words = ("--aim", "decisions = 100", "--over", "size=4..48 by 11", "--games", "4")
    data = found("breakthrough", *words)
    assert [one["setting"]["size"] for one in data["unloadable"]] == [37, 48]
    assert len(data["tried"]) == 3
    _, out, _ = asked("breakthrough", *words)
    assert "2 settings whose rules do not load, as size = 37: MAP008" in out


def test_games_that_say_nothing_are_counted() -> None:
    words = ("--aim", "wins(seat 1) = 50%", "--over", "rows=4..5", "--games", "40", "--decisions", "12")
    data = found("connect-four", *words)
    assert all(0 < one["silent"] < one["games"] for one in data["tried"])
    assert data["found"]["unfinished"] > 0
    code, out, _ = asked("connect-four", *words)
    assert code == 1
    assert f"{sum(one['silent'] for one in data['tried'])} games of all settings were stopped" in out


def test_an_arm_without_an_end_is_no_answer() -> None:
    """Nothing is known of any setting: that is told, and no game is called the nearest."""
    words = ("--aim", "wins(seat 1) = 50%", "--over", "rows=4..5", "--games", "4", "--decisions", "2")
    code, out, err = asked("connect-four", *words)
    assert code == 1, err
    assert "no game with other seeds was over" in out


def test_a_page_has_the_answer_a_picture_for_each_parameter_and_the_variant(die: str, tmp_path: Path) -> None:
    for library in ("altair", "vl_convert"):
        pytest.importorskip(library)
    page = tmp_path / "page.html"
    words = ("--aim", "wins(seat 1) = 34%", "--over", "favour=1..4,who", "--games", "200")
    code, out, err = asked(die, *words, "--output", str(page))
    assert code == 0, err
    text = unescape(page.read_text("utf-8"))
    assert text.count("<svg") == 2
    assert all(line in text for line in out.splitlines()[-2:])  # the answer in words
    assert "8 of 8 settings tried" in text
    assert "<del>param favour = <b>3</b></del>" in text
    assert text.count("wins(seat 1) near 34 %") == 1
    assert "<script" not in text
    assert "--aim 'wins(seat 1) = 34%' --over favour=1..4,who" in text
    again = tmp_path / "again.html"
    assert asked(die, *words, "--output", str(again), "--jobs", "2")[0] == 0
    assert again.read_bytes() == page.read_bytes()


@pytest.mark.parametrize(
    ("aim", "over", "told"),
    [
        ("wins(seat 1) is 50%", "favour=1..3", "is no aim"),
        ("wins = 50%", "favour=1..3", "name one: `wins(seat 1)`"),
        ("winns(seat 1) = 50%", "favour=1..3", "no measure"),
        ("wins(seat 1) = 150%", "favour=1..3", "between 0 and 1"),
        ("decisions = 5%", "favour=1..3", "no per cents"),
        ("wins(seat 1) = 50%", "favor=1..3", "did you mean `favour`"),
        ("wins(seat 1) = 50%", "favour", "favour=8..12"),
        ("wins(seat 1) = 50%", "who=first_sea|last_seat", "did you mean `first_seat`"),
        ("wins(seat 1) = 50%", "favour=3..1", "no sweep"),
        ("wins(seat 1) = 50%", "favour=1..3,favour=2", "named twice"),
        ("wins(seat 1) = 50%", "favour=", "no parameter with its values"),
    ],
)
def test_wrong_aims_are_one_error(die: str, aim: str, over: str, told: str) -> None:
    code, out, err = asked(die, "--aim", aim, "--over", over)
    assert (code, out) == (2, "")
    assert told in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--aim", "ties = 1%"), "needs --over"),
        (("--limit", "8"), "points of --over"),
        (("--output", "x.rules"), "belongs to --aim"),
        ((":sides=8", "--aim", "ties = 1%", "--over", "favour=1..2"), "name one"),
        (("--aim", "ties = 1%", "--over", "favour=1..2", "--output", "x.txt"), ".html, .rules, .parquet or no dot"),
        (("--aim", "ties = 1%", "--over", "favour=1..2", "--games", "0"), "without a game"),
    ],
)
def test_options_that_do_not_fit(die: str, words: tuple[str, ...], told: str) -> None:
    code, out, err = asked(die, *words)
    assert (code, out) == (2, "")
    assert told in err


def test_an_aim_in_a_file(die: str, tmp_path: Path) -> None:
    file = tmp_path / "even.toml"
    begin = f'games = 100\n[[arms]]\nrules = "{Path(die).name}"\n'
    file.write_text(begin + '[aim]\nmeasure = "wins(seat 1)"\nvalue = 0.5\nover = { favour = "1..5" }\n', "utf-8")
    assert found(str(file))["found"]["setting"] == {"favour": 3}
    for text, place, told in (
        ('measure = "wins"\nvalue = 0.5\nover = { favour = "1..5" }', "5:11", "name one"),
        ('measure = "ties"\nvalue = 5\nover = { favour = "1..5" }', "6:9", "between 0 and 1"),
        ('measure = "ties"\nvalue = 0.5\nover = { flavour = "1..5" }', "7:20", "did you mean `favour`"),
        ('measure = "ties"\nvalues = 0.5\nover = { favour = "1..5" }', "6:1", "unknown key `values`"),
    ):
        file.write_text(f"{begin}[aim]\n{text}\n", "utf-8")
        code, out, err = asked(str(file))
        assert (code, out) == (2, "")
        assert told in err
        assert f"even.toml:{place}" in err
