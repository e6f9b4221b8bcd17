"""Each slip is told at its line, and of the right version nothing is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulewright as rw
from sampling import thorough

from .played_slips import PLAYED_SLIPS
from .slips import GAME, SLIPS, Slip


@pytest.fixture
def bazaar(tmp_path: Path) -> Path:
    """A small game of which variants are made."""
    folder = tmp_path / "bazaar"
    folder.mkdir()
    (folder / "ruleset.json").write_text(json.dumps({"name": "bazaar", "title": "Bazaar", "rules": ["game.rules"]}))
    (folder / "game.rules").write_text(GAME)
    rows = [{"family": family, "count": 6} for family in (1, 2, 3)]
    (folder / "cards.json").write_text(json.dumps({"rows": rows}))
    return folder


def examined(bazaar: Path, clauses: str) -> rw.examination.Examination:
    file = bazaar.parent / "tried.rules"
    lines = [f"    {line}" for line in clauses.strip().splitlines()]
    file.write_text("\n".join(['variant "Tried" of bazaar', *lines]) + "\n")
    return rw.examination.examine(file, games=0, checked=False)


def test_nothing_is_said_of_the_game_itself(bazaar: Path) -> None:
    found = rw.examination.examine(bazaar, games=0, checked=False)
    assert found.findings == ()
    assert (found.base, found.players, found.passed) == ("", (2, 3), True)


@pytest.mark.parametrize("slip", [slip for slip in SLIPS if slip.wrong], ids=lambda slip: slip.name)
def test_a_slip_is_told(slip: Slip, bazaar: Path) -> None:
    found = examined(bazaar, slip.wrong)
    assert [one.code for one in found.findings] == [slip.code], found.findings
    span = found.findings[0].span
    assert slip.line in Path(span.file).read_text().splitlines()[span.line - 1]
    assert not found.passed


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.name)
def test_nothing_is_said_of_its_right_version(slip: Slip, bazaar: Path) -> None:
    found = examined(bazaar, slip.right)
    assert found.findings == ()
    assert found.beside_base


def test_what_the_base_has_as_well_is_left_out(bazaar: Path) -> None:
    (bazaar / "game.rules").write_text(GAME.replace("[0, 1, 2, 3, 4]", "[0, 1, 2]"))
    told = rw.examination.examine(bazaar, games=0, checked=False).findings
    assert [one.code for one in told] == ["EXM105"]
    assert examined(bazaar, "set fee = 4").findings == ()


def test_a_number_that_a_change_sets_makes_no_condition_of_the_base_its_own(bazaar: Path) -> None:
    rules = GAME.replace("param fee = 3\n", "param fee = 3\nparam ends: {late, soon} = late\nparam most = 40\n")
    asked = "    if ends is soon and gold[p] > most then gold[p] = most\n"
    (bazaar / "game.rules").write_text(
        rules.replace("    p chooses either as deed\n", f"{asked}    p chooses either as deed\n")
    )
    assert examined(bazaar, "set most = 30").findings == ()
    assert [one.code for one in examined(bazaar, "set ends = soon\nset most = 30").findings] == []


def test_a_number_that_is_set_out_of_reach_is_told_where_it_is_set(tmp_path: Path) -> None:
    file = tmp_path / "long.rules"
    file.write_text('variant "Long" of carolus_magnus\n    remove few_regions\n    set castles_to_win = 11\n')
    [found] = rw.examination.examine(file, players=2, games=0).findings
    assert (found.code, found.span.file, found.span.line) == ("EXM111", str(file), 3)


def test_an_end_out_of_reach_is_told_at_its_own_line(bazaar: Path) -> None:
    """Its condition is worked out at the end of the turn, where another number is compared with zero as well."""
    rules = GAME.replace(
        "    p chooses either as deed\n", "    if gold[p] > 0 then gold[p] -= 1\n    p chooses either as deed\n"
    )
    ending = "end none_left when count(s in Stall where man[s] is not none) < 0, after turn\n    finish with a draw\n"
    (bazaar / "game.rules").write_text(f"{rules}\n{ending}")
    [found] = [one for one in rw.examination.examine(bazaar, players=2, games=0).findings if one.code == "EXM111"]
    assert found.span.line == len(f"{rules}\n".splitlines()) + 1
    assert found.key.startswith("EXM111/none_left/")


@pytest.mark.parametrize(
    ("begin", "written", "asked", "told"),
    [
        (0, "idle = 0", "idle >= 9", "`idle` is always 0"),
        (9, "idle -= 1", "idle is 10", "`idle` lies between 0 and 9"),
        (3, "idle += 1", "idle < 3", "`idle` lies between 3 and 20"),
        (0, "idle += 1", "idle >= 9", ""),
        (0, "idle = gold[p]", "idle >= 9", ""),
        (9, "idle -= 1", "idle <= 10", ""),
    ],
)
def test_a_number_that_nothing_writes_is_not_come_to(
    bazaar: Path, begin: int, written: str, asked: str, told: str
) -> None:
    """A field comes to what the rules write into it, and no further upwards or downwards than they count."""
    rules = GAME.replace("param fee = 3\n", f"param fee = 3\nfield idle: 0..20 = {begin}\n")
    rules = rules.replace("    p chooses either as deed\n", f"    {written}\n    p chooses either as deed\n")
    (bazaar / "game.rules").write_text(f"{rules}\nend late when {asked}, after turn\n    finish with a draw\n")
    found = [one for one in rw.examination.examine(bazaar, players=2, games=0).findings if one.code == "EXM111"]
    assert [one.message.partition(": ")[2].partition(",")[0] for one in found] == ([told] if told else [])


@pytest.mark.parametrize("asked", ["goal(p) + gold[p] is goal(p)", "goal(p) * gold[p] is goal(p)"])
@pytest.mark.parametrize(("goal", "told"), [("none if helped[p] else votes[p]", []), ("votes[p]", ["EXM102"])])
def test_of_a_number_that_may_be_none_nothing_follows(bazaar: Path, goal: str, told: list[str], asked: str) -> None:
    clauses = f"add query goal(p: Player) -> Int or none = {goal}\nbefore turn.deed\n    gold[p] = 1\n"
    found = examined(bazaar, f"{clauses}    if {asked} then votes[p] += 1").findings
    assert [one.code for one in found if one.code == "EXM102"] == told


@pytest.mark.parametrize("title", ["Short reign", "Great muster"])
def test_nothing_is_said_to_be_wrong_in_shipped_variants(title: str) -> None:
    found = rw.examination.examine("carolus-magnus", 2, [title], games=0).findings
    assert found == ()


LARGEST = "kings-and-things"
"""It takes as long as all others together."""


def test_each_code_has_a_slip_and_a_level() -> None:
    told = {slip.code for slip in (*SLIPS, *PLAYED_SLIPS) if slip.code}
    with_tests_of_their_own = {"EXM304"}
    assert told == set(rw.examination.LEVELS) - with_tests_of_their_own


@pytest.mark.parametrize(
    "ruleset",
    [pytest.param(one, marks=thorough if one.name == LARGEST else ()) for one in sorted(rw.shipped_rulesets())],
    ids=lambda folder: folder.name,
)
def test_nothing_is_said_to_be_wrong_in_shipped_games(ruleset: Path) -> None:
    fewest = rw.playing.player_counts(rw.open_ruleset(ruleset))[0]
    found = rw.examination.examine(ruleset, players=fewest, seconds=6).findings
    assert found == ()


@pytest.mark.parametrize(("most", "told"), [("8, 7 with 3 players", ["EXM111"]), ("8, 6 with 3 players", [])])
def test_a_goal_that_each_number_of_players_has_for_itself_is_told(bazaar: Path, most: str, told: list[str]) -> None:
    """There are six cards of each family; for one number of players it may well be reached."""
    asked = "if count(c in Card where c.family is 1) >= many then votes[p] += 1"
    found = examined(bazaar, f"add param many = {most}\nbefore turn.deed\n    {asked}")
    assert [one.code for one in found.findings if one.code == "EXM111"] == told
