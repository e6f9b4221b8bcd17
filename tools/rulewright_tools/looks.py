"""What the pieces of a game look like: the manifest's hints, joined with what the rules say of the pieces."""

from __future__ import annotations

import rulewright as rw
from rulewright_tools.colours import Palette


def palette_of(game: rw.Game) -> Palette:
    """The colours, labels and shapes of a game."""
    hints = game.ruleset.manifest.draw
    return Palette(hints.colours, hints.labels, hints.shapes, _words(game, hints.colour_by))


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
