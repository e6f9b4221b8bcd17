"""Games of a few rules, of which game theory knows everything."""

from __future__ import annotations

import json
from pathlib import Path

import rulewright as rw


def game_of(folder: Path, rules: str, engine: rw.playing.EngineName = "auto", **options: str) -> rw.Game:
    """The game of some rules, which are written into a folder."""
    (folder / "game.rules").write_text(rules, "utf-8")
    manifest = {"name": "small", "title": "Small", "rules": ["game.rules"]}
    (folder / "ruleset.json").write_text(json.dumps(manifest), "utf-8")
    return rw.load(folder, options=dict(options), engine=engine)


NIM = """\
game nim
players 2
param heap = 7
field stones: 0.. = heap
procedure play
    repeat
        each p in players
            p chooses amount from {1 .. 3}
                forbid too_many: amount > stones
            stones -= amount
            if stones is 0 then finish with winner p
"""
