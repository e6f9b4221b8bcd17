"""Zone sets: all pieces that lie in some zones, wherever there, stand beside the cells as a set.

``{t in Tile where on_board(t)}`` is then an operation on two sets instead of a look at each tile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from rulewright.engine.cells.layout import Layout
from rulewright.engine.native.word_sizes import words
from rulewright.ir import model as m

MOST = 4
"""So many sets are kept at most: each is changed with every move."""

Zones = frozenset[str]


def asked_zones(rules: Iterable[object]) -> tuple[Zones, ...]:
    """The zones of which nodes of rules ask whether a variable is in one of them, those that are asked most first."""
    asked = (node for node in rules if isinstance(node, m.InZone) and isinstance(node.piece, m.Var))
    return tuple(zones for zones, _ in Counter(frozenset(node.zones) for node in asked).most_common(MOST))


class ZoneSets:
    """The sets of one program, one after the other."""

    def __init__(self, layout: Layout, asked: Collection[Zones]) -> None:
        self.asked = tuple(asked)
        self.span = 8 * words(layout.pieces)
        """The bytes of a set."""
        self.size = self.span * len(self.asked)
        self.flags = _flags(layout, self.asked)
        """For each zone the sets to which its pieces belong, a bit each."""
        self._first, self._pieces = layout.loc, layout.pieces
        self._last: tuple[Sequence[int], bytes] = (), b""

    def write(self, raw: bytearray, at: int, cells: Sequence[int]) -> None:
        """Put them into bytes, from a place on, for the cells of a state."""
        if not self.asked:
            return
        lies, (before, encoded) = cells[self._first : self._first + self._pieces], self._last
        if lies != before:
            flags = [self.flags[zone] for zone in lies]
            sets = (sum(1 << n for n, flag in enumerate(flags) if flag >> one & 1) for one in range(len(self.asked)))
            encoded = b"".join(found.to_bytes(self.span, "little") for found in sets)
            self._last = lies, encoded  # threads may share it
        raw[at : at + self.size] = encoded


def _flags(layout: Layout, asked: Sequence[Zones]) -> tuple[int, ...]:
    listed = [layout.instances_of(zones) for zones in asked]
    return tuple(sum(truth << n for n, truth in enumerate(row)) for row in zip(*listed, strict=True))


__all__ = ["ZoneSets", "Zones", "asked_zones"]
