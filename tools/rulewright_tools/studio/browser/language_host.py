"""The language server inside a browser: that which editors start, in a worker that hands it texts and is called back.

It has a worker of its own, so that typing does not wait for the game, nor the game for a check.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from lsprotocol import types

from rulewright_tools.lsp.capabilities import create_server
from rulewright_tools.lsp.message_channel import MessageChannel
from rulewright_tools.studio.browser.exported_files import OwnFiles, exported_catalogue
from rulewright_tools.studio.host.language.document_names import DocumentNames
from rulewright_tools.studio.host.language.language_messages import LanguageMessages


class LanguageHost:
    """A language server for the rulesets of an export. `files` are the player's own as they are kept, and `send` is
    called with each text for the page."""

    def __init__(self, folder: str, files: str, send: Callable[[str], object]) -> None:
        self._files = OwnFiles(folder, json.loads(files))
        self._catalogue = exported_catalogue(folder, self._files)
        self._send = send
        self._channel = MessageChannel(create_server(), self._send_message)
        self._messages = LanguageMessages(DocumentNames(self._catalogue), self._channel.take)

    def take(self, text: str) -> None:
        """Take a text of the page."""
        refusal = self._messages.take(text)
        if refusal is not None:
            self._send(refusal)

    def put_file(self, name: str, text: str) -> None:
        """Take over a file that the game's worker or another window has written, perhaps a new one."""
        path = self._files.put(name, text)
        if path is None:
            return
        if path.stem not in self._catalogue.names:
            self._catalogue.add(path.stem, path)
        changes = [{"uri": path.absolute().as_uri(), "type": types.FileChangeType.Changed.value}]
        notice = {"method": types.WORKSPACE_DID_CHANGE_WATCHED_FILES, "params": {"changes": changes}}
        self._channel.take({"jsonrpc": "2.0", **notice})

    def _send_message(self, text: str) -> None:
        self._send(self._messages.text_for_page(json.loads(text)))
