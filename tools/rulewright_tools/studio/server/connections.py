"""Connections with limits: a client that sends half of a request, or reads nothing, uses a bounded amount of resources.

Every client that reaches the address may open connections, without a token. So there are few that are no websockets,
each has its time, and a new one takes the place of an old one.
"""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

HEAD, ANSWER = 10.0, 120.0
"""Seconds in which the head of a request must be there, and then the answer be read."""

STALLED, GRACE = 30.0, 5.0
"""Seconds for which a page may read nothing before it is requested to close, and then until it is cut off."""

MOST, PARTS = 64, 1_000
"""Connections that are no websockets, and parts of a message of a websocket."""

WAITING = 32
"""Connections that wait to be accepted."""

TOO_LARGE, NO_TEXT, STALLS = 1009, 1007, 1008
"""Codes with which a websocket is closed."""


def most_connections() -> int:
    """So many are open at once: of the files that this process may have open no more than a quarter."""
    try:
        import resource
    except ImportError:  # Windows knows no such limit
        return MOST
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if soft == resource.RLIM_INFINITY else max(1, min(MOST, soft // 4))


class HttpConnection(H11Protocol):
    """A connection by which pages bring files, or become a websocket."""

    _open: ClassVar[dict[HttpConnection, None]] = {}
    """All of the server, the oldest first."""
    _clock: asyncio.TimerHandle | None = None
    _in_head = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A stranger has connected: perhaps an older one has to go."""
        super().connection_made(transport)
        self._begin(is_head=True)
        self._open[self] = None
        while len(self._open) > most_connections():
            gone = next((one for one in self._open if one._in_head), next(iter(self._open)))
            del self._open[gone]
            gone.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Read a part of a request. The time for its head begins with its first byte, however slowly it comes."""
        before = self.cycle
        if not self._in_head and before is not None and before.response_complete:
            self._begin(is_head=True)
        try:
            super().data_received(data)
        except h11.LocalProtocolError:  # the request does not fit what is being answered
            self.transport.abort()
        if self._clock is not None and self.cycle is not before:
            self._begin(is_head=False)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Become a websocket."""
        self._end()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection: the client has gone."""
        self._end()
        super().connection_lost(exc)

    def _begin(self, is_head: bool) -> None:
        self._in_head = is_head
        if self._clock is not None:
            self._clock.cancel()
        self._clock = self.loop.call_later(HEAD if is_head else ANSWER, self.transport.abort)

    def _end(self) -> None:
        self._open.pop(self, None)
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None


class PageSocket(WebSocketsSansIOProtocol):
    """The websocket of a page."""

    _stalls: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        """The page reads nothing: what was sent waits."""
        super().pause_writing()
        if self._stalls is None:
            self._stalls = self.loop.call_later(STALLED, self._give_up)

    def resume_writing(self) -> None:
        """Resume: the client reads on."""
        super().resume_writing()
        if self._stalls is not None:
            self._stalls.cancel()
            self._stalls = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection: the client has gone."""
        if self._stalls is not None:
            self._stalls.cancel()
        super().connection_lost(exc)

    def send_receive_event_to_app(self) -> None:
        """Hand on a message, if it is one."""
        if self.curr_msg_data_type == "text" and not _is_text(b"".join(self.frames)):
            self._fail(NO_TEXT, "this is no text: it must be UTF-8")
        else:
            super().send_receive_event_to_app()

    def handle_cont(self, event: Any) -> None:
        """Take one more part of a message."""
        if len(self.frames) >= PARTS:
            self._fail(TOO_LARGE, f"a message has {PARTS} parts at most")
        else:
            super().handle_cont(event)

    def _give_up(self) -> None:
        self._fail(STALLS, "this page reads nothing of what it is sent")
        self.loop.call_later(GRACE, self.transport.abort)

    def _fail(self, code: int, reason: str) -> None:
        self.frames = []
        if self.close_sent or not self.handshake_complete:
            self.transport.close()
            return
        self.conn.fail(code, reason)
        self.handle_parser_exception()


def exhaustion_handler(warn: Callable[[str], None]) -> Callable[[asyncio.AbstractEventLoop, dict[str, Any]], None]:
    """The handler of errors outside of requests: a warning that no more files can be opened is given once."""
    warned = False

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal warned
        error = context.get("exception")
        if not isinstance(error, OSError) or error.errno not in (errno.EMFILE, errno.ENFILE):
            loop.default_exception_handler(context)
        elif not warned:
            warned = True
            warn("too many files and connections are open at once (`ulimit -n` says how many may be): some pages wait")

    return handle


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
