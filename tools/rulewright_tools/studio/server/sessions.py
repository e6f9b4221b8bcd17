"""Sessions: each page has a host, and hosts of pages that look at the same game work one after the other.

All work is done in a few threads; a game is used by one of them at a time. A page of the owner that is loaded again
finds its host as it was, with its jobs; those of guests begin anew, at the end of their game.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import rulewright as rw
from rulewright_tools.studio.host import Catalogue, Games, Host, Link, Message, Role
from rulewright_tools.studio.host.jobs.job import Runner
from rulewright_tools.studio.host.messages import ErrorCode, failure, id_of, text_of
from rulewright_tools.studio.server.game_file import GameFile
from rulewright_tools.studio.server.outbox import Outbox
from rulewright_tools.studio.server.processes import Processes

SECONDS = 30.0
"""So long may one answer of the rules or of an agent take."""

KEPT = 900.0
"""Seconds for which the host of a page of the owner is kept that has gone."""

MOST, MOST_OF_LINK, THREADS = 4_096, 16, 16
"""Sessions at the same time, those of one link of a guest, and threads for all games."""

GONE = 4001
"""The code with which a websocket is closed whose link does not hold any more."""

_ELSEWHERE = ("games/open", "games/delete")
"""Methods about another game than that at which the page looks."""


class Session:
    """One page with its host."""

    def __init__(self, name: str, link: Link | None, catalogue: Catalogue, games: Games, runner: Runner | None) -> None:
        self.name = name
        self.link = link
        """The link by which the page came; None is the owner's."""
        self._cancel = threading.Event()
        """Set if the result of the running request is no longer needed."""
        self.halt = threading.Event()
        """Set if the page wants what is carried out to end."""
        limits = partial(rw.Limits, seconds=SECONDS, cancel=self._cancel)
        self.host = Host(catalogue, games, limits, runner=runner, stop=self.halt, link=link)
        self.outbox: Outbox | None = None
        """Messages for the page; none while it has gone."""
        self.close: Callable[[int, str], None] = lambda code, reason: None
        """Closes the connection of the page."""
        self.running: str | int | None = None
        self.is_busy = False
        """True while the host works, for a request or of its own accord."""
        self.unwanted: dict[str | int, None] = {}
        """Requests that the page does not want any more, perhaps answered already: the last ones."""
        self.has_news = False
        """True if the page is about to be sent what others have changed."""
        self.left_at = time.monotonic()

    @property
    def game(self) -> str:
        """The name of the game at which the page looks; empty if there is none."""
        return "" if self.host.game is None else self.host.game.name

    @property
    def holds(self) -> bool:
        """True if the link of the page still holds, and its game has not been deleted."""
        game = self.host.game
        return game is None or not (
            game.is_deleted or (self.link is not None and self.link.key not in game.table.links)
        )

    def arrive(self, outbox: Outbox, close: Callable[[int, str], None]) -> None:
        """A page has come, or come again."""
        self.outbox, self.close = outbox, close
        self.host.jobs.post = lambda message: outbox.put(text_of(message))
        self.host.post_meanwhile(lambda message: outbox.put(text_of(message)) if outbox.has_room else None)

    def leave(self) -> None:
        """The page has gone: the running request is stopped, whose result is no longer needed. Jobs go on."""
        if self.outbox is not None:
            self.outbox.release()
        self.outbox = None
        self.left_at = time.monotonic()
        self._cancel.set()
        self.host.jobs.post = None
        self.host.post_meanwhile(None)

    def cancel(self, id: object) -> None:
        """Stop a request: the one that is carried out, or one that still waits; None is whatever is carried out."""
        if self.is_busy and (id is None or id == self.running):
            self.halt.set()
        elif isinstance(id, str | int):
            self.unwanted[id] = None
            if len(self.unwanted) > _MOST_UNWANTED:
                del self.unwanted[next(iter(self.unwanted))]

    # ------------------------------------------------------------------------------------------ in a thread

    def answer(self, text: str) -> Iterator[Message]:
        """The messages that a text leads to, but for those of agents that play on."""
        self.running = id_of(_loaded(text))
        if self.running is not None and self.running in self.unwanted:
            del self.unwanted[self.running]
            yield failure(self.running, {"code": int(ErrorCode.STOPPED), "message": "cancelled before it began"})
            return
        yield from self.host.answer_text(text, waits=True)

    def work_out(self) -> Iterator[Message]:
        """Work out what the host has left unfinished, without the game."""
        if (unfinished := self.host.unfinished) is not None:
            self.running = unfinished.id
            if unfinished.id is not None and unfinished.id in self.unwanted:
                del self.unwanted[unfinished.id]
                self.halt.set()
            self.host.work_out()
        yield from ()

    def carry_out(self, messages: Callable[[], Iterator[Message]]) -> None:
        """Make messages in a thread, and send them to the page."""
        self._cancel.clear()
        self.halt.clear()
        self.is_busy = True
        texts: list[str] = []
        try:
            texts += (text_of(message) for message in messages())
        finally:
            if texts and (outbox := self.outbox) is not None:
                outbox.put(*texts)
            self.is_busy, self.running = False, None


