"""``rulewright test``: what a scenario may say, and how a failure is told."""

from __future__ import annotations

import shutil
import xml.etree.ElementTree as ElementTree
from collections.abc import Hashable
from functools import cache
from pathlib import Path

import pytest

import rulewright as rw
from rulewright.play.scenarios.setup import game_of
from sampling import thorough

from .conftest import RULESETS, Run

HEAD = """\
scenario "one"
    players red, blue
    put 2 "grey pebble" in on["1"]
    put "gold pebble" in on["2"]
"""


def run_lines(run: Run, pond: Path, *lines: str, head: str = HEAD) -> dict[str, object]:
    """The failure of a scenario with these lines; empty if it passes."""
    body = "".join(f"    {line}\n" for line in lines)
    (pond / "scenarios" / "turns.rules").write_text(head + body, encoding="utf-8")
    outcome = run("test", pond, "--format", "json")
    assert outcome.code in (0, 1), outcome
    [ruleset] = outcome.json["rulesets"]
    [scenario] = ruleset["scenarios"]
    failure: dict[str, object] = scenario.get("failure", {})
    assert scenario["passed"] == (not failure) == (outcome.code == 0)
    return failure


LARGE = RULESETS / "kings-and-things"
OTHERS = [folder for folder in rw.rulesets.find_rulesets(RULESETS) if folder != LARGE]
PARTS = 6
"""Parts of the scenarios of the largest ruleset, each of some seconds."""
EACH_DAY = 2
"""Parts that are run each day; the others with ``make torture``, and by ``rulewright test``."""
FEW = 20
"""Scenarios of a game that are not divided, so that its code is made once."""


@pytest.mark.timeout(900)
@pytest.mark.parametrize("folder", OTHERS, ids=lambda folder: folder.name)
def test_shipped_rulesets_are_green(run: Run, folder: Path) -> None:
    outcome = run("test", folder)
    assert outcome.code == 0, outcome.out


@cache
def parts() -> list[list[rw.scenarios.ScenarioPlan]]:
    """The scenarios of the largest ruleset in parts, those of one game together unless they are many."""
    games: dict[Hashable, list[rw.scenarios.ScenarioPlan]] = {}
    for plan in rw.scenarios.plans(rw.open_ruleset(LARGE)):
        assert isinstance(plan, rw.scenarios.ScenarioPlan), plan
        games.setdefault(game_of(plan), []).append(plan)
    few = [plans for plans in games.values() if len(plans) <= FEW]
    many = [plans for plans in games.values() if len(plans) > FEW]
    dealt = [[plan for plans in few[part::PARTS] for plan in plans] for part in range(PARTS)]
    return [[*some, *(plan for plans in many for plan in plans[part::PARTS])] for part, some in enumerate(dealt)]


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "part", [pytest.param(part, marks=() if part < EACH_DAY else thorough) for part in range(PARTS)]
)
def test_the_largest_ruleset_is_green(part: int) -> None:
    assert len(parts()[part]) > 80
    assert [str(result) for result in rw.scenarios.run_scenarios(parts()[part]) if not result.passed] == []


def test_all_below_a_folder_are_run(run: Run, pond: Path) -> None:
    shutil.copytree(pond, pond.parent / "deeper" / "other")
    rulesets = run("test", pond.parent, "--format", "json").json["rulesets"]
    assert len(rulesets) == 2
    assert all(one["scenarios"] for one in rulesets)


def test_values_are_told(run: Run, pond: Path) -> None:
    failure = run_lines(
        run, pond, "start turn(red)", 'when red: stone = "1", pebble = "grey pebble"', "then points(red) is 2"
    )
    assert failure["line"] == 7
    assert failure["text"] == "then points(red) is 2"
    assert failure["found"] == "points(red) is 1"
    assert failure["log"] == ["red: turn.stone = 1", "red: turn.pebble = grey pebble"]


def test_position_alone_may_be_looked_at(run: Run, pond: Path) -> None:
    assert not run_lines(run, pond, 'then size(on["1"]) is 2, points(red) is 0')


def test_pieces_not_named_stay_where_they_begin(run: Run, pond: Path) -> None:
    assert not run_lines(run, pond, "then size(bag) is 21")


@pytest.mark.parametrize(
    ("line", "message", "found"),
    [
        ('when blue: stone = "1"', "another question is asked here", "red is asked for `stone`: 1, 2"),
        ('when red: pebble = "grey pebble"', "another question is asked here", "red is asked for `stone`: 1, 2"),
        ('when red: stone = "3"', "`3` is not an option of `stone`", "1, 2"),
        ('refused red: stone = "1"', "this is offered", "1, 2"),
        ('refused red: stone = "3" because turn.just_chosen', "but for another reason", "not_among"),
        ('offered red: stone = {"1", "2", "3"}', "other options are offered", "1, 2"),
        ('offered red: stone = {"1"}', "other options are offered", "1, 2"),
        ("wins red", "the game is not over", "red is asked for `stone`"),
        ('put "gold pebble" in on["3"]', "must come before `start`", ""),
    ],
)
def test_what_does_not_hold(run: Run, pond: Path, line: str, message: str, found: str) -> None:
    failure = run_lines(run, pond, "start turn(red)", line)
    assert message in str(failure["message"])
    assert found in str(failure["found"])
    assert failure["line"] == 6
    assert failure["rule"] == "turn.stone"


