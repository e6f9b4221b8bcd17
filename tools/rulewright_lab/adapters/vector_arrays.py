"""Arrays over the memory of many games: what is done in them, what is seen, and what was paid."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulewright.engine import Episodes, batch, random_numbers
from rulewright.play import Game

_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """`rulewright.engine.random_numbers.mix` of many words."""
    words = (words ^ (words >> np.uint64(30))) * _FIRST
    words = (words ^ (words >> np.uint64(27))) * _SECOND
    return words ^ (words >> np.uint64(31))


class VectorArrays:
    """Views of the buffers of `Episodes`, which stay where they are."""

    def __init__(self, game: Game, episodes: Episodes) -> None:
        count, players = episodes.count, game.players
        standing = episodes.ranks + episodes.paid
        kinds = {
            "action": (batch.ACTION, "<i4"),
            "status": (batch.STATUS, "<i4"),
            "learner": (batch.LEARNER, "<i4"),
            "viewer": (batch.VIEWER, "<i4"),
            "seed": (batch.SEED, "<i8"),
            "key": (batch.KEY, "<u8"),
            "counter": (batch.COUNTER, "<i8"),
            "told": (batch.STANDING, f"({standing},)<i4"),
        }
        layout: Any = {
            "names": list(kinds),
            "offsets": [offset for offset, _ in kinds.values()],
            "formats": [kind for _, kind in kinds.values()],
            "itemsize": episodes.stride,
        }
        self.entries: NDArray[Any] = np.frombuffer(episodes.entries, np.dtype(layout))
        self.observations = np.frombuffer(episodes.observations, np.float32).reshape(count, episodes.size)
        self.masks = np.frombuffer(episodes.masks, np.int8).reshape(count, episodes.actions)
        self.every = np.arange(count)
        self._rule, self._episodes = game.engine.payoffs, episodes
        self._ranks, self._players = episodes.ranks, players
        self._before = np.zeros((count, players))
        self._finals: dict[str, NDArray[Any]] | None = None

    def kept(self) -> Any:
        """All that does not lie in the memory of the games."""
        return self._before.copy()

    def put_back(self, kept: Any) -> None:
        """Take over what was kept."""
        self._before = kept

    # ----------------------------------------------------------------------------------------------------- seeds

    def lay_seeds(self, seed: int, chosen: NDArray[np.bool_]) -> None:
        """Let the next games of some environments be those of successive seeds."""
        first = np.uint64(seed & (1 << 64) - 1) + self.every.astype(np.uint64) - np.uint64(len(self.every))
        self.entries["seed"][chosen] = first.view(np.int64)[chosen]

    def next_games(self, chosen: NDArray[np.bool_]) -> None:
        """Let some environments take their next seeds, and what follows from these."""
        seeds = self.entries["seed"][chosen].view(np.uint64) + np.uint64(len(self.every))
        self.entries["seed"][chosen] = seeds.view(np.int64)
        self.entries["key"][chosen] = mixed(mixed(seeds) ^ np.uint64(random_numbers.PLAYERS))

    # -------------------------------------------------------------------------------------------------- payments

    def paid(self) -> NDArray[np.float64]:
        """The payment to each seat since this one decided last; at the end of a game they come to its payoffs."""
        standing = self.entries["told"]
        if self._rule.pays:
            now = standing[:, self._ranks : self._ranks + self._players].astype(np.float64)
            found = now - self._before
            self._before = now
            return found
        found = np.zeros((len(standing), self._players))
        over = np.flatnonzero(self.entries["status"] == 0)
        if len(over):
            found[over] = self._by_place(standing[over])
        return found

    def _by_place(self, standing: NDArray[np.int32]) -> NDArray[np.float64]:
        """The payoffs of games that are over, from their places: see `rulewright.engine.runtime.records`."""
        if self._rule.parties:
            return np.array([[*map(float, self._rule.payoffs(row[: self._ranks].tolist(), ()))] for row in standing])
        places = standing[:, : self._players]
        beaten = np.sign(places[:, None, :] - places[:, :, None]).sum(2)
        found = beaten / max(1, self._players - 1)
        alike = (places == places[:, :1]).all(1)
        everybody = np.where(standing[:, self._ranks - 1] != 0, 0.0, np.where(places[:, 0] == 1, 1.0, -1.0))
        return np.where(alike[:, None], everybody[:, None], found)

    def forget(self, chosen: NDArray[np.bool_]) -> None:
        """Let nothing be paid yet in some games."""
        self._before[chosen] = 0.0

    def without(self, paid: NDArray[np.float64], begun: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Payments but those in games that have just begun, which come with their first step."""
        self._before[begun] = 0.0
        return np.where(begun[:, None], 0.0, paid)

    # ----------------------------------------------------------------------------------------------------- looking

    def refused(self, actions: NDArray[Any]) -> NDArray[np.bool_]:
        """For each game whether an action is not legal."""
        inside = (actions >= 0) & (actions < self.masks.shape[1])
        legal: NDArray[np.bool_] = self.masks[self.every, np.where(inside, actions, 0)] != 0
        return ~(legal & inside)

    def finals(self, over: NDArray[np.bool_]) -> dict[str, NDArray[Any]]:
        """Observations and masks of some games, in arrays of their own that are used again."""
        if self._finals is None:
            self._finals = {"observation": np.zeros_like(self.observations), "action_mask": np.zeros_like(self.masks)}
        self._finals["observation"][over] = self.observations[over]
        self._finals["action_mask"][over] = self.masks[over]
        return {**self._finals, "_observation": over, "_action_mask": over}
