"""Changes of whole texts as edits of an editor, and whether they may be made."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from difflib import SequenceMatcher

from lsprotocol import types

import rulewright as rw
from rulewright_tools.lsp.editor_workspace import EditorWorkspace
from rulewright_tools.lsp.positions import lines_of, uri_of, utf16_offset


def changed_texts(editor: EditorWorkspace, edits: Iterable[rw.fixing.Edit]) -> dict[str, str]:
    """The files with some edits. Those in the standard format stay in it: what stands behind a name moves."""
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


def workspace_edit(editor: EditorWorkspace, texts: Mapping[str, str]) -> types.WorkspaceEdit:
    """The edits that give files other texts."""
    return types.WorkspaceEdit(
        {uri_of(path): list(line_edits(editor.lines(path), lines_of(text))) for path, text in texts.items()}
    )


def line_edits(before: list[str], after: list[str]) -> Iterator[types.TextEdit]:
    """The stretches of lines that are different: what stays as it is keeps its cursors and marks."""
    for tag, start, end, begin, stop in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        text = "".join(f"{line}\n" for line in after[begin:stop])
        if end < len(before):
            yield types.TextEdit(types.Range(types.Position(start, 0), types.Position(end, 0)), text)
        elif start > 0:  # the last line has no end that could be replaced: that of the line above it is
            rest = "".join(f"\n{line}" for line in after[begin:stop])
            yield types.TextEdit(types.Range(_end_of(before, start - 1), _end_of(before, end - 1)), rest)
        else:
            yield types.TextEdit(types.Range(types.Position(0, 0), _end_of(before, end - 1)), text.removesuffix("\n"))


def _end_of(lines: list[str], row: int) -> types.Position:
    return types.Position(row, utf16_offset(lines[row], len(lines[row]) + 1))


def new_finding(editor: EditorWorkspace, folders: Iterable[str], texts: Mapping[str, str]) -> rw.Diagnostic | None:
    """The first finding that rulesets would have with other texts, and have not now."""
    for folder in folders:
        before = Counter(d.code for d in editor.workspace.check(folder))
        for finding in _check_with(editor, folder, texts):
            before[finding.code] -= 1
            if before[finding.code] < 0:
                return finding
    return None


def _check_with(editor: EditorWorkspace, folder: str, texts: Mapping[str, str]) -> list[rw.Diagnostic]:
    """The findings of a ruleset with other texts; what they leave as it is need not be looked at again."""
    try:
        for path, text in texts.items():
            editor.workspace.open(path, text)
        return editor.workspace.check(folder)
    finally:
        for path in texts:
            if path in editor.held:
                editor.workspace.open(path, editor.held[path])
            else:
                editor.workspace.close(path)
