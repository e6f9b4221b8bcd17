"""Grids and hex fields in the terminal as boxes that share their borders; walls are heavy lines on them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import cast

from rich.text import Text

from rulewright_tools.render.ground import Ground
from rulewright_tools.render.picture import Picture, Spot
from rulewright_tools.render.terminal.text_style import DARK, TextStyle

LIGHT, HEAVY = 1, 2

_JOINTS = (
    " ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳"  # nothing upwards
    "╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈"  # a light line upwards
    "╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋"  # a heavy one
)
"""By the weights upwards, to the right, downwards and to the left, as digits of a number of base three."""

_UP, _RIGHT, _DOWN, _LEFT = 27, 9, 3, 1


class Lines:
    """Lines on a sheet of characters; where two lie on each other the heavier one is seen."""

    def __init__(self) -> None:
        self._arms: dict[tuple[int, int, int], int] = {}

    def across(self, row: int, left: int, right: int, weight: int) -> None:
        """A line from one column to another."""
        for column in range(left, right):
            self._arm(row, column, _RIGHT, weight)
            self._arm(row, column + 1, _LEFT, weight)

    def down(self, column: int, top: int, bottom: int, weight: int) -> None:
        """A line from one row to another."""
        for row in range(top, bottom):
            self._arm(row, column, _DOWN, weight)
            self._arm(row + 1, column, _UP, weight)

    def sign(self, row: int, column: int) -> str:
        """The character at a point; a space where no line is."""
        return _JOINTS[sum(way * self._arms.get((row, column, way), 0) for way in (_UP, _RIGHT, _DOWN, _LEFT))]

    def heavy(self, row: int, column: int) -> bool:
        """True if a heavy line goes through a point or ends there."""
        return HEAVY in (self._arms.get((row, column, way), 0) for way in (_UP, _RIGHT, _DOWN, _LEFT))

    def _arm(self, row: int, column: int, way: int, weight: int) -> None:
        place = (row, column, way)
        self._arms[place] = max(weight, self._arms.get(place, 0))


WIDE = {"grid": 5, "hexes": 7}
"""Characters inside a box, if there is room."""
NARROW = {"grid": 2, "hexes": 5}
ROOMY = 13
"""The width of boxes where stacks must find room, if the legend still has some."""

LEGEND = 24
"""Columns that are left to the legend then."""

MARK = "╬"
"""A mark on a border."""

Point = tuple[str, str]
"""A letter of a border, and its style."""


@dataclass(frozen=True, slots=True)
class _Box:
    """A place on the sheet, its borders included."""

    left: int
    top: int
    right: int
    bottom: int


def boxed(picture: Picture, brush: TextStyle, room: int, possible: Collection[str]) -> list[Text]:
    """The map, line by line, within `room` columns; nothing if it does not fit. `possible` are keys to be marked."""
    usual, narrow = WIDE[picture.shape], NARROW[picture.shape]
    for inside in range(ROOMY if picture.style.stacked else usual, narrow - 1, -2 if picture.shape == "hexes" else -1):
        map_ = _Map(picture, brush, inside, possible)
        if map_.width <= (room - LEGEND if inside > usual else room):
            return map_.lines()
    return []


class _Map:
    def __init__(self, picture: Picture, brush: TextStyle, inside: int, possible: Collection[str]) -> None:
        self.picture = picture
        self.brush = brush
        self.inside = inside
        self.possible = possible
        self.grounds = {ground.key: ground for ground in picture.grounds}
        self.hexes = picture.shape == "hexes"
        self.margin = 0 if self.hexes else len(str(len({spot.y for spot in picture.spots}) - 1)) + 1
        self.boxes = self._boxes()
        self.width = self.margin + max(box.right for box in self.boxes) + 1
        self.rows: Mapping[int, dict[int, Text | Point]] = defaultdict(dict)

    def lines(self) -> list[Text]:
        """The whole sheet."""
        self._borders()
        for number in range(len(self.boxes)):
            self._content(number)
        lines = [] if self.hexes else [self._head()]
        sides = {} if self.hexes else {box.top + 1: str(n) for n, box in enumerate(self.boxes[:: self._columns])}
        for row in range(max(self.rows) + 1):
            line = Text(f"{sides.get(row, ''):>{self.margin - 1}} " if self.margin else "", style="")
            line.stylize("dim")
            _fill(line, self.margin, self.rows[row])
            line.rstrip()
            lines.append(line)
        return lines

    @property
    def _columns(self) -> int:
        return len({spot.x for spot in self.picture.spots})

    def _boxes(self) -> list[_Box]:
        """The box of each place: rows from north to south; hexes stand half a box aside in every other row."""
        rows = {y: number for number, y in enumerate(sorted({spot.y for spot in self.picture.spots}))}
        west = min(spot.x for spot in self.picture.spots)
        step, height = self.inside + 1, (3 if self.hexes else 2) + (1 if self.picture.style.stacked else 0)
        found = []
        for spot in self.picture.spots:
            left = round((spot.x - west) * step / 1000)
            top = rows[spot.y] * height
            found.append(_Box(left, top, left + step, top + height))
        return found

    def _head(self) -> Text:
        line = Text(" " * self.margin, style="")
        for number, left in enumerate(sorted({box.left for box in self.boxes})):
            line.append(" " * (self.margin + left + 1 - line.cell_len))
            line.append(str(number).center(self.inside))
        line.stylize("dim")
        line.rstrip()
        return line

    # ----------------------------------------------------------------------------------------------- borders

    def _borders(self) -> None:
        lines = Lines()
        frame = self._frame(lines)
        edges_possible = any(edge.key in self.possible for edge in self.picture.edges)
        drawn = [(edge.one, edge.other, bool(edge.walls), edge.key in self.possible) for edge in self.picture.edges]
        if self.hexes and not edges_possible:
            drawn += [(one, other, False, True) for one, other in self.picture.links]
        for one, other, wall, thin in drawn:
            if wall or thin:
                self._between(lines, self.boxes[one], self.boxes[other], HEAVY if wall else LIGHT)
        colours = self._border_grounds()
        corners = {
            (row, column) for box in self.boxes for row in (box.top, box.bottom) for column in (box.left, box.right)
        }
        for (row, column), ground in colours.items():
            sign = lines.sign(row, column)
            if sign == " " and (row, column) in corners:
                sign = "·"
            style = f" on {ground.colour}" if ground is not None and (row, column) not in frame else ""
            ink = DARK if style else ""
            bold = "bold" if lines.heavy(row, column) else "" if style else "dim"
            self.rows[row][column] = sign, f"{bold} {ink}{style}".strip()
        for edge in self.picture.edges:
            if edge.marked:
                self._mark(self.boxes[edge.one], self.boxes[edge.other])

    def _mark(self, one: _Box, other: _Box) -> None:
        """A sign in the middle of the border that two boxes share."""
        row = (max(one.top, other.top) + min(one.bottom, other.bottom)) // 2
        column = (max(one.left, other.left) + min(one.right, other.right)) // 2
        _, style = cast(Point, self.rows[row][column])
        self.rows[row][column] = MARK, style

    def _frame(self, lines: Lines) -> set[tuple[int, int]]:
        """Draws the outer border: what belongs to one box only."""
        sides: dict[tuple[int, int, bool], int] = defaultdict(int)
        for box in self.boxes:
            for column in range(box.left, box.right):
                sides[box.top, column, True] += 1
                sides[box.bottom, column, True] += 1
            for row in range(box.top, box.bottom):
                sides[row, box.left, False] += 1
                sides[row, box.right, False] += 1
        weight = HEAVY if self.picture.edges else LIGHT
        points = set()
        for (row, column, across), count in sides.items():
            if count == 1 and across:
                lines.across(row, column, column + 1, weight)
                points |= {(row, column), (row, column + 1)}
            elif count == 1:
                lines.down(column, row, row + 1, weight)
                points |= {(row, column), (row + 1, column)}
        return points

    def _between(self, lines: Lines, one: _Box, other: _Box, weight: int) -> None:
        """A line on the border that two boxes share."""
        top, bottom = max(one.top, other.top), min(one.bottom, other.bottom)
        left, right = max(one.left, other.left), min(one.right, other.right)
        if left == right:
            lines.down(left, top, bottom, weight)
        elif top == bottom:
            lines.across(top, left, right, weight)

    def _border_grounds(self) -> dict[tuple[int, int], Ground | None]:
        """All points of borders, with the ground of the box that lies first there."""
        found: dict[tuple[int, int], Ground | None] = {}
        for spot, box in zip(self.picture.spots, self.boxes, strict=True):
            ground = self.grounds.get(spot.ground)
            for column in range(box.left, box.right + 1):
                found.setdefault((box.top, column), ground)
                found.setdefault((box.bottom, column), ground)
            for row in range(box.top, box.bottom + 1):
                found.setdefault((row, box.left), ground)
                found.setdefault((row, box.right), ground)
        return found

    # ----------------------------------------------------------------------------------------------- content

    def _content(self, number: int) -> None:
        spot, box = self.picture.spots[number], self.boxes[number]
        ground = self.grounds.get(spot.ground)
        may = spot.key in self.possible
        markers = self.brush.markers(self.picture, spot)
        head = self._named(spot, markers) if self.hexes else Text()
        rest = markers[self._heads(spot, markers) :] if self.hexes else markers
        square = self.brush.square(spot, ground, self.inside, may, markers=rest)
        if not self.hexes:
            square = _signed(square, self.brush.landlord(spot.rim))
        lines = [square]
        if self.hexes:
            lines.insert(0, Text(style=square.style).append_text(head))
            lines[0].stylize("dim" if ground is None else "")
        if self.picture.style.stacked:
            stacks = self.brush.stacks(spot, self.inside)
            before = (self.inside - stacks.cell_len) // 2
            after = self.inside - stacks.cell_len - before
            lines.append(Text(" " * before, style=square.style).append_text(stacks).append(" " * after))
        for down, line in enumerate(lines, start=1):
            self.rows[box.top + down][box.left + 1] = line

    def _heads(self, spot: Spot, markers: list[Text]) -> int:
        """The number of markers that fit beside the name of a place."""
        room = self.inside - len(short_key(spot.key)) - self.brush.owner(spot.rim).cell_len
        count = 0
        while count < len(markers) and markers[count].cell_len <= room:
            room -= markers[count].cell_len
            count += 1
        return count

    def _named(self, spot: Spot, markers: list[Text]) -> Text:
        """The name of a place, before it whose it is, after it as many markers as fit."""
        owner = self.brush.owner(spot.rim)
        tail = Text().join(markers[: self._heads(spot, markers)])
        name = short_key(spot.key)[: self.inside - owner.cell_len]
        middle = name.center(self.inside).index(name)
        left = max(owner.cell_len, min(middle, self.inside - len(name) - tail.cell_len))
        text = owner.append(" " * (left - owner.cell_len)).append(name)
        return text.append(" " * (self.inside - text.cell_len - tail.cell_len)).append_text(tail)


def _signed(square: Text, owner: Text) -> Text:
    """A place in one line, with the sign of whose it is at its end if nothing stands there."""
    if not owner or not square.plain.endswith(" " * owner.cell_len):
        return square
    square.right_crop(owner.cell_len)
    return square.append_text(owner)


def _fill(line: Text, margin: int, parts: Mapping[int, Text | Point]) -> None:
    """Append what stands in a row by columns; points of one style in one go."""
    at, run, style = margin, "", ""
    for column, part in sorted(parts.items(), key=lambda entry: entry[0]):
        gap = margin + column - at
        if isinstance(part, Text) or gap or part[1] != style:
            line.append(run, style).append(" " * gap)
            run, at = "", at + gap
        if isinstance(part, Text):
            line.append_text(part)
            at += part.cell_len
        else:
            run, style, at = run + part[0], part[1], at + 1
    line.append(run, style)


def short_key(key: str) -> str:
    """A place's key without the marks that only numbers need: ``2,-1``."""
    return key.strip("()").replace(", ", ",") if key.endswith(")") else key
