"""Findings that somebody has looked at and keeps: the comments and lists that suppress findings accept them, too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rulewright.compiler.overlays.addresses import walk
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Diagnostic
from rulewright.examination.findings import Finding
from rulewright.foundation import limits
from rulewright.lint.suppressions import Suppression, idle, suppressions_beneath, suppressions_in
from rulewright.syntax import ast


@dataclass(frozen=True, slots=True)
class Accepted:
    """A finding that is kept, and why."""

    finding: Finding
    reason: str

    def data(self) -> dict[str, object]:
        """It as plain data."""
        return {"key": self.finding.key, "code": self.finding.code, "reason": self.reason}


class Acceptance:
    """The reasons for which the rules, with some variants, accept findings."""

    def __init__(self, ruleset: Ruleset, titles: tuple[str, ...]) -> None:
        self._own = suppressions_in(ruleset)[: limits.SUPPRESSIONS]
        self._beneath = suppressions_beneath(ruleset)
        self._titles = titles
        self._variants = [
            (file.path, decl.title, decl.span.line, max(clause.span.end_line for clause in (decl, *walk(decl))))
            for file in ruleset.files
            for decl in file.file.decls
            if isinstance(decl, ast.Variant)
        ]

    def accepted(self, findings: Iterable[Finding]) -> tuple[Accepted, ...]:
        """Those of some findings for which the rules give a reason."""
        found: list[Accepted] = []
        for finding in findings:
            meant = [s for s in (*self._own, *self._beneath) if s.reason and s.meets(finding.diagnostic)]
            for suppression in meant:
                suppression.used.add(finding.code)
            if meant:
                found.append(Accepted(finding, meant[0].reason))
        return tuple(found)

    def unneeded(self, sought: frozenset[str]) -> tuple[Diagnostic, ...]:
        """Warnings about reasons for findings that are not there, of codes that were looked for everywhere.

        Of a variant nothing is told that its base has as well, so only reasons in its own lines can be unneeded.
        """
        return tuple(idle((one for one in self._own if self._examined(one)), sought))

    def _examined(self, suppression: Suppression) -> bool:
        around = [
            title
            for path, title, first, last in self._variants
            if path == suppression.file and first <= suppression.first <= last
        ]
        if not suppression.reason:
            return False
        return around[0] in self._titles if around else not self._titles


__all__ = ["Acceptance", "Accepted"]
