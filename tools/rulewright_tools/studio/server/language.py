"""The language server behind a websocket: a process of its own for each page, which ends with it."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any

from rulewright_tools.studio.host.language.document_names import DocumentNames
from rulewright_tools.studio.host.language.language_messages import LanguageMessages

COMMAND = (sys.executable, "-m", "rulewright_tools", "lsp")

MOST = 8
"""Language servers at the same time."""

LARGEST = 1 << 24
"""Bytes of a message of the language server."""

Send = Callable[[str], Awaitable[None]]


class LanguageServer:
    """One process and its messages."""

    def __init__(self, process: asyncio.subprocess.Process, names: DocumentNames) -> None:
        self._process = process
        self._messages = LanguageMessages(names, self._write)

    @staticmethod
    async def begin(names: DocumentNames) -> LanguageServer:
        """Start the process."""
        pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec(*COMMAND, stdin=pipe, stdout=pipe, stderr=nothing, limit=LARGEST)
        return LanguageServer(process, names)

    async def take(self, text: str) -> str | None:
        """Pass on a message of the page; the answer, if it is refused here."""
        refusal = self._messages.take(text)
        assert self._process.stdin is not None
        with suppress(ConnectionError):
            await self._process.stdin.drain()
        return refusal

    def _write(self, message: Any) -> None:
        raw = json.dumps(message).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(raw), raw))

    async def pass_on(self, send: Send) -> None:
        """Send the page all messages of the language server, until it ends."""
        async for message in self._messages_sent():
            await send(self._messages.text_for_page(message))

    async def _messages_sent(self) -> AsyncIterator[Any]:
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
