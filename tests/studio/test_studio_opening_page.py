"""Positions on the board, from the page: what the fuzzer finds and what fails is opened and played on."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_studio_browser import NARROW, WIDE, Visit, browser, check, in_every_look
from test_studio_proving import begun
from test_studio_server import Server

import rulewright as rw

__all__ = ["browser"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("opening")
    folder = Path(shutil.copytree(rw.rulesets.find_rulesets("tic-tac-toe")[0], home / "mine"))
    rules, rows = folder / "game.rules", folder / "scenarios" / "rows.rules"
    rules.write_text(
        rules.read_text("utf-8") + "\nproperty middle_is_free after each turn: mark[(1, 1)] is none\n", "utf-8"
    )
    rows.write_text(rows.read_text("utf-8").replace("wins x\n", "wins o\n", 1), "utf-8")
    return home


@pytest.fixture(scope="module")
def server(home: Path) -> Iterator[Server]:
    running = Server(home, str(home / "mine"))
    yield running
    running.close()


def opened_finding(browser: Any, server: Server, job: str, **fields: str) -> Visit:
    """A page in which the first thing that a job has found is opened on the board."""
    visit = Visit(browser, server, WIDE)
    page = visit.page
    visit.start("mine", seats="person")
    page.get_by_role("button", name="Prove").click()
    begun(visit, job, **fields)
    page.wait_for_selector(".job[data-code='1'] .stories .opens")
    page.locator(".stories .opens").first.click()
    told = page.get_by_role("note", name="Scenario")
    told.wait_for()
    assert "middle_is_free" in told.inner_text()
    assert "goes no further than line" in told.inner_text()
    visit.settle()
    assert "(1, 1)" in page.locator(".log").inner_text()
    return visit


def test_what_the_fuzzer_finds_is_played_on(browser: Any, server: Server) -> None:
    visit = opened_finding(browser, server, "Fuzz", Seconds="1")
    page, before = visit.page, int(visit.at)
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector(f"main[data-at='{before - 1}']")
    page.locator(".board .choosable").first.click()  # another line of play
    page.wait_for_selector(f"main[data-at='{before}']")
    visit.close()


def test_what_a_simulation_finds_is_opened_on_the_board(browser: Any, server: Server) -> None:
    opened_finding(browser, server, "Simulate", Games="5").close()


def test_a_scenario_that_fails_is_opened_by_keyboard(browser: Any, server: Server) -> None:
    """From the line of a result, and from the editor."""
    visit = Visit(browser, server, NARROW)
    page = visit.page
    visit.start("mine", seats="person")
    visit.open_menu()
    page.get_by_role("button", name="Prove").click()
    job = begun(visit, "Scenarios")
    page.wait_for_selector(".job[data-code='1'] .opens")
    job.locator("pre .opens").first.focus()
    page.keyboard.press("Enter")
    page.get_by_role("note", name="Scenario").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("document.querySelector('main').getBoundingClientRect().top < innerHeight / 2")
    page.reload()  # it is kept like every game
    page.get_by_role("note", name="Scenario").wait_for()
    visit.open_menu()
    page.get_by_role("button", name="Rules").click()
    page.get_by_label("File", exact=True).select_option("mine/game.rules")
    page.wait_for_selector(".text[data-file='mine/game.rules']")
    assert page.locator(".editing .opens").count() == 0
    page.get_by_label("File", exact=True).select_option("mine/scenarios/rows.rules")
    page.locator(".editing .opens").click()
    page.wait_for_function("() => document.querySelector('[role=note] p')?.textContent.includes('a row wins')")
    visit.close()


@in_every_look
def test_what_is_opened_can_be_used_by_all(browser: Any, server: Server, theme: str, size: dict[str, int]) -> None:
    """The sentence why it stops, and the buttons in a result."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    visit = Visit(browser, server, size, theme)
    page = visit.page
    visit.start("mine", seats="person")
    page.get_by_role("button", name="Prove").click()
    begun(visit, "Scenarios")
    page.locator(".job[data-code='1'] .opens").first.click()
    page.locator(".opened .verdict").wait_for()
    check(visit, axe, "a position that was opened")
    visit.close()
