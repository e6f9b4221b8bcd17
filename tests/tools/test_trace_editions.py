"""The trace of a ruleset that extends another one: rules that still hold stand for what both editions say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Run, edit
from .test_reports import fits


@pytest.fixture
def lake(pond: Path) -> Path:
    """An edition of the ruleset that ``rulewright new`` writes; its rulebook says P-2 to P-5 in the same words."""
    folder = pond.parent / "lake"
    folder.mkdir()
    index = json.loads((pond / "rulebook.json").read_text(encoding="utf-8"))
    for statement in index["statements"]:
        statement["same_as"] = statement["id"]
        statement["id"] = statement["id"].replace("P-", "L-")
        statement.pop("depends", None)
    (folder / "rulebook.json").write_text(json.dumps(index), encoding="utf-8")
    manifest = {
        "name": "lake",
        "title": "Lake",
        "extends": "../pond",
        "rules": ["lake.rules"],
        "rulebook": "rulebook.json",
    }
    (folder / "ruleset.json").write_text(json.dumps(manifest), encoding="utf-8")
    (folder / "lake.rules").write_text("game lake\n", encoding="utf-8")
    return folder


def rows(run: Run, folder: Path) -> dict[str, Any]:
    report = run("trace", folder, "--format", "json").json
    fits("trace-report", report)
    return {"": report} | {row["id"]: row for row in report["statements"]}


def test_what_is_the_same_is_inherited(run: Run, pond: Path, lake: Path) -> None:
    first, second = rows(run, pond), rows(run, lake)
    assert second[""]["percent"] == first[""]["percent"] == 100
    assert second[""]["unknown"] == []
    below, here = first["P-4"]["rules"], second["L-4"]["rules"]
    assert here == [place | {"same_as": "P-4"} for place in below]
    assert second["L-4"]["scenarios"] == []
    assert "by rules of the extended ruleset" in run("trace", lake).out
    assert "P-4</code>, which says the same" in run("trace", lake, "--format", "html").out


def test_scenarios_of_the_base_count_if_they_hold_here(run: Run, pond: Path, lake: Path) -> None:
    scenarios = json.loads((pond / "ruleset.json").read_text(encoding="utf-8"))["scenarios"]
    edit(lake / "ruleset.json", '"rules":', f'"base_scenarios": {json.dumps(scenarios)}, "rules":')
    assert len(rows(run, lake)["L-4"]["scenarios"]) == len(rows(run, pond)["P-4"]["scenarios"]) > 0


def test_a_rule_that_is_removed_or_rewritten_stands_for_nothing(run: Run, pond: Path, lake: Path) -> None:
    places = rows(run, lake)["L-4"]["rules"]
    assert [place["rule"] for place in places] == ["turn"]
    (lake / "lake.rules").write_text("game lake\nremove turn.just_chosen\n", encoding="utf-8")
    assert rows(run, lake)[""]["missing"] == ["L-4"]
    (lake / "lake.rules").write_text("game lake\nreplace turn.just_chosen: stone is last  @L-5\n", encoding="utf-8")
    found = rows(run, lake)
    assert found[""]["missing"] == ["L-4"]
    assert {"rule": "turn", "file": (lake / "lake.rules").as_posix(), "line": 2} in found["L-5"]["rules"]
    edit(lake / "lake.rules", "@L-5", "@L-4")
    assert rows(run, lake)[""]["missing"] == []


def test_citations_of_neither_rulebook_are_unknown(run: Run, lake: Path) -> None:
    (lake / "lake.rules").write_text("game lake\nunchanged turn  @P-4 @L-99\n", encoding="utf-8")
    outcome = run("trace", lake, "--format", "json")
    assert outcome.code == 1
    assert [one["id"] for one in outcome.json["unknown"]] == ["L-99", "L-99"]
