"""A viewpoint: the eyes with which one page looks at a game, and everything of the game that it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools.render.svg.board import Board, Thing
from rulewright_tools.studio.host.game.changed import base_of, changed_elements
from rulewright_tools.studio.host.game.drawings import Drawings
from rulewright_tools.studio.host.game.observer import Observer, Perspective
from rulewright_tools.studio.host.game.refusals import is_candidate, keys_meant, refusal_of
from rulewright_tools.studio.host.game.sent_board import SentBoard
from rulewright_tools.studio.host.game.supplies import Supplies
from rulewright_tools.studio.host.game.thoughts import HINTS, Thoughts
from rulewright_tools.studio.host.game.viewer_log import LogLine, ViewerLog
from rulewright_tools.studio.host.messages import Deferred, ErrorCode, Refused
from rulewright_tools.studio.host.play.line_of_play import LineOfPlay
from rulewright_tools.studio.host.play.played_game import PlayedGame
from rulewright_tools.studio.host.play.thinking import Describing, Think
from rulewright_tools.studio.host.rights import Link, Role

MOST_TRIED = 200
"""Refusals that are kept for a scenario; the oldest are forgotten."""

MOST_PARTS = 3
"""Parts of an answer that are offered anew."""


def _best(decision: rw.Decision, found: rw.playing.PositionAnalysis) -> list[dict[str, Any]]:
    """The best answers of a search."""
    assert decision.seat is not None
    return [
        {
            "key": decision.options[one.option].key,
            "chance": one.chances[decision.seat] if one.chances else None,
            "value": one.value,
            "visits": one.visits,
            "certain": one.certain,
            "share": one.share,
        }
        for one in found.answers[:HINTS]
    ]


class Viewpoint:
    """A game as one page looks at it. All that it gives away is made for what the page may see."""

    def __init__(self, game: PlayedGame, link: Link | None = None, changes: Sequence[str] | None = None) -> None:
        self.game = game
        self._changes = changes
        """The differences that new rules of another page have made, until they are shown; None if there are none."""
        self.link = link
        """The link by which the page came; None is the owner's."""
        self.observer = Observer(game, link)
        self.rules = game.play.game
        """The rules for which all is made; another viewpoint takes its place when they change."""
        self._drawings = Drawings.of(game)
        self._questions = self._drawings.questions
        self._thoughts = Thoughts(self.rules, self._questions.choices.names)
        self._sent: list[LogLine] = []
        self._sent_board = SentBoard()
        self._sent_to: int | None = None
        """The viewer for whom all was made that the page has."""
        self._last: rw.State | None = None
        """The position that was shown last."""
        self._things: tuple[Thing, ...] = ()
        self._offered: frozenset[str] = frozenset()
        """The elements of the page that stand for options."""
        self._supplies: Supplies | None = None
        self._tried: list[tuple[rw.State, str]] = []
        """Keys whose refusal was explained, with the position."""

    # ------------------------------------------------------------------------------------------ positions

    @property
    def play(self) -> LineOfPlay:
        """The line of play."""
        return self.game.play

    @property
    def state(self) -> rw.State:
        """The position that is looked at, in which it is the viewer's turn where several decide at once."""
        return self.observer.state

    def perspective(self) -> Perspective:
        """The part that is shown of the position that is looked at."""
        return self.observer.perspective()

    @property
    def at(self) -> int:
        """The number of the position that is looked at, as the page counts them."""
        return self._numbers()[self.observer.at]

    def jump_to(self, at: int) -> None:
        """To a position by the number that the page knows it by."""
        self.observer.look_at(self.own_number(at))

    def back(self) -> None:
        """Go back to the last position before this one in which a person at this page was to move."""
        own, here = self._own(), self.at
        if not (earlier := [number for number in own if number < here]):
            raise Refused(ErrorCode.NOT_NOW, "there is nothing to take back")
        self.observer.look_at(own[max(earlier)])

    def forward(self) -> None:
        """Go on to the next position in which a person at this page was to move, or to the last one."""
        own, here, last = self._own(), self.at, self._numbers()[-1]
        if here == last:
            raise Refused(ErrorCode.NOT_NOW, "there is nothing to do again")
        later = [number for number in own if here < number < last]
        self.observer.look_at(own[min(later)] if later else self.play.last)

    def _own(self) -> dict[int, int]:
        """The positions in which a person at this page was to move, by the page's numbers of them. If none sits there
        any person will do, in the first of positions that look alike: how many more there are may be a secret."""
        play, seats, numbers = self.play, self.observer.seats, self._numbers()
        found: dict[int, int] = {}
        for at, number in enumerate(numbers):
            decision = play.positions[at].decision
            is_own = decision is not None and decision.seat in seats and self.observer.is_choice(at)
            if is_own or (not seats and numbers[at - 1 : at] != [number] and play.person_to_move(at)):
                found[number] = at
        return found

    def position(self, at: int) -> rw.State:
        """A position by the number that the page knows it by."""
        return self.play.positions[self.own_number(at)]

    def number_of(self, at: int) -> int:
        """The page's number of a position."""
        return self._numbers()[at]

    # ------------------------------------------------------------------------------------------ answers

    def answer(self, at: int, key: str) -> None:
        """Answer the question of the position that the page knows by a number.

        An answer that is sent once more, after a connection was lost, is taken as given. One to a question of those who
        decide at once counts although others have answered meanwhile.
        """
        number = self.own_number(at)
        if at != self.at:
            if self._was_given(number, key):
                return
            if self.observer.at == self.play.last and self._may_exchange(number):
                self.observer.look_at(number)
            elif not self._is_still_asked(number):
                raise Refused(ErrorCode.NOT_NOW, "the game has gone on since: this is an earlier question")
        decision = self.require_answerer()
        here = self.observer.at
        if here < self.play.last and not self.may_branch() and not self._may_exchange(here):
            if not self._was_given(here, key):
                raise Refused(
                    ErrorCode.NOT_NOW, "the others at this table must agree before something else is played here"
                )
            self.observer.look_at(here + 1)
            return
        try:
            self.game.answer(here, key, self.state)
        except rw.RulesetError:
            self.game.note("refused", decision.seat, key=key, question=decision.name)
            raise
        self.observer.look_at(here + 1)

    def may_branch(self) -> bool:
        """True if the page may give other answers in earlier positions: no other people play, or all may do so."""
        return self.game.table.free or set(self.observer.seats) >= set(self.play.people)

    def _may_exchange(self, at: int) -> bool:
        """True if the page may give the part of an answer otherwise that it gave in a position: nothing came of it yet.

        The next question may depend on what is hidden: then others at the table would have to agree.
        """
        play = self.play
        decision = play.positions[at].decision
        if decision is None or decision.seat not in self.observer.seats or not play.may_exchange(at):
            return False
        return not play.game.has_secrets or self.may_branch()

    def _earlier(self, drawn: Board, supplies: Supplies) -> list[dict[str, Any]]:
        """The parts of the answer that the page may give otherwise, the last one first."""
        play, found = self.play, list[dict[str, Any]]()
        at = play.last if self.observer.at == play.last else 0
        while at and len(found) < MOST_PARTS and self._may_exchange(at - 1):
            key = play.positions[at].log[-1].key
            at -= 1
            options = self._questions.offered(play.positions[at], drawn.things, supplies)
            found.append({"at": self.number_of(at), "key": key, "options": options})
        return found

    def _was_given(self, number: int, key: str) -> bool:
        """True if the page's answer to the question of a position was this one."""
        return self._given_since(number)[:1] == [key]

    def _given_since(self, number: int) -> list[str]:
        """The page's answers since a position."""
        play, seats = self.play, {self.play.game.seats[seat] for seat in self.observer.seats}
        before = sum(one.who in seats for one in play.positions[number].log)
        return [one.key for one in play.end.log if one.who in seats][before:]

    def _is_still_asked(self, number: int) -> bool:
        """True if since a position only others have answered who decide at the same time."""
        if self.observer.at != self.play.last or self._given_since(number):
            return False
        positions = self.play.positions[number:]
        open_questions = [{one.seat: one.name for one in state.decisions} for state in positions]
        first = open_questions[0]
        return any(
            all(names.get(seat) == first.get(seat, "") for names in open_questions) for seat in self.observer.seats
        )

    def step(self, think: Think) -> None:
        """Go on by the answer of an agent; what was played already is gone through again."""
        if self.observer.at == self.play.last:
            self.play.step(think)
            self.game.moved()
        self.observer.look_at(self.observer.at + 1)

    def agent_to_move(self) -> bool:
        """True if an agent is to move in the position that is looked at."""
        return self.play.agent_to_move(self.observer.at)

    def require_answerer(self) -> rw.Decision:
        """The decision, if the page may answer it; Refused if not."""
        decision = self.state.decision
        if decision is None:
            raise Refused(ErrorCode.NOT_NOW, "the game is over")
        if not self.observer.may_answer():
            raise Refused(ErrorCode.NOT_NOW, f"it is {decision.who} who is asked")
        return decision

    def number_after(self, answers: int) -> int:
        """The page's number of the last position before which no more than so many answers were given."""
        counts = map(rw.scenarios.answer_count, self.play.positions)
        return self._numbers()[max((number for number, count in enumerate(counts) if count <= answers), default=0)]

    def tried(self) -> dict[int, list[str]]:
        """Keys whose refusal was explained, on the way to the position that is looked at, by the number of answers that
        had been given."""
        way = self.play.positions[: self.observer.at + 1]
        found: dict[int, list[str]] = {}
        for state, key in self._tried:
            if any(state is one or state == one for one in way):
                found.setdefault(rw.scenarios.answer_count(state), []).append(key)
        return found

    def own_number(self, at: int) -> int:
        """The last position that the page knows by a number; Refused if there is none."""
        numbers = self._numbers()
        if not 0 <= at <= numbers[-1]:
            raise Refused(ErrorCode.NOT_NOW, f"there are the positions 0 to {numbers[-1]}")
        return max(number for number, seen in enumerate(numbers) if seen == at)

    def take_line(self, line: int) -> None:
        """Go on with another line of play that the page knows of."""
        if line not in {
            one["line"] for one in self._thoughts.other_lines(self.play, self._numbers(), self.perspective())
        }:
            raise Refused(ErrorCode.NOT_NOW, "there is no such line of play")
        if not self.may_branch():
            raise Refused(ErrorCode.NOT_NOW, "the others at this table must agree before another line is played")
        self.observer.look_at(self.play.take(line))
        self.game.moved()

    def describer(self, agent: str = "") -> Describing | None:
        """A function that describes thoughts of the agent that is to move in the position that is looked at, or of
        another one that gives a hint; None if the viewer may not know them."""
        decision = self.state.decision
        if decision is None or decision.seat is None or not self._thoughts.may_know(self.perspective(), decision.seat):
            return None
        return partial(self._thoughts.described, decision, agent or self.play.kinds[decision.seat])

    def view(self) -> dict[str, Any]:
        """The position that is looked at, as data."""
        return self.state.view(self.perspective().viewer)

    def changes(self) -> list[str]:
        """The differences between the position at which the page has looked last, and the end of the game by new rules,
        as a viewer sees both with the same eyes."""
        viewer = self.perspective().viewer
        if self._last is None or viewer != self._sent_to:
            return []
        return list(lab.divergence.differing_values(self._last.view(viewer), self.play.end.view(viewer)))

    def note_seen(self) -> None:
        """Note with whose eyes a page of those who manage the game has looked."""
        seat, table = self.perspective().seat, self.game.table
        if (self.link is None or self.link.to == Role.HOST) and seat is not None and seat not in table.seen:
            table.seen = (*table.seen, seat)

    def is_open(self) -> bool:
        """True if nothing is hidden from the viewer, of the position or of what chance will bring."""
        if self.perspective().viewer is None or self.state.result is not None:
            return True
        return not self.play.game.has_secrets and not self.game.has_guests

    def may_see_all(self) -> bool:
        """True if the page may be shown everything where it asks for it: there are no other people to hide it from."""
        return self.is_open() or (len(self.play.people) < 2 and not self.game.has_guests)

    def before(self) -> rw.State | None:
        """The position before the one that is looked at, as the viewer distinguishes positions; None at the first."""
        numbers = self._numbers()
        here = numbers[self.observer.at]
        earlier = [number for number in range(self.observer.at) if numbers[number] < here]
        return self.play.positions[earlier[-1]] if earlier else None

    def _numbers(self) -> list[int]:
        return self._log_of(self.perspective()).line_numbers(self.play.positions)

    def _log_of(self, perspective: Perspective) -> ViewerLog:
        return self._drawings.log(perspective.viewer)

    def read_some(self) -> bool:
        """Read a part of the log that is not read yet; False if all of it is."""
        return self._log_of(self.perspective()).read_some(self.play.positions)

    def shown(self) -> dict[str, Any]:
        """The position that is looked at, as the page may see it; of the log what it does not have yet."""
        play, game, state, at = self.play, self.play.game, self.state, self.observer.at
        perspective = self.perspective()
        if perspective.viewer is None and game.has_secrets and state.result is None:
            self.game.table.has_seen = True
        if game.has_secrets and perspective.viewer != self._sent_to:
            self.forget_sent()  # nothing follows from what another one has seen
        self._sent_to, self._last = perspective.viewer, state
        numbers = self._numbers()
        base = base_of(play, at, numbers, perspective)
        drawing = self._drawings.drawing(state, perspective.viewer)
        before = self._drawings.drawing(play.positions[base], perspective.viewer)
        drawn, supplies = drawing.board, drawing.supplies
        self._things, self._supplies = drawn.things, supplies
        log, cites = self._log(perspective)
        changes, self._changes = self._changes, None
        question = self._question(perspective, drawn, supplies)
        options = question["options"] if question else ()
        self._offered = frozenset(id for option in options for id in option["things"])
        cites |= dict.fromkeys(question["cites"] if question else ())
        return {
            "game": self.game.name,
            "ruleset": self.game.ruleset,
            "title": game.title,
            "variants": list(game.variants),
            "options": dict(self.game.options),
            "seats": [{"seat": seat, "kind": kind} for seat, kind in zip(game.seats, play.kinds, strict=True)],
            "viewer": {
                "word": self.observer.word,
                "seat": game.seats[perspective.seat] if perspective.seat is not None else None,
            },
            "at": numbers[at],
            "last": numbers[-1],
            "since": numbers[base],
            "changes": None if changes is None else list(changes),
            "can_undo": any(number < numbers[at] for number in self._own()),
            "opened": {"title": opened.title, "begins": opened.begins} if (opened := play.opened) else None,
            "seed": play.seed if self.is_open() else None,
            "board": self._sent_board.changes_to(drawn),
            "changed": changed_elements(before.picture, drawing.picture, drawn.things),
            "holders": supplies.holders,
            "glyphs": supplies.glyphs,
            "question": question,
            "log": log,
            "lines": self._thoughts.other_lines(play, numbers, perspective),
            "thought": self._thoughts.thought(play, at, perspective),
            "statements": self._statements(cites),
            "result": self._result(perspective),
        }

    def picture(self) -> str:
        """The board at the end of the game as all may see it, as SVG; empty if it has none."""
        return self._drawings.drawing(self.play.end, rw.playing.PUBLIC).board.whole()

    def why_not(self, key: str, id: str) -> Deferred:
        """The reasons why an element of the page, or a key, cannot be chosen."""
        state, perspective = self.state, self.perspective()
        decision = state.decision
        if decision is None:
            raise Refused(ErrorCode.NOT_NOW, "the game is over")
        keys = [key] if key else []
        if id and self._supplies is not None:
            choices, answers = self._questions.choices, self.observer.may_answer()
            sort = choices.sort(decision) if answers else "other"
            possible = choices.possible(decision) if answers else {}
            keys += keys_meant(sort, possible, id, self._things, self._supplies.pieces, self._supplies.ids)
        if not keys:
            raise Refused(ErrorCode.PARAMS, "there is nothing of that name on the page")
        rules, is_offered = self.rules, id in self._offered
        return Deferred(
            lambda: [refusal_of(rules, state, perspective.viewer, one) for one in keys],
            lambda found: self._refused(state, decision, found, is_offered),
        )

    def _refused(
        self, state: rw.State, decision: rw.Decision, found: list[dict[str, Any]], is_offered: bool
    ) -> dict[str, Any]:
        """Of the reasons for all that an element may mean those that are given, which are noted."""
        if not is_offered and (refused := [one for one in found if not one["allowed"]]):
            found = refused  # a piece of the same name may be possible that lies elsewhere
        reason = next((one for one in found if is_candidate(one)), found[-1])
        if not reason["allowed"]:
            self._tried = [*self._tried, (state, reason["key"])][-MOST_TRIED:]
            if state is self.state and self.observer.may_answer() and self.observer.at == self.play.last:
                self.game.note("refused", decision.seat, key=reason["key"], question=decision.name)
        return reason

    def hint(self, agent: rw.playing.Agent, think: Think) -> Deferred:
        """The best answers, by an agent that knows what the player to act may know."""
        decision, state, rules = self.require_answerer(), self.state, self.rules
        assert decision.seat is not None
        # Neither the seed, from which all that is hidden was dealt, nor the number of answers that others gave unheard.
        dice = rw.playing.Dice(0, f"hint, position {self.at}")
        return Deferred(
            lambda: think(rules.search(agent), state, dice), lambda found: {"answers": _best(decision, found)}
        )

    def forget_sent(self) -> None:
        """The page has nothing of the log and the board: another one looks, or it was opened anew."""
        self._sent = []
        self._sent_board.forget()

    def _question(self, perspective: Perspective, drawn: Board, supplies: Supplies) -> dict[str, Any] | None:
        decision = self.state.decision
        if decision is None:
            return None
        answers = self.observer.may_answer()
        options = (
            self._questions.options(self.state, perspective.viewer, drawn.things, supplies)
            if answers
            else {"sort": "other", "options": [], "refused": []}
        )
        seen = {"who": decision.who, "name": decision.name}
        if self.rules.has_secrets:
            seen = self.state.view(perspective.viewer)["decision"]
        return {
            **self._questions.head(decision, seen, answers),
            "by_agent": self.agent_to_move(),
            "covered": perspective.covered,
            "answerable": answers,
            **options,
            "earlier": self._earlier(drawn, supplies) if answers else [],
        }

    def _log(self, perspective: Perspective) -> tuple[dict[str, Any], dict[str, None]]:
        lines = self._log_of(perspective).lines(self.play.positions, self.observer.at)
        same = 0
        for one, other in zip(lines, self._sent, strict=False):
            if one != other:
                break
            same += 1
        self._sent = lines
        new = [one.data() for one in lines[same:]]
        return {"from": same, "lines": new}, {cite: None for one in lines[same:] for cite in one.cites}

    def _statements(self, cites: dict[str, None]) -> dict[str, str]:
        known = self.play.game.ruleset.statements
        return {cite: known[cite].statement for cite in cites if cite in known}

    def _result(self, perspective: Perspective) -> dict[str, Any] | None:
        result, game = self.state.result, self.play.game
        if result is None:
            return None
        values = rw.narration.reached(game, self.state, perspective.viewer)
        names = self._questions.choices.names
        return {
            "standings": [
                {"place": place, "who": [{"name": names.text(one), "values": values.get(one, "")} for one in who]}
                for place, who in result.standings
            ],
            "how": rw.narration.ended(result),
            "rule": names.name(result.rule),
        }
