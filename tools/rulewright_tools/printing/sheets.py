"""Sheets of paper: which component lies where on which sheet, marks for cutting, and the parts of boards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import groupby
from math import ceil
from typing import Literal

from rulewright_tools.printing.boards import BoardPicture, cut
from rulewright_tools.printing.components import Component, Face, Group

MARGIN = 7.0
"""Millimetres at each side that a sheet keeps free, for printers and for marks."""

_SHARING = ("token", "strip")
"""Forms that share sheets with others of their size."""

ACROSS, DOWN = 10, 7
"""The most columns and rows of a grid for a virtual tabletop."""

_MARK = 4.0
"""The length of marks for cutting, in millimetres."""


class Paper(StrEnum):
    """Sizes of paper."""

    A4 = "a4"
    LETTER = "letter"

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of an upright sheet, in millimetres."""
        return (210.0, 297.0) if self is Paper.A4 else (215.9, 279.4)

    @property
    def room(self) -> tuple[float, float]:
        """Width and height of what can be printed on an upright sheet."""
        return self.size[0] - 2 * MARGIN, self.size[1] - 2 * MARGIN


@dataclass(frozen=True, slots=True)
class Laid:
    """A face at its place on a sheet, in millimetres from the upper left corner."""

    face: Face
    form: str
    """The form of its group, or ``back``."""
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Sheet:
    """One side of a sheet of paper."""

    label: str
    width: float
    height: float
    side: Literal["face", "back"]
    laid: tuple[Laid, ...]
    marks: tuple[tuple[float, float, float, float], ...]
    """Lines along which to cut begin and end here: x and y of both ends."""


@dataclass(frozen=True, slots=True)
class BoardSheet:
    """A part of a board on one sheet."""

    label: str
    width: float
    height: float
    board: int
    """The number of the board."""
    x: float
    y: float
    part_width: float
    part_height: float
    """The part of the board, in millimetres from its corner; it lies in the corner of what can be printed."""
    glued: tuple[bool, bool]
    """True where the sheet at the right, and the one below, has a strip in common with this one."""


def sheets(groups: Sequence[Group], paper: Paper, *, backs: bool) -> tuple[Sheet, ...]:
    """All components, as many on a sheet as fit; a sheet with backs comes after each whose components have some, turned
    over its long side as printers do it. Small things share their sheets."""
    found = [sheet for group in groups if group.form not in _SHARING for sheet in _alone(group, paper)]
    small = sorted((group for group in groups if group.form in _SHARING), key=_likeness, reverse=True)
    found += _together([list(run) for _, run in groupby(small, _likeness)], paper)
    return tuple(sheet for page in found for sheet in page.sides(backs))


def _likeness(group: Group) -> tuple[bool, float, float]:
    """Groups with the same size, and with or without backs, lie in the same rows."""
    return any(one.back is not None for one in group.components), group.height, group.width


@dataclass(slots=True)
class _Page:
    """A sheet while it is filled."""

    width: float
    height: float
    names: dict[str, None] = field(default_factory=dict)
    places: list[tuple[Group, Component, float, float]] = field(default_factory=list)
    marks: list[tuple[float, float, float, float]] = field(default_factory=list)
    number: str = ""

    def lay(self, block: Sequence[tuple[Group, Component]], columns: int, left: float, top: float) -> None:
        """Lay components of one size in rows, with marks around them."""
        first, _ = block[0]
        for at, (group, one) in enumerate(block):
            row, column = divmod(at, columns)
            self.places.append((group, one, left + column * first.width, top + row * first.height))
            self.names[group.name] = None
        self.marks += _marks(left, top, min(columns, len(block)), ceil(len(block) / columns), first)

    def sides(self, backs: bool) -> Iterator[Sheet]:
        """The face, and the back if there is any."""
        label = ", ".join(self.names) + self.number
        faces = tuple(_laid(one.face, group, (x, y)) for group, one, x, y in self.places)
        yield Sheet(label, self.width, self.height, "face", faces, tuple(self.marks))
        behind = tuple(
            _back(one.back, group, (self.width - x - group.width, y))
            for group, one, x, y in self.places
            if one.back is not None
        )
        if behind and backs:
            yield Sheet(label, self.width, self.height, "back", behind, ())


def _alone(group: Group, paper: Paper) -> Iterator[_Page]:
    """The sheets of a group, in the middle of each as many as fit."""
    width, height = _best(group, paper)
    columns, rows = _fitting(group, width, height)
    copies = [(group, one) for one in group.components for _ in range(one.copies)]
    left, top = (width - columns * group.width) / 2, (height - rows * group.height) / 2
    whole = ceil(len(copies) / (columns * rows))
    for number in range(whole):
        page = _Page(width, height, number=f" {number + 1}/{whole}" if whole > 1 else "")
        page.lay(copies[number * columns * rows : (number + 1) * columns * rows], columns, left, top)
        yield page


