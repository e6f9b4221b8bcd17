"""Lint rules about rulebook statements, citations and rulings."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.overlays.declaration_set import name_of
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.findings.text.analyses.declaration_nodes import cites, classes_in
from rulewright.findings.text.analyses.uses import words_of
from rulewright.findings.text.context import Finding, lint
from rulewright.findings.text.subject import Subject
from rulewright.syntax import ast


@lint("DOC503")
def cited_by_scenarios_only(subject: Subject) -> Iterator[Finding]:
    """Sentences that bind the players, and that examples cite but no rule."""
    ruleset = subject.ruleset
    if ruleset.rulebook is None:
        return
    by_rules: set[str] = set()
    by_scenarios: set[str] = set()
    for written in subject.source.rules.everything():
        into = by_scenarios if isinstance(written, ast.Scenario) else by_rules
        into.update(cites(written))
    only = by_scenarios - by_rules
    for statement in ruleset.rulebook.statements:
        if statement.counted and statement.id in only:
            message = f"{statement.id} is cited by scenarios, but by no rule"
            yield Finding(message, ruleset.rulebook.span(statement.id), "cite it where it holds", path=statement.id)


@lint("DOC506")
def reading_without_ruling(subject: Subject) -> Iterator[Finding]:
    """Parameters that choose between named readings and that no ruling explains, if the ruleset has rulings itself."""
    rulings = subject.ruleset.rulings
    if rulings is None or not subject.ruleset.manifest.rulings:
        return
    explained = {ruling.parameter for ruling in rulings}
    for decl in subject.source.rules.all(ast.Parameter):
        if isinstance(decl.type, ast.ChoiceType) and decl.name not in explained:
            yield Finding(f"no ruling explains the readings of `{decl.name}`", decl.span)


@lint("DOC504")
def ruling_without_basis(subject: Subject) -> Iterator[Finding]:
    """Rulings whose basis only repeats the ruling."""
    rulings = subject.ruleset.rulings
    if rulings is None:
        return
    for ruling in rulings:
        if _bare(ruling.basis) in ("", "none", _bare(ruling.ruling), _bare(ruling.effect), _bare(ruling.question)):
            hint = "say what it rests on: a sentence, an example, an answer of the publisher, or the rulebook's silence"
            where = rulings.span(ruling.id, "basis")
            yield Finding(f"the ruling {ruling.id} has no basis", where, hint, path=ruling.id)


def _bare(text: str) -> str:
    return " ".join(text.lower().strip(" .?!").split())


@lint("DOC505")
def ruling_without_parameter(subject: Subject) -> Iterator[Finding]:
    """Rulings that name a parameter which does not exist."""
    rulings = subject.ruleset.rulings
    if rulings is None:
        return
    known = [decl.name for decl in subject.source.rules.all(ast.Parameter)]
    for ruling in rulings:
        if ruling.parameter and ruling.parameter not in known:
            message = f"there is no parameter `{ruling.parameter}`, which the ruling {ruling.id} names"
            hint = did_you_mean(ruling.parameter, known)
            yield Finding(message, rulings.span(ruling.id, "parameter"), hint, path=ruling.id)


@lint("DOC502")
def uncited_rule(subject: Subject) -> Iterator[Finding]:
    """Rules that forbid something or step in by themselves, and cite nothing on any of their lines.

    What is switched by a parameter that a ruling explains rests on the ruling.
    """
    ruleset = subject.ruleset
    if ruleset.rulebook is None:
        return
    ruled = {ruling.parameter for ruling in ruleset.rulings or ()}
    for decl in subject.source.rules.decls.values():
        binding = isinstance(decl, (ast.Limits, ast.Consequence, ast.End, ast.Reaction)) or (
            isinstance(decl, ast.Callable) and ast.Forbid in classes_in(decl)
        )
        if binding and not cites(decl) and ruled.isdisjoint(words_of(decl)):
            hint = "write the number of the sentence behind it, as `@AB-1`"
            yield Finding(f"`{name_of(decl)}` cites no sentence of the rulebook", decl.span, hint)
