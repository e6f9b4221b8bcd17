"""New names for things, in the rules, their overlays and scenarios at once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from lsprotocol import types
from pygls.exceptions import JsonRpcException

import rulewright as rw
from rulewright_tools.lsp.editing.text_edits import changed_texts, new_finding, workspace_edit
from rulewright_tools.lsp.editor_workspace import EditorWorkspace
from rulewright_tools.lsp.positions import range_of
from rulewright_tools.lsp.requests import request_position
from rulewright_tools.lsp.server import RulewrightServer


def add_rename(server: RulewrightServer) -> None:
    """Offer new names."""

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    async def on_prepare(params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        try:
            return await server.ask(prepare_rename, params.text_document.uri, params.position)
        except rw.navigation.RenameError as error:
            raise refusal(error) from None

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def on_rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        try:
            return await server.work(
                rename, params.text_document.uri, params.position, params.new_name, server.publisher.folders
            )
        except rw.navigation.RenameError as error:
            raise refusal(error) from None


def refusal(error: rw.navigation.RenameError) -> JsonRpcException:
    """The reason, as editors show it."""
    return JsonRpcException(str(error), code=types.LSPErrorCodes.RequestFailed)


def prepare_rename(
    editor: EditorWorkspace, uri: str, position: types.Position
) -> types.PrepareRenamePlaceholder | None:
    """The name at a position, if it can be changed."""
    place = request_position(editor, uri, position)
    if place is None:
        return None
    symbol, span = rw.navigation.renamable(place.index, place.file, place.line, place.column)
    return types.PrepareRenamePlaceholder(range_of(span, place.lines), symbol.name)


def rename(
    editor: EditorWorkspace, uri: str, position: types.Position, new: str, folders: list[str]
) -> types.WorkspaceEdit | None:
    """The edits for a new name, in all known rulesets in which the thing is declared."""
    place = request_position(editor, uri, position)
    if place is None:
        return None
    symbol, _ = rw.navigation.renamable(place.index, place.file, place.line, place.column)
    homes = {os.path.abspath(one.file) for one in place.index.names_of(symbol)}
    indices = {str(place.index.ruleset.folder): place.index}
    for index in _indices(editor, folders):
        if homes & index.files.keys():
            indices.setdefault(os.path.abspath(index.ruleset.folder), index)
    edits = rw.navigation.rename(indices.values(), symbol, new)
    texts = changed_texts(editor, edits)
    finding = new_finding(editor, indices, texts)
    if finding is not None:
        raise rw.navigation.RenameError(f"then {finding.message} ({finding.code})")
    return workspace_edit(editor, texts)


def _indices(editor: EditorWorkspace, folders: Iterable[str]) -> Iterator[rw.navigation.SymbolIndex]:
    for folder in folders:
        try:
            yield editor.index(folder)
        except rw.RulesetError:
            continue
