"""A game as it was played: its positions in order, lines of play that were left, and who plays on.

A line of play ends where the game stands. Pages look at any of its positions, each for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import rulewright as rw
from rulewright_tools.studio.host.messages import ErrorCode, Refused
from rulewright_tools.studio.host.play.opening import Opened
from rulewright_tools.studio.host.play.seats import OPPONENT, PERSON, Pick, kinds_of, picks_of
from rulewright_tools.studio.host.play.strength import SECONDS, Strengths
from rulewright_tools.studio.host.play.thinking import Think, undisturbed

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
        self.others: list[OtherLine] = []
        """Lines of play that were left for another one."""
        self.seed = seed
        self._sit(kinds)
        self.thoughts: dict[int, rw.playing.PositionAnalysis] = {}
        """Thoughts of an agent before it gave the answer that has led to a position, by its number."""

    @property
    def end(self) -> rw.State:
        """The last position."""
        return self.positions[-1]

    @property
    def last(self) -> int:
        """The number of the last position."""
        return len(self.positions) - 1

    def person_to_move(self, at: int) -> bool:
        """True if a person is to move in a position."""
        decision = self.positions[at].decision
        return decision is not None and decision.who not in self._picks

    def agent_to_move(self, at: int) -> bool:
        """True if an agent is to move in a position."""
        decision = self.positions[at].decision
        return decision is not None and decision.who in self._picks

    def is_part(self, at: int) -> bool:
        """True if the answer in a position was a part of one, and the next question of that player is for the rest: the
        game is what it was, and chance had no decision.
        """
        if not 0 <= at < self.last:
            return False
        one, other = self.positions[at], self.positions[at + 1]
        first, then = one.decision, other.decision
        if first is None or then is None or first.secret or then.secret or first.seat != then.seat:
            return False
        return len(other.log) == len(one.log) + 1 and other.is_same_game(one)

    def may_exchange(self, at: int) -> bool:
        """True if all that was answered from a position on is parts of one answer, whose rest is not given yet."""
        return at < self.last and all(self.is_part(one) for one in range(at, self.last))

    def take(self, number: int) -> int:
        """Go on with another line of play, where it has left this one, which is kept in its place.

        Returns: The number of the position in which they differ.
        """
        if not 0 <= number < len(self.others):
            raise Refused(ErrorCode.NOT_NOW, f"there are {len(self.others)} other lines of play")
        other, parts = self.others[number].positions, self.parts(number)
        self.others = [*self.others[:number], self._line(), *self.others[number + 1 :]]
        self.positions = list(other)
        self.thoughts = {at: thought for at, thought in self.thoughts.items() if at <= parts}
        return min(parts + 1, self.last)

    def parts(self, number: int) -> int:
        """The number of the last position that this line has in common with another one."""
        other = self.others[number].positions
        pairs = enumerate(zip(self.positions, other, strict=False))
        differing = (at for at, (one, two) in pairs if one is not two and one != two)
        return next(differing, min(len(self.positions), len(other))) - 1

    def _line(self) -> OtherLine:
        return OtherLine(tuple(self.positions), self.positions[-1].save())

    def answer(self, at: int, key: str, by: rw.State | None = None) -> bool:
        """Give an answer in a position, or in `by`, where it is the turn of another one of those who decide at once. If
        another one was given there before, what was played then is kept as another line.

        Returns: False if it was given there before.
        """
        state = settled((self.positions[at] if by is None else by).choose(key), self.seed)
        if at < self.last and self.positions[at + 1] == state:
            return False
        if self.may_exchange(at):
            del self.positions[at + 1 :]  # no line of play is left: a part of an answer is another one
        self.cut(at)
        self.positions.append(state)
        return True

    def measure(self, strengths: Strengths) -> None:
        """Let opponents of whom only the strength is known be agents from now on."""
        if not SECONDS.keys().isdisjoint(self.kinds):
            self._sit(strengths.measured(self.game, self.kinds))

    def step(self, think: Think = undisturbed) -> None:
        """Let the agent who is to move at the end answer."""
        state = self.end
        assert state.decision is not None
        number = sum(entry.who in self.game.seats for entry in state.log)
        picked = self._picks[state.decision.who](state, number, think)
        self.positions.append(settled(state.choose(picked.option), self.seed))
        if picked.thought is not None:
            self.thoughts[self.last] = picked.thought

    def give_seat(self, seat: int, kind: str) -> None:
        """Let a person or an agent play a seat from now on."""
        self._sit((*self.kinds[:seat], kind, *self.kinds[seat + 1 :]))

    def cut(self, at: int) -> None:
        """Let the game end with a position; what was played from there on is kept as another line."""
        if at < self.last:
            self.others = [*self.others, self._line()][-MOST_LINES:]
        del self.positions[at + 1 :]
        self.thoughts = {number: thought for number, thought in self.thoughts.items() if number <= at}

    def checkpoint(self) -> Callable[[], None]:
        """A function that makes it again what it is now."""
        positions, others, thoughts, kinds = list(self.positions), self.others, dict(self.thoughts), self.kinds

        def back() -> None:
            self.positions, self.others, self.thoughts = positions, others, thoughts
            if self.kinds != kinds:
                self._sit(kinds)

        return back

    def saved(self) -> dict[str, Any]:
        """The last position, with all that has led to it, and who plays."""
        others = [other.save for other in self.others]
        found = {"save": self.end.save(), "kinds": list(self.kinds), "others": others}
        return found if self.opened is None else {**found, "opened": self.opened.saved(), "seed": self.seed}

    def _sit(self, kinds: Sequence[str]) -> None:
        self.kinds = kinds_of(self.game, kinds)
        self._picks: Mapping[str, Pick] = picks_of(self.game, self.kinds, self.seed)
        self.people = tuple(number for number, kind in enumerate(self.kinds) if kind == PERSON)
        """The seats of people, by number."""


def begun(game: rw.Game, seed: int, kinds: Sequence[str]) -> LineOfPlay:
    """A new game."""
    kinds = kinds_of(game, kinds)
    return LineOfPlay(game, [game.start(seed)], seed, kinds)


def begun_again(play: LineOfPlay, seed: int, turned: int) -> LineOfPlay:
    """The game of a line of play from its beginning, by the same players, so many seats further."""
    game, by, count = play.game, play.opened, len(play.kinds)
    first = game.start(seed) if by is None else settled(by.first, seed)
    return LineOfPlay(game, [first], seed, (*play.kinds[count - turned :], *play.kinds[: count - turned]), by)


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
    return play


def replayed(play: LineOfPlay, at: int, game: rw.Game, by: Opened | None = None) -> tuple[LineOfPlay, int, bool]:
    """A game with other rules, to which the same answers are given as far as it takes them.

    Returns: The game, the number of the position to which one of the other game leads, and True if all answers before
    that one are taken; if not, it is the last position.
    """
    positions = _answered(game, play.end, play.seed, by)
    kinds = play.kinds if game.seats == play.game.seats else play.kinds[: len(game.seats)]
    kinds = (*kinds, *[OPPONENT] * (len(game.seats) - len(kinds)))
    again, wanted = LineOfPlay(game, positions, play.seed, kinds, by), len(_own(play.game, play.positions[at]))
    kept = next((number for number, one in enumerate(positions) if len(_own(game, one)) >= wanted), None)
    return again, again.last if kept is None else kept, kept is not None


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
