"""A game that is played: its line of play, and the table at which people sit. All pages that look at it share it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import rulewright as rw
from rulewright_tools.studio.host.play.line_of_play import LineOfPlay
from rulewright_tools.studio.host.play.thinking import Watching
from rulewright_tools.studio.host.rights import Link, Role

Saved = dict[str, Any]
"""A game as a JSON object, with all that is needed to go on."""

Event = dict[str, Any]
"""An event at a table, for the study of playtests: an answer, a refusal, a take-back, feedback."""

MOST_NOTED = 200
"""Events beside answers that are noted between two answers."""


@dataclass(frozen=True, slots=True)
class Person:
    """The person at a seat, as they have introduced themselves; both may be empty."""

    name: str = ""
    colour: str = ""
    """As ``#rrggbb``."""


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The request to go back to an earlier position."""

    by: int
    """The seat that asks."""
    at: int
    """The number of the position."""
    state: rw.State
    agreed: frozenset[int]


@dataclass(slots=True)
class Table:
    """All that was agreed at a table, beside the game itself."""

    people: tuple[Person, ...]
    label: str = ""
    """The name that people have given the game."""
    links: dict[str, Link] = field(default_factory=dict)
    """The links to the game that hold, by their keys."""
    free: bool = False
    """True if answers may be given anew in earlier positions without the others' consent."""
    sees_all: bool = False
    """True if the host has decided to see everything."""
    has_seen: bool = False
    """True if more was seen than a seat may know; all pages learn that."""
    seed_known: bool = False
    """True if the seed is known, from which all follows that chance brings; all pages learn that."""
    seen: tuple[int, ...] = ()
    """Seats with whose eyes those have looked who manage the game, since it was dealt."""
    questions: tuple[str, ...] = ()
    """Questions to players about the game."""
    feedback: tuple[int, ...] = ()
    """Seats that have given their feedback."""
    rematch: str = ""
    """The game that follows this one."""
    moved: dict[str, str] = field(default_factory=dict)
    """The key of each link in the game that follows, by its key here."""


