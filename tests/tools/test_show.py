"""``rulewright show``: every address that it prints is one that changes reach, in the ways that it says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

import pytest

import rulewright as rw
from rulewright.comparison.contents import Item, contents, find
from rulewright.comparison.diff.clause_tree import declaration
from rulewright.compiler import sources
from rulewright.compiler.overlays.declaration_set import Rules
from rulewright.compiler.overlays.overlay_operations import Overlay
from rulewright.diagnostics import Report
from rulewright.syntax import ast, parse
from sampling import THOROUGH, thorough

from .conftest import RULESETS, Run

SHIPPED = [path.name for path in sorted(RULESETS.iterdir())]
VALUES = {"set": "set {}: {} = 1", "remove": "remove {}", "replace": "replace {}: 1"}


def written(item: Item) -> Iterator[str]:
    """Changes of an item, as they are written."""
    for change in item.changes:
        match change:
            case "remove":
                yield f"remove {item.address}"
            case "set" if item.word == "param":
                yield f"set {item.address} = 1"
            case "set":
                yield f"set {item.address}: count = 1"
            case "before" | "after":
                yield f"{change} {item.address}\n        proceed"
            case _:
                pass  # what needs more words than these


@pytest.mark.parametrize("name", [pytest.param(s, marks=thorough) if s == "kings-and-things" else s for s in SHIPPED])
def test_each_address_can_be_changed_as_it_says(name: str) -> None:
    ruleset = rw.open_ruleset(name)
    rules = sources(ruleset).rules
    ops = [op for top in contents(ruleset) for _, item in top.walk() if item.address for op in written(item)]
    assert len(ops) > 10
    read = parse('variant "A" of x\n' + "".join(f"    {op}\n" for op in ops), "x.rules")
    assert read.diagnostics == ()
    (variant,) = read.file.decls
    for op, text in zip(variant.ops, ops, strict=True):  # type: ignore[union-attr]
        report = Report()
        copy = Rules(report, dict(rules.decls))
        Overlay(copy, "A", beneath=rules.decls).apply(op)
        assert report.found == [], text
        for kind, decl in copy.decls.items():
            if decl is not rules.decls[kind] and isinstance(decl, ast.EnumDecl | ast.Piece) and decl.edits:
                assert ruleset.table_of(decl).findings == (), text


_TWICE = {"carolus-magnus": ["setup.province"], "kings-and-things": ["take_hits.victim", "mark.victim"]}
"""Addresses of two clauses with one label: a change aims at both."""


def shown(rules: Rules, kind: str) -> str:
    """A declaration as it is printed, without comments and citations; that rows have edits is left out."""
    return "\n".join(declaration(rules.decls[kind], kind).lines)


@pytest.mark.parametrize("name", [pytest.param(s, marks=thorough) if s == "kings-and-things" else s for s in SHIPPED])
def test_each_line_to_copy_is_a_change_that_leaves_all_as_it_is(name: str) -> None:
    ruleset = rw.open_ruleset(name)
    rules = sources(ruleset).rules
    items = [item for top in contents(ruleset) for _, item in top.walk()]
    lines = [line for item in items for line in item.lines]
    able = [i for i in items if i.address and i.word != "row" and {"replace", "set"} & set(i.changes)]
    assert [item.address for item in able if not item.lines and item.word not in ("query", "limits")] == (
        _TWICE.get(name, [])
    )
    read = parse('variant "A" of x\n' + indent("\n".join(lines), "    ") + "\n", "x.rules")
    assert [str(d) for d in read.diagnostics] == []
    (variant,) = read.file.decls
    for op, text in zip(variant.ops, lines, strict=True):  # type: ignore[union-attr]
        report = Report()
        copy = Rules(report, dict(rules.decls))
        Overlay(copy, "A", beneath=rules.decls).apply(op)
        assert report.found == [], text
        for kind, decl in copy.decls.items():
            if decl is not rules.decls[kind]:
                assert shown(copy, kind) == shown(rules, kind), text
                if isinstance(decl, ast.EnumDecl | ast.Piece) and decl.edits:
                    assert ruleset.table_of(decl).findings == (), text


@pytest.mark.parametrize("name", ["pig", "kuhn-poker", "tic-tac-toe"])
def test_each_line_to_copy_checks_as_a_variant(name: str, tmp_path: Path) -> None:
    items = [item for top in contents(rw.open_ruleset(name)) for _, item in top.walk()]
    game = name.replace("-", "_")
    for line in (line for item in items for line in item.lines):
        file = tmp_path / "copied.rules"
        file.write_text(f'variant "A" of {game}\n' + indent(line, "    ") + "\n")
        opened, titles = rw.rulesets.with_variants(file, ())
        assert [str(d) for d in rw.check(opened, variants=titles) if d.is_error] == [], line


def test_numbers_are_those_that_changes_are_written_with(tmp_path: Path) -> None:
    """With a number of players, or a variant, something stands in between: it has no address."""
    (tmp_path / "ruleset.json").write_text('{"name": "x", "title": "X", "rules": ["x.rules"]}')
    (tmp_path / "x.rules").write_text(
        "game x\nplayers 2 to 3\nparam n = 3\nfield gold[Player]: 0.. = 0\n"
        "procedure play\n    gold[first(players)] = n\n    if n is 3\n        finish ranking p in players by gold[p]\n"
        "    else\n        finish ranking p in players by n\n"
        "with 3 players\n    before play\n        if n is 2 then finish ranking p in players by n\n"
        'variant "A" of x\n    replace play.assign_1: 2\n    before play\n        gold[last(players)] = 1\n'
    )
    ruleset = rw.open_ruleset(tmp_path)

    def found(*given: object) -> list[tuple[str, str]]:
        (play,) = (item for item in contents(ruleset, *given) if item.address == "play")  # type: ignore[arg-type]
        return [(inner.address, inner.text) for _, inner in play.walk() if inner.word != "procedure"]

    own = [
        ("play.assign_1", "gold[first(players)] = n"),
        ("play.if_1", "if n is 3"),
        ("play.ranking_1", "finish ranking p in players by gold[p]"),
        ("", "else"),
        ("play.ranking_2", "finish ranking p in players by n"),
    ]
    brought = [("", "if n is 2"), ("", "finish ranking p in players by n")]
    assert found() == own
    assert found(3) == [*brought, *own]
    assert found(2, ("A",)) == [("", "gold[last(players)] = 1"), ("", "gold[first(players)] = 2"), *own[1:]]


def test_everything_that_is_labelled_is_shown() -> None:
    ruleset = rw.open_ruleset("carolus-magnus")
    (turn,) = (item for item in contents(ruleset) if item.address == "turn")
    shown = [inner.address for _, inner in turn.walk() if inner.address]
    assert len(set(shown)) == len(shown)
    assert find(contents(ruleset), "turn.if_1").word == "if"


def test_overview(run: Run) -> None:
    told = run("show", "carolus-magnus").out
    for text in (
        "Carolus Magnus (carolus-magnus): what a variant can change",
        "param   (set, replace, remove)",
        "  param castles_to_win = 10, 8 with 3 players  @CM-END-1",
        'piece Disc from "components.json#discs"   25 rows',
        'variant "Short reign"',
    ):
        assert text in told


def test_one_declaration_and_one_clause(run: Run) -> None:
    told = run("show", "tic-tac-toe", "play").out.split("\n")
    assert told[1].split() == ["play.repeat_1", "repeat"]
    assert told[3].split() == ["play.call_1", "turn(p)"]
    assert "after        play, play.repeat_1, play.each_1, play.call_1" in told
    assert run("show", "tic-tac-toe", "play.each_1").out.startswith("play.each_1  each p in players  @TTT-2\n")


def test_as_data(run: Run) -> None:
    told = run("show", "tic-tac-toe", "--format", "json").json
    assert told["ruleset"] == "tic-tac-toe"
    play = next(item for item in told["items"] if item["address"] == "play")
    assert play["items"][0]["address"] == "play.repeat_1"
    assert "remove" in play["items"][0]["changes"]
    assert Path(play["file"]).name == "game.rules"


def test_what_is_not_there(run: Run) -> None:
    done = run("show", "tic-tac-toe", "plya")
    assert done.code == 2
    assert "did you mean `play`?" in done.err
    assert "did you mean `play.each_1`?" in run("show", "tic-tac-toe", "play.eech_1").err
    assert run("show", "tic-tac-toe", "--players", "7").code == 2
    assert "no variant `Short`" in run("show", "carolus-magnus", "--variant", "Short").err


def test_with_a_variant_and_a_number_of_players(run: Run) -> None:
    assert "castles_to_win = 6" in run("show", "carolus-magnus", "--variant", "Short reign").out
    assert "castles_to_win = 10, 8 with 3 players" in run("show", "carolus-magnus", "--players", "2").out
    if THOROUGH:
        assert "Creature" in run("show", "kings-and-things", "--players", "2").out


def test_scenarios_by_their_titles(run: Run, tmp_path: Path) -> None:
    """Also of a base: a scenario may begin `from` one of them."""
    out = run("show", "tic-tac-toe", "scenarios").out
    assert "   1  a row wins, and a taken cell is refused\n" in out
    (tmp_path / "quick.rules").write_text('variant "Quick" of tic_tac_toe\n', "utf-8")
    found = run("show", str(tmp_path / "quick.rules"), "scenarios", "--format", "json").json
    assert [(one["word"], one["text"]) for one in found["items"]][1] == (
        "scenario",
        "a full board without a row is shared",
    )
