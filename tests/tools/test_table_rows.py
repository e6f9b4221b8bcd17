"""Changes of rows: what commands, editors and warm checks make of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import rulewright as rw
from rulewright import navigation
from rulewright.navigation.completion import complete
from rulewright.navigation.rename import rename

from .conftest import Run

RULES = """game market
players 2 to 3
enum Family: red, blue
enum Tile from "market.json#tiles"
    worth: 0..9
piece Card from "market.json#cards"
    family: Family
    worth: 1..9
    named "{family} {worth}"
    begins in deck
zone deck: set of Card, seen by everyone
zone hand[p: Player]: set of Card, seen by everyone
procedure play
    each p in players
        p chooses card from deck
            forbid low: card.worth < town.worth - 9
        move card to hand[p]
    finish ranking p in players by sum(c.worth for c in hand[p]) + sum(t.worth for t in Tile)

variant "Richer" of market
    set row "village" of Tile: worth = 2
    set rows of Card where family is blue: count = 1
    set row "red 3" of Card: worth = 4
    add row to Tile: name = hamlet, worth = 5
    remove row "blue 5" of Card
scenario "richer"
    players anna, bert
    variant "Richer"
    put "red 4" in hand[anna]
    then hamlet.worth is 5
"""
TABLES = {
    "cards": [
        {"family": "red", "worth": 3, "count": 2},
        {"family": "blue", "worth": 3, "count": {"2": 2, "3": 3}},
        {"family": "blue", "worth": 5},
    ],
    "tiles": [{"name": "village", "worth": 1}, {"name": "town", "worth": 4}],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A ruleset with a variant that changes rows."""
    made = tmp_path / "market"
    made.mkdir()
    (made / "ruleset.json").write_text(json.dumps({"name": "market", "title": "Market", "rules": ["game.rules"]}))
    (made / "game.rules").write_text(RULES)
    (made / "market.json").write_text(json.dumps(TABLES))
    return made


def test_compare_tells_the_rows(folder: Path, run: Run) -> None:
    told = run("compare", folder, f"{folder}:Richer").out
    for line in ("worth 1 → 2", '["hamlet"]   + worth 5', "count 2 → 1", '["red 4"]', '["blue 5"]'):
        assert line in told


def test_misspelt_columns_and_rows_are_mended(folder: Path, run: Run) -> None:
    rules = folder / "game.rules"
    rules.write_text(RULES.replace('"village" of Tile: worth', '"vilage" of Tile: wort'))
    assert "VAR412" not in run("check", folder).out  # the column comes first: of the row nothing else is asked
    run("check", folder, "--fix", "--unsafe-fixes")
    run("check", folder, "--fix", "--unsafe-fixes")
    assert rules.read_text() == RULES


def test_formatting(folder: Path, run: Run) -> None:
    rules = folder / "game.rules"
    rules.write_text(RULES.replace("worth = 2\n", "worth=2\n").replace("add row to Tile:", "add  row  to Tile :"))
    run("fmt", rules)
    assert '    set row "village" of Tile: worth = 2\n' in rules.read_text()
    assert "    add row to Tile: name = hamlet, worth = 5\n" in rules.read_text()


EDITS: list[Callable[[str], str]] = [
    lambda text: text.replace('"village" of Tile: worth = 2', '"village" of Tile: worth = 3'),
    lambda text: text.replace("enum Family", "# a line more\n\nenum Family"),
    lambda text: text.replace('"village" of Tile: worth = 2', '"village" of Tile: worth = 12'),
    lambda text: text.replace("enum Family", "# a line more\n\nenum Family").replace("worth = 2", "worth = 12"),
    lambda text: text.replace('set row "village"', 'set row "vilage"'),
    lambda text: text.replace("name = hamlet", "name = hemlet"),
    lambda text: text.replace("where family is blue", "where famly is blue"),
    lambda text: text.replace('    named "{family} {worth}"', '    named "{family}-{worth}"'),
    lambda text: text.replace('    remove row "blue 5" of Card\n', ""),
    lambda text: text,
]


