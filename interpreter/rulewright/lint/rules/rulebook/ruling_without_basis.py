"""DOC504: a ruling without a basis."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject


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
