"""Tables at which somebody is no friend: a host who looks first, guests who flood, hurry, or read nothing."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from studio_page import PATIENCE, Failed
from test_studio_tables import Guests

import rulewright as rw
from rulewright_tools.studio.host.game.table_methods import MOST_FEEDBACK
from rulewright_tools.studio.host.play.played_game import MOST_NOTED

pytest.importorskip("starlette")
pytest.importorskip("websockets.sync.client")

from test_studio_attacks import memory
from test_studio_server import ConnectionClosed, Server, ask, request

HUGE = 900_000
SEED = 1
"""With it the first seat of the games begins that are played here."""


# ---------------------------------------------------------------------------------------------- what the host has seen


def sees_all(table: Guests, who: str) -> bool:
    return bool(table.pages[who].table["sees_all"])


def test_a_seat_that_the_host_has_seen_is_dealt_anew_or_all_are_told() -> None:
    first, second = rw.load("kuhn-poker").seats
    table = Guests("kuhn-poker", ["person", "person"], [first])
    game = table.games.opened(table.name)
    seed, table.games.draw = game.play.seed, lambda: 7
    assert table.pages["owner"].shown["viewer"]["seat"] == second
    table.invite(to="seat", seat=second)
    assert game.play.seed != seed
    assert not sees_all(table, first)
    gone_on = Guests("kuhn-poker", ["person", "person"], [])
    gone_on.asked()  # and says that the first one sits there
    gone_on.answer("owner")
    gone_on.invite(to="seat", seat=second)
    assert not sees_all(gone_on, second)
    gone_on.invite(to="seat", seat=first)
    assert sees_all(gone_on, first)
    assert sees_all(gone_on, second)


def test_who_copies_a_game_with_secrets_may_see_them() -> None:
    second = rw.load("kuhn-poker").seats[1]
    table = Guests("kuhn-poker", ["person", "person"], [second])
    assert not sees_all(table, second)
    table.ask("owner", "games/copy", label="mine")
    assert sees_all(table, second)
    open_game = Guests("tic-tac-toe", ["person", "person"], ["o"])
    open_game.ask("owner", "games/copy", label="mine")
    assert not sees_all(open_game, "o")


def test_the_seed_of_a_game_that_was_over_is_known() -> None:
    table = Guests("tic-tac-toe", ["person", "person"], ["o"])
    for who, key in (("owner", "(0, 0)"), ("o", "(1, 0)"), ("owner", "(0, 1)"), ("o", "(1, 1)"), ("owner", "(0, 2)")):
        table.ask(who, "game/answer", at=table.pages[who].shown["at"], key=key)
    assert table.pages["o"].shown["seed"] is not None
    table.ask("owner", "table/takeBack", at=2)
    table.ask("o", "table/agree", agrees=True, at=2)
    assert table.pages["o"].table["seed_known"]


# ---------------------------------------------------------------------------------------------- guests


def test_one_agrees_with_the_request_that_one_was_shown() -> None:
    table = Guests("connect-four", ["person", "person"], ["yellow"], seed=1)
    for who in ("owner", "yellow", "owner", "yellow"):
        table.answer(who, 3)
    table.ask("owner", "table/takeBack", at=2)
    shown = table.pages["yellow"].table["take_back"]["at"]
    table.ask("owner", "table/takeBack", at=0)
    with pytest.raises(Failed, match="no request to go back there"):
        table.ask("yellow", "table/agree", agrees=True, at=shown)
    assert table.pages["owner"].shown["last"] == 4


def test_what_a_guest_says_over_and_over_is_kept_some_times() -> None:
    table = Guests("tic-tac-toe", ["person", "person"], ["x"], seed=1)
    for _ in range(MOST_FEEDBACK):
        table.ask("x", "table/feedback", answers=[], text="well")
    with pytest.raises(Failed, match="enough"):
        table.ask("x", "table/feedback", answers=[], text="well")
    for _ in range(MOST_NOTED + 50):
        with pytest.raises(Failed):
            table.ask("x", "game/answer", at=0, key="nonsense")
    assert len(table.games.opened(table.name).events) <= MOST_NOTED
    table.answer("x")
    assert [one["event"] for one in table.store.events[table.name]].count("feedback") == MOST_FEEDBACK


# ---------------------------------------------------------------------------------------------- connections


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("page")
    (folder / "index.html").write_text("<!doctype html>", "utf-8")
    running = Server(folder)
    yield running
    running.close()


def invited(owner: Any, ruleset: str) -> tuple[str, list[str]]:
    """A new game of two people, and the keys of its seats."""
    seats = ask(owner, request(1, "game/start", ruleset=ruleset, players=2, seed=SEED, seats=["person"] * 2))["result"][
        "seats"
    ]
    for number, seat in enumerate(seats):
        found = ask(owner, request(2 + number, "table/invite", to="seat", seat=seat))["result"]
    return found["game"], [one["key"] for one in found["links"]]


def shown_next(socket: Any) -> dict[str, Any]:
    """The next position that a page is shown."""
    while True:
        message = json.loads(socket.recv(timeout=60))
        if message.get("method") == "game/shown":
            shown: dict[str, Any] = message["params"]
            return shown


def shown_until(socket: Any, at: int) -> None:
    """Read what a page is shown until it is a position."""
    while shown_next(socket)["at"] != at:
        pass


def test_names_of_other_games_that_a_guest_makes_up_take_nothing(server: Server) -> None:
    with server.connect(session="session-of-owner") as owner:
        _, keys = invited(owner, "tic-tac-toe")
    with server.connect(session="session-of-guest", token=keys[0]) as guest:
        before = memory(server)
        for number in range(100):
            answer = ask(guest, request(number, "games/open", game=f"{number:09}" + "z" * HUGE), number)
            assert "does not allow" in answer["error"]["message"]
    assert memory(server) < before + 0.5 * 100 * HUGE / 1e6


def test_a_page_of_the_owner_that_read_nothing_learns_again_what_others_do(server: Server) -> None:
    name = "session-reads-nothing"
    with server.connect(session="session-of-owner-2") as owner:
        game, keys = invited(owner, "domaine")
    deaf_page = server.connect(session=name, game=game, max_queue=1, close_timeout=0.1)
    with deaf_page as deaf, server.connect(session="session-of-guest", token=keys[0]) as guest:
        shown_until(guest, 0)
        for number in range(220):
            deaf.send(json.dumps(request(number, "game/show")))
            time.sleep(0.005)
        time.sleep(1)
        found = ask(guest, request(1, "game/show"))
        shown = json.loads(guest.recv(timeout=PATIENCE))["params"]
        assert "result" in found
        key = shown["question"]["options"][0]["key"]
        assert "result" in ask(guest, request(2, "game/answer", at=0, key=key))  # and is not held up
        time.sleep(1)
        deaf.socket.close()
        learned = False
        while not learned:  # until the server knows that the page has gone it takes no other one for it
            with suppress(ConnectionClosed), server.connect(session=name) as again:
                shown_until(again, 1)
                ask(guest, request(3, "table/person", seat=shown["viewer"]["seat"], name="Olga"))
                while "Olga" not in again.recv(timeout=20):
                    pass
                learned = True


def agent_thinks(guest: Any) -> int:
    """Answer until an agent thinks; returns the position."""
    for number in range(10, 40):
        shown = shown_next(guest)
        if shown["plays_on"]:
            return int(shown["at"])
        if not shown["question"]["answerable"]:
            continue
        key = shown["question"]["options"][0]["key"]
        guest.send(json.dumps(request(number, "game/answer", at=shown["at"], key=key)))
    pytest.fail("no agent was asked")


@pytest.mark.parametrize("way", ["leaves", "stops"])
def test_a_guest_does_not_stop_an_agent(server: Server, way: str) -> None:
    """Neither by leaving while it thinks for others who look on, nor by a word that is for requests of the guest."""
    with server.connect(session=f"session-of-owner-{way}") as owner:
        kinds = ["person", "mcts:20000"]
        ask(owner, request(1, "game/start", ruleset="carolus-magnus", players=2, seats=kinds))
        ask(owner, request(2, "table/invite", to="onlooker"))
        links = ask(owner, request(3, "table/invite", to="seat", seat="black"))["result"]["links"]
    keys = {one["to"]: one["key"] for one in links}
    with server.connect(session="session-looks", token=keys["onlooker"]) as looks:
        with server.connect(session="session-plays", token=keys["seat"]) as guest:
            at, begun = agent_thinks(guest), time.monotonic()
            if way == "stops":
                guest.send(json.dumps({"jsonrpc": "2.0", "method": "cancel"}))
                assert shown_next(guest)["at"] > at
                assert time.monotonic() - begun > 1
        while way == "leaves" and shown_next(looks)["at"] <= at:
            pass
