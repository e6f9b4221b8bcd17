"""Places at whole-numbered positions in the terminal, with the lines between them: free graphs, and grids of dots."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise

from rich.text import Text

from rulewright_tools.render.picture import Edge, Picture, Spot
from rulewright_tools.render.terminal.boxes import short_key
from rulewright_tools.render.terminal.text_style import MAY, MAY_NOT, TextStyle

GAP = 3
"""Columns between two places, where the lines are drawn."""

SPARSE = 4
"""A map with more empty positions than this for each place is a list rather than a lattice."""

Position = tuple[int, int]
_SIGNS = {(1, 0): ("━", "─"), (0, 1): ("┃", "│"), (1, 1): ("╲", "╲"), (1, -1): ("╱", "╱")}
"""The signs of lines by their direction: heavy and light."""


def lattice(picture: Picture, brush: TextStyle, room: int, possible: Collection[str]) -> list[Text]:
    """The map, line by line, within `room` columns; nothing if it does not fit, or lies at no whole numbers."""
    west, north = min(spot.x for spot in picture.spots), min(spot.y for spot in picture.spots)
    if any((spot.x - west) % 1000 or (spot.y - north) % 1000 for spot in picture.spots):
        return []
    places = {((spot.x - west) // 1000, (spot.y - north) // 1000): spot for spot in picture.spots}
    if len(places) < len(picture.spots):
        return []
    map_ = _Lattice(picture, brush, possible, places)
    fits = map_.width <= room and map_.columns * map_.rows <= SPARSE * len(places)
    return map_.lines() if fits else []


class _Lattice:
    def __init__(
        self, picture: Picture, brush: TextStyle, possible: Collection[str], places: dict[Position, Spot]
    ) -> None:
        self.picture, self.brush, self.possible, self.places = picture, brush, possible, places
        self.columns, self.rows = (max(at[axis] for at in places) + 1 for axis in (0, 1))
        self.drawn_places = {at: self._cell(spot) for at, spot in places.items()}
        self.inside = max(cell.cell_len for cell in self.drawn_places.values())
        self.inside += 1 - self.inside % 2  # a middle for the lines upwards and downwards
        self.margin = len(str(self.rows - 1)) + 2 if picture.shape == "grid" else 0
        self.width = self.margin + self.columns * (self.inside + GAP) - GAP
        self.between: dict[tuple[Position, Position], Edge] = {}
        """The edges between neighbouring positions: whole ones, and parts of those that pass empty positions."""
        self.through: dict[Position, dict[Position, Edge]] = {}
        """The edges that pass an empty position, by their directions."""
        self.far: list[Edge] = []
        positions = {spot.key: at for at, spot in places.items()}
        for edge in picture.edges:
            begin, end = sorted(positions[picture.spots[number].key] for number in (edge.one, edge.other))
            way = _straight(begin, end)
            if way and not any(at in places for at in way[1:-1]):
                self.between |= dict.fromkeys(pairwise(way), edge)
                for before, at in pairwise(way[:-1]):
                    self.through.setdefault(at, {})[at[0] - before[0], at[1] - before[1]] = edge
            elif edge.lines:
                self.far.append(edge)

    def lines(self) -> list[Text]:
        found = [self._head()] if self.margin else []
        down = any(one[1] != other[1] for one, other in self.between)
        for row in range(self.rows):
            found.append(self._places(row))
            if down and row + 1 < self.rows:
                found.append(self._downwards(row))
        return [*found, *self._far()]

    def _cell(self, spot: Spot) -> Text:
        """A place: what lies on it, and its name unless its row and column say it."""
        lies = self.brush.on(spot, self.brush.markers(self.picture, spot))
        may = MAY if spot.key in self.possible else ""
        if self.picture.shape == "grid":
            return lies.append(may) if lies else Text(may or MAY_NOT, style="" if may else "dim")
        name = Text(short_key(spot.key), style="dim")
        return name.append(" ").append_text(lies).append(may) if lies or may else name

    def _head(self) -> Text:
        numbers = (str(number).center(self.inside) for number in range(self.columns))
        return Text(" " * self.margin + (" " * GAP).join(numbers), style="dim")

    def _places(self, row: int) -> Text:
        line = Text(f"{row:>{self.margin - 2}}  " if self.margin else "", style="")
        line.stylize("dim")
        for column in range(self.columns):
            cell = self.drawn_places.get((column, row)) or self._passed((column, row))
            before = (self.inside - cell.cell_len) // 2
            line.append(" " * before).append_text(cell).append(" " * (self.inside - before - cell.cell_len))
            if column + 1 < self.columns:
                line.append_text(self._drawn((column, row), (column + 1, row), "━" * GAP, "─" * GAP))
        line.rstrip()
        return line

    def _passed(self, at: Position) -> Text:
        """An empty position, with the edges that pass it."""
        ways = self.through.get(at, {})
        along, down = ways.get((1, 0)), ways.get((0, 1))
        side = self._line(along, "━", "─", self.inside // 2) if along else Text(" " * (self.inside // 2))
        crossed = [self._line(edge, *_SIGNS[way]) for way, edge in ways.items()]
        middle = Text("┼" if along and down else "╳") if len(crossed) > 1 else crossed[0] if crossed else Text(" ")
        return side.copy().append_text(middle).append_text(side)

    def _downwards(self, row: int) -> Text:
        line = Text(" " * self.margin)
        for column in range(self.columns):
            half = self.inside // 2
            line.append(" " * half)
            line.append_text(self._drawn((column, row), (column, row + 1), "┃", "│"))
            line.append(" " * half)
            if column + 1 < self.columns:
                falls = self._drawn((column, row), (column + 1, row + 1), "╲", "╲")
                rises = self._drawn((column, row + 1), (column + 1, row), "╱", "╱")
                both = falls.plain.strip() and rises.plain.strip()
                line.append(" ").append_text(Text("╳") if both else falls if falls.plain.strip() else rises).append(" ")
        line.rstrip()
        return line

    def _drawn(self, one: Position, other: Position, heavy: str, light: str) -> Text:
        """The way between two positions: heavy where a line is drawn, in its colour; blank where there is no edge."""
        edge = self.between.get((one, other))
        return Text(" " * len(heavy)) if edge is None else self._line(edge, heavy, light)

    def _line(self, edge: Edge, heavy: str, light: str, times: int = 1) -> Text:
        if edge.lines or edge.walls:
            owner = edge.lines[0][1] if edge.lines else ""
            return Text(heavy * times, style=f"bold {self.brush.colour(owner)}" if owner else "bold")
        return Text(light * times, style="" if edge.key in self.possible else "dim")

    def _far(self) -> Iterator[Text]:
        """The lines that pass other places by, in words."""
        for name in self.picture.lines:
            words = Text(f"{name}: ", style="dim")
            far = [(edge, owner) for edge in self.far for of, owner in edge.lines if of == name]
            for number, (edge, owner) in enumerate(far):
                key = edge.key.replace("|", "\N{EN DASH}")
                words.append(", " if number else "").append_text(self.brush.styled(owner, key) if owner else Text(key))
            if far:
                yield words


def _straight(begin: Position, end: Position) -> list[Position]:
    """The positions from one to another along a row, a column or a diagonal; none if they lie on none of these."""
    across, down = end[0] - begin[0], end[1] - begin[1]
    steps = max(abs(across), abs(down), 1)
    if across % steps or down % steps:
        return []
    return [(begin[0] + n * across // steps, begin[1] + n * down // steps) for n in range(steps + 1)]
