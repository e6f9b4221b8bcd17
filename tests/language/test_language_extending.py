"""Editions: a ruleset that extends another one mentions its own rulebook, and leaves the other one as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from language_helpers import write

import rulewright as rw
from rulewright.compiler import sources

FIRST = """
game first_edition
players 2
param goal = 3                                  @ONE-1
procedure play
    turn(first(players))
    finish with winner players
procedure turn(p: Player)                       @ONE-2
    p chooses n from {1 .. 4}                   @ONE-3
        forbid low: n < 2                       @ONE-4
        forbid high: n > 3                      @ONE-5
        forbid middle: n is 2 and goal is 99    @ONE-6
variant "Low" of first_edition
    replace turn.low: n < 1
scenario "the goal"                             @ONE-1
    players a, b
    then goal is 3
"""
SECOND = """
game second_edition
set goal = 4                 @TWO-1
remove turn.middle
unchanged turn.high          @TWO-5
"""


def book(prefix: str, same: dict[int, int] | None = None) -> dict[str, Any]:
    rows = []
    for number in range(1, 7):
        row = {"id": f"{prefix}-{number}", "section": "Rules", "kind": "flow", "normative": True}
        row["statement"] = f"Statement {number} of {prefix}."
        if same and number in same:
            row["same_as"] = f"ONE-{same[number]}"
        rows.append(row)
    return {"game": prefix, "statements": rows}


@pytest.fixture
def editions(tmp_path: Path) -> tuple[Path, Path]:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder, rules, index, more in (
        (first, FIRST, book("ONE"), {"name": "first"}),
        (
            second,
            "# just this\n" + SECOND,
            book("TWO", {2: 2, 3: 3, 4: 4, 6: 6}),
            {"name": "second", "extends": "../first"},
        ),
    ):
        folder.mkdir()
        write(folder, rules, {"rulebook.json": json.dumps(index)}, {**more, "rulebook": "rulebook.json"})
    return first, second


def refused(folder: Path, number: str) -> list[tuple[str, tuple[str, ...]]]:
    state = rw.load(folder).start()
    return [(reason.label, reason.cites) for reason in state.why_not(number).reasons]


def test_refusals_quote_the_edition_that_is_played(editions: tuple[Path, Path]) -> None:
    first, second = editions
    assert refused(first, "1") == [("turn.low", ("ONE-4",))]
    assert refused(second, "1") == [("turn.low", ("TWO-4",))]
    # Said in other words there: `unchanged` puts these in place of what the other rulebook says.
    assert refused(first, "4") == [("turn.high", ("ONE-5",))]
    assert refused(second, "4") == [("turn.high", ("TWO-5",))]
    statements = rw.open_ruleset(second).statements
    assert (statements["TWO-4"].statement, statements["ONE-6"].statement) == (
        "Statement 4 of TWO.",
        "Statement 6 of ONE.",
    )


def test_what_a_change_rewrites_cites_what_the_change_cites(editions: tuple[Path, Path]) -> None:
    _, second = editions
    rules = second / "game.rules"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text + "replace turn.low: n < 2 and goal is 4  @TWO-6\n", encoding="utf-8")
    assert refused(second, "1") == [("turn.low", ("TWO-6",))]
    state = rw.load(second).start()
    (reason,) = state.why_not("1").reasons
    assert reason.rule is not None
    assert reason.rule.file.endswith("second/game.rules")
    rules.write_text(text + "replace turn.low: n < 2 and goal is 4\n", encoding="utf-8")
    assert refused(second, "1")[0][1] != ("TWO-4",)


def test_the_base_is_left_as_it_is(editions: tuple[Path, Path]) -> None:
    first, second = editions
    before = rw.load(first).program
    assert dict(rw.load(second).program.options) == {"goal": "4"}
    assert rw.load(second).program.game == "second_edition"
    assert rw.load(first).program == before
    assert dict(before.options) == {"goal": "3"}


def test_scenarios_of_the_base_are_not_run_unless_listed(editions: tuple[Path, Path]) -> None:
    first, second = editions
    assert [plan.title for plan in rw.scenarios.plans(rw.open_ruleset(first))] == ["the goal"]
    assert rw.scenarios.plans(rw.open_ruleset(second)) == []
    (first / "held.rules").write_text(
        'scenario "three is fine"  @ONE-3\n    players a, b\n    start turn(a)\n    when a: n = 3\n'
        'scenario "nine"\n    players a, b\n    then goal is 9\n',
        encoding="utf-8",
    )
    (second / "own.rules").write_text('scenario "nine"\n    players a, b\n    then goal is 4\n', encoding="utf-8")
    for folder, more in (
        (first, {"scenarios": ["held.rules"]}),
        (second, {"scenarios": ["own.rules"], "base_scenarios": ["held.rules"]}),
    ):
        manifest = json.loads((folder / "ruleset.json").read_text(encoding="utf-8"))
        (folder / "ruleset.json").write_text(json.dumps(manifest | more), encoding="utf-8")
    plans = rw.scenarios.plans(rw.open_ruleset(second))
    assert [(plan.title, plan.cites) for plan in plans] == [("three is fine", ("TWO-3",)), ("nine", ())]
    assert all(rw.scenarios.run_scenario(plan).passed for plan in plans)


def test_a_variant_that_does_not_fit_any_more(editions: tuple[Path, Path]) -> None:
    _, second = editions
    assert list(sources(rw.open_ruleset(second)).variants) == ["Low"]
    rules = second / "game.rules"
    rules.write_text(rules.read_text(encoding="utf-8") + "remove turn.low\n", encoding="utf-8")
    assert [d for d in rw.check(rw.open_ruleset(second)) if d.is_error] == []
    assert list(sources(rw.open_ruleset(second)).variants) == []
    with pytest.raises(rw.RulesetError, match="no variant `Low`") as raised:
        rw.load(second, variants=["Low"])
    assert "does not fit here: there is no `turn.low` to change" in raised.value.diagnostics[0].hint
