"""REF014: a definition that nothing uses."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.tree_walk import named_in
from rulewright.lint.analyses.text_fixes import removal
from rulewright.lint.analyses.uses import uses, word_for
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject
from rulewright.syntax import ast


def _started(scenario: ast.Scenario) -> Iterator[str]:
    """The words in the lines of a scenario that start something: what it begins with need not be part of a game."""
    for line in scenario.lines:
        if isinstance(line, ast.SStart):
            yield from named_in(line.call)


@lint("REF014")
def unused_definition(subject: Subject) -> Iterator[Finding]:
    """Declarations that are used by nothing that can happen in a game."""
    seen = subject.ask(uses)
    started = subject.started.union(*map(_started, subject.source.rules.scenarios))
    for name, decl in seen.decls.items():
        word = word_for(decl)
        if not word or name == "play" or seen.forms(decl) & seen.reached:
            continue
        if isinstance(decl, ast.Callable) and name in started:
            continue
        again = any(form in seen.mentioned for form in seen.forms(decl))
        how = "is used only by what is itself never used" if again else "is never used"
        hint = (
            "if a program or a policy asks it, make it a `measure`, or ignore this"
            if isinstance(decl, ast.Query)
            else ""
        )
        yield Finding(f"the {word} `{name}` {how}", decl.span, hint=hint, fix=removal(decl))
