"""Drawings of a map in scenarios: which sign stands at which place.

A drawing has a row for each row of the map (places of one height, from above) and a sign for each place of it, from the
left, with blanks between them. So hexes are drawn as they lie: blanks before a row mean nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from rulewright.diagnostics import Report, Span
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.ir import model as m
from rulewright.syntax import ast

EMPTY = "."
"""The sign for a place that stays as it is."""

PLACE = "place"
"""The word for the place in what is drawn: ``on[place]``."""

_SIGN = re.compile(r"[^ ]+")


def place_universe(target: ast.Expr, index: tuple[str, ...]) -> str | None:
    """The universe of the places that are drawn: that of ``place`` among the keys of a zone or field."""
    if not isinstance(target, ast.Index) or len(target.index) != len(index):
        return None
    found = [one for one, arg in zip(index, target.index, strict=True) if arg == ast.Name(PLACE)]
    return found[0] if len(found) == 1 else None


def rows_of(graph: m.Graph) -> list[list[int]]:
    """The rows of a map, from above; none if it has no rows."""
    if graph.shape not in ("grid", "hexes"):
        return []
    numbers = sorted(range(len(graph.layout)), key=lambda place: (graph.layout[place][1], graph.layout[place][0]))
    return [list(row) for _, row in groupby(numbers, key=lambda place: graph.layout[place][1])]


def places_of_signs(drawing: ast.SDraw, rows: list[list[int]], report: Report) -> dict[str, int]:
    """For each sign the places where it stands, as a bit set. What does not fit the map is reported."""
    found = {sign.sign: 0 for sign in drawing.signs}
    _check_signs(drawing, report)
    if len(drawing.rows) != len(rows):
        said = f"the map has {len(rows)} rows, and {len(drawing.rows)} are drawn"
        report.error("TYP239", said, drawing.rows[-1].span, hint=f"`{EMPTY}` leaves a place as it is")
        return {}
    for row, places in zip(drawing.rows, rows, strict=True):
        signs = list(_signs(row))
        if len(signs) != len(places):
            extra = signs[len(places)][1] if len(signs) > len(places) else row.span
            said = f"this row of the map has {len(places)} places, and {len(signs)} are drawn"
            report.error("TYP239", said, extra, hint=f"`{EMPTY}` leaves a place as it is")
            continue
        for (sign, at), place in zip(signs, places, strict=True):
            if sign in found:
                found[sign] |= 1 << place
            elif sign != EMPTY:
                report.error("TYP239", f"nothing says what `{sign}` stands for", at, hint=did_you_mean(sign, found))
    return found


def _check_signs(drawing: ast.SDraw, report: Report) -> None:
    known = set[str]()
    for sign in drawing.signs:
        if sign.sign == EMPTY or not _SIGN.fullmatch(sign.sign):
            said = f"`{sign.sign}` can be no sign of a drawing"
            report.error(
                "TYP239", said, sign.span, hint="a sign is a word without blanks; a point is a place left alone"
            )
        elif sign.sign in known:
            report.error("TYP239", f"`{sign.sign}` stands for two things", sign.span)
        known.add(sign.sign)


def _signs(row: ast.DrawnRow) -> Iterator[tuple[str, Span]]:
    """The signs of a row, each with its place in the file."""
    at = row.span
    for found in _SIGN.finditer(row.text):
        start = at.column + 1 + found.start()
        yield found[0], Span(at.file, at.line, start, at.line, start + len(found[0]))


__all__ = ["PLACE", "place_universe", "places_of_signs", "rows_of"]
