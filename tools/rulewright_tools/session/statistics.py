"""Statistics over many games. Only whole numbers are added up, so the order of the games does not matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

import rulewright as rw
from rulewright_tools.session.estimates import Lengths, Spread, wilson


class Leak(NamedTuple):
    """The moment at which a choice leaked a secret; the first of several is the least."""

    seed: int
    decision: int
    """The number of the decision in that game, from 1."""
    what: str


class Outcome(NamedTuple):
    """An end that games can have: just these share the first place, seats and then parties without players."""

    first: tuple[str, ...]
    drawn: bool

    @property
    def how(self) -> str:
        """The kind of the end."""
        if not self.first:
            return "nobody"
        return "drawn" if self.drawn else "together" if len(self.first) > 1 else "alone"


NO_WINNER = Outcome((), False)


@dataclass(slots=True)
class Statistics:
    """Sums over games; picklable, so that other processes can count a part."""

    games: int = 0
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    """The number of games that ended so: each has one outcome, so they add up."""
    endings: Counter[str] = field(default_factory=Counter)
    """The rules that ended the games."""
    lengths: Counter[int] = field(default_factory=Counter)
    """The number of games that took so many decisions."""
    payoffs: dict[str, Counter[Fraction]] = field(default_factory=dict)
    """For each seat how often it got each payoff."""
    sums: Counter[Fraction] = field(default_factory=Counter)
    """The number of games whose payoffs had each sum."""
    measures: dict[tuple[str, str], Counter[int]] = field(default_factory=dict)
    """For each measure and seat, or no seat if it is about the whole game, how often it ended at each number."""
    answered: int = 0
    """The decisions of all games, those that were stopped included."""
    checked: int = 0
    """Games in which invariants and properties were looked at."""
    looked_at: int = 0
    """Decisions at which it was compared what a player is offered when what is hidden from them is something else."""
    fired: Counter[str] = field(default_factory=Counter)
    """In how many games each rule was used."""
    unfinished: int = 0
    """Games that were stopped because they did not end."""
    endless: int | None = None
    """The lowest seed of such a game."""
    broken: dict[str, int] = field(default_factory=dict)
    """Invariants that did not hold, each with the lowest seed of a game in which that happened."""
    leaks: dict[str, Leak] = field(default_factory=dict)
    """Choices that revealed hidden information to a player, each with its first time."""

    def add(self, result: rw.Result, seats: tuple[str, ...], decisions: int, fired: list[str]) -> None:
        """Count one finished game."""
        for seat, payoff in zip(seats, result.payoffs, strict=True):
            self.payoffs.setdefault(seat, Counter())[payoff] += 1
        self.sums[sum(result.payoffs, Fraction(0))] += 1
        self.games += 1
        self.answered += decisions
        self.lengths[decisions] += 1
        self.outcomes[Outcome((*result.winners, *result.parties), result.drawn)] += 1
        self.endings[result.rule] += 1
        self.fired.update(fired)

    def add_measures(self, measures: Mapping[str, int | tuple[int, ...]], seats: tuple[str, ...]) -> None:
        """Count the measures at the end of a game."""
        for name, numbers in measures.items():
            each = {"": numbers} if isinstance(numbers, int) else dict(zip(seats, numbers, strict=True))
            for seat, number in each.items():
                self.measures.setdefault((name, seat), Counter())[number] += 1

    def add_unfinished(self, seed: int, decisions: int, fired: list[str]) -> None:
        """Count a game that was stopped."""
        self.unfinished += 1
        self.answered += decisions
        self.endless = seed if self.endless is None else min(seed, self.endless)
        self.fired.update(fired)

    def note_broken(self, invariant: str, seed: int) -> None:
        """An invariant did not hold in the game of this seed."""
        self.broken[invariant] = min(seed, self.broken.get(invariant, seed))

    def note_leak(self, choice: str, leak: Leak) -> None:
        """Note that a player's choice depended on a secret."""
        self.leaks[choice] = min(leak, self.leaks.get(choice, leak))

    def join(self, other: Statistics) -> None:
        """Add what was counted elsewhere."""
        self.games += other.games
        self.unfinished += other.unfinished
        self.answered += other.answered
        self.checked += other.checked
        self.looked_at += other.looked_at
        if other.endless is not None:
            self.endless = other.endless if self.endless is None else min(self.endless, other.endless)
        for mine, theirs in (
            (self.outcomes, other.outcomes),
            (self.endings, other.endings),
            (self.lengths, other.lengths),
            (self.fired, other.fired),
            (self.sums, other.sums),
        ):
            mine.update(theirs)  # type: ignore[arg-type]
        for seat, payoffs in other.payoffs.items():
            self.payoffs.setdefault(seat, Counter()).update(payoffs)
        for measure, numbers in other.measures.items():
            self.measures.setdefault(measure, Counter()).update(numbers)
        for invariant, seed in other.broken.items():
            self.note_broken(invariant, seed)
        for choice, leak in other.leaks.items():
            self.note_leak(choice, leak)

    def report(self, seats: tuple[str, ...], rules: list[str], idle: tuple[str, ...] = ()) -> dict[str, object]:
        """The figures as plain data, in an order that depends on nothing but the figures.

        Rules that are `idle` cannot be used as the parameters are set, and do not count as unused.
        """
        lengths = Lengths.of(self.lengths)
        return {
            "games": self.games,
            "unfinished": {"games": self.unfinished, "seed": self.endless},
            "seats": [self._side("seat", seat) | {"payoff": self._payoff(seat)} for seat in seats],
            "payoff_sum": {
                "least": _json_number(min(self.sums, default=0)),
                "most": _json_number(max(self.sums, default=0)),
            },
            "measures": [
                {"measure": name, "seat": seat or None, **_spread(Spread.of(numbers))}
                for (name, seat), numbers in self.measures.items()
            ],
            "parties": [self._side("party", party) for party in self.parties_without_players(seats)],
            "nobody": {"games": self.outcomes[NO_WINNER], **self._part(self.outcomes[NO_WINNER])},
            "winners": [self._outcome(one, seats) for one in self.ordered()],
            "draws": sum(number for one, number in self.outcomes.items() if one.drawn),
            "endings": [
                {"rule": rule, "games": number}
                for rule, number in sorted(self.endings.items(), key=lambda item: (-item[1], item[0]))
            ],
            "decisions": {
                "total": sum(length * times for length, times in self.lengths.items()),
                "mean": str(lengths.mean),
                "least": lengths.least,
                "low": lengths.low,
                "median": lengths.median,
                "high": lengths.high,
                "most": lengths.most,
            },
            "never_fired": [rule for rule in rules if not self.fired[rule] and rule not in idle],
            "cannot_fire": list(idle),
            "checked": self.checked,
            "broken_invariants": [{"invariant": name, "seed": self.broken[name]} for name in sorted(self.broken)],
            "leaks": [{"choice": name, **leak._asdict()} for name, leak in sorted(self.leaks.items())],
        }

    def ordered(self) -> list[Outcome]:
        """The outcomes, the most frequent first."""
        return sorted(self.outcomes, key=lambda one: (-self.outcomes[one], one))

    def parties_without_players(self, seats: tuple[str, ...]) -> list[str]:
        """The parties without players that have won."""
        return sorted({who for one in self.outcomes for who in one.first if who not in seats})

    def _side(self, what: str, who: str) -> dict[str, object]:
        """The figures of a seat or party: of a first place that several share each has a part."""
        shared = [(Fraction(times, len(one.first)), times) for one, times in self.outcomes.items() if who in one.first]
        return {
            what: who,
            "wins": sum(times for _, times in shared),
            "alone": self.outcomes[Outcome((who,), False)],
            **self._part(sum((part for part, _ in shared), Fraction(0))),
        }

    def payoff(self, seat: str) -> Spread:
        """The payoffs of a seat in all games."""
        return Spread.of(self.payoffs.get(seat, Counter()))

    def _payoff(self, seat: str) -> dict[str, object]:
        return _spread(self.payoff(seat))

    def _outcome(self, one: Outcome, seats: tuple[str, ...]) -> dict[str, object]:
        return {
            "seats": [who for who in one.first if who in seats],
            "parties": [who for who in one.first if who not in seats],
            "how": one.how,
            "games": self.outcomes[one],
            **self._part(self.outcomes[one]),
        }

    def _part(self, games: Fraction | int) -> dict[str, object]:
        """A part of all games."""
        low, high = wilson(games, self.games)
        return {
            "share": round(float(games / self.games), 4) if self.games else 0.0,
            "interval": [round(low, 4), round(high, 4)],
        }


def _spread(found: Spread) -> dict[str, object]:
    return {
        "mean": round(float(found.mean), 4),
        "spread": round(found.spread, 4),
        "interval": [round(end, 4) for end in found.interval],
        "least": _json_number(found.least),
        "most": _json_number(found.most),
    }


def _json_number(number: Fraction | int) -> int | float:
    """A payoff as a number of JSON."""
    return int(number) if number == int(number) else round(float(number), 4)
