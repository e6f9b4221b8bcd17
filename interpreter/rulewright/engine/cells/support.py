"""Functions that evaluation calls: moving pieces, joining regions, walks on the map. All work on the block of
cells.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence

from rulewright.engine.cells.layout import Layout, MergedPlace
from rulewright.engine.cells.player_memory import PlayerMemory
from rulewright.engine.faults import FULL, NO_KEY, NUMBER, fault
from rulewright.foundation.bit_sets import bits_of
from rulewright.ir.model import FINGERPRINT, INT_MAX, MAX_NUMBER_BITS, NONE, Graph, MergedMap

__all__ = ["Cells", "Support"]

Cells = list[int]

KEPT = 1 << 12
"""Answers about regions that are kept."""


class Support:
    """Operations that need the layout; closures call them."""

    def __init__(self, layout: Layout, graphs: dict[str, Graph], merged: dict[str, MergedMap]) -> None:
        self.layout = layout
        self.loc = layout.loc
        self.down = layout.down
        self.player_memory = PlayerMemory(layout) if layout.known >= 0 else None
        self.zone_at, self.where, self.limited = layout.zone_at, layout.where, layout.limited
        self.neighbours = {
            m.name: next(g.neighbours for g in graphs.values() if g.place == m.place) for m in merged.values()
        }
        self.merged = layout.merged
        self.limit = max(MAX_NUMBER_BITS, *layout.sizes.values())
        self.longest = max((i.capacity for i in layout.instances if i.ordered), default=0)
        """So many pieces lie in a stack or row at most."""
        self._around: dict[tuple[str, int], tuple[int, ...]] = {}
        players = layout.sizes["Player"]
        self.turns = [tuple((p + k) % players for k in range(players)) for p in range(players)]
        self.keyed = layout.keyed
        self.sided_pieces = 0
        for kind in layout.program.kinds:
            if kind.sides:
                self.sided_pieces |= kind.members

    # ------------------------------------------------------------------------------------------ sets and lists

    def lowest(self, mask: int, count: int) -> int:
        """The `count` least members of a set."""
        if count >= mask.bit_count():
            return mask
        result = 0
        while count > 0:
            low = mask & -mask
            result |= low
            mask ^= low
            count -= 1
        return result

    def ordered_mask(self, C: Cells, at: int) -> int:
        """The pieces of a stack or row as a set."""
        result = 0
        for piece in C[at + 1 : at + 1 + C[at]]:
            result |= 1 << piece
        return result

    def list_mask(self, items: Sequence[int]) -> int:
        """A list as a set; none is left out."""
        result = 0
        for item in items:
            if item >= 0:
                result |= self.bit(item)
            elif item != NONE:
                self.bit(item)
        return result

    def listed(self, mask: int) -> tuple[int, ...]:
        """A set as a list."""
        return tuple(bits_of(mask))

    def bit(self, value: int) -> int:
        """The set with just this number in it."""
        if not 0 <= value < self.limit:
            fault(NUMBER, f"a set of numbers cannot hold {value}")
        return 1 << value

    def checked_int32(self, value: int) -> int:
        """A whole number that fits 32 bits."""
        if not -INT_MAX <= value <= INT_MAX:
            fault(NUMBER, f"the number {value} is too large")
        return value

    def padded(self, items: Sequence[int], capacity: int, name: str, is_record: bool = False) -> tuple[int, ...]:
        """A list as it is kept: its length, its items, and as many 0 as are needed."""
        if len(items) > capacity and is_record:
            fault(FULL, f"the record `{name}` holds at most {capacity // FINGERPRINT} positions")
        if len(items) > capacity:
            fault(FULL, f"the list `{name}` holds at most {capacity}")
        return (len(items), *items, *(0,) * (capacity - len(items)))

    def append(self, S: Cells, at: int, capacity: int, value: int, name: str) -> None:
        """Add to a list of the frame."""
        length = S[at]
        if length >= capacity:
            fault(FULL, f"the list `{name}` holds at most {capacity}")
        S[at] = length + 1
        S[at + 1 + length] = value

    def swap(self, C: Cells, at: int, stack: bool, first: int, second: int) -> None:
        """Exchange two positions of a stack (counted from the top), row or list."""
        length = C[at]
        if not (0 <= first < length and 0 <= second < length):
            fault(NUMBER, f"positions {first} and {second} are not both from 0 to {length - 1}")
        if stack:
            first, second = length - 1 - first, length - 1 - second
        first, second = at + 1 + first, at + 1 + second
        C[first], C[second] = C[second], C[first]
        if self.player_memory is not None and at in self.zone_at:
            self.player_memory.mixed(C, self.zone_at[at])

    def unique(self, items: Sequence[int]) -> tuple[int, ...]:
        """A list without what is in it a second time, and without none."""
        return tuple(dict.fromkeys(i for i in items if i != NONE))

    def clockwise(self, C: Cells, player: int) -> tuple[int, ...]:
        """The players still in the game in seat order from one on."""
        if player == NONE:
            return ()
        out = C[self.layout.out]
        return tuple(p for p in self.turns[player] if not out >> p & 1) if out else self.turns[player]

    # ------------------------------------------------------------------------------------------ pieces

    def slot_of(self, C: Cells, piece: int) -> int:
        """The position of a piece in its stack (from the top) or row, else none."""
        instance = self.layout.instances[C[self.loc + piece]]
        if not instance.ordered:
            return NONE
        at = instance.at
        length = C[at]
        slot = C.index(piece, at + 1, at + 1 + length) - at - 1
        return length - 1 - slot if instance.stack else slot

    def move(self, C: Cells, pieces: Sequence[int], to: int, bottom: bool, face: int) -> None:
        """Move pieces to the zone instance `to`; `face` is -1 for: as they lie."""
        loc, where = self.loc, self.where
        at, ordered = where[to]
        if self.player_memory is not None:
            self.player_memory.moved(C, pieces, to, face)
        for piece in pieces:
            old_at, old_ordered = where[C[loc + piece]]
            if old_ordered:
                end = old_at + C[old_at]
                slot = C.index(piece, old_at + 1, end + 1)
                C[slot:end] = C[slot + 1 : end + 1]
                C[end] = 0
                C[old_at] -= 1
            else:
                C[old_at] ^= 1 << piece
            C[loc + piece] = to
            if ordered:
                length = C[at] + 1
                if length > self.layout.instances[to].capacity:
                    self._full(to)
                C[at] = length
                if bottom:
                    C[at + 2 : at + 1 + length] = C[at + 1 : at + length]
                    C[at + 1] = piece
                else:
                    C[at + length] = piece
            else:
                C[at] |= 1 << piece
        if self.limited[to] and not ordered and C[at].bit_count() > self.layout.instances[to].capacity:
            self._full(to)
        if self.down >= 0:
            mask = 0
            for piece in pieces:
                mask |= 1 << piece
            covered = self.layout.instances[to].covered if face else 0
            C[self.down] &= ~mask | covered
            if face == 1:
                C[self.down] |= mask & covered

    def move_set(self, C: Cells, mask: int, to: int, bottom: bool, face: int) -> None:
        """Move the pieces of a set, in canonical order."""
        if mask:
            self.move(C, bits_of(mask), to, bottom, face)

    def _full(self, to: int) -> None:
        instance = self.layout.instances[to]
        fault(FULL, f"`{instance.name}` holds at most {instance.capacity} pieces")

    def show(self, C: Cells, mask: int, players: int) -> None:
        """Let players know the faces of pieces where they lie."""
        if self.player_memory is not None:
            self.player_memory.shown(C, mask, players)

    def turn(self, C: Cells, mask: int, side: int) -> None:
        """Turn pieces: those with sides to this side, others face up (0) or down."""
        if self.player_memory is not None and self.down >= 0:
            self.player_memory.turned(C, mask & ~self.sided_pieces, side != 0)
        for piece in bits_of(mask):
            if self.sided_pieces >> piece & 1:
                C[self.layout.side + piece] = side
            elif self.down >= 0 and self.layout.instances[C[self.loc + piece]].covered >> piece & 1:
                C[self.down] = C[self.down] & ~(1 << piece) | (side != 0) << piece

    # ------------------------------------------------------------------------------------------ regions

    def join(self, C: Cells, merged: str, left: int, right: int) -> None:
        """Merge two regions; the one of least index stands for both."""
        if left == NONE or right == NONE:
            fault(NO_KEY, "there is no region to merge")
        place = self.merged[merged]
        a, b = C[place.rep + left], C[place.rep + right]
        if a == b:
            return
        keep, gone = min(a, b), max(a, b)
        for member in bits_of(C[place.members + gone]):
            C[place.rep + member] = keep
        C[place.members + keep] |= C[place.members + gone]
        C[place.members + gone] = 0
        C[place.alive] &= ~(1 << gone)
        instances = self.layout.instances
        for number, position in self.keyed.get(merged, ()):
            instance = instances[number]
            if instance.keys[position] != gone:
                continue
            keys = list(instance.keys)
            keys[position] = keep
            to = self.layout.instance_number(self.layout.program.zones[instance.zone].name, tuple(keys))
            if instance.ordered:
                self.move(C, C[instance.at + 1 : instance.at + 1 + C[instance.at]], to, False, -1)
            else:
                self.move_set(C, C[instance.at], to, False, -1)

    def beside(self, C: Cells, merged: str, region: int) -> int:
        """The other living regions that touch a region."""
        place = self.merged[merged]
        members = C[place.members + C[place.rep + region]]
        around = self._around.get((merged, members))
        if around is None:
            mask = 0
            for member in bits_of(members):
                mask |= self.neighbours[merged][member]
            if len(self._around) >= KEPT:
                self._around.clear()
            around = self._around[merged, members] = tuple(bits_of(mask & ~members))
        result = 0
        rep = place.rep
        for other in around:
            result |= 1 << C[rep + other]
        return result

    def ahead(self, C: Cells, merged: str, size: int, start: int, steps: int) -> int:
        """The region (or place, if `merged` is empty) so many steps clockwise on a ring of `size` places."""
        if not merged:
            return (start + steps) % size
        place: MergedPlace = self.merged[merged]
        rep = place.rep
        region = C[rep + start]
        ring = [region]
        here = region
        found = 1 << region
        for offset in range(1, size):
            there = C[rep + (region + offset) % size]
            if there != here and not found >> there & 1:
                found |= 1 << there
                ring.append(there)
            here = there
        return ring[steps % len(ring)]

    def flood(self, neighbours: Sequence[int], start: int, within: int) -> int:
        """The places that can be come to over places in `within`, the start included."""
        found = wave = 1 << start
        while wave:
            around = 0
            while wave:
                low = wave & -wave
                around |= neighbours[low.bit_length() - 1]
                wave ^= low
            wave = around & within & ~found
            found |= wave
        return found

    def nearest(self, up: bool, of: int) -> int:
        """The least or the greatest member of a set, else none."""
        return ((of & -of) if up else of).bit_length() - 1 if of else NONE

    def occurrences(self, blocks: Sequence[int], item: Sequence[int], width: int) -> int:
        """The number of blocks of a list that are like the beginning of another one."""
        wanted = tuple(item[:width])
        if len(wanted) < width or NONE in wanted:
            return 0
        return sum(blocks[at : at + width] == wanted for at in range(0, len(blocks), width))

    def grown(self, C: Cells, ground: Sequence[int], neighbours: Sequence[int]) -> int:
        """The places of a growing map where pieces lie, and those beside them; while none lies, the origin."""
        found = 0
        for zone in set(C[self.loc : self.loc + self.layout.pieces]):
            place = ground[zone]
            if place >= 0:
                found |= 1 << place | neighbours[place]
        return found or 1 << ground[-1]

    def ending(self, stack: list[int], base: int, ends: dict[int, int], rule: int) -> int:
        """The number of the end of the game that is running, or of the rule that finishes it by itself."""
        while base > 0:
            if stack[base - 3] in ends:
                return ends[stack[base - 3]]
            base = stack[base - 1]
        return rule

    def runs(self, stack: list[int], base: int, function: int) -> bool:
        """True if a call of a function is not over."""
        while base > 0:
            if stack[base - 3] == function:
                return True
            base = stack[base - 1]
        return False

    def ranking(self, keys: list[tuple[tuple[int, ...], int]]) -> list[int]:
        """The ranks of the layout from sets of those who are ranked with keys, highest first.

        A player who is in none of them shares the last place, which is never the first: without ranked players there is
        no winner.
        """
        order: list[tuple[int, ...]] = []
        for key, _ in keys:
            if key not in order:
                insort(order, key)
        order.reverse()
        players = self.layout.sizes["Player"]
        places = [max(len(order), 1) + 1] * players + [0] * (len(self.layout.parties_without_players) + 1)
        for key, members in keys:
            for player in bits_of(members):
                places[player] = order.index(key) + 1
        places[-1] = int(sum(key == order[0] for key, _ in keys) > 1) if order else 0
        return places
