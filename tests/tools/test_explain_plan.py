"""``rulewright explain-plan``: what is told of rules, and that it is counted right."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import rulewright as rw
from rulewright.engine import ALL_PASSES
from rulewright.engine.native.profile import profile

from .conftest import Run
from .test_check_options import GOMOKU, small

GOLDENS = Path(__file__).parent / "explain_plan"
WORDS = {
    "connect-four.txt": ("connect-four",),
    "four_in_a_row.txt": ("connect-four", "four_in_a_row"),
    "turn.txt": ("connect-four", "turn"),
    "castle_in.txt": ("domaine", "castle_in", "--games", "2"),
    "king_after_turn.txt": ("domaine", "king_after_turn", "--games", "2"),
}


@pytest.mark.parametrize("name", WORDS)
def test_text(run: Run, golden: Callable[[Path, str], None], name: str) -> None:
    """Instructions and shares change with each change of the compiler: in the golden files they are `#`."""
    outcome = run("explain-plan", *WORDS[name])
    assert outcome.code == 0, outcome.err
    told = re.sub(r"[\d,]+ machine", "# machine", outcome.out)
    told = re.sub(r"^ +[\d.]+% +[\d,]+( +[\d,]+)? +([\d,]+ +)?(?=[a-z(])", "  #  ", told, flags=re.MULTILINE)
    costs = told.partition("\ncosts\n")[2].partition("\n\n")[0].rstrip("\n")
    golden(GOLDENS / name, told.replace(costs, "\n".join(sorted(costs.split("\n")))) if costs else told)


def test_json_says_the_same(run: Run) -> None:
    words = ("explain-plan", "connect-four", "--games", "50", "--format", "json")
    whole, one = run(*words).json, run(*words[:2], "turn", *words[2:]).json
    assert run(*words).json == whole
    assert whole["instructions"] == one["instructions"] == sum(cost["instructions"] for cost in whole["costs"])
    assert [wake["rule"] for wake in whole["wakes"]] == ["play", "turn"]  # ends are looked at when play begins
    assert one["rule"]["wakes"] == whole["wakes"][1:]
    assert {cost["rule"] for cost in one["rule"]["costs"]} == {"turn", "turn.column"}
    assert set(whole["passes"]) == ALL_PASSES
    without = run(*words, "--passes", "none").json
    assert without["passes"] == {}
    assert without["indexes"] == []
    assert without["instructions"] > whole["instructions"]


def test_rules_that_are_not_there(run: Run) -> None:
    outcome = run("explain-plan", "connect-four", "turm")
    assert outcome.code == 2
    assert "has no rule `turm`" in outcome.err
    assert "did you mean `turn`?" in outcome.err


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "breakthrough", "carolus-magnus"])
def test_rules_are_counted_as_often_as_they_are_used(name: str) -> None:
    """The uses that games count themselves are the times that each function is come to."""
    game = rw.load(name, engine="python")
    fired, decisions = game.new_fired(), 0
    for seed in range(6):
        decisions += game.playout(seed, fired=fired).decisions
    found = profile(game.program, 6).profile
    assert found.games == 6
    times = {one.rule: one.times for one in found.spent}
    words = {f.name: f.word for f in game.program.functions}
    for rule, uses in zip(game.rule_names, fired, strict=True):
        if words.get(rule) == "procedure":
            assert times.get(rule, 0) == uses, rule
    assert decisions


def test_what_is_looked_for_has_its_own_costs() -> None:
    """The conditions of ends stand in other functions, but belong to the ends."""
    plan = rw.plans.Plan(rw.load("connect-four"), 20)
    (cost,) = plan.rule("four_in_a_row").costs
    assert cost.times > plan.games
    assert cost.line == next(r.line for r in plan.program.rules if r.name == "four_in_a_row")


def test_costly_lines_are_named_with_the_cheaper_form(run: Run, tmp_path: Path) -> None:
    small(tmp_path, GOMOKU)
    told = run("explain-plan", tmp_path, "--games", "3").out
    line = next(line for line in told.split("\n") if "PERF901" in line)
    assert re.match(r"  \d\d\.\d%  five  .*game\.rules:15: PERF901 `five` goes through all of Point", line)
    assert "keep the place that was changed last in a field" in line
    one = run("explain-plan", tmp_path, "full", "--games", "3", "--format", "json").json["advice"]
    assert [(a["rule"], a["code"], a["hint"]) for a in one] == [
        ("full", "PERF904", "write `no(c in Point where stone[c] is none)`")
    ]


def test_games_that_fail_are_told(run: Run, tmp_path: Path) -> None:
    rules = """game failing
players 2
field gold[Player]: 0..3 = 0

procedure play
    repeat 5 times
        each p in players
            p chooses n from {1 .. 2}
            gold[p] += n
    finish with winner players
"""
    (tmp_path / "game.rules").write_text(rules, "utf-8")
    (tmp_path / "ruleset.json").write_text('{"name": "failing", "title": "Failing", "rules": ["game.rules"]}', "utf-8")
    outcome = run("explain-plan", tmp_path, "--games", "5")
    assert outcome.code == 2
    assert "RUN001" in outcome.err
    log = run("log", tmp_path, "--seed", "0", "--decisions", "3")
    assert (log.code, log.err) == (0, "")
    whole = run("log", tmp_path, "--seed", "0")
    assert whole.code == 2
    assert whole.out.startswith(log.out.splitlines()[0])
    assert "RUN001" in whole.err