class PlayedGame:
    """A game with its table. Its name stands in its address, and is no secret."""

    def __init__(
        self, name: str, ruleset: str, play: LineOfPlay, options: Mapping[str, str], viewer: str, table: Table
    ) -> None:
        self.name = name
        self.ruleset = ruleset
        """The name that pages know the ruleset by."""
        self.options = dict(options)
        """The requested values of parameters; the others have their defaults."""
        self.viewer = viewer
        """The viewer as whom pages of the owner look on, see :class:`Viewpoint`."""
        self.play = play
        self.table = table
        self.take_back: TakeBack | None = None
        self.steps = 0
        """Answers that agents may give before they wait."""
        self.changes = 0
        """The number of changes of all that pages see."""
        self.kept = 0
        """The number of them that are kept."""
        self.held: rw.State | None = None
        """The position to which all have agreed to go back: its question waits, were there only one answer."""
        self.is_deleted = False
        self.present: dict[Watching, Link | None] = {}
        """The pages that look at it now, with the links by which they came."""
        self.events: list[Event] = []
        """Events that are not kept yet."""
        self._turns: tuple[rw.State, frozenset[str], frozenset[str]] | None = None
        self._since = time.monotonic()
        """The time of the last answer."""
        self._noted = 0
        """The number of events since the last answer."""

    # ------------------------------------------------------------------------------------------ people

    @property
    def linked(self) -> frozenset[int]:
        """The seats for which there are links: their people are elsewhere."""
        return frozenset(link.seat for link in self.table.links.values() if link.seat is not None)

    @property
    def has_guests(self) -> bool:
        """True if other people play by links."""
        return bool(self.linked)

    def seats_of(self, link: Link | None) -> tuple[int, ...]:
        """The seats that a page plays: that of its link, or all seats of people that have no link."""
        if link is not None and link.to in (Role.SEAT, Role.ONLOOKER):
            return tuple(seat for seat in self.play.people if seat == link.seat)
        return tuple(seat for seat in self.play.people if seat not in self.linked)

    def seen_by(self, link: Link | None) -> frozenset[int]:
        """The seats with whose eyes a page looks: those that it plays, and that of its link while an agent plays it."""
        linked = () if link is None or link.seat is None else (link.seat,)
        return frozenset({*self.seats_of(link), *linked})

    def link_to(self, to: Role, seat: int | None) -> Link | None:
        """The link for a role and a seat, if there is one."""
        return next((link for link in self.table.links.values() if (link.to, link.seat) == (to, seat)), None)

    def invite(self, to: Role, seat: int | None, anew: bool) -> None:
        """Let there be a link; `anew` ends an older one."""
        if anew:
            self.revoke(to, seat)
        if self.link_to(to, seat) is None:
            link = Link.drawn(to, seat)
            self.table.links[link.key] = link
        self.changes += 1

    def revoke(self, to: Role, seat: int | None) -> None:
        """End a link."""
        found = self.link_to(to, seat)
        if found is not None:
            del self.table.links[found.key]
            self.changes += 1

    def introduce(self, seat: int, name: str, colour: str) -> None:
        """Change the name and the colour of a person."""
        people = self.table.people
        self.table.people = (*people[:seat], Person(name, colour), *people[seat + 1 :])
        self.changes += 1

    # ------------------------------------------------------------------------------------------ playing

    def answer(self, at: int, key: str, by: rw.State) -> None:
        """Give an answer in a position; see :meth:`LineOfPlay.answer`."""
        decision = by.decision
        if self.play.answer(at, key, by) and decision is not None:
            self.note("answer", decision.seat, key=key, question=decision.name)
        self.moved()

    def back_to(self, at: int) -> None:
        """Let the game end with an earlier position. With its result the seed was told."""
        self.table.seed_known |= self.play.end.result is not None
        self.play.cut(at)
        self.take_back, self.held = None, self.play.end
        self.moved()

    def moved(self) -> None:
        """Note that the game has changed."""
        self.changes += 1
        if self.take_back is not None:
            at, positions = self.take_back.at, self.play.positions
            if at >= len(positions) or positions[at] is not self.take_back.state:
                self.take_back = None  # the position that was meant is gone

    def turns(self) -> tuple[frozenset[str], frozenset[str]]:
        """The player to move, and those who have answered while others still decide, as all may know it."""
        end = self.play.end
        if self._turns is None or self._turns[0] is not end:
            seen = end.view(rw.playing.PUBLIC)
            to_move = [seen["decision"]["who"]] if seen.get("decision") else []
            early = [given[0].who for _, given in end.ahead]
            answered = frozenset(early + [one["who"] for one in seen.get("answers", ())])
            self._turns = (end, frozenset(to_move) - answered, answered)
        return self._turns[1:]

    def agree(self, seats: Iterable[int]) -> bool:
        """Let some seats agree with the request to go back; True if no other people have to."""
        assert self.take_back is not None
        self.take_back = replace(self.take_back, agreed=self.take_back.agreed | {*seats})
        self.changes += 1
        return not self.waits_for()

    def waits_for(self) -> tuple[int, ...]:
        """The people who have not agreed with the request to go back."""
        agreed = self.take_back.agreed if self.take_back is not None else frozenset()
        return tuple(seat for seat in self.play.people if seat not in agreed)

    def note(self, event: str, seat: int | None, **more: object) -> None:
        """Note an event with the seconds since the last answer. A page that sends the same over and over adds no end of
        them: between two answers some are noted."""
        self._noted = 0 if event == "answer" else self._noted + 1
        if self._noted > MOST_NOTED and event != "feedback":
            return
        now = time.monotonic()
        who = None if seat is None else self.play.game.seats[seat]
        answers = rw.scenarios.answer_count(self.play.end)
        seconds = round(now - self._since, 3)
        self.events.append({"event": event, "who": who, "answers": answers, "seconds": seconds, **more})
        if event == "answer":
            self._since = now

    # ------------------------------------------------------------------------------------------ keeping

    def checkpoint(self) -> Callable[[], None]:
        """A function that makes the game again what it is now, after something that failed or could not be kept."""
        table = replace(self.table, links=dict(self.table.links), moved=dict(self.table.moved))
        play, options, viewer, take_back = self.play, self.options, self.viewer, self.take_back
        restore, changes = play.checkpoint(), self.changes

        def back() -> None:
            if self.changes == changes:
                return
            restore()
            self.table, self.play, self.options, self.viewer, self.take_back = table, play, options, viewer, take_back
            self.events = [one for one in self.events if one["event"] == "refused"]
            self.changes = changes

        return back

    def replace(self, play: LineOfPlay, options: Mapping[str, str]) -> None:
        """Go on with other rules."""
        self.play, self.options = play, dict(options)
        seats = len(play.game.seats)
        self.table.people = people_of(self.table.people, seats)
        for link in [one for one in self.table.links.values() if one.seat is not None and one.seat >= seats]:
            del self.table.links[link.key]
        self.take_back = None
        self.changes += 1

    def saved(self) -> Saved:
        """The game with all that is needed to go on."""
        game, table = self.play.game, self.table
        return {
            "ruleset": self.ruleset,
            "viewer": self.viewer,
            "players": game.players,
            "variants": list(game.variants),
            "options": dict(self.options),
            **self.play.saved(),
            "table": {**asdict(table), "links": [asdict(link) for link in table.links.values()]},
        }

    def summary(self) -> Saved:
        """The game in a list of games, as all may know it."""
        play, (to_move, _) = self.play, self.turns()
        seats = enumerate(zip(play.game.seats, play.kinds, self.table.people, strict=True))
        return {
            "ruleset": self.ruleset,
            "title": play.game.title,
            "label": self.table.label,
            "people": [
                {"seat": seat, "name": person.name, "kind": kind, "linked": number in self.linked}
                for number, (seat, kind, person) in seats
            ],
            "asks": [seat for seat in play.game.seats if seat in to_move],
            "over": play.end.result is not None,
            "answers": sum(entry.who in play.game.seats for entry in play.end.log_for(rw.playing.PUBLIC)),
        }


def table_of(saved: Mapping[str, Any] | None, seats: int) -> Table:
    """The table of a saved game; a new one if it has none."""
    if saved is None:
        return Table(people_of((), seats))
    table = Table(people_of([Person(**one) for one in saved["people"]], seats))
    for one in saved["links"]:
        table.links[one["key"]] = Link(one["key"], Role(one["to"]), one["seat"])
    table.seen = tuple(saved.get("seen", ()))  # games of older versions have none
    for name in ("label", "free", "sees_all", "has_seen", "seed_known", "rematch", "moved"):
        setattr(table, name, saved[name])
    table.questions, table.feedback = tuple(saved["questions"]), tuple(saved["feedback"])
    return table


def people_of(people: Sequence[Person], seats: int) -> tuple[Person, ...]:
    """People for so many seats."""
    return (*people[:seats], *[Person()] * (seats - len(people)))
