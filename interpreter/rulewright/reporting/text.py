"""Findings as people read them: what is wrong, where, the line itself with carets, and how to fix it."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rulewright.diagnostics import Diagnostic, Severity
from rulewright.foundation.characters import printable
from rulewright.reporting.excerpt import Sources, excerpt
from rulewright.reporting.order import in_order

_STYLE = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.INFO: "bold cyan"}
_GUTTER = "bold blue"
_WIDEST = 120
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
