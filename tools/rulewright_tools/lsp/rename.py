"""New names for things, in the rules, their overlays and scenarios at once."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

from lsprotocol import types
from pygls.exceptions import JsonRpcException

import rulewright as rw
from rulewright_tools.lsp.editor_workspace import EditorWorkspace
from rulewright_tools.lsp.positions import range_of, uri_of, whole_range
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
    texts = _texts(editor, edits)
    _verify(editor, indices, texts)
    return types.WorkspaceEdit({uri_of(path): _by_line(editor.lines(path), text) for path, text in texts.items()})


def _texts(editor: EditorWorkspace, edits: Iterable[rw.fixing.Edit]) -> dict[str, str]:
    """The files with the new name. Those in the standard format stay in it: what stands behind a name moves."""
    by_file: dict[str, list[rw.fixing.Edit]] = {}
    for edit in edits:
        by_file.setdefault(os.path.abspath(edit.span.file), []).append(edit)
    texts = {}
    for path, some in by_file.items():
        before = "\n".join(editor.lines(path))
        texts[path] = rw.fixing.apply(before, some)
        with suppress(rw.RulesetError):
            if path.endswith(".rules") and rw.format_text(before, path) == before:
                texts[path] = rw.format_text(texts[path], path)
    return texts


def _by_line(lines: list[str], after: str) -> list[types.TextEdit]:
    """The lines of a text that are different now."""
    new = after.split("\n")
    if len(new) != len(lines):
        return [types.TextEdit(whole_range(lines), after)]
    return [
        types.TextEdit(range_of(rw.Span("", row, 1, row, len(line) + 1), lines), now)
        for row, (line, now) in enumerate(zip(lines, new, strict=True), 1)
        if line != now
    ]


def _indices(editor: EditorWorkspace, folders: Iterable[str]) -> Iterator[rw.navigation.SymbolIndex]:
    for folder in folders:
        try:
            yield editor.navigator.index(editor.workspace.ruleset(folder))
        except rw.RulesetError:
            continue


def _verify(editor: EditorWorkspace, folders: Iterable[str], texts: Mapping[str, str]) -> None:
    """Refuse texts in which something is found that was not found before."""
    after = rw.Workspace(editor.workspace.root)
    for path, text in ({**editor.held, **texts}).items():
        after.open(path, text)
    for folder in folders:
        before = Counter(d.code for d in editor.workspace.check(folder))
        for finding in after.check(folder):
            before[finding.code] -= 1
            if before[finding.code] < 0:
                raise rw.navigation.RenameError(f"then {finding.message} ({finding.code})")
