"""Help for the word at the pointer."""

from __future__ import annotations

from lsprotocol import types

import rulewright as rw
from rulewright_tools.lsp.editor_workspace import EditorWorkspace
from rulewright_tools.lsp.positions import range_of
from rulewright_tools.lsp.requests import request_position
from rulewright_tools.lsp.server import RulewrightServer


def add_hover(server: RulewrightServer) -> None:
    """Offer help."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def on_hover(params: types.HoverParams) -> types.Hover | None:
        return await server.query(hover, params.text_document.uri, params.position)


def hover(editor: EditorWorkspace, uri: str, position: types.Position) -> types.Hover | None:
    """The explanation of the word at a position."""
    place = request_position(editor, uri, position)
    token = place.file.words.at(place.line, place.column) if place is not None else None
    if place is None or token is None:
        return None
    texts = [rw.navigation.explain_symbol(place.index, symbol) for symbol in place.symbols]
    text = "\n\n---\n\n".join(text for text in texts if text)
    text = text or rw.navigation.explain_word(token, *place.file.words.clause(token))
    if not text:
        return None
    span = rw.Span(place.file.path, token.line, token.column, token.line, token.end_column)
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), range_of(span, place.lines))
