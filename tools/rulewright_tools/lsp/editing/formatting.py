"""The standard format, of a file or of some of its lines, and the indentation of a line that is just being begun."""

from __future__ import annotations

from lsprotocol import types

import rulewright as rw
from rulewright_tools.lsp.dynamic_registration import TYPED
from rulewright_tools.lsp.editing.text_edits import line_edits
from rulewright_tools.lsp.editor_workspace import EditorWorkspace
from rulewright_tools.lsp.positions import lines_of, path_of
from rulewright_tools.lsp.server import RulewrightServer


def add_formatting(server: RulewrightServer) -> None:
    """Offer the standard format."""

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    async def on_formatting(params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
        return await server.query(format_document, params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_RANGE_FORMATTING)
    async def on_range_formatting(params: types.DocumentRangeFormattingParams) -> list[types.TextEdit] | None:
        return await server.query(format_range, params.text_document.uri, params.range)

    @server.feature(types.TEXT_DOCUMENT_ON_TYPE_FORMATTING, types.DocumentOnTypeFormattingOptions(*TYPED))
    async def on_typing(params: types.DocumentOnTypeFormattingParams) -> list[types.TextEdit] | None:
        return await server.query(indent, params.text_document.uri, params.position, params.ch)


def format_document(editor: EditorWorkspace, uri: str) -> list[types.TextEdit]:
    """The edits that bring a rules file into the standard format; none if it is so already, or cannot be read."""
    path = path_of(uri)
    if path is None or path.suffix != ".rules":
        return []
    text = editor.text(path)
    return list(line_edits(lines_of(text), lines_of(rw.format_text(text, str(path)))))


def format_range(editor: EditorWorkspace, uri: str, where: types.Range) -> list[types.TextEdit]:
    """The edits for the declarations that a range touches: each of them is formatted by itself."""
    path = path_of(uri)
    if path is None or path.suffix != ".rules":
        return []
    before = editor.lines(path)
    after = lines_of(rw.format_text(editor.text(path), str(path)))
    last = where.end.line - (where.end.character == 0 and where.end.line > where.start.line)
    first, behind = _declarations(before, where.start.line, last)
    edits = line_edits(before, after)
    return [e for e in edits if e.range.start.line < behind and e.range.end.line >= first]


def _declarations(lines: list[str], first: int, last: int) -> tuple[int, int]:
    """The lines, from 0, of the declarations to which some lines belong, and the one behind them."""
    starts = [n for n, line in enumerate(lines) if line[:1].strip() and line[0] not in "#@"]
    return max((n for n in starts if n <= first), default=0), min((n for n in starts if n > last), default=len(lines))


def indent(editor: EditorWorkspace, uri: str, position: types.Position, typed: str) -> list[types.TextEdit]:
    """The edit that indents a new line, or an `else` or `then` that stands alone in its line."""
    path = path_of(uri)
    if path is None or path.suffix != ".rules":
        return []
    lines, row = editor.lines(path), position.line
    if row >= len(lines):
        return []
    find = rw.navigation.indent_of_new_line if typed == "\n" else rw.navigation.indent_of_word
    columns = find("\n".join(lines), row + 1)
    found = len(lines[row]) - len(lines[row].lstrip())
    if columns is None or lines[row][:found] == " " * columns:
        return []
    return [types.TextEdit(types.Range(types.Position(row, 0), types.Position(row, found)), " " * columns)]
