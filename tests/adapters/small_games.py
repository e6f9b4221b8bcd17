"""Small rulesets, written for the tests of clients: decided at once, and with seats that leave."""

from __future__ import annotations

from pathlib import Path

MATCHING = """\
game matching
players 2

enum Side: heads, tails
field shown[Player]: Side or none = none, seen by everyone

procedure play
    each p in players at once
        p chooses s from Side
        shown[p] = s
    if shown[first(players)] is shown[first(players).left]
        finish with winner first(players)
    finish with winner first(players).left
"""
ROUNDS = """\
game rounds
players 2 to 3

param most = 12
enum Side: heads, tails
field shown[Player]: Side or none = none, seen by everyone
field played: 0..12 = 0

procedure play
    repeat
        each p in players at once
            p chooses s from Side
            shown[p] = s
            if s is heads
                reward p: 1
        played += 1
        if played is most
            finish paying worth(p) for p in players

query worth(p: Player) -> Int = count(q in players where shown[q] is shown[p])
"""
LEAVING = """\
game leaving
players 3

field lives[Player]: 0..2 = 2

procedure play
    repeat
        each p in players
            turn(p)

procedure turn(p: Player)
    p chooses target from players except p
    lives[target] -= 1
    if lives[target] is 0 then eliminate(target)

end last_one when size(players) is 1
    finish with winner players
"""


def written(folder: Path, name: str, rules: str) -> str:
    """The path of a ruleset with such rules."""
    (folder / name).mkdir()
    title = name.title()
    (folder / name / "ruleset.json").write_text(f'{{"name": "{name}", "title": "{title}", "rules": ["game.rules"]}}')
    (folder / name / "game.rules").write_text(rules)
    return str(folder / name)
