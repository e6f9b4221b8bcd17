"""Methods about games as things, and about the table of the game at hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rulewright_tools.studio.host.game.methods import MOST, GameMethods
from rulewright_tools.studio.host.game.viewpoint import Viewpoint
from rulewright_tools.studio.host.messages import Answered, ErrorCode, Method, Params, Refused
from rulewright_tools.studio.host.play.line_of_play import begun, begun_again
from rulewright_tools.studio.host.play.played_game import PlayedGame, Table, TakeBack
from rulewright_tools.studio.host.play.seats import PERSON, kind_word
from rulewright_tools.studio.host.rights import Link, Role

NAME, LABEL, TEXT, MOST_QUESTIONS, BEST, MOST_FEEDBACK = 40, 80, 4_000, 12, 5, 20
"""Letters of names, labels and words of feedback; the number of questions, the highest answer to one, and how often a
seat gives its feedback."""


class TableMethods:
    """The games that a page may open, and the table at which it sits."""

    def __init__(self, game: GameMethods) -> None:
        self._game = game
        self._games = game.games

    @property
    def methods(self) -> dict[str, Method]:
        """Methods by their names."""
        return {
            "games/list": self._list,
            "games/open": self._open,
            "games/delete": self._delete,
            "games/copy": self._copy,
            "table/links": self._links,
            "table/invite": self._invite,
            "table/revoke": self._revoke,
            "table/settle": self._settle,
            "table/person": self._person,
            "table/seat": self._seat,
            "table/takeBack": self._take_back,
            "table/agree": self._agree,
            "table/rematch": self._rematch,
            "table/feedback": self._feedback,
        }

    # ------------------------------------------------------------------------------------------ games

    def _list(self, params: Params) -> Answered:
        params.done()
        return {"games": self._games.listed()}

    def _open(self, params: Params) -> Answered:
        name = params.text("game")
        params.done()
        return self._game.look_at(self._games.opened(name))

    def _delete(self, params: Params) -> Answered:
        name = params.text("game")
        params.done()
        viewpoint = self._game.viewpoint
        if viewpoint is not None and viewpoint.game.name == name:
            raise Refused(ErrorCode.NOT_NOW, "this game is open in this page: open another one first")
        self._games.delete(name)
        return {}

    def _copy(self, params: Params) -> Answered:
        label = params.text("label", LABEL)
        params.done()
        return {"game": self._games.copy(self._now.game, label).name}

    # ------------------------------------------------------------------------------------------ links

    @property
    def _now(self) -> Viewpoint:
        return self._game.now

    def _links(self, params: Params) -> Answered:
        params.done()
        game = self._now.game
        seats = game.play.game.seats
        found = [
            {"to": str(link.to), "seat": None if link.seat is None else seats[link.seat], "key": link.key}
            for link in sorted(game.table.links.values(), key=lambda one: (one.to, one.seat or 0))
            if self._game.link is None or link.to != Role.HOST  # a host does not hand on what they were given
        ]
        return {"game": game.name, "links": found}

    def _invite(self, params: Params) -> Answered:
        to, seat = self._role(params)
        anew = params.truth_or("anew")
        params.done()
        game = self._now.game
        if seat is not None:
            if game.play.kinds[seat] != PERSON:
                game.play.give_seat(seat, PERSON)
            self._deal_anew(game, seat)
        game.invite(to, seat, anew)
        self._game.shows = True
        return self._links(Params({}))

    def _revoke(self, params: Params) -> Answered:
        to, seat = self._role(params)
        params.done()
        self._now.game.revoke(to, seat)
        self._game.shows = True
        return self._links(Params({}))

    def _role(self, params: Params) -> tuple[Role, int | None]:
        word = params.text("to")
        if word not in (Role.SEAT, Role.ONLOOKER, Role.HOST):
            raise Refused(ErrorCode.PARAMS, "the parameter `to` must be seat, onlooker or host")
        if word == Role.SEAT and "seat" not in params:
            raise Refused(ErrorCode.PARAMS, "a link to a seat is for one of them: name it")
        seat = self._seat_of(params) if "seat" in params else None
        if seat is not None and word != Role.SEAT:
            raise Refused(ErrorCode.PARAMS, "only a link to a seat has one")
        if word == Role.HOST and self._game.link is not None:
            raise Refused(ErrorCode.NOT_NOW, "only the owner of this server makes another person the host")
        return Role(word), seat

    def _seat_of(self, params: Params) -> int:
        word, seats = params.text("seat"), self._now.play.game.seats
        if word not in seats:
            raise Refused(ErrorCode.PARAMS, f"there is no seat `{word[:40]}`")
        return seats.index(word)

    def _deal_anew(self, game: PlayedGame, seat: int) -> None:
        """Before a seat is given away: what was and will be dealt must be unknown.

        A game without answers is begun again with another seed, unless the seed was chosen, when the first seat is
        given away, or one with whose eyes the host has looked; else all pages learn that it is known.
        """
        play, table = game.play, game.table
        is_first, is_seen = not game.has_guests, play.game.has_secrets and seat in table.seen
        if not table.seed_known and play.opened is None and play.last == 0 and not play.others:
            if is_first or is_seen:
                game.play, table.seen = begun(play.game, self._games.draw(), play.kinds), ()
                table.has_seen &= not is_first
            return
        if is_first and (not play.game.has_secrets or table.has_seen):
            table.seed_known = True  # it stood on the page
        table.has_seen |= is_seen

    # ------------------------------------------------------------------------------------------ the table

    def _settle(self, params: Params) -> Answered:
        game = self._now.game
        table = game.table
        label = params.content("label", LABEL) if "label" in params else table.label
        free, sees_all = params.truth_or("free", table.free), params.truth_or("sees_all", table.sees_all)
        questions = params.texts("questions") if "questions" in params else table.questions
        if len(questions) > MOST_QUESTIONS:
            raise Refused(ErrorCode.PARAMS, f"the parameter `questions` must be a list of {MOST_QUESTIONS} at most")
        params.done()
        if sees_all != table.sees_all:
            game.viewer = "all" if sees_all else "auto"
            table.has_seen |= sees_all and game.play.game.has_secrets
        table.label, table.free, table.sees_all, table.questions = label, free, sees_all, tuple(questions)
        game.changes += 1
        self._game.shows = True
        return {}

    def _person(self, params: Params) -> Answered:
        seat, game = self._seat_of(params), self._now.game
        before = game.table.people[seat]
        name = params.content("name", NAME) if "name" in params else before.name
        colour = params.content("colour", 7) if "colour" in params else before.colour
        params.done()
        if seat not in self._now.observer.seats and not self._manages:
            raise Refused(ErrorCode.NOT_NOW, "this is the seat of another person")
        if colour and not (len(colour) == 7 and colour[0] == "#" and set(colour[1:]) <= set("0123456789abcdef")):
            raise Refused(ErrorCode.PARAMS, "the parameter `colour` must be a colour as #a0b1c2")
        if not name.isprintable():
            raise Refused(ErrorCode.PARAMS, "the parameter `name` must be a text that can be printed")
        game.introduce(seat, name.strip(), colour)
        return {}

    @property
    def _manages(self) -> bool:
        return self._game.link is None or self._game.link.to == Role.HOST

    def _seat(self, params: Params) -> Answered:
        """Let an agent take the place of a person, or give it back."""
        seat, kind = self._seat_of(params), kind_word(params.text("kind"))
        params.done()
        game = self._now.game
        game.play.give_seat(seat, kind)
        game.note("seat", seat, kind=kind)
        game.moved()
        self._game.plays_on()
        return {}

    def _take_back(self, params: Params) -> Answered:
        at = params.whole("at", 0, 2**31)
        params.done()
        viewpoint, game = self._now, self._now.game
        number = viewpoint.own_number(at)
        if number >= game.play.last:
            raise Refused(ErrorCode.NOT_NOW, "this is where the game stands: there is nothing to take back")
        seats = viewpoint.observer.seats
        if not seats and not self._manages:
            raise Refused(ErrorCode.NOT_NOW, "only those who play may ask for it")
        by = seats[0] if seats else game.play.people[0] if game.play.people else 0
        game.take_back = TakeBack(by, number, game.play.positions[number], frozenset())
        done = game.agree(seats) or game.table.free
        if done:
            self._go_back(game, number)
        self._game.shows = True
        return {"done": done}

    def _agree(self, params: Params) -> Answered:
        """Answer the request to go back to a position, if it has not been changed since the page was shown it."""
        agrees, at = params.truth_or("agrees"), params.whole("at", 0, 2**31)
        params.done()
        game = self._now.game
        if game.take_back is None or self._now.number_of(game.take_back.at) != at:
            raise Refused(ErrorCode.NOT_NOW, "there is no request to go back there")
        if not self._now.observer.seats:
            raise Refused(ErrorCode.NOT_NOW, "only those who play may agree")
        if not agrees:
            game.note("stayed", self._now.observer.seats[0])
            game.take_back = None
            game.changes += 1
        elif game.agree(self._now.observer.seats):
            self._go_back(game, game.take_back.at)
        self._game.shows = True
        return {}

    def _go_back(self, game: PlayedGame, at: int) -> None:
        asks = game.take_back.by if game.take_back is not None else None
        game.note("taken back", asks, to=at)
        game.back_to(at)
        self._now.observer.look_at(at)
        self._game.plays_on()

    def _rematch(self, params: Params) -> Answered:
        """Begin the game once more with the people of this one, each at the next seat if they are turned. Those
        who came by links are led there, once."""
        turned = 1 if params.truth_or("turned", default=True) else 0
        params.done()
        before = self._now.game
        if before.play.end.result is None:
            raise Refused(ErrorCode.NOT_NOW, "the game is not over")
        if before.table.rematch and before.table.links:
            raise Refused(ErrorCode.NOT_NOW, "there is a rematch already")
        play, table = before.play, before.table
        count = len(play.game.seats)
        again = begun_again(play, self._games.draw(), turned)
        game = self._games.begun(before.ruleset, again, before.options, before.viewer)
        people = (*table.people[count - turned :], *table.people[: count - turned])
        links = {key: Link.drawn(one.to, None if one.seat is None else (one.seat + turned) % count)
                 for key, one in table.links.items()}  # fmt: skip
        game.table = Table(people, links={one.key: one for one in links.values()}, free=table.free,
                           questions=table.questions, sees_all=table.sees_all,
                           seed_known=play.opened is not None)  # fmt: skip
        game.steps = MOST if game.play.people else 0
        self._games.keep(game)
        table.rematch, table.moved = game.name, {key: one.key for key, one in links.items()}
        before.changes += 1
        return {"game": game.name}

    def _feedback(self, params: Params) -> Answered:
        answers, text = params.wholes("answers", MOST_QUESTIONS), params.content("text", TEXT)
        params.done()
        seats, game = self._now.observer.seats, self._now.game
        if not seats:
            raise Refused(ErrorCode.NOT_NOW, "only those who play say how it was")
        if any(answer > BEST for answer in answers):
            raise Refused(ErrorCode.PARAMS, f"the parameter `answers` must be a list of whole numbers up to {BEST}")
        if game.table.feedback.count(seats[0]) >= MOST_FEEDBACK:
            raise Refused(ErrorCode.NOT_NOW, f"feedback was given {MOST_FEEDBACK} times for this seat: that is enough")
        rated = dict(zip(game.table.questions, answers, strict=False))
        game.note("feedback", seats[0], answers={one: n for one, n in rated.items() if n}, text=text)
        game.table.feedback = (*game.table.feedback, seats[0])
        game.changes += 1
        return {}


def table_data(viewpoint: Viewpoint) -> dict[str, Any]:
    """The table, as a page may know it."""
    game, observer = viewpoint.game, viewpoint.observer
    table, play, names = game.table, game.play, game.play.game.seats
    pages = Counter(seat for link in game.present.values() for seat in game.seen_by(link))
    to_move, answered = game.turns()
    own = {names[one.seat] for one in play.end.decisions if one.seat is not None and one.seat in observer.seats}
    take_back = game.take_back
    return {
        "game": game.name,
        "label": table.label,
        "role": str(Role.OWNER if viewpoint.link is None else viewpoint.link.to),
        "seats": [names[seat] for seat in observer.seats],
        "people": [
            {
                "seat": seat,
                "name": person.name,
                "colour": person.colour,
                "kind": kind,
                "linked": number in game.linked,
                "pages": pages[number],
                "asked": seat in to_move | own,
                "answered": seat in answered - own,
            }
            for number, (seat, kind, person) in enumerate(zip(names, play.kinds, table.people, strict=True))
        ],
        "onlookers": sum(one is not None and one.to == Role.ONLOOKER for one in game.present.values()),
        "free": table.free,
        "sees_all": table.sees_all or table.has_seen,
        "seed_known": table.seed_known,
        "take_back": None
        if take_back is None
        else {
            "by": names[take_back.by],
            "at": viewpoint.number_of(take_back.at),
            "agreed": [names[seat] for seat in sorted(take_back.agreed)],
            "waits_for": [names[seat] for seat in game.waits_for()],
        },
        "questions": list(table.questions),
        "given": any(seat in table.feedback for seat in observer.seats),
    }
