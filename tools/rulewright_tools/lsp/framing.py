"""Messages in a stream of bytes, found again after whatever is none."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
