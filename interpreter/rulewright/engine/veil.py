"""Forgetting what a player does not see, before he looks ahead."""

from __future__ import annotations

from rulewright.engine.dice import Dice
from rulewright.engine.knowledge import contents, seen
from rulewright.engine.machine import Engine
from rulewright.engine.snapshot import Snapshot
from rulewright.engine.support import bits_of
from rulewright.program import model as m
from rulewright.program.model import Field, Zone


def veiled(state: Snapshot, player: int, dice: Dice) -> list[int]:
    """The cells of a position that could as well be the true one for a player.

    Pieces whose faces he does not see change places at random with others of their kind that he does not see, so what
    he finds out in this position about a hand or a deck is made up. Fields that he does not see have their first value.
    """
    engine = state.engine
    layout, program = engine.layout, engine.program
    C = list(state.cells)
    for field in program.fields:
        if _public(engine, field):
            continue
        place = layout.fields[field.name]
        for number, facets in enumerate(seen(state, field, player)):
            if "face" not in facets:
                at = place.at + number * place.span
                C[at : at + place.span] = layout.initial[at : at + place.span]
    hidden: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    down = C[layout.down] if layout.down >= 0 else 0
    for zone in program.zones:
        if _public(engine, zone):
            continue
        for number, facets in enumerate(seen(state, zone, player), layout.zones[zone.name].first):
            if "face" in facets:
                continue
            for piece in contents(C, layout.instances[number]):
                if not zone.faced or down >> piece & 1:
                    hidden.setdefault(zone.kinds, []).append((number, piece))
    for places in hidden.values():
        order = dice.some(len(places), len(places))
        _deal(state, C, [number for number, _ in places], [p for _, p in places], [places[i][1] for i in order])
    return C


def _public(engine: Engine, declared: Field | Zone) -> bool:
    """Whether everybody always sees all of it."""
    everyone = m.Const((1 << engine.layout.sizes["Player"]) - 1)
    return any(audience.facet in ("all", "face") and audience.by == everyone for audience in declared.audiences)


def _deal(state: Snapshot, C: list[int], zones: list[int], gone: list[int], come: list[int]) -> None:
    """In the places of some pieces now lie others of them."""
    layout = state.engine.layout
    turned = dict(zip(gone, come, strict=True))
    for number in dict.fromkeys(zones):
        instance = layout.instances[number]
        at = instance.at
        if instance.ordered:
            end = at + 1 + C[at]
            C[at + 1 : end] = [turned.get(piece, piece) for piece in C[at + 1 : end]]
        else:
            mask = 0
            for piece in bits_of(C[at]):
                mask |= 1 << turned.get(piece, piece)
            C[at] = mask
    before = list(C[layout.loc : layout.loc + layout.pieces])
    sides = [C[layout.side + piece] for piece in gone] if layout.sided else []
    down = C[layout.down] if layout.down >= 0 else 0
    for number, (old, new) in enumerate(zip(gone, come, strict=True)):
        C[layout.loc + new] = before[old]
        if layout.sided:
            C[layout.side + new] = sides[number]
        if layout.down >= 0:
            C[layout.down] = C[layout.down] & ~(1 << new) | (down >> old & 1) << new
