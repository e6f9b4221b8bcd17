"""Laying out lines: where a long clause is broken, and in which column citations and comments stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import NamedTuple

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.syntax.ast import Trivia
from rulewright.syntax.lexer.logical_lines import BLANK

WIDTH = 100
"""Longer clauses are broken, if they can be."""
TAIL_COLUMN = 80
"""Citations of neighbouring lines stand in one column, but lines longer than this do not move the others."""
INDENT = 4
GO_ON = 8
"""By how much a line that goes on is indented: more than a block."""


@dataclass(frozen=True, slots=True)
class Break:
    """Here a line may end; those of the lowest level are used first."""

    level: int
    flat: str = " "


Piece = str | Break
Doc = list[Piece]


def flat(doc: Doc) -> str:
    """All on one line."""
    return "".join([p if isinstance(p, str) else p.flat for p in doc])


def wrap(doc: Doc, indent: int, go_on: int) -> list[str]:
    """Broken to lines, the first of which starts in column `indent` and the others in `go_on` (and deeper)."""
    text = flat(doc)
    levels = [] if indent + len(text) <= WIDTH else [p.level for p in doc if isinstance(p, Break)]
    if not levels:
        return [" " * indent + text]
    level = min(levels)
    segments: list[tuple[str, Doc]] = [("", [])]
    for piece in doc:
        if isinstance(piece, Break) and piece.level == level:
            segments.append((piece.flat, []))
        else:
            segments[-1][1].append(piece)
    lines: list[str] = []
    start, current = indent, segments[0][1]
    for between, segment in segments[1:]:
        if start + len(flat(current)) + len(between) + len(flat(segment)) <= WIDTH:
            current = [*current, between, *segment]
        else:
            lines += wrap(current, start, go_on + INDENT)
            start, current = go_on, segment
    return lines + wrap(current, start, go_on + INDENT)


class Row(NamedTuple):
    """A line, and what stands behind it: citations, a comment."""

    code: str
    tail: str = ""


@dataclass(slots=True)
class Page:
    """Collects the lines of a file, or those of one declaration below another."""

    rows: list[Row] = field(default_factory=list)
    fresh: bool = False
    """At the beginning of a file or block, where no blank line stands."""

    def blank(self) -> None:
        """A blank line, but never two, and none at the beginning of a block."""
        if not self.fresh and (not self.rows or self.rows[-1].code):
            self.rows.append(Row(""))

    def take(self, rows: Sequence[Row]) -> None:
        """Rows that have been written before; at the beginning of the file no blank line stands."""
        blank = bool(rows) and not rows[0].code and (not self.rows or not self.rows[-1].code)
        self.rows += rows[1:] if blank else rows
        self.fresh = False

    def comments(self, comments: tuple[str, ...], indent: int) -> None:
        """Lines of comment."""
        for comment in comments:
            if comment == BLANK:
                self.blank()
            else:
                self.rows.append(Row(" " * indent + f"# {comment}".rstrip()))
                self.fresh = False

    def clause(self, doc: Doc, indent: int, trivia: Trivia) -> None:
        """A clause with its comments and citations."""
        if trivia.gap:
            self.blank()
        self.comments(trivia.comments, indent)
        own = len(trivia.cites) - sum([len(t.cites) for _, t in trivia.inner])
        tail = [" ".join([f"@{c}" for c in trivia.cites[:own]])] if own else []
        if trivia.behind is not None:
            tail.append(f"# {trivia.behind}".rstrip())
        first, *rest = wrap(doc, indent, indent + GO_ON)
        self.rows.append(Row(first, "  ".join(tail)))
        self.rows += [Row(line) for line in rest]
        self.fresh = False

    def text(self) -> str:
        """The whole page, with the tails of neighbouring lines in one column."""
        lines: list[str] = []
        group: list[Row] = []
        for row in [*self.rows, Row("")]:
            group.append(row)
            if not row.code:
                lines += _aligned(group)
                group = []
        while lines and not lines[-1]:
            lines.pop()
        return "".join(f"{line}\n" for line in lines)


def _aligned(rows: list[Row]) -> list[str]:
    lengths = [len(r.code) for r in rows if r.tail and len(r.code) <= TAIL_COLUMN]
    column = max(lengths, default=0) + 2
    return [f"{r.code.ljust(column - 2)}  {r.tail}" if r.tail else r.code for r in rows]
