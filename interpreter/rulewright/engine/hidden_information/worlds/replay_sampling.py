"""Playing a game again as it may have been, for one player.

Where numbers are hidden, what they are and what has become of them hang together: who has bid most has won, what was
spent is missing. No exchange of values knows that, but the rules do. So the game is played once more from its
beginning, with other answers and other chance wherever the player knows neither, until they have observed just what
they have observed: that is rejection sampling, and each position found is one in which they could be. If whole games do
not succeed, the last step that could have gone otherwise is taken back (depth-first search).

Only the history of the player is looked at, so from one seed they come to the same position in all that they cannot
distinguish. Long games are not played again, nor those in which pieces are hidden: a hand that was seen comes out again
too seldom.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

from rulewright.diagnostics import RulesetError
from rulewright.engine.hidden_information.hidden_state import Hidden
from rulewright.engine.hidden_information.observations.history import Go, Observer, history, origin_of, played_again
from rulewright.engine.hidden_information.worlds.redrawing import public_and_secret, secret_slots
from rulewright.engine.random_numbers import Dice
from rulewright.engine.runtime.position import Position
from rulewright.engine.runtime.records import Decision, Mode
from rulewright.foundation.lazy_dataclass import dataclass

LONG = 100
"""Games with more entries in their logs are not played again."""
WHOLE = 6
"""Whole games that are tried before steps are taken back."""
PATIENCE = 4
"""So many steps are tried as the game has, and :data:`MORE`, before it is given up."""
MORE = 60

Entry = dict[str, Any]


def other_game(state: Position, player: int, advance: Go, dice: Dice) -> Position | None:
    """The state at the end of another game that may have been played; None if none is found."""
    last = state.engine.cache("other games")  # who asks for one asks for others of the same state
    games: OtherGames | None = last.get(player)
    if games is None or games.state is not state:
        games = last[player] = OtherGames(state, player, advance)
    found: Position | None = games.another(dice)
    return found


class OtherGames:
    """Games that may have been played, for one player in one state."""

    def __init__(self, state: Position, player: int, advance: Go) -> None:
        self.state, self.player, self.advance = state, player, advance
        self._seen: Sequence[Entry] = ()
        if len(state.log) <= LONG and played_again(state, advance):
            self._seen = history(state, player, advance)
        self.found = bool(self._seen)
        """True if there is a history to be looked for."""

    def another(self, dice: Dice) -> Position | None:
        """The state at the end of such a game; None if none is found."""
        if not self.found:
            return None
        self._left = PATIENCE * len(self.state.log) + MORE
        for number in range(WHOLE + 1):
            found = self._played(dice, number == WHOLE)
            if found is not None or self._left <= 0:
                return found
        return None

    def _played(self, dice: Dice, take_back: bool) -> Position | None:
        begun = self._begun()
        if begun is None:
            return None
        waiting = [iter((begun,))]
        while waiting:
            step = next(waiting[-1], None)
            if step is None:
                waiting.pop()
                if not take_back:
                    return None
                continue
            if step.observed == len(self._seen) and as_far(self.state, step.state, self.player):
                found: Position = step.state
                return found
            steps = self._on(step, dice)
            waiting.append(steps if take_back else iter([s for s in [next(steps, None)] if s is not None]))
        return None

    def _begun(self) -> _Step | None:
        state, origin = self.state, origin_of(self.state)
        mode = Mode(True, state.mode.whole)
        try:
            first = self.advance(state.engine, list(origin.cells), list(origin.stack), 3, origin.block, mode, None)
        except RulesetError:
            return None
        return self._looked(_Step(first, Observer(first, self.player), 0))

    def _on(self, step: _Step, dice: Dice) -> Iterator[_Step]:
        """The steps that may come next, in random order: those after which the player has seen what they have seen."""
        for number in self._answers(step, dice):
            self._left -= 1
            if self._left < 0:
                return
            try:
                after = step.state.choose(number)
            except RulesetError:
                continue
            found = self._looked(_Step(after, step.observer.copy(), step.observed))
            if found is not None:
                yield found

    def _looked(self, step: _Step) -> _Step | None:
        """The step after the player has looked; None if they would have seen something else."""
        new = list(step.observer.look(step.state))
        observed = step.observed + len(new)
        if self._seen[step.observed : observed] != tuple(new):
            return None
        return _Step(step.state, step.observer, observed)

    def _answers(self, step: _Step, dice: Dice) -> Iterator[int]:
        """The numbers of the options that may have been taken."""
        decision = step.state.decision
        if decision is None:
            return
        known_key = self._known_key(step, decision)
        numbers = list(range(len(decision.options)))
        for number in [n for n in numbers if decision.options[n].key == known_key]:
            yield number
            numbers.remove(number)
        if known_key is not None and decision.seat is not None:
            return
        weights = decision.weights or [1] * len(decision.options)
        while numbers:
            at = dice.below(sum(weights[number] for number in numbers))
            chosen = next(
                n for n, most in zip(numbers, accumulate(weights[n] for n in numbers), strict=True) if at < most
            )
            numbers.remove(chosen)
            yield chosen

    def _known_key(self, step: _Step, decision: Decision) -> str | None:
        """The answer, if the player knows it; of simultaneous questions they learn it later."""
        what = decision.who, decision.name
        observed = [entry for entry in self._seen[step.observed :] if "who" in entry]
        if not observed or (observed[0]["who"], observed[0]["name"]) != what:
            return None
        if decision.seat is None:
            return str(observed[0]["key"]) if self._seen[step.observed] is observed[0] else None
        if observed[0]["key"] is None and decision.secret:
            later = [entry for entry in observed[1:] if (entry["who"], entry["name"]) == what]
            observed = later[:1]
        return str(observed[0]["key"]) if observed and observed[0]["key"] is not None else None


@dataclass(frozen=True, slots=True)
class _Step:
    """A state on the way, who has looked at it, and how much of what the player has seen was seen by then."""

    state: Any
    observer: Observer
    observed: int


def same_question(state: Position, world: Position) -> bool:
    """True for the same question to the same player."""
    if state.question is None:  # over, or after what was entered: there is no frame to be compared
        return state.status == world.status
    return (state.status, state.base, state.seat, state.question) == (
        world.status, world.base, world.seat, world.question,
    )  # fmt: skip


def as_far(state: Position, world: Position, player: int) -> bool:
    """True for the same question to a player, or one to another player: simultaneous questions only they know, and
    others see as much of it as their views show."""
    one, other = state.simultaneous_node, world.simultaneous_node
    if one is None or other is None or player in (state.seat, world.seat):
        return same_question(state, world)
    turns = (one.frame.function, one.frame.base, one.code, one.position(state.stack))
    return turns == (other.frame.function, other.frame.base, other.code, other.position(world.stack))


def needed(hidden: Hidden) -> bool:
    """True if what is hidden hangs together in ways that only the rules know, and may be found by playing again."""
    return not hidden.places and (bool(public_and_secret(hidden)[1]) or bool(secret_slots(hidden)))
