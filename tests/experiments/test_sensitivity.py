"""Sensitivity: the shares of variance are those that can be computed, and settings that do not load are counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from test_experiments import asked

from sampling import thorough

pytest.importorskip("scipy")
pytest.importorskip("SALib")

SCHEMA = json.loads((Path(__file__).parents[2] / "schemas" / "sensitivity-report.schema.json").read_text("utf-8"))
ADDED = """
game added
players 2
param ten = 0
param one = 0
param doubled: Bool = false
param idle: {plain, fancy} = plain
field points: 0..999 = 0
procedure play
    each p in players
        p chooses stake from {1 .. 2}
    points = (ten * 10 + one) * (2 if doubled else 1)
    chance chooses luck from {0 .. 4}
    points = points + luck
    finish with winner first(players)
measure total = points
"""


def found(*words: str) -> Any:
    code, out, err = asked(*words, "--format", "json")
    assert code in (0, 1), err
    data = json.loads(out)
    jsonschema.validate(data, SCHEMA)
    return data


@pytest.fixture
def added(tmp_path: Path) -> str:
    folder = tmp_path / "added"
    folder.mkdir()
    (folder / "ruleset.json").write_text(
        json.dumps({"name": "added", "title": "Added", "rules": ["game.rules"]}), "utf-8"
    )
    (folder / "game.rules").write_text(ADDED, "utf-8")
    return str(folder)


@thorough
def test_shares_are_those_that_can_be_computed(added: str) -> None:
    """The variance of a sum is that of its parts: 200 by tens, 2 by ones, and 2 by chance, of one game a point."""
    words = ("--measure", "total", "--limit", "256", "--games", "1")
    data = found(added, "--over", "ten=0..4,one=0..4,idle", *words)
    (row,) = data["measures"]
    exact = {"ten": 200 / 204, "one": 2 / 204, "idle": 0.0}
    for moved in row["parameters"]:
        first, total = moved["first"], moved["total"]
        assert first["share"] == pytest.approx(exact[moved["parameter"]], abs=max(0.02, first["off"])), moved
        assert total["share"] == pytest.approx(exact[moved["parameter"]], abs=max(0.02, total["off"])), moved
    assert [moved["certain"] for moved in row["parameters"]] == [True, True, False]
    assert row["parameters"][0]["means"] == pytest.approx([4 + 10 * n for n in range(5)], abs=2)
    assert row["parameters"][2]["total"]["share"] == 0  # it changes nothing at all
    assert row["chance"]["share"] == pytest.approx(2 / 204, abs=0.1)
    assert found(added, "--over", "ten=0..4,one=0..4,idle", *words, "--jobs", "2") == data


def test_truths_and_names_are_values(added: str) -> None:
    """Doubled or not: by itself it has the variance of its two means, with what is doubled the rest."""
    words = ("--measure", "total", "--limit", "128", "--games", "4")
    data = found(added, "--over", "ten=1|3,doubled", *words)
    assert data["parameters"] == [
        {"parameter": "ten", "values": [1, 3]},
        {"parameter": "doubled", "values": [False, True]},
    ]
    (row,) = data["measures"]
    ten, doubled = row["parameters"]
    assert ten["first"]["share"] == pytest.approx(0.6923 * 1, abs=0.25)  # 15² of 15² + 10² + 5², but for chance
    assert doubled["first"]["share"] == pytest.approx(100 / 350, abs=0.2)
    assert doubled["means"][1] - doubled["means"][0] == pytest.approx(20, abs=3)
    assert ten["total"]["share"] > ten["first"]["share"] - 0.05


@thorough
def test_settings_that_do_not_load_are_counted_and_named() -> None:
    words = ("breakthrough", "--over", "size=4..40 by 12", "--measure", "decisions", "--limit", "16")
    data = found(*words, "--games", "1")
    assert {one["setting"]["size"] for one in data["unloadable"]} == {40}
    assert 0 < data["points_left_out"] < 16
    assert data["measures"][0]["points"] == 16 - data["points_left_out"]
    code, out, _ = asked(*words, "--games", "1")
    assert code == 0
    assert f"{data['points_left_out']} of 16 points are left out" in out
    assert "MAP008" in out
    assert "size moves decisions most" in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("ten=0..4", "--limit", "100"), "power of two"),
        (("ten=0..4", "--limit", "4"), "power of two"),
        (("ten=3", "--limit", "8"), "one value"),
        (("ten=3|3", "--limit", "8"), "one value"),
        (("tem=0..3", "--limit", "8"), "did you mean `ten`"),
        (("ten=0..3", "--measure", "totl"), "did you mean `total`"),
        (("ten=0..3", "--games", "0"), "without a game"),
        (("ten=0..3", "--output", "x.rules"), "belongs to --aim"),
        (("ten=0..40,one=0..40", "--limit", "512"), "500 are possible"),
    ],
)
def test_wrong_questions_are_one_error(added: str, words: tuple[str, ...], told: str) -> None:
    code, out, err = asked(added, "--over", *words)
    assert (code, out) == (2, "")
    assert told in err
    assert "Traceback" not in err


def test_a_page_has_pictures_and_all_shares(added: str, tmp_path: Path) -> None:
    pytest.importorskip("altair")
    page = tmp_path / "page.html"
    words = ("--measure", "total", "--limit", "64", "--games", "1", "--output", str(page))
    code, out, err = asked(added, "--over", "ten=0..4,doubled", *words)
    assert code == 0, err
    text = page.read_text("utf-8")
    assert text.count("<svg") == 3  # a forest for each parameter, a curve for the one with numbers
    assert next(line for line in out.splitlines() if line.startswith("total is moved most by ten")) in text
    assert "; then by doubled: " in out
    assert err.startswith("10 settings, 240 games")
    assert "<script" not in text
    assert "--over ten=0..4,doubled" in text


def test_a_measure_of_which_too_few_points_say_something(added: str) -> None:
    code, out, _ = asked(added, "--over", "ten=0..4", "--measure", "total", "--limit", "8", "--decisions", "1")
    assert code == 1  # all games were stopped
    assert "0 points are too few" in out


def test_it_stands_in_a_file(added: str) -> None:
    file = Path(added).parent / "moves.toml"
    begin = 'games = 2\nmeasures = ["total"]\n[[arms]]\nrules = "added"\n[sensitivity]\n'
    file.write_text(begin + 'over = { ten = "0..4" }\nsamples = 16\n', "utf-8")
    assert found(str(file))["samples"] == 16
    file.write_text(begin + 'over = { tem = "0..4" }\n', "utf-8")
    code, out, err = asked(str(file))
    assert (code, out) == (2, "")
    assert "moves.toml:6:16" in err
