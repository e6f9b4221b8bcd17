"""The collection of slips is sound: it loads, each pair differs by its slip only, right versions check clean."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from slips.collection import (
    BLIND,
    BLIND_AGAIN,
    BLIND_FIFTH,
    BLIND_FOURTH,
    BLIND_THIRD,
    BLINDS,
    GAMES,
    HALVES,
    OWN,
    WORDS,
    PairedSlip,
    collection,
    ruleset_of,
)
from slips.judging import Outcome, Said, Verdict, causes
from slips.pages import BEGIN, END, write_page
from slips.record import Record
from slips.tables import row

import rulewright as rw
from sampling import thorough

SLIPS = collection()
MOST_PARTS = 4
"""Parts in which two versions may differ: a field with another type is declared, set and read."""
MOST_LINES = 8


def _of_each_game() -> list[PairedSlip]:
    return list({slip.game: slip for slip in reversed(SLIPS)}.values())


def test_each_file_belongs_to_a_slip_and_each_slip_has_its_two_files() -> None:
    files = sorted((*GAMES.glob("*/*.rules"), *GAMES.glob(f"{OWN}/*/game.rules")))
    assert files == sorted(file for slip in SLIPS for file in (slip.wrong, slip.right))
    assert not [key for key, times in Counter(slip.key for slip in SLIPS).items() if times > 1]


def test_both_versions_differ_by_one_slip() -> None:
    assert [found for slip in SLIPS for found in _odd(slip)] == []


def _odd(slip: PairedSlip) -> list[str]:
    """Tell what is not as it should be: they have one name and one intention, and differ in few lines."""
    changes = slip.changes()
    lines = sum(max(len(wrong), len(right)) for wrong, right in changes)
    wrong, right = (file.read_text("utf-8").splitlines() for file in (slip.wrong, slip.right))
    said = {
        "they are the same": not changes,
        f"they differ in {len(changes)} parts": len(changes) > MOST_PARTS,
        f"they differ in {lines} lines": lines > MOST_LINES,
        "their names differ": wrong[0] != right[0],
        "their intentions differ": [one for one in wrong if "#" in one] != [one for one in right if "#" in one],
        "no line of its cause is there": not any(words in line for line in wrong for words in slip.lines),
    }
    return [f"{slip.key}: {text}" for text, holds in said.items() if holds]


def test_there_are_slips_of_nearly_every_kind_in_both_halves() -> None:
    assert len(SLIPS) >= 120
    assert {slip.kind for slip in SLIPS} == set(WORDS)
    halved = {slip.kind for slip in SLIPS if slip.half not in BLINDS}
    parts = {kind: {slip.half for slip in SLIPS if slip.kind == kind} - {*BLINDS} for kind in halved}
    alone = [kind for kind in halved if len(parts[kind]) < len(HALVES)]
    assert len(alone) <= 4, alone


def test_each_half_has_its_share() -> None:
    counts = Counter(slip.half for slip in SLIPS)
    assert abs(counts[HALVES[0]] - counts[HALVES[1]]) <= len(SLIPS) // 6
    assert counts[BLIND] == 25
    assert counts[BLIND_AGAIN] == 12
    assert counts[BLIND_THIRD] == 8
    assert counts[BLIND_FOURTH] == 20
    assert counts[BLIND_FIFTH] == 12


@pytest.mark.parametrize("slip", _of_each_game(), ids=lambda slip: slip.key)
def test_a_right_version_of_each_game_checks_clean(slip: PairedSlip) -> None:
    _checks_clean(slip)


@thorough
@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.key)
def test_right_versions_check_clean(slip: PairedSlip) -> None:
    _checks_clean(slip)


def _checks_clean(slip: PairedSlip) -> None:
    found = rw.check(rw.open_ruleset(ruleset_of(slip.right)))
    said = [f"{one.code} {one.message}" for one in found if Path(one.span.file) == slip.right]
    assert [one for one in said if one.split()[0] not in slip.true_of_right] == []
    rw.open_ruleset(ruleset_of(slip.wrong))


# ------------------------------------------------------------------ judging


def _said(code: str, level: str, text: str, line: str) -> Said:
    return Said(code, level, text, line, f"{code}/{line}")


def test_the_best_of_what_is_said_of_the_slip_alone_counts() -> None:
    slip = SLIPS[0]
    word = WORDS[slip.kind][0]
    cause = _said("EXM101", "wrong", f"it is {word}", f"xx {slip.lines[0]}")
    elsewhere = _said("EXM102", "wrong", "something", "another line")
    folded = _said("EXM205", "worth knowing", "something", "another line")
    assert Outcome(slip, (elsewhere, cause), (), 0).verdict is Verdict.CAUSE
    assert Outcome(slip, (elsewhere, cause), (cause,), 0).verdict is Verdict.MISLEADING, "said of the right one, too"
    assert Outcome(slip, (folded,), (), 0).verdict is Verdict.SILENT, "nobody sees what is folded"
    assert causes(Outcome(slip, (elsewhere, cause), (), 0)) == {"EXM101"}
    counted = row("all", [Outcome(slip, (cause,), (elsewhere, folded), 1), Outcome(slip, (), (), 2)])
    assert (counted.cause, counted.silent, counted.false_alarms, counted.seconds) == (1, 1, 1, 3)


def test_a_page_keeps_what_stands_around_the_table(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nearlier\n{END}\nafter\n", "utf-8")
    write_page(page, [Outcome(SLIPS[0], (), (), 1)])
    text = page.read_text("utf-8")
    assert text.startswith(f"before\n{BEGIN}\n1 of {len(SLIPS)} slips: 1 of ")
    assert text.endswith(f"{END}\nafter\n")
    assert "earlier" not in text


def test_a_record_gives_back_what_was_said_and_forgets_a_slip_that_failed(tmp_path: Path) -> None:
    file = tmp_path / "sub" / "record.jsonl"
    said = Outcome(SLIPS[0], (_said("EXM101", "wrong", "something", "a line"),), (), 1.5)
    for one in (said, Outcome(SLIPS[1], (), (), 1, "it cannot be played")):
        Record(file).keep(one)
    assert [Record(file).known(slip) for slip in SLIPS[:3]] == [said, None, None]
