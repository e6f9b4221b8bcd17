"""Jobs from the page: scenarios, experiments and fuzzing beside the game, with places that lead to the rules."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_studio_browser import WIDE, Visit, browser, in_every_look
from test_studio_server import Server

import rulewright as rw

__all__ = ["browser"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    shutil.copytree(next(path for path in rw.shipped_rulesets() if path.name == "tic-tac-toe"), tmp_path / "mine")
    return tmp_path


@pytest.fixture
def server(home: Path) -> Iterator[Server]:
    running = Server(home, str(home / "mine"))
    yield running
    running.close()


def begun(visit: Visit, what: str, **fields: str) -> Any:
    """The card of a job that is started."""
    page = visit.page
    before = page.locator(".job").count()
    page.get_by_label("Job").select_option(label=what)
    for label, value in fields.items():
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_function(f"() => document.querySelectorAll('.job').length > {before}")
    return page.locator(".job").first


def test_jobs_from_the_page(browser: Any, server: Server, home: Path) -> None:
    visit = Visit(browser, server, WIDE)
    page = visit.page
    visit.start("mine", seats="person")
    page.get_by_role("button", name="Prove").click()
    begun(visit, "Scenarios")
    page.get_by_text("2 scenarios, all passed").wait_for()
    begun(visit, "Simulate", Games="50")
    page.get_by_text("nothing is wrong").nth(1).wait_for()
    fuzz = begun(visit, "Fuzz", Seconds="600")
    fuzz.get_by_role("button", name="Stop").click()
    page.wait_for_selector(".job[data-state=stopped]")
    visit.click(0)
    rows = home / "mine" / "scenarios" / "rows.rules"
    rows.write_text(rows.read_text().replace("because turn.taken", "because turn.other", 1))
    begun(visit, "Scenarios")
    page.wait_for_selector(".job[data-code='1'] .place")
    page.locator(".job .place").first.click()
    page.wait_for_selector(".text[data-file='mine/scenarios/rows.rules'][data-language=ready]")
    visit.close()


OUT_OF_REACH = "    if count(c in Cell where mark[c] is p) > 20 then mark[cell] = none\n"
"""There are nine cells."""


def test_what_examine_finds_leads_to_its_line(browser: Any, server: Server, home: Path) -> None:
    rules = home / "mine" / "game.rules"
    rules.write_text(rules.read_text().replace("    mark[cell] = p\n", f"    mark[cell] = p\n{OUT_OF_REACH}"))
    visit = Visit(browser, server, WIDE)
    page = visit.page
    visit.start("mine", seats="person")
    page.get_by_role("button", name="Prove").click()
    found = begun(visit, "Examine", Seconds="1")
    found.get_by_text("something was found").wait_for()
    assert "EXM111/" in found.locator("pre").inner_text()
    found.locator(".place").first.click()
    page.wait_for_selector(".text[data-file='mine/game.rules'][data-language=ready]")
    assert page.locator(".cm-activeLine").inner_text().strip() == OUT_OF_REACH.strip()
    visit.close()


@in_every_look
def test_jobs_can_be_used_by_all(browser: Any, server: Server, theme: str, size: dict[str, int]) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    visit = Visit(browser, server, size, theme)
    visit.start("mine", seats="person")
    visit.page.get_by_role("button", name="Prove").click()
    begun(visit, "Simulate", Games="20")
    visit.page.wait_for_selector(".job[data-state=done] pre")
    found = axe.Axe().run(visit.page).response["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
    assert visit.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    visit.close()
