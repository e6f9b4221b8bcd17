"""Moments from the page: each is answered, and is kept as a scenario or gives way to a clause that does what was meant.

A job hands them over while it runs; files are written as pages may write them.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from studio_page import Failed, Page, printed
from test_studio_browser import Visit, browser, in_every_look
from test_studio_jobs import Recorded, Talk
from test_studio_proving import begun
from test_studio_server import Server

import rulewright as rw
from rulewright_tools import confirming
from rulewright_tools.studio.host import Catalogue, Host
from rulewright_tools.studio.host.jobs.job import is_taken

__all__ = ["browser"]

CORNERS = Path(__file__).parents[1] / "benchmarks/slip_pairs/four/15-ot-corners.rules"
BORDER = "    add query border(n: Int) -> Bool = n is 0 or n is size - 1"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with a variant that has a slip."""
    shutil.copy(CORNERS, tmp_path / "corners.rules")
    return tmp_path


@pytest.fixture
def server(home: Path) -> Iterator[Server]:
    running = Server(home, str(home / "corners.rules"))
    yield running
    running.close()


def line_of(place: Path, **changes: Any) -> str:
    """A line of a command about a moment of the variant."""
    edit = {"file": str(place), "above": 2, "old": [BORDER], "new": [BORDER.replace("or", "and"), "    # as meant"]}
    found: dict[str, Any] = {
        "rule": "border", "clause": BORDER.strip(), "file": str(place), "line": 3, "comment": ["Three."],
        "statements": {"OT-1": "Eight rows."}, "position": [], "events": [], "measures": ["black: counted 3"],
        "unchanged": [], "question": "", "over": True, "boards": ["<svg/>"],
        "choices": [{"clause": "another", "instead": ["black: counted 5"], "edit": edit}],
        "scenario": 'scenario "border 1"\n    players black, white\n    start play\n',
    }  # fmt: skip
    return json.dumps({"found": {**found, **changes}})


def page_with(home: Path, *lines: str, ruleset: str = "corners") -> tuple[Page, Recorded]:
    """A page whose first job has found something."""
    runner = Recorded()
    page = Page(Host(Catalogue.of([], home=home), runner=runner))
    page.ask("jobs/start", kind="confirm", ruleset=ruleset, seconds=5)
    assert all(is_taken(line, runner.started[0][0]) for line in lines)
    return page, runner


def test_moments_are_listed_without_paths(home: Path) -> None:
    page, _ = page_with(home, line_of(home / "corners.rules"), line_of(Path("/elsewhere/other.rules")))
    assert page.ask("jobs/list")["jobs"][0]["moments"] == 2
    first, second = page.ask("jobs/moments", job=1)["moments"]
    assert (first["file"], first["line"], second["file"]) == ("corners/corners.rules", 3, None)
    assert first["statements"] == [{"id": "OT-1", "text": "Eight rows."}]
    assert first["choices"] == [{"clause": "another", "instead": ["black: counted 5"]}]
    assert [one["file"] for one in page.ask("jobs/moments", **{"job": 1, "from": 1})["moments"]] == [None]


def test_a_right_moment_is_kept_once(home: Path) -> None:
    page, _ = page_with(home, line_of(home / "corners.rules"), line_of(home / "corners.rules", scenario=""))
    kept = page.ask("jobs/keep", job=1, number=0)
    lines = (home / "corners.rules").read_text().splitlines()
    assert kept["file"] == "corners/corners.rules"
    assert lines[kept["line"] - 1] == 'scenario "border 1"'
    for number in (0, 1, 2):
        with pytest.raises(Failed):
            page.ask("jobs/keep", job=1, number=number)
    assert (home / "corners.rules").read_text().splitlines() == lines


def test_moments_of_a_ruleset_are_kept_in_a_file_that_it_lists(home: Path) -> None:
    shutil.copytree(next(path for path in rw.shipped_rulesets() if path.name == "pig"), home / "mine")
    runner = Recorded()
    page = Page(Host(Catalogue.of([home / "mine"], home=home), runner=runner))
    page.ask("jobs/start", kind="confirm", ruleset="mine")
    assert is_taken(line_of(home / "mine" / "game.rules"), runner.started[0][0])
    assert page.ask("jobs/keep", job=1, number=0) == {"file": "mine/confirmed.rules", "line": 1}
    assert "confirmed.rules" in json.loads((home / "mine" / "ruleset.json").read_text())["scenarios"]


def test_the_clause_that_was_meant_is_written_and_the_command_runs_anew(home: Path) -> None:
    page, runner = page_with(home, line_of(home / "corners.rules"))
    assert page.ask("jobs/write", job=1, number=0, choice=0) == {"file": "corners/corners.rules", "line": 3, "id": 2}
    assert (home / "corners.rules").read_text() == CORNERS.read_text().replace(
        BORDER, BORDER.replace("or", "and") + "\n    # as meant"
    )
    assert runner.started[1][0].words == runner.started[0][0].words
    with pytest.raises(Failed, match="changed meanwhile"):
        page.ask("jobs/write", job=1, number=0, choice=0)


