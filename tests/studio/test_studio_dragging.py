"""Pieces in the page: chosen, exchanged, dragged by mouse and finger, seen to move; targets that are hit with ease."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from test_studio_browser import Visit, browser, by_keyboard, server  # noqa: F401
from test_studio_server import Server

LAPTOP, PHONE = {"width": 1366, "height": 657}, {"width": 390, "height": 844}
Point = tuple[float, float]


@pytest.fixture
def laptop(browser: Any, server: Server) -> Iterator[Visit]:  # noqa: F811
    here = Visit(browser, server, LAPTOP, designs=False)
    yield here
    here.close()


@pytest.fixture
def phone(browser: Any, server: Server) -> Iterator[Visit]:  # noqa: F811
    here = Visit(browser, server, PHONE, designs=False, touch=True)
    yield here
    here.close()


def ids(here: Visit, selector: str) -> list[str]:
    return list(here.page.eval_on_selector_all(selector, "all => all.map((one) => one.id)"))


def middle(here: Visit, selector: str) -> Point:
    box = here.page.locator(selector).first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(here: Visit, start: Point, end: Point) -> None:
    mouse = here.page.mouse
    mouse.move(*start)
    mouse.down()
    mouse.move(*end, steps=4)
    mouse.up()


def wait_chosen(here: Visit, id: str) -> None:
    here.page.wait_for_selector(f".board #{id}.chosen")
    here.settle()


def test_another_piece_is_chosen_instead(laptop: Visit) -> None:
    laptop.start("breakthrough", seats="person")
    first, second = ids(laptop, ".board .choosable")[3:5]
    laptop.page.mouse.click(*middle(laptop, f"#{first}"))
    wait_chosen(laptop, first)
    assert laptop.page.locator(".board .instead").count() == 7
    laptop.page.mouse.click(*middle(laptop, f"#{second}"))
    wait_chosen(laptop, second)
    assert (laptop.at, laptop.page.locator(".lines li").count(), laptop.page.locator(".why").count()) == ("1", 0, 0)


def test_pawns_are_dragged(laptop: Visit) -> None:
    """Taken up they are chosen; let fall elsewhere they stay so."""
    laptop.start("breakthrough", seats="person")
    pawn = ids(laptop, ".board .choosable")[2]
    drag(laptop, middle(laptop, f"#{pawn}"), middle(laptop, "#place-26"))
    wait_chosen(laptop, pawn)
    assert laptop.page.locator(".ghost").count() == 0
    drag(laptop, middle(laptop, f"#{pawn}"), middle(laptop, "#place-42"))  # from a piece that is chosen
    laptop.page.wait_for_selector("main[data-at='2']")
    laptop.settle()
    black = ids(laptop, ".board .choosable")[3]
    below = int(black.partition("-")[2]) + 8
    drag(laptop, middle(laptop, f"#{black}"), middle(laptop, f"#place-{below}"))  # both parts in one movement
    laptop.page.wait_for_selector("main[data-at='4']")
    laptop.settle()


def test_discs_are_dragged_from_the_supply(laptop: Visit) -> None:
    laptop.start("othello", seats="person")
    drag(laptop, middle(laptop, ".glyph.movable"), middle(laptop, ".board .choosable"))
    laptop.page.wait_for_selector("main[data-at='1']")
    laptop.settle()


@pytest.mark.parametrize("ruleset", ["baron", "kings-and-things"])
def test_tiles_and_creatures_are_dragged_to_the_board(laptop: Visit, ruleset: str) -> None:
    """From the own supply, in large games: chosen by the one end of the movement, placed by the other."""
    laptop.start(ruleset, seats=["person", "random"])
    dragged = 0
    for number in range(60):
        cards = laptop.page.locator(".own .held .choosable")
        if cards.count() == 0 or laptop.page.locator(".board .choosable").count() > 0:
            laptop.click(number * 5)
            continue
        card, before = cards.last, int(laptop.at)
        card.scroll_into_view_if_needed()
        box = card.bounding_box()
        assert box is not None
        start = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        mouse = laptop.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move(start[0] - 30, start[1] - 10, steps=3)
        laptop.page.wait_for_function(f"() => Number(document.querySelector('main').dataset.at) > {before}")
        laptop.settle()
        if laptop.page.locator(".board .choosable").count() == 0:
            mouse.up()
            continue
        mouse.move(*middle(laptop, ".board .choosable"), steps=3)
        mouse.up()
        laptop.page.wait_for_function(f"() => Number(document.querySelector('main').dataset.at) > {before + 1}")
        laptop.settle()
        dragged += 1
        if dragged == 2:
            return
    pytest.fail("nothing was dragged to the board")


def test_a_column_is_clicked_anywhere(laptop: Visit) -> None:
    laptop.start("connect-four", seats="person")
    laptop.page.mouse.move(*middle(laptop, "#place-10"))
    assert ids(laptop, ".board .aimed") == [f"place-{row * 7 + 3}" for row in range(6)]
    laptop.page.mouse.click(*middle(laptop, "#place-10"))
    laptop.page.wait_for_selector("main[data-at='1']")
    laptop.settle()


def test_the_nearest_border_is_hit_with_a_finger(phone: Visit) -> None:
    """In Domaine, whose borders are lines of four pixels on a telephone: a point six pixels beside one will do."""
    page = phone.page
    phone.start("domaine")
    for number in range(80):
        if page.locator(".board .edge.choosable").count() > 9:
            break
        phone.click(number * 7)
    for number in (0, 7, -1):
        edge = ids(phone, ".board .edge.choosable")[number]
        box = page.locator(f"#{edge}").bounding_box()
        assert box is not None
        wide = box["width"] > box["height"]
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.touchscreen.tap(x + (0 if wide else 6), y + (6 if wide else 0))
        page.wait_for_function(f"() => !document.querySelector('#{edge}.choosable')")
        phone.settle()
        if page.locator(".board .edge.choosable").count() < 9:
            break


def test_a_whole_game_by_touch(phone: Visit) -> None:
    """On a telephone, by taps on the board alone."""
    phone.start("connect-four", seats=["person", "random"])
    for number in range(42):
        if phone.is_over:
            break
        places, before = ids(phone, ".board .choosable"), phone.at
        phone.page.touchscreen.tap(*middle(phone, f"#{places[number * 5 % len(places)]}"))
        phone.page.wait_for_function(f"() => document.querySelector('main').dataset.at !== '{before}'")
        phone.settle()
    assert phone.is_over
    assert phone.page.locator(".standings li").count() > 0 or "draw" in phone.page.locator(".question").inner_text()


def test_a_whole_game_with_the_keyboard(laptop: Visit) -> None:
    laptop.start("breakthrough", players=2, seats=["person", "random"])
    by_keyboard(laptop, 200)
    assert laptop.is_over


def test_moves_are_seen(browser: Any, server: Server) -> None:  # noqa: F811
    """A picture of the piece is on its way; nothing is where nothing should move, or if a person does not wish it."""
    for motion, wish, moves in (
        ("no-preference", True, True),
        ("reduce", True, False),
        ("no-preference", False, False),
    ):
        here = Visit(browser, server, LAPTOP, designs=False, motion=motion)
        page = here.page
        page.evaluate("""() => new MutationObserver((all) => {
          if (all.some((one) => [...one.addedNodes].some((node) => node.className === 'ghost'))) window.wasSeen = true;
        }).observe(document.body, { childList: true })""")
        here.start("breakthrough", seats="person")
        if not wish:
            page.get_by_label("Motion").uncheck()
        pawn = ids(here, ".board .choosable")[2]
        page.mouse.click(*middle(here, f"#{pawn}"))
        wait_chosen(here, pawn)
        page.mouse.click(*middle(here, ".board .choosable"))
        page.wait_for_selector("main[data-at='2']")
        here.settle()
        assert bool(page.evaluate("window.wasSeen")) == moves
        page.wait_for_function("() => !document.querySelector('.ghost')")
        here.close()
