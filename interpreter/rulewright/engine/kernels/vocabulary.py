"""The types of kernels: whole numbers, floats, words, records, and rows of them.

A kernel is a module in a small typed subset of Python. CPython runs it as it stands; the functions that machine code
needs are translated by :mod:`rulewright.engine.native.translation`. The subset has

* numbers: `int` (32 bits with a sign), `bool`, `float` (64 bits), and `Word` (64 bits without a sign; a result that
  may be longer is cut with ``& MASK``);
* records: data classes with slots, of which a variable holds the address, or none;
* rows: a fixed number of items side by side (:class:`Words`, :data:`Numbers`, :class:`Floats`, :data:`Reals`,
  :class:`Records`, :class:`Links`), and :class:`Vector`, which grows;
* interfaces: protocols, of which each world has its own implementation; a variable of such a type takes no room in
  machine code. What is constant in an implementation (as whether a game has chance) is known while code is translated,
  and cases that cannot occur are left out;
* functions and methods, `if`, `while`, `for` over ranges and vectors, `break`, `continue`, `return`, assignments,
  arithmetic, comparisons. A function that consists of one `return` is put in the place of its calls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")

Word = int
"""64 bits."""
Reals = Sequence[float]
"""A row of floats that is not changed."""
Numbers = Sequence[Word]
"""A row of words that is not changed."""
FIRST_ROOM = 8
"""Items for which a vector in machine code has room at first; then it is doubled."""


class Vector(list[T]):
    """Records side by side, at most so many. Another one may move them all: no address of one is kept beyond that."""

    __slots__ = ("most",)

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def add(self, item: T) -> T:
        """Put a new record behind the others; the record."""
        self.append(item)
        return item

    def drop(self, item: T) -> None:
        """Take one of the records out; the others keep their order."""
        self.remove(item)


class Words(list[Word]):
    """A row of words, which are 0 at first."""

    __slots__ = ()

    def __init__(self, count: int) -> None:
        super().__init__([0] * count)


class Floats(list[float]):
    """A row of floats, which are 0 at first."""

    __slots__ = ()

    def __init__(self, count: int) -> None:
        super().__init__([0.0] * count)


class Records(list[T]):
    """A row of records; what is stored at a place is moved there."""

    __slots__ = ()

    def __init__(self, make: Callable[[], T], count: int) -> None:
        super().__init__([make() for _ in range(count)])


class Links(list[T | None]):
    """A row of addresses of records, none at first."""

    __slots__ = ()

    def __init__(self, count: int) -> None:
        super().__init__([None] * count)


class Dice(Protocol):
    """The stream of random numbers that decides."""

    def below(self, size: int) -> int:
        """A number below a size; of one nothing is drawn."""


class Game(Protocol):
    """The game that a search plays in place."""

    @property
    def has_chance(self) -> bool:
        """True if chance has a say in the game: a constant."""

    @property
    def by_moves(self) -> bool:
        """True if rollouts go by the averages of moves."""

    @property
    def is_wide(self) -> bool:
        """True if the position that is searched has many options: averages of moves say which are tried first."""

    @property
    def pays(self) -> bool:
        """True if the rules say what is paid; else payoffs follow from places: a constant."""

    @property
    def question(self) -> Word:
        """The pending question and its seat, as a number."""

    @property
    def options(self) -> int:
        """The number of options of the pending question."""

    @property
    def offered(self) -> Numbers:
        """The options as they were described last: what each is in any world."""

    @property
    def seat(self) -> int:
        """The seat to decide."""

    @property
    def drawn(self) -> int:
        """The numbers that chance has given in this simulation: an answer that does not change it leads to one
        position."""

    @property
    def spread(self) -> float:
        """The distance of payoffs from their middle at most: a bonus for few visits is measured by it."""

    @property
    def best(self) -> float:
        """The highest payoff that there can be: who is certain of it need not look further."""

    @property
    def nothing(self) -> Reals:
        """The payoffs of a game that ends in an error."""

    @property
    def has_room(self) -> bool:
        """True if there is enough memory for one more simulation."""

    def go_back(self) -> None:
        """Go back to the position that is searched."""

    def begin(self) -> None:
        """Go back to the position that is searched, with other chance to come."""

    def apply(self, option: int) -> int:
        """Answer, and give all answers that follow by themselves; the options of the next question, less than 0 if the
        rules end in an error (machine code stops there)."""

    def offer(self) -> None:
        """Describe the options of the pending question."""

    def keep_position(self) -> None:
        """Keep the position, to come back to it again and again: options are looked at now."""

    def put_back(self) -> None:
        """Come back to the position that was kept."""

    def look(self, option: int) -> int:
        """Do as `apply` does, for a look."""

    def outcome(self) -> Word:
        """A digest of the position without what chance is to come from."""

    def payoffs(self) -> Reals:
        """The payoffs of the game that is over; they are kept where those of the next one come."""

    def keep(self, payoffs: Reals) -> Reals:
        """Payoffs that are not overwritten."""

    def rest(self) -> Reals:
        """The payoffs of a game that goes on at random from here."""


class WorldGame(Game, Protocol):
    """The game of a search in several worlds, in which options are distinguished by what they are in any world."""

    @property
    def players(self) -> int:
        """The number of seats: a constant."""

    @property
    def most_options(self) -> int:
        """The most options that a question can have: a constant."""

    @property
    def rates(self) -> bool:
        """True if positions are rated, and options tried in the order of their promise."""

    @property
    def is_at_once(self) -> bool:
        """True if the question is one that several answer at once."""

    def has_room_for(self, entries: int) -> bool:
        """True if there is enough memory for one more simulation, with so many entries in new tables."""

    def number_options(self) -> None:
        """Take each option for its number."""

    def lead(self, seat: int) -> float:
        """The rating of the position for a seat."""


class RolloutGame(WorldGame, Protocol):
    """The game of rollouts, and of what they are measured by."""

    @property
    def lowest(self) -> float:
        """The lowest payoff that there can be; 0 where the rules pay: a constant."""

    @property
    def highest(self) -> float:
        """The highest one."""

    @property
    def is_learnt(self) -> bool:
        """True if positions are rated by an evaluation that was learnt: a constant."""

    @property
    def cut(self) -> int:
        """The answers of a rollout at most."""

    def open_stream(self, seed: Word) -> None:
        """Let the numbers of a rollout come from the stream of a seed."""

    def draw(self, size: int) -> int:
        """A number below a size above 1, from the stream of the rollout."""

    def answer(self, option: int) -> int:
        """Answer; the number of the next options."""

    def play_on(self, most: int) -> bool:
        """Give so many answers at random, at least one; true if the game is over then."""

    def end(self) -> Reals:
        """The payoffs of the game that is over, or what was paid so far; kept as those of `payoffs`."""

    def ratings(self) -> Reals:
        """The answers of the query about each seat."""

    def expected(self) -> Reals:
        """The payoffs that the evaluation expects."""
