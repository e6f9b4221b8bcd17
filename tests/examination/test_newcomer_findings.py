"""Right rules of a newcomer of which something untrue was said, or something that was not meant so."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulewright as rw

NOTABLE = rw.examination.Level.NOTABLE


def examined(folder: Path, rules: str, games: int = 60) -> list[rw.examination.Finding]:
    folder.mkdir()
    (folder / "ruleset.json").write_text('{"name": "tried", "title": "Tried", "rules": ["tried.rules"]}')
    (folder / "tried.rules").write_text(rules)
    return list(rw.examination.examine(folder, games=games, seconds=None).findings)


WALKS = """\
game tried
players 2
enum Mood: calm, wild
place Field
map Ring: ring of 6 Field
field at[Player]: Field or none = none
field mood[Player]: Mood = calm
field guard[Player]: 0.. = 0
field crowns[Player]: 0.. = 0

procedure play
    repeat 9 times
        each p in players
            turn(p)
    finish ranking p in players by crowns[p]

procedure turn(p: Player)
    p chooses f from Field where f is not at[p]
    at[p] = f
    p chooses either as deed
        option soothe
            forbid calm_already: mood[p] is calm
            mood[p] = calm
        option vigil
            guard[p] += 1
            {between}
            guard[p] -= 1
            mood[p] = wild
        option go: do nothing

procedure walk(q: Player)
    if guard[q] > 0 then crowns[q] += 1
"""


def test_a_place_or_a_word_that_changes_is_not_said_never_to_change(tmp_path: Path) -> None:
    found = examined(tmp_path / "tried", WALKS.format(between="walk(p)"))
    assert [one.message for one in found if "`at`" in one.message or "`mood`" in one.message] == []


@pytest.mark.parametrize(("between", "told"), [("walk(p)", False), ("crowns[p] += 1", True)])
def test_what_holds_for_as_long_as_something_is_done_is_not_taken_back(
    between: str, told: bool, tmp_path: Path
) -> None:
    found = examined(tmp_path / "tried", WALKS.format(between=between), games=0)
    lines = [one.span.line for one in found if one.code == "EXM156"]
    assert lines == [line for line in (27,) if told]


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


def test_a_restriction_for_which_an_option_is_not_offered_is_of_use(tmp_path: Path) -> None:
    found = examined(tmp_path / "tried", GIFTS, games=200)
    assert [one.key for one in found if one.code == "EXM205"] == []


MEN = """\
game tried
players 2
place Square
map Board: grid 5 by 5 of Square
field man[Square]: Player or none
field tired[Square]: Bool = false
field moved: 0.. = 0
procedure play
    each p in players
        each s in Square where man[s] is none and s.row < 2 and s.column < 3
            if p is first(players) then man[s] = p
        each s in Square where man[s] is none and s.row > 2
            man[s] = p
    repeat until moved > 12
        each p in players
            go(p)
    finish with winner first(players)
procedure go(p: Player)
    moved += 1
    if no(s in Square where man[s] is p and not tired[s] and some(n in s.neighbours where man[n] is none)) then return
    p chooses home from Square where man[home] is p, leading on
    p chooses target from home.neighbours
        forbid taken: man[target] is not none
        forbid rests: tired[home]
    move man from home to target
    tired[target] = true, tired[home] = false
"""


def test_a_restriction_for_which_an_answer_does_not_lead_on_is_of_use(tmp_path: Path) -> None:
    found = examined(tmp_path / "tried", MEN, games=120)
    assert [one.key for one in found if one.code in ("EXM205", "EXM206")] == []


def test_what_may_fall_below_zero_as_far_as_the_rules_tell_is_folded(tmp_path: Path) -> None:
    rules = GIFTS.replace("    repeat 8 times", "    repeat 3 times").replace(
        "            gold[p] -= amount\n            gold[friend] += amount\n",
        "            gold[friend] += amount\n            gold[friend] -= 1\n",
    )
    found = examined(tmp_path / "tried", rules, games=0)
    assert [one for one in found if one.code == "TYP238" and one.level is not NOTABLE] == []


SWITCH = """\
variant "Walls" of connect_four
    add param walls: {none_closed, closed_left} = none_closed
    add query lowest_column() -> Int
        0 when walls is closed_left
        9 otherwise
    in turn.column
        forbid walled: column is lowest_column()
"""


def test_a_parameter_alone_that_decides_a_case_is_a_switch(tmp_path: Path) -> None:
    file = tmp_path / "walls.rules"
    file.write_text(SWITCH)
    found = rw.examination.examine(file, games=0).findings
    assert [one.code for one in found if one.code == "EXM119"] == []
