"""The rulesets as an editor holds them. One thread asks a library: it never sees half of a change."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import rulewright as rw
from rulewright_tools.lsp.positions import lines_of

Texts = Mapping[str, str]
"""The texts that an editor holds, by absolute paths."""


class EditorWorkspace:
    """A workspace, the thread that may query it, and the texts of the editor that it has."""

    def __init__(self, root: Path, name: str) -> None:
        self.workspace = rw.Workspace(root)
        self.thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self.navigator = rw.navigation.Navigator()
        self.held: dict[str, str] = {}
        """The texts of the editor, by their paths."""

    def update(self, texts: Texts) -> None:
        """Take over the texts of the editor."""
        for path in [path for path in self.held if path not in texts]:
            self.workspace.close(path)
            del self.held[path]
        for path, text in texts.items():
            if self.held.get(path) is not text:
                self.workspace.open(path, text)
                self.held[path] = text

    def index(self, place: str | Path) -> rw.navigation.SymbolIndex:
        """The index of a ruleset as it is now."""
        return self.navigator.index(self.workspace.ruleset(place))

    def place_of(self, path: Path) -> Path | None:
        """The folder of the ruleset of a file; or the file itself, if it holds variants of a ruleset that does not
        know it."""
        home = self.workspace.ruleset_of(path)
        if home is None and self.workspace.changed_by(path) is not None:
            return path
        return home

    def text(self, path: str | Path) -> str:
        """The text of a file, as the editor holds it or else as it is on disk; empty if there is none."""
        held = self.workspace.text(path)
        if held is not None:
            return held
        try:
            return rw.files.read_text(Path(path))
        except rw.RulesetError:
            return ""

    def lines(self, path: str | Path) -> list[str]:
        """The lines of a file."""
        return lines_of(self.text(path))

    def close(self) -> None:
        """End the thread; what it is doing is not waited for."""
        self.thread.shutdown(wait=False, cancel_futures=True)
