"""The protocol as pygls speaks it; each request is answered, one that cannot be understood or comes too soon, too."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcInvalidRequest, JsonRpcServerNotInitialized
from pygls.protocol import LanguageServerProtocol, lsp_method

from rulewright_tools.lsp.dynamic_registration import formats, without


class AnsweringProtocol(LanguageServerProtocol):
    """Answers each request: an editor would wait for ever, if its parameters are wrong."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """The data as they are: pygls asks for each object within a message, and takes some for messages."""
        return data

    def handle_message(self, message: Any) -> None:
        """Take a message, which is data of JSON."""
        is_request = isinstance(message, dict) and "method" in message and "id" in message
        number = message["id"] if is_request else None
        valid = isinstance(number, int | str) and not isinstance(number, bool)
        try:
            structured = self._structured(message, is_request, valid)
        except JsonRpcException as error:
            if not is_request:
                raise
            self._send_response(number if valid else None, error=error.to_response_error())  # type: ignore[arg-type]
        else:
            if structured is not None:
                super().handle_message(structured)

    def _structured(self, message: Any, is_request: bool, valid: bool) -> Any:
        """The message as an object; none for a notification too early, and an answer or an end to nothing."""
        if not isinstance(message, dict) or message.get("jsonrpc") != self.VERSION:
            raise JsonRpcInvalidRequest("not a message of JSON-RPC 2.0")
        method = message.get("method")
        if is_request:
            if not valid or not isinstance(method, str):
                raise JsonRpcInvalidRequest("`id` is a number or a string, `method` a string")
            if self._shutdown or (self._workspace is not None and method == types.INITIALIZE):
                raise JsonRpcInvalidRequest("the server is shutting down" if self._shutdown else "initialized before")
            if self._workspace is None and method != types.INITIALIZE:
                raise JsonRpcServerNotInitialized()
        elif method is None:
            # Requests of the editor and of the server have numbers of their own, which pygls keeps together.
            number = message.get("id")
            if not isinstance(number, int | str) or number not in self._result_types:
                return None
        elif (self._workspace is None and method != types.EXIT) or _cancels_nothing(message):
            return None
        try:
            return super().structure_message(message)
        except JsonRpcInternalError as error:
            raise JsonRpcInvalidRequest("not a message of the protocol") from error

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """The capabilities that hold for all files."""
        result = yield from super().lsp_initialize(params)
        without(result.capabilities, formats(params.capabilities))
        return result


def _cancels_nothing(message: dict[str, Any]) -> bool:
    """True if it is to cancel what cannot be a request; pygls looks among its requests for whatever it is given."""
    if message.get("method") != types.CANCEL_REQUEST:
        return False
    params = message.get("params")
    return not (isinstance(params, dict) and isinstance(params.get("id"), int | str))
