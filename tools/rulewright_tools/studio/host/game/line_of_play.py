"""A game as it was played: its positions in order, the one that is looked at, and who plays on from there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import rulewright as rw
from rulewright_tools.studio.host.game.seats import PERSON, RANDOM, Pick, kinds_of, picks_of
from rulewright_tools.studio.host.messages import ErrorCode, Refused


class LineOfPlay:
    """The positions of one game at which somebody was asked, and its end."""

    def __init__(self, game: rw.Game, positions: Sequence[rw.State], seed: int, kinds: Sequence[str]) -> None:
        self.game = game
        self.positions = list(positions)
        self.at = len(self.positions) - 1
        """The number of the position that is looked at."""
        self.seed = seed
        self.kinds = kinds_of(game, kinds)
        self._picks: Mapping[str, Pick] = picks_of(game, self.kinds, seed)
        self.people = tuple(number for number, kind in enumerate(self.kinds) if kind == PERSON)
        """The seats of people, by number."""

    @property
    def state(self) -> rw.State:
        """The position that is looked at."""
        return self.positions[self.at]

    @property
    def last(self) -> int:
        """The number of the last position."""
        return len(self.positions) - 1

    def asks_person(self, at: int) -> bool:
        """True if a person is asked in a position."""
        decision = self.positions[at].decision
        return decision is not None and decision.who not in self._picks

    def asks_agent(self) -> bool:
        """True if somebody is asked here who is no person."""
        decision = self.state.decision
        return decision is not None and decision.who in self._picks

    def answer(self, key: str) -> None:
        """Give an answer; what was played before from here on is forgotten."""
        self._go_on(self.state.choose(key))

    def step(self) -> None:
        """Let the agent who is asked here answer; what was played already is gone through again."""
        if self.at < self.last:
            self.at += 1
            return
        state = self.state
        assert state.decision is not None
        number = sum(entry.who in self.game.seats for entry in state.log)
        self._go_on(state.choose(self._picks[state.decision.who](state, number)))

    def turn_to(self, seat: int) -> bool:
        """Ask another one first of those who decide at once; False if they are not asked here."""
        state = self.state.turn_of(seat)
        if state is not None:
            self.positions[self.at] = state
        return state is not None

    def back(self) -> None:
        """To the last position before this one in which a person was asked."""
        found = next((at for at in range(self.at - 1, -1, -1) if self.asks_person(at)), None)
        if found is None:
            raise Refused(ErrorCode.NOT_NOW, "there is nothing to take back")
        self.at = found

    def forward(self) -> None:
        """To the next position in which a person was asked, or the last one."""
        if self.at == self.last:
            raise Refused(ErrorCode.NOT_NOW, "there is nothing to do again")
        later = range(self.at + 1, self.last)
        self.at = next((at for at in later if self.asks_person(at)), self.last)

    def jump_to(self, at: int) -> None:
        """To a position by its number."""
        self.at = at

    def saved(self) -> dict[str, Any]:
        """The last position, with all that has led to it, which one is looked at, and who plays."""
        return {"save": self.positions[-1].save(), "at": self.at, "kinds": list(self.kinds)}

    def _go_on(self, state: rw.State) -> None:
        del self.positions[self.at + 1 :]
        self.positions.append(state)
        self.at += 1


def begun(game: rw.Game, seed: int, kinds: Sequence[str]) -> LineOfPlay:
    """A new game."""
    kinds = kinds_of(game, kinds)
    return LineOfPlay(game, [game.start(seed)], seed, kinds)


def loaded(game: rw.Game, saved: Mapping[str, Any]) -> LineOfPlay:
    """A game that was saved, with all its positions if its log leads to it."""
    state = game.load(saved["save"])
    seed = int(saved["save"].get("seed", 0))
    play = LineOfPlay(game, _replayed(game, state, seed), seed, saved["kinds"])
    play.jump_to(min(saved["at"], play.last))
    return play


def replayed(play: LineOfPlay, game: rw.Game) -> tuple[LineOfPlay, bool]:
    """A game with other rules, to which the same answers are given as far as it takes them; True if it takes those up
    to the position that is looked at."""
    positions = _answered(game, play.positions[-1], play.seed)
    kinds = play.kinds if game.seats == play.game.seats else play.kinds[: len(game.seats)]
    kinds = (*kinds, *[RANDOM] * (len(game.seats) - len(kinds)))
    again, wanted = LineOfPlay(game, positions, play.seed, kinds), len(_own(play.game, play.state))
    kept = next((number for number, one in enumerate(positions) if len(_own(game, one)) >= wanted), None)
    again.jump_to(again.last if kept is None else kept)
    return again, kept is not None


def _own(game: rw.Game, state: rw.State) -> list[rw.playing.LogEntry]:
    """The answers of players, without those of chance."""
    return [entry for entry in state.log if entry.who in game.seats]


def _replayed(game: rw.Game, state: rw.State, seed: int) -> list[rw.State]:
    """All positions that have led to a state; the state alone, if its log does not lead to it."""
    positions = _answered(game, state, seed)
    return positions if positions and positions[-1] == state else [state]


def _answered(game: rw.Game, state: rw.State, seed: int) -> list[rw.State]:
    """The positions of a new game to which the answers are given that have led to a state, up to the first that is
    refused."""
    positions = [game.start(seed)]
    try:
        for entry in _own(game, state):
            positions.append(positions[-1].choose(entry.key, by=entry.who))
    except rw.RulesetError:
        pass
    return positions
