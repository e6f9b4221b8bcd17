"""One player's knowledge of the pieces that they do not see: a partition of these into classes.

Of a class is known which pieces it has and which places they take, not which of them lies in which: its pieces may have
changed places among themselves. A piece that is a class by itself is known where it lies. All pieces of which nothing
is known are one class more, the *rest*; pieces that the player sees are in it, too, and need no other.

That is what a group of permutations knows of its orbits, and it is sound: what could have changed places is in one
class. Two classes become one when something is seen of which either could have been the cause; so it is less than could
be known where classes of several pieces meet. A class is told in full, as pieces that are known, where its pieces look
alike, or lie in one set or bag: then nothing would be another if they changed places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from rulewright.engine.cells.layout import Layout

Cells = list[int]


def bits_of(mask: int) -> list[int]:
    """The members of a set, least first."""
    if mask.bit_length() < 4 * mask.bit_count():
        return [number for number, digit in enumerate(f"{mask:b}"[::-1]) if digit == "1"]
    first = (mask & -mask).bit_length() - 1
    found, mask = [], mask >> first if mask else 0  # neighbours of a place far on are short numbers then
    while mask:
        low = mask & -mask
        found.append(first + low.bit_length() - 1)
        mask ^= low
    return found


class Partition:
    """The classes of one player, read from cells; :meth:`write` puts them back."""

    def __init__(self, layout: Layout, C: Sequence[int], player: int) -> None:
        self.layout = layout
        self.player = player
        self.known = C[layout.known + player]
        """The pieces that are a class by themselves."""
        self.several = several(layout, C, player)
        """The classes of more than one, as sets."""

    def write(self, C: Cells) -> None:
        """Put the classes into cells, each piece of a class of several with the least one."""
        layout, player = self.layout, self.player
        first = layout.group + player * layout.pieces
        C[layout.known + player] = self.known
        if C[layout.several + player]:
            C[first : first + layout.pieces] = [0] * layout.pieces
        C[layout.several + player] = sum(self.several)
        for mask in self.several:
            least = (mask & -mask).bit_length() - 1
            for piece in bits_of(mask):
                C[first + piece] = least

    @property
    def rest(self) -> int:
        """The pieces of which nothing is known, and those that are seen."""
        return (1 << self.layout.pieces) - 1 & ~(self.known | sum(self.several))

    def drop(self, pieces: int) -> None:
        """Some pieces are seen, or known better: they leave their classes, in which less is open now."""
        self.known &= ~pieces
        self.several = [left for mask in self.several if (left := mask & ~pieces)]

    def mix(self, pieces: int, others: bool) -> None:
        """Some pieces that are not seen may have changed places, also with `others`: their classes become one."""
        touched = [mask for mask in self.several if mask & pieces]
        self._join(self.known & pieces, touched, others or bool(pieces & self.rest))

    def _join(self, alone: int, touched: Sequence[int], rest: bool) -> None:
        """Make one class of some, or add them all to the rest."""
        self.known &= ~alone
        self.several = [mask for mask in self.several if mask not in touched]
        if not rest and (alone or touched):
            self.several.append(alone | sum(touched))

    def recognize(
        self, seen: int, unseen: int, others: bool, alike: Sequence[int], hidden: Callable[[int], bool]
    ) -> None:
        """Of the pieces that lie unseen in one place, perhaps with `others`, some are seen: so what they are, but not
        from which class.

        For each that is seen, any class might have given it that has one like it and is there. Of pieces that are known
        there as many are concerned as are seen: those that are left are known still.
        """
        for kind in dict.fromkeys(alike[piece] for piece in bits_of(seen)):
            known, now = self.known & unseen & kind, seen & kind
            more = known & ~now
            for _ in range(max(0, more.bit_count() - (now & ~known).bit_count())):
                more ^= 1 << more.bit_length() - 1
            touched = [mask for mask in self.several if mask & unseen and mask & kind]
            rest = self.rest
            given = (others or bool(rest & unseen)) and any(hidden(piece) for piece in bits_of(rest & kind))
            if unseen == seen and not others:
                known = more = 0  # all that was known there is seen
            alone = more | known & now
            if given or len(touched) > 1 or (touched and alone):
                self._join(alone, touched, given)

    def settle(self, place: Callable[[int], int | None], alike: Sequence[int]) -> None:
        """Classes whose pieces are known in full are told apart; `place` is the zone of a piece, none where the place
        in it counts."""
        found = []
        for mask in self.several:
            first = (mask & -mask).bit_length() - 1
            if not mask & ~alike[first]:
                self.known |= mask
                continue
            places = {place(piece) for piece in bits_of(mask)}
            if len(places) == 1 and None not in places:
                self.known |= mask
            else:
                found.append(mask)
        self.several = sorted(found, key=lambda mask: mask & -mask)


def several(layout: Layout, C: Sequence[int], player: int) -> list[int]:
    """The classes of several pieces of which a player knows, in the order of their least ones."""
    found: dict[int, int] = {}
    first = layout.group + player * layout.pieces
    for piece in bits_of(C[layout.several + player]):
        least = C[first + piece]
        found[least] = found.get(least, 0) | 1 << piece
    return list(found.values())


def renamed(layout: Layout, old: Sequence[int], C: Cells, names: Mapping[int, int]) -> None:
    """Renumber the pieces in the players' knowledge."""
    for player in range(layout.sizes["Player"] if layout.known >= 0 else 0):
        partition = Partition(layout, old, player)
        partition.known = _renamed(partition.known, names)
        partition.several = sorted((_renamed(mask, names) for mask in partition.several), key=lambda mask: mask & -mask)
        partition.write(C)


def _renamed(mask: int, names: Mapping[int, int]) -> int:
    return sum(1 << names.get(piece, piece) for piece in bits_of(mask))


def alike_by_key(keys: Iterable[str]) -> list[int]:
    """For each piece the set of all that look like it."""
    keys = tuple(keys)
    found: dict[str, int] = {}
    for piece, key in enumerate(keys):
        found[key] = found.get(key, 0) | 1 << piece
    return [found[key] for key in keys]
