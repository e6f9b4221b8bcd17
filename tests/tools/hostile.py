"""Rulesets that never come to an end by themselves, written into a folder."""

from __future__ import annotations

import json
from pathlib import Path

HEAD = "game hostile\nplayers 2\nfield score: Int = 0\n"
END = "end done when score > 3\n    finish with winner players\n"


def doubling(count: int = 41) -> str:
    """So many queries, each of which asks the one before twice: to answer the last takes 2^(count - 1) calls."""
    lines = ["query q0(n: Int) -> Int = n"]
    lines += [f"query q{i}(n: Int) -> Int = q{i - 1}(n) - q{i - 1}(n + 1)" for i in range(1, count)]
    return "\n".join(lines) + "\n"


def ruleset(folder: Path, rules: str) -> Path:
    """A ruleset with these rules."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "game.rules").write_text(rules, encoding="utf-8")
    manifest = {"name": folder.name, "title": "Hostile", "rules": ["game.rules"], "seats": {"2": ["anna", "bert"]}}
    (folder / "ruleset.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder


def exponential(folder: Path) -> Path:
    """The rule of the game asks the last of 41 queries."""
    play = "procedure play\n    repeat\n        each p in players\n            turn(p)\n"
    turn = "procedure turn(p: Player)\n    p chooses n from {1 .. 3}\n    score = q40(n)\n"
    return ruleset(folder, HEAD + doubling() + play + turn + END)
