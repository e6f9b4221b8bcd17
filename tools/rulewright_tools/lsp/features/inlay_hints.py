"""Inlay hints: the words of citations, values by player count, and what changes take the place of."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

import rulewright as rw
from rulewright_tools.lsp.editor_workspace import EditorWorkspace
from rulewright_tools.lsp.positions import lines_of, utf16_offset
from rulewright_tools.lsp.requests import file_at
from rulewright_tools.lsp.server import RulewrightServer

LONGEST = 60
"""Characters of a hint."""


def add_inlay_hints(server: RulewrightServer) -> None:
    """Offer hints."""

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def on_inlay_hints(params: types.InlayHintParams) -> list[types.InlayHint] | None:
        return await server.query(inlay_hints, params.text_document.uri, params.range)


def inlay_hints(editor: EditorWorkspace, uri: str, where: types.Range) -> list[types.InlayHint]:
    """Hints in some lines of a file: the beginning of the cited statement behind a line that cites only one, the values
    of a parameter that differ by player count behind its name, and behind a change what it takes the place of."""
    found = file_at(editor, uri)
    if found is None:
        return []
    index, file = found
    lines = lines_of(file.text)
    rows = range(where.start.line + 1, where.end.line + 2)
    made = [*_of_citations(index, file, rows), *_of_parameters(index, file, rows), *_of_changes(index, file, rows)]
    hints = []
    for row, column, text in sorted(made):
        if row <= len(lines):
            behind = types.Position(row - 1, utf16_offset(lines[row - 1], column or len(lines[row - 1]) + 1))
            hints.append(types.InlayHint(behind, _clipped(text), padding_left=True))
    return hints


Hints = Iterator[tuple[int, int, str]]
"""Line, column (0 is the end of the line), and text."""


def _of_citations(index: rw.navigation.SymbolIndex, file: rw.navigation.FileSymbols, rows: range) -> Hints:
    cites: dict[int, list[rw.navigation.Token]] = {}
    for token in file.words.trivia:
        if token.type == "CITE" and token.line in rows:
            cites.setdefault(token.line, []).append(token)
    for row, tokens in cites.items():
        statement = index.ruleset.statements.get(tokens[0].value.removeprefix("@"))
        if len(tokens) == 1 and statement is not None:
            yield row, 0, statement.statement


def _of_parameters(index: rw.navigation.SymbolIndex, file: rw.navigation.FileSymbols, rows: range) -> Hints:
    for name, one in index.parameters_by_count.items():
        values = rw.navigation.values_for_counts(index, one)
        text = ", ".join(f"{value} with {count}" for count, value in values.items())
        for token in file.by_text.get(name, ()):
            used = token.line in rows and (token.line, token.column) not in file.declared_at
            used = used and not file.in_path(token.line, token.column)
            if used and any(symbol.kind == "declaration" for symbol in index.resolve(file, token)):
                yield token.line, token.end_column, f"= {text}"


def _of_changes(index: rw.navigation.SymbolIndex, file: rw.navigation.FileSymbols, rows: range) -> Hints:
    for change in rw.navigation.changes(index):
        if change.span.file == file.path and change.span.line in rows:
            text = rw.navigation.replaced_by(index, change.op)
            if text:
                yield change.span.line, 0, f"instead of: {text}"


def _clipped(text: str) -> str:
    text = rw.characters.printable(text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1].rstrip()}…"
