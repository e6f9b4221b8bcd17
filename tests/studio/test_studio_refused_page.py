"""Answers that are not offered are grey, and say why not, to the pointer and to the keyboard."""

from __future__ import annotations

from typing import Any

import pytest
from test_studio_browser import ANSWERS, WIDE, Visit, browser, check, server
from test_studio_server import Server

from sampling import thorough

__all__ = ["browser", "server"]


def test_options_that_are_not_offered_say_why(browser: Any, server: Server) -> None:
    """Of Domaine: an option of an `either` under a condition, and one that a restriction refuses."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    visit = Visit(browser, server, WIDE)
    page = visit.page
    visit.start("domaine", seed=3, seats="person")
    refused = page.locator(".question > .refusals button")
    for number in range(30):
        if refused.count():
            break
        visit.click(number * 7)
    assert refused.count() > 0
    assert page.locator(ANSWERS).and_(refused).count() == 0
    assert refused.first.get_attribute("aria-disabled") == "true"
    before, name = visit.at, refused.first.inner_text()
    refused.first.hover()
    why = page.locator(".why")
    why.wait_for()
    assert f"Why not {name}?" in why.inner_text()
    assert ".rules:" in why.inner_text()
    check(visit, axe, "a refused answer")
    refused.first.dispatch_event("click")
    assert visit.at == before  # it is no answer
    why.get_by_role("button", name="Close").click()
    page.mouse.move(0, 0)
    page.locator(".question .options .choosable").last.focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('.refusals .refused')")
    why.wait_for()
    visit.close()


@thorough
def test_numbers_that_are_not_offered_say_why(browser: Any, server: Server) -> None:
    """Of Connect Four: a column that is full."""
    visit = Visit(browser, server, WIDE)
    visit.start("connect-four", seats="person")
    for _ in range(6):
        visit.click(0)
    full = visit.page.locator(".question > .refusals button")
    full.first.focus()
    visit.page.locator(".why").wait_for()
    assert "full" in visit.page.locator(".why").inner_text()
    visit.close()
