"""DOC502: a rule that cites nothing."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.overlays.declaration_set import name_of
from rulewright.lint.analyses.declaration_nodes import cites, classes_in
from rulewright.lint.analyses.uses import words_of
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject
from rulewright.syntax import ast


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
