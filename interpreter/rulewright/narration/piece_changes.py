"""Moves of pieces between two views of the same reader.

A view counts what lies in each zone: pieces by their faces, where these are seen, else by their backs. The moves are
what leads from one count to the other. Nothing is told of which of several alike pieces has gone where.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from rulewright.narration.words import ARROW, pieces_words, several, zone_words
from rulewright.view_model import GameModel, Zone

UNSEEN = "unseen"


class Look(NamedTuple):
    """The look of a piece in a view."""

    known: bool
    """True if its face is seen."""
    name: str


@dataclass(frozen=True, slots=True)
class _Move:
    look: Look
    count: int
    origin: str
    target: str


Looks = dict[str, tuple[Look, ...]]
"""The pieces of each zone by its name, in their order."""


def piece_changes(
    model: GameModel, before: Mapping[str, Any], now: Mapping[str, Any], hides: tuple[str, ...]
) -> list[str]:
    """The sentences on all zones of two views, but for those that the ruleset hides."""
    was, told = Looks(), Looks()
    for zone in model.zones:
        if zone.name not in hides:
            _changed(model, zone, before["zones"].get(zone.name), now["zones"].get(zone.name), was, told)
    lost, gained = _differences(was, told), _differences(told, was)
    moves = [*_same_look(lost, gained), *_turned(lost, gained), *_other_look(lost, gained)]
    together: dict[tuple[str, str], list[str]] = {}
    for move in moves:
        together.setdefault((move.origin, move.target), []).append(pieces_words(move.look.name, move.count))
    found = [f"{several(names)}: {origin} {ARROW} {target}" for (origin, target), names in together.items()]
    return [*found, *_reordered(model, was, told)]


def _changed(model: GameModel, zone: Zone, before: Any, now: Any, was: Looks, told: Looks) -> None:
    """Note how a zone, or those of its keys, did look and look now, where the views differ."""
    if before == now:
        return
    kind = zone.kinds[0].lower() if len(zone.kinds) == 1 else "piece"
    for view, looks in ((before, was), (now, told)):
        if view is None:
            continue
        other = now if view is before else before
        if not zone.index:
            looks[zone_words(zone.name, (), (), model.universes)] = _in_zone(view, kind)
            continue
        for row, held in view["values"].items():
            if other is None or other["values"].get(row) != held:
                name = zone_words(zone.name, zone.index, _keys(model, zone.index, row), model.universes)
                looks[name] = _in_zone(held, kind)


def _keys(model: GameModel, index: tuple[str, ...], row: str) -> tuple[str, ...]:
    """The keys of a zone, which a view joins by commas; keys may have commas, too."""
    if len(index) == 1:
        return (row,)
    for key in model.keys(index[0]):
        if row.startswith(f"{key}, "):
            return (key, *_keys(model, index[1:], row[len(key) + 2 :]))
    return (row,)


def _in_zone(entry: Mapping[str, Any], kind: str) -> tuple[Look, ...]:
    backs = entry.get("backs", [])
    shown = iter(backs if isinstance(backs, list) else [back for back, n in backs.items() for _ in range(n)])
    pieces = entry.get("pieces", [{}] * entry["count"])
    return tuple(_known(piece) if "key" in piece else _hidden(kind, next(shown, "")) for piece in pieces)


def _known(piece: Mapping[str, Any]) -> Look:
    side = f" ({piece['side']})" if piece.get("side") else ""
    return Look(True, f"{piece['key']}{side}{' (face down)' if piece.get('down') else ''}")


def _hidden(kind: str, back: str) -> Look:
    return Look(False, f"{kind} face down{f' ({back})' if back else ''}")


Count = dict[str, Counter[Look]]
"""The number of pieces of each look in each zone."""


def _differences(one: Looks, other: Looks) -> Count:
    found = {zone: Counter(looks) - Counter(other.get(zone, ())) for zone, looks in one.items()}
    return {zone: count for zone, count in found.items() if count}


def _take(counts: Count, zone: str, look: Look, number: int) -> None:
    counts[zone][look] -= number
    if not counts[zone][look]:
        del counts[zone][look]
    if not counts[zone]:
        del counts[zone]


def _same_look(lost: Count, gained: Count) -> Iterator[_Move]:
    """Pieces that look alike before and after, if it is clear from where to where they have gone."""
    for look in dict.fromkeys(look for count in lost.values() for look in count):
        origins = [zone for zone, count in lost.items() if look in count]
        targets = [zone for zone, count in gained.items() if look in count]
        if len(origins) > 1 and len(targets) > 1:
            went, came = sum(lost[z][look] for z in origins), sum(gained[z][look] for z in targets)
            if went == came:
                yield _Move(look, went, several(origins), several(targets))
                for counts, zones in ((lost, origins), (gained, targets)):
                    for zone in zones:
                        _take(counts, zone, look, counts[zone][look])
            continue
        for origin in origins:
            for target in targets:
                number = min(lost.get(origin, Counter())[look], gained.get(target, Counter())[look])
                if number:
                    yield _Move(look, number, origin, target)
                    _take(lost, origin, look, number)
                    _take(gained, target, look, number)


def _turned(lost: Count, gained: Count) -> Iterator[_Move]:
    """Pieces that look otherwise where they lie: turned over, revealed, or hidden."""
    for zone in [zone for zone in lost if zone in gained]:
        was, now = lost[zone], gained[zone]
        if was.total() == now.total():
            yield _Move(Look(True, f"in {zone}: {_listed(was)}"), 1, "", _listed(now))
            del lost[zone], gained[zone]


def _listed(count: Counter[Look]) -> str:
    return several([pieces_words(look.name, n) for look, n in count.items()])


def _other_look(lost: Count, gained: Count) -> Iterator[_Move]:
    """Pieces whose face is seen on one side only, if it is clear from where to where; else how they come and go."""
    one_way = len(lost) == 1 or len(gained) == 1
    if one_way and sum(c.total() for c in lost.values()) == sum(c.total() for c in gained.values()):
        for zone, count in (gained if len(lost) == 1 else lost).items():
            other = next(iter((lost if len(lost) == 1 else gained).values()))
            better = other if not any(look.known for look in count) and other.total() == count.total() else count
            for look, number in better.items():
                if len(lost) == 1:
                    yield _Move(look, number, next(iter(lost)), zone)
                else:
                    yield _Move(look, number, zone, next(iter(gained)))
        return
    for zone, count in lost.items():
        yield from (_Move(look, number, zone, UNSEEN) for look, number in count.items())
    for zone, count in gained.items():
        yield from (_Move(look, number, UNSEEN, zone) for look, number in count.items())


def _reordered(model: GameModel, was: Looks, now: Looks) -> Iterator[str]:
    """Stacks and rows that hold the same in another order."""
    for zone, looks in now.items():
        before = was.get(zone, ())
        if before != looks and Counter(before) == Counter(looks) and any(zone.startswith(x) for x in _ordered(model)):
            yield f"{zone} in another order: {several([look.name for look in looks])}"


def _ordered(model: GameModel) -> list[str]:
    return [zone_words(zone.name, (), (), model.universes) for zone in model.zones if zone.ordered]
