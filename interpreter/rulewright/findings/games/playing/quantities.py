"""Quantities of a position: how much of each field and in each zone there is, of the player to act and of the
others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TypeAlias

from rulewright.engine import Engine
from rulewright.ir import model as m
from rulewright.ir.model import NONE

Amounts: TypeAlias = tuple[tuple[int, ...], ...]
"""For each quantity its amount, or the amount of each player."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """The sum of a field, or the number of pieces in zones of one name."""

    name: str
    by_player: bool
    cells: tuple[tuple[int, ...], ...]
    """The cells that are summed: of each player, or all of them."""
    amount: Callable[[int], int]
    """The amount that a cell stands for."""
    is_number: bool = True
    """False of what may be other things when there are as many: a set, a zone."""
    holds_players: bool = False
    """True of a field that holds a player: how often each is in it counts, as that is what they have on a board."""


def quantities(engine: Engine) -> list[Quantity]:
    """All quantities of a game."""
    layout, found = engine.layout, list[Quantity]()
    players = layout.sizes["Player"]
    for declared in engine.program.fields:
        place = layout.fields[declared.name]
        if not declared.is_internal and not declared.is_record:
            keys = product(*(range(layout.sizes[universe]) for universe in declared.index))
            cells = [(key, place.at + number * place.span) for number, key in enumerate(keys)]
            of_players = declared.ty.kind == "entity" and declared.ty.universe == "Player"
            if of_players and declared.index and "Player" not in declared.index:
                everywhere = tuple(at for _, at in cells)
                found.append(Quantity(declared.name, True, (everywhere,) * players, _is_there, holds_players=True))
                continue
            if declared.ty.kind == "entity":
                continue  # another place or word is no amount
            made = _quantity(declared.name, declared.index, cells, _amount_of(declared.ty), players)
            found.append(replace(made, is_number=declared.ty.kind in ("int", "bool")))
    for zone in (zone for zone in engine.program.zones if not zone.is_internal):
        of = layout.zones[zone.name]
        instances = layout.instances[of.first : of.first + of.count]
        cells = [(instance.keys, instance.at) for instance in instances]
        amount = _itself if of.ordered else int.bit_count
        found.append(replace(_quantity(zone.name, zone.index, cells, amount, players), is_number=False))
    return found


def _quantity(
    name: str,
    index: Sequence[str],
    cells: Sequence[tuple[tuple[int, ...], int]],
    amount: Callable[[int], int],
    players: int,
) -> Quantity:
    if index.count("Player") != 1:
        return Quantity(name, False, (tuple(at for _, at in cells),), amount)
    at_player = index.index("Player")
    groups = tuple(tuple(at for key, at in cells if key[at_player] == player) for player in range(players))
    return Quantity(name, True, groups, amount)


def measured(several: Sequence[Quantity], cells: Sequence[int]) -> Amounts:
    """The amounts in a position."""
    return tuple(_held(one, cells) if one.holds_players else _summed(one, cells) for one in several)


def _summed(one: Quantity, cells: Sequence[int]) -> tuple[int, ...]:
    return tuple(sum(one.amount(cells[at]) for at in group) for group in one.cells)


def _held(one: Quantity, cells: Sequence[int]) -> tuple[int, ...]:
    return tuple(sum(cells[at] == player for at in group) for player, group in enumerate(one.cells))


def _amount_of(ty: m.Ty) -> Callable[[int], int]:
    match ty.kind:
        case "set":
            return int.bit_count
        case _:
            return _itself


def _itself(value: int) -> int:
    return 0 if value == NONE else value


def _is_there(value: int) -> int:
    return int(value != NONE)
