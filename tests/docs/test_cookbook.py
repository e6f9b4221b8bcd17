"""The recipes of the cookbook: each checks, its scenarios hold, and it is played to the end."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

import rulewright as rw

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "cookbook.md"
LARGE = PAGE.with_name("cookbook-large-games.md")
BLOCK = re.compile(r"^```(rules|json)(?: ([\w.]+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^## (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Recipe:
    """A block of rules under its heading."""

    title: str
    text: str
    edition: bool


def blocks(page: Path = PAGE) -> list[tuple[str, str, str, str]]:
    """The heading, kind, name and text of each block."""
    text = page.read_text("utf-8")
    headings = [(m.start(), m[1]) for m in HEADING.finditer(text)]
    return [
        (next((title for at, title in reversed(headings) if at < m.start()), ""), m[1], m[2] or "", m[3])
        for m in BLOCK.finditer(text)
    ]


RECIPES = [
    Recipe(title, text, name == "edition") for title, kind, name, text in blocks() if kind == "rules" and name != "game"
]

OF_LARGE_GAMES = [
    Recipe(m[1], text, name == "edition")
    for _, _, name, text in blocks(LARGE)
    if (m := re.match('(?:variant "|game )(.*?)["\n]', text))
]
WISH = re.compile(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


def ruleset(folder: Path) -> Path:
    """The game that the recipes change."""
    folder.mkdir(parents=True)
    seats = {"2": ["anna", "bert"], "3": ["anna", "bert", "cleo"], "4": ["anna", "bert", "cleo", "dora"]}
    manifest = {"name": "harvest", "title": "Harvest", "rules": ["game.rules"], "seats": seats}
    (folder / "ruleset.json").write_text(json.dumps(manifest))
    for _, kind, name, text in blocks():
        if name == "game" or kind == "json":
            (folder / ("game.rules" if name == "game" else name)).write_text(text)
    return folder


def written(recipe: Recipe, tmp_path: Path) -> Path:
    """A recipe as a ruleset or a file of variants beside the game."""
    base = ruleset(tmp_path / "near" / "harvest")
    if recipe not in RECIPES:
        base = base.with_name("baron")
    if not recipe.edition:
        file = base.parent / "recipe.rules"
        file.write_text(recipe.text)
        return file
    folder = base.parent / "edition"
    folder.mkdir()
    rules, line, scenarios = recipe.text.partition("scenario ")
    (folder / "edition.rules").write_text(rules)
    (folder / "tests.rules").write_text(line + scenarios)
    manifest = {
        "name": "edition",
        "title": "Edition",
        "extends": f"../{base.name}" if recipe in RECIPES else base.name,
        "rules": ["edition.rules"],
    }
    (folder / "ruleset.json").write_text(json.dumps(manifest | {"scenarios": ["tests.rules"]}))
    return folder


def test_there_are_twenty_and_more() -> None:
    assert len(RECIPES) > 20
    assert all(recipe.title[0].isdigit() for recipe in RECIPES)
    assert [int(recipe.title.partition(".")[0]) for recipe in RECIPES] == list(range(1, len(RECIPES) + 1))


def test_the_game_itself(tmp_path: Path) -> None:
    folder = ruleset(tmp_path / "harvest")
    assert [d for d in rw.check(rw.open_ruleset(folder)) if d.is_error] == []
    assert rw.format_text((folder / "game.rules").read_text(), "game.rules") == (folder / "game.rules").read_text()


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.title)
def test_recipe(recipe: Recipe, tmp_path: Path) -> None:
    path = written(recipe, tmp_path)
    holds(recipe, path)
    game = rw.load(path)
    for seed in range(3):
        assert game.playout(seed).finished


def test_five_of_each_large_game_and_sixteen_wishes() -> None:
    games = Counter(title for title, *_ in blocks(LARGE))
    assert len(games) == 5
    assert min(games.values()) >= 5
    assert sum(games.values()) == len(OF_LARGE_GAMES)
    assert max(recipe.text.partition("\n\n")[0].count("\n") + 1 for recipe in OF_LARGE_GAMES) <= 12
    wishes = WISH.findall(LARGE.read_text("utf-8"))[1:]
    titles = {
        recipe.title: game for recipe in OF_LARGE_GAMES for game, *_, text in blocks(LARGE) if text == recipe.text
    }
    assert len(wishes) == 16
    for _, named, of in wishes:
        assert [titles[title] for title in named.split("; ")] == of.split("; ")


@pytest.mark.parametrize("recipe", OF_LARGE_GAMES, ids=lambda recipe: recipe.title)
def test_variant_of_a_large_game(recipe: Recipe, tmp_path: Path) -> None:
    file = written(recipe, tmp_path)
    holds(recipe, file)
    at, r = rw.load(file, engine="python").start(0), Random(0)
    for _ in range(100):  # a whole game of some takes minutes, most of them for machine code
        if at.decision is not None:
            at = at.choose(r.choice(at.decision.options))


def holds(recipe: Recipe, path: Path) -> None:
    """No error, no change without effect, scenarios that hold, and lines as `fmt` writes them."""
    opened, titles = rw.rulesets.with_variants(path, ())
    found = rw.check(opened, variants=titles)
    assert [str(d) for d in found if d.is_error or d.code in ("VAR410", "VAR411")] == []
    plans = [rw.scenarios.run_scenario(plan) for plan in rw.scenarios.plans(opened)]
    assert plans
    assert [result.failure for result in plans] == [None] * len(plans)
    assert rw.format_text(recipe.text, "recipe.rules") == recipe.text
