"""``rulewright examine`` tells what was probably not meant, as text, as JSON and as SARIF."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run
from .test_reports import fits


@pytest.fixture
def bribe(tmp_path: Path) -> Path:
    """A variant of a shipped game with a mark that is never forgotten."""
    file = tmp_path / "bribe.rules"
    file.write_text(
        """\
variant "Bribe" of domaine
    add field bribed: Bool = false
    in turn.deed
        option bribe
            forbid again: bribed
            bribed = true
"""
    )
    return file


def test_the_line_the_level_and_what_was_looked_at_are_told(bribe: Path, run: Run) -> None:
    done = run("examine", bribe, "--players", 2, "--games", 0)
    assert done.code == 1, done.err
    assert "probably not meant (EXM123/bribed/mark):" in done.out
    assert f"{bribe}:2:9" in done.out.replace("\n", "")
    assert "EXM123" in done.out
    assert "examined the rules of Domaine with Bribe for 2 players, beside Domaine: 1 finding" in done.out


def test_a_right_variant_has_no_finding(bribe: Path, run: Run) -> None:
    bribe.write_text(bribe.read_text().replace("= true", "= ducats[p] > 2"))
    done = run("examine", bribe, "--players", 2, "--games", 0)
    first, last = done.out.replace("\n", " ").split(" examined ")
    assert done.code == 0
    assert first.startswith("rulewright confirm ")
    assert last == "the rules of Domaine with Bribe for 2 players, beside Domaine: nothing was found "


@pytest.mark.parametrize(("what", "ending"), [("tic-tac-toe", " games: "), ("variant", " games of both: ")])
def test_only_games_of_a_variant_are_games_of_both(what: str, ending: str, tmp_path: Path, run: Run) -> None:
    file = tmp_path / "small.rules"
    file.write_text('variant "Small" of goofspiel\n    set cards = 4\n')
    done = run("examine", file if what == "variant" else what, "--players", 2, "--games", 2)
    assert ending in done.out, done.out


def test_reports_for_programs(bribe: Path, run: Run) -> None:
    done = run("examine", bribe, "--players", 2, "--games", 0, "--format", "json")
    assert done.code == 1
    fits("examination-report", done.json)
    [found] = done.json["findings"]
    assert (found["key"], found["level"], found["line"]) == ("EXM123/bribed/mark", "probably not meant", 2)
    sarif = run("examine", bribe, "--players", 2, "--games", 0, "--format", "sarif").json
    assert [one["ruleId"] for one in sarif["runs"][0]["results"]] == ["EXM123"]


def test_what_cannot_be_examined(tmp_path: Path, run: Run) -> None:
    assert run("examine", tmp_path / "nothing.rules").code == 2


def test_what_is_meant_is_accepted_by_its_key(bribe: Path, run: Run) -> None:
    done = run(
        "examine",
        bribe,
        "--players",
        2,
        "--games",
        0,
        "--accept",
        "EXM123/bribed/mark",
        "--accept",
        "EXM102/turn/gone",
    )
    assert done.code == 0, done.out
    assert done.out.endswith("beside Domaine: nothing was found\n1 accepted\n")
    assert "--accept EXM102/turn/gone: this is not found any more" in done.err


def test_what_the_rules_accept_is_counted_and_told_when_it_is_gone(bribe: Path, run: Run) -> None:
    text = bribe.read_text().replace("= false", "= false  # lint: ignore[EXM123] once in a game")
    bribe.write_text(text)
    done = run("examine", bribe, "--games", 0)
    assert (done.code, done.out.endswith("beside Domaine: nothing was found\n1 accepted\n")) == (0, True), done.out
    found = run("examine", bribe, "--games", 0, "--format", "json").json
    fits("examination-report", found)
    assert [one["reason"] for one in found["accepted"]] == ["once in a game"]
    bribe.write_text(text.replace("= true", "= ducats[p] > 2"))
    done = run("examine", bribe, "--games", 0)
    assert done.code == 0
    assert "warning[LNT003]: nothing here is found by EXM123" in done.out
    found = run("examine", bribe, "--games", 0, "--format", "json").json
    fits("examination-report", found)
    assert [one["line"] for one in found["unneeded"]] == [2]
