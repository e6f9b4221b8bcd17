"""A small ruleset with a fault of which the smallest example is known."""

from __future__ import annotations

import json
from pathlib import Path

RULES = """\
game chips
players 2 to 4

param most = 3
param quick: Bool = false

field chips[Player]: 0..99 = 0

procedure play
    repeat
        each p in players
            turn(p)

procedure turn(p: Player)
    p chooses n from {0 .. most}
    chips[p] += n

end far when some(p in players where chips[p] > 9)
    finish with winner players

invariant few for p in players: chips[p] <= 4
property never_less always for p in players: old(chips[p]) <= chips[p]
"""
SCENARIO = """\
scenario "chips are added"
    players anna, bert
    start play
    when anna: n = 2
    then chips[anna] is 2
"""
MORE = """\
variant "More chips" of chips
    set most = 5

    add invariant even_fewer for p in players: chips[p] <= 90

scenario "five at once"
    players anna, bert
    variant "More chips"
    start play
    refused anna: n = 5
"""
SMALLEST = ["2", "0", "3"]
"""The shortest answers, each as small as can be, after which somebody has more than four chips."""


def written(folder: Path, rules: str = RULES) -> Path:
    """The ruleset in a folder, with a scenario that holds and one of a variant that does not."""
    for name, text in {"game": rules, "scenario": SCENARIO, "more": MORE}.items():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.rules").write_text(text, "utf-8")
    manifest = {"name": "chips", "title": "Chips", "rules": ["game.rules"]}
    more = {"scenarios": ["scenario.rules"], "variants": ["more.rules"]}
    (folder / "ruleset.json").write_text(json.dumps(manifest | more), "utf-8")
    return folder
