"""Findings of the examination for rules that are open, after a pause: static findings only, without games."""

from __future__ import annotations

from pathlib import Path

import rulewright as rw
from rulewright_tools.lsp.editor_workspace import EditorWorkspace, Texts

MOST = 4
"""Variants of a ruleset that are examined: those that stand first in the files that are open."""


def subjects(editor: EditorWorkspace, place: Path, texts: Texts) -> list[tuple[str, ...]]:
    """The titles with which a ruleset is examined, one time after the other: alone, and with each variant that is open.

    A file of variants that belongs to no ruleset is examined as a whole.
    """
    editor.update(texts)
    if place.suffix == ".rules":
        return [()]
    try:
        files = editor.index(place).files
    except rw.RulesetError:
        return []
    opened = [file for path, file in files.items() if path in texts]
    titles = [one.symbol.name for file in opened for one in file.declared if one.symbol.kind == "variant"]
    return [(), *((title,) for title in titles[:MOST])] if opened else []


def examined(editor: EditorWorkspace, place: Path, titles: tuple[str, ...], texts: Texts) -> tuple[rw.Diagnostic, ...]:
    """The things that are wrong or probably not meant; nothing if it cannot be played.

    Findings of the checker are shown beside it already. Runs in the library's thread. Findings of the lowest level are
    left to `rulewright examine --all`.
    """
    editor.update(texts)
    try:
        with editor.workspace.reading():
            found = rw.examination.examine(place, titles, games=0, checked=False).findings
    except rw.RulesetError:
        return ()
    return tuple(one.whole_diagnostic for one in found if one.level is not rw.examination.Level.NOTABLE)
