"""The trace of a ruleset: which statements of the rulebook its rules transcribe, and which they do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import rulewright as rw


@dataclass(frozen=True, slots=True)
class Row:
    """A statement of the rulebook and what stands for it."""

    statement: rw.rulesets.Statement
    status: str
    """``covered``, ``missing``, ``repeat``, ``not applicable`` or ``not normative``."""
    rules: tuple[rw.citations.Citation, ...]
    examples: tuple[rw.citations.Citation, ...]

    @property
    def reason(self) -> str:
        """The reason why it is left out of the figure."""
        return self.statement.reason if self.status == "not applicable" else self.statement.note


@dataclass(frozen=True, slots=True)
class Trace:
    """Rulebook and rules, side by side."""

    ruleset: str
    title: str
    rows: tuple[Row, ...]
    unknown: tuple[rw.citations.Citation, ...]
    """Citations of statements that the rulebook index does not have."""
    uncited: tuple[rw.citations.Uncited, ...]

    def having(self, status: str) -> list[Row]:
        """The rows of one status."""
        return [row for row in self.rows if row.status == status]

    @property
    def percent(self) -> float:
        """The share of the applicable normative statements that rules cite, in hundredths, rounded down: 100 is all."""
        covered, missing = len(self.having("covered")), len(self.having("missing"))
        total = covered + missing
        return (10000 * covered // total) / 100 if total else 100.0


def trace_of(ruleset: rw.Ruleset, variants: Sequence[str] = ()) -> Trace:
    """The trace of a ruleset: of all rules that hold in it, also those of a ruleset that it extends.

    All variants count, or those that are named. RulesetError if the rulebook cannot be read.
    """
    rulebook = rw.files.shown(ruleset.folder / ruleset.manifest.rulebook)
    unread = [one for one in ruleset.diagnostics if one.is_error and one.span.file == rulebook]
    if unread:
        raise rw.RulesetError(unread)
    index = rw.citations.citation_index(ruleset, variants)
    statements = ruleset.rulebook.statements if ruleset.rulebook else ()
    own = {source.path for source in ruleset.files}
    same_as = {statement.id: statement.same_as for statement in statements}
    found: dict[str, list[rw.citations.Citation]] = {}
    for one in index.citations:
        beneath = "" if one.file in own else same_as.get(one.statement, "")
        found.setdefault(one.statement, []).append(replace(one, same_as=beneath))
    rows = []
    for statement in statements:
        cited = found.get(statement.id, [])
        by_rules = tuple(sorted(one for one in cited if not one.example))
        examples = tuple(sorted(one for one in cited if one.example))
        rows.append(Row(statement, _status(statement, bool(by_rules)), by_rules, examples))
    known = ruleset.statements
    unknown = tuple(sorted(one for id, cited in found.items() if id not in known for one in cited))
    return Trace(ruleset.name, ruleset.title, tuple(rows), unknown, index.uncited)


def _status(statement: rw.rulesets.Statement, cited: bool) -> str:
    if not statement.normative:
        return "not normative"
    if not statement.applies:
        return "not applicable"
    if statement.repeats:
        return "repeat"
    return "covered" if cited else "missing"


def report(trace: Trace) -> dict[str, object]:
    """The trace as plain data."""
    return {
        "ruleset": trace.ruleset,
        "title": trace.title,
        "percent": trace.percent,
        "applicable": len(trace.having("covered")) + len(trace.having("missing")),
        "covered": len(trace.having("covered")),
        "missing": [row.statement.id for row in trace.having("missing")],
        "repeats": [row.statement.id for row in trace.having("repeat")],
        "not_applicable": [{"id": row.statement.id, "reason": row.reason} for row in trace.having("not applicable")],
        "unknown": [{"id": one.statement, **_place(one)} for one in trace.unknown],
        "uncited_rules": [
            {"rule": one.rule, "word": one.word, "file": one.file, "line": one.line} for one in trace.uncited
        ],
        "statements": [_entry(row) for row in trace.rows],
    }


def _entry(row: Row) -> dict[str, object]:
    return {
        "id": row.statement.id,
        "section": row.statement.section,
        "statement": row.statement.statement,
        "status": row.status,
        "note": row.reason,
        "rules": [_place(one) for one in row.rules],
        "scenarios": [_place(one) for one in row.examples],
    }


def _place(citation: rw.citations.Citation) -> dict[str, object]:
    place: dict[str, object] = {"rule": citation.rule, "file": citation.file, "line": citation.line}
    return place | ({"same_as": citation.same_as} if citation.same_as else {})
