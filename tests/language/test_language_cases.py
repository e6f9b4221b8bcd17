"""The cases of ``cases/*.cases``; how they are written is said in :mod:`language_helpers`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from language_helpers import Case, Mark, cases

import rulewright as rw
from rulewright.compiler import Sources, player_counts, sources
from rulewright.compiler.scenarios.compile_cache import compiled
from rulewright.diagnostics.codes import QUIET, group_of
from rulewright.findings.check import check
from rulewright.findings.text import linter
from rulewright.host.budgets import STEPS
from sampling import sample
from verifier import validate

ALL = list(cases())
ROOT = Path(__file__).parents[2]
LINTS = {rule.code for rule in linter.all_rules()}
SPOKEN_OF = {
    topic: {mark.code for case in ALL if case.topic == topic for mark in case.marks()}
    for topic in sorted({case.topic for case in ALL})
}
KINDS = {rw.Severity.ERROR: "E", rw.Severity.WARNING: "W", rw.Severity.INFO: "I"}


def ids(case: Case) -> str:
    return f"{case.topic}-{case.name}"


def test_names_are_unique() -> None:
    names = [ids(case) for case in ALL]
    assert sorted({name for name in names if names.count(name) > 1}) == []


@pytest.mark.parametrize("case", ALL, ids=ids)
def test_case(case: Case, tmp_path: Path) -> None:
    case.write(tmp_path)
    expected = case.marks()
    ruleset = rw.open_ruleset(tmp_path)
    meant = SPOKEN_OF[case.topic]
    also = QUIET.intersection(map(group_of, meant))
    source = sources(ruleset)
    found = [d for d in check(ruleset, source, also=also) if d.code not in LINTS or d.code in meant]
    _found_as_expected(tmp_path, found, [mark for mark in expected if mark.kind != "F"])
    if any(d.is_error for d in found):
        return
    _programs_are_well_formed(source)
    fails = [mark for mark in expected if mark.kind == "F"]
    failed: set[Mark] = set()
    for plan in rw.scenarios.plans(ruleset):
        with rw.limited(rw.Limits(steps=STEPS // sample(10, 1))):  # enough for all that have an end
            failure = rw.scenarios.run_scenario(plan).failure
        if failure is None:
            continue
        text = f"{failure.message}; expected {failure.expected}; found {failure.found}"
        where = Path(failure.span.file).name, failure.span.line
        mark = next((mark for mark in fails if (mark.file, mark.line) == where and mark.words in text), None)
        assert mark is not None, f"{plan.title}, line {failure.span.line}: {text}"
        failed.add(mark)
    assert [str(mark) for mark in fails if mark not in failed] == [], "these should fail"


def _found_as_expected(folder: Path, found: list[rw.Diagnostic], expected: list[Mark]) -> None:
    shown = [
        Mark(
            Path(d.span.file).name,
            d.span.line,
            KINDS[d.severity],
            d.code,
            f"{d.message} {d.hint} {' '.join(d.notes)}",
        )
        for d in found
    ]
    told = "\n".join(f"{mark}: {mark.words}" for mark in shown)
    assert sorted(map(str, shown)) == sorted(map(str, expected)), told
    for mark in expected:
        assert any(str(one) == str(mark) and mark.words in one.words for one in shown), f"`{mark.words}` in\n{told}"


def _programs_are_well_formed(source: Sources) -> None:
    """The programs that the check has made."""
    for count in player_counts(source.rules):
        for titles in ((), *((title,) for title in source.variants)):
            _, program, found = compiled(source, count, titles, {})
            assert program is not None, found
            assert validate(program) == []


def test_every_code_of_the_analysis_has_a_case() -> None:
    """Each code is found in one case at least."""
    package = ROOT / "interpreter" / "rulewright"
    files = [path for folder in ("compiler", "findings/text") for path in sorted((package / folder).rglob("*.py"))]
    files += (package / "findings" / name for name in ("check.py", "fixing.py", "suppressions.py", "workspace.py"))
    used = {code for path in files for code in re.findall(r'"([A-Z]{3,4}[0-9]{3})"', path.read_text("utf-8"))}
    shown = {mark.code for case in ALL for mark in case.marks()}
    assert sorted(used - shown - ELSEWHERE) == []


ELSEWHERE = {"CHO303", "SYN004", "DAT021", "LIM002", "LIM003"}
"""Codes reported only when a game is loaded or two are compared, and for rules that are too large to be a case."""
