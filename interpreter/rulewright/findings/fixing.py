"""Apply the fixes that findings carry to the rules files of a ruleset, in memory, until nothing is left.

    fixed = rw.fix(rw.open_ruleset("my-game"))        # unsafe=True: also those that may change what the rules mean
    fixed.texts                                       # the files that are different now, before and after
    fixed.applied, fixed.remaining                    # what was fixed, and what is still found

A safe fix never changes the meaning: a file that could be read means the same afterwards, comments and layout aside,
and in a file that could not be read the mistake is gone, without a new one. An unsafe one never brings a new error. A
fix that does not keep to this is not applied, whatever it promises. Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from rulewright.data.ruleset import Ruleset
from rulewright.data.source_file import source_of
from rulewright.diagnostics import Diagnostic, Edit, Fix
from rulewright.findings.check import check
from rulewright.host.api_arguments import invalid_argument, titles, truth
from rulewright.syntax import parse

__all__ = ["Edit", "Fix", "FixFilter", "Fixed", "Texts", "apply", "fix", "with_texts"]

_MOST_ROUNDS = 25

Texts = dict[str, str]
FixFilter = Callable[[Diagnostic], bool]


@dataclass(frozen=True, slots=True)
class Fixed:
    """The result of applying fixes."""

    texts: dict[str, tuple[str, str]]
    """By file: its text before and after, for those that are different now. Line ends are ``\\n``."""
    applied: tuple[Diagnostic, ...]
    """The findings whose fixes were applied, in order; their spans are those of the time when they were found."""
    remaining: tuple[Diagnostic, ...]
    """Findings that remain afterwards."""


def fix(
    ruleset: Ruleset,
    *,
    unsafe: bool = False,
    wanted: FixFilter = lambda finding: True,
    also: Iterable[str] = (),
) -> Fixed:
    """Apply the fixes of all findings that are wanted, again and again until there is none left.

    Only rules files of the ruleset itself are fixed, not those of one that it extends. `also` are quiet groups of codes
    that are looked for, too.
    """
    if not isinstance(ruleset, Ruleset):
        raise invalid_argument("the ruleset", ruleset, "open it with `open_ruleset`")
    truth("unsafe", unsafe)
    if not callable(wanted):
        raise invalid_argument("what is wanted", wanted, "it is a function of a finding")
    before = {file.path: file.text for file in ruleset.files}
    done: list[Diagnostic] = []
    refused: set[tuple[str, str, str]] = set()
    groups = frozenset(titles("the groups of codes", also))
    found = check(ruleset, also=groups)
    for _ in range(_MOST_ROUNDS):
        fixes = [d for d in found if _may(d, before, unsafe) and wanted(d) and _key(d) not in refused]
        batch = _apart(fixes)
        if not batch:
            break
        applied, ruleset = _applied(ruleset, found, batch)
        refused |= {_key(d) for d in batch if d not in applied}
        done += applied
        found = check(ruleset, also=groups) if applied else found
    after = {file.path: file.text for file in ruleset.files}
    changed = {path: (text, after[path]) for path, text in before.items() if after[path] != text}
    return Fixed(changed, tuple(done), tuple(found))


def apply(text: str, edits: Iterable[Edit]) -> str:
    """A text with edits that do not overlap, those at the end first so that the places of the others stay right."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)

    def offset(line: int, column: int) -> int:
        return min(starts[min(line, len(starts)) - 1] + column - 1, len(text))

    spots = [(offset(e.span.line, e.span.column), offset(e.span.end_line, e.span.end_column), e.text) for e in edits]
    for start, end, new in sorted(spots, reverse=True):
        text = text[:start] + new + text[end:]
    return text


# ---------------------------------------------------------------------------------------------- which fixes


def _may(finding: Diagnostic, texts: Texts, unsafe: bool) -> bool:
    offered = finding.fix
    if offered is None or not offered.edits or not (offered.safe or unsafe):
        return False
    return all(edit.span.file in texts and edit.span.line > 0 for edit in offered.edits)


def _key(finding: Diagnostic) -> tuple[str, str, str]:
    return finding.code, finding.message, finding.span.file


def _edits(finding: Diagnostic) -> tuple[Edit, ...]:
    return finding.fix.edits if finding.fix is not None else ()


def _apart(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Findings whose fixes do not touch each other: small fixes first, whole files last."""

    def size(finding: Diagnostic) -> tuple[int, str, int, int]:
        lines = sum(e.span.end_line - e.span.line for e in _edits(finding))
        return lines, finding.span.file, finding.span.line, finding.span.column

    kept: list[Diagnostic] = []
    taken: list[Edit] = []
    for finding in sorted(found, key=size):
        if not any(_overlap(one, other) for one in _edits(finding) for other in taken):
            kept.append(finding)
            taken += _edits(finding)
    return kept


def _overlap(one: Edit, other: Edit) -> bool:
    a, b = one.span, other.span
    if a.file != b.file:
        return False
    start, end = (a.line, a.column), (a.end_line, a.end_column)
    begin, stop = (b.line, b.column), (b.end_line, b.end_column)
    return start == begin or (start < stop and begin < end)


# ---------------------------------------------------------------------------------------- applying, with care


def _applied(
    ruleset: Ruleset, found: Sequence[Diagnostic], batch: list[Diagnostic]
) -> tuple[list[Diagnostic], Ruleset]:
    """The fixes that keep their promise, and the ruleset with them."""
    made = _mended(ruleset, batch)
    if _sound(ruleset, made, found, batch):
        return batch, made
    if len(batch) == 1:
        return [], ruleset
    # One of them is to blame; the places of the others stay right only while nothing is applied, so one half waits.
    half = len(batch) // 2
    first, after = _applied(ruleset, found, batch[:half])
    return (first, after) if first else _applied(ruleset, found, batch[half:])


def _mended(ruleset: Ruleset, batch: Sequence[Diagnostic]) -> Ruleset:
    texts: Texts = {}
    for file in ruleset.files:
        edits = [edit for finding in batch for edit in _edits(finding) if edit.span.file == file.path]
        if edits:
            texts[file.path] = apply(file.text, edits)
    return with_texts(ruleset, texts)


def with_texts(ruleset: Ruleset, texts: Texts) -> Ruleset:
    """The ruleset as if some of its rules files had other texts."""
    files = []
    found = [d for d in ruleset.diagnostics if d.span.file not in texts]
    for file in ruleset.files:
        if file.path in texts:
            read = parse(texts[file.path], file.path)
            file = source_of(file.path, texts[file.path], read, file.role, file.name)
            found += read.diagnostics
        files.append(file)
    return replace(ruleset, files=tuple(files), found=tuple(found))


def _sound(before: Ruleset, after: Ruleset, found: Sequence[Diagnostic], batch: Sequence[Diagnostic]) -> bool:
    """True if fixes changed no more than they may."""
    safe = all(finding.fix is not None and finding.fix.safe for finding in batch)
    for old, new in zip(before.files, after.files, strict=True):
        was, now = (sum(d.is_error for d in file.diagnostics) for file in (old, new))
        if now > was or (safe and not was and old.file != new.file):
            return False
        # In a broken file something else may come to light, but what was fixed must be gone.
        meant = {_key(finding) for finding in batch}
        again, at_first = (sum(_key(d) in meant for d in file.diagnostics) for file in (new, old))
        if at_first and again >= at_first:
            return False
    return safe or sum(d.is_error for d in check(after)) <= sum(d.is_error for d in found)
