"""Variants and parameters as switches beside a game, and the clauses that they change, in the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from test_studio_browser import WIDE, Visit, browser, in_every_look
from test_studio_server import Server

__all__ = ["browser"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("variants"))
    yield running
    running.close()


def opened(browser: Any, server: Server, size: dict[str, int] = WIDE, theme: str = "light") -> Visit:
    visit = Visit(browser, server, size, theme)
    visit.start("carolus-magnus", seats="person")
    visit.page.get_by_role("button", name="Variants").click()
    visit.page.get_by_text("Nothing: these are the rules as they come").wait_for()
    return visit


def test_a_game_goes_on_with_a_variant_whose_clauses_are_told(browser: Any, server: Server) -> None:
    visit = opened(browser, server)
    page = visit.page
    visit.click(0)
    page.get_by_role("checkbox", name="Short reign").check()
    page.get_by_text("The game goes on with the new rules").wait_for()
    page.wait_for_selector("main[data-at='1']")
    clause = page.locator(".difference[data-address=castles_to_win]")
    assert "10 → 6" in clause.inner_text()
    assert clause.locator(".clause.new mark").inner_text() == "6"
    clause.locator(".clause.new button.place").click()
    page.wait_for_selector(".text[data-file='carolus-magnus/variants/short-reign.rules'][data-language=ready]")
    page.wait_for_selector(".cm-activeLine:has-text('castles_to_win = 6')")
    page.get_by_role("button", name="Variants").click()
    page.get_by_role("checkbox", name="Short reign").uncheck()
    page.get_by_text("Nothing: these are the rules as they come").wait_for()
    visit.click(0)
    visit.wrong[:] = [line for line in visit.wrong if not line.startswith("Applying inline style")]
    visit.close()


def test_a_parameter_is_changed_refused_and_left_to_the_rules(browser: Any, server: Server) -> None:
    visit = opened(browser, server)
    page = visit.page
    page.locator(".variants summary").first.click()
    box = page.get_by_label("knights per turn")
    assert box.get_attribute("placeholder") == "3"
    box.fill("2")
    box.press("Enter")
    page.locator(".difference[data-address=knights_per_turn]").wait_for()
    box.fill("many")
    box.press("Enter")
    page.get_by_text("The game goes on with the rules as they were").wait_for()
    assert page.get_by_label("knights per turn").input_value() == "2"
    page.get_by_role("button", name="All parameters as the rules say").click()
    page.get_by_text("Nothing: these are the rules as they come").wait_for()
    assert page.get_by_label("knights per turn").input_value() == ""
    visit.close()


def test_an_experiment_tells_what_a_choice_changes(browser: Any, server: Server) -> None:
    visit = opened(browser, server)
    page = visit.page
    page.get_by_role("checkbox", name="Short reign").check()
    page.get_by_label("Games", exact=True).fill("40")
    page.get_by_role("button", name="Find out").click()
    page.wait_for_selector(".found-list li.sure")  # in words for players first
    assert "interval" not in page.locator(".found-list").inner_text()
    page.get_by_text("Details, as a statistician").click()
    told = page.locator(".job pre").inner_text()
    assert "carolus-magnus:Short reign" in told
    assert str(server.folder) not in told
    assert "decisions" in told
    assert "games are" in page.locator(".found-list li.sure").first.inner_text()
    page.get_by_label("Games", exact=True).fill("100000")
    page.get_by_role("button", name="Find out").click()
    page.get_by_role("button", name="Stop", exact=True).last.click()
    page.wait_for_selector(".job[data-state=stopped]")
    visit.click(0)
    visit.close()


@in_every_look
def test_the_switches_can_be_used_by_all(browser: Any, server: Server, theme: str, size: dict[str, int]) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    visit = opened(browser, server, size, theme)
    page = visit.page
    page.get_by_role("checkbox", name="Great muster").check()
    page.locator(".difference").first.wait_for()
    found = axe.Axe().run(page).response["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator(".clause.new button.place").first.click()
    page.wait_for_selector(".text[data-language=ready]")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    visit.close()
