"""Text that is made to fit: names are shortened, and what no room is left for is counted."""

from __future__ import annotations

from rulewright_tools.render.svg.svg_primitives import wide

DOTS = "\N{HORIZONTAL ELLIPSIS}"


def truncated(text: str, size: float, room: float) -> str:
    """The text, or a shorter form of it that is no wider than the room: ``mountain men``, ``m. men``, ``mount…``."""
    if wide(text, size) <= room:
        return text
    words = text.split()
    if len(words) > 1 and len(words[-1]) > 3:
        short = " ".join([*(f"{word[0]}." for word in words[:-1]), words[-1]])
        if wide(short, size) <= room:
            return short
    for length in range(len(text) - 1, 0, -1):
        if wide(text[:length] + DOTS, size) <= room:
            return text[:length].rstrip() + DOTS
    return ""
