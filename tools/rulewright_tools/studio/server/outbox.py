"""Messages that wait to be sent to a page. A slow page holds up no other: it is sent less."""

from __future__ import annotations

import asyncio
from contextlib import suppress

WAITING = 32
"""Messages that wait before no more are made for the page."""


class Outbox:
    """Messages from threads to the event loop that has made it."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._texts: asyncio.Queue[str] = asyncio.Queue()
        self._has_room = asyncio.Event()
        self._has_room.set()

    def put(self, *texts: str) -> None:
        """Add messages, from any thread; they are lost if the page has gone."""
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._put, texts)

    def _put(self, texts: tuple[str, ...]) -> None:
        for text in texts:
            self._texts.put_nowait(text)
        if self._texts.qsize() >= WAITING:
            self._has_room.clear()

    @property
    def has_room(self) -> bool:
        """True if the page has read enough to be sent more."""
        return self._has_room.is_set()

    async def room(self) -> None:
        """Wait until there is room."""
        await self._has_room.wait()

    def release(self) -> None:
        """Let those go on who wait for room: the page has gone."""
        self._has_room.set()

    async def next(self) -> str:
        """The next message."""
        text = await self._texts.get()
        if self._texts.qsize() < WAITING // 2:
            self._has_room.set()
        return text
