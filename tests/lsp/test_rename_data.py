"""New names of values and attributes reach tables of both formats, maps, keys and the manifest, and nothing else."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import rulewright as rw

RULES = """game fair
players 2

enum Good from "goods.csv"
    price: 1..9
enum Mood: calm, wild

piece Crate from "crates.csv"
    good: Good
    mood: Mood
    double: Int = number * 2
    number: 1..9
    named "{good} crate {number}"
    begins in yard

place Town
    wants: set of Good
    mood: Mood
map Country: graph from "country.json" of Town

zone yard: set of Crate, seen by everyone
zone at[Town]: set of Crate, seen by everyone

procedure play
    each p in players
        p chooses crate from yard
            forbid wild_ones: crate.mood is wild or crate.double > 90 or crate.good.price > 8
        p chooses town from Town where crate.good in town.wants or town.mood is calm
        move crate to at[town]
    finish ranking p in players by size(yard)

scenario "salt"
    players anna, bert
    put "salt crate 2" in at["north"]
    start play
    when anna: crate = "fish crate 1", town = "south"
scenario "more salt"
    from "salt"
    put "salt crate 4" in at["south"]
"""
FILES = {
    "game.rules": RULES,
    "goods.csv": "name,price\nfish,2\nsalt,4\n",
    "crates.csv": "good,mood,number\nfish,calm,1\nsalt,calm,2\nfish,wild,3\nsalt,calm,4\n",
    "country.json": json.dumps(
        {
            "shape": "graph",
            "places": [
                {"name": "north", "wants": ["fish", "salt"], "mood": "wild"},
                {"name": "south", "wants": ["salt"], "mood": "calm"},
            ],
            "edges": [["north", "south"]],
        }
    ),
    "ruleset.json": json.dumps(
        {
            "name": "fair",
            "title": "Fair",
            "rules": ["game.rules"],
            "seats": {"2": ["anna", "bert"]},
            "draw": {"colours": {"salt": "#ffffff"}, "labels": {"salt crate 2": "s"}, "colour_by": {"Crate": "good"}},
        }
    ),
}


@pytest.fixture
def fair(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def renamed(folder: Path, symbol: rw.navigation.Symbol, new: str) -> dict[str, str]:
    """The files that change; nothing new is found in them."""
    before = {finding.code for finding in rw.check(rw.open_ruleset(folder)) if finding.is_error}
    assert before == set()
    index = rw.navigation.Navigator().index(rw.open_ruleset(folder))
    by_file: dict[str, list[rw.fixing.Edit]] = {}
    for edit in rw.navigation.rename([index], symbol, new):
        by_file.setdefault(os.path.abspath(edit.span.file), []).append(edit)
    for path, edits in by_file.items():
        Path(path).write_text(rw.fixing.apply(Path(path).read_text("utf-8"), edits), "utf-8")
    assert [finding for finding in rw.check(rw.open_ruleset(folder)) if finding.is_error] == []
    return {Path(path).name: Path(path).read_text("utf-8") for path in by_file}


def test_a_value_of_a_table(fair: Path) -> None:
    found = renamed(fair, rw.navigation.Symbol("value", "salt", "Good"), "spice")
    assert set(found) == {"game.rules", "goods.csv", "crates.csv", "country.json", "ruleset.json"}
    assert "salt" not in found["goods.csv"] + found["crates.csv"] + found["country.json"] + found["ruleset.json"]
    assert 'put "spice crate 2" in' in found["game.rules"]
    assert 'scenario "salt"' in found["game.rules"]
    assert json.loads(found["ruleset.json"])["draw"]["labels"] == {"spice crate 2": "s"}


def test_the_title_of_a_scenario_from_which_another_one_begins(fair: Path) -> None:
    found = renamed(fair, rw.navigation.Symbol("scenario", "salt"), "the first salt")
    assert 'scenario "the first salt"' in found["game.rules"]
    assert '    from "the first salt"\n' in found["game.rules"]


def test_a_value_of_an_enum(fair: Path) -> None:
    found = renamed(fair, rw.navigation.Symbol("value", "calm", "Mood"), "quiet")
    assert set(found) == {"game.rules", "crates.csv", "country.json"}
    assert "calm" not in "".join(found.values())


def test_an_attribute_with_a_column(fair: Path) -> None:
    found = renamed(fair, rw.navigation.Symbol("attribute", "number", "Crate"), "size_of_it")
    assert set(found) == {"game.rules", "crates.csv"}
    assert found["crates.csv"].startswith("good,mood,size_of_it\n")
    assert 'named "{good} crate {size_of_it}"' in found["game.rules"]
    assert "double: Int = size_of_it * 2" in found["game.rules"]


def test_attributes_of_one_name_are_told_apart(fair: Path) -> None:
    """By what stands before the dot."""
    found = renamed(fair, rw.navigation.Symbol("attribute", "mood", "Town"), "temper")
    assert set(found) == {"game.rules", "country.json"}
    assert "crate.mood is wild" in found["game.rules"]
    assert "town.temper is calm" in found["game.rules"]
    found = renamed(fair, rw.navigation.Symbol("attribute", "good", "Crate"), "ware")
    assert set(found) == {"game.rules", "crates.csv", "ruleset.json"}
    assert json.loads(found["ruleset.json"])["draw"]["colour_by"] == {"Crate": "ware"}


def test_a_value_in_quotes_or_behind_its_type(fair: Path) -> None:
    rules = fair / "game.rules"
    rules.write_text(rules.read_text().replace("crate.mood is wild", 'crate.mood is Mood.wild or crate.mood is "wild"'))
    found = renamed(fair, rw.navigation.Symbol("value", "wild", "Mood"), "fierce")
    assert 'crate.mood is Mood.fierce or crate.mood is "fierce"' in "".join(found.values())


def test_hints_for_stacks_badges_and_markers(tmp_path: Path) -> None:
    """Declarations and attributes are named there as well."""
    for file in (Path(__file__).parents[1] / "tools" / "frontier").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    for symbol, new in (
        (rw.navigation.Symbol("declaration", "contested"), "disputed"),
        (rw.navigation.Symbol("declaration", "owned_by"), "lord_of"),
        (rw.navigation.Symbol("declaration", "Fort"), "Castle"),
        (rw.navigation.Symbol("attribute", "strength", "Man"), "might"),
    ):
        found = renamed(tmp_path, symbol, new)
        assert symbol.name not in found["ruleset.json"]
    draw = json.loads((tmp_path / "ruleset.json").read_text("utf-8"))["draw"]
    assert draw["rim"] == "lord_of"
    assert draw["badges"] == {"Man": "might", "Castle": "work"}
    assert list(draw["markers"]) == ["home", "disputed", "storm", "giants"]


DRAWN = """game pasture
players 2

