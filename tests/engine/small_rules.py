"""Games of a few rules, written for one test."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import rulewright as rw


def written(folder: Path, rules: str, data: Mapping[str, str] | None = None) -> Path:
    """A folder with some rules and their files of data."""
    for name, text in {"game.rules": rules, **(data or {})}.items():
        (folder / name).write_text(text, "utf-8")
    manifest = {"name": "small", "title": "Small", "rules": ["game.rules"]}
    (folder / "ruleset.json").write_text(json.dumps(manifest), "utf-8")
    return folder


def loaded(folder: Path, rules: str) -> rw.Game:
    """The game of some rules, which stand in a folder of their own."""
    return rw.load(written(folder, rules))


__all__ = ["loaded", "written"]
