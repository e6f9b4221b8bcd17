"""The statements that are hardest to transcribe, of five rulebooks: each is said in the language, and checks."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulewright as rw
from rulewright.compiler.scenarios.compile_cache import cited

HARD = Path(__file__).parent / "hard"

STATEMENTS = {
    "domaine": """DO-BORDERS-9 DO-DOMAINE-10 DO-EXPAND-2 DO-EXPSCORE-4 DO-EXPSCORE-5 DO-DESERTER-6 DO-ALLIANCE-3
        LH-GRENZEN-9 LH-ERWEITERN-10 LH-NACHTRAG-2""",
    "loewenherz": "LH-GRENZEN-4 LH-ERWEITERN-4 LH-UEBERLAEUFER-5 LH-MONOPOL-3",
    "carolus-magnus": "CM-KNIGHTS-7 CM-REGION-9 CM-REFILL-6 CM-PREP-7 CM-FOUR-11 CM-FOUR-13",
    "baron": """BA-MIXED-2 BA-MIXED-3 BA-MIXED-4 BA-MIXED-5 BA-END-5 BA-END-6 BA-OWN-4 BA-FOUND-4 BA-MIXED-9""",
    "kings-and-things": """7.5c 7.5d 7.5e 7.44e 7.44f 7.44i 7.5f 7.5g 9.23h 9.23i 9.31a 9.31b 9.31c 9.31d 9.31e 9.31f
        9.13b 9.24a 11.2a 11.24a 11.25a 10.12e 10.12f 10.12g 10.12h 10.12i 10.12j 11.5a 11.51a 11.52c 11.52d 11.41f
        11.81a 11.81b 11.81c 11.82b 2.2a 2.21c 2.22a MAGIC-Gluecksbringer-a 1.23e MAGIC-MagieBannen-a
        MAGIC-MagieBannen-b MAGIC-MagieBannen-c MAGIC-MagieBannen-d MAGIC-MagieBannen-e MAGIC-Blasebalg-a
        MAGIC-Blasebalg-b MAGIC-Blasebalg-c MAGIC-Blasebalg-d MAGIC-Blasebalg-e EVENT-GrossesJuJu-b
        EVENT-GrossesJuJu-c EVENT-GrossesJuJu-d EVENT-GrossesJuJu-e EVENT-GrossesJuJu-f EVENT-GrossesJuJu-g
        EVENT-GrossesJuJu-h EVENT-GrossesJuJu-i EVENT-GrossesJuJu-j EVENT-GrossesJuJu-k EVENT-GrossesJuJu-l
        EVENT-GrossesJuJu-m EVENT-GrossesJuJu-n EVENT-GrossesJuJu-o EVENT-GrossesJuJu-p EVENT-Pest-c EVENT-Pest-d
        EVENT-Pest-e EVENT-Pest-f EVENT-Teeniepocken-d EVENT-Teeniepocken-e EVENT-Teeniepocken-f 14.1b 14.1c 14.1d
        14.2a 14.2b 14.2c""",
}
PLAYED = ["carolus-magnus"]
"""Folders whose scenarios need only what the engine can already do."""


def wanted(folder: str) -> set[str]:
    prefix = "KT-" if folder == "kings-and-things" else ""
    return {prefix + word for word in STATEMENTS[folder].split()}


@pytest.mark.parametrize("folder", sorted(STATEMENTS))
def test_hard_statements_check(folder: str) -> None:
    # They are sketches of some rules, so the linter misses much in them.
    found = [d for d in rw.check(rw.open_ruleset(HARD / folder)) if d.is_error]
    assert [f"{d.span.file}:{d.span.line}: {d.message} ({d.code})" for d in found] == []


@pytest.mark.parametrize("folder", sorted(STATEMENTS))
def test_each_is_cited_by_a_clause(folder: str) -> None:
    by_clauses = {cite for cite, _ in cited(rw.open_ruleset(HARD / folder))}
    assert sorted(wanted(folder) - by_clauses) == []


@pytest.mark.parametrize("folder", PLAYED)
def test_those_that_can_be_played_are_played(folder: str) -> None:
    plans = rw.scenarios.plans(rw.open_ruleset(HARD / folder))
    assert plans
    failures = {plan.title: rw.scenarios.run_scenario(plan).failure for plan in plans}
    assert {title: failure for title, failure in failures.items() if failure is not None} == {}
