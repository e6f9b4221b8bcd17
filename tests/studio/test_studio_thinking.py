"""Agents that think while a page looks on: it is told how far they are, and a stop lets them answer at once."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from studio_page import Page, require_valid
from test_studio_tables import Guests

import rulewright as rw
from rulewright_tools.studio.host import Catalogue, Host, Message
from rulewright_tools.studio.host.play import thinking

ENDLESS = "mcts:100000000"


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "FIRST", 0)
    monkeypatch.setattr(thinking, "BETWEEN", 0)


class Onlooker(Page):
    """A page that hears what agents think, and stops them when it has heard enough."""

    def __init__(self, enough: int = 10**9) -> None:
        self.stop = threading.Event()
        self._enough = enough
        super().__init__(Host(Catalogue.of([]), stop=self.stop))
        self.host.post_meanwhile(self._hear)

    def _hear(self, message: Message) -> None:
        require_valid(message)
        self.take(message)
        if len(self.thinking) % self._enough == 0:
            self.stop.set()


def test_a_stop_lets_the_agent_answer_with_the_best_so_far() -> None:
    page = Onlooker(3)
    page.ask("game/start", ruleset="connect-four", seats=["person", ENDLESS], seed=1)
    page.answer(page.options[3])
    assert page.stopped is None
    assert len(page.thinking) == 3
    assert [one["who"] for one in page.thinking] == ["yellow"] * 3
    looked = [one["looked"] for one in page.thinking]
    assert looked == sorted(looked)
    assert page.thinking[-1]["answers"][0]["chance"] is not None
    assert page.shown["at"] == 2
    assert page.question["answerable"]
    assert page.shown["thought"]["looked"] == looked[-1]
    given = page.shown["thought"]["answers"][0]["label"]
    assert given in page.log[-1]["text"] or given == page.thinking[-1]["answers"][0]["label"]
    page.answer(page.options[0])  # it thinks again, and is stopped again
    assert page.shown["at"] == 4


def test_after_a_stop_agents_wait() -> None:
    page = Onlooker(2)
    page.ask("game/start", ruleset="connect-four", seats=[ENDLESS, ENDLESS], seed=1)
    for at in (1, 2):
        page.ask("game/continue", steps=50)
        assert (page.shown["at"], page.shown["plays_on"]) == (at, False)


def test_a_search_that_is_not_stopped_answers_as_if_nobody_looked() -> None:
    seen = []
    for page in (Page(), Onlooker()):
        page.ask("game/start", ruleset="connect-four", seats=["mcts:200", "mcts:150"], seed=5)
        page.ask("game/continue", steps=6)
        seen.append(page.seen)
    assert seen[0] == seen[1]
    assert page.thinking


def test_a_hint_is_what_was_found_until_the_stop() -> None:
    page = Onlooker(2)
    page.ask("game/start", ruleset="connect-four", seats=["person", "person"], seed=1)
    hint = page.ask("game/hint", agent=ENDLESS)
    assert hint["answers"]
    assert sum(one["visits"] for one in hint["answers"]) <= page.thinking[-1]["looked"]
    assert page.thinking[-1]["agent"] == ENDLESS


def test_thoughts_that_a_seat_may_not_know_are_not_told() -> None:
    """Thoughts of an agent in a game with secrets follow from what it holds."""
    told: dict[str, list[Any]] = {}
    for viewer in ("auto", "all", "public"):
        page = Onlooker()
        page.ask("game/start", ruleset="baron", seats=["mcts:40", "random"], seed=2, viewer=viewer)
        page.ask("game/continue", steps=20)
        told[viewer] = page.thinking
    assert told["all"]
    assert not told["auto"]
    assert not told["public"]


@pytest.mark.parametrize(("ruleset", "heard"), [("connect-four", {"owner", "guest", "onlooker"}), ("baron", set())])
def test_thoughts_are_told_to_all_pages_that_may_know_them(ruleset: str, heard: set[str]) -> None:
    """One of them is the page whose answer has let the agent think."""
    seats = rw.load(ruleset, players=2).seats
    table = Guests(ruleset, ["person", "person"], seats[1:], seed=2, players=2)
    table.pages["guest"] = table.pages.pop(seats[1])
    for page in table.pages.values():
        page.host.post_meanwhile(page.take)
    table.ask("owner", "table/seat", seat=seats[0], kind="mcts:30")
    for _ in range(12):
        if asked := table.asked():
            table.answer(asked[0])
    assert table.games.opened(table.name).play.thoughts
    assert {who for who, page in table.pages.items() if page.thinking} == heard


def test_a_hint_of_secrets_is_told_to_its_seat_alone() -> None:
    page = Onlooker()
    page.ask("game/start", ruleset="baron", seats=["person", "random"], seed=2)
    while len(page.options) < 2:
        page.answer(page.options[0])
    page.ask("game/hint", agent="mcts:40")
    assert page.thinking
    assert {one["who"] for one in page.thinking} == {page.question["who"]}


def test_a_stop_while_others_play_on_makes_them_wait() -> None:
    """Positions that were played are shown, and nothing is lost."""
    page = Onlooker()
    page.ask("game/start", ruleset="tic-tac-toe", seats=["random", "random"], seed=1)
    request = {"jsonrpc": "2.0", "id": 99, "method": "game/continue", "params": {"steps": 9}}
    for message in page.host.handle(request):
        if message.get("method") == "game/shown":
            page.take(message)
            if page.shown["at"] == 2:
                page.stop.set()
    assert page.stopped is None
    assert (page.shown["at"], page.shown["plays_on"]) == (3, False)
    assert page.question is not None


def test_rules_that_never_end_are_cut_off_after_a_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that do not end by themselves are over a moment later."""
    monkeypatch.setattr(thinking, "GRACE", 0.05)
    stop = threading.Event()
    late = thinking.Late(stop)
    assert not late.is_set()
    stop.set()

    def begin_without_end() -> None:
        game = rw.load("connect-four")
        while True:
            game.start(1)

    with rw.limited(rw.Limits(cancel=late)), pytest.raises(rw.Stopped):
        begin_without_end()
    stop.clear()
    assert not late.is_set()
