"""The standard input as a stream of messages that can be given up."""

from __future__ import annotations

import os
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import BinaryIO

MOST = 1 << 28
"""Bytes that a message may have: a larger number is a mistake, and would be waited for without end."""
_LENGTH = re.compile(rb"content-length:[ \t]*(\d{1,12})[ \t]*\r?\n", re.IGNORECASE)
_HEADERS = 1 << 12
"""Bytes that the headers of a message may have."""


class Frames:
    """Takes bytes as they come, and gives whole messages, each with one header. What stands between is passed over."""

    def __init__(self) -> None:
        self._held = b""

    def feed(self, sent: bytes) -> Iterator[bytes]:
        """The messages that are whole now."""
        self._held += sent
        while (found := self._next()) is not None:
            yield b"Content-Length: %d\r\n\r\n%b" % (len(found), found)

    def _next(self) -> bytes | None:
        while (header := _LENGTH.search(self._held)) is not None:
            size = int(header[1])
            end = re.compile(rb"\r?\n\r?\n").search(self._held, header.end() - 2, header.end() + _HEADERS)
            if end is None and len(self._held) < header.end() + _HEADERS:
                return None
            if end is None or size > MOST:
                self._held = self._held[header.end() :]
                continue
            if len(self._held) < end.end() + size:
                return None
            body = self._held[end.end() : end.end() + size]
            self._held = self._held[end.end() + size :]
            return body
        # The beginning of a header may be the end of what has come so far.
        self._held = self._held[-_HEADERS:]
        return None


_AT_ONCE = 65_536


class StandardInput:
    """Passes on what an editor sends, through a pair of sockets.

    A thread that waits for the standard input itself cannot be woken, and the process would not end on Ctrl-C before
    the editor sends something. One that waits for a socket can.
    """

    def __init__(self, handle: int) -> None:
        self._near, self._far = socket.socketpair()
        self.stream: BinaryIO = self._near.makefile("rb")
        threading.Thread(target=self._pass_on, args=(handle,), daemon=True, name="standard input").start()

    def _pass_on(self, handle: int) -> None:
        with suppress(OSError):
            frames = Frames()
            while sent := os.read(handle, _AT_ONCE):
                for message in frames.feed(sent):
                    self._far.sendall(message)
            self._far.shutdown(socket.SHUT_WR)

    def give_up(self) -> None:
        """Close the stream for its reader."""
        with suppress(OSError):
            self._near.shutdown(socket.SHUT_RDWR)
