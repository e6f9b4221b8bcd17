"""The lines at which rules stand, and what they cite, by the names that pages know files by."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rulewright as rw
from rulewright_tools.studio.host.files.folder import Folder


class RuleLines:
    """The lines of the rules of one game."""

    def __init__(self, folder: Folder, game: rw.Game) -> None:
        self._folder = folder
        self._game = game
        index = rw.citations.citation_index(game.ruleset, game.variants)
        self._places: dict[str, tuple[str, int]] = {}
        self._cites: dict[str, dict[str, None]] = {}
        for one in sorted(one for one in index.citations if not one.example):
            self._places.setdefault(one.rule, (one.file, one.line))
            self._cites.setdefault(one.rule, {})[one.statement] = None
        for bare in index.uncited:
            self._places.setdefault(bare.rule, (bare.file, bare.line))

    def rule_data(self, rule: str) -> dict[str, Any]:
        """The name of a rule, its line and what it cites; a branch of a rule has those of the whole."""
        name = rule if rule in self._places else rule.partition(".")[0]
        file, line = self._places.get(name, ("", 0))
        return {"rule": rule, **self.place(file, line), "cites": list(self._cites.get(name, ()))}

    def place(self, file: str, line: int) -> dict[str, Any]:
        """A line; the file is null if pages may not read it."""
        return {"file": self._folder.name_of(Path(file)) if file else None, "line": line}

    def statements(self, rules: list[dict[str, Any]]) -> dict[str, str]:
        """The statements that rules cite, by their ids."""
        known = self._game.ruleset.statements
        return {cite: known[cite].statement for one in rules for cite in one["cites"] if cite in known}
