"""The refactorings of the language server: what they make is accepted by `check`, here and in shipped rulesets."""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rulewright as rw
from rulewright.navigation.selection import children
from rulewright.syntax import ast

from .lsp_client import Client, asked, edited

RULESETS = Path(__file__).parents[2] / "rulesets"
CHANGED = -32801


def offered(client: Client, path: Path, start: dict[str, int], end: dict[str, int]) -> dict[str, dict[str, Any]]:
    """The refactorings of a selection, by their titles."""
    about = {"textDocument": {"uri": path.as_uri()}, "range": {"start": start, "end": end}}
    found = client.request("textDocument/codeAction", {**about, "context": {"diagnostics": [], "only": ["refactor"]}})
    return {one["title"]: one for one in found or ()}


def made(client: Client, action: dict[str, Any]) -> dict[Path, str]:
    """The files that a refactoring changes; nothing is found in them."""
    edit = client.request("codeAction/resolve", action)["edit"]
    paths = {Path(uri.removeprefix("file://")): edits for uri, edits in edit["changes"].items()}
    return {path: edited(path.read_text("utf-8"), edits) for path, edits in paths.items()}


def at(client: Client, path: Path, marked: str) -> dict[str, dict[str, Any]]:
    where = asked(path, marked)["position"]
    return offered(client, path, where, where)


def assert_accepted(home: Path, texts: dict[Path, str], *, failing: int = 0) -> None:
    workspace = rw.Workspace(home)
    for path, text in texts.items():
        workspace.open(path, text)
    assert workspace.check(home) == []
    with workspace.reading():
        plans = rw.scenarios.plans(workspace.ruleset(home))
        assert sum(not rw.scenarios.run_scenario(plan).passed for plan in plans) == failing


def test_a_number_becomes_a_parameter(client: Client, game: Path) -> None:
    before = game.read_text("utf-8")
    text = before + "\ninvariant few: every(p in players has size(hand[p]) <= 17)  @P-1\n"
    game.write_text(text, "utf-8")
    try:
        client.change(game, text, wait=False)
        action = at(client, game, "size(hand[p]) <= 1^7")["Make 17 a parameter `few_number`"]
        assert action["kind"] == "refactor.extract"
        assert "edit" not in action
        texts = made(client, action)
    finally:
        game.write_text(before, "utf-8")
    (text,) = texts.values()
    assert "\nparam pebbles_a_stone = 2, 3 with 3 players  @P-2\nparam few_number = 17\n" in text
    assert "size(hand[p]) <= few_number)  @P-1\n" in text
    assert_accepted(game.parent, texts)


def test_a_selected_expression_becomes_a_query(client: Client, game: Path) -> None:
    text = game.read_text("utf-8")
    start = asked(game, "where ^on[stone] is not empty")["position"]
    end = {**start, "character": start["character"] + len("on[stone] is not empty")}
    texts = made(client, offered(client, game, start, end)["Extract a query `stone_value`"])
    (text,) = texts.values()
    assert "\nquery stone_value(stone: Stone) = on[stone] is not empty\n\nprocedure turn(p: Player)" in text
    assert "    p chooses stone from Stone where stone_value(stone)\n" in text
    assert_accepted(game.parent, texts)


def test_what_is_changed_is_no_query(client: Client, game: Path) -> None:
    for marked in ("move pebble to han^d[p]", "enum Col^our", "zone hand[Play^er]", "start tu^rn(red)"):
        path = game if "start" not in marked else game.parent / "scenarios" / "turns.rules"
        if path.read_text("utf-8").count(marked.replace("^", "")) == 1:
            assert not any("query" in title for title in at(client, path, marked))


def test_a_new_scenario(client: Client, game: Path) -> None:
    texts = made(client, at(client, game, "procedure tu^rn")["New scenario for `turn`"])
    ((path, text),) = texts.items()
    assert path.name == "turns.rules"
    assert text.endswith('\n\nscenario "turn: what happens"  @P-3\n    players red, blue\n    start turn(red)\n')
    assert_accepted(game.parent, texts, failing=1)  # where pebbles lie is still to be said


