"""Opponents of a learner: agents by their words, or functions that choose actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium.error import Error
from numpy.typing import NDArray

from rulewright.engine import Dice, Episodes
from rulewright.play import Game
from rulewright_lab import games
from rulewright_lab.adapters.vector_arrays import VectorArrays
from rulewright_lab.agents import agent

Answers = Callable[[NDArray[np.int64], Episodes, VectorArrays], None]


class Opponents:
    """Opponents: they answer for the seats that do not learn."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._dice: dict[int, Dice] = {}

    def begin(self, chosen: NDArray[np.bool_], seeds: NDArray[np.int64]) -> None:
        """Take new dice for games that begin: they follow from their seeds."""
        for number in np.flatnonzero(chosen).tolist():
            self._dice[number] = Dice(int(seeds[number]), "opponents")

    def answer(self, rows: NDArray[np.int64], episodes: Episodes, arrays: VectorArrays) -> None:
        """Write the actions of the deciding seats into their entries."""
        self._answers(rows, episodes, arrays)

    def kept(self) -> dict[int, Dice]:
        """The dice."""
        return self._dice

    def put_back(self, dice: dict[int, Dice]) -> None:
        """Take over dice that were kept."""
        self._dice = dice

    @classmethod
    def agent(cls, game: Game, word: str) -> Opponents:
        """Opponents that are an agent of Rulewright."""
        policy, actions = agent(game, word), games.actions(game)

        def answers(rows: NDArray[np.int64], episodes: Episodes, arrays: VectorArrays) -> None:
            for number in rows.tolist():
                state = episodes.state(number)
                option = game.pick(state, policy, found._dice[number])
                arrays.entries["action"][number] = actions.legal(state)[option]

        found = cls(answers)
        return found


def opponents_of(game: Game, given: Any) -> Opponents | None:
    """The opponents that are meant; None for those at random, whom the games have inside, and for none."""
    if given is None or given == "random":
        return None
    if isinstance(given, str):
        return Opponents.agent(game, given)
    if not callable(given):
        raise Error(f"the opponents are not `{given!r}`: they are an agent's word or a function")

    def answers(rows: NDArray[np.int64], _: Episodes, arrays: VectorArrays) -> None:
        seats = arrays.entries["viewer"][rows]
        chosen = np.asarray(given(arrays.observations[rows], arrays.masks[rows], seats))
        if chosen.shape != rows.shape or chosen.dtype.kind not in "iu":
            raise Error(f"the opponents have not given {len(rows)} whole numbers")
        if not arrays.masks[rows, np.clip(chosen, 0, arrays.masks.shape[1] - 1)].all():
            raise Error("the opponents have given an action that is not legal")
        arrays.entries["action"][rows] = chosen

    return Opponents(answers)