def test_answers_behind_the_end(run: Run, pond: Path) -> None:
    lines = ("start turn(red)", 'when red: stone = "1", pebble = "grey pebble"', 'when red: stone = "2"')
    failure = run_lines(run, pond, *lines)
    assert failure["found"] == "the rules that were started have ended"


def test_too_many_pieces(run: Run, pond: Path) -> None:
    failure = run_lines(run, pond, 'put 6 "gold pebble" in on["3"]')
    assert "not 6 more" in str(failure["message"])


CHANCE = 'scenario "draws"\n    players red, blue\n'


def test_chance_must_be_written_down(run: Run, pond: Path) -> None:
    failure = run_lines(run, pond, "start setup", 'when red: stone = "1"', head=CHANCE)
    assert "no `chance` line" in str(failure["message"])


def test_chance_that_nobody_answers_may_stay_open(run: Run, pond: Path) -> None:
    assert not run_lines(run, pond, "start setup", 'then on["1"] is empty', head=CHANCE)


def test_chance_from_its_lines(run: Run, pond: Path) -> None:
    twelve = ", ".join(['"grey pebble"'] * 10 + ['"gold pebble"'] * 2)
    label = chance_label(run, pond)
    head = CHANCE + f"    chance: {label} = [{twelve}]\n"
    assert not run_lines(run, pond, "start play", 'then size(on["1"]) is 2', "offered red: stone = Stone", head=head)
    more = CHANCE + f'    chance: {label} = [{twelve}, "grey pebble"]\n'
    failure = run_lines(run, pond, "start setup", 'then size(on["1"]) is 2', head=more)
    assert "never asked" in str(failure["message"])
    golden = ", ".join(['"gold pebble"'] * 12)
    wrong = CHANCE + f"    chance: {label} = [{golden}]\n"
    failure = run_lines(run, pond, "start setup", head=wrong)
    assert "chance cannot give" in str(failure["message"])


def chance_label(run: Run, pond: Path) -> str:
    """The label of chance in the template's setup."""
    log = run("play", pond, "--seats", "human,human", stdin="log\n").out
    return log.split("chance: ")[1].split(" ")[0]


def test_a_whole_game_without_chance_lines_has_a_fixed_seed(run: Run, pond: Path) -> None:
    lines = ("start play", 'then size(on["1"]) is 2', "offered red: stone = Stone")
    assert not run_lines(run, pond, *lines, head=CHANCE)


def test_only_some(run: Run, pond: Path) -> None:
    assert run("test", pond, "-k", "UNLESS", "--format", "json").json["scenarios"] == 1
    assert run("test", pond, "-k", "nothing like this", "--format", "json").json["scenarios"] == 0


def test_text_and_junit_tell_the_same(run: Run, pond: Path) -> None:
    run_lines(run, pond, "start turn(red)", 'when red: stone = "3"')
    text = run("test", pond).out
    assert "1 failed" in text
    assert "found     1, 2" in text
    suites = ElementTree.fromstring(run("test", pond, "--format", "junit").out)
    [failure] = suites.iter("failure")
    assert "`3` is not an option" in failure.attrib["message"]
    assert "found     1, 2" in str(failure.text)
    assert suites.attrib["failures"] == "1"


def test_what_does_not_hold_yet_says_who_is_asked(run: Run, pond: Path) -> None:
    """An answer that was left out is the most common reason."""
    failure = run_lines(run, pond, "start turn(red)", "then points(red) is 3")
    assert failure["message"] == "this does not hold while red is asked for `stone`"


def test_parameters_are_told_with_their_values(run: Run, pond: Path) -> None:
    failure = run_lines(run, pond, "then pebbles_a_stone is 9")
    assert failure["found"] == "pebbles_a_stone is 2"


def test_an_invariant_that_the_position_breaks_is_named(run: Run, tmp_path: Path) -> None:
    variant = tmp_path / "fewer.rules"
    variant.write_text(
        'variant "Fewer" of pig\n    add invariant poor for p in players: points[p] < 10\n\n'
        'scenario "rich"\n    variant "Fewer"\n    players anna, bert\n    given points[anna] = 20\n'
        "    start turn(anna)\n    offered anna: deed = {roll, hold}\n"
    )
    done = run("test", variant)
    assert done.code == 0, done
    assert '`poor` does not hold in the position of "rich", so it is not looked at there' in done.out