enum Ground: sand, snow
enum Weather: rain, snow
piece Sheep from "sheep.csv"
    ground: Ground
    named "{ground} sheep"
    begins in stall
place Cell
map Board: grid 1 by 3 of Cell
zone stall: set of Sheep, seen by everyone
zone on[Cell]: set of Sheep, seen by everyone
field soil[Cell]: Ground = sand

procedure play
    each c in Cell where soil[c] is snow
        move on[c] to stall
    finish with winner players

scenario "sheep"
    players anna, bert
    draw on[place] with S = ["snow sheep", "sand sheep"], A = "snow sheep"
        "S A ."
    draw soil[place] with snow = snow
        ". snow ."
    start play
    then size(stall) is 2
"""


def test_names_in_a_drawing(tmp_path: Path) -> None:
    """Signs keep their names, whatever they stand for is called."""
    manifest = {"name": "pasture", "title": "Pasture", "rules": ["game.rules"], "seats": {"2": ["anna", "bert"]}}
    (tmp_path / "game.rules").write_text(DRAWN, "utf-8")
    (tmp_path / "sheep.csv").write_text("ground,count\nsnow,2\nsand,2\n", "utf-8")
    (tmp_path / "ruleset.json").write_text(json.dumps(manifest), "utf-8")
    found = renamed(tmp_path, rw.navigation.Symbol("value", "snow", "Ground"), "ice")["game.rules"]
    assert 'draw on[place] with S = ["ice sheep", "sand sheep"], A = "ice sheep"' in found
    assert 'draw soil[place] with snow = ice\n        ". snow ."' in found
    found = renamed(tmp_path, rw.navigation.Symbol("declaration", "soil"), "earth")["game.rules"]
    assert "draw earth[place] with snow = ice" in found
