"""The host: carries out the requests of one page, one after the other, and tells it what is to be seen then."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import rulewright as rw
from rulewright_tools.studio.host import seats
from rulewright_tools.studio.host.catalogue import Catalogue
from rulewright_tools.studio.host.line_of_play import begun, loaded
from rulewright_tools.studio.host.messages import (
    KEY,
    PROTOCOL,
    ErrorCode,
    Message,
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
from rulewright_tools.studio.host.onlooker import AUTO
from rulewright_tools.studio.host.stores import MemoryStore, Saved, Store
from rulewright_tools.studio.host.table import Table

MOST = 20_000
"""Answers of agents after which they wait to be told to go on."""

ADVISER = "mcts:500"
"""The agent that gives hints, if the page names none."""

SEEDS = 2**32
"""Seeds that are drawn are below this, so that they can be read out and written down."""

Answered = dict[str, Any]


class Host:
    """Plays with one page. Not to be used by two threads at once."""

    def __init__(
        self,
        catalogue: Catalogue,
        store: Store | None = None,
        limits: Callable[[], rw.Limits] = rw.Limits,
        draw: Callable[[], int] = lambda: random.SystemRandom().randrange(SEEDS),
    ) -> None:
        self._catalogue = catalogue
        self._store: Store = MemoryStore() if store is None else store
        self._limits = limits
        """The limits of each answer of the rules and of an agent."""
        self._draw = draw
        """Draws the seed of a game for which none is given."""
        self._table: Table | None = None
        self._methods: dict[str, Callable[[Params], Answered]] = {
            "hello": self._hello,
            "ruleset": self._ruleset,
            "cancel": self._cancel,
            "game/start": self._start,
            "game/answer": self._answer,
            "game/continue": self._continue,
            "game/undo": self._undo,
            "game/redo": self._redo,
            "game/goto": self._goto,
            "game/look": self._look,
            "game/turn": self._turn,
            "game/whyNot": self._why_not,
            "game/hint": self._hint,
            "game/save": self._save,
            "game/saves": self._saves,
            "game/load": self._load,
        }
        self._steps = 0
        """Answers that agents may give before they wait."""
        self._shows = False
        """True if the request being carried out changes what is seen."""
        self.changes = 0
        """The number of changes of the game so far: as long as it stays, so does its snapshot."""

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
        self._steps, self._shows = 0, False
        try:
            request = request_of(message)
            if request.method not in self._methods:
                raise Refused(ErrorCode.UNKNOWN, f"there is no method `{request.method[:40]}`")
            result = self._limited(lambda: self._methods[request.method](request.params))
        except Exception as error:
            # Whatever happens in rules and files of strangers is an answer, and never the end of the host.
            yield failure(id_of(message), error_of(error))
            return
        if request.id is not None:
            yield response(request.id, result)
        if self._shows:
            yield from self._showing()

    def show_again(self) -> Iterator[Message]:
        """The position of the game, for a page that was opened anew, and what agents answer if they were about to;
        nothing if there is no game."""
        if self._table is not None:
            self._table.forget_sent()
            play = self._table.play
            self._steps = MOST if play.people and play.at == play.last else 0
            yield from self._showing()

    def snapshot(self) -> Saved | None:
        """The game as it is, to be taken up by another host; none if no game has begun."""
        return None if self._table is None else self._limited(lambda: _saved(self._now))

    def restore(self, saved: Saved) -> Iterator[Message]:
        """Take up a game of which a snapshot was made; the page is told if that cannot be done."""
        try:
            self._limited(lambda: self._take_up(saved))
        except Exception as error:
            yield notification("game/stopped", {"error": error_of(error)})

    # ------------------------------------------------------------------------------------------ what is shown

    def _showing(self) -> Iterator[Message]:
        """The position, and those to which agents play on."""
        table = self._table
        assert table is not None
        try:
            shown = self._limited(table.shown)
            yield notification("game/shown", shown)
            while self._steps > 0 and table.play.asks_agent():
                self._steps -= 1
                self._limited(table.play.step)
                self.changes += 1
                if self._limited(lambda: table.at) != shown["at"]:  # else the page has seen nothing of it
                    shown = self._limited(table.shown)
                    yield notification("game/shown", shown)
        except Exception as error:
            yield notification("game/stopped", {"error": error_of(error)})

    def _limited(self, action: Callable[[], Any]) -> Any:
        with rw.limited(self._limits()):
            return action()

    @property
    def _now(self) -> Table:
        if self._table is None:
            raise Refused(ErrorCode.NOT_NOW, "no game has begun")
        return self._table

    # ----------------------------------------------------------------------------------------------- requests

    def _hello(self, params: Params) -> Answered:
        asked = params.whole("protocol", 0, 2**31)
        params.done()
        if asked != PROTOCOL:
            raise Refused(
                ErrorCode.INVALID, f"this host speaks version {PROTOCOL} of the protocol, the page version {asked}"
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
        return self._catalogue.described(name)

    def _cancel(self, params: Params) -> Answered:
        """Stop nothing: what is to be stopped is over when this is read. Whoever carries messages sees it before."""
        params.id("id")
        params.done()
        return {}

    def _start(self, params: Params) -> Answered:
        name = params.text("ruleset")
        players = params.whole_or("players", 1, 64)
        variants = params.texts("variants") if "variants" in params else None
        options = params.words("options")
        seed = params.whole_or("seed", 0, 2**53 - 1)
        kinds, viewer = params.texts("seats"), params.text_or("viewer", AUTO)
        params.done()
        game = self._load_game(name, players, variants, options)
        play = begun(game, self._draw() if seed is None else seed, kinds)
        self._table = Table(name, play, viewer)
        self._plays_on()
        return {"seats": list(game.seats)}

    def _answer(self, params: Params) -> Answered:
        at, key = params.whole("at", 0, 2**31), params.text("key", KEY)
        params.done()
        table = self._now
        if at != table.at:
            raise Refused(ErrorCode.NOT_NOW, "the game has gone on since: this was asked before")
        table.require_answerer()
        table.play.answer(key)
        self._plays_on()
        return {}

    def _continue(self, params: Params) -> Answered:
        steps = params.whole_or("steps", 1, MOST)
        params.done()
        if not self._now.play.asks_agent():
            raise Refused(ErrorCode.NOT_NOW, "no agent is asked here")
        self._plays_on(MOST if steps is None else steps)
        return {}

    def _undo(self, params: Params) -> Answered:
        params.done()
        self._now.play.back()
        return self._moved()

    def _redo(self, params: Params) -> Answered:
        params.done()
        self._now.play.forward()
        return self._moved()

    def _goto(self, params: Params) -> Answered:
        at = params.whole("at", 0, 2**31)
        params.done()
        self._now.jump_to(at)
        return self._moved()

    def _look(self, params: Params) -> Answered:
        params.done()
        self._now.onlooker.sit_down()
        return self._moved()

    def _turn(self, params: Params) -> Answered:
        seat = params.text("seat")
        params.done()
        table = self._now
        if seat not in table.play.game.seats or not table.play.turn_to(table.play.game.seats.index(seat)):
            raise Refused(ErrorCode.NOT_NOW, f"`{seat[:40]}` has nothing to decide now")
        return self._moved()

    def _why_not(self, params: Params) -> Answered:
        key, id = params.text_or("key", most=KEY), params.text_or("thing")
        params.done()
        return self._now.why_not(key, id)

    def _hint(self, params: Params) -> Answered:
        word = params.text_or("agent", ADVISER)
        params.done()
        table = self._now
        table.require_answerer()
        return {"agent": word, "answers": table.hint(seats.agent_of(table.play.game, word))}

    def _save(self, params: Params) -> Answered:
        name = params.text("name")
        params.done()
        self._store.put(name, _saved(self._now))
        return {"names": self._store.names()}

    def _saves(self, params: Params) -> Answered:
        params.done()
        return {"names": self._store.names()}

    def _load(self, params: Params) -> Answered:
        name = params.text("name")
        params.done()
        saved = self._store.get(name)
        if saved is None:
            raise Refused(ErrorCode.NOT_NOW, f"there is no saved game `{name[:40]}`")
        self._take_up(saved)
        return self._moved()

    # ----------------------------------------------------------------------------------------------- together

    def _load_game(
        self, name: str, players: int | None, variants: tuple[str, ...] | None, options: dict[str, str]
    ) -> rw.Game:
        ruleset, chosen = self._catalogue.opened(name)
        variants = chosen if variants is None else variants
        known = rw.playing.setup_choices(ruleset).variants
        if strange := [title for title in variants if title not in known]:
            # A title that ends in `.rules` would be taken for a file.
            raise Refused(ErrorCode.PARAMS, f"there is no variant `{strange[0][:40]}`")
        return rw.load(ruleset, players, variants, options)

    def _take_up(self, saved: Saved) -> None:
        game = self._load_game(saved["ruleset"], saved["players"], tuple(saved["variants"]), saved["options"])
        self._table = Table(saved["ruleset"], loaded(game, saved), saved["viewer"])

    def _plays_on(self, steps: int = MOST) -> None:
        """After the response agents answer, until a person is asked; where nobody plays, they wait to be told."""
        self._moved()
        self._steps = steps if self._now.play.people or steps != MOST else 0

    def _moved(self) -> Answered:
        self._shows = True
        self.changes += 1
        return {}


def _saved(table: Table) -> Saved:
    """A game with all that is needed to go on."""
    game = table.play.game
    return {
        "ruleset": table.ruleset,
        "viewer": table.onlooker.word,
        "players": game.players,
        "variants": list(game.variants),
        "options": dict(game.parameters),
        **table.play.saved(),
    }
