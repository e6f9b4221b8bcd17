"""A census of rules: how often each was used in some games, and whose questions and answers it was."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.play.scenarios.recording.scenario_lines import Answer


@dataclass(frozen=True, slots=True)
class Use:
    """The uses of one rule."""

    rule: str
    turns: int
    games: int
    """The games among all in which it was used."""
    seats: tuple[tuple[str, int], ...]
    """For a question, each player with how often they were asked; for an option, with how often they chose it."""

    def data(self) -> dict[str, object]:
        """The uses as plain data."""
        return {"rule": self.rule, "turns": self.turns, "games": self.games, "seats": dict(self.seats)}


class Census:
    """Counts the uses of rules, game by game."""

    def __init__(self) -> None:
        self._turns, self._games = Counter[str](), Counter[str]()
        self._seats = defaultdict[str, Counter[str]](Counter)

    def add(self, rules: Counter[str], answers: Sequence[Answer]) -> None:
        """Count one game: in how many turns rules were used, and the answers that were given."""
        self._turns.update(rules)
        self._games.update(rules.keys())
        for answer in answers:
            if answer.decision.seat is not None:
                name = answer.decision.name
                chosen = f"{name.partition('.')[0]}.{answer.option.key}"
                for one in dict.fromkeys((name, chosen)):
                    self._seats[one][answer.decision.who] += 1

    def of(self, rules: Iterable[str], words: Callable[[str], str]) -> tuple[Use, ...]:
        """The uses of some rules; `words` gives those for a player."""
        return tuple(
            Use(
                one,
                self._turns[one],
                self._games[one],
                tuple((words(w), n) for w, n in sorted(self._seats[one].items())),
            )
            for one in rules
        )
