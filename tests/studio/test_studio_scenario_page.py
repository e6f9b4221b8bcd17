"""Scenarios from the page: what was played is kept in a file of rules, run, and leads to its line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_studio_browser import Visit, browser, in_every_look
from test_studio_proving import home, server
from test_studio_server import Server
from typer.testing import CliRunner

from rulewright_tools.app import app

__all__ = ["browser", "home", "server"]


@in_every_look
def test_what_was_played_is_kept_from_the_page(
    browser: Any, server: Server, home: Path, theme: str, size: dict[str, int]
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    visit = Visit(browser, server, size, theme)
    page = visit.page
    visit.start("mine", seats="person")
    visit.click(0)
    visit.click(3)
    page.get_by_role("button", name="Prove").click()
    page.get_by_role("button", name="Keep as scenario").click()
    page.get_by_label("Title").fill("kept from the page")
    text = page.get_by_label("The scenario as it will be written")
    text.filter(has_text='scenario "kept from the page"').wait_for()
    offered = page.locator(".scenario-lines label", has_text="offered").last
    offered.get_by_role("checkbox").set_checked(True)
    text.filter(has_text="offered").wait_for()
    found = axe.Axe().run(page).response["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    written = text.text_content()
    page.get_by_label("File").select_option("mine/scenarios/rows.rules")
    page.get_by_role("button", name="Write it and run it").click()
    page.wait_for_selector("[data-kept=green]")
    assert (home / "mine" / "scenarios" / "rows.rules").read_text().endswith(written)
    done = CliRunner().invoke(app, ["test", str(home / "mine")])
    assert done.exit_code == 0, done.output
    page.locator("[data-kept=green] .place").click()
    page.wait_for_selector(".text[data-file='mine/scenarios/rows.rules']")
    visit.close()
