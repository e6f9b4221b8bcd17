"""Semantic tokens: the kind of each word, for colours."""

from __future__ import annotations

from lsprotocol import types

import rulewright as rw
from rulewright_tools.lsp.editor_workspace import EditorWorkspace
from rulewright_tools.lsp.positions import lines_of, utf16_offset
from rulewright_tools.lsp.requests import file_at
from rulewright_tools.lsp.server import RulewrightServer

TOKENS = [
    "keyword", "class", "enumMember", "property", "function", "variable", "parameter", "label", "string", "number",
    "comment", "operator", "decorator",
]  # fmt: skip
MODIFIERS = ["declaration", "readonly"]
_OF_KIND = {
    "label": "label",
    "value": "enumMember",
    "attribute": "property",
    "player": "parameter",
    "local": "variable",
}
_OF_WORD = {
    "query": "function",
    "value": "function",
    "effect": "function",
    "procedure": "function",
    "limits": "function",
    "reaction": "function",
    "consequence": "function",
    "end": "function",
    "param": "parameter",
}


def add_semantic_tokens(server: RulewrightServer) -> None:
    """Offer colours."""

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, types.SemanticTokensLegend(TOKENS, MODIFIERS))
    async def on_semantic_tokens(params: types.SemanticTokensParams) -> types.SemanticTokens | None:
        return await server.query(semantic_tokens, params.text_document.uri)


def semantic_tokens(editor: EditorWorkspace, uri: str) -> types.SemanticTokens | None:
    """The kind of each word of a file, as the protocol packs them."""
    found = file_at(editor, uri)
    if found is None:
        return None
    index, file = found
    lines = lines_of(file.text)
    names = {(d.name.line, d.name.column) for d in file.declared}
    data: list[int] = []
    row = start = 0
    for token in file.words.tokens:
        kind = _colour(index, file, token)
        if kind is None:
            continue
        line = lines[token.line - 1]
        begin, end = utf16_offset(line, token.column), utf16_offset(line, token.end_column)
        below = token.line - 1 - row
        declares = (token.line, token.column) in names
        data += [below, begin if below else begin - start, end - begin, TOKENS.index(kind), int(declares)]
        row, start = token.line - 1, begin
    return types.SemanticTokens(data)


def _colour(
    index: rw.navigation.SymbolIndex, file: rw.navigation.FileSymbols, token: rw.navigation.Token
) -> str | None:
    match token.type:
        case "COMMENT":
            return "comment"
        case "CITE":
            return "decorator"
        case "STRING":
            return "string"
        case "INT":
            return "number"
        case "TYPE":
            return "class"
        case "NAME":
            symbols = index.resolve(file, token)
            if not symbols:
                return "variable"
            places = index.declarations.get(symbols[0])
            word = places[0].word if places else ""
            if symbols[0].kind == "declaration":
                return _OF_WORD.get(word, "class" if word in ("area", "merged") else "variable")
            return "parameter" if word == "param" else _OF_KIND.get(symbols[0].kind, "variable")
        case _:
            return "keyword" if token.value[:1].isalpha() else None
