"""Spans, diagnostics, and the one exception that carries them.

A diagnostic has a stable code (``REF001``), a place in a file, and a sentence for a person who designs games.
Rendering to text and JSON is done in :mod:`rulewright.reporting`; this module is only data, so that
every package may import it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a file: lines and columns count from 1, the end column points after the last character."""

    file: str = ""
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0

    def to(self, other: Span) -> Span:
        """For the compiler: the span that reaches from the start of this one to the end of `other`."""
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)


NOWHERE = Span()


class Severity(StrEnum):
    """The severity of a finding: an error stops a ruleset from being played, a warning does not."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text of `span` by `text`."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A fix: edits that may be applied together. A safe one cannot change what the rules mean."""

    message: str
    edits: tuple[Edit, ...]
    safe: bool = True


LONGEST = 600
"""Letters of a message: what quotes more than that quotes a page of somebody else's text."""

_QUOTED = re.compile(r"(`[^`]{57})[^`]{3,}(`)|('[^']{57})[^']{3,}(')")


def _clipped(text: str) -> str:
    """A message in which long quotations are cut, so that what it says can still be read."""
    text = _QUOTED.sub(lambda match: f"{match[1] or match[3]}…{match[2] or match[4]}", text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding about a ruleset."""

    code: str
    message: str
    span: Span = NOWHERE
    severity: Severity = Severity.ERROR
    hint: str = ""
    """The text under the carets, for instance ``did you mean `purple`?``."""
    notes: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    """Ids of the rulebook statements the clause transcribes."""
    path: str = ""
    """For data files: the path inside the file, as ``knights[3].family``."""
    fix: Fix | None = None
    scenario: str = ""
    """A scenario, as it stands in a file of rules, that comes to the finding."""

    def __post_init__(self) -> None:
        for name in ("message", "hint"):
            if len(getattr(self, name)) > LONGEST:
                object.__setattr__(self, name, _clipped(getattr(self, name)))

    @property
    def is_error(self) -> bool:
        """True if the ruleset cannot be played while this stands."""
        return self.severity is Severity.ERROR


class RulesetError(Exception):
    """A ruleset, a file or an answer cannot be used. Carries at least one diagnostic."""

    def __init__(self, diagnostics: Iterable[Diagnostic] | Diagnostic) -> None:
        if isinstance(diagnostics, Diagnostic):
            diagnostics = (diagnostics,)
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        super().__init__("; ".join(f"[{d.code}] {d.message}" for d in self.diagnostics))

    def __reduce__(self) -> tuple[type[RulesetError], tuple[tuple[Diagnostic, ...]]]:
        """Made again from the diagnostics, for processes that tell each other of errors."""
        return type(self), (self.diagnostics,)


class Enough(Exception):
    """So many errors were found that it does not pay to look further."""


@dataclass(slots=True)
class Report:
    """Collects diagnostics while a pass runs on."""

    found: list[Diagnostic] = field(default_factory=list)
    most: int | None = None
    """With this many errors :class:`Enough` is raised: whoever gives a number catches it."""
    errors: int = 0

    def error(self, code: str, message: str, span: Span = NOWHERE, **more: object) -> None:
        """Note an error; keywords are the other fields of :class:`Diagnostic`."""
        self.note(Diagnostic(code, message, span, **more))  # type: ignore[arg-type]

    def note(self, finding: Diagnostic) -> None:
        """Note a finding that is made already."""
        self.found.append(finding)
        self.errors += finding.is_error
        if finding.is_error and self.errors == self.most:
            raise Enough

    def warn(self, code: str, message: str, span: Span = NOWHERE, **more: object) -> None:
        """Note a warning."""
        self.found.append(Diagnostic(code, message, span, Severity.WARNING, **more))  # type: ignore[arg-type]

    def extend(self, diagnostics: Sequence[Diagnostic]) -> None:
        """Add what another pass has found."""
        self.found.extend(diagnostics)

    @property
    def failed(self) -> bool:
        """True if there is an error among the findings."""
        return any(d.is_error for d in self.found)

    def stop_if_failed(self) -> None:
        """Raise :class:`RulesetError` if there is an error."""
        if self.failed:
            raise RulesetError(self.found)


def over_limit(what: str, found: int, most: int, span: Span = NOWHERE, hint: str = "") -> Diagnostic:
    """The finding about something that is larger than it may be: the limit and the actual number."""
    return Diagnostic("LIM001", f"{found:,} {what}, and at most {most:,} are allowed", span, hint=hint)
