"""Completion at the cursor."""

from __future__ import annotations

from lsprotocol import types

import rulewright as rw
from rulewright_tools.lsp.editor_workspace import EditorWorkspace
from rulewright_tools.lsp.positions import range_of
from rulewright_tools.lsp.requests import request_position
from rulewright_tools.lsp.server import RulewrightServer

_KINDS = {
    "word": types.CompletionItemKind.Keyword,
    "snippet": types.CompletionItemKind.Snippet,
    "statement": types.CompletionItemKind.Reference,
    "function": types.CompletionItemKind.Function,
    "query": types.CompletionItemKind.Function,
    "value": types.CompletionItemKind.EnumMember,
    "side": types.CompletionItemKind.EnumMember,
    "face": types.CompletionItemKind.EnumMember,
    "enum": types.CompletionItemKind.Enum,
    "piece": types.CompletionItemKind.Class,
    "place": types.CompletionItemKind.Class,
    "type": types.CompletionItemKind.Class,
    "attribute": types.CompletionItemKind.Property,
    "zone": types.CompletionItemKind.Field,
    "field": types.CompletionItemKind.Field,
    "param": types.CompletionItemKind.Constant,
    "parameter": types.CompletionItemKind.Constant,
    "effect": types.CompletionItemKind.Method,
    "procedure": types.CompletionItemKind.Method,
    "variant": types.CompletionItemKind.Module,
    "scenario": types.CompletionItemKind.Event,
}
_LAST = {"word": 3, "snippet": 4}
_FIRST = ("member", "choice", "let", "var", "draw", "param", "player", "attribute", "statement")
"""Kinds that are offered before everything else: they are near."""


def add_completion(server: RulewrightServer) -> None:
    """Offer completions."""

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[".", "@", '"', "{"]))
    async def on_completion(params: types.CompletionParams) -> list[types.CompletionItem] | None:
        return await server.query(completions, params.text_document.uri, params.position, _takes_snippets(server))


def _takes_snippets(server: RulewrightServer) -> bool:
    """True if the editor knows places to fill in."""
    document = server.client_capabilities.text_document
    item = document.completion.completion_item if document and document.completion else None
    return bool(item and item.snippet_support)


def completions(
    editor: EditorWorkspace, uri: str, position: types.Position, with_snippets: bool
) -> list[types.CompletionItem]:
    """All that can be written at a position: what fits and what is near first, words of the language last."""
    place = request_position(editor, uri, position)
    if place is None:
        return []
    found = rw.navigation.complete(place.index, place.file, place.line, place.column)
    span = rw.Span(place.file.path, place.line, found.start, place.line, place.column)
    where = range_of(span, place.lines)
    return [_item(one, where) for one in found.candidates if with_snippets or not one.snippet]


def _item(one: rw.navigation.Candidate, where: types.Range) -> types.CompletionItem:
    rank = 0 if one.fits else 1 if one.kind in _FIRST else _LAST.get(one.kind, 2)
    return types.CompletionItem(
        one.text,
        kind=_KINDS.get(one.kind, types.CompletionItemKind.Variable),
        detail=one.detail or None,
        documentation=types.MarkupContent(types.MarkupKind.PlainText, one.about) if one.about else None,
        sort_text=f"{rank}{one.text}",
        insert_text_format=types.InsertTextFormat.Snippet if one.snippet else None,
        text_edit=types.TextEdit(where, one.snippet or one.text),
    )
