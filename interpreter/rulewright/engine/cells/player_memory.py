"""The players' memory of pieces: perfect recall, as in the theory of games with imperfect information.

Who has seen a piece go somewhere knows that it lies there, though nothing is seen of it there: the cards one has passed
on, a hand that one has handed on, a card that was turned down again. It is known until it is mixed with others: when
one of several leaves and it is not seen which, or a stack is shuffled, these may have changed places, but none with any
that lay elsewhere. Of two cards that one has passed on one comes back: the other is the one that was kept. The theory:
H. W. Kuhn, *Extensive games and the problem of information*, Contributions to the Theory of Games II, 1953.

For each player the cells keep a `partition.Partition` of the pieces whose faces they do not see. Of pieces that look
alike it is known how many they are, not which: if one leaves openly from among them, it may have been the known one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.engine.cells.layout import Layout
from rulewright.engine.cells.partition import Cells, Partition, alike_by_key, bits_of

__all__ = ["Cells", "Recall", "bits_of"]


class Recall:
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

    def exchanged(self, C: Cells, left: tuple[int, Sequence[int]], right: tuple[int, Sequence[int]]) -> None:
        """Some pieces of two zones are about to take each other's place: none of them stays among those of its zone."""
        for (number, pieces), (to, _) in ((left, right), (right, left)):
            group = sum(1 << piece for piece in pieces)
            self._leaves(C, number, group, to, self.faces(C, to), -1)

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
            told = not left or self._place_is_seen(C, number, group)
            if not several and (told or (left == unseen and not others)):
                C[at] = known & ~arrives | kept
            elif not several and left & ~arrives and (others or unseen & ~known):
                C[at] = known & ~unseen | kept  # it may have been any of them
            else:
                partition = Partition(self.layout, C, player)
                if not told:
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

    def remembered(self, C: Cells, numbers: Sequence[int]) -> bool:
        """True if somebody remembers what lies in one of some zones."""
        known = 0
        for mask in C[self.known : self.several + self.players]:
            known |= mask
        return known != 0 and any(known & self._content(C, number) for number in numbers)

    def forget_unobserved(
        self, C: Cells, moved: Sequence[int], shuffled: Sequence[int], exchanged: Sequence[int]
    ) -> None:
        """Something may be moved, shuffled or exchanged in some zones, unobserved by those who cannot count these, or
        do not see their faces: whether it is or not, they forget what lies there."""
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
        for number in exchanged:
            if remembered & self._content(C, number):
                self._mix(C, number, self.everyone & ~self.faces(C, number), -1)

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

    def looking(self, C: Cells, numbers: Sequence[int]) -> tuple[int, ...]:
        """The players who see the faces in some zones, before that may change."""
        return tuple(self.faces(C, number) for number in numbers)

    def looked(self, C: Cells, numbers: Sequence[int], before: Sequence[int]) -> None:
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
        """Tell apart what is known in full."""
        if any(C[self.several : self.several + self.players]):
            self._settle(C, 0, 0)

    def _settle(self, C: Cells, gone: int, to: int) -> None:
        """The same when some pieces are about to go to a zone."""
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
        """Those of some pieces of a zone that lie face up for all."""
        return pieces & ~C[self.down] if self.layout.instances[number].faced else 0

    def _content(self, C: Cells, number: int) -> int:
        """All that lies in a zone, as a set."""
        instance = self.layout.instances[number]
        at = instance.at
        return sum(1 << piece for piece in C[at + 1 : at + 1 + C[at]]) if instance.ordered else C[at]
