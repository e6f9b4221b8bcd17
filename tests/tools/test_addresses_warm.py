"""Changes of statements without a label: a warm check of an edited ruleset says what a cold one says."""

from __future__ import annotations

from pathlib import Path

import rulewright as rw

RULES = """game small
players 2

field gold[Player]: 0..99 = 0

procedure play
    each p in players
        turn(p)
    finish ranking p in players by gold[p]

procedure turn(p: Player)
    gold[p] += 1
    if gold[p] > 3 then gold[p] = 3
    gold[p] += 2
    p chooses either
        option one: gold[p] += 1
        option two: gold[p] += 2

variant "A" of small
    remove turn.assign_2
    move turn.assign_1 after turn.if_1
    in turn.either_1
        option three: gold[p] += 3
scenario "a"
    players anna, bert
    variant "A"
    start turn(anna)
    when anna: three
    then gold[anna] is 6
"""
EDITS = (
    ("game small", "# more\n\ngame small"),
    ("gold[p] += 2\n    p", "gold[p] += 5\n    p"),
    ("    gold[p] += 1\n    if", "    gold[p] += 7\n    gold[p] += 1\n    if"),
    ("turn.assign_2", "turn.assign_3"),
    ("turn.assign_2", "turn.assign_7"),
    ("option three: gold[p] += 3", "option three: glod[p] += 3"),
    ("then gold[anna] is 6", "then gold[anna] is wrong"),
    ("option two: gold[p] += 2", "option three: gold[p] += 2"),
)


def test_a_warm_answer_equals_a_cold_one(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "ruleset.json").write_text('{"name": "small", "title": "Small", "rules": ["game.rules"]}')
    work = rw.Workspace(tmp_path)
    codes = set()
    for old, new in [("", ""), *EDITS, ("", "")]:
        text = RULES.replace(old, new) if old else RULES
        assert not old or text != RULES
        (folder / "game.rules").write_text(text)
        warm = [str(d) for d in work.check(folder)]
        assert warm == [str(d) for d in rw.check(rw.open_ruleset(folder))]
        codes |= {d.code for d in work.check(folder)}
        if not old:
            results = [rw.scenarios.run_scenario(plan) for plan in rw.scenarios.plans(rw.open_ruleset(folder))]
            assert [result.failure for result in results] == [None]
    assert {"VAR401", "REF001", "VAR402"} <= codes
