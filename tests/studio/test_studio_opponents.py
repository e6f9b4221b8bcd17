"""Opponents by strength: seconds a move, which become a number of simulations once, kept with the game."""

from __future__ import annotations

from itertools import count

import pytest
from studio_page import Failed, Page
from test_studio_tables import Guests

import rulewright as rw
from rulewright_tools.studio.host import Catalogue, Games, Host, Link, MemoryStore, Role
from rulewright_tools.studio.host.play.strength import MOST, Strengths, simulations

WORD = {"easy": "mcts:1", "middle": "mcts:1", "strong": "mcts:5"}
"""On a machine on which each look at the clock takes a second."""


def kinds(page: Page) -> list[str]:
    return [one["kind"] for one in page.shown["seats"]]


def test_a_new_game_is_one_person_against_opponents_of_middle_strength() -> None:
    page = Page()
    page.ask("game/start", ruleset="carolus-magnus", players=3, seed=1)
    assert kinds(page) == ["person", "middle", "middle"]  # nobody had to think yet
    page.play(8)
    assert kinds(page) == ["person", "middle (mcts:1)", "middle (mcts:1)"]


@pytest.mark.parametrize("strength", WORD)
def test_a_strength_is_the_agent_that_is_kept(strength: str) -> None:
    """Its answers are those of that agent, also after the game was kept, on whatever machine."""
    store = MemoryStore()
    first, plain = (Page(Host(Catalogue.of([]), Games(Catalogue.of([]), store))) for _ in range(2))
    first.ask("game/start", ruleset="connect-four", seats=["person", strength], seed=4)
    plain.ask("game/start", ruleset="connect-four", seats=["person", WORD[strength]], seed=4)
    first.play(4)
    plain.play(4)
    assert [one["text"] for one in first.log] == [one["text"] for one in plain.log]
    kept = store.get(first.shown["game"])
    assert kept is not None
    assert kept["kinds"] == ["person", f"{strength} ({WORD[strength]})"]
    again = Page(Host(Catalogue.of([]), Games(Catalogue.of([]), store)))
    again.ask("games/open", game=first.shown["game"])
    again.play(4)
    plain.play(4)
    assert [one["text"] for one in again.log] == [one["text"] for one in plain.log]


def test_words_of_agents_are_understood_as_before() -> None:
    page = Page()
    page.ask("game/start", ruleset="connect-four", seats=["mcts:3", "strong (mcts:7)"], seed=4)
    assert kinds(page) == ["mcts:3", "strong (mcts:7)"]
    for word in ("strong (learnt:weights.json)", "strong ()", "hard", "strong (strong)", "middle (person)"):
        with pytest.raises(Failed, match=r"is called|agent"):
            page.ask("game/start", ruleset="connect-four", seats=["person", word])


def test_an_opponent_takes_the_seat_of_somebody_who_left() -> None:
    table = Guests("carolus-magnus", ["person", "person"], ["white"])
    table.ask("owner", "table/seat", seat="white", kind="strong")
    table.answer("owner")
    assert [one["kind"] for one in table.pages["owner"].table["people"]] == ["person", "strong (mcts:5)"]
    table.ask("owner", "table/seat", seat="white", kind="person")
    assert kinds(table.pages["owner"]) == ["person", "person"]


def test_a_person_by_link_has_one_from_the_start() -> None:
    """Nobody who begins the game looks with the eyes of that seat before."""
    games = Games(Catalogue.of([]), MemoryStore(), lambda: 1)
    owner = Page(Host(Catalogue.of([]), games))
    owner.ask("game/start", ruleset="leduc-poker", seats=["link", "person"])
    game = games.opened(owner.shown["game"])
    (link,) = owner.ask("table/links")["links"]
    assert (link["to"], link["seat"]) == ("seat", game.play.game.seats[0])
    assert game.table.seen == (1,)
    assert not owner.shown["question"]["answerable"]
    assert not owner.table["seed_known"]
    page = Page(Host(Catalogue.of([]), games, link=Link(link["key"], Role.SEAT, 0)))
    assert list(page.host.open(game.name)) == []
    for message in page.host.show_again():
        page.take(message)
    assert page.shown["question"]["answerable"]


