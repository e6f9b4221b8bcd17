"""Lint rules are given less to look at in each game than stands in it, and tell the same as if they were given all.

The oracle is the plain definition: each game is linted by itself, as if there were no other, and a finding counts if
it is made in every game in which its clause stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from language_helpers import write
from lint_forms import FORMS, Choice, choices, fresh, games_of, rules_of

import rulewright as rw
from rulewright.compiler.tree_walk import nodes
from rulewright.data.ruleset import Ruleset
from rulewright.findings.text import linter
from rulewright.foundation.resources import share
from sampling import sample, thorough

SHIPPED = rw.rulesets.find_rulesets(share("rulesets"))
BY_SIZE = sorted(SHIPPED, key=lambda folder: sum(path.stat().st_size for path in folder.glob("*.rules")))
EVERY_DAY = [pytest.param(f, id=f.name, marks=[thorough] if f in BY_SIZE[-3:] else []) for f in SHIPPED]
"""Without the three largest; much of one of them is in a smaller one that extends it."""


def plainly(rule: linter.Lint, alone: list[linter.Subject]) -> list[str]:
    """Everything that a rule tells by definition, of games as if there were no other."""
    each = [{(d.span, d.message): d for d in linter.findings_of(rule, subject)} for subject in alone]
    merged = {key: d for own in reversed(each) for key, d in own.items()}
    if rule.code == "INF321":
        kept = merged
    elif rule.code == "INF325":
        first = {d.message.split("`")[1]: key for own in reversed(each) for key, d in reversed(own.items())}
        kept = {key: merged[key] for key in first.values()}
    elif rule.code == "INF324":
        told = [{d.message for d in own.values()} for own in each]
        kept = {key: d for key, d in each[0].items() if all(d.message in own for own in told)}
    else:
        spans = [{n.span for d in subject.games[0].rules.decls.values() for n in nodes(d)} for subject in alone]
        pairs = list(zip(each, spans, strict=True))
        kept = {k: d for k, d in merged.items() if all(k in own or k[0] not in here for own, here in pairs)}
    return sorted(map(repr, kept.values()))


def of_all_games() -> Iterator[linter.Lint]:
    """The rules that look at each game."""
    for rule in linter.all_rules():
        if rule.classes or rule.code in ("INF321", "INF324", "INF325"):
            yield rule


def differences(ruleset: Ruleset) -> tuple[list[tuple[str, list[str], list[str]]], set[str]]:
    """The rules that tell something else than they should, and those that tell anything."""
    source, games = games_of(ruleset)
    subject = linter.Subject(ruleset, source, tuple(map(fresh, games)))
    alone = [linter.Subject(ruleset, source, (fresh(game),)) for game in games]
    wrong, told = [], set()
    for rule in of_all_games():
        found, wanted = sorted(map(repr, linter.findings_of(rule, subject))), plainly(rule, alone)
        if found:
            told.add(rule.code)
        if found != wanted:
            wrong.append((rule.code, found, wanted))
    return wrong, told


def told_by(base: Choice, three: Choice, variants: list[Choice]) -> set[str]:
    """The rules that find something in a ruleset of these forms; all find what they should."""
    with TemporaryDirectory() as folder:
        wrong, told = differences(rw.open_ruleset(write(Path(folder), rules_of(base, three, variants))))
    assert wrong == []
    return told


def test_the_forms_have_something_in_them() -> None:
    """The rulesets of the property are no empty ones: here most rules that look at each game find something."""
    told: set[str] = set()
    for form in range(4):
        base: Choice = {name: min(form, len(forms) - 1) for name, forms in FORMS.items()}
        told |= told_by(base, {"tax": 0, "poor": 0}, [dict.fromkeys(list(FORMS)[half::2], 0) for half in (0, 1)])
    assert len(told) > 14, sorted(told)


@settings(max_examples=sample(6, 12))
@given(choices(6), choices(), st.lists(choices(), max_size=2))
@example({}, {"gold": 0}, [{}])
# What nobody sets in the game as printed is set in a variant, and the other way round.
@example({"idle": 0}, {}, [{"poor": 1}, {"poor": 1, "debts": 2}])
@example({"turn": 2, "over": 2}, {"over": 1}, [{"over": 0}, {"play": 2}])
def test_what_is_told_is_what_holds_in_all_games(base: Choice, three: Choice, variants: list[Choice]) -> None:
    told_by(base, three, variants)


def test_a_function_is_looked_at_again_if_something_that_it_asks_has_changed(tmp_path: Path) -> None:
    """Even if it is the very same one: here who is asked may not see what the changed query reads."""
    ruleset = rw.open_ruleset(write(tmp_path, rules_of({"bid": 1}, {}, [{"rich": 4}])))
    source, games = games_of(ruleset)
    printed, with_variant = games[0], games[2]
    mixed = replace(printed.program, queries=with_variant.program.queries)
    both = fresh(printed), replace(fresh(printed), program=mixed)
    rule = next(rule for rule in linter.all_rules() if rule.code == "INF321")
    found = [d.message for d in linter.findings_of(rule, linter.Subject(ruleset, source, both))]
    assert len(found) == 1
    assert "the value of `purse`" in found[0]


@pytest.mark.parametrize("folder", EVERY_DAY)
def test_of_shipped_rulesets_the_same_is_told(folder: Path) -> None:
    assert differences(rw.open_ruleset(folder))[0] == []
