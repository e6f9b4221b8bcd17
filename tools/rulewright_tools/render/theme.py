"""What the pieces of a game look like: the manifest's hints, joined with what the rules say of the pieces."""

from __future__ import annotations

import rulewright as rw
from rulewright_tools.render.colours import Palette
from rulewright_tools.render.ground import Ground, grounds


def palette_of(game: rw.Game) -> Palette:
    """The colours, labels and shapes of a game."""
    hints = game.ruleset.manifest.draw
    return Palette(hints.colours, hints.labels, hints.shapes, _words(game, hints.colour_by))


def ground_of(game: rw.Game) -> tuple[str, dict[str, Ground]]:
    """The field or printed attribute of places that tells their ground, and how each of its values looks.

    It is the hinted one, else the first field of places, or attribute, with values of an enum; empty if there is none.
    A hint may also name a printed attribute of pieces: then those that have it are :func:`tiles`.
    """
    program = game.program
    hints = game.ruleset.manifest.draw
    enums = {universe.name: universe for universe in program.universes if universe.sort == "enum"}
    places = {graph.place for graph in program.graphs[:1]}
    printed = [table for table in program.tables if table.universe in places and table.ty.kind == "entity"]
    told = {field.name: field.ty for field in program.fields if len(field.index) == 1 and field.index[0] in places}
    told = told | {table.name.rpartition(".")[2]: table.ty for table in printed}
    told = {name: ty for name, ty in told.items() if ty.kind == "entity" and ty.universe in enums}
    wanted = hints.ground.field or hints.place_colour
    if wanted not in told:
        told |= {name: t.ty for t in program.tables for name in [wanted] if t.name == f"Piece.{name}"}
        told = {name: ty for name, ty in told.items() if ty.kind == "entity" and ty.universe in enums}
    name = wanted if wanted in told else next(iter(told), "") if not wanted else ""
    if not name:
        return "", {}
    colours = hints.colours | hints.ground.colours
    return name, grounds(enums[told[name].universe].keys, colours, hints.ground.signs, hints.ground.icons)


def tiles(game: rw.Game, ground: str) -> dict[str, str]:
    """Keys of the pieces that are ground where they lie, such as landscapes that are laid, and what ground they are."""
    universes = {universe.name: universe for universe in game.program.universes}
    found: dict[str, str] = {}
    for table in game.program.tables:
        if ground and table.name == f"Piece.{ground}" and table.ty.kind == "entity":
            values = universes[table.ty.universe].keys
            for key, value in zip(universes["Piece"].keys, table.values, strict=True):
                if isinstance(value, int) and 0 <= value < len(values):
                    found.setdefault(key, values[value])
    return found


def wall_fields(game: rw.Game) -> tuple[str, ...]:
    """The truths about edges that are drawn as walls: the hinted one, else all."""
    edges = {graph.edge for graph in game.program.graphs[:1]}
    found = tuple(
        f.name for f in game.program.fields if f.ty.kind == "bool" and len(f.index) == 1 and f.index[0] in edges
    )
    wanted = game.ruleset.manifest.draw.walls.field
    return tuple(name for name in found if name == wanted or not wanted)


def piece_keys(game: rw.Game) -> list[str]:
    """All keys that can lie on the board: of pieces, and of the seats, which fields may name."""
    pieces = {key for universe in game.program.universes if universe.sort == "piece" for key in universe.keys}
    return [*sorted(pieces), *(seat for seat in game.seats if seat not in pieces)]


def _words(game: rw.Game, colour_by: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """For each key of a piece the words that hints may use for it: its colour-giving attribute, its kind."""
    program = game.program
    universes = {universe.name: universe for universe in program.universes}
    tables = {table.name: table for table in program.tables}
    found: dict[str, tuple[str, ...]] = {}
    # Kinds below others have fewer members: the last one written is the closest.
    for kind in sorted(program.kinds, key=lambda kind: -kind.members.bit_count()):
        attribute = tables.get(f"Piece.{colour_by.get(kind.name, '')}")
        values = universes.get(attribute.ty.universe) if attribute is not None else None
        for number, key in enumerate(universes["Piece"].keys):
            if not kind.members >> number & 1:
                continue
            words = [kind.name, kind.name.lower()]
            if attribute is not None and values is not None:
                value = attribute.values[number]
                if isinstance(value, int) and 0 <= value < values.size:
                    words.insert(0, values.keys[value])
            found[key] = tuple(words)
    return found
