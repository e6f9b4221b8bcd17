"""Slips in right rules that fixes mend: afterwards the file can be read and formatted, and says what it said."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulewright as rw
from rulewright.syntax import parse

RULES = """\
game slips
players 2

param fee = 2
enum Mood: calm, wild
field gold[Player]: 0..99 = 3
field mood[Player]: Mood = calm

query rich(p: Player) -> Bool = gold[p] is 9 or gold[p] is not fee and mood[p] is calm

procedure play
    each p in players
        turn(p)
    finish ranking p in players by gold[p]

procedure turn(p: Player)
    if gold[p] is 3
        gold[p] = 4
    p chooses n from {1 .. 3}
        forbid low: n is 1 or n is not fee
    if n is 2 then gold[p] += n
    gold[p] = 5, mood[p] = wild
    let twice = n * 2
    match n
        1: gold[p] = twice
        otherwise: do nothing

scenario "turn"
    players anna, bert
    set fee = 2
    given gold[anna] = 3, mood[anna] = wild
    start turn(anna)
    when anna: n = 2
    then gold[anna] is 5, mood[anna] is wild, gold[bert] is not 4
"""

SIGN = re.compile(r" (=|is not|is) ")
WRITTEN = {"=": ["=="], "is": ["==", "==="], "is not": ["!=", "<>"]}
PLACES = [match for match in SIGN.finditer(RULES) if not RULES[match.end() :].startswith(("\n", '"'))]


def mended(text: str) -> str:
    """The text with all safe fixes that its own mistakes offer, until there is none."""
    for _ in range(40):
        found = parse(text, "game.rules").diagnostics
        fixes = [one.fix for one in found if one.fix is not None and one.fix.safe]
        if not fixes:
            break
        text = rw.fixing.apply(text, fixes[0].edits)
    return text


@given(st.lists(st.tuples(st.sampled_from(range(len(PLACES))), st.booleans(), st.booleans()), min_size=1, max_size=5))
def test_signs_of_other_languages_with_and_without_blanks(slips: list[tuple[int, bool, bool]]) -> None:
    text = RULES
    for number, before, behind in sorted({slip[0]: slip for slip in slips}.values(), reverse=True):
        place = PLACES[number]
        sign = WRITTEN[place[1]][0]
        text = text[: place.start()] + " " * before + sign + " " * behind + text[place.end() :]
    after = mended(text)
    read = parse(after, "game.rules")
    assert not read.diagnostics, after
    assert rw.format_text(after, "game.rules") == RULES


@given(st.sets(st.sampled_from(range(len(RULES.splitlines()))), min_size=1, max_size=4))
def test_tabs(lines: set[int]) -> None:
    text = "".join(
        re.sub("^(    )+", lambda blanks: "\t" * (len(blanks[0]) // 4), line) if number in lines else line
        for number, line in enumerate(RULES.splitlines(keepends=True))
    )
    assert rw.format_text(mended(text), "game.rules") == RULES


def folder_of(tmp_path: Path, rules: str) -> Path:
    (tmp_path / "game.rules").write_text(rules, "utf-8")
    head = {"name": "slips", "title": "Slips", "rules": ["game.rules"]}
    (tmp_path / "ruleset.json").write_text(json.dumps(head), "utf-8")
    return tmp_path


UNUSED = [
    "    let q = 3\n    gold[p] += 1",
    "    if gold[p] > 4 then let q = 3\n    gold[p] += 1",
    "    if gold[p] > 4\n        let q = 3\n    gold[p] += 1",
    "    p chooses either as deed\n        option nap: let q = 3\n        option work: gold[p] += 1",
    "    p chooses either as deed\n        option nap\n            let q = 3\n        option work: gold[p] += 1",
    "    match gold[p]\n        1: let q = 3\n        otherwise: gold[p] += 1",
]


@pytest.mark.parametrize("body", UNUSED)
def test_what_nothing_uses_goes_and_nothing_else(tmp_path: Path, body: str) -> None:
    rules = RULES[: RULES.index("procedure turn")] + f"procedure turn(p: Player)\n{body}\n"
    ruleset = rw.open_ruleset(folder_of(tmp_path, rules))
    assert [d.code for d in rw.check(ruleset) if d.is_error] == []
    fixed = rw.fix(ruleset, unsafe=True, wanted=lambda d: d.code == "REF017")
    assert [d.code for d in fixed.applied] == ["REF017"]
    ((_, after),) = fixed.texts.values()
    assert "let q" not in after
    assert not parse(after, "game.rules").diagnostics
    for word in re.findall(r"option \w+|if |match |\d: |otherwise", body):
        assert word in after
