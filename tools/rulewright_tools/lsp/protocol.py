"""The protocol as pygls speaks it; a request that cannot be understood is answered, too."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import JsonRPCNotification, LanguageServerProtocol, lsp_method

from rulewright_tools.lsp.dynamic_registration import formats, without


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

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """The capabilities that hold for all files."""
        result = yield from super().lsp_initialize(params)
        without(result.capabilities, formats(params.capabilities))
        return result
