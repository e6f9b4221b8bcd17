"""The board alone, for pages in which it is used: with an element over each place, edge and piece, and a list of them.

The elements are transparent and have ids, the same for the same place in every position of a game, so that a page can
mark and name them without drawing anything of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, hypot
from typing import Literal

import drawsvg as svg

import rulewright as rw
from rulewright_tools.render.colours import Palette, dark
from rulewright_tools.render.picture import Item, Picture, Spot
from rulewright_tools.render.svg import shapes
from rulewright_tools.render.svg.geometry import Segment
from rulewright_tools.render.svg.legend import legend
from rulewright_tools.render.svg.map_picture import Map, Maps
from rulewright_tools.render.svg.svg_primitives import INK, PAPER, PLAIN, written

MARGIN, NUMBERED = 18, 34
"""Points around the map; more of them where rows and columns have numbers."""

THIN = 10.0
"""Points across of the element over an edge: it is wider than the edge, so that it can be hit."""


@dataclass(frozen=True, slots=True)
class Thing:
    """A part of the board that can be chosen, and the element over it."""

    id: str
    kind: Literal["place", "edge", "piece"]
    key: str
    name: str
    """The name of the part in words, with what lies on it."""
    place: str = ""
    """Of a piece the id of the place on which it lies."""
    zone: str = ""
    """Of a piece the zone in which it lies, as keys of options name it."""
    back: bool = False
    """True of a piece of which only the back is seen."""
    universe: str = ""
    """Of a place or edge the universe of the places of its map."""
    piece: str = ""
    """Of a piece its identity for the viewer, wherever it lies; empty if it has none."""
    count: int = 0
    """The number of pieces that look alike and lie together."""


@dataclass(frozen=True, slots=True)
class Board:
    """A drawing in parts, and what is where in it."""

    frame: str
    """SVG with a group for each layer, which is empty; nothing if the game has no map."""
    layers: tuple[tuple[str, ...], ...]
    """Elements of each layer, as SVG: the map, its legend, and what is over the things, in their order."""
    things: tuple[Thing, ...]

    def whole(self) -> str:
        """All of it as one SVG."""
        head, *groups = self.frame.split("</g>")
        return head + "".join(f"{''.join(layer)}</g>{rest}" for layer, rest in zip(self.layers, groups, strict=True))


Numbers = Mapping[tuple[str, str], int]
"""The numbers of all places, or edges, of all maps of a game, by the universe of the places of a map and their keys."""


def draw_board(picture: Picture, palette: Palette, numbers: Numbers, edges: Numbers) -> Board:
    """The maps of a picture with their legend; `numbers` of places and `edges` make ids that stay the same when a map
    grows."""
    if not picture.spots:
        return Board("", (), ())
    paper = palette.ground(picture.style.background) if picture.style.background else PAPER
    maps = Maps(picture, palette, PAPER if dark(paper) else INK)
    below, long = legend(picture, palette, maps.width)
    margin = NUMBERED if any(one.shape == "grid" for one in picture.maps) else MARGIN
    width = ceil(maps.width + 2 * margin)
    height = ceil(maps.height + 2 * margin + (long + margin / 2 if long else 0))
    drawing = svg.Drawing(width, height, font_family=PLAIN)
    drawing.append(svg.Rectangle(0, 0, width, height, fill=paper))
    over = [one for map_, top in maps.maps for one in _over(map_, top, numbers, edges)]
    things = [thing for thing, _ in over]
    parts = (
        (maps.elements, margin, ""),
        (below, maps.height + 1.5 * margin, ""),
        ([element for _, element in over], margin, "things"),
    )
    for _, top, id in parts:
        drawing.append(svg.Group(transform=f"translate({margin:g},{top:g})", **({"id": id} if id else {})))
    frame = drawing.as_svg()
    assert isinstance(frame, str)
    layers = tuple(
        tuple(rw.characters.printable(written(element), lines=True) for element in elements) for elements, _, _ in parts
    )
    return Board(rw.characters.printable(frame, lines=True), layers, tuple(things))


def _over(map_: Map, top: float, numbers: Numbers, edges: Numbers) -> Iterator[tuple[Thing, svg.DrawingElement]]:
    """All things of a map with their elements; what lies on others comes after them."""
    picture, geometry = map_.picture, map_.geometry
    shape = "circle" if map_.places in ("none", "dot") else map_.places
    ids = {spot.key: f"place-{numbers.get((picture.place, spot.key), -1)}" for spot in picture.spots}
    for spot in picture.spots:
        x, y = geometry.at(spot)
        thing = Thing(ids[spot.key], "place", spot.key, _place_name(picture, spot), universe=picture.place)
        yield thing, svg.Raw(_over_place(shape, x, y + top, map_.radius * 0.94, thing.id))
    for edge in picture.edges:
        one, other = geometry.at(picture.spots[edge.one]), geometry.at(picture.spots[edge.other])
        (x1, y1), (x2, y2) = geometry.edge(edge) if map_.tiled else _middle((one, other))
        id, name = f"edge-{edges.get((picture.place, edge.key), -1)}", ", ".join((edge.key, *edge.walls))
        yield (
            Thing(id, "edge", edge.key, name, universe=picture.place),
            svg.Raw(_over_edge(x1, y1 + top, x2, y2 + top, id)),
        )
    counts: dict[str, int] = {}
    for piece in map_.pieces:
        place = ids[piece.spot.key]
        counts[place] = number = counts.get(place, -1) + 1
        item = piece.item
        key = "" if item.back else item.key
        id, name = f"{place}-piece-{number}", item_name(item)
        thing = Thing(id, "piece", key, name, place, item.zone, item.back, "", item.identity, item.count)
        box = (round(part, 2) for part in (piece.left, piece.top + top, piece.width, piece.height))
        yield thing, svg.Rectangle(*box, rx=3, fill="transparent", id=thing.id, class_="thing piece")


@lru_cache(maxsize=4096)
def _over_place(shape: str, x: float, y: float, size: float, id: str) -> str:
    return written(shapes.place(shape, x, y, size, fill="transparent", id=id, class_="thing place"))


@lru_cache(maxsize=4096)
def _over_edge(x1: float, y1: float, x2: float, y2: float, id: str) -> str:
    long = hypot(x2 - x1, y2 - y1) or 1.0
    dx, dy = (y1 - y2) / long * THIN / 2, (x2 - x1) / long * THIN / 2
    corners = (x1 + dx, y1 + dy, x2 + dx, y2 + dy, x2 - dx, y2 - dy, x1 - dx, y1 - dy)
    rounded = [round(part, 2) for part in corners]
    return written(svg.Lines(*rounded, close=True, fill="transparent", id=id, class_="thing edge"))


def _middle(ends: Segment) -> Segment:
    """The middle half of the way from place to place."""
    (x1, y1), (x2, y2) = ends
    dx, dy = (x2 - x1) / 4, (y2 - y1) / 4
    return (round(x1 + dx, 2), round(y1 + dy, 2)), (round(x2 - dx, 2), round(y2 - dy, 2))


def _place_name(picture: Picture, spot: Spot) -> str:
    """A place in words: its key, its ground, what lies on it, and its marks."""
    grounds = {ground.key: ground.title for ground in picture.grounds}
    lying: Sequence[Item] = (*spot.items, *(item for stack in spot.stacks for item in stack.items))
    label = spot.label if spot.label and spot.label != spot.key else ""
    parts = (spot.key, label, grounds.get(spot.ground, ""), *map(item_name, lying), *spot.marks)
    return ", ".join(part for part in parts if part)


def item_name(item: Item) -> str:
    """Pieces in words, with how many there are."""
    name = f"{item.title}, {item.note}" if item.note else item.title
    return rw.display_names.counted(name, item.count)
