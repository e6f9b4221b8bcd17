"""Inlay hints: the words of citations."""

from __future__ import annotations

from lsprotocol import types

import rulewright as rw
from rulewright_tools.lsp.editor_workspace import EditorWorkspace
from rulewright_tools.lsp.positions import lines_of, utf16_offset
from rulewright_tools.lsp.requests import file_at
from rulewright_tools.lsp.server import RulewrightServer

LONGEST = 60
"""Characters of a statement that are shown behind its id."""


def add_inlay_hints(server: RulewrightServer) -> None:
    """Offer hints."""

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def on_inlay_hints(params: types.InlayHintParams) -> list[types.InlayHint] | None:
        return await server.ask(inlay_hints, params.text_document.uri, params.range)


def inlay_hints(editor: EditorWorkspace, uri: str, where: types.Range) -> list[types.InlayHint]:
    """The beginning of the cited statement behind each line that cites only one."""
    found = file_at(editor, uri)
    if found is None:
        return []
    index, file = found
    lines = lines_of(file.text)
    cites: dict[int, list[rw.navigation.Token]] = {}
    for token in file.words.trivia:
        if token.type == "CITE" and where.start.line <= token.line - 1 <= where.end.line:
            cites.setdefault(token.line, []).append(token)
    made = []
    for row, tokens in cites.items():
        statement = index.ruleset.statements.get(tokens[0].value.removeprefix("@"))
        if len(tokens) == 1 and statement is not None:
            at = types.Position(row - 1, utf16_offset(lines[row - 1], len(lines[row - 1]) + 1))
            made.append(types.InlayHint(at, _clipped(statement.statement), padding_left=True))
    return made


def _clipped(text: str) -> str:
    text = rw.characters.printable(text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1].rstrip()}…"
