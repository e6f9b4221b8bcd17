"""Tables in browsers: people who came by links play a game to its end, in any order, with connections that break."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from studio_page import PATIENCE
from test_studio_browser import ANSWERS, COVER, MOST, NARROW, WIDE, Visit, browser, server
from test_studio_server import Server

import rulewright as rw

__all__ = ["browser", "server"]  # fixtures

GAMES = [
    ("carolus-magnus", 4),
    pytest.param("baron", 4, marks=pytest.mark.thorough),
    pytest.param("domaine", 4, marks=pytest.mark.thorough),
    pytest.param("loewenherz", 4, marks=pytest.mark.thorough),
    pytest.param("kings-and-things", 4, marks=pytest.mark.thorough),
    ("goofspiel", 2),
    pytest.param("kuhn-poker", 2, marks=pytest.mark.thorough),
]


class Guest:
    """Somebody who has come by a link, with the frames that their page was sent."""

    def __init__(self, browser: Any, link: str, size: dict[str, int]) -> None:
        self.context = browser.new_context(viewport=size, reduced_motion="reduce")
        self.page = self.context.new_page()
        self.wrong: list[str] = []
        self.frames: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("websocket", self._listen)
        self.page.set_default_timeout(1000 * PATIENCE)
        self.page.goto(link)
        self.page.wait_for_selector("main[data-at]")

    def _listen(self, socket: Any) -> None:
        socket.on("framereceived", lambda frame: self.frames.append(str(frame)))

    @property
    def is_asked(self) -> bool:
        return bool(self.page.locator("main[data-asks=person]").count())

    @property
    def is_over(self) -> bool:
        return bool(self.page.locator("main[data-asks=nobody]").count())

    def answer(self, number: int) -> None:
        """Give some answer that is to be seen, and wait until it was taken."""
        at = self.page.locator("main").get_attribute("data-at")
        found = self.page.locator(ANSWERS)
        found.nth(number % found.count()).dispatch_event("click")
        choosing = self.page.locator(".choosing button")
        went_on = "document.querySelector('main').dataset.at !== at"
        self.page.wait_for_function(f"(at) => document.querySelector('.choosing button') || {went_on}", arg=at)
        if choosing.count():
            choosing.nth(number % choosing.count()).dispatch_event("click")
            self.page.wait_for_function(f"(at) => {went_on}", arg=at)

    def break_off(self) -> None:
        """Lose the connection, and find it again."""
        self.page.reload()
        self.page.wait_for_selector("main[data-at]")


def invited(host: Visit, seats: list[str]) -> dict[str, str]:
    """The links to seats, and to onlookers, as the dialog shows them."""
    page, links = host.page, {}
    page.get_by_role("button", name="Invite").first.click()
    for number, who in enumerate([*seats, "Onlookers"]):
        page.get_by_role("button", name=f"Make a link for {who}").click()
        box = page.get_by_role("textbox", name=f"Link for {who}")
        box.wait_for()
        links[seats[number] if number < len(seats) else "onlooker"] = box.input_value()
    page.get_by_role("button", name="Close").first.click()
    return links


@pytest.fixture
def host(browser: Any, server: Server) -> Iterator[Visit]:
    here = Visit(browser, server, WIDE)
    yield here
    here.close()


@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("ruleset", "players"), GAMES)
def test_a_table_plays_to_the_end(browser: Any, host: Visit, ruleset: str, players: int) -> None:
    """All seats by links, an onlooker, answers of whoever is asked in any order, reloads in between."""
    host.start(ruleset, players=players, seats="person", sits=False)
    seats = list(rw.load(ruleset, players=players).seats)
    links = invited(host, seats)
    guests = {who: Guest(browser, link, NARROW if who == seats[0] else WIDE) for who, link in links.items()}
    draw = random.Random(5)
    for _ in range(players * MOST):
        asked = [one for who, one in guests.items() if who != "onlooker" and one.is_asked]
        if not asked:
            if guests["onlooker"].is_over:
                break
            guests["onlooker"].page.wait_for_timeout(20)
            continue
        draw.choice(asked).answer(draw.randrange(99))
        if draw.random() < 0.02:
            draw.choice(list(guests.values())).break_off()
    over = "main[data-asks=nobody]"
    for one in guests.values():
        one.page.wait_for_selector(over)
    texts = {one.page.locator(".standings").inner_text() for one in guests.values()}
    assert len(texts) == 1
    assert all(not one.wrong for one in guests.values()), [one.wrong for one in guests.values()]
    assert not guests["onlooker"].page.locator(COVER).count()
    for one in guests.values():
        one.context.close()
