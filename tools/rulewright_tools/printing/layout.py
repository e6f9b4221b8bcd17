"""The layout of a prototype: the part `print` of a ruleset's drawing hints, with what follows from the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import rulewright as rw
from rulewright_tools.console import CommandError
from rulewright_tools.render.colours import Palette
from rulewright_tools.render.theme import ground_of, palette_of, tiles

STEP = 23.0
"""Millimetres from place to place, where a ruleset has no other number: eight places fit on a sheet."""

CARD, TOKEN = (63.0, 88.0), (20.0, 20.0)
"""Width and height in millimetres: cards as sleeves take them, tokens that fingers can hold."""


@dataclass(frozen=True, slots=True)
class PieceLayout:
    """The layout of a kind of piece; its attributes are those of the schema."""

    form: str = ""
    size: tuple[float, float] | None = None
    title: tuple[str, ...] = ()
    corner: str = ""
    values: tuple[str, ...] | None = None
    lines: Mapping[str, str] = field(default_factory=dict)
    icons: Mapping[str, str] = field(default_factory=dict)
    faces: str = ""
    back: str = ""


@dataclass(frozen=True, slots=True)
class TokenLayout:
    """The tokens of a field: how many of each look, their name and size, and whether each shows two sides."""

    count: int | None = None
    size: tuple[float, float] | None = None
    flips: bool = False
    name: str = ""


class Layout:
    """The layout of one game, with the words and colours that all parts of its prototype share."""

    def __init__(self, game: rw.Game) -> None:
        self.game = game
        self.model = game.model
        self.hints = game.ruleset.manifest.draw
        self.names = rw.display_names.DisplayNames(game.ruleset.manifest)
        self.palette: Palette = palette_of(game)
        self.ground, self.grounds = ground_of(game)
        self.tiles = tiles(game, self.ground)
        raw = self.hints.print
        self.step = float(raw.get("step", STEP))
        self.needs = tuple(map(self.names.phrase, raw.get("needs", ())))
        self.hides = frozenset(raw.get("hides", ()))
        self.tracks: Mapping[str, int] = raw.get("tracks", {})
        self._pieces: Mapping[str, Mapping[str, Any]] = raw.get("pieces", {})
        self._tokens: Mapping[str, Any] = raw.get("tokens", {})
        self.places = {name for board in self.model.boards for name in (board.place, *board.regions)}
        self.owners = {u.name for u in self.model.universes.values() if u.sort in ("player", "party")}

    def piece(self, kind: str) -> PieceLayout:
        """The layout of a kind: its own parts, before those of the kinds above it."""
        held: dict[str, Any] = {}
        for above in (*self.above(kind), kind):
            held |= self._pieces.get(above, {})
        if "form" not in held:
            held["form"] = self._form(kind)
        known = {one.name for one in fields(PieceLayout)}
        return PieceLayout(**{name: _frozen(value) for name, value in held.items() if name in known})

    def token(self, name: str) -> TokenLayout | None:
        """The layout of a field's tokens; None where the ruleset has none."""
        held = self._tokens.get(name)
        if held is None:
            return None
        if not isinstance(held, dict):
            return TokenLayout(self._count(name, held))
        size = held.get("size")
        count = self._count(name, held["count"]) if "count" in held else None
        return TokenLayout(count, (size[0], size[1]) if size else None, held.get("flips", False), held.get("name", ""))

    def words(self, name: str) -> str:
        """A name of the rules in words, as an edition has it: of a kind of piece its word in small letters, too."""
        apart = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name).strip()
        return self.names.name(apart.replace(" ", "_")) if name[:1].isupper() else self.names.name(name)

    def title(self, key: str) -> str:
        """A key as it stands at the head of a card."""
        return headed(self.names.text(key))

    def above(self, kind: str) -> list[str]:
        """The kinds above a kind, the widest first."""
        members = {one.name: frozenset(one.members) for one in self.model.kinds}
        above = [name for name, held in members.items() if name != kind and held >= members[kind]]
        return sorted(above, key=lambda name: -len(members[name]))

    def _form(self, kind: str) -> str:
        """The form that follows from the rules: pieces that are named after their ground are tiles, what lies on places
        is a token, the rest are cards unless they have the shape of something else."""
        member = next((one.members[0] for one in self.model.kinds if one.name == kind and one.members), None)
        if member is None:
            return "none"
        key = self.model.keys("Piece")[member]
        if self.tiles.get(key) == key or self.mosaic(member):
            return "tile"
        kinds = {kind, *self.above(kind)}
        on_places = any(kinds & set(zone.kinds) and self.places & set(zone.index) for zone in self.model.zones)
        hinted = self.palette.shape(key)
        return "token" if on_places or hinted not in ("disc", "card") or self._is_disc(key, kind) else "card"

    def _is_disc(self, key: str, kind: str) -> bool:
        return any(self.hints.shapes.get(word) == "disc" for word in (key, kind, *self.above(kind)))

    def mosaic(self, piece: int) -> tuple[str, ...]:
        """The grounds that are printed on a piece, row by row, if they fill a square; else none."""
        keys = set(self.grounds)
        for one in self.model.attributes:
            held = one.values[piece] if one.universe == "Piece" and one.type.kind == "list" else None
            if isinstance(held, tuple) and len(held) > 1 and keys.issuperset(held):
                return tuple(map(str, held)) if round(len(held) ** 0.5) ** 2 == len(held) else ()
        return ()

    def _count(self, name: str, held: int | str) -> int:
        value = str(self.game.parameters.get(held, "")) if isinstance(held, str) else str(held)
        if not value.isdecimal():
            raise CommandError(f"the tokens of `{name}` are as many as `{held}`, which is no parameter with a number")
        return int(value)


def headed(text: str) -> str:
    """A text with a capital letter at its head."""
    return text[:1].upper() + text[1:]


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
