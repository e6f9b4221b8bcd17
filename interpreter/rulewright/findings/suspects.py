"""Suspects of analyses; the findings made of them, with a level and a key that no moved line changes; acceptance."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from rulewright.compiler.overlays.addresses import walk
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import NOWHERE, Diagnostic, Severity, Span
from rulewright.diagnostics.codes import CODES, ELSEWHERE
from rulewright.findings.suppressions import Suppression, idle, suppressions_beneath, suppressions_in
from rulewright.foundation import limits
from rulewright.syntax import ast


class Level(StrEnum):
    """The weight of a finding."""

    WRONG = "wrong"
    """A finding that contradicts what the rules define themselves."""
    DOUBTFUL = "probably not meant"


LEVELS = {
    one.code: Level.WRONG if one.contradicts else Level.DOUBTFUL for one in CODES.values() if one.group in ELSEWHERE
}
"""The level of each code of an examination."""

BY_PLAYING = frozenset({"EXM202", "EXM304"})
"""The codes of what is looked for only where a game is played beside its base."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A place of a program that an analysis points at; where it stands in the rules is looked for later."""

    code: str
    function: str
    """The function or query in which it stands."""
    about: str
    """The subject of the finding in its function: code, function and subject are its key."""
    message: str
    hint: str
    rule: str = ""
    """The rule with a name that is meant; else it is looked for:"""
    kinds: tuple[type, ...] = ()
    """by the classes of its nodes,"""
    otherwise: tuple[type, ...] = ()
    """or, if there is none of these, by other classes,"""
    words: frozenset[str] = frozenset()
    """and the names that stand in it;"""
    names: frozenset[str] = frozenset()
    """with these beside them, where it is one of `kinds`;"""
    given: str = ""
    """or the name that it gives to something."""
    span: Span | None = None
    """The place in the rules, if that is known."""
    story: tuple[str, ...] = ()
    """The answers after which it is seen."""
    scenario: str = ""
    """A scenario that leads to the question before it is seen, as text."""
    everywhere: bool = False
    """True if the finding counts only when it is found for each number of players."""

    @property
    def key(self) -> str:
        """A name that does not depend on lines: of a variant and of its base the same."""
        return f"{self.code}/{self.function}/{self.about}"


@dataclass(frozen=True, slots=True)
class Finding:
    """A suspect with its place in the rules."""

    key: str
    code: str
    message: str
    hint: str
    span: Span = NOWHERE
    cites: tuple[str, ...] = ()
    story: tuple[str, ...] = ()
    scenario: str = ""
    is_remark: bool = False
    """True of findings of the checker."""

    @property
    def level(self) -> Level:
        """The weight of the finding."""
        return LEVELS.get(self.code, Level.DOUBTFUL)

    @property
    def diagnostic(self) -> Diagnostic:
        """The finding as a diagnostic, to be shown with its line."""
        return Diagnostic(self.code, self.message, self.span, Severity.WARNING, self.hint, cites=self.cites)

    @property
    def whole_diagnostic(self) -> Diagnostic:
        """The finding as a diagnostic with the answers before it."""
        return replace(self.diagnostic, notes=(f"after: {'; '.join(self.story)}",) if self.story else ())

    def data(self) -> dict[str, object]:
        """The object as plain data."""
        place = {"file": self.span.file, "line": self.span.line, "column": self.span.column}
        return {
            "key": self.key,
            "code": self.code,
            "level": self.level.value,
            "message": self.message,
            "hint": self.hint,
            **(place if self.span.file else {}),
            "cites": list(self.cites),
            **({"story": list(self.story)} if self.story else {}),
            **({"scenario": self.scenario} if self.scenario else {}),
        }


@dataclass(frozen=True, slots=True)
class Accepted:
    """A finding that is kept, and why."""

    finding: Finding
    reason: str

    def data(self) -> dict[str, object]:
        """The object as plain data."""
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
        """The findings for which the rules give a reason."""
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

        Findings of a variant that its base has as well are not reported, so only reasons in its own lines can be
        unneeded.
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
