"""Supplies of players and the table beside the board, for pages: piles of pieces, scores and other values in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import drawsvg as svg

import rulewright as rw
from rulewright_tools.render.colours import BACK, Palette
from rulewright_tools.render.picture import Holder, Item, Picture
from rulewright_tools.render.svg import shapes
from rulewright_tools.render.svg.board import item_name

SIZE = 16
"""Points across of the small picture of a piece."""


@dataclass(frozen=True, slots=True)
class HeldPiece:
    """Pieces in a pile, and the element that a page shows for them."""

    id: str
    item: Item


class Supplies:
    """The holders of one picture, as data for a page."""

    def __init__(self, picture: Picture, palette: Palette, printed: Callable[[str], str] = lambda _: "") -> None:
        """`printed` are the words on a piece, by its key."""
        self._palette, self._printed = palette, printed
        self._seats = picture.seats
        self.pieces: list[HeldPiece] = []
        """All pieces in piles."""
        self.ids: dict[str, str] = {}
        """The element of each seat and party, by its key."""
        self.glyphs: dict[str, str] = {}
        """Small pictures of pieces, by the names that pieces have them by."""
        self.holders: list[dict[str, Any]] = [
            self._holder(f"holder-{number}", holder, picture.turn)
            for number, holder in enumerate((*picture.holders, picture.table))
            if holder.piles or holder.facts or holder.name in picture.seats
        ]

    def _holder(self, id: str, holder: Holder, turn: str) -> dict[str, Any]:
        if holder.name:
            self.ids[holder.name] = id
        return {
            "id": id,
            "key": holder.name,
            "name": holder.shown,
            "glyph": self._glyph("disc", self._palette.colour(holder.name)) if holder.name else "",
            "is_seat": holder.name in self._seats,
            "asked": bool(holder.name) and holder.name == turn,
            "facts": [{"name": name, "value": value} for name, value in holder.facts],
            "piles": [
                {
                    "name": pile.name,
                    "more": pile.beneath,
                    "pieces": [self._piece(f"{id}-pile-{p}-{n}", item) for n, item in enumerate(pile.items)],
                }
                for p, pile in enumerate(holder.piles)
            ],
        }

    def _piece(self, id: str, item: Item) -> dict[str, Any]:
        self.pieces.append(HeldPiece(id, item))
        colour = BACK if item.back else self._palette.colour(item.hue)
        shape = "square" if item.back else self._palette.shape(item.key)
        return {
            "id": id,
            "key": item.identity,
            "count": item.count,
            "name": item_name(item),
            "printed": "" if item.back else rw.characters.printable(self._printed(item.key)),
            "back": item.back,
            "glyph": self._glyph("disc" if shape == "text" else shape, colour),
        }

    def _glyph(self, shape: str, colour: str) -> str:
        name = f"{shape}-{colour.lstrip('#')}"
        if name not in self.glyphs:
            drawing = svg.Drawing(SIZE, SIZE)
            drawing.append(shapes.piece(shape, SIZE / 2, SIZE / 2, SIZE / 2 - 1, colour))
            drawn = drawing.as_svg()
            assert isinstance(drawn, str)
            self.glyphs[name] = drawn
        return name
