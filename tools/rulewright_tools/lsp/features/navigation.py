"""Definitions, definitions of types, references and highlights."""

from __future__ import annotations

from lsprotocol import types

import rulewright as rw
from rulewright_tools.lsp.editor_workspace import EditorWorkspace
from rulewright_tools.lsp.positions import range_of
from rulewright_tools.lsp.requests import request_position
from rulewright_tools.lsp.server import RulewrightServer


def add_navigation(server: RulewrightServer) -> None:
    """Offer ways through the rules."""

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def on_definition(params: types.DefinitionParams) -> list[types.Location] | None:
        return await server.query(definitions, params.text_document.uri, params.position)

    @server.feature(types.TEXT_DOCUMENT_TYPE_DEFINITION)
    async def on_type_definition(params: types.TypeDefinitionParams) -> list[types.Location] | None:
        return await server.query(type_definitions, params.text_document.uri, params.position)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def on_references(params: types.ReferenceParams) -> list[types.Location] | None:
        declared = params.context.include_declaration
        return await server.query(references, params.text_document.uri, params.position, declared)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def on_highlight(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight] | None:
        return await server.query(highlights, params.text_document.uri, params.position)


def definitions(editor: EditorWorkspace, uri: str, position: types.Position) -> list[types.Location]:
    """The places where the word at a position is declared."""
    place = request_position(editor, uri, position)
    if place is None:
        return []
    spans = [span for symbol in place.symbols for span in place.index.names_of(symbol)]
    return [place.location(span) for span in dict.fromkeys(spans)]


def type_definitions(editor: EditorWorkspace, uri: str, position: types.Position) -> list[types.Location]:
    """The places where the type of the thing at a position is declared."""
    place = request_position(editor, uri, position)
    if place is None:
        return []
    inference = rw.navigation.TypeInference(place.index)
    names = dict.fromkeys(rw.navigation.name_of_type(inference.of_symbol(symbol)) for symbol in place.symbols)
    spans = [span for name in names for span in place.index.names_of(rw.navigation.Symbol("declaration", name))]
    return [place.location(span) for span in dict.fromkeys(spans)]


def references(editor: EditorWorkspace, uri: str, position: types.Position, declared: bool) -> list[types.Location]:
    """All places that name the thing at a position."""
    place = request_position(editor, uri, position)
    if place is None:
        return []
    found = dict.fromkeys(span for symbol in place.symbols for span in place.index.references(symbol))
    if not declared:
        names = {span for symbol in place.symbols for span in place.index.names_of(symbol)}
        found = dict.fromkeys(span for span in found if span not in names)
    return [place.location(span) for span in found]


def highlights(editor: EditorWorkspace, uri: str, position: types.Position) -> list[types.DocumentHighlight]:
    """The occurrences of a name in the same file."""
    place = request_position(editor, uri, position)
    if place is None:
        return []
    found = dict.fromkeys(s for symbol in place.symbols for s in place.index.references(symbol, place.file.path))
    return [types.DocumentHighlight(range_of(span, place.lines)) for span in found]
