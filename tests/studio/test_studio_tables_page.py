"""Tables in browsers: people who came by links play a game to its end, in any order, with connections that break."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from studio_page import PATIENCE
from test_studio_browser import ANSWERS, COVER, MOST, NARROW, WIDE, Visit, browser, server
from test_studio_server import Server, request

import rulewright as rw
from rulewright_tools.studio.host.play.line_of_play import loaded

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


LONG, BY_CLICKS = {"kings-and-things"}, 120
"""Games of thousands of answers, hours of clicks: people give so many by clicks, then agents take their seats up to the
last ones, which people give again."""


class Guest:
    """Somebody who has come by a link."""

    def __init__(self, browser: Any, link: str, size: dict[str, int]) -> None:
        self.context = browser.new_context(viewport=size, reduced_motion="reduce")
        self.page = self.context.new_page()
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.set_default_timeout(1000 * PATIENCE)
        self.page.goto(link)
        self.page.wait_for_selector("main[data-at]")

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

    def leave(self) -> None:
        self.context.close()
        assert self.wrong == []


def invited(host: Visit, seats: list[str]) -> dict[str, str]:
    """The links to seats, and to onlookers, as the dialog shows them."""
    page, links = host.page, {}
    page.get_by_role("button", name="Invite").first.click()
    for number, who in enumerate([*seats, "Onlookers"]):
        page.get_by_role("button", name=f"Make a link for {who}", exact=True).click()
        box = page.get_by_role("textbox", name=f"Link for {who}", exact=True)
        box.wait_for()
        links[seats[number] if number < len(seats) else "onlooker"] = box.input_value()
    page.get_by_role("button", name="Close").first.click()
    return links


@pytest.fixture
def host(browser: Any, server: Server) -> Iterator[Visit]:
    here = Visit(browser, server, WIDE)
    yield here
    here.close()


def played_by_clicks(guests: dict[str, Guest], most: int, draw: random.Random) -> bool:
    """Answers of whoever is asked in any order, reloads in between; True if the game is over."""
    for _ in range(most):
        asked = [one for who, one in guests.items() if who != "onlooker" and one.is_asked]
        if not asked:
            if guests["onlooker"].is_over:
                return True
            guests["onlooker"].page.wait_for_timeout(20)
            continue
        draw.choice(asked).answer(draw.randrange(99))
        if draw.random() < 0.02:
            draw.choice(list(guests.values())).break_off()
    return False


def played_by_agents(server: Server, ruleset: str, seats: list[str], most: int) -> None:
    """While the guests are away the host lets agents take all seats, until so many answers before the end, and gives
    the seats back."""
    (name,) = (one for one in games_of(server) if one.startswith(ruleset))
    with server.connect(session="session-of-the-host", game=name) as socket:

        def asked(method: str, **params: Any) -> None:
            socket.send(json.dumps(request(1, method, **params)))
            while "id" not in (message := json.loads(socket.recv(timeout=PATIENCE))):
                pass
            assert "error" not in message, message

        for seat in seats:
            asked("table/seat", seat=seat, kind="random")
        play = loaded(rw.load(ruleset, players=len(seats)), games_of(server)[name])
        steps = 0
        while play.end.decision is not None:
            play.step()
            steps += 1
        if steps > most:
            asked("game/continue", steps=steps - most)
            while (told := json.loads(socket.recv(timeout=PATIENCE)))["method"] != "game/shown" or told["params"][
                "plays_on"
            ]:
                pass
        for seat in seats:
            asked("table/seat", seat=seat, kind="person")


def games_of(server: Server) -> dict[str, Any]:
    """All games that a server keeps, by their names."""
    file = server.folder.with_name(f"{server.folder.name}-games") / "games.sqlite3"
    with closing(sqlite3.connect(file)) as database:
        return {name: json.loads(game) for name, game in database.execute("select name, game from games")}


@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("ruleset", "players"), GAMES)
def test_a_table_plays_to_the_end(browser: Any, server: Server, host: Visit, ruleset: str, players: int) -> None:
    """All seats by links, and an onlooker; connections break."""
    host.start(ruleset, players=players, seats="person", sits=False)
    seats = list(rw.load(ruleset, players=players).seats)
    links = invited(host, seats)
    draw, is_over = random.Random(5), False

    def came() -> dict[str, Guest]:
        return {who: Guest(browser, link, NARROW if who == seats[0] else WIDE) for who, link in links.items()}

    guests = came()
    while not is_over:
        is_over = played_by_clicks(guests, BY_CLICKS if ruleset in LONG else players * MOST, draw)
        assert is_over or ruleset in LONG
        if not is_over:
            for one in guests.values():
                one.leave()
            played_by_agents(server, ruleset, seats, BY_CLICKS // 3)
            guests = came()
    over = "main[data-asks=nobody]"
    for one in guests.values():
        one.page.wait_for_selector(over)
    texts = {one.page.locator(".standings").inner_text() for one in guests.values()}
    assert len(texts) == 1
    assert not guests["onlooker"].page.locator(COVER).count()
    for one in guests.values():
        one.leave()


def test_a_game_outlives_its_server_and_is_played_again(browser: Any, tmp_path: Path) -> None:
    """Two people in two browsers: the server is killed in the middle of their game. They end it, and play another one
    with the seats turned."""
    folder = tmp_path / "page"
    folder.mkdir()
    server = Server(folder)
    try:
        owner = Visit(browser, server, WIDE)
        owner.start("tic-tac-toe", seats="person", sits=False)
        links = invited(owner, ["x", "o"])
        owner.close()
        x, o = (Guest(browser, links[seat], size) for seat, size in (("x", WIDE), ("o", NARROW)))
        second = Guest(browser, links["o"], WIDE)
        for one in (x, o):
            one.page.get_by_text("(2 pages)").wait_for()
        second.leave()
        for one in (x, o):
            one.page.get_by_text("(2 pages)").wait_for(state="detached")
        x.answer(0)
        o.page.wait_for_selector("main[data-asks=person]")
        server.process.kill()
        server.process.communicate(timeout=PATIENCE)
        for one in (x, o):
            one.page.get_by_role("button", name="Try now").wait_for()
        o.page.locator(ANSWERS).nth(3).dispatch_event("click")  # while nobody is there to take it
        server = Server(folder, "--port", str(server.port))
        for one in (x, o):
            one.page.get_by_role("button", name="Try now").dispatch_event("click")
        x.page.wait_for_selector("main[data-at='2'][data-asks=person]")
        played({"x": x, "o": o})
        owner = Visit(browser, server, WIDE)
        owner.page.goto(f"{server.link.partition('#')[0]}game/tic-tac-toe-1#token={server.token}")
        owner.page.get_by_role("button", name="Rematch").click()
        o.page.wait_for_selector("main[data-at='0'][data-asks=person]")  # who was second begins
        owner.close()
        played({"x": o, "o": x})
        assert x.page.locator(".standings").inner_text() == o.page.locator(".standings").inner_text()
        for one in (x, o):
            one.leave()
    finally:
        server.close()


def played(people: dict[str, Guest]) -> None:
    """Let a game be played to its end."""
    while not all(one.is_over for one in people.values()):
        asked = next((one for one in people.values() if one.is_asked), None)
        if asked is not None:
            asked.answer(0)
        else:
            people["x"].page.wait_for_timeout(20)