def test_a_clause_that_contradicts_a_kept_moment_is_not_written(home: Path) -> None:
    edit = {"file": str(home / "corners.rules"), "above": 2, "old": [BORDER], "new": [BORDER.replace(" or ", " and ")]}
    kept = """scenario "border 1"
    players black, white
    variant "Corners"
    given disc[(0, 3)] = black
    then counted(black) is 7
"""
    first = line_of(home / "corners.rules", scenario=kept)
    second = line_of(home / "corners.rules", choices=[{"clause": "", "instead": ["black: counted 5"], "edit": edit}])
    page, _ = page_with(home, first, second)
    page.ask("jobs/keep", job=1, number=0)
    text = (home / "corners.rules").read_text()
    with pytest.raises(Failed, match="contradicts `border 1`, which was right"):
        page.ask("jobs/write", job=1, number=1, choice=0)
    assert (home / "corners.rules").read_text() == text


def test_edits_are_those_of_the_text_that_was_opened(home: Path) -> None:
    """Moments that are looked for hold nothing that is kept meanwhile."""
    found: list[rw.confirmation.Moment] = []
    opened, _ = rw.rulesets.with_variants(home / "corners.rules", ())
    rw.confirmation.confirm(opened, variants=["Corners"], games=1, most=1, show=found.append)
    (home / "corners.rules").write_text(f'{CORNERS.read_text().rstrip()}\n\nscenario "kept"\n    start play\n')
    edit = confirming.moment_data(found[0], opened)["choices"][0]["edit"]
    assert 'scenario "kept"' in (confirming.edited((home / "corners.rules").read_text(), edit) or "")


@pytest.mark.parametrize("place", ["/etc/hostname", "../other.rules"])
def test_no_other_file_is_written(home: Path, place: str) -> None:
    (home.parent / "other.rules").write_text(CORNERS.read_text())
    page, _ = page_with(home, line_of(home / place))
    with pytest.raises(Failed, match="belongs to no ruleset"):
        page.ask("jobs/write", job=1, number=0, choice=0)


def test_what_comes_with_the_library_stays(home: Path) -> None:
    page, _ = page_with(home, line_of(home / "corners.rules"), ruleset="othello")
    with pytest.raises(Failed, match="stays as it is"):
        page.ask("jobs/keep", job=1, number=0)


@pytest.mark.parametrize("text", ["a\nb\nc\nd", "a\nx\nb\nc\nd\n", "", "a\nb", "a\nc\nb\nd", "b\nb\nb"])
def test_edits_turn_one_text_into_the_other(text: str) -> None:
    for other in ("a\nb\nc\nd", "a\nd", "", "b\nb", "a\nb\nb\nc\nd"):
        edit = confirming.edit_between(text, other)
        assert confirming.edited(text, edit) == other


def test_a_job_hands_over_moments_while_it_runs(home: Path, server: Server) -> None:
    with server.connect() as socket:
        talk = Talk(socket)
        talk.ask("jobs/start", kind="confirm", ruleset="corners", seconds=5)
        done = talk.until("done")
        assert done["code"] == 0
        assert "small changes tried" in printed(done)
        assert "[y] right" not in printed(done)
        found = talk.ask("jobs/moments", job=done["id"])["moments"]
        assert len(found) == done["moments"] > 2
        assert any(one["state"] == "runs" and one["moments"] for one in talk.changed)
        assert all(board.lstrip().startswith("<?xml") for one in found for board in one["boards"])
        assert any(len(one["boards"]) == 2 for one in found)


@in_every_look
def test_one_moment_is_right_and_another_is_not(
    browser: Any, server: Server, home: Path, theme: str, size: dict[str, int]
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    visit = Visit(browser, server, size, theme)
    page = visit.page
    visit.start("corners", seats="person")
    page.get_by_role("button", name="Prove").click()
    begun(visit, "Confirm", Seconds="10")
    moment = page.locator(".moment")
    moment.get_by_text("At the end a disc in a corner counts three.").wait_for()
    moment.locator("figure svg").first.wait_for()
    page.wait_for_selector(".job[data-state=done]")
    moment.press("y")
    page.locator(".answered").get_by_text("right").wait_for()
    text = (home / "corners.rules").read_text()
    assert text.count("scenario ") == 1
    moment.press("s")
    page.locator(".answered").get_by_text("skipped").wait_for()
    moment.get_by_role("button", name="Not what I meant").click()
    choice = moment.locator(".choice").first
    choice.wait_for()
    found = axe.Axe().run(page).response["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    boards = moment.locator("figure").evaluate_all("all => all.map(one => one.getBoundingClientRect().right)")
    assert boards
    assert max(boards) <= size["width"]
    moment.press("1")
    page.wait_for_function("() => document.querySelectorAll('.job').length === 2")
    page.locator(".answered .place").last.wait_for()
    assert (home / "corners.rules").read_text() != text
    page.wait_for_selector(".job:first-of-type .moment, .job[data-state=done] >> nth=1")
    visit.close()
