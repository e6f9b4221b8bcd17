"""The memory of a search: registers that the host reads, and the records of trees behind everything else.

Nothing is ever taken away: the next record begins where the last one ends, up to the limit that the host lays down.
"""

from __future__ import annotations

from rulewright.engine.cells.layout import most_options
from rulewright.engine.kernels import information_sets, move_averages, rollouts, tree
from rulewright.engine.kernels.vocabulary import FIRST_ROOM
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.translation.record_layout import Layouts
from rulewright.engine.native.webassembly.terms import Memory, mem32, mem64, mem_real
from rulewright.engine.search_arithmetic import LONGEST_PATH, LONGEST_REST
from rulewright.foundation.lazy_dataclass import dataclass

APPLYING, PLAYING, PROMISING = 1, 2, 3
"""The work of a search when it was stopped: an answer in the tree, the rest of a game with the rating of the position
in which it was cut, or a look at options that were not tried."""


@dataclass(frozen=True, slots=True)
class TreeMap:
    """Addresses of what the host writes and reads."""

    registers: int
    """The address of the registers: see :class:`TreeRegisters`."""
    most: int
    """The bytes that a simulation may need more."""
    tree: int
    worlds: int
    """The addresses of the tree in one world and of that in several: see :mod:`rulewright.engine.kernels`."""
    averages: int
    """The address of the averages of moves."""
    has_chance: bool
    """True if chance has a say in the game."""

    @property
    def layouts(self) -> Layouts:
        """The layouts of the records of kernels."""
        return Layouts(frozenset() if self.has_chance else frozenset({"outcomes"}))


SAVED, FREE, LIMIT, DOING = range(0, 16, 4)
STREAM_KEY, COUNTER, SEED, REST, QUERY, MAST, PAYOFFS = range(16, 72, 8)
CUT = QUERY + 4
GREEDY, NOTED = 1, 2
"""Within the registers: the addresses of the position that is searched, of free memory and of its end; what the search
is about; the key and the counter of the stream that decides, the seeds of chance and of the rest of the game; the query
that rates, by its number in the table of functions, or 0, and after how many answers; whether rollouts go by the
averages of moves, or some of them are only noted there; the payoffs of the seats."""


class TreeRegisters:
    """The registers of a search, and room for what a simulation finds out."""

    def __init__(self, ctx: LoweringContext) -> None:
        self.players = ctx.program.players
        self.chance = bool(ctx.layout.counters)
        """True if chance has a say in the game."""
        self.at = ctx.memory.reserve(PAYOFFS + 8 * self.players)
        self.options = most_options(ctx.program, ctx.layout)
        """The most options that a question can have."""
        layouts = Layouts()
        records = sum(layouts.of(record).size for record in (tree.Node, tree.Outcome))
        branches = (self.options + FIRST_ROOM) * layouts.of(tree.Branch).size
        branches = 3 * branches + 8 * self.options * self.players  # all may be refuted at once; the vector grows
        path = 4 * LONGEST_PATH * layouts.of(information_sets.Step).size
        most = records + branches + path + self.options // 8 + 8 * self.players + 64
        if ctx.rated:  # each seat that answers at once may have all its options rated, in tables that grow
            most += 6 * layouts.of(information_sets.Entry).size * self.options * self.players
        moves = layouts.of(move_averages.Average).size + 2 * layouts.of(move_averages.Made).size
        most += LONGEST_REST * moves  # a rollout by averages; the vector of its answers grows
        kernels = tree.Tree, information_sets.WorldTree, move_averages.MoveAverages, rollouts.Rollouts
        trees, worlds, averages, self.rollouts = (ctx.memory.reserve(layouts.of(kernel).size) for kernel in kernels)
        """The last one is the address of the rollouts."""
        self.map = TreeMap(self.at, most, trees, worlds, averages, self.chance)

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
