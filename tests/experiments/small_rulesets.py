"""Rulesets so small that what experiments find in them can be computed by hand."""

from __future__ import annotations

import json
from pathlib import Path

import rulewright as rw
from rulewright.engine import EngineName
from rulewright_lab.experiments import Arm

CHANCE = """
game coin
players 2
procedure play
    each p in players
        p chooses stake from {1 .. 3}
    chance chooses side from {0 .. 1}
    if side is 0
        finish with winner first(players)
    finish with winner last(players)
"""
"""Answers change nothing here."""
ANSWERS = """
game guess
players 2
procedure play
    first(players) chooses hidden from {0 .. 3}
    last(players) chooses guess from {0 .. 3}
    if hidden is guess
        finish with winner last(players)
    finish with winner first(players)
"""
"""There is no chance."""
BOTH = """
game both
players 2
procedure play
    first(players) chooses guess from {0 .. 1}
    chance chooses side from {0 .. 1}
    if guess is side
        finish with winner first(players)
    finish with winner last(players)
"""
"""Neither chance nor the answer says anything by itself."""
SUM = """
game total
players 2
procedure play
    first(players) chooses stake from {0 .. 1}
    chance chooses found from {0 .. 1}
    finish paying (stake + found if p is first(players) else 0 - stake - found) for p in players
"""
"""Chance and the answer count alike, each by itself."""
NUMBERS = """
game numbers
players 2
procedure play
    first(players) chooses high from {1 .. 9}
    last(players) chooses low from {1 .. 9}
    if high > low
        finish with winner first(players)
    if low > high
        finish with winner last(players)
    finish with a draw
"""
SCRIPT = """
game script
players 2
field points[p: Player]: 0..20 = 0
procedure play
    turn(first(players), 3)
    turn(last(players), 5)
    turn(first(players), 1)
    turn(last(players), 0)
    turn(first(players), 4)
    if points[first(players)] > points[last(players)]
        finish with winner first(players)
    finish with winner last(players)
procedure turn(p: Player, more: 0..9)
    p chooses way from {1 .. 2}
    points[p] += more
    gain(p)
effect gain(p: Player)
    points[p] += 0
measure lead(p: Player) = points[p]
"""
"""Standings that no answer changes: 3 to 0, 3 to 5, 4 to 5, 4 to 5, 8 to 5."""
BRANCHES = """
game branches
players 1
procedure play
    first(players) chooses way from {1 .. 3}
    if way is 1
        finish with winner first(players)
    first(players) chooses more from {1 .. 4}
    finish with winner first(players)
"""
"""A tree of nine leaves: one way has 1 answer, two have 2."""


def arm(folder: Path, text: str, seats: tuple[str, ...] = (), engine: EngineName = "auto") -> Arm:
    """An arm with these rules."""
    name = text.split()[1]
    home = folder / name
    home.mkdir(exist_ok=True)
    (home / "ruleset.json").write_text(json.dumps({"name": name, "title": name.title(), "rules": ["game.rules"]}))
    (home / "game.rules").write_text(text, "utf-8")
    return Arm(name, rw.load(home, engine=engine), seats)
