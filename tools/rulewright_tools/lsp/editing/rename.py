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
from rulewright_tools.lsp.requests import RequestPosition, request_position
from rulewright_tools.lsp.server import RulewrightServer


def add_rename(server: RulewrightServer) -> None:
    """Offer new names."""

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    async def on_prepare(params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        try:
            return await server.query(prepare_rename, params.text_document.uri, params.position)
        except rw.navigation.RenameError as error:
            raise refusal(error) from None

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def on_rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        try:
            return await server.work(
                rename, params.text_document.uri, params.position, params.new_name, server.publisher.places
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
    _check_own(place, symbol)
    return types.PrepareRenamePlaceholder(range_of(span, place.lines), symbol.name)


def rename(
    editor: EditorWorkspace, uri: str, position: types.Position, new: str, places: list[str]
) -> types.WorkspaceEdit | None:
    """The edits for a new name, in all known rulesets in which the thing is declared."""
    place = request_position(editor, uri, position)
    if place is None:
        return None
    symbol, _ = rw.navigation.renamable(place.index, place.file, place.line, place.column)
    _check_own(place, symbol)
    homes = {os.path.abspath(one.file) for one in place.index.names_of(symbol)}
    indices = {str(place.place): place.index}
    for other, index in _indices(editor, places):
        if homes & index.files.keys():
            indices.setdefault(other, index)
    edits = rw.navigation.rename(indices.values(), symbol, new)
    if (lone := _lone(place)) is not None:
        _refuse_elsewhere(lone, (edit.span for edit in edits), f"`{symbol.name}` would change")
    texts = changed_texts(editor, edits)
    finding = new_finding(editor, indices, texts)
    if finding is not None:
        raise rw.navigation.RenameError(f"then {finding.message} ({finding.code})")
    return workspace_edit(editor, texts)


def _lone(place: RequestPosition) -> str | None:
    """The path of a file of variants that its ruleset does not know."""
    return str(place.place) if place.place.suffix == ".rules" else None


def _check_own(place: RequestPosition, symbol: rw.navigation.Symbol) -> None:
    """From a file of variants that its ruleset does not know, no name of this ruleset is changed: others use it, and
    its files need not even be those of the editor."""
    if (lone := _lone(place)) is not None:
        title = place.index.ruleset.title
        _refuse_elsewhere(lone, place.index.names_of(symbol), f"`{symbol.name}` is a name of {title}; rename it")


def _refuse_elsewhere(lone: str, spans: Iterable[rw.Span], what: str) -> None:
    for span in spans:
        if os.path.abspath(span.file) != lone:
            raise rw.navigation.RenameError(f"{what} at {span.file}:{span.line}")


def _indices(editor: EditorWorkspace, places: Iterable[str]) -> Iterator[tuple[str, rw.navigation.SymbolIndex]]:
    for place in places:
        try:
            yield place, editor.index(place)
        except rw.RulesetError:
            continue