def test_rules_are_timed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = count()
    monkeypatch.setattr(Strengths, "clock", lambda self: next(looks) / 4)
    strengths, game = Strengths(), rw.load("tic-tac-toe")
    first = strengths.measured(game, ["easy", "person", "middle", "strong", "mcts:9"])
    until = next(looks)
    assert strengths.measured(game, ["strong", "easy"]) == (first[3], first[0])
    assert next(looks) == until + 1
    assert first[1] == "person"
    assert first[4] == "mcts:9"


@pytest.mark.parametrize(
    ("timed", "seconds", "found"),
    [
        ([(1, 1.0)], 0.1, 1),  # not even one
        ([(1, 1.0)], 5.0, 5),
        ([(64, 0.1), (128, 0.2), (256, 0.4)], 0.1, 64),
        ([(64, 0.1), (128, 0.2), (256, 0.4)], 0.15, 96),
        ([(64, 0.1), (128, 0.2), (256, 0.4)], 5.0, 3200),
        ([(128, 0.6), (256, 0.7)], 5.0, 5800),  # most of it was dealing, once
        ([(128, 0.7), (256, 0.7)], 5.0, 6500),  # by chance a second search took no longer: not without end
        ([(1, 0.0), (2, 0.0)], 1.0, MOST),
    ],
)
def test_seconds_as_simulations(timed: list[tuple[int, float]], seconds: float, found: int) -> None:
    assert simulations(timed, seconds) == found


def over(ruleset: str, seats: list[str]) -> Page:
    page = Page()
    page.ask("game/start", ruleset=ruleset, seats=seats, seed=4)
    page.play(99)
    assert page.shown["result"]
    return page


def test_again_is_the_same_seats_and_another_seed() -> None:
    page = over("tic-tac-toe", ["person", "strong"])
    before = page.shown
    for _ in range(2):  # as often as one likes, where no others are led there
        again = page.ask("table/rematch", turned=False)["game"]
        page.ask("games/open", game=again)
        assert kinds(page) == ["person", "strong (mcts:5)"]
        assert page.shown["game"] not in ("", before["game"])
        assert page.shown["seed"] != before["seed"]
        page.ask("games/open", game=before["game"])
    page.ask("games/open", game=page.ask("table/rematch")["game"])
    assert kinds(page) == ["strong (mcts:5)", "person"]


def test_a_scenario_again_begins_with_its_position() -> None:
    """The game that follows is opened from its scenario, which is kept with it."""
    text = 'scenario "short"\n    players x, o\n    start play\n    when x: cell = (0, 0)\n'
    page = Page()
    page.ask("game/open", ruleset="tic-tac-toe", text=text, seats=["random", "random"])
    first = page.shown
    assert (first["at"], first["result"]) == (1, None)
    page.ask("game/continue", steps=9)
    assert page.shown["result"]
    page.ask("games/open", game=page.ask("table/rematch", turned=False)["game"])
    assert page.shown["opened"] == first["opened"]
    assert page.shown["at"] == 0


def test_a_game_with_the_seed_of_the_one_before() -> None:
    """It stays as secret as it was."""
    games = Games(Catalogue.of([]), MemoryStore(), iter([7, 8, 9]).__next__)
    page = Page(Host(Catalogue.of([]), games))
    with pytest.raises(Failed, match="no game"):
        page.ask("game/start", ruleset="leduc-poker", keeps_seed=True)
    page.ask("game/start", ruleset="leduc-poker", seats=["person", "first"])
    page.ask("game/start", ruleset="leduc-poker", seats=["person", "first"], keeps_seed=True)
    first, second = (games.opened(f"leduc-poker-{number}") for number in (1, 2))
    assert first.play.seed == second.play.seed
    assert page.shown["seed"] is None
    assert not second.table.seed_known
    with pytest.raises(Failed, match="not both"):
        page.ask("game/start", ruleset="leduc-poker", keeps_seed=True, seed=3)
