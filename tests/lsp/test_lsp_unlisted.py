"""A file of variants in the folder of a ruleset whose manifest does not list it is seen as one that lies elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

import rulewright as rw
from rulewright_tools.app import app

from .lsp_client import Client, asked, edited, places, running
from .test_lsp_lone_variants import LONE, codes

UNLISTED = "DAT030"
"""The finding that says so."""


@pytest.fixture(scope="module")
def pond(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ruleset with a file of variants beside its rules, in a folder of its own."""
    made = tmp_path_factory.mktemp("unlisted") / "pond"
    assert CliRunner().invoke(app, ["new", str(made)]).exit_code == 0
    (made / "ideas").mkdir()
    (made / "ideas" / "greedy.rules").write_text(LONE, "utf-8")
    return made


@pytest.fixture(scope="module")
def server(pond: Path) -> Iterator[Client]:
    with running(pond.parent) as client:
        client.open(pond / "ideas" / "greedy.rules")
        yield client
        assert client.stop() == 0


@pytest.fixture
def unlisted(server: Client, pond: Path) -> Iterator[Path]:
    path = pond / "ideas" / "greedy.rules"
    yield path
    server.change(path, LONE)


def test_findings_are_those_of_the_command(server: Client, unlisted: Path) -> None:
    assert codes(server.diagnostics[unlisted.as_uri()]) == []
    for text in (
        LONE.replace("set pebbles_a_stone", "set pebbles"),
        LONE.replace("size(hand[p])", "size(hands[p])"),
        LONE.replace("bounty(p) + 1", "true"),
        LONE.replace("Int = bounty(p) + 1", "Int ="),
    ):
        unlisted.write_text(text, "utf-8")
        try:
            ruleset, _ = rw.rulesets.with_variants(unlisted, ())
            expected = {d.code for d in rw.check(ruleset)}
        finally:
            unlisted.write_text(LONE, "utf-8")
        assert expected
        server.change(unlisted, text)
        server.until_codes(unlisted.as_uri(), expected, {UNLISTED})  # the ruleset alone is checked, too


def test_words_of_the_ruleset_are_known(server: Client, unlisted: Path) -> None:
    found = server.request("textDocument/definition", asked(unlisted, "set ^pebbles_a_stone"))
    assert places(found) == [("game.rules", 6, "pebbles_a_stone")]
    shown = server.request("textDocument/hover", asked(unlisted, "set ^pebbles_a_stone"))
    assert "3 with 3 players" in shown["contents"]["value"]
    edit = server.request("textDocument/rename", {**asked(unlisted, "= ^bounty(p) + 1"), "newName": "loot"})
    assert edited(LONE, edit["changes"][unlisted.as_uri()]) == LONE.replace("bounty", "loot")


def test_a_new_name_in_the_ruleset_reaches_it(server: Client, unlisted: Path, pond: Path) -> None:
    game = pond / "game.rules"
    server.open(game)
    edit = server.request("textDocument/rename", {**asked(game, "param ^pebbles_a_stone"), "newName": "stones_each"})
    assert {game.as_uri(), unlisted.as_uri()} <= edit["changes"].keys()
    server.close(game)


def test_the_ruleset_itself_has_no_findings_of_it(server: Client, unlisted: Path, pond: Path) -> None:
    text = 'variant "Emptier" of pond\n    remove last\n'
    found = server.change(unlisted, text)
    assert any(one["severity"] == 1 for one in found)
    assert not server.diagnostics.get((pond / "game.rules").as_uri())


def test_it_is_listed_and_again_not(server: Client, unlisted: Path, pond: Path) -> None:
    manifest = pond / "ruleset.json"
    text = manifest.read_text("utf-8")
    listed = json.loads(text)
    listed.setdefault("variants", []).append("ideas/greedy.rules")
    manifest.write_text(json.dumps(listed), "utf-8")
    server.touched(manifest, 2)
    server.until(unlisted.as_uri(), "VAR411")  # now it is asked what plays it
    assert codes(server.diagnostics[unlisted.as_uri()]) == ["VAR411"]
    found = server.request("textDocument/definition", asked(unlisted, "set ^pebbles_a_stone"))
    assert places(found) == [("game.rules", 6, "pebbles_a_stone")]
    manifest.write_text(text, "utf-8")
    server.touched(manifest, 2)
    server.until(unlisted.as_uri(), UNLISTED)
