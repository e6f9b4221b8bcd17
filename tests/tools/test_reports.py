"""Reports of programs for programs: they fit their schemas, and are the same bytes each time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from sampling import thorough

from .conftest import SCHEMAS, Run

REPORTS = ("trace-report", "test-report", "simulate-report", "perft-report", "game-log-report", "show-report")
THEORY = ("game-theory-report", "solve-report", "equilibrium-report")


def fits(name: str, data: Any) -> None:
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(data)


@pytest.mark.parametrize("name", REPORTS + THEORY)
def test_schemas_are_schemas_and_closed(name: str) -> None:
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    todo: list[Any] = [schema]
    while todo:
        part = todo.pop()
        if isinstance(part, dict):
            if part.get("type") == "object":
                assert "additionalProperties" in part
                assert part["additionalProperties"] is not True
            todo.extend(part.values())
        elif isinstance(part, list):
            todo.extend(part)


def test_trace(run: Run) -> None:
    outcome = run("trace", "rulesets/carolus-magnus", "--format", "json")
    assert outcome.code == 0
    report = outcome.json
    fits("trace-report", report)
    assert report["percent"] == 100
    assert report["missing"] == []
    assert report["unknown"] == []
    assert report["covered"] == report["applicable"] > 90
    assert len(report["repeats"]) == 8
    assert {row["status"] for row in report["statements"]} >= {"covered", "repeat", "not normative"}


@pytest.mark.parametrize("name", ["carolus-magnus", pytest.param("kings-and-things", marks=thorough)])
def test_show(run: Run, name: str) -> None:
    report = run("show", name, "--format", "json").json
    fits("show-report", report)
    assert len(report["items"]) > 40


def test_game_theory(run: Run) -> None:
    report = run("show", "connect-four", "--game-theory", "--option", "columns=4", "--format", "json").json
    fits("game-theory-report", report)
    assert "at most 42 decisions" in run("show", "connect-four", "--game-theory").out
    assert (report["information"], report["sum"]["kind"], report["sum"]["by"]) == ("perfect", "zero", "rules")
    assert report["parameters"] == {"columns": "4"}
    assert run("show", "tic-tac-toe", "turn", "--game-theory").code == 2
    assert run("show", "tic-tac-toe", "--option", "columns=4").code == 2


def test_solve(run: Run) -> None:
    report = run("solve", "tic-tac-toe", "--format", "json").json
    fits("solve-report", report)
    assert (report["value"], report["solved"], report["line_end"]) == ("a draw", True, "over")
    short = run("solve", "connect-four", "--positions", "2000", "--format", "json")
    assert short.code == 1
    fits("solve-report", short.json)
    assert not short.json["solved"]


def test_solve_with_secrets(run: Run) -> None:
    report = run("solve", "kuhn-poker", "--cfr", "--format", "json").json
    fits("equilibrium-report", report)
    assert report["solved"]
    assert report["payoffs"][0]["least"] <= -1 / 18 <= report["payoffs"][0]["most"]
    assert report["strategies"][0]["seen"] == ["king: unseen → hand of first"]
    shown = run("solve", "kuhn-poker", "--cfr").out
    assert "worth -0.0555" in shown
    assert "second answer.reply (queen: unseen → hand of second; first: bet one" in shown
    assert "leave out --scenario" in run("solve", "kuhn-poker", "--cfr", "--scenario", "x").err
    assert "solve --cfr" in run("solve", "kuhn-poker").err


def test_solve_from_a_scenario(run: Run, pond: Path) -> None:
    game = pond / "game.rules"
    for wrong, said in (("--budget=60s", "write --time SECONDS"), ("--scenario=nosuch", "no scenario of this title")):
        outcome = run("solve", "tic-tac-toe", wrong)
        assert outcome.code == 2
        assert said in outcome.err
    assert "only games of" in run("solve", game.parent).err
    won = run("solve", "connect-four", "--scenario", "four on a slope win", "--format", "json").json
    fits("solve-report", won)
    assert (won["value"], won["length"], won["from"]) == ("red wins", 1, "four on a slope win")


def test_trace_counts_scenarios_apart(run: Run, pond: Path) -> None:
    report = run("trace", pond, "--format", "json").json
    fits("trace-report", report)
    rows = {row["id"]: row for row in report["statements"]}
    assert [place["rule"] for place in rows["P-4"]["rules"]] == ["turn"]
    assert len(rows["P-4"]["scenarios"]) == 3
    assert not rows["P-1"]["scenarios"]
    assert [one["rule"] for one in report["uncited_rules"]] == ["play"]
    # A scenario alone is no rule.
    game = pond / "game.rules"
    game.write_text(game.read_text(encoding="utf-8").replace("@P-4", ""), encoding="utf-8")
    assert run("trace", pond, "--format", "json").json["missing"] == ["P-4"]


def test_trace_of_what_does_not_apply(run: Run, pond: Path) -> None:
    index = pond / "rulebook.json"
    data = json.loads(index.read_text(encoding="utf-8"))
    data["statements"].append(
        {
            "id": "P-6", "section": "Solo", "kind": "setup", "normative": True, "statement": "Alone.",
            "applies": False, "reason": "The solitaire game is left out.",
        }
    )  # fmt: skip
    index.write_text(json.dumps(data), encoding="utf-8")
    report = run("trace", pond, "--format", "json").json
    fits("trace-report", report)
    assert report["percent"] == 100
    assert report["not_applicable"] == [{"id": "P-6", "reason": "The solitaire game is left out."}]
    assert "solitaire" in run("trace", pond).out


def test_trace_page_stands_alone(run: Run) -> None:
    page = run("trace", "rulesets/carolus-magnus", "--format", "html").out
    assert page.startswith("<!doctype html>")
    assert "100 %" in page
    assert "http" not in page
    assert "<script" not in page


def test_tests(run: Run, pond: Path) -> None:
    fits("test-report", run("test", "connect-four", "--format", "json").json)
    wrong = 'scenario "x"\n    players red, blue\n    put "gold pebble" in on["1"]\n    start turn(red)\n    wins red\n'
    (pond / "scenarios" / "turns.rules").write_text(wrong, encoding="utf-8")
    outcome = run("test", pond, "--format", "json")
    assert outcome.code == 1
    fits("test-report", outcome.json)
    assert outcome.json["failed"] == 1


def test_simulate(run: Run) -> None:
    report = run("simulate", "tic-tac-toe", "--games", "30", "--seed", "5", "--format", "json").json
    fits("simulate-report", report)
    assert report["games"] == 30
    assert sum(one["games"] for one in report["winners"]) == 30
    assert sum(one["games"] for one in report["endings"]) == 30
    for seat in report["seats"]:
        low, high = seat["interval"]
        assert 0 <= low <= seat["share"] <= high <= 1


def test_perft_of_a_scenario(run: Run) -> None:
    title = "a full board without a row is shared"
    report = run("perft", "tic-tac-toe", "--depth", "1", "--scenario", title, "--format", "json").json
    fits("perft-report", report)
    assert report["scenario"] == title


def test_perft(run: Run) -> None:
    report = run("perft", "tic-tac-toe", "--depth", "3", "--divide", "--format", "json").json
    fits("perft-report", report)
    assert report["sequences"] == 504
    assert [one["sequences"] for one in report["divide"]] == [56] * 9


def test_check_json_and_sarif(run: Run, pond: Path) -> None:
    assert run("check", pond, "--format", "json").json["diagnostics"] == []
    game = pond / "game.rules"
    game.write_text(game.read_text(encoding="utf-8").replace("hand[p]", "hands[p]"), encoding="utf-8")
    outcome = run("check", pond, "--format", "json")
    assert outcome.code == 1
    fits("diagnostics", outcome.json)
    outcome = run("check", pond, "--format", "sarif")
    assert outcome.code == 1
    assert outcome.json["version"] == "2.1.0"
    assert outcome.json["runs"][0]["results"]


ENDS = {
    228: (["the game ends: only one is left", "1. white", "2. red"], ["BA-DUNGEON-2"]),
    3: (
        ["the game ends: the land is finished", "1. red (score 1), white (score 1)"],
        ["BA-AIM-2", "BA-END-10", "BA-END-11"],
    ),
}
"""Ends of games of Baron by their seeds, with the statements that end them: a short one and a long one."""


@pytest.mark.parametrize("seed", [228, pytest.param(3, marks=thorough)])
def test_log(run: Run, seed: int) -> None:
    arguments = ("log", "rulesets/baron", "-n", "2", "--seed", seed, "--seat", "red", "--quote", "--format", "json")
    outcome = run(*arguments)
    assert outcome.code == 0
    assert run(*arguments).out == outcome.out
    fits("game-log-report", outcome.json)
    ends = [line for line in outcome.json["lines"] if line["kind"] == "end"]
    texts, cites = ENDS[seed]
    assert [line["text"] for line in ends] == texts
    assert ends[0]["cites"] == cites
    assert all(quote for line in outcome.json["lines"] for quote in line["quotes"])


def test_a_ruleset_without_a_rulebook_is_told_so(run: Run, pond: Path) -> None:
    manifest = pond / "ruleset.json"
    kept = json.loads(manifest.read_text("utf-8"))
    del kept["rulebook"], kept["rulings"]
    manifest.write_text(json.dumps(kept), "utf-8")
    outcome = run("trace", pond)
    assert outcome.out.endswith(": no statement of a rulebook is listed that its rules could cite\n"), outcome.all
