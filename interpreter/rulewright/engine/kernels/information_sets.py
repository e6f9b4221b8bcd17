"""The tree of Monte Carlo search in several worlds (:mod:`rulewright.search.information_set_search`): a kernel.

The options of a node lie in a hash table with open addressing and linear probing; nodes are found by the hash of the
way to them, in lists.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, sqrt

from rulewright.engine.kernels.arithmetic import FACTOR, lead_of, logarithm, may_widen
from rulewright.engine.kernels.vocabulary import Dice, Links, Reals, Records, Vector, Word, Words, WorldGame
from rulewright.engine.random_numbers import MASK, mix
from rulewright.engine.search_arithmetic import (
    ALL_AT_ONCE,
    EXPLORATION_OF_WORLDS,
    LONGEST_PATH,
    MOST_ENTRIES,
    WIDENING,
)

ROOT_KEY = 0x6A09E667F3BCC908
ALL, OWN = 1, 2
"""The ways to a node: the answers of all, and those of the seat to decide."""
LIST_BITS = 16
FIRST_PLACES = 4
"""The places of a table at first; no more than three quarters of them are taken."""
RATED = -1


def mixed(key: Word, word: Word) -> Word:
    """A hash of a hash and a word."""
    return mix((key * FACTOR + word) & MASK)


def may_try_another(tried: int, visits: int, rates: bool) -> bool:
    """True if one more option may be tried at a node: more of them where they come in the order of their promise."""
    if not rates:
        return may_widen(tried, visits)
    more = tried - (ALL_AT_ONCE - 1)
    return more < 1 or more * more <= WIDENING * visits


@dataclass(slots=True, eq=False, repr=False)
class Entry:
    """An option at a node, and what has come of it in all worlds; or a free place in the table."""

    option: Word = 0
    """The option in any world."""
    visits: int = 0
    possible: int = 0
    """The times that it could have been taken; 0 in a free place, :data:`RATED` of an option that was only rated."""
    total: float = 0.0
    """The payoffs of who took it, added up; the promise of one that was only rated."""
    number: int = 0
    """The number of the option in the world in which it was first taken."""

    def move(self, other: Entry) -> None:
        """Take all that stands in another entry."""
        self.option, self.visits, self.possible = other.option, other.visits, other.possible
        self.total, self.number = other.total, other.number


@dataclass(slots=True, eq=False, repr=False)
class Node:
    """A question to a seat, in all worlds in which the same answers have led there."""

    key: Word
    """The hash of the way to it."""
    following: Node | None
    """The next node in its list."""
    seat: int
    table: Records[Entry]
    visits: int = 1
    count: int = 0
    """The entries in the table; without any there is no table."""
    mask: int = 0
    """The places less one."""

    def place(self, option: Word) -> Entry:
        """The entry of an option, or the free place for it."""
        at = int(((option * FACTOR) & MASK) >> 40)
        while True:
            entry = self.table[at & self.mask]
            if entry.possible == 0 or entry.option == option:
                return entry
            at += 1

    def knows(self, option: Word) -> bool:
        """True if there is an entry of an option."""
        return self.count > 0 and self.place(option).possible != 0


def new_node(key: Word, following: Node | None, seat: int) -> Node:
    """A node of which no option was tried."""
    return Node(key, following, seat, Records(Entry, 0))


@dataclass(slots=True, eq=False, repr=False)
class Step:
    """A node on the way down, the entry of the option that was taken, and its number in this world."""

    node: Node
    entry: Entry
    number: int


@dataclass(slots=True, eq=False, repr=False)
class WorldTree:
    """A tree for all worlds, and the simulations that let it grow."""

    game: WorldGame
    dice: Dice
    root: Node = field(init=False)
    path: Vector[Step] = field(init=False)
    """The way of the last simulation."""
    lists: Links[Node] = field(init=False)
    """The lists of nodes by the first bits of their keys."""
    known: Links[Entry] = field(init=False)
    """For each option of the question the entry, or none if it was not tried."""
    own: Words = field(init=False)
    """Hashes of the answers of each seat, where several answer at once."""
    is_shared: bool = field(init=False)
    """True if there are any such hashes."""
    entries: int = field(init=False)
    """All entries together."""
    widest: int = field(init=False)
    """The places of the largest table."""
    number: int = field(init=False)
    """The number of the option that was selected last."""
    found: Reals = field(init=False)
    """The payoffs of the last simulation."""

    def reset(self) -> None:
        """Begin a search from the position of the game."""
        self.game.go_back()
        self.path = Vector(LONGEST_PATH)
        self.lists = Links(1 << LIST_BITS)
        self.known = Links(self.game.most_options)
        self.own = Words(self.game.players)
        self.is_shared = False
        self.entries = 0
        self.widest = 0
        self.root = self.plant(ROOT_KEY)

    @property
    def is_full(self) -> bool:
        """True if there is no room for more of the tree."""
        return self.entries >= MOST_ENTRIES

    def search(self, simulations: int) -> int:
        """Simulate so often; how often that was done: less if there is no room."""
        done = 0
        while done < simulations and self.game.has_room_for(8 * self.widest):
            self.simulate()
            done += 1
        return done

    def simulate(self) -> None:
        """Go down the tree in one world, put a node at its end, play on from there at random, and note the payoffs.

        The first options go by their numbers: these are the same in all worlds, even of pieces that the seat sees from
        behind.
        """
        game, node = self.game, self.root
        game.begin()
        game.number_options()
        self.path.clear()
        above, given = node.key, self.forget_answers()
        while True:
            is_at_once = game.is_at_once
            entry = self.select(node)
            self.path.add(Step(node, entry, self.number))
            option = game.offered[self.number]
            given = mixed(given + node.seat + 1, option)
            if is_at_once:
                self.is_shared = True
                self.own[node.seat] = mixed(self.own[node.seat] + 1, option)
            size = game.apply(self.number)
            if size < 0:
                payoffs = game.nothing
                break
            if size == 0:
                payoffs = game.payoffs()
                break
            is_at_once = is_at_once and game.is_at_once
            key = mixed(above, game.question)
            key = mixed(key, self.own[game.seat] + OWN if is_at_once else given + ALL)
            following = self.node_with(key)
            if following is None and not self.is_full:
                self.plant(key)
            if following is None or len(self.path) >= LONGEST_PATH:
                payoffs = game.rest()
                break
            node = following
            if not is_at_once:
                above, given = node.key, self.forget_answers()
            game.offer()
        self.found = payoffs
        self.note(payoffs)

    def forget_answers(self) -> Word:
        """Let answers that follow hang under a node without any before them; the hash of none."""
        if self.is_shared:
            for seat in range(self.game.players):
                self.own[seat] = 0
            self.is_shared = False
        return 0

    def node_with(self, key: Word) -> Node | None:
        """The node with a key."""
        node = self.lists[key >> (64 - LIST_BITS)]
        while node is not None and node.key != key:
            node = node.following
        return node

    def plant(self, key: Word) -> Node:
        """Make a node of the pending question."""
        at = int(key >> (64 - LIST_BITS))
        node = new_node(key, self.lists[at], self.game.seat)
        self.lists[at] = node
        return node

    def note(self, payoffs: Reals) -> None:
        """Note the payoffs of a simulation along its path."""
        for step in self.path:
            node, entry = step.node, step.entry
            node.visits += 1
            entry.visits += 1
            entry.total += payoffs[node.seat]

    # -------------------------------------------------------------------------------------------------- selection

    def select(self, node: Node) -> Entry:
        """The entry of the option to look at: one that was not tried, if there is room for one more, else that with
        the best upper bound. In a tree that is full there is another one only where there is none."""
        game, known, offered = self.game, self.known, self.game.offered
        size, tried, has_table = game.options, 0, node.count > 0
        for number in range(size):
            known[number] = None
            if has_table:
                entry = node.place(offered[number])
                if entry.possible > 0:
                    entry.possible += 1
                    tried += 1
                    known[number] = entry
        if tried < size and (not self.is_full or tried == 0) and may_try_another(tried, node.visits, game.rates):
            if game.rates:
                return self.most_promising(node)
            self.number = self.untried(self.dice.below(size - tried))
            return self.insert(node, self.number)
        bonus, most = game.spread * EXPLORATION_OF_WORLDS, -inf
        best: Entry | None = None
        for number in range(size):
            one = known[number]
            if one is not None:
                value = one.total / one.visits + bonus * sqrt(logarithm(one.possible) / one.visits)
                if value > most:
                    best, most = one, value
                    self.number = number
        assert best is not None
        return best

    def untried(self, left: int) -> int:
        """The number of an option that was not tried, behind so many others that were not."""
        number = 0
        while left > 0 or self.known[number] is not None:
            if self.known[number] is None:
                left -= 1
            number += 1
        return number

    def most_promising(self, node: Node) -> Entry:
        """The entry of an option that was not tried after which the seat stands best; options that were never met at
        the node are rated first."""
        game, known, size = self.game, self.known, self.game.options
        game.keep_position()
        for number in range(size):
            if known[number] is None and not node.knows(game.offered[number]):
                promise = self.promise(node.seat, number)
                game.put_back()
                entry = self.insert(node, number)
                entry.possible, entry.total = RATED, promise
        equals, most = 0, -inf
        for number in range(size):
            if known[number] is None:
                promise = node.place(game.offered[number]).total
                if promise > most:
                    equals, most = 0, promise
                if promise == most:
                    equals += 1
        left, number = self.dice.below(equals), 0
        while known[number] is not None or node.place(game.offered[number]).total != most or left > 0:
            if known[number] is None and node.place(game.offered[number]).total == most:
                left -= 1
            number += 1
        entry = node.place(game.offered[number])
        entry.possible, entry.total, entry.number = 1, 0.0, number
        self.number = number
        return entry

    def promise(self, seat: int, number: int) -> float:
        """The lead of a seat after an option; if the game is over then, it is infinite, or 0 if there is no winner. The
        position is another one then."""
        game = self.game
        size = game.look(number)
        if size < 0:
            return -inf
        if size > 0:
            return game.lead(seat)
        lead = lead_of(game.payoffs(), game.players, seat)
        if lead > 0.0:
            return inf
        return -inf if lead < 0.0 else 0.0

    def insert(self, node: Node, number: int) -> Entry:
        """Make an entry for the option with a number."""
        if node.count == 0 or 4 * (node.count + 1) > 3 * (node.mask + 1):
            self.widen(node)
        node.count += 1
        self.entries += 1
        option = self.game.offered[number]
        entry = node.place(option)
        entry.option, entry.possible, entry.number = option, 1, number
        return entry

    def widen(self, node: Node) -> None:
        """Let the table of a node have twice as many places."""
        old, before = node.table, node.mask + 1 if node.count > 0 else 0
        places = 2 * before if before > 0 else FIRST_PLACES
        node.table, node.mask = Records(Entry, places), places - 1
        self.widest = max(self.widest, places)
        for at in range(before):
            entry = old[at]
            if entry.possible != 0:
                node.place(entry.option).move(entry)
