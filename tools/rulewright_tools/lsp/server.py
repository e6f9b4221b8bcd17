"""The server: the texts that an editor holds, and the two threads that work on them while it answers."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

import rulewright as rw
from rulewright_tools import signals
from rulewright_tools.lsp.diagnostics import Publisher
from rulewright_tools.lsp.dynamic_registration import formats, watching
from rulewright_tools.lsp.editor_workspace import EditorWorkspace
from rulewright_tools.lsp.positions import path_of
from rulewright_tools.lsp.protocol import AnsweringProtocol
from rulewright_tools.lsp.standard_input import StandardInput

P = ParamSpec("P")
T = TypeVar("T")


class RulewrightServer(LanguageServer):
    """A language server for rulesets.

    Checks take their time, so they have a thread of their own; what people wait for is answered by another one, and a
    third one looks for the first errors, of a text that has changed while another one is checked, too.
    """

    def __init__(self) -> None:
        # Whole texts, not changes of lines: what ends a line differs between editors.
        super().__init__("rulewright", rw.__version__, types.TextDocumentSyncKind.Full, protocol_cls=AnsweringProtocol)
        self.checking = EditorWorkspace(Path.cwd(), "checking")
        self.reading = EditorWorkspace(Path.cwd(), "reading")
        # In a browser there are no threads, and nothing is looked at meanwhile.
        self.looking = self.checking if sys.platform == "emscripten" else EditorWorkspace(Path.cwd(), "looking")
        self.publisher = Publisher(self)
        self.input: StandardInput | None = None
        """The stream of an editor, while it is served."""
        self.waiting = 0
        """Questions that are not answered yet."""

    def snapshot(self) -> tuple[dict[str, str], dict[str, int]]:
        """The texts that the editor holds, by their paths, and their versions, by their URIs."""
        documents = self.workspace.text_documents
        texts = {str(path): d.source for uri, d in documents.items() if (path := path_of(uri)) is not None}
        return texts, {uri: d.version for uri, d in documents.items() if d.version is not None}

    def home(self, path: Path) -> Path | None:
        """The folder of the ruleset to which a file belongs, if it is there."""
        return self.checking.workspace.ruleset_of(path)

    async def query(
        self, what: Callable[Concatenate[EditorWorkspace, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T | None:
        """Query the texts as they are now; None if the ruleset cannot be used at all."""
        return await self._query(self.reading, lambda editor: what(editor, *args, **kwargs))

    async def work(
        self, what: Callable[Concatenate[EditorWorkspace, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T | None:
        """Run a query that needs checks, and takes as long as they do."""
        return await self._query(self.checking, lambda editor: what(editor, *args, **kwargs))

    async def _query(self, editor: EditorWorkspace, what: Callable[[EditorWorkspace], T]) -> T | None:
        texts, _ = self.snapshot()
        self.waiting += 1

        def answer() -> T | None:
            editor.update(texts)
            try:
                with editor.workspace.reading():
                    return what(editor)
            except rw.RulesetError:
                return None

        try:
            return await asyncio.get_running_loop().run_in_executor(editor.thread, answer)
        finally:
            self.waiting -= 1

    def log(self, message: str) -> None:
        """Write a message to the log of the server."""
        self.window_log_message(types.LogMessageParams(types.MessageType.Warning, message))

    def report_server_error(self, error: Exception, source: object) -> None:
        """Note a message that cannot be understood, without showing it: the editor's user can do nothing about it."""
        self.log(f"{type(error).__name__}: {error}")

    def shutdown(self) -> None:
        """End what pygls has begun; it waits for the thread that reads."""
        if self.input is not None:
            self.input.give_up()
        super().shutdown()  # type: ignore[no-untyped-call]

    def close(self) -> None:
        """End the threads."""
        for editor in (self.checking, self.reading, self.looking):
            editor.close()


def follow_documents(server: RulewrightServer) -> None:
    """Check what is opened, changed, and found in the folders of the editor."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        _changed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        _changed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        _changed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: types.DidSaveTextDocumentParams) -> None:
        _changed(params.text_document.uri)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_files(params: types.DidChangeWatchedFilesParams) -> None:
        for change in params.changes:
            _changed(change.uri)

    @server.feature(types.INITIALIZED)
    async def initialized(params: types.InitializedParams) -> None:
        folders = [path for uri in server.workspace.folders if (path := path_of(uri)) is not None]
        await _register(server)
        loop = asyncio.get_running_loop()
        with suppress(asyncio.CancelledError):  # the editor has left meanwhile
            for folder in folders:
                server.publisher.check(*await loop.run_in_executor(server.checking.thread, _rulesets, folder))

    def _changed(uri: str) -> None:
        path = path_of(uri)
        if path is not None:
            server.publisher.changed(path)


def _rulesets(folder: Path) -> list[Path]:
    """The rulesets in a folder of the editor."""
    return [Path(os.path.abspath(path)) for path in rw.Workspace(folder).rulesets()]


async def _register(server: RulewrightServer) -> None:
    """Send the editor the registrations and settings that are not part of the initial capabilities."""
    client = server.client_capabilities
    registrations = [*watching(client), *formats(client)]
    if registrations:
        # An editor may refuse, or end before it has answered; it is served without.
        with suppress(JsonRpcException, asyncio.CancelledError):
            await server.client_register_capability_async(types.RegistrationParams(registrations))


def serve(server: RulewrightServer) -> None:
    """Serve an editor over the standard streams until it has enough."""
    logging.basicConfig(stream=sys.stderr, level=logging.CRITICAL)
    # The protocol has the streams for itself: whatever else is printed would be taken for a message.
    with open(os.dup(1), "wb") as stdout, redirect_stdout(sys.stderr):
        try:
            server.input = StandardInput(0)
            with signals.handled_by(server.input.give_up):
                server.start_io(server.input.stream, stdout)
        finally:
            server.close()
