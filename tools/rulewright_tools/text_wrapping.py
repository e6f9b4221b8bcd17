"""Lines of text broken between words, what follows indented."""

from __future__ import annotations

from rich.text import Text

_GAPS = ("   ", ", ", " ")
"""Places to break a line: the first of these that leaves more than half of the room filled."""


def wrapped(line: Text, width: int, indent: int) -> list[Text]:
    """A line in parts that are so many columns wide at most; those after the first are indented."""
    found: list[Text] = []
    rest = line
    while rest.cell_len > width:
        first, rest = rest.divide([_cut(rest.plain, width, indent)])
        first.rstrip()
        found.append(first)
        rest = Text(" " * indent).append_text(_stripped(rest))
    return [*found, rest]


def _cut(text: str, width: int, indent: int) -> int:
    cuts = [at + len(gap.rstrip()) for gap in _GAPS if (at := text.rfind(gap, indent + 1, width)) > 0]
    return next((cut for cut in cuts if cut > width // 2), max(cuts, default=width))


def _stripped(text: Text) -> Text:
    leading = len(text.plain) - len(text.plain.lstrip())
    return text[leading:] if leading else text
