"""The protocol as pygls speaks it; a request that cannot be understood is answered, too."""

from __future__ import annotations

from typing import Any

from pygls.exceptions import JsonRpcException
from pygls.protocol import JsonRPCNotification, LanguageServerProtocol


class AnsweringProtocol(LanguageServerProtocol):
    """Answers each request: an editor would wait for ever, if its parameters are wrong."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """The message, or one that nobody listens to where an error was sent instead."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "method" not in data or not isinstance(data.get("id"), (int, str)):
                raise
            self._send_response(data["id"], error=error.to_response_error())
            return JsonRPCNotification(method="$/notUnderstood", jsonrpc=self.VERSION, params=None)
