"""Right rules of a newcomer of which something untrue was said, or something that was not meant so."""

from __future__ import annotations

from pathlib import Path

import rulewright as rw


def examined(folder: Path, rules: str, games: int = 60) -> list[rw.examination.Finding]:
    folder.mkdir()
    (folder / "ruleset.json").write_text('{"name": "tried", "title": "Tried", "rules": ["tried.rules"]}')
    (folder / "tried.rules").write_text(rules)
    return list(rw.examination.examine(folder, games=games, seconds=None).findings)


GIFTS = """\
game tried
players 2
field gold[Player]: 0.. = 4

procedure play
    repeat 8 times
        each p in players
            turn(p)
    finish ranking p in players by gold[p]

procedure turn(p: Player)
    p chooses either as deed
        option rest: gold[p] += 1
        option give
            p chooses friend from players except {p}
                forbid broke: gold[p] is 0
            p chooses amount from {1 .. 3}
                forbid too_dear: amount > gold[p]
            gold[p] -= amount
            gold[friend] += amount
"""


def test_what_may_fall_below_zero_as_far_as_the_rules_tell_is_left_to_the_checker(tmp_path: Path) -> None:
    rules = GIFTS.replace("    repeat 8 times", "    repeat 3 times").replace(
        "            gold[p] -= amount\n            gold[friend] += amount\n",
        "            gold[friend] += amount\n            gold[friend] -= 1\n",
    )
    found = examined(tmp_path / "tried", rules, games=0)
    assert [one for one in found if one.code == "TYP238"] == []