def test_a_warm_answer_equals_a_cold_one(folder: Path, tmp_path: Path) -> None:
    work = rw.Workspace(folder.parent)
    found = set()
    for edit in EDITS:
        (folder / "game.rules").write_text(edit(RULES))
        warm = [str(d) for d in work.check(folder)]
        assert warm == [str(d) for d in rw.check(rw.open_ruleset(folder))]
        found |= {d.code for d in work.check(folder)}
    assert {"VAR412", "DAT011", "DAT015"} <= found
    (folder / "market.json").write_text(json.dumps(TABLES).replace("village", "hut"))
    assert [str(d) for d in work.check(folder)] == [str(d) for d in rw.check(rw.open_ruleset(folder))]


def index_of(folder: Path) -> navigation.symbol_index.SymbolIndex:
    return navigation.symbol_index.Navigator().index(rw.open_ruleset(folder))


@pytest.mark.parametrize(
    ("line", "word", "declared"),
    [
        ('set row "village"', "village", "market.json:1"),
        ('set row "village"', "worth", "game.rules:5"),
        ("set rows of Card", "family", "game.rules:7"),
        ("set rows of Card", "blue", "game.rules:3"),
        ('set row "red 3"', "worth", "game.rules:8"),
        ("add row to Tile", "Tile", "game.rules:4"),
        ("then hamlet", "hamlet", "game.rules:24"),
    ],
)
def test_definitions(folder: Path, line: str, word: str, declared: str) -> None:
    index = index_of(folder)
    lines = RULES.split("\n")
    number = next(n for n, text in enumerate(lines) if line in text)
    found = index.at(str(folder / "game.rules"), number + 1, lines[number].index(word) + 1)
    assert found is not None
    assert [f"{Path(s.file).name}:{s.line}" for s in index.names_of(found[0][0])] == [declared]


@pytest.mark.parametrize(
    ("kind", "name", "owner", "new", "lines"),
    [
        ("value", "village", "Tile", "hut", ['set row "hut" of Tile: worth = 2']),
        ("value", "hamlet", "Tile", "farm", ["name = farm, worth = 5", "farm.worth is 5"]),
        ("value", "blue", "Family", "green", ["where family is green", 'remove row "green 5"']),
        ("attribute", "worth", "Card", "price", ['set row "red 3" of Card: price = 4', '"village" of Tile: worth']),
    ],
)
def test_renaming(folder: Path, kind: str, name: str, owner: str, new: str, lines: list[str]) -> None:
    symbol = navigation.symbols.Symbol(kind, name, owner)  # type: ignore[arg-type]
    edits = rename([index_of(folder)], symbol, new)
    for file in ("game.rules", "market.json"):
        text = (folder / file).read_text().split("\n")
        for edit in sorted(edits, key=lambda e: (e.span.line, e.span.column), reverse=True):
            if Path(edit.span.file).name == file:
                row = text[edit.span.line - 1]
                text[edit.span.line - 1] = row[: edit.span.column - 1] + edit.text + row[edit.span.end_column - 1 :]
        (folder / file).write_text("\n".join(text))
    assert all(line in (folder / "game.rules").read_text() for line in lines)
    assert not [d for d in rw.check(rw.open_ruleset(folder)) if d.is_error]


@pytest.mark.parametrize(
    ("written", "wanted", "unwanted"),
    [
        ('set row "', {"village", "town", "hamlet", "red 3"}, {"red"}),
        ('set row "village" of Tile: ', {"worth", "name", "count"}, {"family", "deck"}),
        ('set row "red 3" of Card: worth = 2, ', {"family", "count"}, {"name"}),
        ("remove rows of Card where ", {"family", "worth"}, {"name"}),
        ("add row to Card: family = ", {"red", "blue"}, set()),
        ("add row to ", {"Card", "Tile"}, {"deck"}),
    ],
)
def test_completion(folder: Path, written: str, wanted: set[str], unwanted: set[str]) -> None:
    rules = folder / "game.rules"
    rules.write_text(f'{RULES}variant "B" of market\n    {written}')
    index = index_of(folder)
    text = rules.read_text()
    found = complete(index, index.files[str(rules)], text.count("\n") + 1, len(written) + 5)
    texts = {candidate.text for candidate in found.candidates}
    assert wanted <= texts
    assert not unwanted & texts
