"""A way to a server that has no streams: it takes messages one by one, and passes its own to a listener."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pygls.exceptions import JsonRpcException

from rulewright_tools.lsp.server import RulewrightServer


class MessageChannel:
    """A server and its listener, in an event loop that runs already."""

    def __init__(self, server: RulewrightServer, listener: Callable[[str], None]) -> None:
        self._server = server
        server.protocol.set_writer(_Writer(listener), include_headers=False)

    def take(self, message: Any) -> None:
        """Take a message, which is data of JSON; one that cannot be understood is noted, as behind a stream."""
        try:
            self._server.protocol.handle_message(message)
        except Exception as error:
            self._server.report_server_error(error, JsonRpcException)

    def close(self) -> None:
        """End the threads of the server, where it has any."""
        self._server.close()


class _Writer:
    """A listener, as pygls writes to it: each write is one message."""

    def __init__(self, listener: Callable[[str], None]) -> None:
        self._listener = listener

    def close(self) -> None:
        """There is nothing to close."""

    def write(self, data: bytes) -> None:
        """Pass on a message."""
        self._listener(data.decode())
