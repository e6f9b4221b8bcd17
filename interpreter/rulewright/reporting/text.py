"""Findings as people read them: what is wrong, where, the line itself with carets, and how to fix it."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rulewright.diagnostics import Diagnostic, RulesetError, Severity, Span
from rulewright.foundation.characters import printable
from rulewright.host.files import read_bytes
from rulewright.reporting.order import in_order

_WIDEST = 120
_BEFORE = 40
"""Of a line that is too long, so much is kept in front of the carets."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """One line of a file: as it is shown, with this many spaces before this many carets."""

    text: str
    indent: int
    carets: int


class Sources:
    """Texts of files, given or read when they are needed."""

    def __init__(self, texts: Mapping[str, str] | None = None) -> None:
        self._given = texts or {}
        self._lines: dict[str, list[str]] = {}

    def line(self, file: str, number: int) -> str | None:
        """A line of a file; None if it cannot be had."""
        if file not in self._lines:
            self._lines[file] = self._read(file).split("\n")
        lines = self._lines[file]
        return lines[number - 1] if 0 < number <= len(lines) and lines != [""] else None

    def _read(self, file: str) -> str:
        if file in self._given:
            return self._given[file]
        try:
            raw = read_bytes(Path(file))
        except RulesetError:
            return ""
        return raw.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")


def excerpt(sources: Sources, span: Span) -> Excerpt | None:
    """The first line of a span with its carets; None if the span has no line or the file cannot be read."""
    line = sources.line(span.file, span.line) if span.line > 0 else None
    if line is None:
        return None
    start = max(span.column - 1, 0)
    end = span.end_column - 1 if span.end_line == span.line else len(line.rstrip())
    end = max(end, start + 1)
    cut_left = start - _BEFORE if len(line) > _WIDEST and start > _WIDEST - _BEFORE else 0
    shown = line[cut_left : cut_left + _WIDEST]
    before = printable(line[cut_left:start].ljust(start - cut_left))
    marked = printable(line[start : min(end, cut_left + _WIDEST)])
    prefix = "…" if cut_left else ""
    suffix = "…" if cut_left + _WIDEST < len(line) else ""
    return Excerpt(
        text=(prefix + printable(shown) + suffix).rstrip(),
        indent=len(prefix) + width(before),
        carets=max(width(marked), 1),
    )


def width(text: str) -> int:
    """Columns that a text takes on a terminal."""
    total = 0
    for character in text:
        if not unicodedata.combining(character):
            total += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return total


_STYLE = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.INFO: "bold cyan"}
_GUTTER = "bold blue"
"""A hint that would make the line of carets longer stands on a line of its own."""


def to_text(
    diagnostics: Iterable[Diagnostic], *, colour: bool = False, sources: Mapping[str, str] | None = None
) -> str:
    """All findings in order, each followed by an empty line; an empty string if there is none.

    `sources` gives texts of files by name; others are read from the disk.
    """
    texts = Sources(sources)
    blocks = [render(finding, texts) for finding in in_order(diagnostics)]
    if not colour:
        return "".join(block.plain + "\n\n" for block in blocks)
    # Colours need rich, which comes with the command line.
    from rich.console import Console
    from rich.text import Text

    stream = io.StringIO()
    console = Console(
        file=stream,
        force_terminal=True,
        color_system="standard",
        soft_wrap=True,
        highlight=False,
        emoji=False,
    )
    for block in blocks:
        console.print(Text.assemble(*block.parts), end="\n\n")
    return stream.getvalue()


@dataclass(slots=True)
class StyledText:
    """A text in parts, each with a style as rich names it, or none."""

    parts: list[tuple[str, str]] = field(default_factory=list)

    def append(self, text: str, style: str = "") -> None:
        """Add a part at the end."""
        self.parts.append((text, style))

    @property
    def plain(self) -> str:
        """The text without its styles."""
        return "".join(text for text, _ in self.parts)


def render(finding: Diagnostic, sources: Sources) -> StyledText:
    """One finding, without a line end at its end."""
    text = StyledText()
    text.append(f"{finding.severity.value}[{finding.code}]", _STYLE[finding.severity])
    text.append(f": {printable(finding.message)}", "bold")
    shown = excerpt(sources, finding.span)
    gutter = len(str(finding.span.line)) if shown is not None else 1
    hint = printable(finding.hint)
    beside = False
    if finding.span.file:
        text.append("\n" + " " * gutter + "--> ", _GUTTER)
        text.append(_place(finding))
    if shown is not None:
        text.append(f"\n{' ' * gutter} |", _GUTTER)
        text.append(f"\n{finding.span.line} |", _GUTTER)
        if shown.text:
            text.append(f" {shown.text}")
        text.append(f"\n{' ' * gutter} |", _GUTTER)
        beside = bool(hint) and shown.indent + shown.carets + len(hint) <= _WIDEST
        carets = "^" * shown.carets + (f" {hint}" if beside else "")
        text.append(" " * (shown.indent + 1))
        text.append(carets, _STYLE[finding.severity])
    if hint and not beside:
        _line(text, "help", hint, "bold green")
    for note in finding.notes:
        _line(text, "note", printable(note), "bold cyan")
    if finding.scenario:
        _line(text, "note", "this scenario shows it", "bold cyan")
        text.append(f"\n\n{printable(finding.scenario.rstrip(), lines=True)}")
    if finding.fix is not None:
        certainty = "safe fix" if finding.fix.safe else "this may change what the rules mean"
        _line(text, "help", f"{printable(finding.fix.message)} ({certainty})", "bold green")
    return text


def _line(text: StyledText, word: str, content: str, style: str) -> None:
    text.append(f"\n{word}", style)
    text.append(f": {content}")


def _place(finding: Diagnostic) -> str:
    span = finding.span
    place = printable(span.file)
    if span.line:
        place += f":{span.line}:{max(span.column, 1)}"
    if finding.path:
        place += f"   at {printable(finding.path)}"
    if finding.cites:
        place += f"   ({', '.join(finding.cites)})"
    return place
