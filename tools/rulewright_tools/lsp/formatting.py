"""The standard format."""

from __future__ import annotations

from lsprotocol import types

import rulewright as rw
from rulewright_tools.lsp.editor_workspace import EditorWorkspace
from rulewright_tools.lsp.positions import path_of, whole_range
from rulewright_tools.lsp.server import RulewrightServer


def add_formatting(server: RulewrightServer) -> None:
    """Offer the standard format."""

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    async def on_formatting(params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
        return await server.ask(format_document, params.text_document.uri)


def format_document(editor: EditorWorkspace, uri: str) -> list[types.TextEdit]:
    """The edit that brings a file into the standard format; none if it is so already, or cannot be read."""
    path = path_of(uri)
    if path is None:
        return []
    text = editor.text(path)
    after = rw.format_text(text, str(path))
    return [] if after == text else [types.TextEdit(whole_range(editor.lines(path)), after)]
