"""Records that a game takes and gives: decisions, options, log, result, and its payoffs to the seats.

Where rules pay, on the way or at the end, a seat's payoff is all that it was paid. Other games are played for places:
the best place of *n* is worth 1 and the last -1, the others lie between them at equal distances, and those who share a
place share the payoffs of the places that they take up together. That is the same as how many more seats one has beaten
than one was beaten by, in parts of all others; it sums to zero, and is 1, 0 or -1 for two players. Only where all have
won together, or all have lost, no one has beaten another: then each gets 1, or each -1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.memo import memoized_by_node
from rulewright.foundation.notebook_html import table
from rulewright.ir.model import PAID, Program

CHANCE = "chance"
RULES = "rules"

PUBLIC = -(1 << 30)
"""In place of a player: what all of them see alike."""

DECIDER = PUBLIC + 1
"""In place of a player: the player to decide."""


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to a decision."""

    key: str
    index: int
    value: int = field(default=0, compare=False)
    """The number of the member in its universe (of a word among the words). Of a piece the first of all that are alike,
    wherever they lie: it gives what is printed on the piece, and nothing of where the others are. The number of none
    for a piece whose face the player to decide does not see."""
    extra: bool = field(default=False, compare=False)
    """True if it is a word (``done``, ``pass``) and not a member of the set that is chosen from."""
    of: str = field(default="", compare=False, repr=False)
    """The name of the decision that offers it; an option made by hand leaves it open."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A question: who decides, and what may be answered."""

    who: str
    """A seat, or ``chance``."""
    seat: int | None
    name: str
    label: str
    options: tuple[Option, ...]
    cites: tuple[str, ...]
    secret: bool = False
    weights: tuple[int, ...] = ()
    """For chance: how likely each option is, in parts of their sum."""
    universe: str = field(default="", compare=False, repr=False)
    """The universe of what is chosen from, ``Int`` for numbers; empty if there are only words."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One answer that was given. ``rules`` as `who` marks something that was shown, which was not chosen."""

    who: str
    name: str
    key: str
    secret: bool = False
    """True if several decide at once: until all have answered, an answer is known only to the player who gave it."""
    seen_by: tuple[str, ...] | None = None
    """The seats that may know the answer; None: all."""
    hushed: bool = False
    """True if players who may not know the answer may not know the question either: it depends on what was decided."""
    heard_by: tuple[str, ...] | None = None
    """The seats that may know that the question was put; None: all."""


@dataclass(frozen=True, slots=True)
class Heard:
    """An entry of the log as a player may see it."""

    who: str
    name: str
    key: str | None
    """The key of the answer; None: they may not know it."""


class Log(tuple[LogEntry, ...]):
    """The log of a state. It knows whether chance was a decision, so that it can be played again as it was."""

    ask_chance: bool

    def __new__(cls, entries: Iterable[LogEntry] = (), ask_chance: bool = False) -> Log:
        """The entries, the first one first."""
        made = super().__new__(cls, entries)
        made.ask_chance = ask_chance
        return made


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game. The first place holds the winners, if any; only that decides it, not who comes before
    others: where all have lost they share the second place."""

    ranking: tuple[tuple[str, ...], ...]
    """Seats, the best first; those in one tuple share the place. The first of them have won only if they are
    `winners`."""
    winners: tuple[str, ...]
    """The seats in the first place: none if there is no winner, or a party without players."""
    rule: str
    """The rule that ended the game."""
    places: tuple[int, ...] = ()
    """For each seat its place, from 1."""
    parties: tuple[str, ...] = ()
    """The parties in the first place without players."""
    drawn: bool = False
    """True if several are in the first place and none has beaten the others; else they have won together."""
    standings: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """The places that are taken, the best first, each with its seats and with parties without players; none where
    all have lost."""
    payoffs: tuple[Fraction, ...] = ()
    """The worth of the game to each seat."""

    def _repr_html_(self) -> str:
        rows = [(place, ", ".join(seats)) for place, seats in self.standings]
        return table(("Place", "Seats"), rows, f"{outcome(self)} ({self.rule})")


def won(winners: Sequence[str]) -> str:
    """The winners in words."""
    return f"{' and '.join(winners) or 'nobody'} won"


def outcome(result: Result) -> str:
    """The end of a game in words: who has won, who has drawn, or that there is no winner."""
    first = (*result.winners, *result.parties)
    return f"{' and '.join(first)} drew" if result.drawn else won(first)


@dataclass(frozen=True, slots=True)
class Link:
    """A log, the last entry first."""

    before: Link | None
    entry: LogEntry


class Watcher(Protocol):
    """Looks on while the rules run."""

    def block(self, name: str, leaving: bool, cells: list[int]) -> None:
        """A block begins, or is over; `cells` may be read, not kept."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a game that did not begin as the rules say: a position, and what was entered there."""

    cells: list[int]
    stack: list[int]
    block: int


