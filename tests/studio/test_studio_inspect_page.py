"""Inspect and Trace in the page: the state, rules and their lines, the rulebook, and hidden hands only after a word."""

from __future__ import annotations

from typing import Any

import pytest
from test_studio_browser import COVER, WIDE, Visit, browser, in_every_look, server

__all__ = ["browser", "server"]

axe = pytest.importorskip("axe_playwright_python.sync_playwright")


def opened(visit: Visit, view: str) -> Any:
    visit.open_menu()
    visit.page.get_by_role("navigation", name="Views").get_by_role("button", name=view).click()
    return visit.page.get_by_role("region", name=view)


@pytest.fixture
def visit(browser: Any, server: Any) -> Any:
    here = Visit(browser, server, WIDE)
    yield here
    here.close()


def test_rules_in_use_lead_to_their_lines(visit: Visit) -> None:
    visit.start("carolus-magnus")
    view = opened(visit, "Inspect")
    view.locator(f".inspecting[data-at='{visit.at}']").wait_for()
    visit.click(3)
    view.locator(f".inspecting[data-at='{visit.at}']").wait_for()  # it follows the game
    assert "Nothing is hidden" in view.inner_text()
    assert view.locator(".leaf").count() > 5
    used = view.locator(".used:has-text('in the last step')").first
    name, line = used.locator("button.place").inner_text().split(":")
    used.locator("button.place").click()
    visit.page.wait_for_selector(f".text[data-file='{name}'][data-language=ready]")
    assert int(line) > 0


def test_what_is_looked_for_after_a_question_and_what_rules_cost(visit: Visit) -> None:
    visit.start("tic-tac-toe")
    view = opened(visit, "Inspect")
    view.get_by_role("button", name="What is looked for after").click()
    view.locator(".plan:has-text('Looked for afterwards')").wait_for()
    assert view.locator("table").count() == 0
    view.get_by_label("Plan of").select_option("")
    view.get_by_role("button", name="What do the rules cost?").click()
    view.locator("table tbody tr").nth(1).wait_for()


def test_hidden_hands_are_shown_after_a_word_only(visit: Visit) -> None:
    visit.start("leduc-poker", seats="")
    view = opened(visit, "Inspect")
    view.get_by_text("The position as first sees it").wait_for()
    view.get_by_role("button", name="Show what is hidden").click()
    view.get_by_role("button", name="No", exact=True).click()
    assert view.locator("[data-scope=own]").count() == 1
    view.get_by_role("button", name="Show what is hidden").click()
    view.get_by_role("button", name="Show everything").click()
    view.locator("[data-scope=all]").wait_for()
    assert "This is everything" in view.get_by_role("alert").inner_text()
    visit.click(1)
    view.locator(f"[data-at='{visit.at}'][data-scope=own]").wait_for()  # it was wished for one position


def test_several_people_are_offered_nothing_hidden(visit: Visit) -> None:
    visit.start("leduc-poker", seats="person", sits=False)
    view = opened(visit, "Inspect")
    view.get_by_text("The position as everybody sees it").wait_for()
    assert view.get_by_role("button", name="Show what is hidden").count() == 0
    visit.page.locator(COVER).click()
    view.get_by_text("The position as first sees it").wait_for()
    assert view.get_by_role("button", name="Show what is hidden").count() == 0


def test_what_one_person_saw_is_gone_when_the_cover_falls(visit: Visit) -> None:
    """The page may go anywhere then: it is gone until somebody says that they sit there."""
    page, cards = visit.page, ("jack", "queen", "king")
    visit.start("leduc-poker", seats="person", sits=False)
    view = opened(visit, "Inspect")

    def require_covered() -> None:
        page.locator(COVER).wait_for()
        view.get_by_text("The position as everybody sees it").wait_for()
        view.locator(f".inspecting[data-at='{visit.at}']").wait_for()
        text = page.locator("body").inner_text()
        assert not [card for card in cards if card in text]

    require_covered()
    for _ in range(2):  # then a card is turned up for all
        if page.locator(COVER).count():
            page.locator(COVER).click()
            view.get_by_text("The position as everybody sees it").wait_for(state="detached")
            assert any(card in page.locator("body").inner_text() for card in cards)
        if visit.at == "0":
            visit.click(0)
            require_covered()
            for go in ("Undo", "Redo"):
                page.get_by_role("button", name=go, exact=True).click()
                page.wait_for_function("() => document.querySelector('main[aria-busy=false]')")
                require_covered()
            page.get_by_role("slider").fill("0")
            page.wait_for_selector("main[data-at='0']")
            require_covered()
            page.get_by_role("button", name="Redo", exact=True).click()
            page.wait_for_selector("main[data-at='1']")
            page.locator(".log button").first.click()
            page.wait_for_selector("main[data-at='0']")
            require_covered()
            page.get_by_role("button", name="Redo", exact=True).click()
            page.wait_for_selector("main[data-at='1']")
            require_covered()
    opened(visit, "Prove").get_by_role("button", name="Keep as scenario").click()
    page.get_by_text("a scenario would tell what is hidden").wait_for()
    assert page.locator(".scenario-lines").count() == 0


def test_the_rulebook_beside_the_rules(visit: Visit) -> None:
    visit.start("carolus-magnus")
    visit.click(0)
    view = opened(visit, "Trace")
    view.get_by_text("statements of the rulebook that apply").wait_for()
    everything = view.locator(".traced").count()
    assert view.locator(".traced button.place").count() == 0
    view.locator(".tracing > details > summary").nth(1).click()
    view.locator(".traced button.place").first.wait_for()
    view.get_by_label("Show").select_option("used")
    view.locator(".traced:not(:has-text('used ×'))").first.wait_for(state="detached")
    assert 0 < view.locator(".traced").count() < everything
    view.get_by_label("Show").select_option("missing")
    view.get_by_text("There are none.").wait_for()
    visit.click(0)
    view.get_by_role("button", name="Count again").click()
    view.locator("[data-current=true]").wait_for()


@in_every_look
def test_nothing_serious_is_found_by_axe(browser: Any, server: Any, theme: str, size: dict[str, int]) -> None:
    here = Visit(browser, server, size, theme)
    here.start("leduc-poker", seats="")
    for view, ready in (("Inspect", ".inspecting"), ("Trace", ".tracing")):
        region = opened(here, view)
        region.locator(ready).wait_for()
        if view == "Inspect":
            region.get_by_role("button", name="What do the rules cost?").click()
            region.locator("table").wait_for()
            region.get_by_role("button", name="Show what is hidden").click()
            region.get_by_role("button", name="Show everything").click()
            region.locator("[data-scope=all]").wait_for()
        found = axe.Axe().run(here.page).response["violations"]
        assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
        assert here.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    here.close()
