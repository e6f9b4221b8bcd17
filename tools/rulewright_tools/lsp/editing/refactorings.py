"""Refactorings at a position: offered at once, and computed and checked only when one is chosen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

import rulewright as rw
from rulewright_tools.lsp.editing.text_edits import changed_texts, new_finding, workspace_edit
from rulewright_tools.lsp.editor_workspace import EditorWorkspace
from rulewright_tools.lsp.positions import position_in
from rulewright_tools.lsp.requests import index_of

EXTRACT, OTHER = types.CodeActionKind.RefactorExtract, types.CodeActionKind.Refactor
Offered = tuple[types.CodeActionKind, rw.navigation.Proposal]


def refactorings(editor: EditorWorkspace, uri: str, where: types.Range) -> Iterator[types.CodeAction]:
    """The refactorings for a selection, without their edits."""
    for kind, proposal in _proposals(editor, uri, where):
        data = {"title": proposal.title, "uri": uri, "lines": [where.start.line, where.end.line]}
        data["characters"] = [where.start.character, where.end.character]
        yield types.CodeAction(proposal.title, kind, data=data)


def resolved(editor: EditorWorkspace, data: dict[str, Any]) -> types.WorkspaceEdit:
    """The edits of a refactoring; an error with the reason if something would be found that is not found now."""
    (first, last), (start, end) = data["lines"], data["characters"]
    where = types.Range(types.Position(first, start), types.Position(last, end))
    found = index_of(editor, data["uri"])
    for _, proposal in _proposals(editor, data["uri"], where):
        if proposal.title == data["title"] and found is not None:
            texts = changed_texts(editor, proposal.edits)
            finding = new_finding(editor, [str(found[0].ruleset.folder)], texts)
            if finding is not None:
                raise JsonRpcException(f"then {finding.message} ({finding.code})", types.LSPErrorCodes.RequestFailed)
            return workspace_edit(editor, texts)
    raise JsonRpcException("the text has changed since this was offered", types.LSPErrorCodes.ContentModified)


def _proposals(editor: EditorWorkspace, uri: str, where: types.Range) -> Iterator[Offered]:
    found = index_of(editor, uri)
    if found is None:
        return
    index, path = found
    if editor.workspace.ruleset_of(path) is None:
        return  # variants of a ruleset that does not know them: nothing is written into its files
    file = index.files.get(str(path))
    lines = editor.lines(path)
    start, end = position_in(where.start, lines), position_in(where.end, lines)
    if file is None:
        yield from _of_rulebook(index, str(path), start[0])
        return
    selected = rw.Span(file.path, *start, *end)
    query = rw.navigation.extract_query(index, file, selected)
    if query is not None:
        yield EXTRACT, query
    parameter = rw.navigation.make_parameter(index, file, *start)
    if parameter is not None:
        yield EXTRACT, parameter
    around = index.enclosing_declaration(rw.Span(file.path, *start, *start))
    scenario = rw.navigation.new_scenario(index, around) if around is not None else None
    if scenario is not None:
        yield OTHER, scenario
    if start == end:
        yield from ((OTHER, citation) for citation in rw.navigation.cite_here(index, file, *start))


def _of_rulebook(index: rw.navigation.SymbolIndex, path: str, line: int) -> Iterator[Offered]:
    """Citations of the statement on a line of a rulebook."""
    for id in index.statements_at(path, line):
        yield from ((OTHER, citation) for citation in rw.navigation.cite_statement(index, id))
