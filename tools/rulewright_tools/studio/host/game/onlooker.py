"""The eyes with which a page looks at a game: those of one seat, of nobody in particular, or of who sees everything."""

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
    """True if somebody else sits down first: nothing is shown that not all may know."""

    @property
    def seat(self) -> int | None:
        """The seat with whose eyes is looked."""
        return self.viewer if self.viewer is not None and self.viewer >= 0 else None


class Onlooker:
    """Those who look at the page of one game.

    Unless the page says otherwise these are the people who play: a single one always; of several the one who is asked,
    after they have said that they sit there now, if they see anything that the others do not.
    """

    def __init__(self, play: LineOfPlay, word: str) -> None:
        self._play = play
        self.word = word
        seats = play.game.seats
        if word not in (AUTO, PUBLIC, ALL, *seats):
            raise Refused(ErrorCode.PARAMS, f"`{word[:40]}` cannot look: there are {', '.join((*seats, PUBLIC, ALL))}")
        self._fixed = None if word in (AUTO, ALL) else rw.playing.PUBLIC if word == PUBLIC else seats.index(word)
        self._sits: int | None = play.people[0] if play.people else None
        """The person at the page, if there are several."""

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
            # An agent is asked: whoever sits there may look on, as long as nobody else has been asked.
            return Sight(self._sits if self._sits is not None else rw.playing.PUBLIC)
        if decision.seat == self._sits or not self._has_secrets(play.state, decision.seat):
            self._sits = decision.seat
            return Sight(decision.seat)
        return Sight(rw.playing.PUBLIC, covered=True)

    def sit_down(self) -> None:
        """Let whoever is asked sit there from now on."""
        decision = self._play.state.decision
        if decision is None or decision.seat not in self._play.people:
            raise Refused(ErrorCode.NOT_NOW, "nobody who plays here is asked now")
        self._sits = decision.seat

    def may_answer(self) -> bool:
        """True if the page may answer what is asked."""
        play, sight = self._play, self.sight()
        decision = play.state.decision
        if decision is None or sight.covered or not play.asks_person(play.at):
            return False
        return sight.viewer is None or sight.viewer == decision.seat

    @staticmethod
    def _has_secrets(state: rw.State, seat: int) -> bool:
        """True if a seat sees anything that not all see."""
        own, public = state.view(seat), state.view(rw.playing.PUBLIC)
        return any(own.get(part) != public.get(part) for part in ("zones", "fields"))