def test_a_citation_for_a_clause(client: Client, game: Path) -> None:
    found = at(client, game, "    la^st = stone")
    title = next(title for title in found if title.startswith("Cite @P-4: They may not choose the stone"))
    texts = made(client, found[title])
    assert re.search("^    last = stone +@P-4$", next(iter(texts.values())), re.MULTILINE)
    assert_accepted(game.parent, texts)


def test_a_clause_for_a_statement(client: Client, game: Path) -> None:
    book = game.parent / "rulebook.json"
    row = next(n for n, row in enumerate(book.read_text("utf-8").split("\n")) if '"P-5"' in row)
    where = {"line": row, "character": 9}
    found = offered(client, book, where, where)
    assert {title[:13] for title in found} == {"Cite @P-5 in "}
    for action in found.values():
        texts = made(client, action)
        assert sum(text.count("@P-5") for text in texts.values()) == 1 + game.read_text("utf-8").count("@P-5")


def test_what_has_changed_meanwhile_is_not_done(client: Client, game: Path) -> None:
    assert not any(title.startswith("Make 6") for title in at(client, game, "map Pond: ring of ^6 Stone"))
    text = game.read_text("utf-8").replace("is size(Pebble)", "is size(Pebble) and 3 is 3")
    client.change(game, text, wait=False)
    where = asked(game, "and 3 is ^3", text)["position"]
    (found,) = [one for title, one in offered(client, game, where, where).items() if title.startswith("Make 3")]
    client.change(game, game.read_text("utf-8"), wait=False)
    answer = client.answer("codeAction/resolve", found)
    assert answer["error"]["code"] == CHANGED
    assert "has changed" in answer["error"]["message"]


# ---------------------------------------------------------------------------------------- shipped rulesets


def all_nodes(decl: ast.Node) -> Iterator[ast.Node]:
    yield decl
    for child in children(decl):
        yield from all_nodes(child)


def propose(index: rw.navigation.SymbolIndex, kind: str, drawn: random.Random) -> list[rw.navigation.Proposal]:
    """Some refactorings of one kind in the rules of a ruleset."""
    places = [(file, node) for file in index.files.values() for decl in file.tree.decls for node in all_nodes(decl)]
    drawn.shuffle(places)
    found: list[rw.navigation.Proposal] = []
    for file, node in places:
        span, made = node.span, None
        if kind == "query" and isinstance(node, ast.Expr):
            made = rw.navigation.extract_query(index, file, span)
        elif kind == "parameter" and isinstance(node, ast.Number):
            made = rw.navigation.make_parameter(index, file, span.line, span.column)
        elif kind == "citation" and isinstance(node, ast.Clause) and span.line:
            made = next(iter(rw.navigation.cite_here(index, file, span.line, span.column + 1)), None)
        elif kind == "scenario" and isinstance(node, ast.Callable):
            (one,) = (d for d in file.declared if d.node is node)
            made = rw.navigation.new_scenario(index, one)
        found += [made] if made is not None else []
        if len(found) == 4:
            break
    return found


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "breakthrough"])
@pytest.mark.parametrize("kind", ["query", "parameter", "citation", "scenario"])
def test_check_accepts_what_is_made_of_a_shipped_ruleset(kind: str, name: str) -> None:
    """The torture of the language server does the same with all of them."""
    folder = RULESETS / name
    workspace = rw.Workspace(folder)
    before = Counter(finding.code for finding in workspace.check(folder))
    index = rw.navigation.Navigator().index(workspace.ruleset(folder))
    found = propose(index, kind, random.Random(7))
    assert found
    for proposal in found:
        assert accepted(workspace, folder, proposal, before), proposal


def accepted(workspace: rw.Workspace, folder: Path, proposal: rw.navigation.Proposal, before: Counter[str]) -> bool:
    """True if nothing is found that was not found before."""
    edits: dict[str, list[rw.fixing.Edit]] = {}
    for edit in proposal.edits:
        edits.setdefault(os.path.abspath(edit.span.file), []).append(edit)
    for path, some in edits.items():
        workspace.open(path, rw.format_text(rw.fixing.apply(Path(path).read_text("utf-8"), some), path))
    after = Counter(finding.code for finding in workspace.check(folder))
    for path in edits:
        workspace.close(path)
    return after - before == Counter()
