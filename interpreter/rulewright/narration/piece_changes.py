"""Moves of pieces between two views of the same reader.

A view counts what lies in each zone: pieces by their faces, where these are seen, else by their backs. The moves are
what leads from one count to the other. Nothing is told of which of several alike pieces has gone where.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from rulewright.narration.piece_moves import Look, Move, moves
from rulewright.narration.words import ARROW, Wording
from rulewright.view_model import Zone

Looks = dict[str, tuple[Look, ...]]
"""The pieces of each zone by its name, in their order."""


def piece_changes(
    wording: Wording,
    before: Mapping[str, Any],
    now: Mapping[str, Any],
    passing: Collection[str],
    hides: Collection[str],
) -> list[str]:
    """The sentences on all zones of two views. Zones that are `passing` are only told where pieces come from another
    or go to another."""
    found = _Zones(wording, before, now, passing, hides)
    together: dict[tuple[str, str], list[str]] = {}
    sentences = []
    for move in moves(found.lost(), found.gained(), wording.phrase("unseen")):
        if {move.origin, move.target} <= found.passing | {wording.phrase("unseen")}:
            continue
        if move.turned:
            sentences.append(f"{move.origin}: {found.listed(move.count)} {ARROW} {found.listed(move.turned)}")
        else:
            names = together.setdefault((move.origin, move.target), [])
            names += [wording.pieces(look.name, number) for look, number in move.count.items()]
    sentences += [
        f"{wording.several(names)}: {origin} {ARROW} {target}" for (origin, target), names in together.items()
    ]
    return [*sentences, *found.reordered()]


class _Zones:
    """The zones in which two views differ."""

    def __init__(
        self,
        wording: Wording,
        before: Mapping[str, Any],
        now: Mapping[str, Any],
        passing: Collection[str],
        hides: Collection[str],
    ) -> None:
        self.wording = wording
        self.was, self.now = Looks(), Looks()
        self.passing = set[str]()
        self._ordered = set[str]()
        for zone in wording.model.zones:
            if zone.name not in hides:
                self._compare(zone, before["zones"].get(zone.name), now["zones"].get(zone.name), zone.name in passing)
        self._shifted = self._find_shifted()

    def _compare(self, zone: Zone, before: Any, now: Any, passing: bool) -> None:
        """Note how a zone, or those of its keys, did look and look now, where the views differ."""
        if before == now:
            return
        kind = self.wording.title(zone.kinds[0].lower() if len(zone.kinds) == 1 else "piece")
        for view, looks in ((before, self.was), (now, self.now)):
            if view is None:
                continue
            other = now if view is before else before
            rows = view["values"].items() if zone.index else [("", view)]
            for row, held in rows:
                if zone.index and other is not None and other["values"].get(row) == held:
                    continue
                name = self.wording.zone(zone.name, zone.index, self._keys(zone.index, row))
                looks[name] = self._in_zone(held, kind)
                if passing:
                    self.passing.add(name)
                if zone.ordered:
                    self._ordered.add(name)

    def _keys(self, index: tuple[str, ...], row: str) -> tuple[str, ...]:
        """The keys of a zone, which a view joins by commas; keys may have commas, too."""
        if len(index) == 1:
            return (row,)
        for key in self.wording.model.keys(index[0]) if index else ():
            if row.startswith(f"{key}, "):
                return (key, *self._keys(index[1:], row[len(key) + 2 :]))
        return (row,)

    def _in_zone(self, entry: Mapping[str, Any], kind: str) -> tuple[Look, ...]:
        backs = entry.get("backs", [])
        shown = iter(backs if isinstance(backs, list) else [back for back, n in backs.items() for _ in range(n)])
        pieces = entry.get("pieces", [{}] * entry["count"])
        return tuple(self._known(piece) if "key" in piece else self._hidden(kind, next(shown, "")) for piece in pieces)

    def _known(self, piece: Mapping[str, Any]) -> Look:
        name = self.wording.text(piece["key"])
        shown = f"{name} ({self.wording.text(piece['side'])})" if piece.get("side") else name
        if piece.get("down"):
            shown = self.wording.phrase("{piece} (face down)", piece=shown)
        return Look(name, shown)

    def _hidden(self, kind: str, back: str) -> Look:
        words = self.wording.phrase("{piece} face down", piece=kind)
        return Look("", f"{words} ({self.wording.text(back)})" if back else words)

    def _find_shifted(self) -> set[str]:
        """Rows and stacks that hold the same in another order, while others have given and taken pieces that nobody
        sees: one has gone from here and one that looks like it has come."""
        others = [zone for zone in {**self.was, **self.now} if not self._in_another_order(zone)]
        gone = any(_hidden(Counter(self.was.get(z, ())) - Counter(self.now.get(z, ()))) for z in others)
        come = any(_hidden(Counter(self.now.get(z, ())) - Counter(self.was.get(z, ()))) for z in others)
        return {zone for zone in self.now if gone and come and self._in_another_order(zone)}

    def _in_another_order(self, zone: str) -> bool:
        was, now = self.was.get(zone, ()), self.now.get(zone, ())
        return zone in self._ordered and was != now and Counter(was) == Counter(now)

    def lost(self) -> dict[str, Counter[Look]]:
        """The pieces that have gone from each zone."""
        return self._differences(self.was, self.now)

    def gained(self) -> dict[str, Counter[Look]]:
        """The pieces that have come to each zone."""
        return self._differences(self.now, self.was)

    def _differences(self, one: Looks, other: Looks) -> dict[str, Counter[Look]]:
        found = {}
        for zone, looks in one.items():
            there = other.get(zone, ())
            found[zone] = self._gone(zone) if zone in self._shifted else Counter(looks) - Counter(there)
        return {zone: count for zone, count in found.items() if count}

    def _gone(self, zone: str) -> Counter[Look]:
        """The pieces that have left a row or stack; those that have come instead look the same."""
        return _cut_out(self.was[zone], self.now[zone])

    def listed(self, count: Counter[Look]) -> str:
        """Pieces by their names."""
        return self.wording.several([self.wording.pieces(look.name, n) for look, n in count.items()])

    def reordered(self) -> Iterator[str]:
        """Stacks and rows that hold the same in another order."""
        for zone, looks in self.now.items():
            if self._in_another_order(zone) and zone not in self._shifted | self.passing:
                pieces = self.wording.several([look.name for look in looks])
                yield self.wording.phrase("{zone} in another order: {pieces}", zone=zone, pieces=pieces)


def _hidden(count: Counter[Look]) -> bool:
    return any(not look.key for look in count)


def _cut_out(looks: tuple[Look, ...], other: tuple[Look, ...]) -> Counter[Look]:
    """The pieces that stand between those which keep their order: the fewest, where new ones stand at one end."""
    for number in range(1, len(looks)):
        for kept in (other[:-number], other[number:]):
            if _stand_in(kept, looks):
                return Counter(looks) - Counter(kept)
    return Counter(looks)


def _stand_in(kept: tuple[Look, ...], looks: tuple[Look, ...]) -> bool:
    """True if some pieces stand among others in this order."""
    rest = iter(looks)
    return all(look in rest for look in kept)


__all__ = ["Move", "piece_changes"]
