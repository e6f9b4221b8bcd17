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
    """The field or printed attribute of places that is their ground, and how each of its values looks.

    It is the hinted one, else the first field of places, or attribute, with values of an enum; empty if there is none.
    A hint may also name a printed attribute of pieces: then those that have it are :func:`tiles`.
    """
    hints = game.ruleset.manifest.draw
    wanted = hints.ground.field or hints.place_colour
    candidates = _enumerated_of_places(game)
    if wanted not in candidates:
        printed = game.model.attribute("Piece", wanted)
        candidates |= {wanted: printed.type} if printed is not None and _enumerated(game, printed.type) else {}
    name = wanted if wanted in candidates else next(iter(candidates), "") if not wanted else ""
    if not name:
        return "", {}
    colours = hints.colours | hints.ground.colours
    found = grounds(game.model.keys(candidates[name].universe), colours, hints.ground.signs, hints.ground.icons)
    words = game.ruleset.manifest.words
    return name, {key: replace(ground, name=words.get(key, "")) for key, ground in found.items()}


def _enumerated_of_places(game: rw.Game) -> dict[str, rw.view_model.ValueType]:
    """The fields and printed attributes of places with values of an enum."""
    model = game.model
    places = {board.place for board in model.boards}
    types = {field.name: field.type for field in model.fields if len(field.index) == 1 and field.index[0] in places}
    types |= {one.name: one.type for one in model.attributes if one.universe in places}
    figures = figures_of(game)
    return {name: type for name, type in types.items() if name not in figures and _enumerated(game, type)}


def figures_of(game: rw.Game) -> dict[str, str]:
    """Fields of places whose values are figures, each with the field of places that holds their owners.

    They are the hinted ones. Without a hint about figures or grounds it is the one field of places whose value is of an
    enum or none, if one field of places holds the owner of what stands there, or none.
    """
    hints, model = game.ruleset.manifest.draw, game.model
    if hints.figures or hints.ground.field or hints.place_colour:
        return hints.figures
    places = [(board.place,) for board in model.boards]
    candidates = [field for field in model.fields if field.index in places and field.type.optional]
    figures = [field.name for field in candidates if _enumerated(game, field.type)]
    owners = [field.name for field in candidates if names_owner(game, field.type)]
    return {figures[0]: owners[0]} if len(figures) == len(owners) == 1 else {}


def names_owner(game: rw.Game, type: rw.view_model.ValueType) -> bool:
    """True if a value is a seat or a party."""
    universe = game.model.universes.get(type.universe) if type.kind == "entity" else None
    return universe is not None and universe.sort in ("player", "party")


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
    """The truths about edges that are drawn as walls: the hinted one, else all that are not lines."""
    edges = [(board.edge,) for board in game.model.boards if board.edge is not None]
    hidden = game.ruleset.manifest.draw.hides
    candidates = (f for f in game.model.fields if f.type.kind == "bool" and f.index in edges)
    found = tuple(f.name for f in candidates if f.name not in hidden)
    wanted, lines = game.ruleset.manifest.draw.walls.field, line_fields(game)
    return tuple(name for name in found if name == wanted or (not wanted and name not in lines))


def line_fields(game: rw.Game) -> tuple[str, ...]:
    """The fields of edges that are drawn as lines from place to place: truths, and whose an edge is.

    It is the hinted one; without a hint about edges all of them on maps whose places do not touch.
    """
    hints = game.ruleset.manifest.draw
    shapes = {board.edge: board.shape for board in game.model.boards if board.edge is not None}
    fields = [field for field in game.model.fields if len(field.index) == 1 and field.name not in hints.hides]
    candidates = [field for field in fields if field.type.kind == "bool" or names_owner(game, field.type)]
    found = [(field.name, shapes[field.index[0]]) for field in candidates if field.index[0] in shapes]
    if hints.links.field or hints.walls.field or hints.walls.mark:
        return tuple(name for name, _ in found if name == hints.links.field)
    return tuple(name for name, shape in found if shape in ("graph", "ring"))


def piece_keys(game: rw.Game) -> list[str]:
    """All keys that can lie on the board: of pieces and figures, and of the seats, which fields may name."""
    pieces = set(game.model.keys("Piece"))
    for field in game.model.fields:
        if field.name in figures_of(game):
            pieces.update(game.model.keys(field.type.universe))
    return [*sorted(pieces), *(seat for seat in game.seats if seat not in pieces)]


def _words(game: rw.Game, colour_by: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """For each key of a piece the words that hints may use: its colour-giving attribute, its kinds."""
    model = game.model
    kinds: dict[str, tuple[str, ...]] = {}
    values: dict[str, str] = {}
    # Kinds below others have fewer members: they come last, and what holds for the others holds for them, too.
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
