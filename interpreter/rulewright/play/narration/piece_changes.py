"""Moves of pieces between two views of the same reader.

A view counts what lies in each zone: pieces by their faces, where these are seen, else by their backs. The moves are
what leads from one count to the other. Which of several alike pieces has gone where is left open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from rulewright.play.narration.piece_moves import Count, Exchanges, Hiding, Look, MoveEvent, exchanged, moves
from rulewright.play.narration.words import ARROW, Wording
from rulewright.play.view_model import Zone

Looks = dict[str, tuple[Look, ...]]
"""The pieces of each zone by its name, in their order."""


def piece_changes(
    wording: Wording,
    before: Mapping[str, Any],
    now: Mapping[str, Any],
    passing: Collection[str],
    hides: Collection[str],
    alike: Exchanges,
) -> list[str]:
    """The sentences on all zones of two views. Zones that are `passing` are only listed where pieces come from another
    or go to another; `alike` are pieces that have gone while others like them have come."""
    found = _Zones(wording, before, now, passing, hides, alike)
    together: dict[tuple[str, str], list[str]] = {}
    sentences = []
    for move in moves(found.lost(), found.gained(), found.uncounted, Hiding(found.hiding), wording.phrase("unseen")):
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
        alike: Exchanges,
    ) -> None:
        self.wording = wording
        self.was, self.now = Looks(), Looks()
        self.passing = set[str]()
        self.uncounted = set[str]()
        """Zones of which the reader sees only what they know by chance: its absence in a later view is no move."""
        self.hiding: dict[str, frozenset[str]] = {}
        """The keys of pieces that may lie hidden in a zone, by its name."""
        self._ordered = set[str]()
        self._exchanged: Count = {}
        for zone in wording.model.zones:
            if zone.name not in hides:
                both = before["zones"].get(zone.name), now["zones"].get(zone.name)
                self._compare(zone, *both, zone.name in passing, exchanged(zone, alike))

    def _compare(self, zone: Zone, before: Any, now: Any, passing: bool, alike: Mapping[str, Counter[str]]) -> None:
        """Note how a zone, or those of its keys, did look and look now, where the views differ."""
        if before == now and not alike:
            return
        hiding = self.wording.hidden_in(zone)
        kind = self.wording.title(zone.kinds[0].lower() if len(zone.kinds) == 1 else "piece")
        for view, looks in ((before, self.was), (now, self.now)):
            if view is None:
                continue
            other = now if view is before else before
            rows = view["values"].items() if zone.index else [("", view)]
            for row, held in rows:
                if zone.index and other is not None and other["values"].get(row) == held and row not in alike:
                    continue
                name = self.wording.zone(zone.name, zone.index, self._keys(zone.index, row))
                looks[name] = self._in_zone(held, kind)
                if other is None or row in other.get("hidden", ()):
                    self.uncounted.add(name)
                if row in alike:
                    self._exchanged[name] = self._of_keys(looks[name], alike[row])
                if passing:
                    self.passing.add(name)
                self.hiding[name] = hiding
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
        return Look(name, shown, bool(piece.get("down")))

    def _hidden(self, kind: str, back: str) -> Look:
        words = self.wording.phrase("{piece} face down", piece=kind)
        return Look("", f"{words} ({self.wording.text(back)})" if back else words)

    def _of_keys(self, looks: tuple[Look, ...], keys: Counter[str]) -> Counter[Look]:
        """As many of some looks as there are pieces of these keys."""
        left = Counter({self.wording.text(key): number for key, number in keys.items()})
        found = Counter[Look]()
        for look in looks:
            if left[look.key]:
                left[look.key] -= 1
                found[look] += 1
        return found

    def _in_another_order(self, zone: str) -> bool:
        was, now = self.was.get(zone, ()), self.now.get(zone, ())
        return zone in self._ordered and was != now and Counter(was) == Counter(now)

    def lost(self) -> Count:
        """The pieces that have gone from each zone."""
        return self._differences(self.was, self.now)

    def gained(self) -> Count:
        """The pieces that have come to each zone."""
        return self._differences(self.now, self.was)

    def _differences(self, one: Looks, other: Looks) -> Count:
        found = {
            zone: Counter(looks) - Counter(other.get(zone, ())) + self._exchanged.get(zone, Counter())
            for zone, looks in one.items()
        }
        return {zone: count for zone, count in found.items() if count}

    def listed(self, count: Counter[Look]) -> str:
        """Pieces by their names."""
        return self.wording.several([self.wording.pieces(look.name, n) for look, n in count.items()])

    def reordered(self) -> Iterator[str]:
        """Stacks and rows that hold the same in another order."""
        for zone, looks in self.now.items():
            if self._in_another_order(zone) and zone not in {*self._exchanged, *self.passing}:
                pieces = self.wording.several([look.name for look in looks])
                yield self.wording.phrase("{zone} in another order: {pieces}", zone=zone, pieces=pieces)


__all__ = ["MoveEvent", "piece_changes"]
