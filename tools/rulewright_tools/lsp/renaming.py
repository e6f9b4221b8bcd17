"""New names for things, in the rules, their overlays and scenarios at once."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator

from lsprotocol import types
from pygls.exceptions import JsonRpcException

import rulewright as rw
from rulewright_tools.lsp.asking import place_at
from rulewright_tools.lsp.edits import workspace_edit
from rulewright_tools.lsp.library import Library
from rulewright_tools.lsp.positions import range_of
from rulewright_tools.lsp.server import RulewrightServer


def add_renaming(server: RulewrightServer) -> None:
    """Offer new names."""

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare(params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        try:
            return await server.ask(prepared, params.text_document.uri, params.position)
        except rw.navigation.RenameError as error:
            raise refusal(error) from None

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        try:
            return await server.ask(
                renamed, params.text_document.uri, params.position, params.new_name, server.publisher.folders
            )
        except rw.navigation.RenameError as error:
            raise refusal(error) from None


def refusal(error: rw.navigation.RenameError) -> JsonRpcException:
    """The reason, as editors show it."""
    return JsonRpcException(str(error), code=types.LSPErrorCodes.RequestFailed)


def prepared(library: Library, uri: str, position: types.Position) -> types.PrepareRenamePlaceholder | None:
    """The name at a position, if it can be changed."""
    place = place_at(library, uri, position)
    if place is None:
        return None
    symbol, span = rw.navigation.renamable(place.index, place.file, place.line, place.column)
    return types.PrepareRenamePlaceholder(range_of(span, place.lines), symbol.name)


def renamed(
    library: Library, uri: str, position: types.Position, new: str, folders: list[str]
) -> types.WorkspaceEdit | None:
    """The edits for a new name, in all known rulesets in which the thing is declared."""
    place = place_at(library, uri, position)
    if place is None:
        return None
    symbol, _ = rw.navigation.renamable(place.index, place.file, place.line, place.column)
    homes = {os.path.abspath(one.file) for one in place.index.declared(symbol)}
    indices = {str(place.index.ruleset.folder): place.index}
    for index in _indices(library, folders):
        if homes & index.files.keys():
            indices.setdefault(os.path.abspath(index.ruleset.folder), index)
    edits = rw.navigation.rename(indices.values(), symbol, new)
    _prove(library, indices, edits)
    return workspace_edit(library, edits)


def _indices(library: Library, folders: Iterable[str]) -> Iterator[rw.navigation.SymbolIndex]:
    for folder in folders:
        try:
            yield library.navigator.index(library.workspace.ruleset(folder))
        except rw.RulesetError:
            continue


def _prove(library: Library, folders: Iterable[str], edits: Iterable[rw.fixing.Edit]) -> None:
    """Refuse edits after which something is found in a ruleset that was not found before."""
    by_file: dict[str, list[rw.fixing.Edit]] = {}
    for edit in edits:
        by_file.setdefault(os.path.abspath(edit.span.file), []).append(edit)
    after = rw.Workspace(library.workspace.root)
    for path, text in library.held.items():
        after.open(path, text)
    for path, some in by_file.items():
        after.open(path, rw.fixing.apply("\n".join(library.lines(path)), some))
    for folder in folders:
        before = Counter(d.code for d in library.workspace.check(folder))
        for finding in after.check(folder):
            before[finding.code] -= 1
            if before[finding.code] < 0:
                raise rw.navigation.RenameError(f"then {finding.message} ({finding.code})")
