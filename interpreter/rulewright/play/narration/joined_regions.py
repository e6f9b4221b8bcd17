"""Regions that have become one, in the view before: what lies in them has not moved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rulewright.play.view_model import GameModel


def joined(model: GameModel, before: Mapping[str, Any], now: Mapping[str, Any]) -> Mapping[str, Any]:
    """The earlier of two views with its zones of regions as if these had been one already."""
    names = {name: _names(parts, now["regions"][name]) for name, parts in before["regions"].items()}
    zones = dict(before["zones"])
    for zone in model.zones:
        if len(zone.index) == 1 and names.get(zone.index[0]) and zone.name in zones:
            zones[zone.name] = _renamed(zones[zone.name], names[zone.index[0]])
    return {**before, "zones": zones}


def _names(parts: Iterable[list[str]], regions: Iterable[list[str]]) -> dict[str, str]:
    """For each region that has gone, that of which it is a part now; a region is called after its first place."""
    heads = {place: region[0] for region in regions for place in region}
    return {part[0]: heads[part[0]] for part in parts if heads.get(part[0], part[0]) != part[0]}


def _renamed(rows: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for row, held in rows["values"].items():
        name = names.get(row, row)
        values[name] = _together(values[name], held) if name in values else held
    hidden = [names.get(row, row) for row in rows.get("hidden", ())]
    return {**rows, "values": values, **({"hidden": list(dict.fromkeys(hidden))} if hidden else {})}


def _together(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """The contents of two zones, as they would be seen in one."""
    found = {**one, "count": one["count"] + other["count"]}
    if "pieces" in one or "pieces" in other:
        found["pieces"] = [*_pieces(one), *_pieces(other)]
    if "backs" in one or "backs" in other:
        found["backs"] = _backs(one.get("backs"), other.get("backs"))
    return found


def _pieces(held: Mapping[str, Any]) -> list[Any]:
    return held.get("pieces") or [{}] * held["count"]


def _backs(one: Any, other: Any) -> Any:
    if isinstance(one or other, list):
        return [*(one or []), *(other or [])]
    both = [*(one or {}).items(), *(other or {}).items()]
    return {back: sum(number for name, number in both if name == back) for back, _ in both}
