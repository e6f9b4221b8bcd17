"""Findings of the examination for a file of variants, after a pause: what the rules alone tell, without games."""

from __future__ import annotations

from pathlib import Path

import rulewright as rw
from rulewright_tools.lsp.editor_workspace import EditorWorkspace, Texts

PAUSE = 1.0
"""Seconds of quiet after the last check before anything is examined."""


def examined(editor: EditorWorkspace, path: Path, texts: Texts) -> tuple[rw.Diagnostic, ...]:
    """The things in a file of variants that are wrong or probably not meant; nothing if it cannot be played.

    Runs in the library's thread. What is only worth knowing is told by `rulewright examine --all`.
    """
    editor.update(texts)
    try:
        with editor.workspace.reading():
            found = rw.examination.examine(path, games=0).findings
    except rw.RulesetError:
        return ()
    return tuple(one.whole_diagnostic for one in found if one.level is not rw.examination.Level.NOTABLE)


__all__ = ["PAUSE", "examined"]
