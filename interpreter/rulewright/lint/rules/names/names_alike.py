"""REF019: names that are easily confused."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.overlays.declaration_set import name_of
from rulewright.lint.analyses.uses import uses, word_for
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject
from rulewright.syntax import ast


@lint("REF019")
def names_alike(subject: Subject) -> Iterator[Finding]:
    """Two declarations of one kind whose names differ only by underscores or a plural."""
    first: dict[tuple[str, str], ast.Decl] = {}
    for name, decl in subject.ask(uses).decls.items():
        word = word_for(decl)
        if not word:
            continue
        other = first.setdefault((word, name.replace("_", "").removesuffix("s").lower()), decl)
        if other is not decl:
            where = f"`{name_of(other)}` is declared at {other.span.file}:{other.span.line}"
            yield Finding(f"`{name}` and `{name_of(other)}` are easily confused", decl.span, notes=(where,))
