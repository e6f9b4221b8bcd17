"""The host of a worker: it takes a text, and gives texts in answer until there are none.

Between one text and the next the worker keeps what is to be kept, which takes it a moment in which Python waits; so
that a page knows of nothing that is not kept. What travels between Python and JavaScript is text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, MutableSequence, Sequence
from typing import Any

import rulewright as rw
from rulewright_tools.studio.browser.exported_files import OwnFiles, exported_catalogue
from rulewright_tools.studio.browser.job_workers import JobWorkers
from rulewright_tools.studio.host import Games, Host, MemoryStore, Message, Saved
from rulewright_tools.studio.host.messages import text_of

SECONDS = 30.0
"""So long may one answer of the rules or of an agent take, as behind a server."""


class _Flag:
    """A number in memory that the page and the worker share: the page sets it if something is to stop."""

    def __init__(self, shared: MutableSequence[int]) -> None:
        self._shared = shared

    def is_set(self) -> bool:
        """True if the page wants it to stop."""
        return self._shared[0] != 0

    def clear(self) -> None:
        """Reset the flag: the stop was handled."""
        self._shared[0] = 0


class _Kept(MemoryStore):
    """Games as they were kept before, and those that are to be kept, or forgotten (None)."""

    def __init__(self, games: dict[str, Saved]) -> None:
        super().__init__()
        for name, kept in sorted(games.items(), key=lambda one: float(one[1]["summary"]["changed"])):
            super().put(name, kept["game"], kept["summary"], ())
        self.new: dict[str, Saved | None] = {}

    def put(self, name: str, saved: Saved, summary: Saved, events: Sequence[Saved]) -> None:
        """Keep a game as it is now."""
        super().put(name, saved, summary, events)
        self.new[name] = {"game": saved, "summary": summary}

    def delete(self, name: str) -> None:
        """Forget a game."""
        super().delete(name)
        self.new[name] = None


class WorkerHost:
    """A host with the rulesets of an export. `kept` is what was kept in this browser, `stop` where the page asks for a
    stop, if it can; `send` sends the page a text at once. `begin_job` and `end_job` begin and end workers for jobs, see
    :class:`JobWorkers`; without them there are none."""

    def __init__(
        self,
        folder: str,
        kept: str,
        stop: MutableSequence[int] | None = None,
        send: Callable[[str], object] | None = None,
        begin_job: Callable[[int, str, str], object] | None = None,
        end_job: Callable[[int], object] | None = None,
    ) -> None:
        before = json.loads(kept)
        self._kept = _Kept(before["games"])
        self._files = OwnFiles(folder, before["files"])
        flag = None if stop is None else _Flag(stop)
        catalogue = exported_catalogue(folder, self._files)
        jobs = None if begin_job is None or end_job is None else JobWorkers(begin_job, end_job, self._files)
        self._jobs = jobs
        games = Games(catalogue, self._kept)
        self._host = Host(catalogue, games, lambda: rw.Limits(seconds=SECONDS), runner=jobs, stop=flag)
        if send is not None:
            self._host.jobs.post = lambda message: _send_text(send, message)
            self._host.post_meanwhile(self._host.jobs.post)
        self._page: str = before.get("page", {}).get("name", "")
        """The game at which the window has looked last, by its name."""
        self._messages: Iterator[Message] = iter(())

    def open(self, plays_on: bool = True) -> None:
        """Begin with the game as the window has left it; agents who were about to answer do so, if they are to."""
        self._messages = self._taken_up(plays_on)

    def take(self, text: str) -> None:
        """Begin to answer a text."""
        self._messages = self._host.handle_text(text)

    def next(self) -> str | None:
        """The next text for the page; None if there is none left."""
        message = next(self._messages, None)
        return None if message is None else text_of(message)

    def kept(self) -> str:
        """All that is to be kept since the last call, as JSON."""
        found: dict[str, Any] = {"games": dict(self._kept.new), "files": self._files.changed()}
        self._kept.new.clear()
        if (game := self._host.game) is not None and game.name != self._page:
            self._page = game.name
            found["page"] = {"name": game.name}
        return json.dumps(found)

    def put_file(self, name: str, text: str) -> None:
        """Take over a file that another window has written: a write from an older version is refused."""
        self._files.put(name, text)

    def job_said(self, id: int, kind: str, text: str) -> None:
        """Take a message from the worker of a job."""
        if self._jobs is not None:
            self._jobs.receive(id, kind, text)

    def _taken_up(self, plays_on: bool) -> Iterator[Message]:
        if self._page:
            yield from self._host.open(self._page)
        if plays_on:
            self._host.resume()
        yield from self._host.show_again()
        yield from self._host.play_on()


def _send_text(send: Callable[[str], object], message: Message) -> None:
    send(text_of(message))
