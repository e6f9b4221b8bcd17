"""Rows of numbers that machine code writes: what a seat observes of a state, and what is measured of a game; and what
runs of an exploration note."""

from __future__ import annotations

from typing import Literal, NamedTuple

Measured = tuple[str, ...]
"""The queries, of the whole game or of a player, that are evaluated at the end of each game."""


class Covered(NamedTuple):
    """The things that a program notes which is made to explore."""

    turn: str
    """The procedure that counts as one turn."""
    distances: tuple[str, ...] = ()
    """The queries, of the whole game, that say how far a position is from a target."""


class RowPlan(NamedTuple):
    """The places of numbers in a row of 32 bits each, if a program is made to measure."""

    paid: int
    """The payment of each seat, if the rules pay; before it, from the fourth number on, stand the cells that say how
    the game has ended (see `Layout.ranks`)."""
    options: int
    """The numbers of options of all decisions together; the upper half of it lies behind."""
    uses: int
    """For each rule the number of its uses."""
    queried: int
    """The answers of the queries, of one about a player for each seat; only of a game that is over."""
    width: int

    @property
    def forced(self) -> int:
        """The number of decisions with one option."""
        return self.options + 2

    @staticmethod
    def of(ranks: int, paid: int, rules: int, answers: int) -> RowPlan:
        """The plan of a row with so many cells of how a game has ended and what was paid, rules and answers."""
        options = 3 + ranks + paid
        uses = options + 3
        return RowPlan(3 + ranks, options, uses, uses + rules, uses + rules + answers)


Sight = Literal["all", "owner", "none"]
"""The players who see a field: all, only the one who is a key of it, or none."""


class ValueForm(NamedTuple):
    """The way in which a value is written."""

    kind: Literal["truth", "number", "members", "places", "counts"]
    """1 for a truth; a fraction of `unit`; 1 at each member; the items of a list one by one, or how often each
    member is in it."""
    width: int
    """The elements that it takes."""
    unit: int = 1
    low: int = 0
    """The member that has the first element."""
    columns: tuple[int, ...] = ()
    """For each member its element, if they are not one after the other."""
    item: Literal["truth", "number", "members"] = "members"
    """The kind of the items of a list."""
    capacity: int = 0


class ObservedField(NamedTuple):
    """A field: for each of its values whether it is known, whether it is none, and the value."""

    name: str
    at: int
    width: int
    """The elements of one value."""
    form: ValueForm
    optional: bool
    sight: Sight
    owner: tuple[int, int] = (1, 1)
    """The rows from one owner to the next, and the number of owners."""


class ObservedZone(NamedTuple):
    """A zone: for each of its instances whether it is known, how many pieces lie there, and how many of each kind."""

    name: str
    at: int
    width: int
    columns: tuple[int, ...]
    """For each piece the element of its kind."""
    is_open: bool = True
    """True if all see the faces there."""


class ObservedQuestion(NamedTuple):
    """A question to a player: its element, and the numbers of its answers."""

    function: str
    pc: int
    column: int
    first: int
    low: int
    """The member that has the first number."""
    members: int
    """The number of members; the words come behind them."""
    looks: tuple[int, ...] = ()
    """Of pieces: for each zone with its keys and each kind the number of the first such piece that is offered, or -1.
    Where pieces are hidden there is one zone more, for all where not everybody sees the faces, and one kind more, for
    pieces whose face the player to decide does not see."""


class Observed(NamedTuple):
    """The whole plan."""

    size: int
    """The elements of an observation."""
    actions: int
    """The number of all actions."""
    seat: int
    decider: int
    question: int
    out: int
    over: int
    first: int
    fields: tuple[ObservedField, ...]
    zones: tuple[ObservedZone, ...]
    regions: tuple[tuple[str, int], ...]
    """For each merged universe the element of its first place."""
    questions: tuple[ObservedQuestion, ...]
    kinds: tuple[int, ...]
    """For each piece the number of its kind: of all on which the same is printed."""
    faces: tuple[int, ...] = ()
    """The players who see the faces in each zone with its keys, as sets; empty if all lie open."""
    anything: tuple[int, ...] = ()
    """The players who see anything of it."""


BEGIN, LOOK, PASS = -1, -2, -3
"""In place of an action: begin a new game, only observe, leave the game alone."""
ACTION, STATUS, LEARNER, VIEWER, SEED, KEY, COUNTER, STANDING = 0, 4, 8, 12, 16, 24, 32, 40
"""Offsets in the entry of a game: what is done with it; the number of options then; the seat to decide outside
(-1: all are); the seat that observes; the seed of the next game, the key and the counter of the numbers by which the
other seats decide; the cells that say how the game has ended and what was paid, 4 bytes each."""


def entry_bytes(cells: int) -> int:
    """The bytes of an entry of so many cells."""
    return STANDING + 4 * cells + 7 & ~7
