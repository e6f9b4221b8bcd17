"""Suppressions: findings that the author has accepted, with the reason.

In rules a comment names the codes; in the manifest a list does, for files that have no comments:

    field pride[Player]: 0.. = 0        # lint: ignore[REF015] shown to the players, asked by nobody

    "ignore": [{"code": "DAT029", "file": "cards.json", "reason": "the twins are printed apart"}]

A comment after a line holds for that line, a comment of its own for the clause below with all that belongs to it.
Errors cannot be suppressed: a ruleset that has one cannot be played. An examination asks the same comments, and reports
itself which of its own codes are not needed.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import field
from itertools import islice

from rulewright.compiler.overlays.addresses import walk
from rulewright.data.paths import shown
from rulewright.data.ruleset import Ruleset
from rulewright.data.source_file import SourceFile
from rulewright.diagnostics import Diagnostic, Edit, Fix, Severity, Span, over_limit
from rulewright.diagnostics.codes import CODES, ELSEWHERE, GROUPS, QUIET, group_of
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.foundation import limits
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.syntax import ast

_STRING = re.compile(r'"[^"\n]*"')
_MARK = re.compile(r"#\s*lint\b:?\s*(?P<ask>[^#\n]*)")
_IGNORE = re.compile(r"ignore\s*\[(?P<codes>[^\]]*)\]\s*(?P<reason>.*)")


@dataclass(slots=True)
class Suppression:
    """One comment or one entry of the manifest, and where it holds."""

    codes: tuple[str, ...]
    reason: str
    span: Span
    file: str
    """Findings in this file are meant; empty: in any."""
    first: int = 0
    last: int = 0
    """First and last line for which it holds; 0: the whole file."""
    line: str = ""
    """The whole line of a comment."""
    path: str = ""
    used: set[str] = field(default_factory=set)

    def meets(self, finding: Diagnostic) -> bool:
        """True if a finding is one of those that are suppressed."""
        if finding.code not in self.codes or (self.file and finding.span.file != self.file):
            return False
        return not self.first or self.first <= finding.span.line <= self.last


def settle(
    found: Iterable[Diagnostic], ruleset: Ruleset, *, whole: bool, also: frozenset[str] = frozenset()
) -> list[Diagnostic]:
    """The findings without a suppression, and what is wrong with the suppressions themselves.

    `whole` means that everything was looked at, of the quiet groups those in `also`: only then is a suppression that
    meets nothing an idle one.
    """
    own = suppressions_in(ruleset)
    if len(own) > limits.SUPPRESSIONS:
        span = own[limits.SUPPRESSIONS].span
        return [*found, over_limit("suppressions are in this ruleset", len(own), limits.SUPPRESSIONS, span)]
    inherited = suppressions_beneath(ruleset)
    kept: list[Diagnostic] = []
    refused: list[Diagnostic] = []
    for finding in found:
        meant = [s for s in (*own, *inherited) if s.meets(finding)]
        for suppression in meant:
            suppression.used.add(finding.code)
            if finding.is_error and suppression in own:
                refused.append(_refusal(finding.code, suppression))
        if finding.is_error or not meant:
            kept.append(finding)
    return [*kept, *refused, *(d for s in own for d in _about(s, CODES if whole else (), QUIET - also | ELSEWHERE))]


def suppressions_in(ruleset: Ruleset) -> list[Suppression]:
    """The suppressions of a ruleset, of its files and of its manifest; one more than are allowed at most."""
    return [*_of_files(ruleset), *_of_manifest(ruleset)]


def suppressions_beneath(ruleset: Ruleset) -> list[Suppression]:
    """The suppressions of those rulesets that one extends."""
    found: list[Suppression] = []
    base = ruleset.base
    while base is not None:
        found += suppressions_in(base)
        base = base.base
    return found


def _of_files(ruleset: Ruleset) -> Iterator[Suppression]:
    left = limits.SUPPRESSIONS + 1
    for source in ruleset.files:
        if "lint" in source.text:
            for one in islice(_of_file(source), left):
                left -= 1
                yield one


def _of_file(source: SourceFile) -> Iterator[Suppression]:
    clauses = [c for decl in source.file.decls for c in (decl, *walk(decl))]
    lines = source.text.removeprefix("\ufeff").split("\n")
    for number, line in enumerate(lines, 1):
        bare = _STRING.sub(lambda string: "_" * len(string[0]), line)
        hash_at = bare.find("#")
        for mark in _MARK.finditer(line, hash_at) if hash_at >= 0 else ():
            comment = _IGNORE.match(mark["ask"].strip())
            codes = tuple(c.strip() for c in comment["codes"].split(",") if c.strip()) if comment is not None else ()
            reason = comment["reason"].strip() if comment is not None else ""
            end = mark.start() + len(mark[0].rstrip())
            span = Span(source.path, number, mark.start() + 1, number, end + 1)
            if bare[:hash_at].strip():
                first, last = _own_lines(clauses, number)
            else:
                first, last = _below(clauses, lines, number)
            yield Suppression(codes, reason, span, source.path, first, last, line)


def _own_lines(clauses: list[ast.Clause], number: int) -> tuple[int, int]:
    """The lines of the clause that line `number` belongs to, without what stands below it."""
    before = [c for c in clauses if c.span.line <= number]
    if not before:
        return number, number
    last = max(before, key=lambda c: c.span.line)
    return (last.span.line, number) if last.span.end_line >= number else (number, number)


def _below(clauses: list[ast.Clause], lines: list[str], number: int) -> tuple[int, int]:
    """The lines of the clause below line `number`, with all that belongs to it."""
    at = next((n for n, line in enumerate(lines[number:], number + 1) if line.strip() and line.strip()[0] != "#"), 0)
    if not at:
        return number, number
    ends = [c.span.end_line for clause in clauses if clause.span.line == at for c in (clause, *walk(clause))]
    return at, max(ends, default=at)


def _of_manifest(ruleset: Ruleset) -> Iterator[Suppression]:
    for number, entry in enumerate(ruleset.manifest.ignore):
        file = shown(ruleset.folder / entry.file) if entry.file else ""
        span = ruleset.manifest.span("ignore", number)
        yield Suppression((entry.code,), entry.reason, span, file, path=f"ignore[{number}]")


# ----------------------------------------------------------------------------- about the suppressions themselves


def _refusal(code: str, suppression: Suppression) -> Diagnostic:
    return Diagnostic(
        "LNT004",
        f"{code} is an error here, and errors cannot be suppressed",
        suppression.span,
        Severity.WARNING,
        hint="fix what it reports",
        path=suppression.path,
    )


def _about(suppression: Suppression, sought: Container[str], quiet: frozenset[str]) -> Iterator[Diagnostic]:
    """Findings about a suppression; `sought` are the codes that were looked for, without groups that are `quiet`."""

    def say(code: str, message: str, hint: str = "") -> Diagnostic:
        return Diagnostic(code, message, suppression.span, Severity.WARNING, hint=hint, path=suppression.path)

    if not suppression.codes:
        yield say("LNT002", "this comment suppresses nothing", "write `# lint: ignore[CODE] the reason`")
        return
    for code in suppression.codes:
        if group_of(code) == "LNT" and code in CODES:
            yield say("LNT002", f"`{code}` cannot be suppressed")
        elif code not in CODES:
            is_whole = group_of(code) in GROUPS and len(code) == len(group_of(code)) + 3
            what = "is not the code of a finding" + " any more, or never was" * is_whole
            # a code that was removed is similar to others, which mean something else
            yield say("LNT002", f"`{code}` {what}", "remove it" if is_whole else did_you_mean(code, CODES))
    if not suppression.reason:
        yield say("LNT001", "a suppression needs a reason", "write it after the bracket")
    unused = (c for c in suppression.codes if c in sought and c not in suppression.used)
    yield from _idle(suppression, [c for c in unused if group_of(c) not in quiet | {"LNT"}])


def idle(suppressions: Iterable[Suppression], sought: Container[str]) -> Iterator[Diagnostic]:
    """Findings about suppressions of codes that were looked for and not found."""
    for one in suppressions:
        yield from _idle(one, [c for c in one.codes if c in sought and c not in one.used])


def _idle(suppression: Suppression, codes: list[str]) -> Iterator[Diagnostic]:
    if codes:
        left = [c for c in suppression.codes if c not in codes]
        message = f"nothing here is found by {' or '.join(codes)}, so nothing needs to be suppressed"
        fix = _removal(suppression, left, codes) if suppression.line else None
        span, path = suppression.span, suppression.path
        yield Diagnostic("LNT003", message, span, Severity.WARNING, hint="remove it", path=path, fix=fix)


def _removal(suppression: Suppression, left: list[str], unneeded: list[str]) -> Fix:
    """Take codes out of a comment, or the comment out of the file."""
    span, line = suppression.span, suppression.line
    start, end = span.column - 1, span.end_column - 1
    if left:
        opened, closed = line.index("[", start) + 1, line.index("]", start)
        inside = Span(span.file, span.line, opened + 1, span.line, closed + 1)
        return Fix(f"take {' and '.join(unneeded)} out of it", (Edit(inside, ", ".join(left)),))
    before, behind = line[:start], line[end:]
    if not before.strip() and not behind.strip():
        return Fix("remove the comment", (Edit(Span(span.file, span.line, 1, span.line + 1, 1), ""),))
    cut = Span(span.file, span.line, len(before.rstrip() if not behind.strip() else before) + 1, span.line, end + 1)
    return Fix("remove the comment", (Edit(cut, ""),))
