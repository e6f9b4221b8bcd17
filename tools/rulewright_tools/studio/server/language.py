"""The language server behind a websocket: a process of its own for each page, which ends with it."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any

from rulewright_tools.studio.host.messages import Refused, text_of
from rulewright_tools.studio.server.document_names import DocumentNames

COMMAND = (sys.executable, "-m", "rulewright_tools", "lsp")

MOST = 8
"""Language servers at the same time."""

LARGEST = 1 << 24
"""Bytes of a message of the language server."""

Send = Callable[[str], Awaitable[None]]


class LanguageServer:
    """One process and its messages."""

    def __init__(self, process: asyncio.subprocess.Process, names: DocumentNames) -> None:
        self._process, self._names = process, names

    @staticmethod
    async def begin(names: DocumentNames) -> LanguageServer:
        """Start the process."""
        pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec(*COMMAND, stdin=pipe, stdout=pipe, stderr=nothing, limit=LARGEST)
        return LanguageServer(process, names)

    async def take(self, text: str) -> str | None:
        """Pass on a message of the page; the answer, if it is refused here."""
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            return None  # whoever writes such a thing waits for no answer
        if not isinstance(message, dict):
            return None
        try:
            raw = json.dumps(self._names.for_server(message)).encode()
        except (Refused, ValueError, RecursionError) as error:
            return _refusal(message.get("id"), str(error))
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(raw), raw))
        with suppress(ConnectionError):
            await self._process.stdin.drain()
        return None

    async def pass_on(self, send: Send) -> None:
        """Send the page all that the language server says, until it ends."""
        async for message in self._messages():
            await send(text_of(self._names.for_page(message)))

    async def _messages(self) -> AsyncIterator[Any]:
        stream = self._process.stdout
        assert stream is not None
        with suppress(asyncio.IncompleteReadError):
            while True:
                size = 0
                while (line := await stream.readuntil(b"\n")).strip():
                    name, _, value = line.partition(b":")
                    if name.strip().lower() == b"content-length":
                        size = int(value)
                yield json.loads(await stream.readexactly(size))

    async def end(self) -> None:
        """End the process."""
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()


def _refusal(id: object, message: str) -> str | None:
    if not isinstance(id, int | str):
        return None
    return json.dumps({"jsonrpc": "2.0", "id": id, "error": {"code": -32602, "message": message}})
