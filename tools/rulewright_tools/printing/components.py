"""Components of a game: each piece that its rules declare, and the tokens and cards that stand for fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from math import ceil

import rulewright as rw
from rulewright_tools.printing import pictures
from rulewright_tools.printing.layout import CARD, TOKEN, Layout, PieceLayout, TokenLayout, headed
from rulewright_tools.render.theme import figures_of, line_fields, names_owner, wall_fields

_ICONS = 12
"""The most icons on a card."""

_NAME = 4
"""The most words of a name; a longer text is a sentence."""

_MOST = 100
"""The highest number of cards with numbers, and of tokens of a field, unless the layout has another one."""


@dataclass(frozen=True, slots=True)
class Face:
    """One side of a component."""

    title: str
    corner: str = ""
    values: tuple[tuple[str, str], ...] = ()
    """The names of values that are printed on it, each with its value; a name alone is a truth that holds."""
    lines: tuple[str, ...] = ()
    picture: str = ""
    """SVG; empty: none."""
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Component:
    """Components that look alike."""

    face: Face
    back: Face | None
    copies: int


@dataclass(frozen=True, slots=True)
class Group:
    """Components of one kind, which are printed together."""

    source: str
    """The kind of piece or the field from which they come."""
    name: str
    form: str
    """``card``, ``tile``, ``token``, or ``strip`` for what stands on edges."""
    width: float
    height: float
    components: tuple[Component, ...]

    @property
    def size(self) -> int:
        """The number of components."""
        return sum(one.copies for one in self.components)


class Components:
    """Finds the components of a game."""

    def __init__(self, layout: Layout, *, pale: bool) -> None:
        self._layout = layout
        self._model = layout.model
        self._pale = pale
        self._attributes = {one.name: one for one in self._model.attributes if one.universe == "Piece"}
        self._whole = layout.game.title

    def printed(self, key: str) -> str:
        """The values and sentences that are printed on a piece, in a line of words; empty for what is no piece."""
        keys = self._model.keys("Piece")
        piece = next((number for number, one in enumerate(keys) if key == one or key.startswith(f"{one} (")), None)
        kinds = [one for one in self._model.kinds if piece is not None and piece in one.members]
        if piece is None or not kinds:
            return ""
        face = self._face(self._layout.piece(min(kinds, key=lambda kind: len(kind.members)).name), piece)
        return ", ".join([" ".join(filter(None, value)) for value in face.values] + list(face.lines))

    def groups(self) -> tuple[Group, ...]:
        """All groups that have components: pieces in the order of the rules, then what stands for fields."""
        found = (*self._pieces(), *(group for field in self._model.fields for group in self._field(field)))
        return tuple(group for group in found if group.size)

    # ----------------------------------------------------------------------------------------------- pieces

    def _pieces(self) -> Iterator[Group]:
        own: dict[int, str] = {}
        for kind in sorted(self._model.kinds, key=lambda kind: -len(kind.members)):
            own |= dict.fromkeys(kind.members, kind.name)
        for kind in self._model.kinds:
            members = [piece for piece in kind.members if own[piece] == kind.name and not self._left_out(piece)]
            layout = self._layout.piece(kind.name) if members else PieceLayout("none")
            if layout.form != "none":
                width, height = self._size(layout, members[0])
                components = tuple(self._components(kind.name, layout, members))
                yield Group(kind.name, self._layout.words(kind.name), layout.form, width, height, components)

    def _left_out(self, piece: int) -> bool:
        """True of a piece without an owner at this number of players, which its name shows: `no knight`."""
        key = self._model.keys("Piece")[piece]
        ownerless = any(
            one.values[piece] is None and one.type.universe in self._layout.owners and one.type.optional
            for one in self._attributes.values()
        )
        return ownerless and key.partition(" ")[0] in ("no", "none")

    def _size(self, layout: PieceLayout, piece: int) -> tuple[float, float]:
        if layout.size is not None:
            return layout.size
        step = self._layout.step
        if mosaic := self._layout.mosaic(piece):
            side = step * round(len(mosaic) ** 0.5)
            return side, side
        if layout.form == "tile":
            return step, step * 2 / 3**0.5 if self._hexagonal(piece) else step
        return CARD if layout.form == "card" else TOKEN

    def _hexagonal(self, piece: int) -> bool:
        """True of a tile that is laid on hexes."""
        boards = self._model.boards
        return any(board.shape in ("hexes", "growing") for board in boards) and self._layout.hints.places != "square"

    def _components(self, kind: str, layout: PieceLayout, members: list[int]) -> Iterator[Component]:
        sides = next((one.sides for one in self._model.kinds if one.name == kind), ())
        faces = {piece: self._face(layout, piece, *sides[:1]) for piece in members}
        pairs: Iterable[tuple[Face, Face | None]]
        if len(sides) > 1:
            pairs = ((face, self._face(layout, piece, sides[1])) for piece, face in faces.items())
        elif layout.faces:
            equal: dict[object, list[Face]] = {}
            for piece, face in faces.items():
                equal.setdefault(self._attributes[layout.faces].values[piece], []).append(face)
            pairs = ((both[0], both[1] if len(both) > 1 else None) for both in equal.values())
        else:
            pairs = ((face, self._back(kind, layout, piece)) for piece, face in faces.items())
        yield from (Component(face, back, copies) for (face, back), copies in Counter(pairs).items())

    def _face(self, layout: PieceLayout, piece: int, side: str = "") -> Face:
        shown = self._layout
        key = self._model.keys("Piece")[piece]
        title = " ".join(filter(None, (self._text(piece, name) for name in layout.title)))
        corner = self._text(piece, layout.corner) if layout.corner else ""
        title = headed(title) or shown.title(key)
        apart = {*layout.title, layout.corner, layout.faces, *layout.lines}
        badge = self._badge(piece) if layout.form != "card" else ""
        names = layout.values if layout.values is not None else self._worth(piece, title, apart | {badge})
        values = []
        for name in names:
            held, text = self._value(piece, name), self._text(piece, name)
            if isinstance(held, str) and layout.form != "card" and self._attributes[name].type.universe.lower() == name:
                values.append((text, ""))
            elif held is not None and held is not False:
                values.append((shown.words(name), text))
        lines = [self._text(piece, name) for name in self._prose(piece) if name not in apart and layout.values is None]
        for name, line in layout.lines.items():
            if self._value(piece, name) not in (None, False, 0):
                lines.append(shown.names.phrase(line, **{name: self._text(piece, name)}))
        colour = shown.palette.colour(key)
        if key in shown.tiles:
            colour = shown.grounds[shown.tiles[key]].colour
        values += [(shown.words(side), "")] if side else []
        picture = self._picture(layout, piece, key, colour, side)
        return Face(title, corner, tuple(values), tuple(lines), picture, colour)

    def _picture(self, layout: PieceLayout, piece: int, key: str, colour: str, side: str) -> str:
        shown = self._layout
        if mosaic := shown.mosaic(piece):
            return pictures.mosaic([shown.grounds[ground] for ground in mosaic], self._pale)
        if layout.form == "tile" and key in shown.tiles:
            shape = "hexagon" if self._hexagonal(piece) else "square"
            return pictures.ground(shown.grounds[shown.tiles[key]], shape, self._pale)
        icons: list[tuple[str, int]] = []
        for tone, (name, icon) in enumerate(layout.icons.items()):
            held = self._value(piece, name)
            icons += [(icon, tone)] * (held if isinstance(held, int) else 0)
        if icons:
            return pictures.icons(icons[:_ICONS], self._pale)
        shape = shown.palette.shape(f"{key} ({side})" if side else key)
        if layout.form == "card" and shape in ("disc", "card"):
            grounds = (shown.grounds.get(str(one.values[piece])) for one in self._attributes.values())
            found = next((ground for ground in grounds if ground is not None and ground.icon != "none"), None)
            return pictures.ground(found, "square", self._pale) if found is not None else ""
        held = self._value(piece, self._badge(piece))
        badge = shown.hints.labels.get(str(held), str(held)) if held is not None else ""
        if not badge and key.rpartition(" ")[2].isdigit():
            badge = key.rpartition(" ")[2]
        return pictures.piece(shape, colour, badge[:3], self._pale)

    def _badge(self, piece: int) -> str:
        """The attribute whose value boards show on a piece; empty: none."""
        badges = self._layout.hints.badges
        hinted = (badges.get(kind.name, "") for kind in self._model.kinds if piece in kind.members)
        return next((name for name in hinted if name in self._attributes), "")

    def _back(self, kind: str, layout: PieceLayout, piece: int) -> Face | None:
        """The back that the rules declare or the layout names; cards always have one."""
        text = self._layout.names.phrase(layout.back) or self._layout.title(
            self._model.backs[piece] if self._model.backs else ""
        )
        if not text and layout.form != "card":
            return None
        # Kinds below one kind may lie in one pile: a back shows no more than that.
        root = (*self._layout.above(kind), kind)[0]
        small, large = (self._whole, text) if text else (headed(self._layout.words(root)), self._whole)
        return Face(small, corner=large, colour=self._layout.palette.colour(root))

    def _worth(self, piece: int, title: str, apart: set[str]) -> list[str]:
        """The attributes that are worth printing: what the title does not say, and does not follow from the owner."""
        found = []
        for name, one in self._attributes.items():
            held = one.values[piece]
            owner = one.type.universe in self._layout.owners
            nothing = held is None or held is False or isinstance(held, tuple)
            if name in apart or owner or nothing or name in self._prose(piece):
                continue
            text, words = self._text(piece, name).lower(), title.lower()
            if words.endswith(f" {text}") if isinstance(held, int) else text in words:
                continue
            found.append(name)
        return found

    def _prose(self, piece: int) -> list[str]:
        """The attributes with texts of several words: sentences, which stand on a card as they are."""
        texts = (one for one in self._attributes.values() if one.type.universe == "Text")
        return [one.name for one in texts if len(str(one.values[piece] or "").split()) > _NAME]

    def _value(self, piece: int, name: str) -> rw.view_model.Value:
        """The value of a piece's attribute, or of an attribute of one of its values."""
        if name in self._attributes:
            return self._attributes[name].values[piece]
        for one in self._attributes.values():
            further = self._model.attribute(one.type.universe, name) if one.type.kind == "entity" else None
            held = one.values[piece]
            if further is not None and isinstance(held, str):
                return further.values[self._model.keys(one.type.universe).index(held)]
        return None

    def _text(self, piece: int, name: str) -> str:
        held = self._value(piece, name)
        if held is None or isinstance(held, bool):
            return ""
        if name in self._prose(piece):
            return str(held)
        return ", ".join(self._layout.names.text(str(one)) for one in (held if isinstance(held, tuple) else (held,)))

    # ----------------------------------------------------------------------------------------------- fields

    def _field(self, field: rw.view_model.Field) -> Iterator[Group]:
        """Components that stand for a field: stones, walls, pawns, markers, or cards with numbers."""
        shown, model = self._layout, self._model
        layout = shown.token(field.name)
        if (layout is None and field.name in shown.hints.hides) or field.name == shown.ground:
            return
        layout = layout or TokenLayout()
        kind, universe = field.type.kind, field.type.universe
        on_place = len(field.index) == 1 and field.index[0] in shown.places
        edges = {board.edge for board in model.boards if board.edge is not None}
        owned = len(field.index) == 1 and field.index[0] in shown.owners
        figures = figures_of(shown.game)
        if on_place and kind == "entity" and (field.name in figures or names_owner(shown.game, field.type)):
            if field.name not in figures.values():
                yield self._stones(field, layout, figures.get(field.name, ""))
        elif len(field.index) == 1 and field.index[0] in edges and self._stands(field.name):
            count = min(_MOST, len(model.keys(field.index[0])) // 2)
            yield self._tokens(field, layout, count, [self._token(field.name, "bar")], "strip", (shown.step * 0.8, 5))
        elif kind == "entity" and universe in shown.places and (owned or not field.index):
            keys = model.keys(field.index[0]) if owned else [field.name]
            yield self._tokens(field, layout, 1, [self._token(key, "pawn", field.name) for key in keys])
        elif kind == "entity" and names_owner(shown.game, field.type):
            if not field.index:
                yield self._tokens(field, layout, 1, [self._token(field.name, "star")])
            elif len(field.index) == 1 and model.universes[field.index[0]].sort == "enum":
                keys = model.keys(field.index[0])
                yield self._tokens(field, layout, 1, [self._token(key, "disc", field.name) for key in keys])
        elif kind in ("set", "list") and universe == "Int" and 0 <= field.type.low <= field.type.high <= _MOST:
            if not field.index or owned:
                yield self._numbers(field, layout)
        elif shown.token(field.name) is not None:
            face = replace(self._token(field.name, "disc"), title=self._named(field.name, layout))
            yield self._tokens(field, layout, 0, [face])

    def _stands(self, name: str) -> bool:
        game = self._layout.game
        return name in (*wall_fields(game), *line_fields(game), self._layout.hints.walls.mark)

    def _stones(self, field: rw.view_model.Field, layout: TokenLayout, owner: str) -> Group:
        """Stones or figures on places: as many of each look as fill the board together."""
        looks = [(key, "") for key in self._model.keys(field.type.universe)]
        if owner:
            universe = next(other.type.universe for other in self._model.fields if other.name == owner)
            looks = [(key, whose) for whose, (key, _) in product(self._model.keys(universe), looks)]
        tokens = [self._token(key, self._layout.palette.shape(key), whose=whose) for key, whose in looks]
        places = len(self._model.keys(field.index[0]))
        return self._tokens(field, layout, min(_MOST, ceil(places / max(1, len(tokens)))), tokens)

    def _numbers(self, field: rw.view_model.Field, layout: TokenLayout) -> Group:
        """Cards with numbers: one for each number that the set may hold, for each owner."""
        name = self._named(field.name, layout)
        owners = self._model.keys(field.index[0]) if field.index else [""]
        found = []
        for owner, number in product(owners, range(field.type.low, field.type.high + 1)):
            colour = self._layout.palette.colour(owner or field.name)
            title = self._layout.title(owner) if owner else name
            picture = pictures.piece("disc", colour, str(number), self._pale)
            back = Face(self._whole, corner=title, colour=colour)
            found.append(Component(Face(title, str(number), picture=picture, colour=colour), back, 1))
        count = 1 if layout.count is None else min(1, layout.count)
        width, height = layout.size or CARD
        return Group(field.name, name, "card", width, height, tuple(found) if count else ())

    def _token(self, key: str, shape: str, of: str = "", whose: str = "") -> Face:
        palette = self._layout.palette
        colour = palette.colour(whose or key)
        label = "" if shape in ("bar", "pawn", "star") else palette.label(key)[:3]
        words = " ".join(self._layout.names.text(part) for part in (whose, key, of if of != key else "") if part)
        return Face(headed(words), picture=pictures.piece(shape, colour, label, self._pale), colour=colour)

    def _tokens(
        self,
        field: rw.view_model.Field,
        layout: TokenLayout,
        count: int,
        faces: list[Face],
        form: str = "token",
        size: tuple[float, float] = TOKEN,
    ) -> Group:
        number = count if layout.count is None else layout.count
        width, height = layout.size or size
        if layout.flips and len(faces) > 1:
            components: tuple[Component, ...] = (Component(faces[0], faces[1], number),)
        else:
            components = tuple(Component(face, None, number) for face in faces)
        return Group(field.name, self._named(field.name, layout), form, width, height, components)

    def _named(self, field: str, layout: TokenLayout) -> str:
        return headed(self._layout.names.phrase(layout.name) or self._layout.words(field))
