"""Pieces that have left a zone before the reader's eyes while alike ones have come: no view shows a difference."""

from __future__ import annotations

from collections import Counter

from rulewright.engine import State
from rulewright.engine.cells.player_memory import bits_of
from rulewright.engine.hidden_information.visibility import contained, seen
from rulewright.play.view_model import Zone

Exchanges = dict[tuple[str, str], Counter[str]]
"""The keys of such pieces, for each zone by its name and its keys as a view joins them."""


def alike_exchanges(before: State, now: State, viewer: int | None) -> Exchanges:
    """The exchanges in all zones of which the reader sees the faces before and after."""
    layout, found = now.engine.layout, Exchanges()
    if "Piece" not in layout.universes or now.engine.one_of_a_kind:
        return found
    keys = layout.universes["Piece"].keys
    for declared in now.engine.program.zones:
        place = layout.zones[declared.name]
        cells = slice(place.at, place.at + place.span * place.count)
        if before.cells[cells] == now.cells[cells]:
            continue
        instances = layout.instances[place.first : place.first + place.count]
        rows = zip(seen(before, declared, viewer).rows, seen(now, declared, viewer).rows, strict=True)
        for name, instance, (was, told) in zip(layout.row_keys(declared.index), instances, rows, strict=True):
            if "face" in was and "face" in told:
                there, here = contained(before.cells, instance), contained(now.cells, instance)
                gone, come = there & ~here, here & ~there
                if not gone or not come:
                    continue
                alike = Counter(keys[piece] for piece in bits_of(gone)) & Counter(
                    keys[piece] for piece in bits_of(come)
                )
                if alike:
                    found[declared.name, name if declared.index else ""] = alike
    return found


def exchanged(zone: Zone, found: Exchanges) -> dict[str, Counter[str]]:
    """Those of one zone, by its keys."""
    return {row: count for (name, row), count in found.items() if name == zone.name}
