"""Statistics over many games. Only whole numbers are added up, so the order of the games does not matter."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

import rulewright as rw
from rulewright_tools.session.estimates import Lengths, wilson


class Leak(NamedTuple):
    """The moment at which a choice leaked a secret; the first of several is the least."""

    seed: int
    decision: int
    """The number of the decision in that game, from 1."""
    what: str


@dataclass(slots=True)
class Statistics:
    """Sums over games; picklable, so that other processes can count a part."""

    games: int = 0
    places: Counter[tuple[str, int]] = field(default_factory=Counter)
    """The number of times that a seat came to a place (1 is the best)."""
    winners: Counter[tuple[str, ...]] = field(default_factory=Counter)
    """The number of times that just these seats shared the first place."""
    endings: Counter[str] = field(default_factory=Counter)
    """The rules that ended the games."""
    lengths: Counter[int] = field(default_factory=Counter)
    """The number of games that took so many decisions."""
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
    """Choices that told a player what is hidden from them, each with its first time."""

    def add(self, result: rw.Result, decisions: int, fired: list[str]) -> None:
        """Count one finished game."""
        self.games += 1
        self.answered += decisions
        self.lengths[decisions] += 1
        self.winners[tuple(result.winners)] += 1
        self.endings[result.rule] += 1
        for place, seats in enumerate(result.ranking, start=1):
            for seat in seats:
                self.places[seat, place] += 1
        self.fired.update(fired)

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
            (self.places, other.places),
            (self.winners, other.winners),
            (self.endings, other.endings),
            (self.lengths, other.lengths),
            (self.fired, other.fired),
        ):
            mine.update(theirs)  # type: ignore[arg-type]
        for invariant, seed in other.broken.items():
            self.note_broken(invariant, seed)
        for choice, leak in other.leaks.items():
            self.note_leak(choice, leak)

    def report(self, seats: tuple[str, ...], rules: list[str], idle: tuple[str, ...] = ()) -> dict[str, object]:
        """The figures as plain data, in an order that depends on nothing but the figures.

        Rules that are `idle` cannot be used as the parameters are set: nobody misses them.
        """
        lengths = Lengths.of(self.lengths)
        return {
            "games": self.games,
            "unfinished": {"games": self.unfinished, "seed": self.endless},
            "seats": [self._seat(seat) for seat in seats],
            "winners": [
                {"seats": list(who), "games": number}
                for who, number in sorted(self.winners.items(), key=lambda item: (-item[1], item[0]))
            ],
            "draws": sum(number for who, number in self.winners.items() if len(who) == len(seats)),
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

    def _seat(self, seat: str) -> dict[str, object]:
        wins = self.places[seat, 1]
        low, high = wilson(wins, self.games)
        return {
            "seat": seat,
            "wins": wins,
            "alone": self.winners[(seat,)],
            "share": round(wins / self.games, 4) if self.games else 0.0,
            "interval": [round(low, 4), round(high, 4)],
        }
