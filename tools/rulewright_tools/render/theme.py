"""The looks of a game's pieces: the manifest's hints, joined with what the rules say of the pieces."""

from __future__ import annotations

from dataclasses import replace

import rulewright as rw
from rulewright_tools.render.colours import Palette
from rulewright_tools.render.ground import Ground, grounds


def palette_of(game: rw.Game) -> Palette:
    """The colours, labels and shapes of a game."""
    hints = game.ruleset.manifest.draw
    owners = [key for u in game.model.universes.values() if u.sort in ("player", "party") for key in u.keys]
    return Palette(hints.colours, hints.labels, hints.shapes, _words(game, hints.colour_by), owners)


def ground_of(game: rw.Game) -> tuple[str, dict[str, Ground]]:
    """The field or printed attribute of places that tells their ground, and how each of its values looks.

    It is the hinted one, else the first field of places, or attribute, with values of an enum; empty if there is none.
    A hint may also name a printed attribute of pieces: then those that have it are :func:`tiles`.
    """
    hints = game.ruleset.manifest.draw
    wanted = hints.ground.field or hints.place_colour
    told = _enumerated_of_places(game)
    if wanted not in told:
        printed = game.model.attribute("Piece", wanted)
        told |= {wanted: printed.type} if printed is not None and _enumerated(game, printed.type) else {}
    name = wanted if wanted in told else next(iter(told), "") if not wanted else ""
    if not name:
        return "", {}
    colours = hints.colours | hints.ground.colours
    found = grounds(game.model.keys(told[name].universe), colours, hints.ground.signs, hints.ground.icons)
    words = game.ruleset.manifest.words
    return name, {key: replace(ground, name=words.get(key, "")) for key, ground in found.items()}


def _enumerated_of_places(game: rw.Game) -> dict[str, rw.view_model.ValueType]:
    """The fields and printed attributes of places with values of an enum."""
    model = game.model
    places = {model.board.place} if model.board else set()
    told = {field.name: field.type for field in model.fields if len(field.index) == 1 and field.index[0] in places}
    told |= {one.name: one.type for one in model.attributes if one.universe in places}
    return {name: type for name, type in told.items() if _enumerated(game, type)}


def _enumerated(game: rw.Game, type: rw.view_model.ValueType) -> bool:
    """True if values are of an enum."""
    if type.kind != "entity":
        return False
    universe = game.model.universes.get(type.universe)
    return universe is not None and universe.sort == "enum"


def tiles(game: rw.Game, ground: str) -> dict[str, str]:
    """Keys of the pieces that are ground where they lie, such as landscapes that are laid, and what ground they are."""
    printed = game.model.attribute("Piece", ground) if ground else None
    found: dict[str, str] = {}
    if printed is not None and printed.type.kind == "entity":
        for key, value in zip(game.model.keys("Piece"), printed.values, strict=True):
            if isinstance(value, str):
                found.setdefault(key, value)
    return found


def wall_fields(game: rw.Game) -> tuple[str, ...]:
    """The truths about edges that are drawn as walls: the hinted one, else all."""
    edge = game.model.board.edge if game.model.board else None
    found = tuple(f.name for f in game.model.fields if f.type.kind == "bool" and f.index == (edge,))
    wanted = game.ruleset.manifest.draw.walls.field
    return tuple(name for name in found if name == wanted or not wanted)


def piece_keys(game: rw.Game) -> list[str]:
    """All keys that can lie on the board: of pieces, and of the seats, which fields may name."""
    pieces = set(game.model.keys("Piece"))
    return [*sorted(pieces), *(seat for seat in game.seats if seat not in pieces)]


def _words(game: rw.Game, colour_by: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """For each key of a piece the words that hints may use: its colour-giving attribute, its kinds."""
    model = game.model
    kinds: dict[str, tuple[str, ...]] = {}
    values: dict[str, str] = {}
    # Kinds below others have fewer members: they come last, and what is said of the others holds for them, too.
    for kind in sorted(model.kinds, key=lambda kind: -len(kind.members)):
        attribute = model.attribute("Piece", colour_by.get(kind.name, ""))
        for number in kind.members:
            key = model.keys("Piece")[number]
            if kind.name not in kinds.get(key, ()):
                kinds[key] = (kind.name, kind.name.lower(), *kinds.get(key, ()))
            value = attribute.values[number] if attribute is not None else None
            if isinstance(value, str):
                values[key] = value
    return {key: ((values[key],) if key in values else ()) + words for key, words in kinds.items()}