def _together(runs: Sequence[Sequence[Group]], paper: Paper) -> list[_Page]:
    """Upright sheets of small things, run below run."""
    width, height = paper.size
    pages: list[_Page] = []
    top = height
    for run in runs:
        copies = [(group, one) for group in run for one in group.components for _ in range(one.copies)]
        size = run[0]
        columns = max(1, int((width - 2 * MARGIN) // size.width))
        while copies:
            rows = int((height - MARGIN - top) // size.height)
            if rows < 1:
                pages.append(_Page(width, height))
                top = MARGIN + _MARK
                rows = max(1, int((height - MARGIN - top) // size.height))
            block, copies = copies[: rows * columns], copies[rows * columns :]
            pages[-1].lay(block, columns, (width - columns * size.width) / 2, top)
            top += ceil(len(block) / columns) * size.height + 2 * _MARK + 3
    return pages


@dataclass(frozen=True, slots=True)
class Grid:
    """A grid of faces without margins, as virtual tabletops take it, and one of their backs if there are any."""

    columns: int
    rows: int
    titles: tuple[str, ...]
    faces: Sheet
    backs: Sheet | None


def grids(group: Group) -> Iterator[Grid]:
    """The grids of a group. The last place among faces with backs shows what tabletops show of a hidden one."""
    copies = [one for one in group.components for _ in range(one.copies)]
    for first in range(0, len(copies), ACROSS * DOWN - 1):
        page = copies[first : first + ACROSS * DOWN - 1]
        columns = min(ACROSS, max(2, ceil((len(page) + 1) / 2)))
        rows = max(2, ceil((len(page) + 1) / columns))
        places = [(at % columns * group.width, at // columns * group.height) for at in range(columns * rows)]
        size = columns * group.width, rows * group.height
        faces = [_laid(one.face, group, at) for one, at in zip(page, places, strict=False)]
        behind = [_back(one.back, group, at) for one, at in zip(page, places, strict=False) if one.back is not None]
        kinds = list(dict.fromkeys(laid.face for laid in behind))
        if kinds:
            hidden = kinds[0] if len(kinds) == 1 else replace(kinds[0], title="", corner=kinds[0].title, picture="")
            faces.append(_back(hidden, group, places[-1]))
        backs = Sheet("", *size, "back", tuple(behind), ()) if behind else None
        titles = tuple(one.face.title for one in page)
        yield Grid(columns, rows, titles, Sheet("", *size, "face", tuple(faces), ()), backs)


def _laid(face: Face, group: Group, at: tuple[float, float]) -> Laid:
    return Laid(face, group.form, round(at[0], 3), round(at[1], 3), group.width, group.height)


def _back(back: Face, group: Group, at: tuple[float, float]) -> Laid:
    """A back at its place: one with a picture is another face."""
    laid = _laid(back, group, at)
    return laid if back.picture else replace(laid, form="back")


def _best(group: Group, paper: Paper) -> tuple[float, float]:
    """The sheet upright, or lying where more fit on it."""
    width, height = paper.size
    upright, lying = _fitting(group, width, height), _fitting(group, height, width)
    return (width, height) if upright[0] * upright[1] >= lying[0] * lying[1] else (height, width)


def _fitting(group: Group, width: float, height: float) -> tuple[int, int]:
    """The number that fits beside and below each other; anything larger than a sheet is cut by its edge."""
    return max(1, int((width - 2 * MARGIN) // group.width)), max(1, int((height - 2 * MARGIN) // group.height))


def _marks(
    left: float, top: float, columns: int, rows: int, group: Group
) -> Iterator[tuple[float, float, float, float]]:
    """Short lines around the components, at each line along which to cut."""
    right, below = left + columns * group.width, top + rows * group.height
    for column in range(columns + 1):
        x = round(left + column * group.width, 3)
        yield x, round(top - _MARK - 1, 3), x, round(top - 1, 3)
        yield x, round(below + 1, 3), x, round(below + _MARK + 1, 3)
    for row in range(rows + 1):
        y = round(top + row * group.height, 3)
        yield round(left - _MARK - 1, 3), y, round(left - 1, 3), y
        yield round(right + 1, 3), y, round(right + _MARK + 1, 3), y


def board_sheets(pictures: Sequence[BoardPicture], paper: Paper) -> tuple[BoardSheet, ...]:
    """The parts of all boards, row by row; their names are those of fields of a map: A1, B1, and A2 below A1."""
    found = []
    for number, picture in enumerate(pictures):
        parts = cut(picture.width, picture.height, paper.room)
        width, height = (paper.size[1], paper.size[0]) if parts.lying else paper.size
        for piece in parts.pieces:
            label = picture.name
            if len(parts.pieces) > 1:
                label += f" {_letters(piece.column)}{piece.row + 1}"
            glued = piece.column + 1 < parts.columns, piece.row + 1 < parts.rows
            found.append(BoardSheet(label, width, height, number, piece.x, piece.y, piece.width, piece.height, glued))
    return tuple(found)


def _letters(column: int) -> str:
    """A, B … Z, AA, AB …"""
    return (_letters(column // 26 - 1) if column >= 26 else "") + chr(ord("A") + column % 26)
