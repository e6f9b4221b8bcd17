"""From what zones have lost and gained to moves: first what cannot be otherwise, then what is likely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rulewright.engine import State
from rulewright.engine.hidden_information.visibility import contained, seen
from rulewright.foundation.bit_sets import bits_of
from rulewright.play.view_model import GameModel, Zone


class Look(NamedTuple):
    """The look of a piece in a view."""

    key: str
    """The piece, or one like it; empty if its face is not seen."""
    name: str
    """Name with its side, as lines have it."""
    down: bool = False
    """True if it is known and lies face down."""


Count = dict[str, Counter[Look]]
"""The number of pieces of each look in each zone."""


@dataclass(frozen=True, slots=True)
class Hiding:
    """The keys of pieces that may lie hidden in zones: none but these can be one of their backs."""

    keys: Mapping[str, frozenset[str]]

    def may(self, key: str, zone: str) -> bool:
        """True if a piece of this key may lie hidden there."""
        return key in self.keys[zone]

    def share(self, one: str, other: str) -> bool:
        """True if a piece may lie hidden in both zones."""
        return not self.keys[one].isdisjoint(self.keys[other])

    def narrower(self, one: str, other: str) -> bool:
        """True if one zone shows more about what lies there than the other."""
        return len(self.keys[one]) <= len(self.keys[other])


@dataclass(frozen=True, slots=True)
class MoveEvent:
    """Pieces that have gone from one zone to another, or look otherwise where they lie."""

    count: Counter[Look]
    origin: str
    target: str
    turned: Counter[Look] = field(default_factory=Counter)
    """Looks of the pieces now, if they have only been turned."""


def moves(lost: Count, gained: Count, uncounted: Collection[str], hiding: Hiding, unseen: str) -> Iterator[MoveEvent]:
    """The moves that lead from the one to the other. Both are used up. What was known to lie in a zone that is not
    counted, and has not come out of it in sight, is only not known any more."""
    yield from _same_look(lost, gained, known=True)
    for zone in uncounted:
        lost.pop(zone, None)
    _forget(lost, gained)
    yield from _turned(lost, gained)
    yield from _other_side_up(lost, gained)
    yield from _between_known_and_hidden(lost, gained, hiding)
    yield from _same_look(lost, gained, known=False)
    yield from _both_hidden(lost, gained, hiding)
    for zone, count in lost.items():
        yield MoveEvent(count, zone, unseen)
    for zone, count in gained.items():
        yield MoveEvent(count, unseen, zone)


def _take(counts: Count, zone: str, taken: Counter[Look]) -> None:
    counts[zone] -= taken
    if not counts[zone]:
        del counts[zone]


def _same_look(lost: Count, gained: Count, known: bool) -> Iterator[MoveEvent]:
    """Pieces that look alike before and after, if it is clear from where to where they have gone."""
    for look in dict.fromkeys(look for count in lost.values() for look in count if bool(look.key) is known):
        origins = [zone for zone, count in lost.items() if look in count]
        targets = [zone for zone, count in gained.items() if look in count]
        if len(origins) > 1 and len(targets) > 1:
            went, came = sum(lost[z][look] for z in origins), sum(gained[z][look] for z in targets)
            if went == came:
                yield MoveEvent(Counter({look: went}), ", ".join(origins), ", ".join(targets))
                for counts, zones in ((lost, origins), (gained, targets)):
                    for zone in zones:
                        _take(counts, zone, Counter({look: counts[zone][look]}))
            continue
        for origin in origins:
            for target in (zone for zone in targets if zone != origin):
                number = min(lost.get(origin, Counter())[look], gained.get(target, Counter())[look])
                if number:
                    yield MoveEvent(Counter({look: number}), origin, target)
                    _take(lost, origin, Counter({look: number}))
                    _take(gained, target, Counter({look: number}))


def _forget(lost: Count, gained: Count) -> None:
    """Pieces that were known face down and are not any more, where some lie unknown instead: one of several has gone,
    and the reader does not know which."""
    for zone in [zone for zone in lost if zone in gained]:
        known = Counter({look: number for look, number in lost[zone].items() if look.down})
        hidden = [look for look in gained[zone] if not look.key]
        if known and len(hidden) == 1:
            lost[zone] = lost[zone] - known + Counter({hidden[0]: known.total()})
            both = lost[zone] & Counter({hidden[0]: gained[zone][hidden[0]]})
            _take(lost, zone, both)
            _take(gained, zone, both)


def _turned(lost: Count, gained: Count) -> Iterator[MoveEvent]:
    """Pieces that look otherwise where they lie: with another side up, revealed, or hidden."""
    for zone in [zone for zone in lost if zone in gained]:
        was, now = Counter[Look](), Counter[Look]()
        for look in lost[zone].elements():
            found = next((one for one in (gained[zone] - now).elements() if _could_be(look, one)), None)
            if found is not None:
                was[look] += 1
                now[found] += 1
        if was:
            yield MoveEvent(was, zone, zone, now)
            _take(lost, zone, was)
            _take(gained, zone, now)


def _could_be(one: Look, other: Look) -> bool:
    """True if one piece may look like this first and then like that: a piece does not become another."""
    same = one.key == other.key if one.key and other.key else bool(one.key or other.key)
    return same and one != other


def _other_side_up(lost: Count, gained: Count) -> Iterator[MoveEvent]:
    """Pieces that have been turned on the way, as they look now."""
    for target in list(gained):
        for look in [look for look in gained[target] if look.key]:
            others = ((zone, count) for zone, count in lost.items() if zone != target)
            origins = [(zone, one) for zone, count in others for one in count if one.key == look.key]
            if len(origins) == 1 and lost[origins[0][0]][origins[0][1]] >= gained[target][look]:
                (origin, one), number = origins[0], gained[target][look]
                yield MoveEvent(Counter({look: number}), origin, target)
                _take(lost, origin, Counter({one: number}))
                _take(gained, target, Counter({look: number}))


def _between_known_and_hidden(lost: Count, gained: Count, hiding: Hiding) -> Iterator[MoveEvent]:
    """Pieces that are seen on one side only, if it is clear from where to where they have gone. What is clear of some
    may leave only one way for others."""
    while True:
        found = _one_way(lost, gained, hiding)
        if found:
            yield from (MoveEvent(seen, zone, there) for zone, there, seen in found)
        elif found := _one_way(gained, lost, hiding):
            yield from (MoveEvent(seen, there, zone) for zone, there, seen in found)
        else:
            return


def _one_way(counts: Count, others: Count, hiding: Hiding) -> list[tuple[str, str, Counter[Look]]]:
    """Pieces seen in some zones for which there are enough hidden ones in certain others, and nowhere else: with where
    they are seen and where not. Of those that may lie in several zones all must be needed."""
    hidden = {other: [look for look in count if not look.key] for other, count in others.items()}
    wanted: dict[tuple[str, ...], Count] = {}
    for zone, count in counts.items():
        for look in (look for look in count if look.key):
            there = tuple(other for other, backs in hidden.items() if backs and hiding.may(look.key, other))
            wanted.setdefault(there, {}).setdefault(zone, Counter())[look] = count[look]
    for there in sorted(filter(None, wanted), key=len):
        seen = wanted[there]
        number = sum(count.total() for count in seen.values())
        if any(len(hidden[other]) > 1 for other in there):
            continue  # their backs differ, and it is not known what shows which
        backs = {other: Counter({look: others[other][look] for look in hidden[other]}) for other in there}
        left = sum(count.total() for count in backs.values()) - number
        if left < 0 or (len(there) > 1 and (left > 0 or len(seen) > 1)):
            continue
        for zone, count in seen.items():
            _take(counts, zone, count)
        for other, count in backs.items():
            _take(others, other, Counter({hidden[other][0]: count.total() - left}))
        return [(zone, ", ".join(there), count) for zone, count in seen.items()]
    return []


def _both_hidden(lost: Count, gained: Count, hiding: Hiding) -> Iterator[MoveEvent]:
    """Hidden pieces that are called otherwise where they have come to, if they can have gone but one way."""
    for origin in list(lost):
        looks = [look for look in lost[origin] if not look.key]
        targets = [zone for zone in _with_hidden(gained) if hiding.share(origin, zone)]
        if len(looks) != 1 or len(targets) != 1:
            continue
        (look,), (target,) = looks, targets
        backs = [back for back in gained[target] if not back.key]
        rivals = [zone for zone in _with_hidden(lost) if hiding.share(zone, target)]
        number = lost[origin][look]
        if len(backs) == 1 and rivals == [origin] and gained[target][backs[0]] >= number:
            shown = look if hiding.narrower(origin, target) else backs[0]
            yield MoveEvent(Counter({shown: number}), origin, target)
            _take(lost, origin, Counter({look: number}))
            _take(gained, target, Counter({backs[0]: number}))


def _with_hidden(counts: Count) -> Iterator[str]:
    return (zone for zone, count in counts.items() if any(not look.key for look in count))


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
        for name, instance, (was, shown) in zip(layout.row_keys(declared.index), instances, rows, strict=True):
            if "face" in was and "face" in shown:
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
    """Exchanges of one zone, by its keys."""
    return {row: count for (name, row), count in found.items() if name == zone.name}


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
