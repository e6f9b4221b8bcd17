"""Code actions: fixes for findings, one by one or all at once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from lsprotocol import types

import rulewright as rw
from rulewright_tools.lsp.diagnostics import diagnostic
from rulewright_tools.lsp.editor_workspace import EditorWorkspace
from rulewright_tools.lsp.positions import path_of, range_of, uri_of, whole_range
from rulewright_tools.lsp.server import RulewrightServer

FIX_ALL = types.CodeActionKind.SourceFixAll
KINDS = [types.CodeActionKind.QuickFix, FIX_ALL]


def add_code_actions(server: RulewrightServer) -> None:
    """Offer fixes."""

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(KINDS, resolve_provider=True))
    async def on_code_actions(params: types.CodeActionParams) -> list[types.CodeAction] | None:
        path = path_of(params.text_document.uri)
        home = server.home(path) if path is not None else None
        if home is None:
            return None
        return await server.ask(code_actions, params, await server.publisher.findings(home))

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def on_resolve(action: types.CodeAction) -> types.CodeAction:
        if isinstance(action.data, str):
            action.edit = await server.work(fix_all, action.data)
        return action


def code_actions(
    editor: EditorWorkspace, params: types.CodeActionParams, findings: Iterable[rw.Diagnostic]
) -> list[types.CodeAction]:
    """The fixes of the findings in a range; safe ones first, and then one for all safe ones of the ruleset."""
    wanted = params.context.only
    offered: list[types.CodeAction] = []
    fixable = [d for d in findings if d.fix is not None and d.fix.edits]
    path = str(path_of(params.text_document.uri))
    if _asked(types.CodeActionKind.QuickFix, wanted):
        offered += _quick_fixes(editor, fixable, path, params.range)
    if _asked(FIX_ALL, wanted) and any(d.fix is not None and d.fix.safe for d in fixable):
        # What it comes to is only worked out if somebody wants it.
        offered.append(types.CodeAction("Fix all that can be fixed safely", FIX_ALL, data=params.text_document.uri))
    return offered


def _asked(kind: types.CodeActionKind, wanted: Iterable[types.CodeActionKind | str] | None) -> bool:
    if wanted is None:
        return True
    names = [w.value if isinstance(w, types.CodeActionKind) else w for w in wanted]
    return any(kind.value == name or kind.value.startswith(f"{name}.") for name in names)


def _quick_fixes(
    editor: EditorWorkspace, findings: Iterable[rw.Diagnostic], path: str, where: types.Range
) -> Iterator[types.CodeAction]:
    lines = {path: editor.lines(path)}
    here = [d for d in findings if d.span.file and os.path.abspath(d.span.file) == path]
    for finding in sorted(here, key=lambda d: d.fix is not None and not d.fix.safe):
        fix = finding.fix
        shown = diagnostic(editor, finding, path, lines)
        if fix is None or not _touches(shown.range, where):
            continue
        title = fix.message[:1].upper() + fix.message[1:]
        yield types.CodeAction(
            title if fix.safe else f"{title} (may change what the rules mean)",
            types.CodeActionKind.QuickFix,
            diagnostics=[shown],
            is_preferred=fix.safe,
            edit=workspace_edit(editor, fix.edits),
        )


def _touches(one: types.Range, other: types.Range) -> bool:
    def key(p: types.Position) -> tuple[int, int]:
        return p.line, p.character

    return key(one.start) <= key(other.end) and key(other.start) <= key(one.end)


def workspace_edit(editor: EditorWorkspace, edits: Iterable[rw.fixing.Edit]) -> types.WorkspaceEdit:
    """Edits as the protocol says them."""
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
    changes = {
        uri_of(file): [types.TextEdit(whole_range(editor.lines(file)), after)]
        for file, (_, after) in fixed.texts.items()
    }
    return types.WorkspaceEdit(changes)
