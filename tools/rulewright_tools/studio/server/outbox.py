"""Messages that wait to be sent to a page: few, for a sender of more waits until the page has read some of them."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress

WAITING = 32
"""Messages that wait."""

_LOOK = 0.2
"""Seconds after which a waiting sender looks whether the page is still there."""


class Outbox:
    """Messages from threads to the event loop that has made it."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._texts: asyncio.Queue[str] = asyncio.Queue()
        self._room = threading.Semaphore(WAITING)
        self._is_closed = False

    def put(self, text: str) -> None:
        """Add a message, from any thread but that of the loop; it is lost if the page has gone."""
        while not self._is_closed:
            if self._room.acquire(timeout=_LOOK):
                with suppress(RuntimeError):  # the loop has ended
                    self._loop.call_soon_threadsafe(self._texts.put_nowait, text)
                return

    async def next(self) -> str:
        """The next message."""
        text = await self._texts.get()
        self._room.release()
        return text

    def close(self) -> None:
        """The page has gone."""
        self._is_closed = True
