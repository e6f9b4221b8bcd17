"""Lines of play that were left, what has changed since the last question, and what agents have thought."""

from __future__ import annotations

import pytest
from studio_page import Failed, Page

import rulewright as rw
from rulewright_tools.studio.host import Catalogue, Games, Host


def played(ruleset: str, answers: int, **params: object) -> Page:
    page = Page()
    page.ask("game/start", ruleset=ruleset, seed=3, **params)
    page.play(answers)
    return page


def test_a_line_that_is_left_is_kept_and_taken_again() -> None:
    page = played("connect-four", 3)
    end, log = page.shown["board"]["svg"], list(page.log)
    page.ask("game/goto", at=2)
    page.answer(page.options[3])
    assert page.shown["board"]["svg"] != end
    (other,) = page.shown["lines"]
    assert other["at"] == 2
    assert other["who"] == page.shown["seats"][0]["seat"]
    page.ask("game/line", line=other["line"])
    page.ask("game/goto", at=page.shown["last"])
    assert (page.shown["board"]["svg"], page.log) == (end, log)
    assert len(page.shown["lines"]) == 1  # the other one is kept now
    with pytest.raises(Failed, match="no such line"):
        page.ask("game/line", line=1)


def test_the_same_answer_stays_on_the_line() -> None:
    page = played("connect-four", 3)
    last = page.shown["last"]
    key = page.log[-1]
    page.ask("game/goto", at=0)
    page.answer(page.options[0])
    assert page.shown["lines"] == []
    assert page.shown["last"] == last, key


def test_lines_are_saved_with_the_game() -> None:
    page = played("connect-four", 2)
    page.ask("game/undo")
    page.answer(page.options[4])
    lines = page.shown["lines"]
    assert lines
    name = page.ask("games/copy", label="evening")["game"]
    page.play(2)
    page.ask("games/open", game=name)
    assert page.shown["lines"] == lines


def test_lines_of_another_seat_are_not_told() -> None:
    """Lines that somebody has tried tell what they hold."""
    page = played("domaine", 0, players=2, seats=["person", "person"], viewer="auto")
    page.play(4)
    seat = page.shown["viewer"]["seat"]
    page.ask("game/undo")
    if page.question["covered"]:
        page.ask("game/look")
    page.answer(page.options[-1])
    for _ in range(12):
        assert all(line["who"] == page.shown["viewer"]["seat"] for line in page.shown["lines"]), seat
        page.play(1)


def test_what_has_changed_since_the_last_question() -> None:
    page = played("tic-tac-toe", 0)
    assert (page.shown["changed"], page.shown["since"]) == ([], 0)
    before = {option["key"]: option["things"] for option in page.question["options"]}
    page.answer(page.options[4])
    after = {option["key"] for option in page.question["options"]}
    taken = {thing for key, things in before.items() if key not in after for thing in things}
    assert set(page.shown["changed"]) == taken  # what the other one has answered, too
    assert len(taken) == 2
    assert page.shown["since"] == 0


def test_thoughts_of_an_agent() -> None:
    page = played("tic-tac-toe", 1, seats=["person", "mcts:60"])
    thought = page.shown["thought"]
    assert (thought["agent"], thought["looked"]) == ("mcts:60", 60)
    assert len(thought["answers"]) == 3
    assert any(shown["plays_on"] for shown in page.seen)
    assert not page.shown["plays_on"]


def test_thoughts_about_a_hidden_hand_are_not_told() -> None:
    """They would tell what the agent knows."""
    page = played("kuhn-poker", 0, seats=["person", "mcts:20"])
    page.play(2)
    assert [shown["thought"] for shown in page.seen] == [None] * len(page.seen)
    page = played("kuhn-poker", 0, seats=["person", "mcts:20"], viewer="all")
    page.play(2)
    assert any(shown["thought"] for shown in page.seen)


def test_a_long_game_that_is_opened_anew_is_read_position_by_position() -> None:
    """The limit of time is one of each, so that a long game is shown again however slow the computer is."""
    page = played("connect-four", 8)
    given: list[rw.Limits] = []

    def limits() -> rw.Limits:
        given.append(rw.Limits())
        return given[-1]

    catalogue = Catalogue.of([])
    again = Page(Host(catalogue, Games(catalogue, page.host._game.games._store), limits=limits))
    assert list(again.host.open(page.shown["game"])) == []
    given.clear()
    (shown,) = again.host.show_again()
    again.take(shown)
    assert again.shown["board"] == page.shown["board"]
    assert len(given) > page.shown["last"]
