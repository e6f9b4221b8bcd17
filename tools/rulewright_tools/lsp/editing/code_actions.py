"""Code actions: fixes for findings, and refactorings."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from lsprotocol import types

import rulewright as rw
from rulewright_tools.lsp.editing.refactorings import refactorings, resolved
from rulewright_tools.lsp.editing.text_edits import workspace_edit
from rulewright_tools.lsp.editor_workspace import EditorWorkspace
from rulewright_tools.lsp.positions import path_of, range_of, uri_of
from rulewright_tools.lsp.protocol_findings import diagnostic
from rulewright_tools.lsp.server import RulewrightServer


def quick_fixes(
    editor: EditorWorkspace, findings: Iterable[rw.Diagnostic], path: str, where: types.Range
) -> Iterator[types.CodeAction]:
    """The fixes of the findings in a range, safe ones first."""
    lines = {path: editor.lines(path)}
    alone = editor.workspace.ruleset_of(path) is None
    here = [d for d in findings if d.span.file and os.path.abspath(d.span.file) == path]
    for finding in sorted(here, key=lambda d: d.fix is not None and not d.fix.safe):
        fix = finding.fix
        shown = diagnostic(editor, finding, path, lines)
        if alone and fix is not None and any(os.path.abspath(edit.span.file) != path for edit in fix.edits):
            continue
        if fix is None or not _touches(shown.range, where):
            continue
        title = fix.message[:1].upper() + fix.message[1:]
        yield types.CodeAction(
            title if fix.safe else f"{title} (may change what the rules mean)",
            types.CodeActionKind.QuickFix,
            diagnostics=[shown],
            is_preferred=fix.safe,
            edit=_edit_of(editor, fix.edits),
        )


def _touches(one: types.Range, other: types.Range) -> bool:
    def key(p: types.Position) -> tuple[int, int]:
        return p.line, p.character

    return key(one.start) <= key(other.end) and key(other.start) <= key(one.end)


def _edit_of(editor: EditorWorkspace, edits: Iterable[rw.fixing.Edit]) -> types.WorkspaceEdit:
    """Edits as the protocol represents them."""
    changes: dict[str, list[types.TextEdit]] = {}
    for edit in edits:
        where = range_of(edit.span, editor.lines(edit.span.file))
        changes.setdefault(uri_of(edit.span.file), []).append(types.TextEdit(where, edit.text))
    return types.WorkspaceEdit(changes)


def fix_all(editor: EditorWorkspace, uri: str) -> types.WorkspaceEdit | None:
    """The rules files of a ruleset with all safe fixes."""
    path = path_of(uri)
    home = editor.workspace.ruleset_of(path) if path is not None else None
    if home is None:
        return None
    with editor.workspace.reading():
        fixed = rw.fix(editor.workspace.ruleset(home))
    return workspace_edit(editor, {os.path.abspath(file): after for file, (_, after) in fixed.texts.items()})


FIX_ALL = types.CodeActionKind.SourceFixAll
KINDS = [
    types.CodeActionKind.QuickFix,
    FIX_ALL,
    types.CodeActionKind.Refactor,
    types.CodeActionKind.RefactorExtract,
]


def add_code_actions(server: RulewrightServer) -> None:
    """Offer fixes and refactorings."""

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(KINDS, resolve_provider=True))
    async def on_code_actions(params: types.CodeActionParams) -> list[types.CodeAction] | None:
        path = path_of(params.text_document.uri)
        if path is None:
            return None
        fixes = _is_requested(types.CodeActionKind.QuickFix, params.context.only) or _is_requested(
            FIX_ALL, params.context.only
        )
        findings = await server.publisher.findings(server.home(path) or path) if fixes else ()
        return await server.query(code_actions, params, findings)

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def on_resolve(action: types.CodeAction) -> types.CodeAction:
        if isinstance(action.data, str):
            action.edit = await server.work(fix_all, action.data)
        elif isinstance(action.data, dict):
            action.edit = await server.work(resolved, action.data)
        return action


def code_actions(
    editor: EditorWorkspace, params: types.CodeActionParams, findings: Iterable[rw.Diagnostic]
) -> list[types.CodeAction]:
    """The fixes of the findings in a range, one for all safe ones of the ruleset, and refactorings of the selection."""
    wanted, uri = params.context.only, params.text_document.uri
    offered: list[types.CodeAction] = []
    fixable = [d for d in findings if d.fix is not None and d.fix.edits]
    if _is_requested(types.CodeActionKind.QuickFix, wanted):
        offered += quick_fixes(editor, fixable, str(path_of(uri)), params.range)
    path = path_of(uri)
    known = path is not None and editor.workspace.ruleset_of(path) is not None
    if known and _is_requested(FIX_ALL, wanted) and any(d.fix is not None and d.fix.safe for d in fixable):
        # Its edits are only computed if the action is chosen.
        offered.append(types.CodeAction("Fix all that can be fixed safely", FIX_ALL, data=uri))
    if wanted is None or any(_is_requested(kind, wanted) for kind in KINDS[2:]):
        offered += [a for a in refactorings(editor, uri, params.range) if a.kind and _is_requested(a.kind, wanted)]
    return offered


def _is_requested(kind: types.CodeActionKind | str, wanted: Iterable[types.CodeActionKind | str] | None) -> bool:
    if wanted is None:
        return True
    name = kind.value if isinstance(kind, types.CodeActionKind) else kind
    names = [w.value if isinstance(w, types.CodeActionKind) else w for w in wanted]
    return any(name == one or name.startswith(f"{one}.") for one in names)
