"""What players remember of pieces: perfect recall, as in the theory of games with imperfect information.

Who has seen a piece go somewhere knows that it lies there, though nothing is seen of it there: the cards one has passed
on, a hand that one has handed on, a card that was turned down again. It is known until it is mixed with others: until a
shuffle, or until one of several leaves, and it is not seen which. The theory: H. W. Kuhn, *Extensive games and the
problem of information*, Contributions to the Theory of Games II, 1953.

For each player the cells keep the set of pieces that they know where they lie and do not see there. That is sound: a
piece that stands in it is known for certain. What could be known by elimination, or of several places together, is not
kept. Of pieces that look alike it is known how many they are, not which: if one leaves openly from among them, it may
have been the known one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.engine.runtime.layout import Layout

Cells = list[int]


def bits_of(mask: int) -> list[int]:
    """The members of a set, least first."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


class Recall:
    """Keeps what players know of pieces that they do not see, whenever something moves."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.known = layout.known
        self.loc, self.down = layout.loc, layout.down
        self.players = layout.sizes["Player"]
        self.everyone = (1 << self.players) - 1
        self.audience: Callable[[Cells, int], tuple[int, bool]] = lambda C, number: (0, False)
        """Who sees the faces in a zone, by its number, and whether that never changes; given by the engine."""
        self._always: list[int | None] = [None] * len(layout.instances)
        by_key: dict[str, int] = {}
        keys = layout.universes["Piece"].keys if "Piece" in layout.universes else ()
        for piece, key in enumerate(keys):
            by_key[key] = by_key.get(key, 0) | 1 << piece
        self._alike = [by_key[key] for key in keys]

    def faces(self, C: Cells, number: int) -> int:
        """The players who see the faces of all that lies in a zone."""
        always = self._always[number]
        if always is not None:
            return always
        found, constant = self.audience(C, number)
        if constant:
            self._always[number] = found
        return found

    def moved(self, C: Cells, pieces: Sequence[int], to: int, face: int) -> None:
        """Pieces are about to move to a zone; `face` as in :meth:`Support.move`."""
        groups: dict[int, int] = {}
        for piece in pieces:
            number = C[self.loc + piece]
            groups[number] = groups.get(number, 0) | 1 << piece
        there = self.faces(C, to)
        faced = self.layout.instances[to].faced
        for number, group in groups.items():
            here = self.faces(C, number)
            if here == there == self.everyone:
                continue
            up = group if face == 0 else 0 if face == 1 else group & ~C[self.down] if faced else 0
            self._group(C, number, group, here, there, up if faced else 0)

    def _group(self, C: Cells, number: int, group: int, here: int, there: int, up: int) -> None:
        """Pieces of one zone move; `up` are those that all see where they come to."""
        content = self._content(C, number)
        open_here = content & ~C[self.down] if self.layout.instances[number].faced else 0
        told = group == content or self._place_is_seen(C, number, group)
        for player in range(self.players):
            at = self.known + player
            known = C[at]
            unseen = 0 if here >> player & 1 else content & ~open_here
            arrives = group if there >> player & 1 else up
            left = group & unseen
            kept = group & ~unseen
            if told:
                kept |= left & known
            elif left & ~arrives:
                known &= ~unseen  # it may have been any of them
            elif left:
                known = self._fewer(known, left, unseen & ~group)
            C[at] = known & ~group | kept & ~arrives

    def _fewer(self, known: int, left: int, others: int) -> int:
        """What is known when unseen pieces become seen: each may have been the known one of those that look alike."""
        for piece in bits_of(left & ~known):
            alike = known & others & self._alike[piece]
            known &= ~(alike & -alike)
        return known

    def _place_is_seen(self, C: Cells, number: int, group: int) -> bool:
        """Whether it is seen which pieces leave, though not what they are: any of a row, from an end of a stack."""
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
        here = self.faces(C, number)
        if here != self.everyone:
            content = self._content(C, number)
            for player in range(self.players):
                C[self.known + player] &= ~content

    def shown(self, C: Cells, mask: int, players: int) -> None:
        """Players are shown pieces where they lie."""
        for piece in bits_of(mask):
            number = C[self.loc + piece]
            seeing = self.everyone if self._up(C, number, piece) else self.faces(C, number)
            for player in bits_of(players & ~seeing):
                C[self.known + player] |= 1 << piece

    def turned(self, C: Cells, mask: int, down: bool) -> None:
        """Pieces are about to be turned up or down: those that lie in a faced zone."""
        for piece in bits_of(mask):
            number = C[self.loc + piece]
            instance = self.layout.instances[number]
            if not instance.faced or self._up(C, number, piece) != down:
                continue
            unseen = self._content(C, number) & C[self.down]
            for player in bits_of(self.everyone & ~self.faces(C, number)):
                at = self.known + player
                if down:
                    C[at] |= 1 << piece
                else:
                    if not instance.ordered:
                        C[at] = self._fewer(C[at], 1 << piece, unseen & ~(1 << piece))
                    C[at] &= ~(1 << piece)

    def _up(self, C: Cells, number: int, piece: int) -> bool:
        """Whether a piece lies face up for all."""
        return self.layout.instances[number].faced and not C[self.down] >> piece & 1

    def _content(self, C: Cells, number: int) -> int:
        """All that lies in a zone, as a set."""
        instance = self.layout.instances[number]
        at = instance.at
        return sum(1 << piece for piece in C[at + 1 : at + 1 + C[at]]) if instance.ordered else C[at]

    # --------------------------------------------------------------------------------- audiences that change

    def looking(self, C: Cells, numbers: Sequence[int]) -> tuple[int, ...]:
        """Who sees the faces in some zones, before that may change."""
        return tuple(self.faces(C, number) for number in numbers)

    def looked(self, C: Cells, numbers: Sequence[int], before: Sequence[int]) -> None:
        """Who has seen the faces in a zone and sees them no more remembers them."""
        for number, seeing in zip(numbers, before, strict=True):
            now = self.faces(C, number)
            content = self._content(C, number)
            for player in bits_of(seeing ^ now):
                at = self.known + player
                C[at] = C[at] & ~content if now >> player & 1 else C[at] | content
