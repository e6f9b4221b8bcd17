"""Inks, fonts and labels that all parts of an SVG picture share."""

from __future__ import annotations

from io import StringIO

import drawsvg as svg
from drawsvg.types import Context, LocalContext

INK, PAPER, SOFT, LINE, LAND, SHADE = "#2b2a28", "#faf7f0", "#7b766b", "#cfc7b6", "#efe7d4", "#e4d9c0"
WALL = "#4a4038"
FONT = "Georgia, 'Iowan Old Style', 'DejaVu Serif', serif"
PLAIN = "system-ui, 'Segoe UI', Helvetica, Arial, 'DejaVu Sans', sans-serif"


def label(text: str, size: float, x: float, y: float, **style: object) -> svg.Text:
    """A line of text; without more it begins at x and stands on y."""
    return svg.Text(text, round(size, 2), round(x, 2), round(y, 2), **{"fill": INK, **style})


def wide(text: str, size: float) -> float:
    """About how wide a text is, in a wide font rather than a narrow one."""
    narrow = sum(letter in "iljt.,:|'!()[] " for letter in text)
    broad = sum(letter in "mwMW@%" for letter in text)
    return size * (0.62 * (len(text) - narrow - broad) + 0.36 * narrow + 0.95 * broad)


def written(element: svg.DrawingElement) -> str:
    """An element as it stands in a drawing: what is drawn again and again need be written only once."""
    text = StringIO()
    element.write_svg_element({}, lambda _: False, text, LocalContext(Context(), element, None), False)
    return text.getvalue()


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
