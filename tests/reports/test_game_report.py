"""The report of a game: what its page says is what was found, in words that a publisher knows."""

from __future__ import annotations

import re
import time
from html import unescape
from pathlib import Path

import pytest
from typer.testing import CliRunner

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools.app import app
from rulewright_tools.reports.game_report import nearest
from rulewright_tools.reports.game_report.plan import Clock, standing_of
from rulewright_tools.reports.names_for_people import PeopleNames, arm_name

for library in ("altair", "vl_convert", "choix", "scipy"):
    pytest.importorskip(library)

SMALL = ("--games", "12")


def reported(target: Path, *words: str) -> str:
    """The page of a command."""
    done = CliRunner().invoke(app, ["report", *words, "--output", str(target)])
    assert done.exit_code == 0, done.stderr
    return target.read_text("utf-8")


def visible(page: str) -> str:
    """The words that a reader sees, but those of the command to repeat it and of rules."""
    text = re.sub(r"<(style|title|pre|code)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]*>", " ", text))


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    return reported(tmp_path_factory.mktemp("report") / "a.html", "tic-tac-toe", *SMALL)


def test_the_page_says_what_a_game_is(small: str) -> None:
    text = visible(small)
    for heading in ("The game", "How long a game is", "Who wins from where"):
        assert heading in text
    assert re.search(r"about \d+ (to \d+ )?minutes", text)
    assert "the first player (x)" in text
    assert "In the middle of a game" in text
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", small)


def test_equal_seeds_give_equal_pages_with_any_number_of_workers(small: str, tmp_path: Path) -> None:
    assert reported(tmp_path / "b.html", "tic-tac-toe", *SMALL, "--jobs", "2") == small


@pytest.mark.parametrize("name", [path.name for path in rw.shipped_rulesets()])
def test_no_identifier_is_seen(name: str, tmp_path: Path) -> None:
    text = visible(reported(tmp_path / "a.html", name, "--games", "2", "--seats", "random"))
    assert re.findall(r"\S*\w_\w\S*", text) == []


def test_two_versions_side_by_side(tmp_path: Path) -> None:
    """A game to a third of the points is surely shorter, and the report says what it could not have missed."""
    page = reported(tmp_path / "a.html", "pig", "--against", ":goal=30", "--games", "20", "--seats", "random")
    text = visible(page)
    assert "Goal 30, beside Pig as it is: 20 games of each with equal seeds." in text
    assert re.search(r"Sure: games are \d+ (decisions|turns) (longer|shorter): \d+ instead of \d+\.", text)
    assert "Not sure: the first player wins (a difference of" in text
    assert "What we would have seen" in text
    assert "p = " in re.sub(r".*For statisticians", "", text, flags=re.DOTALL)


def test_what_time_did_not_allow_is_named(tmp_path: Path) -> None:
    text = visible(reported(tmp_path / "a.html", "carolus-magnus", "--games", "5000", "--time", "3"))
    assert re.search(r"Time allowed \d+ of 5000 games\.|There was no time for games:", text)
    assert re.search(r"Time allowed \d+ of \d+ (rounds|games that)|what they would show was not looked at", text)


@pytest.mark.parametrize(
    ("measure", "name"),
    [
        ("wins(seat 1)", "the first player wins"),
        ("castles_built(seat 2)", "castles built of the second player"),
        ("wins(mcts:20)", "who tries 20 continuations before each answer wins"),
        ("drama", "drama"),
        ("lead_changes(castles_built)", "changes of the lead in castles built"),
    ],
)
def test_measures_have_names_for_people(measure: str, name: str) -> None:
    assert PeopleNames(rw.load("carolus-magnus")).measure(measure) == name


def test_arms_have_names_for_people() -> None:
    base, changed = lab.experiments.read_arms(("pig", ":goal=30"))
    assert (arm_name(base), arm_name(changed)) == ("Pig as it is", "goal 30")


def test_profiles_are_of_shipped_games() -> None:
    titles = {rw.open_ruleset(path).manifest.title for path in rw.shipped_rulesets()}
    games = nearest.library()
    assert len(games) >= 10
    assert {one["title"] for one in games.values()} <= titles
    for one in games.values():
        measures = one["measures"]
        assert isinstance(measures, dict)
        assert set(measures) <= set(nearest.FEATURES)


def test_a_game_is_near_to_those_that_are_played_alike(small: str) -> None:
    """The table of a page has the nearest first, and never the game itself."""
    part = visible(small).partition("Games like it")[2]
    assert re.search(r"alike in [\w ]+", part)
    assert "Tic-tac-toe:" not in part


def test_time_is_divided_among_the_parts() -> None:
    clock = Clock(10.0, time.monotonic() - 5)
    with clock.until(0.9):
        pass
    with pytest.raises(rw.Stopped), clock.until(0.4):
        raise AssertionError("its time is over")
    assert clock.affordable(100) < 10
    assert clock.ends(0.9) - time.monotonic() == pytest.approx(1.75, abs=0.2)
    assert Clock(None).affordable(100) == 100
    game = rw.load("carolus-magnus")
    assert standing_of(game, 0, Clock(None))
    assert not standing_of(game, 0, clock)
