"""The messages between an editor in a page and the language server: each names files in its own way."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from rulewright_tools.studio.host.language.document_names import DocumentNames
from rulewright_tools.studio.host.messages import Refused, text_of


class LanguageMessages:
    """Turns texts of a page into messages for the language server, and its messages into texts."""

    def __init__(self, names: DocumentNames, server: Callable[[Any], None]) -> None:
        self._names, self._server = names, server

    def take(self, text: str) -> str | None:
        """Give a message of the page to the server; the answer, if it is refused before."""
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            return None  # such a message expects no answer
        if not isinstance(message, dict):
            return None
        try:
            self._server(self._names.for_server(message))
        except (Refused, ValueError, RecursionError) as error:
            return _refusal(message.get("id"), str(error))
        return None

    def text_for_page(self, message: Any) -> str:
        """A message of the server as the page gets it."""
        return text_of(self._names.for_page(message))


def _refusal(id: object, message: str) -> str | None:
    if not isinstance(id, int | str):
        return None
    return json.dumps({"jsonrpc": "2.0", "id": id, "error": {"code": -32602, "message": message}})
