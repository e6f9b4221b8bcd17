"""The tree of Monte Carlo search where everybody sees everything (:mod:`rulewright.search.tree_search`): a kernel."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt

from rulewright.engine.kernels.arithmetic import logarithm, may_widen
from rulewright.engine.kernels.move_averages import MoveAverages, move_of
from rulewright.engine.kernels.vocabulary import Dice, Game, Reals, Vector, Word, Words
from rulewright.engine.random_numbers import MASK, mix
from rulewright.engine.search_arithmetic import (
    EXPLORATION,
    FRUITLESS,
    LONGEST_PATH,
    MOST_BRANCHES,
    MOST_OUTCOMES,
    NEAR_ROOT,
    PROBES,
)

WORD_BITS = 64


def all_below(size: int) -> Words:
    """The numbers below a size, a set."""
    words = Words((size + WORD_BITS - 1) >> 6)
    for at in range(size >> 6):
        words[at] = MASK
    if size & 63:
        one: Word = 1
        words[size >> 6] = (one << (size & 63)) - 1
    return words


@dataclass(slots=True, eq=False, repr=False)
class Outcome:
    """A position that chance has led to behind an option."""

    key: Word
    following: Outcome | None
    """The next outcome of the option."""
    node: Node | None = None
    """The question there; made when it is come to for the second time."""


@dataclass(slots=True, eq=False, repr=False)
class Branch:
    """An option that was taken at a node, and what has come of it."""

    option: int
    visits: int = 0
    total: float = 0.0
    """The payoffs of the seat to move, added up."""
    mean: float = 0.0
    """The mean payoff, or the one that is certain."""
    doubt: float = 0.0
    """The factor of the bonus for few visits: none if a payoff is certain."""
    child: Node | None = None
    """The question that follows, if chance has no say in it; made when it is come to for the second time."""
    certain: Reals | None = None
    """The payoffs that are certain to follow if all play as well as they can."""
    outcomes: Outcome | None = None
    """The last of the positions that chance has led to; no part of a branch in a game without chance."""

    def weigh(self, seat: int) -> None:
        """Find the mean payoff of the seat to move anew."""
        if self.certain is not None:
            self.mean = self.certain[seat]
            self.doubt = 0.0
        else:
            self.mean = self.total / self.visits
            self.doubt = 1.0 / sqrt(self.visits)

    def outcome(self, key: Word) -> Outcome | None:
        """The outcome with a key. A new one is noted, if there are not too many, and none is given."""
        count, found = 0, self.outcomes
        while found is not None:
            if found.key == key:
                return found
            count += 1
            found = found.following
        if count < MOST_OUTCOMES:
            self.outcomes = Outcome(key, self.outcomes)
        return None


@dataclass(slots=True, eq=False, repr=False)
class Node:
    """A question: who is to move, and the options that were tried of it, in the order in which that was first done."""

    seat: int
    branches: Vector[Branch]
    untried: Words
    """The options that were not tried, a set."""
    visits: int = 1
    certain: Reals | None = None
    """The payoffs that are certain to follow."""
    threat: Word = 0
    """1 more than an option, as it is in any position, with which the next seat has won at once behind a branch."""
    refuted: int = 0
    """The branches that were refuted by it."""
    is_probed: bool = False
    """True if no option that was not tried then wins at once."""

    def take_untried(self, number: int) -> int:
        """Take the option with a number out of those that were not tried; the option."""
        at = 0
        while self.untried[at].bit_count() <= number:
            number -= self.untried[at].bit_count()
            at += 1
        word = self.untried[at]
        while number > 0:
            word &= word - 1
            number -= 1
        lowest = word & -word
        self.untried[at] ^= lowest
        return WORD_BITS * at + lowest.bit_length() - 1

    def settle(self, known: Reals, highest: float) -> None:
        """Note what is certain here, now that `known` is of a branch; `highest` is the highest payoff that there
        can be."""
        if known[self.seat] >= highest:
            self.certain = known
            return
        if len(self.branches) < self.branches.most:
            return
        best: Reals | None = None
        for branch in self.branches:
            certain = branch.certain
            if certain is None:
                return
            if best is None or certain[self.seat] > best[self.seat]:
                best = certain
        self.certain = best


def node_of(game: Game) -> Node:
    """A node of the pending question."""
    size = game.options
    return Node(game.seat, Vector(size), all_below(size))


@dataclass(slots=True, eq=False, repr=False)
class Step:
    """A node on the way down, and the branch that was taken."""

    node: Node
    branch: Branch


@dataclass(slots=True, eq=False, repr=False)
class Tree:
    """A tree, and the simulations that let it grow."""

    game: Game
    dice: Dice
    averages: MoveAverages
    root: Node = field(init=False)
    path: Vector[Step] = field(init=False)
    """The way of the last simulation."""
    branches: int = field(init=False)
    """All branches together."""
    looked: int = field(init=False)
    reply: int = field(init=False)
    """The option that was looked at last, and the one behind it, or less than 0."""
    is_abandoned: bool = field(init=False)
    """True if a look has ended in an error of the rules: the simulation begins anew, and does not look there again."""
    fruitless: int = field(init=False)
    """The nodes that were probed for nothing, half as many after each win that was found."""
    found: Reals = field(init=False)
    """The payoffs of the last simulation."""

    def reset(self) -> None:
        """Begin a search from the position of the game."""
        self.game.go_back()
        self.root = node_of(self.game)
        self.path = Vector(LONGEST_PATH)
        self.branches = 0
        self.looked = -1
        self.reply = -1
        self.is_abandoned = False
        self.fruitless = 0

    @property
    def is_full(self) -> bool:
        """True if there is no room for more of the tree."""
        return self.branches >= MOST_BRANCHES

    def search(self, simulations: int) -> int:
        """Simulate so often; how often that was done: less if nothing is left to find out, or there is no room."""
        done = 0
        while done < simulations and self.root.certain is None and self.game.has_room:
            self.is_abandoned = False
            self.simulate()
            if not self.is_abandoned:
                done += 1
        return done

    def simulate(self) -> None:
        """Go down the tree, put a node at its end, play on from there at random, and note the payoffs on the way."""
        game, node = self.game, self.root
        game.begin()
        self.path.clear()
        while True:
            branch = self.select(node)
            if branch is None:
                return
            self.path.add(Step(node, branch))
            if branch.certain is not None:
                payoffs = branch.certain
                break
            drawn = game.drawn
            size = game.apply(branch.option)
            if size < 0:
                payoffs = game.nothing
                break
            is_settled = not game.has_chance or game.drawn == drawn
            if size == 0:
                payoffs = game.payoffs()
                if is_settled:
                    branch.certain = game.keep(payoffs)
                break
            child = self.after(branch) if is_settled else self.after_chance(branch)
            if child is None:
                payoffs = game.rest()
                break
            if child.certain is not None:
                payoffs = child.certain
                break
            node = child
        self.found = payoffs
        self.note(payoffs)

    def select(self, node: Node) -> Branch | None:
        """The branch to look at: one that wins at once, one of the options that were not tried, else that
        with the best upper bound. In a tree that is full there is another one only where there is none. None if a look
        was abandoned."""
        tried, size = len(node.branches), node.branches.most
        if tried < size and (not self.is_full or tried == 0):
            if not self.game.pays and not node.is_probed and self.may_probe(node):
                number = self.winning(node)
                if self.is_abandoned:
                    return None
                if number >= 0:
                    return self.add(node, number)
            if may_widen(tried - node.refuted, node.visits):
                return self.widen(node)
        explored = self.game.spread * EXPLORATION * sqrt(logarithm(node.visits))
        best, most = node.branches[0], float("-inf")
        for branch in node.branches:
            value = branch.mean + explored * branch.doubt
            if value > most:
                best, most = branch, value
        return best

    def add(self, node: Node, number: int) -> Branch:
        """A branch of the option that has a number among those that were not tried."""
        self.branches += 1
        return node.branches.add(Branch(node.take_untried(number)))

    def widen(self, node: Node) -> Branch | None:
        """A branch of an option that was not tried: the first one that the threat does not refute, if any."""
        left = node.branches.most - len(node.branches)
        branch = self.add(node, self.promising(node, left))
        if node.threat != 0:
            self.game.keep_position()
            self.refute(node, branch)
            while branch.certain is not None and left > 1 and not self.is_abandoned:
                left -= 1
                branch = self.add(node, self.dice.below(left))
                self.refute(node, branch)
            if self.is_abandoned:
                return None
        return branch

    def promising(self, node: Node, left: int) -> int:
        """The number of one of so many options that were not tried: that with the best average, if it is above that of
        the options that were tried, else any."""
        game, best, most = self.game, -1, 0.0
        if game.by_moves or game.is_wide:
            for branch in node.branches:
                most += branch.total
            most = most / (node.visits - 1) if node.visits > 1 else float("-inf")
            game.offer()
            here, at, word = mix(game.question + 1), 0, node.untried[0]
            for number in range(left):
                while word == 0:
                    at += 1
                    word = node.untried[at]
                lowest = word & -word
                word ^= lowest
                mean = self.averages.mean(move_of(here, game.offered[WORD_BITS * at + lowest.bit_length() - 1]))
                if mean > most:
                    best, most = number, mean
        return best if best >= 0 else self.dice.below(left)

    # ---------------------------------------------------------------------------------------------------- tactics

    def may_probe(self, node: Node) -> bool:
        """True if it is time to try all options of a node: at once at the root and behind its first options, or where
        it is threatened; elsewhere the more visits, the more options there are and the more often it was for
        nothing."""
        few = node.branches.most * (FRUITLESS + self.fruitless) <= node.visits * PROBES * FRUITLESS
        return few or self.is_near_root

    @property
    def is_near_root(self) -> bool:
        """True at the root, and behind an option of it that is looked at as it may be refuted."""
        return len(self.path) == 0 or (
            len(self.path) == 1 and (self.root.threat != 0 or len(self.root.branches) <= NEAR_ROOT)
        )

    def winning(self, node: Node) -> int:
        """The number of an option that wins at once among those that were not tried, less than 0 if none does."""
        game, at, number = self.game, 0, 0
        node.is_probed = True
        self.fruitless += 1
        game.keep_position()
        word = node.untried[0]
        left = node.branches.most - len(node.branches)
        while number < left and not self.is_abandoned:
            while word == 0:
                at += 1
                word = node.untried[at]
            lowest = word & -word
            word ^= lowest
            option = WORD_BITS * at + lowest.bit_length() - 1
            self.looked, self.reply = option, -1
            payoffs = self.won(option)
            game.put_back()
            if payoffs is not None:
                if len(self.path) > 0 and self.path[-1].node.seat != node.seat:
                    game.offer()
                    self.path[-1].node.threat = (game.offered[option] + 1) & MASK
                self.fruitless = self.fruitless - 1 >> 1
                return number
            number += 1
        return -1

    def won(self, option: int) -> Reals | None:
        """The payoffs if who is to move wins at once with an option, without chance. The position is another one
        then."""
        game, drawn, seat = self.game, self.game.drawn, self.game.seat
        size = game.look(option)
        if size < 0:
            self.is_abandoned = True
        if size != 0 or (game.has_chance and game.drawn != drawn):
            return None
        payoffs = game.payoffs()
        if payoffs[seat] < game.best:
            return None
        return payoffs

    def refute(self, node: Node, branch: Branch) -> None:
        """Note that an option loses if the threat is carried out behind it."""
        game, drawn = self.game, self.game.drawn
        self.looked, self.reply = branch.option, -1
        size = game.look(branch.option)
        if size < 0:
            self.is_abandoned = True
        if size > 0 and (not game.has_chance or game.drawn == drawn):
            game.offer()
            number = 0
            while number < size and (game.offered[number] + 1) & MASK != node.threat:
                number += 1
            if number < size:
                self.reply = number
                payoffs = self.won(number)
                if payoffs is not None:
                    branch.certain = game.keep(payoffs)
                    branch.weigh(node.seat)
                    node.refuted += 1
        game.put_back()

    # ------------------------------------------------------------------------------------------------------ growing

    def after(self, branch: Branch) -> Node | None:
        """The node behind an option; none at the first visit, but where options are looked at as they may be refuted,
        or where there is no room for one."""
        if len(self.path) >= LONGEST_PATH or (branch.visits == 0 and (self.game.pays or not self.is_near_root)):
            return None
        if branch.child is None and not self.is_full:
            branch.child = node_of(self.game)
        return branch.child

    def after_chance(self, branch: Branch) -> Node | None:
        """The node behind what chance has made of an option."""
        outcome = branch.outcome(self.game.outcome())
        if outcome is None or len(self.path) >= LONGEST_PATH:
            return None
        if outcome.node is None and not self.is_full:
            outcome.node = node_of(self.game)
        return outcome.node

    def note(self, payoffs: Reals) -> None:
        """Note the payoffs of a simulation along its path, and what has become certain by it."""
        known = self.path[-1].branch.certain
        for step in reversed(self.path):
            node, branch = step.node, step.branch
            node.visits += 1
            branch.visits += 1
            branch.total += payoffs[node.seat]
            if known is not None and node.certain is None:
                if not self.game.has_chance or branch.outcomes is None:
                    branch.certain = known
                    node.settle(known, self.game.best)
                known = node.certain
            branch.weigh(node.seat)