_MOST_UNWANTED = 32


class Sessions:
    """All sessions of a server, by the links by which they came and the names that pages have given them."""

    def __init__(self, catalogue: Catalogue, games: GameFile) -> None:
        self._catalogue = catalogue
        self._games = Games(catalogue, games)
        self._processes = Processes(catalogue.home or Path.cwd())
        self._threads = ThreadPoolExecutor(THREADS, "studio")
        self._found: dict[tuple[str, str], Session] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._driven: set[str] = set()
        """Games in which agents answer now."""
        self._due: set[str] = set()
        """Games whose pages are about to be sent what is new."""
        self._tasks: set[asyncio.Task[None]] = set()

    def opened(self, name: str, link: Link | None) -> Session | None:
        """The session of a page, as it was left or a new one; none if another page has it open, or there are too
        many."""
        self._forget()
        key = ("" if link is None else link.key, name)
        found = self._found.get(key)
        if found is None and len(self._found) < MOST and (link is None or self._count(link) < MOST_OF_LINK):
            runner = self._processes if link is None else None
            found = self._found[key] = Session(name, link, self._catalogue, self._games, runner)
        return None if found is None or found.outbox is not None else found

    async def show_again(self, session: Session, game: str) -> None:
        """Show a page that has come what is to be seen: the game at which it has looked, or the one that it wants."""
        wants = game if game and game != session.game else ""

        def messages() -> Iterator[Message]:
            if wants:
                yield from session.host.open(wants)
            yield from session.host.show_again()

        async with self._alone((session.game, wants)):
            await self._in_thread(session, messages)
            if session.game and session.game not in self._driven:
                session.host.resume()
        self._spread(session)

    async def answer(self, session: Session, text: str) -> None:
        """Let the host of a page answer a message, then the agents of its game."""
        before, target = session.game, _target(text) if session.link is None else ""
        async with self._alone((before, target)):
            if not session.holds:
                session.close(GONE, "the link of this page does not hold any more, or the game was deleted")
                return
            await self._in_thread(session, partial(session.answer, text))
        if session.host.unfinished is not None:
            await self._complete(session)
        for game in {before, target} - {"", session.game}:
            self._spread_game(game)
        self._spread(session)

    async def _complete(self, session: Session) -> None:
        """Complete what a host has left unfinished: it is worked out while others use the game."""
        try:
            await self._in_thread(session, session.work_out)
            async with self._alone((session.game,)):
                if session.holds:
                    await self._in_thread(session, session.host.complete)
        finally:
            session.host.unfinished = None  # perhaps the page has left meanwhile

    async def left(self, session: Session) -> None:
        """A page has gone; it may come again."""
        session.leave()
        game = session.game
        if session.link is not None:
            self._found.pop((session.link.key, session.name), None)
        if not game:
            return
        async with self._alone((game,)):
            is_last = not any(one.outbox is not None for one in self._at(game))
            await self._in_thread(session, partial(_left, session.host, is_last))
            self._let_go(game)
        self._spread_game(game)

    def halt(self, session: Session, id: object) -> None:
        """Stop what a page wants to be stopped: a request of its own, or the agent of its game that thinks."""
        manages = session.link is None or session.link.to == Role.HOST
        if manages or session.running is not None or id is not None:
            session.cancel(id)  # an agent that thinks with the page of a guest is not that guest's
        if id is None and manages:
            for other in self._at(session.game) if session.game in self._driven else ():
                other.cancel(None)

    def close(self) -> None:
        """End all of them."""
        for session in self._found.values():
            session.leave()
            session.host.jobs.close()
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._processes.close()

    # ------------------------------------------------------------------------------------------ one after the other

    @asynccontextmanager
    async def _alone(self, names: Iterable[str]) -> AsyncIterator[None]:
        """Use some games alone."""
        async with AsyncExitStack() as stack:
            for name in sorted({*names} - {""}):
                await stack.enter_async_context(self._locks.setdefault(name, asyncio.Lock()))
            yield

    async def _in_thread(self, session: Session, messages: Callable[[], Iterator[Message]]) -> None:
        """Let a host work in a thread. The game is not used by others before it has ended, also if its page leaves."""
        work = asyncio.get_running_loop().run_in_executor(self._threads, session.carry_out, messages)
        try:
            await asyncio.shield(work)
        except asyncio.CancelledError:
            await asyncio.wait([work])
            raise

    def _spread(self, session: Session) -> None:
        """Let the other pages of a game learn what has changed, and its agents answer."""
        game = session.game
        if not game:
            return
        self._spread_game(game)
        if game not in self._driven and session.host.plays_on:
            self._driven.add(game)
            self._begin(self._drive(game, session))

    def _spread_game(self, game: str) -> None:
        if game not in self._due:
            self._due.add(game)
            self._begin(self._send_news(game))

    async def _send_news(self, game: str) -> None:
        async with self._alone((game,)):
            self._due.discard(game)
            await self._send_news_alone(game)

    async def _send_news_alone(self, game: str) -> None:
        """Send all pages of a game what is new, as far as they have read what they were sent before."""
        ready = []
        for session in self._at(game):
            if session.outbox is None or session.host.unfinished is not None:
                continue  # it gets all when it comes again, or when its request is completed
            if not session.holds:
                session.close(GONE, "the link of this page does not hold any more, or the game was deleted")
            elif session.outbox.has_room:
                ready.append(session)
            elif not session.has_news:
                session.has_news = True
                self._begin(self._send_late(session))
        await asyncio.get_running_loop().run_in_executor(self._threads, _send_all, ready)

    async def _send_late(self, session: Session) -> None:
        """Send a slow page what is new, as soon as there is room for it."""
        if (outbox := session.outbox) is not None:
            await outbox.room()
        async with self._alone((session.game,)):
            session.has_news = False
            if session.outbox is not None and session.holds:
                await self._in_thread(session, session.host.news)

    async def _drive(self, game: str, session: Session) -> None:
        """Let agents answer as long as a page looks on. Between two answers others are let in."""
        try:
            while True:
                async with self._alone((game,)):
                    here = [session, *self._at(game)]
                    driver = next((one for one in here if self._drives(one, game)), None)
                    if driver is None:
                        return
                    steps = driver.host.steps
                    await self._in_thread(driver, driver.host.step)
                    if driver.outbox is None and driver.game == game:
                        driver.host.steps = steps  # its page has left, and cut it off: another one goes on
                    await self._send_news_alone(game)
        finally:
            self._driven.discard(game)

    def _drives(self, session: Session, game: str) -> bool:
        is_free = session.outbox is not None and session.host.unfinished is None
        return is_free and session.game == game and session.host.plays_on

    def _begin(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ------------------------------------------------------------------------------------------ who is there

    def _at(self, game: str) -> list[Session]:
        """The sessions that look at a game, also those whose pages have gone."""
        return [one for one in self._found.values() if one.game == game]

    def _count(self, link: Link) -> int:
        return sum(key == link.key for key, _ in self._found)

    def _let_go(self, game: str) -> None:
        """Hold a game in memory no longer if no session does."""
        if game and not self._at(game):
            self._games.let_go(game)

    def _forget(self) -> None:
        """Forget the oldest pages of the owner without a connection, when they are too old or too many."""
        gone = sorted((one for one in self._found.items() if one[1].outbox is None), key=lambda one: one[1].left_at)
        late = time.monotonic() - KEPT
        while gone and (gone[0][1].left_at < late or len(self._found) >= MOST):
            key, session = gone.pop(0)
            session.host.jobs.close()
            del self._found[key]
            self._let_go(session.game)


def _send_all(sessions: list[Session]) -> None:
    """Send pages what is new; in a thread."""
    for session in sessions:
        session.carry_out(session.host.news)


def _left(host: Host, is_last: bool) -> Iterator[Message]:
    """Let a host know that its page has gone."""
    if is_last:
        host.take_picture()
    host.leave()
    yield from ()


def _target(text: str) -> str:
    """The game that a message names beside the one at which its page looks; empty if there is none."""
    if not any(method in text for method in _ELSEWHERE):
        return ""
    message = _loaded(text)
    params = message.get("params") if isinstance(message, dict) else None
    name = params.get("game") if isinstance(params, dict) else None
    return name if isinstance(name, str) else ""


def _loaded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
