"""Small pieces of HTML for notebooks: tables, lists of words, pictures that stand by themselves."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from html import escape

MOST_ROWS = 200
"""So many rows of a table are shown at most."""


def table(head: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """A table; None is an empty cell, and of very many rows the first are shown."""
    listed = list(rows)
    shown = "".join(_row("td", row) for row in listed[:MOST_ROWS])
    more = f"<caption>{escape(caption)}</caption>" if caption else ""
    if len(listed) > MOST_ROWS:
        shown += _row("td", [f"and {len(listed) - MOST_ROWS} more"])
    return f"<table>{more}<thead>{_row('th', head)}</thead><tbody>{shown}</tbody></table>"


def _row(cell: str, values: Iterable[object]) -> str:
    return f"<tr>{''.join(f'<{cell}>{_cell_text(value)}</{cell}>' for value in values)}</tr>"


def _cell_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}"
    return escape(str(value))


def facts(values: Mapping[str, object], caption: str = "") -> str:
    """Names with their values; nested ones as ``outer inner``."""
    return table(("", ""), list(_flat(values)), caption)


def _flat(values: Mapping[str, object], before: str = "") -> Iterable[tuple[str, object]]:
    for name, value in values.items():
        shown = f"{before}{name.replace('_', ' ')}"
        if isinstance(value, Mapping):
            yield from _flat(value, f"{shown} ")
        elif isinstance(value, list | tuple):
            yield shown, ", ".join(map(str, value)) or "none"
        else:
            yield shown, "unknown" if value is None else value


def paragraph(words: str) -> str:
    """A paragraph of words."""
    return f"<p>{escape(words)}</p>"


def image(svg: str, about: str) -> str:
    """An SVG file as a picture whose names are its own."""
    held = b64encode(svg.encode()).decode()
    return f'<img alt="{escape(about, quote=True)}" src="data:image/svg+xml;base64,{held}">'
