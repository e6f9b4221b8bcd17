"""The eyes with which a page looks at a game: those of one seat, of the public, or of a viewer who sees everything."""

from __future__ import annotations

from dataclasses import dataclass

import rulewright as rw
from rulewright_tools.studio.host.game.line_of_play import LineOfPlay
from rulewright_tools.studio.host.messages import ErrorCode, Refused

AUTO, PUBLIC, ALL = "auto", "public", "all"


@dataclass(frozen=True, slots=True)
class Sight:
    """The part of a position that a page is shown."""

    viewer: int | None
    """A seat by number, rw.playing.PUBLIC, or None for all that there is."""
    covered: bool = False
    """True if another person sits down first: only public information is shown."""

    @property
    def seat(self) -> int | None:
        """The seat with whose eyes is looked."""
        return self.viewer if self.viewer is not None and self.viewer >= 0 else None


class Onlooker:
    """The viewers of the page of one game.

    Unless the page requests otherwise these are the people who play: a single one always; of several the player to act,
    after they have confirmed that they sit there now, in games in which one may know what another does not. From the
    moment in which a position is covered the seat is empty, wherever the page goes then: who goes there is unknown.
    """

    def __init__(self, play: LineOfPlay, word: str) -> None:
        self._play = play
        self.word = word
        seats = play.game.seats
        if word not in (AUTO, PUBLIC, ALL, *seats):
            raise Refused(ErrorCode.PARAMS, f"`{word[:40]}` cannot look: there are {', '.join((*seats, PUBLIC, ALL))}")
        self._fixed = None if word in (AUTO, ALL) else rw.playing.PUBLIC if word == PUBLIC else seats.index(word)
        self._sits: int | None = None
        """The person at the page who has confirmed it, if there are several."""

    def sight(self) -> Sight:
        """The part that is shown of the position that is looked at."""
        play = self._play
        if self.word == ALL:
            return Sight(None)
        if self._fixed is not None:
            return Sight(self._fixed)
        if len(play.people) < 2:
            return Sight(play.people[0] if play.people else rw.playing.PUBLIC)
        decision = play.state.decision
        if decision is None:
            return Sight(rw.playing.PUBLIC)
        if decision.seat not in play.people:
            # An agent is to move: the person there may look on, until another one is to move.
            return Sight(self._sits if self._sits is not None else rw.playing.PUBLIC)
        if decision.seat == self._sits or not play.game.has_private_information:
            self._sits = decision.seat
            return Sight(decision.seat)
        self._sits = None
        return Sight(rw.playing.PUBLIC, covered=True)

    def sit_down(self) -> None:
        """Let the player to act sit there from now on."""
        decision = self._play.state.decision
        if decision is None or decision.seat not in self._play.people:
            raise Refused(ErrorCode.NOT_NOW, "nobody who plays here is asked now")
        self._sits = decision.seat

    def stay(self, before: Onlooker) -> None:
        """Keep the person who sat there with other rules, if they play the same seats."""
        if before._play.game.seats == self._play.game.seats:
            self._sits = before._sits

    def may_answer(self) -> bool:
        """True if the page may answer the decision."""
        play, sight = self._play, self.sight()
        decision = play.state.decision
        if decision is None or sight.covered or not play.person_to_move(play.at):
            return False
        return sight.viewer is None or sight.viewer == decision.seat
