"""A file of variants that lies in no ruleset's folder is seen in an editor as the commands see it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

import rulewright as rw
from rulewright_tools.app import app
from sampling import thorough

from .lsp_client import Client, asked, edited, places, running
from .questions import REFUSED, questions

LONE = """variant "Greedy" of pond
    set pebbles_a_stone = 4
    add query bounty(p: Player) -> Int = size(hand[p])
    replace query points(p: Player) -> Int = bounty(p) + 1
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ruleset, and beside it a file of variants that its manifest does not list."""
    made = tmp_path_factory.mktemp("lone")
    assert CliRunner().invoke(app, ["new", str(made / "pond")]).exit_code == 0
    (made / "greedy.rules").write_text(LONE, "utf-8")
    return made


@pytest.fixture(scope="module")
def server(home: Path) -> Iterator[Client]:
    with running(home) as client:
        client.open(home / "greedy.rules")
        yield client
        assert client.stop() == 0


@pytest.fixture
def lone(server: Client, home: Path) -> Iterator[Path]:
    """The file, whose text is again what it was when a test has ended."""
    path = home / "greedy.rules"
    yield path
    server.change(path, LONE)


def codes(found: list[dict[str, object]]) -> list[object]:
    return [one["code"] for one in found]


def test_findings_are_those_of_the_command(server: Client, lone: Path) -> None:
    assert server.diagnostics[lone.as_uri()] == []
    for text in (
        LONE.replace("set pebbles_a_stone", "set pebbles"),
        LONE.replace("size(hand[p])", "size(hands[p])"),
        LONE.replace("bounty(p) + 1", "true"),
        LONE.replace("Int = bounty(p) + 1", "Int ="),
        LONE.replace("of pond", "of lake"),
        'variant "Greedy" of\n',
    ):
        found = server.change(lone, text)
        lone.write_text(text, "utf-8")
        try:
            ruleset, _ = rw.rulesets.with_variants(lone, ())
            expected = [d.code for d in rw.check(ruleset)]
        except rw.RulesetError as error:
            expected = [d.code for d in error.diagnostics]
        finally:
            lone.write_text(LONE, "utf-8")
        assert expected
        assert codes(found) == expected, text


def test_what_only_a_variant_breaks_elsewhere_is_told_at_it(server: Client, lone: Path) -> None:
    """The rule that goes wrong stands in the ruleset, but who writes the variant looks at the variant."""
    text = 'variant "Emptier" of pond\n    remove last\n'
    (finding, *_) = server.change(lone, text)
    assert finding["severity"] == 1
    assert finding["range"]["start"]["line"] == 0
    assert any(place["location"]["uri"].endswith("/pond/game.rules") for place in finding["relatedInformation"])
    assert not server.diagnostics.get((lone.parent / "pond" / "game.rules").as_uri())


def test_what_the_rules_say_and_was_not_meant_is_told_after_a_pause(server: Client, lone: Path) -> None:
    text = LONE.replace("bounty(p) + 1", "bounty(p) / 1000 rounded down")
    assert "EXM111" not in codes(server.change(lone, text))
    server.until(lone.as_uri(), "EXM111")
    (finding,) = (one for one in server.diagnostics[lone.as_uri()] if one["code"] == "EXM111")
    assert (finding["severity"], finding["range"]["start"]["line"]) == (2, 3)
    lower = text.replace("    set pebbles_a_stone", "    # More stones.\n    set pebbles_a_stone")
    (kept,) = (one for one in server.change(lone, lower) if one["code"] == "EXM111")
    assert kept["range"]["start"]["line"] == 4
    server.change(lone, LONE)
    server.until(lone.as_uri())


def test_a_change_of_the_ruleset_is_seen(server: Client, lone: Path) -> None:
    game = lone.parent / "pond" / "game.rules"
    text = game.read_text("utf-8")
    server.open(game)
    server.change(game, text.replace("pebbles_a_stone", "stones_each"), wait=False)
    server.until(lone.as_uri(), "VAR401")
    server.change(game, text)
    server.until(lone.as_uri())
    server.close(game)


def test_words_of_the_ruleset_are_known(server: Client, lone: Path) -> None:
    found = server.request("textDocument/definition", asked(lone, "set ^pebbles_a_stone"))
    assert places(found) == [("game.rules", 6, "pebbles_a_stone")]
    found = server.request("textDocument/definition", asked(lone, "= ^bounty(p) + 1"))
    assert places(found) == [("greedy.rules", 3, "bounty")]
    shown = server.request("textDocument/hover", asked(lone, "set ^pebbles_a_stone"))
    assert "3 with 3 players" in shown["contents"]["value"]
    text = LONE.replace("size(hand[p])", "size()")
    server.change(lone, text)
    where = asked(lone, "size(^)", text)
    offered = server.request("textDocument/completion", where)
    items = offered["items"] if isinstance(offered, dict) else offered
    assert {"bag", "hand"} <= {item["label"] for item in items}


def test_lenses_name_the_file(server: Client, lone: Path) -> None:
    lenses = server.request("textDocument/codeLens", {"textDocument": {"uri": lone.as_uri()}})
    for command in ("rulewright.play", "rulewright.examine", "rulewright.confirm"):
        given = [lens["command"]["arguments"] for lens in lenses if lens["command"]["command"] == command]
        assert given == [[str(lone), "Greedy"]]


def test_own_names_are_renamed_in_the_file_only(server: Client, lone: Path) -> None:
    edit = server.request("textDocument/rename", {**asked(lone, "= ^bounty(p) + 1"), "newName": "loot"})
    assert list(edit["changes"]) == [lone.as_uri()]
    assert edited(LONE, edit["changes"][lone.as_uri()]) == LONE.replace("bounty", "loot")
    edit = server.request("textDocument/rename", {**asked(lone, '"Gr^eedy"'), "newName": "Grasping"})
    assert edited(LONE, edit["changes"][lone.as_uri()]) == LONE.replace("Greedy", "Grasping")


@pytest.mark.parametrize("marked", ["set ^pebbles_a_stone", "size(^hand[p])", "replace query ^points"])
def test_names_of_the_ruleset_are_not_renamed_from_the_file(server: Client, lone: Path, marked: str) -> None:
    for method, more in (("prepareRename", {}), ("rename", {"newName": "other"})):
        error = server.answer(f"textDocument/{method}", {**asked(lone, marked), **more})["error"]
        assert error["code"] == REFUSED
        assert "is a name of Pond; rename it at pond/game.rules:" in error["message"]


def test_a_new_name_in_the_ruleset_reaches_open_files_of_variants(server: Client, lone: Path) -> None:
    game = lone.parent / "pond" / "game.rules"
    server.open(game)
    edit = server.request("textDocument/rename", {**asked(game, "param ^pebbles_a_stone"), "newName": "stones_each"})
    assert {game.as_uri(), lone.as_uri()} <= edit["changes"].keys()
    assert edited(LONE, edit["changes"][lone.as_uri()]) == LONE.replace("pebbles_a_stone", "stones_each")
    server.close(game)


def test_fixes_and_refactorings_write_nothing_into_the_ruleset(server: Client, lone: Path) -> None:
    text = LONE.replace("set pebbles_a_stone", "set pebbles_a_ston")
    server.change(lone, text)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    about = {"textDocument": {"uri": lone.as_uri()}, "range": whole, "context": {"diagnostics": []}}
    actions = server.request("textDocument/codeAction", about)
    assert actions
    for action in actions:
        assert action["kind"] == "quickfix"
        assert list(action["edit"]["changes"]) == [lone.as_uri()]


def test_every_question_has_an_answer(server: Client, lone: Path) -> None:
    for row, line in enumerate(LONE.split("\n")):
        for column in range(0, len(line) + 1, 7):
            for method, params in questions(server.capabilities, lone.as_uri(), LONE, row, column):
                assert server.answer(method, params).get("error", {}).get("code") in (None, REFUSED), method


@thorough
def test_without_its_ruleset_and_again(server: Client, lone: Path) -> None:
    """The ruleset may come and go; a shipped one is found from anywhere."""
    manifest = lone.parent / "pond" / "ruleset.json"
    text = manifest.read_text("utf-8")
    manifest.unlink()
    server.touched(manifest, 3)
    server.until(lone.as_uri(), "DAT021")
    assert server.request("textDocument/hover", asked(lone, "set ^pebbles_a_stone")) is None
    manifest.write_text(text, "utf-8")
    server.touched(manifest, 1)
    server.until(lone.as_uri())
    shipped = 'variant "Lines of two" of tic_tac_toe\n    set nothing_there = 3\n'
    assert codes(server.change(lone, shipped)) == ["VAR401"]
