"""The memory of a search: registers that the host reads, and the records of trees behind everything else.

Nothing is ever taken away: the next record begins where the last one ends, up to the limit that the host lays down.
"""

from __future__ import annotations

from rulewright.engine.kernels import tree
from rulewright.engine.kernels.vocabulary import FIRST_ROOM
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.translation.record_layout import Layouts
from rulewright.engine.native.webassembly.terms import Memory, Term, mem32, mem64, mem_real
from rulewright.engine.search_arithmetic import LONGEST_PATH, LONGEST_REST, MOVE_PLACES
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir.model import MAX_NUMBER_BITS

STEP_BYTES = 8
"""The size of an entry of a path: the addresses of a node and of its branch."""

NODE_KEY, FOLLOWING, WHO_ASKED, LOOKS, ENTRIES, MASK, TABLE, NODE_BYTES = 0, 8, 12, 16, 20, 24, 28, 32
"""Within a node of a tree for several worlds: the hash of the way to it, the address of the next node in its list, who
decides, how often it was come to, the number of its entries, their places less one, the address of their table."""
ENTRY_ID, TAKEN, POSSIBLE, WORTH, FIRST_NUMBER, ENTRY_BYTES = 0, 8, 12, 16, 24, 32
"""Within an entry, an option in all worlds: what it is, how often it was taken and could have been, the payoffs of who
took it, added up (a float), and its number in the world in which it was first taken. Of an option that was only rated
it is marked as :data:`RATED`, and in place of the payoffs stands its promise."""
RATED = -1

AVERAGE_KEY, TIMES_MADE, SUM, AVERAGE_BYTES = 0, 8, 16, 24
"""Within the averages of a move: its key, how often it was made, the payoffs of who made it, added up (a float)."""
MADE_BYTES = 16
"""The size of a move of the game that was played last: its key, who made it, and the number of the option."""
TABLE_OF_MOVES = MADE_BYTES * LONGEST_REST
BYTES_OF_MOVES = TABLE_OF_MOVES + AVERAGE_BYTES * MOVE_PLACES
"""The table behind the moves of the last game, and the bytes of both."""
FACTOR = 0x9FB21C651E98DF25
"""An odd number with bits that look random: a product with it has good first bits."""

APPLYING, PLAYING, ESTIMATING, PROMISING = 1, 2, 3, 4
"""The work of a search when it was stopped: an answer in the tree, the rest of a game, a rating of the position in
which one was cut, or one of the options that were not tried."""


@dataclass(frozen=True, slots=True)
class TreeMap:
    """Addresses of what the host writes and reads."""

    registers: int
    """The address of the registers: see :class:`TreeRegisters`."""
    most: int
    """The bytes that a simulation may need more."""
    tree: int
    """The address of the tree: see :class:`rulewright.engine.kernels.tree.Tree`."""
    has_chance: bool
    """True if chance has a say in the game."""

    @property
    def layouts(self) -> Layouts:
        """The layouts of the records of kernels."""
        return Layouts(frozenset() if self.has_chance else frozenset({"outcomes"}))


SAVED, FREE, LIMIT, ROOT, DEPTH, DOING, GROWN, WIDEST = range(0, 32, 4)
STREAM_KEY, COUNTER, SEED, REST, LOW, HIGH, LEADS_MET, RATINGS, QUERY, AVERAGES, MOVES, PATH = range(32, 128, 8)
CUT, MADE = QUERY + 4, AVERAGES + 4
NUMBERS = PATH + STEP_BYTES * LONGEST_PATH
PAYOFFS = NUMBERS + 4 * LONGEST_PATH
"""Within the registers: the addresses of the position that is searched, of free memory and of its end, of the root;
the length of the path, what the search is about, the number of branches; the key and the counter of the stream that
decides, the seeds of chance and of the rest of the game; the lowest and the highest payoff; the leads that were met,
added up, and their number (floats); the query that rates, by its number in the table of functions, or 0, and after how
many answers; the address of the averages of moves, or 0, the number of moves of the last game, and of
those in the table; the path, and the numbers of the options on it; the payoffs of the seats. In a tree for several
worlds also the size of the largest table."""
LISTS = 1 << 16
"""The lists of nodes by the first bits of their keys; they lie before everything else of a tree for several worlds."""
LIST_BITS = LISTS.bit_length() - 1


class TreeRegisters:
    """The registers of a search, and room for what a simulation finds out."""

    def __init__(self, ctx: LoweringContext) -> None:
        self.players = ctx.program.players
        self.chance = bool(ctx.layout.counters)
        """True if chance has a say in the game."""
        self.at = ctx.memory.reserve(PAYOFFS + 8 * self.players)
        lists = (slot.ty.capacity for function in ctx.program.functions for slot in function.slots)
        self.options = max(MAX_NUMBER_BITS, *ctx.layout.sizes.values(), ctx.layout.pieces, *lists) + 64
        """The most options that a question can have."""
        layouts = Layouts()
        records = sum(layouts.of(record).size for record in (tree.Node, tree.Outcome))
        branches = (self.options + FIRST_ROOM) * layouts.of(tree.Branch).size
        path = 4 * LONGEST_PATH * layouts.of(tree.Step).size
        most = records + branches + path + self.options // 8 + 8 * self.players + 64
        if ctx.rated:  # each seat that answers at once may have all its options rated, in tables that grow
            most += 6 * ENTRY_BYTES * self.options * self.players
        at = ctx.memory.reserve(layouts.of(tree.Tree).size)
        self.map = TreeMap(self.at, most, at, self.chance)

    def number(self, register: int) -> Memory:
        """A register of 32 bits."""
        return mem32(0, self.at + register)

    def word(self, register: int) -> Memory:
        """A register of 64 bits."""
        return mem64(0, self.at + register)

    def real(self, register: int) -> Memory:
        """A register that holds a float."""
        return mem_real(0, self.at + register)

    def payoff_of(self, seat: int) -> Memory:
        """The payoff of a seat that is known when code is written."""
        return self.real(PAYOFFS + 8 * seat)

    def payoff(self, seat: Term) -> Memory:
        """The payoff of a seat in the game that was played last."""
        return mem_real(seat << 3, self.at + PAYOFFS)
