"""The host: carries out the requests of one page, one after the other, and sends it what is to be seen then."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import rulewright as rw
from rulewright_tools.studio.host.catalogue import Catalogue
from rulewright_tools.studio.host.files.methods import FileMethods
from rulewright_tools.studio.host.files.path_names import PathNames
from rulewright_tools.studio.host.game import seats
from rulewright_tools.studio.host.game.methods import ADVISER, MOST, GameMethods
from rulewright_tools.studio.host.game.thinking import Late, Never, Stop
from rulewright_tools.studio.host.inspecting.methods import InspectMethods
from rulewright_tools.studio.host.jobs.job import Runner
from rulewright_tools.studio.host.jobs.methods import JobMethods
from rulewright_tools.studio.host.jobs.moments import MomentMethods
from rulewright_tools.studio.host.messages import (
    PROTOCOL,
    Answered,
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
from rulewright_tools.studio.host.rules.methods import RuleMethods
from rulewright_tools.studio.host.scenarios.methods import ScenarioMethods
from rulewright_tools.studio.host.stores import MemoryStore, Saved, Store

THINKING = {"game/hint"}
"""Methods that end by themselves, with the best found so far, when the page wants it to stop."""

SEEDS = 2**32
"""Seeds that are drawn are below this, so that they can be read out and written down."""


class Host:
    """Plays with one page. Not to be used by two threads at once."""

    def __init__(
        self,
        catalogue: Catalogue,
        store: Store | None = None,
        limits: Callable[[], rw.Limits] = rw.Limits,
        draw: Callable[[], int] = lambda: random.SystemRandom().randrange(SEEDS),
        runner: Runner | None = None,
        stop: Stop | None = None,
    ) -> None:
        self._catalogue = catalogue
        self._limits = limits
        """The limits of each answer of the rules and of an agent, perhaps with what cuts it off at once."""
        self._stop = Never() if stop is None else stop
        """Set where the page wants it to stop."""
        self._game = GameMethods(catalogue, MemoryStore() if store is None else store, draw, self._stop)
        files = FileMethods(catalogue)
        self.jobs = JobMethods(catalogue, runner)
        """The jobs of the page, which go on while it asks for something else."""
        self._methods: dict[str, Method] = {
            "hello": self._hello,
            "ruleset": self._ruleset,
            "cancel": self._cancel,
            **self._game.methods,
            **files.methods,
            **RuleMethods(files.folder, self._game).methods,
            **self.jobs.methods,
            **MomentMethods(catalogue, files.folder, self.jobs).methods,
            **InspectMethods(files.folder, self._game).methods,
            **ScenarioMethods(catalogue, files.folder, self._game).methods,
        }

    @property
    def changes(self) -> int:
        """The number of changes of the game so far: as long as it stays, so does its snapshot."""
        return self._game.changes

    def post_meanwhile(self, post: Callable[[Message], None] | None) -> None:
        """Send the thoughts of agents to the page while they think; None if it has gone."""
        self._game.looking.post = post

    @property
    def has_game(self) -> bool:
        """True if a game has begun."""
        return self._game.table is not None

    def handle_text(self, text: str | bytes) -> Iterator[Message]:
        """The messages that a text leads to."""
        try:
            message = parsed(text)
        except Refused as error:
            yield failure(None, error_of(error))
            return
        yield from self.handle(message)

    def handle(self, message: object) -> Iterator[Message]:
        """The messages that a request leads to: the response, then what is to be seen, answer by answer."""
        self._game.begin()
        try:
            request = request_of(message)
            if request.method not in self._methods:
                raise Refused(ErrorCode.UNKNOWN, f"there is no method `{request.method[:40]}`")
            limited = self._limited_late if request.method in THINKING else self._limited
            result = limited(lambda: self._methods[request.method](request.params))
        except Exception as error:
            # Whatever happens in rules and files of strangers is an answer, and never the end of the host.
            yield failure(id_of(message), self._error_data(error))
            return
        if request.id is not None:
            yield response(request.id, result)
        if self._game.shows:
            yield from self._showing()

    def show_again(self, plays_on: bool = True) -> Iterator[Message]:
        """The position of the game, for a page that was opened anew, and what agents answer if they were about to and
        `plays_on` lets them; nothing if there is no game."""
        if self._game.table is not None:
            self._game.table.forget_sent()
            play = self._game.table.play
            self._game.steps = MOST if plays_on and play.people and play.at == play.last else 0
            yield from self._showing()

    def snapshot(self) -> Saved | None:
        """The game as it is, to be taken up by another host; none if no game has begun."""
        return None if self._game.table is None else self._limited(self._game.saved)

    def restore(self, saved: Saved) -> Iterator[Message]:
        """Take up a game of which a snapshot was made; the page gets a message if that cannot be done."""
        try:
            self._limited(lambda: self._game.take_up(saved))
        except Exception as error:
            yield notification("game/stopped", {"error": self._error_data(error)})

    # ------------------------------------------------------------------------------------------ what is shown

    def _showing(self) -> Iterator[Message]:
        """The position, and those to which agents play on."""
        game, table = self._game, self._game.now
        try:
            shown = self._shown()
            yield notification("game/shown", shown)
            while game.steps > 0 and table.play.agent_to_move():
                game.steps -= 1
                self._limited_late(game.step)
                game.changes += 1
                is_stopped = self._is_stopped()
                at = self._limited_late(lambda: table.at)
                if is_stopped or at != shown["at"]:  # else the page has seen nothing of it
                    shown = self._shown()
                    yield notification("game/shown", shown)
        except Exception as error:
            table.forget_sent()  # perhaps something was about to be sent
            yield notification("game/stopped", {"error": self._error_data(error)})

    def _shown(self) -> Message:
        """The position, and whether agents go on from it by themselves."""
        game, table = self._game, self._game.now
        while self._limited_late(table.read_some):
            pass
        shown = self._limited_late(table.shown)
        self._is_stopped()
        return {**shown, "plays_on": game.steps > 0 and table.play.agent_to_move()}

    def _is_stopped(self) -> bool:
        """True if the page wants agents to stop: then the answer that one was about to give is the last one."""
        if not self._stop.is_set():
            return False
        self._stop.clear()
        self._game.steps = 0
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
            "rulesets": self._catalogue.listed(),
            "opens": self._catalogue.opens,
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
