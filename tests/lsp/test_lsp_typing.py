"""The language server helps while one types: indentation, format of some lines, keys, columns, types and blocks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rulewright as rw

from .lsp_client import Client, edited

OPTIONS = {"tabSize": 4, "insertSpaces": True}


@pytest.fixture
def scenarios(folder: Path) -> Path:
    return folder / "pond" / "scenarios" / "turns.rules"


# ---------------------------------------------------------------------------------------------- indentation


def typed(client: Client, path: Path, text: str, line: int, letter: str) -> str:
    """The text after something was typed in a line, from 0."""
    client.change(path, text, wait=False)
    where = {"line": line, "character": len(text.split("\n")[line])}
    about = {"textDocument": {"uri": path.as_uri()}, "position": where, "ch": letter, "options": OPTIONS}
    return edited(text, client.request("textDocument/onTypeFormatting", about))


@pytest.mark.parametrize(
    ("above", "indent"),
    [
        ("procedure f(p: Player)", 4),
        ("procedure f(p: Player)\n    each s in Stone", 8),
        ("procedure f(p: Player)\n    each s in Stone\n        stop", 4),
        ("procedure f(p: Player)\n    p chooses s from Stone", 4),
        ("procedure f(p: Player)\n    let x = size(hand[p]) +", 12),
        ("procedure f(p: Player)\n    let open = 3\n    each field in clockwise from open", 8),
        ("query f(p: Player) -> Int", 4),
        ("query f(p: Player) -> Int = 3", 0),
        ('piece Pebble from "pieces.json"', 4),
        ("procedure f\n    p chooses either\n        option a", 12),
        ('scenario "x"\n    players a, b', 4),
    ],
)
def test_a_new_line_is_indented(client: Client, game: Path, above: str, indent: int) -> None:
    text = game.read_text("utf-8") + "\n" + above + "\n"
    found = typed(client, game, text, text.count("\n"), "\n")
    assert found == text + " " * indent


def test_else_and_then_go_below_what_they_belong_to(client: Client, game: Path) -> None:
    begun = game.read_text("utf-8") + "\nprocedure f(p: Player)\n    if size(hand[p]) > 1\n        setup\n        else"
    assert typed(client, game, begun, begun.count("\n"), "e").endswith("\n        setup\n    else")
    begun = game.read_text("utf-8") + "\nprocedure f(p: Player)\n    p chooses s from Stone\n        then"
    assert typed(client, game, begun, begun.count("\n"), "n").endswith("\n    p chooses s from Stone\n    then")
    begun = game.read_text("utf-8") + "\nprocedure f(p: Player)\n    let otherwise"
    assert typed(client, game, begun, begun.count("\n"), "e") == begun


def test_some_lines_are_formatted(client: Client, game: Path) -> None:
    """The declarations that the lines touch, and no others."""
    good = game.read_text("utf-8")
    other = good.replace("zone hand[Player]: set", "zone hand[Player]:   set")
    text = other.replace("last = stone", "last   =   stone")
    client.change(game, text, wait=False)
    row = text.split("\n").index("    last   =   stone")
    where = {"start": {"line": row, "character": 0}, "end": {"line": row, "character": 4}}
    about = {"textDocument": {"uri": game.as_uri()}, "range": where, "options": OPTIONS}
    found = edited(text, client.request("textDocument/rangeFormatting", about))
    assert found == other
    assert rw.format_text(found) == good


def test_formats_are_offered_for_rules_only(client: Client, folder: Path) -> None:
    """An editor has a formatter for JSON files."""
    assert {name for name in client.capabilities if "Formatting" in name} == set()
    formats = {method: options for method, options in client.registered.items() if "ormatting" in method}
    assert len(formats) == 3
    for options in formats.values():
        assert [one["pattern"] for one in options["documentSelector"]] == ["**/*.rules"]
    about = {"textDocument": {"uri": (folder / "pond" / "ruleset.json").as_uri()}, "options": OPTIONS}
    assert client.request("textDocument/formatting", about) == []


# ----------------------------------------------------------------------------------------------- completion


def items(client: Client, path: Path, old: str, new: str) -> list[dict[str, Any]]:
    """All that can be written at the ``^`` in the text that stands for another one, in the order of an editor."""
    text = path.read_text("utf-8")
    assert old in text
    marked = text.replace(old, new, 1)
    before = marked[: marked.index("^")]
    client.change(path, marked.replace("^", "", 1), wait=False)
    where = {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}
    about = {"textDocument": {"uri": path.as_uri()}, "position": where}
    return sorted(client.request("textDocument/completion", about), key=lambda one: str(one["sortText"]))


def test_keys_inside_quotes(client: Client, scenarios: Path) -> None:
    client.open(scenarios)
    found = items(client, scenarios, 'put 2 "grey pebble" in on["1"]', 'put 2 "grey p^" in on["1"]')
    assert [one["label"] for one in found[:2]] == ["gold pebble", "grey pebble"]
    start = found[0]["textEdit"]["range"]["start"]["character"]
    assert start == len('    put 2 "')
    found = items(client, scenarios, 'put 2 "grey pebble" in on["1"]', 'put 2 "grey pebble" in on["^"]')
    assert [one["label"] for one in found[:6]] == ["1", "2", "3", "4", "5", "6"]
    client.close(scenarios)


def test_columns_of_tables(client: Client, game: Path) -> None:
    found = items(client, game, "    worth: 1..3\n", "    ^\n")
    assert ("worth", "column") in {(one["label"], one.get("detail")) for one in found}
    assert "colour" not in {one["label"] for one in found}
    found = items(client, game, 'named "{colour} pebble"', 'named "{^"')
    assert [one["label"] for one in found] == ["colour", "worth"]


@pytest.mark.parametrize(
    ("old", "new", "first"),
    [
        ("forbid just_chosen: stone is last", "forbid just_chosen: stone is ^", ["last", "s", "stone"]),
        ("begins in bag", "begins in bag\n    grey_one: Bool = colour is ^", ["gold", "grey"]),
        ("    last = stone", "    last = ^", ["last", "stone"]),
        ("move pebble to hand[p]", "move pebble to hand[^]", ["p"]),
        ("    last = stone", "    last = stone\n    let x = points(^", ["p"]),
    ],
)
def test_names_of_the_fitting_type_come_first(client: Client, game: Path, old: str, new: str, first: list[str]) -> None:
    found = [one["label"] for one in items(client, game, old, new) if one["sortText"].startswith("0")]
    assert found
    assert set(found) <= set(first)


def test_members_of_a_computed_value(client: Client, game: Path) -> None:
    found = items(client, game, "    last = stone", "    let x = first(hand[p]).^\n    last = stone")
    assert {one["label"] for one in found} == {"colour", "worth"}
    found = items(client, game, "    last = stone", "    let x = p.^\n    last = stone")
    assert {one["label"] for one in found} == {"left", "right", "seat"}
    found = items(client, game, "    last = stone", "    let x = stone.^\n    last = stone")
    assert {one["label"] for one in found} == {"neighbours", "number"}


def test_blocks_with_places_to_fill_in(client: Client, game: Path) -> None:
    found = {
        one["label"]: one for one in items(client, game, "procedure setup", "^\nprocedure setup") if one["kind"] == 15
    }
    assert found["procedure"]["insertTextFormat"] == 2
    assert found["procedure"]["textEdit"]["newText"].startswith("procedure ${1:name}(")
    assert "each" not in found
    found = {one["label"]: one for one in items(client, game, "    last = stone", "    ^\n    last = stone")}
    assert all(found[word]["kind"] in (14, 15) for word in ("each", "if", "match", "repeat", "step"))
