"""Sliders: curves of rules with other values, drawn by a job while it runs, and stopped when a slider moves again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from studio_page import Failed, Page
from test_studio_browser import Visit, browser, in_every_look
from test_studio_jobs import Recorded, Talk
from test_studio_server import Server
from typer.testing import CliRunner

import rulewright as rw
from rulewright_tools.app import app
from rulewright_tools.studio.host import Catalogue, Host
from rulewright_tools.studio.host.jobs.job import is_taken

__all__ = ["browser"]
for library in ("scipy", "altair", "vl_convert", "choix"):
    pytest.importorskip(library)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with a game that has a parameter of its own."""
    shutil.copytree(next(path for path in rw.shipped_rulesets() if path.name == "pig"), tmp_path / "mine")
    return tmp_path


@pytest.fixture
def server(home: Path) -> Iterator[Server]:
    running = Server(home, str(home / "mine"))
    yield running
    running.close()


def test_a_slider_is_a_command_that_can_be_repeated(home: Path) -> None:
    runner = Recorded()
    page = Page(Host(Catalogue.of([home / "mine"], home=home), runner=runner))
    page.ask("jobs/start", kind="report", ruleset="mine", games=6, options={"goal": "30"}, seats=["random"], players=2)
    page.ask("jobs/start", kind="report", ruleset="mine", games=6)
    assert [job["command"] for job in page.ask("jobs/list")["jobs"]] == [
        "rulewright report mine --against :goal=30 --games 6 --seats random --players 2 --format json",
        "rulewright report mine --games 6 --format json",
    ]
    with pytest.raises(Failed, match="colon"):
        page.ask("jobs/start", kind="report", ruleset="mine", options={"goal": "3:4"})


def test_curves_are_those_of_the_last_pair(home: Path) -> None:
    runner = Recorded()
    page = Page(Host(Catalogue.of([home / "mine"], home=home), runner=runner))
    page.ask("jobs/start", kind="report", ruleset="mine")
    assert page.ask("jobs/curves", job=1) == {"drawn": None}
    drawn: dict[str, Any] = {"arms": ["Pig as it is"], "games": 1, "of": 2, "curves": [], "differences": []}
    for games in (1, 2):
        assert is_taken(json.dumps({"found": {**drawn, "games": games}}), runner.started[0][0])
    assert page.ask("jobs/curves", job=1) == {"drawn": {**drawn, "games": 2}}
    told = page.ask("jobs/list")["jobs"][0]
    assert (told["curves"], told["moments"]) == (2, 0)


def test_curves_of_equal_seeds_are_equal(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    words = ["report", "mine", "--against", ":goal=30", "--seats", "random", "--games", "6", "--format", "json"]
    first, again = (CliRunner().invoke(app, words) for _ in range(2))
    assert first.stdout == again.stdout
    found = json.loads(first.stdout)
    assert (found["games"], found["of"], found["arms"]) == (6, 6, ["Pig as it is", "goal 30"])
    points = next(one for one in found["curves"] if one["name"] == "points")
    assert [line[0] for line in points["lines"]] == [0, 0]
    assert points["lines"][0][-1] > 60 > 35 > points["lines"][1][-1]
    length = next(one for one in found["differences"] if one["name"] == "decisions a game")
    assert length["sure"]
    assert length["means"][0] > length["means"][1] + length["seen"] / 2


def test_a_variant_holds_on_both_sides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["report", "carolus-magnus", "--variant", "Short reign", "--against", ":dice=4", "--seats", "random"]
    done = CliRunner().invoke(app, [*words, "--games", "2", "--format", "json"])
    assert json.loads(done.stdout)["arms"] == ["Short reign", "Short reign, dice 4"]


def test_a_job_draws_while_it_runs(home: Path, server: Server) -> None:
    with server.connect() as socket:
        talk = Talk(socket)
        talk.ask("jobs/start", kind="report", ruleset="mine", games=8, options={"goal": "40"}, seats=["random"])
        done = talk.until("done")
        assert (done["code"], done["curves"]) == (0, 8)
        drawn = talk.ask("jobs/curves", job=done["id"])["drawn"]
        assert (drawn["games"], drawn["arms"][1]) == (8, "goal 40")


@in_every_look
def test_a_slider_moves_the_curves(browser: Any, server: Server, home: Path, theme: str, size: dict[str, int]) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    visit = Visit(browser, server, size, theme)
    page = visit.page
    visit.start("mine", seats="person")
    page.get_by_role("button", name="Sliders").click()
    slider = page.get_by_role("slider", name="goal")
    slider.fill("60")
    page.locator(".curves polyline.line1").first.wait_for()
    page.locator(".legend").get_by_text("goal 60").wait_for()
    slider.fill("150")  # what is drawn still is stopped
    page.locator(".legend").get_by_text("goal 150").wait_for()
    page.get_by_text("12 of 12 pairs of games").wait_for()
    found = axe.Axe().run(page).response["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    visit.close()
