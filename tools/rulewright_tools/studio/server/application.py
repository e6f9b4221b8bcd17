"""The application: static files and one websocket, with checks of host, origin and token, limits of size and rate."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from rulewright_tools.studio.host import Catalogue
from rulewright_tools.studio.host.language.document_names import DocumentNames
from rulewright_tools.studio.server.access import HEADERS, SUBPROTOCOL, Access, token_of
from rulewright_tools.studio.server.connections import exhaustion_handler
from rulewright_tools.studio.server.game_file import GameFile
from rulewright_tools.studio.server.language import MOST, LanguageServer
from rulewright_tools.studio.server.outbox import Outbox
from rulewright_tools.studio.server.page_files import GAME, PageFile
from rulewright_tools.studio.server.sessions import Session, Sessions

LARGEST = 1 << 20
"""Bytes of a message from a page."""

WAITING = 16
"""Messages that wait to be answered; then no more are read until some are."""

PER_SECOND, AT_ONCE = 60.0, 240.0
"""Messages a second that a page may send in the long run, and at once."""

BUSY, TOO_FAST, REFUSED, UNKNOWN = 1013, 1008, 1008, 4003
"""Codes with which a websocket is closed."""

_GAME = re.compile(GAME + r"[a-z0-9-]{1,60}")
"""The address of a game."""

_NAME = re.compile(r"[A-Za-z0-9_-]{8,64}")
"""The name of a session, which a page draws for itself."""


def application(
    access: Access,
    files: Mapping[str, PageFile],
    catalogue: Catalogue,
    games: GameFile,
    warn: Callable[[str], None] = lambda message: None,
) -> Starlette:
    """The application that serves one catalogue; `warn` takes messages of what is not as it should be."""
    sessions, speaking = Sessions(catalogue, games), 0

    async def page(request: Request) -> Response:
        if not access.knows_host(request.headers.get("host")):
            return PlainTextResponse("this server has another name\n", 421, HEADERS)
        path = request.url.path
        found = files.get(GAME if _GAME.fullmatch(path) else path)
        if found is None:
            return PlainTextResponse("there is nothing here\n", 404, HEADERS)
        caching = "public, max-age=31536000, immutable" if found.lasts else "no-cache"
        return Response(found.content, 200, {**HEADERS, "Cache-Control": caching}, found.type)

    def comes_from_here(websocket: WebSocket) -> bool:
        headers = websocket.headers
        return access.knows_host(headers.get("host")) and access.knows_origin(headers.get("origin"))

    async def language(websocket: WebSocket) -> None:
        nonlocal speaking
        if not comes_from_here(websocket) or not access.knows_token(token_of(websocket.scope["subprotocols"])):
            await websocket.close(REFUSED)
            return
        await websocket.accept(SUBPROTOCOL)
        if speaking >= MOST:
            await _close(websocket, BUSY, "too many editors are open")
            return
        speaking += 1
        try:
            await _speak(websocket, await LanguageServer.begin(DocumentNames(catalogue)))
        except OSError as error:  # no process can be begun
            await _close(websocket, BUSY, f"no language server can be started: {error.strerror or 'an error'}")
        finally:
            speaking -= 1

    async def host(websocket: WebSocket) -> None:
        name, token = websocket.query_params.get("session", ""), token_of(websocket.scope["subprotocols"])
        is_owner = access.knows_token(token)
        guest = games.link(token) if token and not is_owner else None
        if not comes_from_here(websocket) or not _NAME.fullmatch(name) or not token:
            await websocket.close(REFUSED)  # before it is accepted: the page gets 403
            return
        if not (is_owner or guest):
            await websocket.accept(SUBPROTOCOL)
            await _close(websocket, UNKNOWN, "this link is not known here, or does not hold any more")
            return
        game, link = guest or (websocket.query_params.get("game", ""), None)
        session = sessions.opened(name, link)
        await websocket.accept(SUBPROTOCOL)
        if session is None:
            await _close(websocket, BUSY, "this page is open in another window, or there are too many")
            return
        try:
            await _Conversation(websocket, sessions, session, game).run()
        finally:
            await asyncio.shield(sessions.left(session))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_exception_handler(exhaustion_handler(warn))
        yield
        sessions.close()

    routes = [Route("/{path:path}", page, methods=["GET"]), WebSocketRoute("/host", host)]
    routes.append(WebSocketRoute("/language", language))
    return Starlette(routes=routes, lifespan=lifespan)


async def _speak(websocket: WebSocket, server: LanguageServer) -> None:
    """Carry messages between an editor and its language server until one of them ends."""
    rate = _Rate()

    async def read() -> None:
        with suppress(WebSocketDisconnect):
            while (message := await websocket.receive())["type"] != "websocket.disconnect":
                if (text := message.get("text")) is None or not rate.allows():
                    await _close(websocket, TOO_FAST, "only text, and not so fast")
                    return
                if (refusal := await server.take(text)) is not None:
                    await websocket.send_text(refusal)

    async def write() -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            await server.pass_on(websocket.send_text)

    tasks = [asyncio.create_task(read()), asyncio.create_task(write())]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await server.end()
        await asyncio.gather(*tasks, return_exceptions=True)
        await _close(websocket)


async def _close(websocket: WebSocket, code: int = 1000, reason: str = "") -> None:
    """Close a websocket that its page may have left already."""
    with suppress(WebSocketDisconnect, RuntimeError):
        await websocket.close(code, reason)


class _Rate:
    """The rate at which a page may send: a bucket that fills again as time passes."""

    def __init__(self) -> None:
        self._left, self._since = AT_ONCE, time.monotonic()

    def allows(self) -> bool:
        """True if one more message is not too many."""
        now = time.monotonic()
        self._left = min(AT_ONCE, self._left + (now - self._since) * PER_SECOND) - 1
        self._since = now
        return self._left >= 0


class _Conversation:
    """The messages between one page and its session."""

    def __init__(self, websocket: WebSocket, sessions: Sessions, session: Session, game: str) -> None:
        self._websocket = websocket
        self._sessions, self._session, self._game = sessions, session, game
        self._requests: asyncio.Queue[str] = asyncio.Queue(WAITING)
        self._outbox = Outbox()
        self._rate = _Rate()
        self._closes: asyncio.Future[tuple[int, str]] = asyncio.get_running_loop().create_future()
        session.arrive(self._outbox, self._close)

    async def run(self) -> None:
        """Go on until the page leaves, or its link does not hold any more."""
        tasks = [asyncio.ensure_future(task) for task in (self._read(), self._work(), self._write(), self._closes)]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if self._closes.done():
                await _close(self._websocket, *self._closes.result())
        finally:
            self._session.leave()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _close(self, code: int, reason: str) -> None:
        if not self._closes.done():
            self._closes.set_result((code, reason))

    async def _read(self) -> None:
        """Read messages; one that stops another does not wait behind it."""
        with suppress(WebSocketDisconnect):
            while True:
                message = await self._websocket.receive()
                if message["type"] == "websocket.disconnect":
                    return
                text = message.get("text")
                if text is None or not self._rate.allows():
                    await _close(self._websocket, TOO_FAST, "only text, and not so fast")
                    return
                if (cancelled := _cancelled(text)) is not None:
                    self._sessions.halt(self._session, cancelled.get("id"))
                else:
                    await self._requests.put(text)

    async def _work(self) -> None:
        """Let the host answer, one request after the other, as fast as the page reads."""
        await self._sessions.show_again(self._session, self._game)
        while True:
            await self._outbox.room()
            await self._sessions.answer(self._session, await self._requests.get())

    async def _write(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self._websocket.send_text(await self._outbox.next())


def _cancelled(text: str) -> dict[str, object] | None:
    """The params of a message that stops a request; None if it is another message."""
    if len(text) > 400 or '"cancel"' not in text:
        return None
    with suppress(ValueError, TypeError, LookupError):
        message = json.loads(text)
        if message["method"] == "cancel" and "id" not in message:
            params = message.get("params", {})
            return params if isinstance(params, dict) and set(params) <= {"id"} else None
    return None
