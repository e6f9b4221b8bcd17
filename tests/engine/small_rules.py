"""Games of a few rules, written for one test."""

from __future__ import annotations

import json
from pathlib import Path

import rulewright as rw


def loaded(folder: Path, rules: str) -> rw.Game:
    """The game of some rules, which stand in a folder of their own."""
    (folder / "game.rules").write_text(rules, "utf-8")
    manifest = {"name": "small", "title": "Small", "rules": ["game.rules"]}
    (folder / "ruleset.json").write_text(json.dumps(manifest), "utf-8")
    return rw.load(folder)


__all__ = ["loaded"]