@dataclass(frozen=True, slots=True)
class Mode:
    """The mode in which a game is played on; every state hands it to the next."""

    ask_chance: bool = False
    """True if chance is a decision."""
    whole: bool = True
    """True if it is the whole game, so that the end of the rules without a result is an error."""
    fired: list[int] | None = None
    """Counts how often each rule was used (see :attr:`Engine.rule_names`), for all states of the game together."""
    watch: Watcher | None = None
    """Notified when a block begins and ends whose properties may be watched."""
    announcements: list[Any] | None = field(default=None, compare=False)
    """Takes the announcements of the rules, see :mod:`rulewright.engine.states.announcements`."""
    origin: Origin | None = field(default=None, compare=False)
    """The origin of the game, if that is not where the rules begin."""


def linked(log: Sequence[LogEntry]) -> Link | None:
    """A log as states keep it."""
    link = None
    for entry in log:
        link = Link(link, entry)
    return link


WON, LOST = Fraction(1), Fraction(-1)


class Standing(NamedTuple):
    """The places of all seats, and whether those in the first place have beaten no other."""

    places: tuple[int, ...]
    drawn: bool


@dataclass(frozen=True, slots=True)
class PayoffRule:
    """The rule from how a game has ended to the payoffs of its seats."""

    players: int
    pays: bool
    """True if the rules say what is paid."""
    parties: frozenset[int]
    """The players of each party, as sets."""

    @staticmethod
    def of(program: Program) -> PayoffRule:
        """The rule of a program."""
        return _rule_of(program)

    def standing(self, ranks: Sequence[int]) -> Standing:
        """The standing in the cells of `Layout.ranks`: all players of one party have won together, and have not
        drawn, whatever they were ranked by."""
        places = tuple(ranks[: self.players])
        first = sum(1 << seat for seat, place in enumerate(places) if place == 1)
        return Standing(places, bool(ranks[-1]) and first not in self.parties)

    def drawn(self, columns: Sequence[Sequence[int]]) -> Iterable[int]:
        """For each of many games whether it is drawn, from a column for each of the cells of `Layout.ranks`."""
        if not self.parties:
            return columns[-1]
        return (ranks[-1] and int(self.standing(ranks).drawn) for ranks in zip(*columns, strict=True))

    def payoffs(self, ranks: Sequence[int], paid: Sequence[int]) -> tuple[Fraction, ...]:
        """The payoffs of a game that is over, from the cells of `Layout.ranks` and `Layout.paid`. Of one that is not
        over what was paid so far, nothing if its rules do not pay."""
        if self.pays:
            return tuple(map(Fraction, paid))
        return by_place(*self.standing(ranks)) if ranks[0] else ()


@memoized_by_node
def _rule_of(program: Program) -> PayoffRule:
    parties = {f"{universe.name}.members" for universe in program.universes if universe.sort == "party"}
    held = (value for table in program.tables if table.name in parties for value in table.values)
    pays = any(field.name == PAID for field in program.fields)
    return PayoffRule(program.players, pays, frozenset(players for players in held if isinstance(players, int)))


@lru_cache(maxsize=1 << 12)
def by_place(places: tuple[int, ...], drawn: bool) -> tuple[Fraction, ...]:
    """The payoffs by places alone."""
    if len(set(places)) == 1:
        everybody = Fraction(0) if drawn else WON if places[0] == 1 else LOST
        return (everybody,) * len(places)
    beaten = [sum((other > mine) - (other < mine) for other in places) for mine in places]
    return tuple(Fraction(number, len(places) - 1) for number in beaten)
