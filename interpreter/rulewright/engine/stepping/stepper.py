"""A game in place: what the steppers of both backends offer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import replace
from fractions import Fraction

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine.faults import NO_OPTION
from rulewright.engine.native.suspended_state import SuspendedState
from rulewright.engine.random_numbers import MASK
from rulewright.engine.runtime.canonical_form import running
from rulewright.engine.runtime.machine import ASK, OVER, RETURNED, Engine
from rulewright.engine.runtime.records import Mode
from rulewright.engine.search_arithmetic import KIND, LONGEST_REST, PIECE, ZONE
from rulewright.engine.states.state import State
from rulewright.engine.stepping.search_results import AlphaBetaSolver, InformationSetTree, SearchTree
from rulewright.foundation.bit_sets import bits_of
from rulewright.host.api_arguments import invalid_argument, shortened
from rulewright.host.budgets import DECISIONS
from rulewright.ir import model as m


class Snapshot:
    """A position that was kept, to be given to :meth:`Stepper.restore`; what it holds is for steppers alone."""

    __slots__ = ("_held", "_of", "_way")

    def __init__(self, of: object, held: object, way: object = None) -> None:
        self._of, self._held, self._way = of, held, way


class Stepper(ABC):
    """One game that changes in place, with nothing made that is not needed::

        stepper = game.stepper(seed=7)
        while stepper.options:
            stepper.apply(random.randrange(stepper.options))
        print(stepper.places)

    Options go by number, in the order of :attr:`Decision.options`; chance is drawn from the seed. An error of the rules
    is raised where it happens, and leaves the game at the question before it (one at the beginning leaves none). The
    limits are those in force when the stepper is made.
    """

    handed_over = 0
    """Answers that another engine has given, as this one could not; uses of rules are then not counted right."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    @abstractmethod
    def begin(self, seed: int = 0) -> int:
        """Begin a new game; the number of options of its first question."""

    @abstractmethod
    def apply(self, option: int) -> int:
        """Answer with an option, by its number; the number of the next ones, 0 if the game is over."""

    @property
    @abstractmethod
    def options(self) -> int:
        """The number of options; 0 if the game is over."""

    @property
    @abstractmethod
    def seat(self) -> int | None:
        """The player to decide, by number."""

    @property
    @abstractmethod
    def question(self) -> tuple[str, int] | None:
        """The place in the rules where a player decides: a function and its instruction."""

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each player, from 1; all 0 while the game runs."""
        return self._numbers(self.engine.layout.ranks)[: self.engine.program.players]

    @property
    def payoffs(self) -> tuple[Fraction, ...]:
        """The worth of the game to each player, as :attr:`State.payoffs`."""
        layout = self.engine.layout
        return self.engine.payoffs.payoffs(self._numbers(layout.ranks), self._numbers(layout.paid))

    @abstractmethod
    def _numbers(self, cells: slice) -> tuple[int, ...]:
        """The numbers in some cells."""

    @property
    @abstractmethod
    def spent(self) -> int:
        """The steps that have been taken since the last answer, or since the beginning: the same with each engine."""

    @property
    @abstractmethod
    def in_move(self) -> bool:
        """True if the game was over before a move was: in a turn that finds that nothing can be done any more, or by
        what was done in it. Always false if the ruleset does not say what a move is."""

    def offered(self) -> list[int]:
        """The options in their order, each as what it is in every position in which the same question is pending: a
        member, a piece by its kind, the zone where it lies and how many like it come before it, or a word. They are
        numbers of 64 bits, the same as in machine code."""
        place = self.question
        if place is None:
            return []
        members, words = self._offer()
        found = list(members)
        if self._asks_for_pieces(place):
            kind, seen = self.engine.interchange.kind, dict[int, int]()
            for number, piece in enumerate(members):
                alike = (kind[piece] << KIND) + (self._zone_of(piece) << ZONE) + PIECE
                found[number] = alike + seen.get(alike, 0)
                seen[alike] = seen.get(alike, 0) + 1
        return [*found, *(~word & MASK for word in bits_of(words))]

    def _asks_for_pieces(self, place: tuple[str, int]) -> bool:
        known = self.engine.cache("questions about pieces")
        if place not in known:
            function = next(one for one in self.engine.program.functions if one.name == place[0])
            question = function.code[place[1]]
            known[place] = isinstance(question, m.Choose) and question.universe == "Piece"
        found: bool = known[place]
        return found

    @abstractmethod
    def _offer(self) -> tuple[Sequence[int], int]:
        """The members that are offered, and the words beside them, a set."""

    @abstractmethod
    def _zone_of(self, piece: int) -> int:
        """The number of the zone in which a piece lies."""

    @property
    @abstractmethod
    def drawn(self) -> int:
        """The numbers that chance has given since :meth:`reseed`, or else since the beginning: an answer that does not
        change it leads to one position."""

    @abstractmethod
    def outcome(self) -> bytes:
        """A digest of the position without what chance is to come from: two answers that chance had its say in have led
        to the same position if theirs are equal."""

    @abstractmethod
    def reseed(self, seed: int) -> None:
        """Let chance that is to come follow from another seed, and from nothing that it has given before."""

    @abstractmethod
    def play_on(self, seed: int, most: int = DECISIONS) -> bool:
        """Go on from the pending question to the end of the game, with answers at random that follow from a seed,
        so many at most; True if the game is over. Natively all of it is one run of machine code.

        Only :attr:`places`, :attr:`payoffs` and :meth:`rates` may be looked at then, and a position restored. An error
        of the rules is raised where it happens.
        """

    def labels(self) -> list[int]:
        """For the engine: a number for each option, the same in every position in which the same question is pending,
        so far as that is known without asking more: what was good elsewhere is tried first by it."""
        members, words = self._offer() if self.options else ((), 0)
        return [*members, *(~number for number in range(words.bit_count()))]

    def alpha_beta_solver(self, memory: int) -> AlphaBetaSolver | None:
        """For the engine: an alpha-beta search in machine code with so much memory; None if this game is not played by
        any, or is none of two without chance."""
        return None

    def tree(self, mast: bool = False) -> SearchTree | None:
        """For the engine: a tree that grows in machine code; None if this game is not played by any. With
        `mast` simulations go on by the averages of moves (:mod:`rulewright.search.rollouts`)."""
        return None

    def information_set_tree(self, query: str = "", depth: int = 0, mast: bool = False) -> InformationSetTree | None:
        """For the engine: the same for several worlds that a seat thinks possible. With a query, which is one that the
        stepper was made to know, simulations are cut after so many answers at random and rated by it."""
        return None

    @abstractmethod
    def rates(self, query: str) -> tuple[int, ...]:
        """For the engine: the answers of a query about each player, also after :meth:`play_on`; it is one that the
        stepper was made to know, of one player, its answer a number or a truth."""

    @abstractmethod
    def numbers(self, cells: tuple[int, ...]) -> Sequence[int]:
        """For the engine: what stands in some cells, which are needed again and again."""

    @abstractmethod
    def uses(self, rule: int) -> int:
        """The times that a rule was used since the last :meth:`begin`, by its number in :attr:`Game.rule_names`. What
        is restored does not change that."""

    def running(self, function: str) -> int:
        """For the engine: how often a function was begun and is not over."""
        return running(self.engine, self.rest().stack, function)

    @abstractmethod
    def snapshot(self) -> Snapshot:
        """Keep the position."""

    @abstractmethod
    def restore(self, kept: Snapshot) -> int:
        """Go to a position that was kept by this or another stepper of the game; the number of options there."""

    @abstractmethod
    def key(self) -> Hashable:
        """The position for a table of those that are known: equal keys, equal positions (not always the other way
        round, see :meth:`State.to_bytes`)."""

    @abstractmethod
    def rest(self) -> SuspendedState:
        """For the engine: the position as cells and stack."""

    @abstractmethod
    def load(self, state: State) -> int:
        """Go to the position of a state of this game; the number of options."""

    def state(self) -> State:
        """The position as a state, with keys and views, but without a log."""
        return state_of(self.engine, self.rest())

    def _rule(self, rule: object) -> int:
        """The number of a rule, if there is one with it."""
        if isinstance(rule, bool) or not isinstance(rule, int) or not 0 <= rule < len(self.engine.rule_names):
            raise invalid_argument("the rule", rule, f"its number is from 0 to {len(self.engine.rule_names) - 1}")
        return rule

    def _wrong_option(self, option: object) -> RulesetError:
        if not isinstance(option, int):
            return invalid_argument("an option", option, "it is a number")
        return RulesetError(Diagnostic(NO_OPTION, f"there is no option {shortened(option)}: there are {self.options}"))

    def _wrong_snapshot(self, kept: object) -> RulesetError:
        return invalid_argument("the snapshot", kept, "it must be one of a stepper of this game, with the same engine")


def apply_with_forced(stepper: Stepper, option: int) -> int:
    """Answer, and give the answers that follow by themselves, as there is one option each, but for very many; the
    number of options of the next question."""
    size, more = stepper.apply(option), LONGEST_REST - 1
    while size == 1 and more:
        size, more = stepper.apply(0), more - 1
    return size


def state_of(engine: Engine, rest: SuspendedState) -> State:
    """The state at rest with these cells and this stack, at the same question."""
    cells, stack = list(rest.cells), list(rest.stack)
    if -rest.status != ASK:
        return State.at_rest(engine, cells, _MODE, None)
    base = base_of(engine, stack)
    registers = engine.registers(base)
    status = engine.run(cells, stack, registers, engine.question(stack, base).block)
    return State(engine, cells, stack, registers, status, _MODE, None)


def base_of(engine: Engine, stack: Sequence[int]) -> int:
    """The position at which the locals of the topmost frame begin."""
    base = 3
    while (end := base + engine.compiled.offsets[stack[base - 3]][-1]) < len(stack):
        base = end + 3
    return base


def rest_of(state: State, engine: Engine) -> SuspendedState:
    """The parts of a state at rest, which is one of the game of an engine: of its program but for more queries."""
    if not isinstance(state, State):
        raise invalid_argument("the state", state, "it must be a state of this game")
    theirs, ours = state.engine.program, engine.program
    if theirs is not ours and replace(theirs, queries=ours.queries) != ours:
        raise invalid_argument("the state", state, "it is one of another game")
    if state.status not in (ASK, OVER, RETURNED):
        raise invalid_argument("the state", state, "chance is not asked here, it is drawn")
    answers = state.answers()
    members = tuple(member for member, extra in answers if not extra)
    words = sum(1 << number for number, extra in answers if extra)
    return SuspendedState(-state.status, state.cells, state.stack, state.seat or 0, members, words)


_MODE = Mode()
