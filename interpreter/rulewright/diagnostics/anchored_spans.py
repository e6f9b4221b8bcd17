"""Spans that move with the declaration in which they lie (:mod:`rulewright.foundation.line_anchors`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

from rulewright.diagnostics.model import Diagnostic, Edit, Fix, Span
from rulewright.foundation.line_anchors import Anchor


class AnchoredSpan(Span):
    """A span whose lines count from an anchor. To all who read it, it is a span like others."""

    __slots__ = ("anchor",)

    anchor: Anchor
    # The slots of the lines hold rows below the anchor.
    row = cast(Any, vars(Span)["line"])
    end_row = cast(Any, vars(Span)["end_line"])

    def __init__(self, file: str, anchor: Anchor, row: int, column: int, end_row: int, end_column: int) -> None:
        put = object.__setattr__
        put(self, "file", file)
        put(self, "anchor", anchor)
        put(self, "row", row)
        put(self, "column", column)
        put(self, "end_row", end_row)
        put(self, "end_column", end_column)

    @property
    def line(self) -> int:
        """The line on which it begins now."""
        return self.anchor.line + cast(int, self.row)

    @property
    def end_line(self) -> int:
        """The line on which it ends now."""
        return self.anchor.line + cast(int, self.end_row)

    def to(self, other: Span) -> Span:
        """The span that reaches from the start of this one to the end of `other`."""
        if isinstance(other, AnchoredSpan) and other.anchor is self.anchor:
            return AnchoredSpan(self.file, self.anchor, self.row, self.column, other.end_row, other.end_column)
        return super().to(other)

    def fixed(self) -> Span:
        """The place where it is now."""
        line = self.anchor.line
        return Span(self.file, line + self.row, self.column, line + self.end_row, self.end_column)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, AnchoredSpan) and other.anchor is self.anchor:
            return (self.row, self.column, self.end_row, self.end_column, self.file) == (
                other.row, other.column, other.end_row, other.end_column, other.file,
            )  # fmt: skip
        return self.fixed() == fixed_span(other)

    def __hash__(self) -> int:
        return hash(self.fixed())

    def __lt__(self, other: Span) -> bool:
        return self.fixed() < cast(Span, fixed_span(other))

    def __le__(self, other: Span) -> bool:
        return self.fixed() <= cast(Span, fixed_span(other))

    def __gt__(self, other: Span) -> bool:
        return self.fixed() > cast(Span, fixed_span(other))

    def __ge__(self, other: Span) -> bool:
        return self.fixed() >= cast(Span, fixed_span(other))

    def __reduce__(self) -> tuple[Callable[..., Span], tuple[object, ...]]:
        """A copy or a pickle stays where it is."""
        now = self.fixed()
        return Span, (now.file, now.line, now.column, now.end_line, now.end_column)


def fixed_span(span: object) -> object:
    """The place where a span is now; anything else as it is."""
    return span.fixed() if isinstance(span, AnchoredSpan) else span


def fixed(finding: Diagnostic) -> Diagnostic:
    """A finding that stays where it is now, whatever becomes of the texts."""
    span, fix = finding.span, finding.fix
    edits = () if fix is None else fix.edits
    if not isinstance(span, AnchoredSpan) and not any(isinstance(edit.span, AnchoredSpan) for edit in edits):
        return finding
    if fix is not None:
        moved = tuple(Edit(cast(Span, fixed_span(edit.span)), edit.text) for edit in edits)
        fix = Fix(fix.message, moved, fix.safe)
    return replace(finding, span=cast(Span, fixed_span(span)), fix=fix)
