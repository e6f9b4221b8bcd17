"""Arms whose games were played before: by people, and not by agents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.engine import Agent, Choice, Dice, EngineName, Passes, State
from rulewright.foundation import dataclass
from rulewright.ir import Program
from rulewright_lab.experiments.arms import Arm

PEOPLE = "people"
"""In place of the word of an agent."""


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A game that can be played again."""

    seed: int
    answers: tuple[int, ...]
    """The number of each option that was chosen, where there were several."""


class RecordedArm(Arm):
    """Games that were played before. As their seeds are any, they are no pairs with those of other arms."""

    def __init__(self, arm: Arm, games: Sequence[RecordedGame], first: int) -> None:
        """The games have the rules of an `arm`; an experiment knows them by numbers from `first` on."""
        self._games, self._first = tuple(games), first
        super().__init__(f"{arm.name}, {PEOPLE}", arm.game, (PEOPLE,), arm.look, arm.noise, arm.options)

    @property
    def recorded(self) -> int:
        """The number of these games."""
        return len(self._games)

    @property
    def agents(self) -> tuple[Agent, ...]:
        """Agents that have nothing to answer."""
        return (_Replayer(iter(())),) * self.game.players

    def policies(self, seed: int) -> tuple[Agent, ...]:
        """Agents that give the answers of a game."""
        return (_Replayer(iter(self._games[seed - self._first].answers)),) * self.game.players

    def seed_of(self, seed: int) -> int:
        """The seed with which the game was played."""
        return self._games[seed - self._first].seed


class _Replayer:
    """Gives answers one after the other, whichever seat decides."""

    def __init__(self, answers: Iterator[int]) -> None:
        self._answers = answers

    def begin(self, program: Program, wanted: EngineName, passes: Passes) -> Choice:
        """Choose the next of the answers."""
        return self._next

    def _next(self, state: State, dice: Dice) -> int:
        return next(self._answers)
