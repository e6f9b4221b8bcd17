"""The players' memory of pieces: perfect recall, as in the theory of games with imperfect information."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from rulewright.engine.cells.layout import Layout
from rulewright.foundation.bit_sets import bits_of

Cells = list[int]


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
        """Remove pieces that are seen, or known better: they leave their classes, in which less is open now."""
        self.known &= ~pieces
        self.several = [left for mask in self.several if (left := mask & ~pieces)]

    def mix(self, pieces: int, others: bool) -> None:
        """Merge the classes of unseen pieces that may have changed places, also with `others`."""
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
        """Classes whose pieces are known in full are distinguished; `place` is the zone of a piece, none where the
        place in it counts."""
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


class PlayerMemory:
    """Keeps what players know of pieces that they do not see, whenever something moves."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.known, self.several = layout.known, layout.several
        self.loc, self.down = layout.loc, layout.down
        self.players = layout.sizes["Player"]
        self.everyone = (1 << self.players) - 1
        self.audience: Callable[[Cells, int], tuple[int, int, bool]] = lambda C, number: (0, 0, False)
        """The players who see the faces in a zone, by its number, those who can count it, and whether that never
        changes; given by the engine.
        """
        self._always: list[tuple[int, int] | None] = [None] * len(layout.instances)
        self._alike = alike_by_key(layout.universes["Piece"].keys if "Piece" in layout.universes else ())

    def faces(self, C: Cells, number: int) -> int:
        """The players who see the faces of all that lies in a zone."""
        return self.observers(C, number)[0]

    def observers(self, C: Cells, number: int) -> tuple[int, int]:
        """The players who see the faces of all that lies in a zone, and those who see how much it is."""
        always = self._always[number]
        if always is not None:
            return always
        faces, counting, constant = self.audience(C, number)
        if constant:
            self._always[number] = faces, counting
        return faces, counting

    # ----------------------------------------------------------------------------------------------------- moves

    def moved(self, C: Cells, pieces: Sequence[int], to: int, face: int) -> None:
        """Pieces are about to move to a zone; `face` as in :meth:`Support.move`."""
        groups: dict[int, int] = {}
        for piece in pieces:
            number = C[self.loc + piece]
            groups[number] = groups.get(number, 0) | 1 << piece
        there = self.faces(C, to)
        gone = 0
        for number, group in groups.items():
            gone |= group
            self._leaves(C, number, group, to, there, face)
        if any(C[self.several : self.several + self.players]):
            self._settle(C, gone, to)

    def _leaves(self, C: Cells, number: int, group: int, to: int, there: int, face: int) -> None:
        """Pieces of one zone move to another one, where some see them."""
        if not self.faces(C, number) == there == self.everyone:
            instance = self.layout.instances[to]
            lying = {0: 0, 1: group}.get(face, group & C[self.down] if instance.faced else 0)
            self._group(C, number, group, there, group & ~(lying & instance.covered) if instance.faced else 0)

    def _group(self, C: Cells, number: int, group: int, there: int, up: int) -> None:
        """Pieces of one zone move to where some see them; `up` are those that all see there."""
        here, counting = self.observers(C, number)
        content = self._content(C, number)
        down = content & ~self._open(C, number, content)
        for player in range(self.players):
            at = self.known + player
            known, several = C[at], C[self.several + player]
            unseen = 0 if here >> player & 1 else down
            arrives = group if there >> player & 1 else up
            left, kept = group & unseen, group & ~unseen & ~arrives
            others = not counting >> player & 1
            if not (known | several) & unseen:
                C[at] = known | kept  # nothing is known of what lies there
                continue
            place_known = not left or self._place_is_seen(C, number, group)
            if not several and (place_known or (left == unseen and not others)):
                C[at] = known & ~arrives | kept
            elif not several and left & ~arrives and (others or unseen & ~known):
                C[at] = known & ~unseen | kept  # it may have been any of them
            else:
                partition = Partition(self.layout, C, player)
                if not place_known:
                    if left & arrives:
                        seen = left & arrives
                        partition.recognize(seen, unseen, others, self._alike, self._hidden(C, player))
                    if left & ~arrives and (left != unseen or others):
                        partition.mix(unseen, others)
                partition.drop(arrives)
                partition.known |= kept
                partition.write(C)

    def _place_is_seen(self, C: Cells, number: int, group: int) -> bool:
        """True if it is seen which pieces leave, though not what they are: any of a row, from an end of a stack."""
        instance = self.layout.instances[number]
        if not instance.ordered:
            return False
        if not instance.stack:
            return True
        count, at = group.bit_count(), instance.at
        items = C[at + 1 : at + 1 + C[at]]
        ends = (items[-count:], items[:count])
        return any(sum(1 << piece for piece in end) == group for end in ends)

    def mixed(self, C: Cells, number: int) -> None:
        """The order of a stack or row has changed by chance."""
        if any(C[self.known : self.several + self.players]):
            here, counting = self.observers(C, number)
            self._mix(C, number, self.everyone & ~here, ~counting)

    def is_remembered(self, C: Cells, numbers: Sequence[int]) -> bool:
        """True if any player remembers what lies in one of some zones."""
        known = 0
        for mask in C[self.known : self.several + self.players]:
            known |= mask
        return known != 0 and any(known & self._content(C, number) for number in numbers)

    def forget_unobserved(self, C: Cells, moved: Sequence[int], shuffled: Sequence[int]) -> None:
        """Forget what may be moved or shuffled in some zones, unobserved by those who cannot count these, or do not see
        their faces: whether it is or not, they forget what lies there."""
        remembered = 0
        for mask in C[self.known : self.several + self.players]:
            remembered |= mask
        if not remembered:
            return
        for number in moved:
            if remembered & self._content(C, number):
                self._mix(C, number, self.everyone & ~self.observers(C, number)[1], -1)
        for number in shuffled:
            if remembered & self._content(C, number):
                here, counting = self.observers(C, number)
                self._mix(C, number, self.everyone & ~here, ~counting)

    def _mix(self, C: Cells, number: int, players: int, others: int) -> None:
        """Note that what lies unseen in a zone may have changed places for some players, for some of them also with
        `others`.
        """
        content = self._content(C, number)
        down = content & ~self._open(C, number, content)
        for player in bits_of(players):
            if (C[self.known + player] | C[self.several + player]) & down:
                partition = Partition(self.layout, C, player)
                partition.mix(down, bool(others >> player & 1))
                partition.settle(self._place(C, 0, 0), self._alike)
                partition.write(C)

    # ------------------------------------------------------------------------------------------- what is shown

    def shown(self, C: Cells, mask: int, players: int) -> None:
        """Players are shown pieces where they lie."""
        self._seen(C, mask, players, keep=True)

    def turned(self, C: Cells, mask: int, down: bool) -> None:
        """Pieces are about to be turned up or down: those that lie in a faced zone."""
        if not down:
            self._seen(C, mask, self.everyone, keep=False, turned=True)
            return
        for piece in bits_of(mask):
            number = C[self.loc + piece]
            if self._open(C, number, 1 << piece) & self.layout.instances[number].covered:
                for player in bits_of(self.everyone & ~self.faces(C, number)):
                    C[self.known + player] |= 1 << piece

    def _seen(self, C: Cells, mask: int, players: int, keep: bool, turned: bool = False) -> None:
        """Players come to see pieces where they lie; they will see them on, or (`keep`) have to keep it in mind."""
        places: dict[int, int] = {}
        for piece in bits_of(mask):
            number = C[self.loc + piece]
            places[number] = places.get(number, 0) | 1 << piece
        for number, group in places.items():
            instance = self.layout.instances[number]
            if turned and not instance.faced:
                continue
            content = self._content(C, number)
            unseen = content & ~self._open(C, number, content)
            here, counting = self.observers(C, number)
            for player in bits_of(players & ~here):
                others = not counting >> player & 1
                self._see(C, player, group & unseen, 0 if instance.ordered else unseen, others, keep)

    def _see(self, C: Cells, player: int, seen: int, unseen: int, others: bool, keep: bool) -> None:
        """One player comes to see pieces among those that lie unseen in one place; none if each has a place."""
        partition = Partition(self.layout, C, player)
        if unseen and (partition.known | C[self.several + player]) & unseen:
            partition.recognize(seen, unseen, others, self._alike, self._hidden(C, player))
        partition.drop(seen)
        if keep:
            partition.known |= seen
        partition.settle(self._place(C, 0, 0), self._alike)
        partition.write(C)

    # --------------------------------------------------------------------------------- audiences that change

    def sight_before(self, C: Cells, numbers: Sequence[int]) -> tuple[int, ...]:
        """The players who see the faces in some zones, before that may change."""
        return tuple(self.faces(C, number) for number in numbers)

    def update_sight(self, C: Cells, numbers: Sequence[int], before: Sequence[int]) -> None:
        """Let those who have seen the faces in a zone and see them no more remember them."""
        for number, seeing in zip(numbers, before, strict=True):
            now = self.faces(C, number)
            if seeing == now:
                continue
            content = self._content(C, number)
            unseen = content & ~self._open(C, number, content)
            for player in bits_of(seeing ^ now):
                if now >> player & 1:
                    among = 0 if self.layout.instances[number].ordered else unseen
                    self._see(C, player, unseen, among, False, False)
                else:
                    C[self.known + player] |= unseen

    # -------------------------------------------------------------------------------------------------- classes

    def settle(self, C: Cells) -> None:
        """Distinguish what is known in full."""
        if any(C[self.several : self.several + self.players]):
            self._settle(C, 0, 0)

    def _settle(self, C: Cells, gone: int, to: int) -> None:
        """Settle the classes when some pieces are about to go to a zone."""
        for player in range(self.players):
            if C[self.several + player]:
                partition = Partition(self.layout, C, player)
                partition.settle(self._place(C, gone, to), self._alike)
                partition.write(C)

    def _place(self, C: Cells, gone: int, to: int) -> Callable[[int], int | None]:
        """In which zone a piece lies, or comes to lie; none where there is an order."""

        def place(piece: int) -> int | None:
            number = to if gone >> piece & 1 else C[self.loc + piece]
            return None if self.layout.instances[number].ordered else number

        return place

    def _hidden(self, C: Cells, player: int) -> Callable[[int], bool]:
        """True if a player does not see the face of a piece."""

        def hidden(piece: int) -> bool:
            number = C[self.loc + piece]
            return not (self.faces(C, number) >> player & 1 or self._open(C, number, 1 << piece))

        return hidden

    def _open(self, C: Cells, number: int, pieces: int) -> int:
        """The members of a set of pieces of a zone that lie face up for all."""
        return pieces & ~C[self.down] if self.layout.instances[number].faced else 0

    def _content(self, C: Cells, number: int) -> int:
        """The content of a zone, as a set."""
        instance = self.layout.instances[number]
        at = instance.at
        return sum(1 << piece for piece in C[at + 1 : at + 1 + C[at]]) if instance.ordered else C[at]
