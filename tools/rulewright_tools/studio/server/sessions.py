"""Sessions: each page has a host, which works in a thread of its own, and outlives a page that is loaded again."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import rulewright as rw
from rulewright_tools.studio.host import Catalogue, Host
from rulewright_tools.studio.host.jobs.job import Runner
from rulewright_tools.studio.host.messages import ErrorCode, failure, id_of, text_of
from rulewright_tools.studio.server.game_file import GameFile
from rulewright_tools.studio.server.processes import Processes

SECONDS = 30.0
"""So long may one answer of the rules or of an agent take."""

KEPT = 900.0
"""Seconds for which the game of a page is kept that has gone."""

MOST = 32
"""Sessions at the same time."""

Send = Callable[[str], None]


class Session:
    """One page with its host. Messages of the host are handed to the event loop, message by message."""

    def __init__(self, name: str, catalogue: Catalogue, games: GameFile, runner: Runner) -> None:
        self._name = name
        self._games = games
        self._cancel = threading.Event()
        """Set if the result of the running request is no longer needed."""
        self._stop = threading.Event()
        """Set if the page wants what is carried out to end."""
        limits = partial(rw.Limits, seconds=SECONDS, cancel=self._cancel)
        self._host = Host(catalogue, games, limits, runner=runner, stop=self._stop)
        self._thread = ThreadPoolExecutor(1, "studio")
        self._running: str | int | None = None
        self._is_busy = False
        """True while the host works, for a request or of its own accord."""
        self._unwanted: dict[str | int, None] = {}
        """Requests that the page does not want any more, perhaps answered already: the last ones."""
        self._kept = 0
        """The number of changes of the game that are kept."""
        self.is_open = False
        self.left_at = time.monotonic()

    async def answer(self, text: str, send: Send) -> None:
        """Let the host answer a message; `send` is called, in other threads, as answers come."""
        await self._in_thread(lambda post: self._answer(text, post), send)

    async def show_again(self, send: Send) -> None:
        """Send a page that was loaded again what is to be seen."""
        await self._in_thread(self._show_again, send)

    def cancel(self, id: object) -> None:
        """Stop a request: the one that is carried out, or one that still waits; None is whatever is carried out."""
        if self._is_busy and (id is None or id == self._running):
            self._stop.set()
        elif isinstance(id, str | int):
            self._unwanted[id] = None
            if len(self._unwanted) > MOST:
                del self._unwanted[next(iter(self._unwanted))]

    def stop(self) -> None:
        """Stop the running request, whose result is no longer needed. Jobs go on."""
        self._cancel.set()
        self._host.jobs.post = None
        self._host.post_meanwhile(None)

    def close(self) -> None:
        """End the thread as soon as it is done."""
        self.stop()
        self._host.jobs.close()
        self._thread.shutdown(wait=False)

    async def _in_thread(self, work: Callable[[Send], None], send: Send) -> None:
        self._host.jobs.post = lambda message: send(text_of(message))
        self._host.post_meanwhile(self._host.jobs.post)
        await asyncio.get_running_loop().run_in_executor(self._thread, self._carry_out, work, send)

    def _carry_out(self, work: Callable[[Send], None], post: Send) -> None:
        self._cancel.clear()
        self._stop.clear()
        self._is_busy = True
        try:
            work(post)
        finally:
            self._is_busy = False
            self._running = None

    def _answer(self, text: str, post: Send) -> None:
        self._running = id_of(_loaded(text))
        if self._running is not None and self._running in self._unwanted:
            del self._unwanted[self._running]
            error = {"code": int(ErrorCode.STOPPED), "message": "cancelled before it began"}
            post(text_of(failure(self._running, error)))
            return
        for message in self._host.handle_text(text):
            self._keep()
            post(text_of(message))

    def _keep(self) -> None:
        """Keep the game before the page gets its messages: what it knows is never lost."""
        if self._host.changes == self._kept:
            return
        try:
            saved = self._host.snapshot()
        except (rw.RulesetError, rw.Stopped):
            return  # stopped in the middle of it: the next message is sent after another try
        if saved is not None:
            self._games.keep_page(self._name, saved)
        self._kept = self._host.changes

    def _show_again(self, post: Send) -> None:
        # A page without a game may have had one that a server before this one has kept.
        if not self._host.has_game and (kept := self._games.page(self._name)) is not None:
            for message in self._host.restore(kept):
                post(text_of(message))
        for message in self._host.show_again():
            self._keep()
            post(text_of(message))


class Sessions:
    """All sessions by the names that pages have given them."""

    def __init__(self, catalogue: Catalogue, games: GameFile) -> None:
        self._catalogue = catalogue
        self._games = games
        self._processes = Processes(catalogue.home or Path.cwd())
        self._found: dict[str, Session] = {}

    def opened(self, name: str) -> Session | None:
        """The session of a page, as it was left or a new one; none if another page has it open, or there are too
        many."""
        self._forget()
        found = self._found.get(name)
        if found is None and len(self._found) < MOST:
            found = self._found[name] = Session(name, self._catalogue, self._games, self._processes)
        if found is None or found.is_open:
            return None
        found.is_open = True
        return found

    def left(self, session: Session) -> None:
        """A page has gone; it may come again."""
        session.is_open = False
        session.left_at = time.monotonic()
        session.stop()

    def close(self) -> None:
        """End all of them."""
        for session in self._found.values():
            session.close()
        self._processes.close()

    def _forget(self) -> None:
        """Forget the oldest pages without a connection, when they are too old or too many."""
        gone = sorted((one for one in self._found.items() if not one[1].is_open), key=lambda one: one[1].left_at)
        late = time.monotonic() - KEPT
        while gone and (gone[0][1].left_at < late or len(self._found) >= MOST):
            name, session = gone.pop(0)
            session.close()
            del self._found[name]


def _loaded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
