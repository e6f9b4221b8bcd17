"""The host: carries out the requests of one page, one after the other, and sends it what is to be seen then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import rulewright as rw
from rulewright_tools.studio.host.catalogue import Catalogue
from rulewright_tools.studio.host.files.methods import FileMethods
from rulewright_tools.studio.host.files.path_names import PathNames
from rulewright_tools.studio.host.game.methods import ADVISER, MOST, GameMethods
from rulewright_tools.studio.host.game.table_methods import TableMethods, table_data
from rulewright_tools.studio.host.game.viewpoint import Viewpoint
from rulewright_tools.studio.host.inspecting.methods import InspectMethods
from rulewright_tools.studio.host.jobs.job import Runner
from rulewright_tools.studio.host.jobs.methods import JobMethods
from rulewright_tools.studio.host.jobs.moments import MomentMethods
from rulewright_tools.studio.host.messages import (
    PROTOCOL,
    Answered,
    Deferred,
    ErrorCode,
    Message,
    Method,
    Params,
    Refused,
    error_of,
    failure,
    id_of,
    notification,
    parsed,
    request_of,
    response,
)
from rulewright_tools.studio.host.play import seats
from rulewright_tools.studio.host.play.games import Games
from rulewright_tools.studio.host.play.played_game import PlayedGame
from rulewright_tools.studio.host.play.thinking import Late, Never, Stop, Watcher
from rulewright_tools.studio.host.rights import RIGHTS, Link, Role
from rulewright_tools.studio.host.rules.methods import RuleMethods
from rulewright_tools.studio.host.scenarios.methods import ScenarioMethods
from rulewright_tools.studio.host.stores import MemoryStore


@dataclass(slots=True)
class _Unfinished:
    """A request whose result is worked out without the game."""

    id: int | str | None
    deferred: Deferred
    found: Any = None
    error: Exception | None = None


class Host:
    """Plays with one page. Not to be used by two threads at once, nor may two hosts that are at the same game."""

    def __init__(
        self,
        catalogue: Catalogue,
        games: Games | None = None,
        limits: Callable[[], rw.Limits] = rw.Limits,
        runner: Runner | None = None,
        stop: Stop | None = None,
        link: Link | None = None,
    ) -> None:
        self._catalogue = catalogue
        self._limits = limits
        """The limits of each answer of the rules and of an agent, perhaps with what cuts it off at once."""
        self._stop = Never() if stop is None else stop
        """Set where the page wants it to stop."""
        self._role = Role.OWNER if link is None else link.to
        games = Games(catalogue, MemoryStore()) if games is None else games
        self._game = GameMethods(catalogue, games, link, self._stop)
        self._told: Message = {}
        """The position that the page was sent last, without what it had before."""
        self._seen = -1
        """The number of changes of the game that the page has seen."""
        self._table: Message | None = None
        """The table as the page knows it."""
        self.unfinished: _Unfinished | None = None
        """The request whose result is worked out without the game."""
        self._at: PlayedGame | None = None
        """The game at which the page is present."""
        files = FileMethods(catalogue)
        self.jobs = JobMethods(catalogue, runner)
        """The jobs of the page, which go on while it asks for something else."""
        self._methods: dict[str, Method] = {
            "hello": self._hello,
            "ruleset": self._ruleset,
            "cancel": self._cancel,
            **self._game.methods,
            **TableMethods(self._game).methods,
            **files.methods,
            **RuleMethods(files.folder, self._game).methods,
            **self.jobs.methods,
            **MomentMethods(catalogue, files.folder, self.jobs).methods,
            **InspectMethods(files.folder, self._game).methods,
            **ScenarioMethods(catalogue, files.folder, self._game).methods,
        }

    def post_meanwhile(self, post: Callable[[Message], None] | None) -> None:
        """Send the thoughts of agents to the page while they think; None if it has gone."""
        self._game.looking.post = post

    def watchers(self) -> list[Watcher]:
        """Watchers of the agent that is to move: the page, where it looks on and may know what the agent thinks."""
        viewpoint = self._game.viewpoint
        if viewpoint is None or viewpoint.observer.at < viewpoint.play.last:
            return []
        return self._game.looking.watchers(self._game.now.describer())

    @property
    def game(self) -> PlayedGame | None:
        """The game at which the page looks."""
        return None if self._game.viewpoint is None else self._game.viewpoint.game

    def open(self, name: str) -> Iterator[Message]:
        """Let the page look at a game from now on; it gets a message if that cannot be done."""
        try:
            self._limited(lambda: self._game.look_at(self._game.games.opened(name)))
        except Exception as error:
            yield notification("game/stopped", {"error": self._error_data(error)})

    def take_picture(self) -> None:
        """Keep a picture of the game for lists of games."""
        viewpoint = self._game.viewpoint
        if viewpoint is not None:
            self._game.games.take_picture(viewpoint.game, self._limited(viewpoint.picture))

    def leave(self) -> None:
        """The page has gone; it may come again."""
        if self._at is not None:
            self._at.present.pop(self, None)
            self._at.changes += 1
            self._at = None

    def handle_text(self, text: str | bytes) -> Iterator[Message]:
        """The messages that a text leads to, and those of agents who play on then."""
        yield from self.answer_text(text)
        yield from self.play_on()

    def answer_text(self, text: str | bytes, waits: bool = False) -> Iterator[Message]:
        """The messages that a text leads to. Agents do not play on."""
        try:
            message = parsed(text)
        except Refused as error:
            yield failure(None, error_of(error))
            return
        yield from self.answer(message, waits)

    def handle(self, message: object) -> Iterator[Message]:
        """The messages that a request leads to: the response, then what is to be seen, answer by answer."""
        yield from self.answer(message)
        yield from self.play_on()

    def answer(self, message: object, waits: bool = False) -> Iterator[Message]:
        """The messages that a request leads to: the response, then what is to be seen. Agents do not play on.

        If `waits`, a request may stay `unfinished`: :meth:`work_out` is to follow, during which the game may change,
        and :meth:`complete`.
        """
        self._game.shows = False
        back = None if self.game is None else self.game.checkpoint()
        try:
            request = request_of(message)
            if request.method not in self._methods:
                raise Refused(ErrorCode.UNKNOWN, f"there is no method `{request.method[:40]}`")
            if self._role not in RIGHTS[request.method]:
                raise Refused(ErrorCode.NOT_NOW, f"the link of this page does not allow `{request.method}`")
            result = self._limited(lambda: self._methods[request.method](request.params))
            self._keep()
            if isinstance(result, Deferred):
                self.unfinished = _Unfinished(request.id, result)
        except Exception as error:
            # Whatever happens in rules and files of strangers is an answer, and never the end of the host.
            self._game.shows = False
            if back is not None:
                back()
            yield failure(id_of(message), self._error_data(error))
            return
        if self.unfinished is None:
            if request.id is not None:
                yield response(request.id, result)
            yield from self.news()
        elif not waits:
            self.work_out()
            yield from self.complete()

    def work_out(self) -> None:
        """Work out the result of the request that is unfinished, without the game."""
        unfinished = self.unfinished
        assert unfinished is not None
        try:
            unfinished.found = self._limited_late(unfinished.deferred.work)
        except Exception as error:
            unfinished.error = error

    def complete(self) -> Iterator[Message]:
        """The messages of the request that was unfinished."""
        unfinished, self.unfinished = self.unfinished, None
        assert unfinished is not None
        try:
            if unfinished.error is not None:
                raise unfinished.error
            result = self._limited_late(lambda: unfinished.deferred.then(unfinished.found))
        except Exception as error:
            yield failure(unfinished.id, self._error_data(error))
        else:
            if unfinished.id is not None:
                yield response(unfinished.id, result)
        yield from self.news()

    def show_again(self) -> Iterator[Message]:
        """All that is to be seen, for a page that was opened anew; nothing if there is no game."""
        self._table = None
        if self._game.viewpoint is not None:
            self._game.viewpoint.forget_sent()
            self._game.shows = True
        yield from self.news()

    def news(self) -> Iterator[Message]:
        """All that the page has not seen yet of the game and of its table, whichever page has changed it."""
        viewpoint = self._game.viewpoint
        if viewpoint is None:
            return
        try:
            game = self._arrived(viewpoint)
            if self._game.shows or self._seen != game.changes:
                is_wanted, self._game.shows, self._seen = self._game.shows, False, game.changes
                shown = self._shown()
                if self._is_news(shown) or is_wanted:
                    yield notification("game/shown", shown)
            if (table := self._table_now()) is not None and table != self._table:
                self._table = table
                yield notification("table/changed", table)
            if game.table.rematch and (link := self._game.link) is not None and (key := game.table.moved.get(link.key)):
                yield notification("table/moved", {"game": game.table.rematch, "key": key})
        except Exception as error:
            viewpoint.forget_sent()  # perhaps something was about to be sent
            yield notification("game/stopped", {"error": self._error_data(error)})

    def play_on(self) -> Iterator[Message]:
        """The positions to which agents go on, as far as they are to."""
        while self.plays_on:
            yield from self.step()
            yield from self.news()

    @property
    def plays_on(self) -> bool:
        """True if an agent goes on by itself from the position at which the page looks, or an only answer is given."""
        viewpoint = self._game.viewpoint
        if viewpoint is None or viewpoint.game.steps <= 0:
            return False
        if not viewpoint.agent_to_move():
            return viewpoint.observer.only_answer() is not None
        return self._game.goes_on or viewpoint.observer.at == viewpoint.play.last

    @property
    def steps(self) -> int:
        """The number of answers that agents may give by themselves in the game of the page."""
        return self._game.now.game.steps

    @steps.setter
    def steps(self, steps: int) -> None:
        self._game.now.game.steps = steps

    def resume(self) -> None:
        """Let agents answer who were about to when all pages had gone."""
        viewpoint = self._game.viewpoint
        if viewpoint is not None and viewpoint.play.people and viewpoint.observer.at == viewpoint.play.last:
            viewpoint.game.steps = MOST

    def step(self) -> Iterator[Message]:
        """Let the agent answer that is to move, or give an only answer; what it has led to are news."""
        game, viewpoint = self._game, self._game.now
        viewpoint.game.steps -= 1
        back = viewpoint.game.checkpoint()
        try:
            if (key := self._limited_late(viewpoint.observer.only_answer)) is not None:
                self._limited_late(lambda: viewpoint.answer(viewpoint.at, key))
            else:
                self._limited_late(lambda: viewpoint.play.measure(game.games.strengths))
                pages = viewpoint.game.present
                watchers = self._limited_late(lambda: [one for page in pages for one in page.watchers()])
                self._limited_late(lambda: viewpoint.step(game.looking.thinking(watchers)))
            is_stopped = self._is_stopped()
            self._keep()
            game.shows |= is_stopped
            self._seen = -1  # it looks at the next position
        except Exception as error:
            back()
            viewpoint.game.steps = 0
            viewpoint.game.changes += 1  # all pages learn that it does not go on
            viewpoint.forget_sent()  # perhaps something was about to be sent
            yield notification("game/stopped", {"error": self._error_data(error)})

    # ------------------------------------------------------------------------------------------ what is shown

    def _arrived(self, viewpoint: Viewpoint) -> PlayedGame:
        """The game at which the page looks, where it is present now."""
        game = viewpoint.game
        if self._at is not game:
            self.leave()
            self._at = game
            game.present[self] = self._game.link
            game.changes += 1
            self._table, self._game.shows = None, True
        return game

    def _keep(self) -> None:
        """Keep the game before a page learns of what has changed."""
        game = self.game
        if game is not None and game.kept != game.changes:
            with rw.limited(rw.Limits()):
                self._game.games.keep(game)
            game.kept = game.changes

    def _table_now(self) -> Message | None:
        """The table as the page may know it; None as long as it has nothing beside its players."""
        viewpoint = self._game.now
        table = viewpoint.game.table
        is_set = table.links or table.label or table.questions or any(one.name or one.colour for one in table.people)
        return table_data(viewpoint) if is_set or self._table is not None else None

    def _shown(self) -> Message:
        """The position, and whether agents go on from it by themselves."""
        viewpoint = self._game.now
        while self._limited_late(viewpoint.read_some):
            pass
        shown: Message = self._limited_late(viewpoint.shown)
        viewpoint.note_seen()
        self._is_stopped()
        return {**shown, "plays_on": self.plays_on}

    def _is_news(self, shown: Message) -> bool:
        """True if a position has something that the page was not sent. For answers of others that it may not notice it
        is sent nothing: else their number would be given away, and the time of each."""
        log = shown["log"]
        length = log["from"] + len(log["lines"])
        before, self._told = self._told, {**shown, "board": shown["board"]["number"], "log": length, "statements": None}
        return before != self._told or bool(log["lines"])

    def _is_stopped(self) -> bool:
        """True if the page wants agents to stop: then the answer that one was about to give is the last one."""
        if not self._stop.is_set():
            return False
        self._stop.clear()
        if self.game is not None:
            self.game.steps = 0
        return True

    def _limited(self, action: Callable[[], Any]) -> Any:
        with rw.limited(self._limits()), rw.limited(rw.Limits(cancel=self._stop)):
            return action()

    def _limited_late(self, action: Callable[[], Any]) -> Any:
        """Under limits that let end by itself what hears a stop, and let the page see what it has led to."""
        with rw.limited(self._limits()), rw.limited(rw.Limits(cancel=Late(self._stop))):
            return action()

    def _error_data(self, error: Exception) -> Message:
        """An error without paths of this computer."""
        return PathNames(self._catalogue).error(error_of(error))

    # ----------------------------------------------------------------------------------------------- requests

    def _hello(self, params: Params) -> Answered:
        version = params.whole("protocol", 0, 2**31)
        params.done()
        if version != PROTOCOL:
            raise Refused(
                ErrorCode.INVALID, f"this host speaks version {PROTOCOL} of the protocol, the page version {version}"
            )
        return {
            "protocol": PROTOCOL,
            "version": rw.__version__,
            "rulesets": self._catalogue.listed() if self._role == Role.OWNER else [],
            "opens": self._catalogue.opens if self._role == Role.OWNER else None,
            "export": self._catalogue.export if self._role == Role.OWNER else None,
            "role": str(self._role),
            "game": None if self.game is None else self.game.name,
            "players": seats.words(),
            "adviser": ADVISER,
        }

    def _ruleset(self, params: Params) -> Answered:
        name = params.text("ruleset")
        params.done()
        described = self._catalogue.described(name)
        return {**described, "findings": PathNames(self._catalogue).findings(described["findings"])}

    def _cancel(self, params: Params) -> Answered:
        """Stop nothing: what is to be stopped is over when this is read. The carrier of messages sees it before."""
        if "id" in params:
            params.id("id")
        params.done()
        return {}
