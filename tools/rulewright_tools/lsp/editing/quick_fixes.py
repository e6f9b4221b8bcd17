"""Fixes for findings, one by one or all safe ones at once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from lsprotocol import types

import rulewright as rw
from rulewright_tools.lsp.editing.text_edits import workspace_edit
from rulewright_tools.lsp.editor_workspace import EditorWorkspace
from rulewright_tools.lsp.positions import path_of, range_of, uri_of
from rulewright_tools.lsp.protocol_findings import diagnostic


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
