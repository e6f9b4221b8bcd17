"""A game as it was played: its positions in order, the one that is looked at, and who plays on from there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import rulewright as rw
from rulewright_tools.studio.host.game.opening import Opened
from rulewright_tools.studio.host.game.seats import PERSON, RANDOM, Pick, kinds_of, picks_of
from rulewright_tools.studio.host.game.thinking import Think, undisturbed
from rulewright_tools.studio.host.messages import ErrorCode, Refused

MOST_LINES = 8
"""Lines of play beside the one that goes on; the oldest ones are forgotten."""


@dataclass(frozen=True, slots=True)
class OtherLine:
    """A line of play that was left for another one."""

    positions: tuple[rw.State, ...]
    save: Mapping[str, Any]
    """The last position of the game, with all that has led to it."""


class LineOfPlay:
    """The positions of one game at which there was a decision, and its end."""

    def __init__(
        self,
        game: rw.Game,
        positions: Sequence[rw.State],
        seed: int,
        kinds: Sequence[str],
        opened: Opened | None = None,
    ) -> None:
        self.game = game
        self.opened = opened
        """The scenario with which it begins, if that is not the start of a game."""
        self.positions = list(positions)
        self.at = len(self.positions) - 1
        """The number of the position that is looked at."""
        self.others: list[OtherLine] = []
        """Lines of play that were left for another one."""
        self.seed = seed
        self.kinds = kinds_of(game, kinds)
        self._picks: Mapping[str, Pick] = picks_of(game, self.kinds, seed)
        self.people = tuple(number for number, kind in enumerate(self.kinds) if kind == PERSON)
        """The seats of people, by number."""
        self.thoughts: dict[int, rw.playing.PositionAnalysis] = {}
        """Thoughts of an agent before it gave the answer that has led to a position, by its number."""

    @property
    def state(self) -> rw.State:
        """The position that is looked at."""
        return self.positions[self.at]

    @property
    def last(self) -> int:
        """The number of the last position."""
        return len(self.positions) - 1

    def person_to_move(self, at: int) -> bool:
        """True if a person is to move in a position."""
        decision = self.positions[at].decision
        return decision is not None and decision.who not in self._picks

    def agent_to_move(self) -> bool:
        """True if an agent is to move here."""
        decision = self.state.decision
        return decision is not None and decision.who in self._picks

    def take(self, number: int) -> None:
        """Go on with another line of play, where it has left this one; this one is kept in its place."""
        if not 0 <= number < len(self.others):
            raise Refused(ErrorCode.NOT_NOW, f"there are {len(self.others)} other lines of play")
        other, parts = self.others[number].positions, self.parts(number)
        self.others[number] = self._line()
        self.positions = list(other)
        self.thoughts = {at: thought for at, thought in self.thoughts.items() if at <= parts}
        self.at = min(parts + 1, self.last)

    def parts(self, number: int) -> int:
        """The number of the last position that this line has in common with another one."""
        other = self.others[number].positions
        pairs = enumerate(zip(self.positions, other, strict=False))
        differing = (at for at, (one, two) in pairs if one is not two and one != two)
        return next(differing, min(len(self.positions), len(other))) - 1

    def _line(self) -> OtherLine:
        return OtherLine(tuple(self.positions), self.positions[-1].save())

    def answer(self, key: str) -> None:
        """Give an answer; if another one was given here before, what was played then is kept as another line."""
        state = settled(self.state.choose(key), self.seed)
        if self.at < self.last and self.positions[self.at + 1] == state:
            self.at += 1  # the same as before
        else:
            self._go_on(state)

    def step(self, think: Think = undisturbed) -> None:
        """Let the agent who is to move here answer; what was played already is gone through again."""
        if self.at < self.last:
            self.at += 1
            return
        state = self.state
        assert state.decision is not None
        number = sum(entry.who in self.game.seats for entry in state.log)
        picked = self._picks[state.decision.who](state, number, think)
        self._go_on(settled(state.choose(picked.option), self.seed))
        if picked.thought is not None:
            self.thoughts[self.at] = picked.thought

    def turn_to(self, seat: int) -> bool:
        """Let another one of those who decide at once answer first; False if they have no decision here."""
        state = self.state.turn_of(seat)
        if state is not None:
            self.positions[self.at] = state
        return state is not None

    def back(self) -> None:
        """Go back to the last position before this one in which a person was to move."""
        found = next((at for at in range(self.at - 1, -1, -1) if self.person_to_move(at)), None)
        if found is None:
            raise Refused(ErrorCode.NOT_NOW, "there is nothing to take back")
        self.at = found

    def forward(self) -> None:
        """Go on to the next position in which a person was to move, or to the last one."""
        if self.at == self.last:
            raise Refused(ErrorCode.NOT_NOW, "there is nothing to do again")
        later = range(self.at + 1, self.last)
        self.at = next((at for at in later if self.person_to_move(at)), self.last)

    def jump_to(self, at: int) -> None:
        """To a position by its number."""
        self.at = at

    def saved(self) -> dict[str, Any]:
        """The last position, with all that has led to it, which one is looked at, and who plays."""
        others = [other.save for other in self.others]
        found = {"save": self.positions[-1].save(), "at": self.at, "kinds": list(self.kinds), "others": others}
        return found if self.opened is None else {**found, "opened": self.opened.saved(), "seed": self.seed}

    def _keep_line(self) -> None:
        """Keep what was played on from here, as something else is played instead."""
        if self.at < self.last:
            self.others = [*self.others, self._line()][-MOST_LINES:]

    def _go_on(self, state: rw.State) -> None:
        self._keep_line()
        del self.positions[self.at + 1 :]
        self.thoughts = {at: thought for at, thought in self.thoughts.items() if at <= self.at}
        self.positions.append(state)
        self.at += 1


def begun(game: rw.Game, seed: int, kinds: Sequence[str]) -> LineOfPlay:
    """A new game."""
    kinds = kinds_of(game, kinds)
    return LineOfPlay(game, [game.start(seed)], seed, kinds)


def opened(game: rw.Game, positions: Sequence[rw.State], seed: int, kinds: Sequence[str], by: Opened) -> LineOfPlay:
    """A game that begins with a scenario, whose answers have led through some positions."""
    kinds = tuple(kinds) or (PERSON,) * len(game.seats)
    return LineOfPlay(
        game, _with_players([*positions[:-1], settled(positions[-1], seed)]), seed, kinds_of(game, kinds), by
    )


def loaded(game: rw.Game, saved: Mapping[str, Any], by: Opened | None = None) -> LineOfPlay:
    """A game that was saved, with all its positions if its log leads to it."""
    state = game.load(saved["save"])
    seed = int(saved.get("seed", saved["save"].get("seed", 0)))
    play = LineOfPlay(game, _replayed(game, state, seed, by), seed, saved["kinds"], by)
    for save in saved.get("others", ()):  # games of older versions have none
        play.others.append(OtherLine(tuple(_replayed(game, game.load(save), seed, by)), save))
    play.jump_to(min(saved["at"], play.last))
    return play


def replayed(play: LineOfPlay, game: rw.Game, by: Opened | None = None) -> tuple[LineOfPlay, bool]:
    """A game with other rules, to which the same answers are given as far as it takes them; True if it takes those up
    to the position that is looked at."""
    positions = _answered(game, play.positions[-1], play.seed, by)
    kinds = play.kinds if game.seats == play.game.seats else play.kinds[: len(game.seats)]
    kinds = (*kinds, *[RANDOM] * (len(game.seats) - len(kinds)))
    again, wanted = LineOfPlay(game, positions, play.seed, kinds, by), len(_own(play.game, play.state))
    kept = next((number for number, one in enumerate(positions) if len(_own(game, one)) >= wanted), None)
    again.jump_to(again.last if kept is None else kept)
    return again, kept is not None


def settled(state: rw.State, seed: int) -> rw.State:
    """The state after the decisions of chance, with the results that a scenario has set where there are any."""
    while (decision := state.decision) is not None and decision.seat is None:
        dice = rw.playing.Dice(seed, f"chance, answer {rw.scenarios.answer_count(state)}")
        drawn = dice.below(sum(decision.weights))
        number = next(n for n, most in enumerate(accumulate(decision.weights)) if drawn < most)
        state = state.choose(number)
    return state


def _own(game: rw.Game, state: rw.State) -> list[rw.playing.LogEntry]:
    """The answers of players, without those of chance."""
    return [entry for entry in state.log if entry.who in game.seats]


def _replayed(game: rw.Game, state: rw.State, seed: int, by: Opened | None) -> list[rw.State]:
    """All positions that have led to a state; the state alone, if its log does not lead to it."""
    positions = _answered(game, state, seed, by)
    return positions if positions and positions[-1] == state else [state]


def _answered(game: rw.Game, state: rw.State, seed: int, by: Opened | None) -> list[rw.State]:
    """The positions of a new game, or of a scenario, to which the answers are given that have led to a state, up to the
    first that is refused."""
    first = game.start(seed) if by is None else by.first
    positions = rw.playing.played(first, state.log)
    return _with_players([*positions[:-1], settled(positions[-1], seed)])


def _with_players(positions: Sequence[rw.State]) -> list[rw.State]:
    """Positions without those at which only chance decides."""
    return [one for one in positions if one.decision is None or one.decision.seat is not None]
