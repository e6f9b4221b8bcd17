"""The observer of a game who sits at a page: where it looks, in whose perspective, and whose turn it is there."""

from __future__ import annotations

from dataclasses import dataclass

import rulewright as rw
from rulewright_tools.studio.host.messages import ErrorCode, Refused
from rulewright_tools.studio.host.play.played_game import PlayedGame
from rulewright_tools.studio.host.rights import Link, Role

AUTO, PUBLIC, ALL = "auto", "public", "all"


@dataclass(frozen=True, slots=True)
class Perspective:
    """The part of a position that a page is shown."""

    viewer: int | None
    """A seat by number, rw.playing.PUBLIC, or None for all that there is."""
    covered: bool = False
    """True if another person sits down first: only public information is shown."""

    @property
    def seat(self) -> int | None:
        """The seat with whose eyes is looked."""
        return self.viewer if self.viewer is not None and self.viewer >= 0 else None


def require_viewer(game: rw.Game, word: str) -> None:
    """Refused if a word names no viewer of a game."""
    if word not in (AUTO, PUBLIC, ALL, *game.seats):
        raise Refused(ErrorCode.PARAMS, f"`{word[:40]}` cannot look: there are {', '.join((*game.seats, PUBLIC, ALL))}")


class Observer:
    """The seats of a page, the position at which it looks, and the perspective in which it does.

    A page with the link of a seat looks with the eyes of that seat, an onlooker sees what all may see. Those who manage
    the game see, unless it was begun for another viewer, what the people see who sit at this page: a single one always;
    of several the player to act, after they have confirmed that they sit there now, in games in which one may know what
    another does not. From the moment in which a position is covered the seat is empty, wherever the page goes then: who
    goes there is unknown.

    A page looks at the end of the game, and goes on with it, unless it has gone back. If it wishes,
    answers are given for it where the rules leave no other one.
    """

    def __init__(self, game: PlayedGame, link: Link | None) -> None:
        self._game = game
        self._role = Role.OWNER if link is None else link.to
        self._link = link
        self._back: tuple[int, rw.State] | None = None
        """The earlier position at which the page looks."""
        self._wants: int | None = None
        """The seat that is to answer first, where several people at the page decide at once."""
        self._turned: tuple[rw.State, tuple[int, ...], rw.State] | None = None
        self._sits: int | None = None
        """The person at the page who has confirmed it, if there are several."""
        self.gives_forced = False
        """True if the only answer to a question is given by itself."""

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that the page plays."""
        return self._game.seats_of(self._link)

    @property
    def word(self) -> str:
        """The viewer, as pages name it."""
        if self._role == Role.SEAT and self._link is not None and self._link.seat is not None:
            return self._game.play.game.seats[self._link.seat]
        if self._role == Role.ONLOOKER:
            return PUBLIC
        word, seats = self._game.viewer, self._game.play.game.seats
        if word == ALL and self._game.has_guests:
            return ALL if self._game.table.sees_all else AUTO
        if word in seats and seats.index(word) in self._game.linked and not self._game.table.sees_all:
            return AUTO
        return word

    # ------------------------------------------------------------------------------------------ where

    @property
    def at(self) -> int:
        """The number of the position that is looked at."""
        positions = self._game.play.positions
        if self._back is not None:
            number, state = self._back
            if number < len(positions) - 1 and positions[number] is state:
                return number
            self._back = None  # the game has caught up, or another line is played
        return len(positions) - 1

    def look_at(self, at: int) -> None:
        """Look at a position; at the last one, go on with the game."""
        positions = self._game.play.positions
        self._back = None if at >= len(positions) - 1 else (at, positions[at])

    @property
    def state(self) -> rw.State:
        """The position that is looked at, in which it is the turn of the page's people where several decide at once."""
        base = self._game.play.positions[self.at]
        wanted = self._wanted()
        if self._turned is None or self._turned[0] is not base or self._turned[1] != wanted:
            self._turned = (base, wanted, self._turn(base, wanted))
        return self._turned[2]

    def turn_to(self, seat: int) -> bool:
        """Let another one of those who decide at once answer first; False if they have no decision here."""
        if seat not in self.seats or self._game.play.positions[self.at].turn_of(seat) is None:
            return False
        self._wants = seat
        return True

    def _wanted(self) -> tuple[int, ...]:
        """The seats that are to answer first, where several decide at once."""
        seats, word = self._game.play.game.seats, self.word
        if word in seats and seats.index(word) in self.seats:
            return (seats.index(word),)
        return (*([] if self._wants is None else [self._wants]), *self.seats)

    def _turn(self, base: rw.State, wanted: tuple[int, ...]) -> rw.State:
        decision = base.decision
        if decision is None or not decision.secret:
            return base
        if self._wants is None and decision.seat in wanted:
            return base
        return next((found for seat in wanted if (found := base.turn_of(seat)) is not None), base)

    # ------------------------------------------------------------------------------------------ who

    def perspective(self) -> Perspective:
        """The part that is shown of the position that is looked at."""
        play, word, people = self._game.play, self.word, self.seats
        if word == ALL:
            return Perspective(None)
        if word == PUBLIC:
            return Perspective(rw.playing.PUBLIC)
        if word != AUTO:
            return Perspective(play.game.seats.index(word))
        if len(people) < 2:
            return Perspective(people[0] if people else rw.playing.PUBLIC)
        decision = self.state.decision
        if decision is None:
            return Perspective(rw.playing.PUBLIC)
        if decision.seat not in people:
            # Another one is to move: the person there may look on, until a person at this page is to move.
            return Perspective(self._sits if self._sits in people else rw.playing.PUBLIC)
        if decision.seat == self._sits or not play.game.has_private_information:
            self._sits = decision.seat
            return Perspective(decision.seat)
        self._sits = None
        return Perspective(rw.playing.PUBLIC, covered=True)

    def sit_down(self) -> None:
        """Let the player to act sit there from now on."""
        decision = self.state.decision
        if decision is None or decision.seat not in self.seats:
            raise Refused(ErrorCode.NOT_NOW, "no player at this page has a question now")
        self._sits = decision.seat

    def stay(self, before: Observer) -> None:
        """Keep the person who sat there with other rules, if they play the same seats."""
        if before._game.play.game.seats == self._game.play.game.seats:
            self._sits = before._sits

    def only_answer(self) -> str | None:
        """The key of the answer that is given by itself to the question at the end of the game; None if there is none:
        the page does not wish it, there are others, others decide, or all have agreed to go back to it."""
        if not self.gives_forced or self.at != self._game.play.last or self._game.held is self._game.play.end:
            return None
        decision = self.state.decision
        if decision is None or len(decision.options) != 1 or not self.may_answer():
            return None
        return decision.options[0].key

    def is_choice(self, at: int) -> bool:
        """True if a question is one of those to which undo and redo lead: where the only answer is given by itself, one
        with several, unless the number is hidden from another person at this page."""
        play = self._game.play
        if not self.gives_forced or (len(self.seats) > 1 and play.game.has_private_information):
            return True
        decision = play.positions[at].decision
        return decision is not None and len(decision.options) > 1

    def may_answer(self) -> bool:
        """True if the page may answer the decision."""
        perspective, decision = self.perspective(), self.state.decision
        if decision is None or perspective.covered or decision.seat not in self.seats:
            return False
        return perspective.viewer is None or perspective.viewer == decision.seat
