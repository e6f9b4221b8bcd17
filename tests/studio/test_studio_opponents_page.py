"""Players, as the page offers them: persons here and by links, opponents by strength, and agents by their words."""

from __future__ import annotations

from typing import Any

import pytest
from test_studio_browser import ANSWERS, NARROW, WIDE, Visit, browser, server, visit  # noqa: F401
from test_studio_tables_page import Guest


def chosen(here: Visit) -> list[str]:
    return [str(one.input_value()) for one in here.page.locator("form.start .occupant select").all()]


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_a_new_game_is_against_opponents(browser: Any, server: Any, size: dict[str, int]) -> None:  # noqa: F811
    here = Visit(browser, server, size)
    page = here.page
    here.fill_in("carolus-magnus", 3)
    assert chosen(here) == ["person", "middle", "middle"]
    page.locator("form.start .occupant select").nth(1).select_option("easy")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_selector("main[data-ruleset='carolus-magnus']")
    here.settle()
    here.click(0)
    assert "middle" in page.locator(".thought").inner_text() or "easy" in page.locator(".thought").inner_text()
    assert "mcts" not in page.locator(".question").inner_text()
    here.close()


def test_a_person_by_link(browser: Any, server: Any, visit: Visit) -> None:  # noqa: F811
    """The links are shown as soon as the game begins, and whoever opens one plays."""
    page = visit.page
    visit.fill_in("tic-tac-toe")
    visit.occupy(page.locator("form.start .occupant").nth(0), "link")
    visit.occupy(page.locator("form.start .occupant").nth(1), "person")
    page.get_by_role("button", name="Start", exact=True).click()
    box = page.get_by_role("textbox", name="Link for ").first
    box.wait_for()
    guest = Guest(browser, box.input_value(), NARROW)
    page.get_by_role("button", name="Close").first.click()
    guest.page.wait_for_selector("main[data-asks=person]")
    guest.answer(0)
    visit.settle()
    page.locator(ANSWERS).first.click()
    guest.page.wait_for_selector("main[data-asks=person]")
    assert guest.wrong == visit.wrong == []


def test_an_opponent_takes_a_seat(visit: Visit) -> None:  # noqa: F811
    page = visit.page
    visit.start("tic-tac-toe", seats=["person", "link"])
    page.get_by_role("button", name="Close").first.click()
    page.locator(".strip li button").nth(1).click()
    form = page.locator(".seat-form")
    assert form.locator("select").input_value() == "middle"
    form.locator("select").select_option("easy")
    form.get_by_role("button", name="Let it take the seat").click()
    page.locator(".strip li").nth(1).get_by_text("easy").wait_for()


def test_what_comes_after_the_end(visit: Visit) -> None:  # noqa: F811
    page = visit.page
    visit.start("tic-tac-toe")
    for number in range(9):
        if visit.is_over:
            break
        visit.click(number)
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_selector("main[data-at='0']")
    page.locator(".inspecting[data-at='0']").wait_for()
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(".hints li")
    redo = page.get_by_role("button", name="Redo")
    while redo.is_enabled():
        at = visit.at
        redo.click()
        page.wait_for_function(f"() => document.querySelector('main').dataset.at !== '{at}'")
    page.get_by_role("button", name="Again").click()
    page.wait_for_selector("main[data-at='0'][data-asks=person]")
    assert [page.get_by_role("button", name=name).count() for name in ("Again", "Analyse")] == [0, 0]


def test_an_only_answer_is_given_by_itself(browser: Any, server: Any) -> None:  # noqa: F811
    here = Visit(browser, server, WIDE, by_hand=False)
    page, left = here.page, list(range(9))
    here.start("tic-tac-toe", seats="person")
    for cell in (0, 1, 2, 4, 3, 5, 7, 6):
        here.click(left.index(cell))
        left.remove(cell)
    page.wait_for_selector("main[data-at='9'][data-asks=nobody]")
    assert page.locator(".log .forced").count() == 1
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector("main[data-at='7'][data-asks=person]")
    page.get_by_label("Where there is only one answer").uncheck()
    page.reload()
    page.wait_for_selector("main[data-at]")
    assert not page.get_by_label("Where there is only one answer").is_checked()
    here.close()
