"""The language server publishes findings while rules are written, and offers what mends them."""

from __future__ import annotations

import json
from pathlib import Path

import rulewright as rw
from rulewright_tools.lsp.diagnostics import full_check, quick_check
from rulewright_tools.lsp.editor_workspace import EditorWorkspace

from .lsp_client import Client, cut, edited, position


def document(path: Path) -> dict[str, str]:
    return {"uri": path.as_uri()}


def test_findings_come_and_go_as_one_types(client: Client, game: Path) -> None:
    text = game.read_text("utf-8")
    broken = text.replace("stone is last", "stone is lasst")
    (found,) = client.change(game, broken)
    assert (found["code"], found["severity"], found["source"]) == ("REF001", 1, "rulewright")
    assert cut(broken, found["range"]) == "lasst"
    page = Path(found["codeDescription"]["href"].removeprefix("file://"))
    assert page.read_text("utf-8").startswith("# REF001")
    assert client.change(game, text) == []


def test_columns_are_counted_in_utf_16(client: Client, game: Path) -> None:
    text = game.read_text("utf-8") + 'scenario "𝔘𝔫𝔦" lasst\n'
    found = client.change(game, text)
    assert "lasst" in {cut(text, one["range"]) for one in found}


def test_related_places_and_what_is_not_used(client: Client, game: Path) -> None:
    text = game.read_text("utf-8") + "\nprocedure setup\n    last = none\n\nquery idle() = 3\n"
    found = {one["code"]: one for one in client.change(game, text)}
    (related,) = found["REF007"]["relatedInformation"]
    assert related["location"]["uri"] == game.as_uri()
    assert cut(text, related["location"]["range"]) == "procedure setup"
    unused = {one["code"]: one for one in client.change(game, game.read_text("utf-8") + "\nquery idle() = 3\n")}
    assert unused["REF014"]["tags"] == [1]


def test_files_that_nobody_has_open(client: Client, folder: Path, game: Path) -> None:
    """Findings of the JSON files and of other rules files; they go when the file is in order again, or gone."""
    pieces = folder / "pond" / "pieces.json"
    text = pieces.read_text("utf-8")
    pieces.write_text(text.replace('"gold"', '"golden"', 1), "utf-8")
    client.touched(pieces)
    while not client.diagnostics.get(pieces.as_uri()):
        client._take()
    pieces.write_text(text, "utf-8")
    client.touched(pieces)
    client.until(pieces.as_uri())


def test_a_ruleset_that_vanishes(client: Client, folder: Path) -> None:
    manifest = folder / "other" / "ruleset.json"
    manifest.parent.mkdir()
    manifest.write_text("{", "utf-8")
    client.touched(manifest, 1)
    while not client.diagnostics.get(manifest.as_uri()):
        client._take()
    manifest.unlink()
    manifest.parent.rmdir()
    client.touched(manifest, 3)
    client.until(manifest.as_uri())


def test_a_file_of_no_ruleset_is_read_alone(client: Client, folder: Path) -> None:
    path = folder / "alone.rules"
    uri = client.open(path, "field x: = 3\n")
    assert [one["code"] for one in client.diagnostics[uri]] == ["SYN001"]
    assert client.change(path, "field x: Int = 3\n") == []
    client.close(path)


def test_a_fix_for_a_finding(client: Client, game: Path) -> None:
    text = game.read_text("utf-8").replace("stone is last", "stone is lasst")
    (found,) = client.change(game, text)
    context = {"diagnostics": [found], "only": ["quickfix"]}
    asked = {"textDocument": document(game), "range": found["range"], "context": context}
    (action,) = client.request("textDocument/codeAction", asked)
    assert action["title"] == "Replace with `last` (may change what the rules mean)"
    assert action["diagnostics"] == [found]
    assert edited(text, action["edit"]["changes"][game.as_uri()]) == game.read_text("utf-8")


def test_all_safe_fixes_at_once(client: Client, game: Path) -> None:
    good = game.read_text("utf-8")
    text = good.replace("    stone", "     stone").replace("last = stone", "last  =  stone")
    client.change(game, text)
    somewhere = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    context = {"diagnostics": [], "only": ["source.fixAll"]}
    asked = {"textDocument": document(game), "range": somewhere, "context": context}
    (action,) = client.request("textDocument/codeAction", asked)
    assert action["kind"] == "source.fixAll"
    assert "edit" not in action
    resolved = client.request("codeAction/resolve", action)
    assert edited(text, resolved["edit"]["changes"][game.as_uri()]) == good


def test_formatting(client: Client, game: Path) -> None:
    good = game.read_text("utf-8")
    text = good.replace("last = stone", "last   =   stone")
    client.change(game, text)
    asked = {"textDocument": document(game), "options": {"tabSize": 4, "insertSpaces": True}}
    assert edited(text, client.request("textDocument/formatting", asked)) == good
    client.change(game, good)
    assert client.request("textDocument/formatting", asked) == []
    client.change(game, "procedure (\n")
    assert client.request("textDocument/formatting", asked) is None


def test_errors_come_first_and_nothing_flickers(folder: Path, game: Path) -> None:
    """Before everything is checked, errors are known, and milder findings stay on their lines."""
    home, editor = folder / "pond", EditorWorkspace(folder, "test")
    text = game.read_text("utf-8") + "\nquery idle() = 3\n"
    before = full_check(editor, home, {str(game): text})
    (idle,) = before.shown[game.as_uri()]
    assert idle.code == "REF014"
    text = text.replace("game pond", "# more\ngame pond").replace("stone is last", "stone is lasst")
    looked = quick_check(editor, home, {str(game): text}, before)
    errors = [one for one in looked.shown[game.as_uri()] if one.code == "REF001"]
    assert len(errors) == 1
    text = text.replace("lasst", "last")
    (shifted,) = quick_check(editor, home, {str(game): text}, before).shown[game.as_uri()]
    assert (shifted.code, shifted.range.start.line) == ("REF014", idle.range.start.line + 1)
    text = text.replace("query idle() = 3\n", "")
    assert quick_check(editor, home, {str(game): text}, before).shown[game.as_uri()] == []
    editor.close()


def test_a_shipped_ruleset(client: Client) -> None:
    """Nothing is found in it, and something is as soon as it is changed."""
    game = next(path for path in rw.shipped_rulesets() if path.name == "connect-four") / "game.rules"
    uri = client.open(game)
    assert client.diagnostics[uri] == []
    text = game.read_text("utf-8")
    hover = {"textDocument": {"uri": uri}, "position": position(text, "procedu^re play")}
    assert "open order" in json.dumps(client.request("textDocument/hover", hover))
    found = client.change(game, text.replace("procedure turn", "procedure move_on"))
    assert "REF001" in {one["code"] for one in found}
    client.close(game)
