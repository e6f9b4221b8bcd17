"""Answers in parts, such as a piece and then its place: marked until the rest is given, and given otherwise without a
request, as nothing has come of them; and answers that stand for lines of places."""

from __future__ import annotations

import pytest
from studio_page import Failed, Page, hello
from test_studio_tables import Guests


@pytest.fixture
def page() -> Page:
    found = Page()
    found.ask("hello", **hello()["params"])
    return found


def test_another_piece_is_chosen_instead(page: Page) -> None:
    page.ask("game/start", ruleset="breakthrough", seats=["person", "person"], seed=1)
    page.answer("(6, 0)")
    (part,) = page.question["earlier"]
    assert (part["at"], part["key"], page.shown["at"]) == (0, "(6, 0)", 1)
    others = {one["key"]: one["things"] for one in part["options"]}
    assert others["(6, 0)"] == ["place-48"]
    assert "(6, 5)" in others
    page.ask("game/answer", at=0, key="(6, 5)")
    assert page.question["earlier"][0]["key"] == "(6, 5)"
    assert "(5, 5)" in page.options
    assert page.shown["lines"] == []  # a part that was given otherwise is no line of play
    page.ask("game/answer", at=0, key="(6, 5)")  # sent once more
    page.answer("(5, 5)")
    assert page.question["earlier"] == []
    with pytest.raises(Failed, match="has gone on"):
        page.ask("game/answer", at=0, key="(6, 1)")
    assert next(one["text"] for one in page.log if one["kind"] == "answer").endswith("(6, 5)")


def test_all_parts_of_an_answer_are_offered(page: Page) -> None:
    """In Carolus Magnus a knight, the word that it goes to a province, and the province."""
    page.ask("game/start", ruleset="carolus-magnus", seats=["person", "person"], seed=1)
    for _ in range(60):
        if "province" in page.options:
            page.answer("province")
            break
        page.answer(page.options[0])
    assert [len(part["options"]) > 1 for part in page.question["earlier"]] == [True, True]
    court, knight = page.question["earlier"]
    assert court["key"] == "province"
    assert court["options"][0]["things"] == []
    other = next(one["key"] for one in knight["options"] if one["key"] != knight["key"])
    page.ask("game/answer", at=knight["at"], key=other)
    assert "province" in page.options
    assert page.shown["at"] == knight["at"] + 1


def test_nothing_is_exchanged_after_chance(page: Page) -> None:
    """In Pig each answer has a throw after it."""
    page.ask("game/start", ruleset="pig", seats=["person", "person"], seed=1)
    for _ in range(12):
        assert page.question["earlier"] == []
        page.answer("roll" if "roll" in page.options else page.options[0])


def test_others_at_the_table_need_not_agree() -> None:
    table = Guests("breakthrough", ["person", "person"], ["white", "black"], seed=1)
    white, black = table.pages["white"], table.pages["black"]
    table.ask("white", "game/answer", at=white.shown["at"], key="(6, 0)")
    assert white.question["earlier"]
    assert black.question["earlier"] == []
    with pytest.raises(Failed):
        table.ask("black", "game/answer", at=0, key="(6, 4)")
    table.ask("white", "game/answer", at=0, key="(6, 5)")
    assert black.log[-1]["text"].endswith("(6, 5)")
    table.answer("white")
    with pytest.raises(Failed):
        table.ask("white", "game/answer", at=0, key="(6, 1)")


def test_where_something_is_hidden_others_must_agree() -> None:
    """The next question may tell what was hidden."""
    table = Guests("domaine", ["person", "person"], ["orange", "blue"], seed=1)
    for _ in range(60):
        (who,) = table.asked()
        assert table.pages[who].question["earlier"] == []
        if table.pages[who].question["rule"] == "turn":
            break
        table.answer(who, 5)
    page, at = table.pages[who], table.pages[who].shown["at"]
    first, second = page.options[:2]
    table.ask(who, "game/answer", at=at, key=first)
    assert page.question["earlier"] == []
    with pytest.raises(Failed):
        table.ask(who, "game/answer", at=at, key=second)


def test_a_column_is_all_of_its_places(page: Page) -> None:
    page.ask("game/start", ruleset="connect-four", seats=["person", "person"], seed=1)
    things = {option["key"]: option["things"] for option in page.question["options"]}
    assert things["3"] == [f"place-{row * 7 + 3}" for row in range(6)]


def test_pieces_are_known_wherever_they_lie(page: Page) -> None:
    """By what the viewer can tell them by; backs by nothing."""
    page.ask("game/start", ruleset="kings-and-things", seats=["person", "random"], seed=1)
    for _ in range(25):
        page.answer(page.options[0])
        while page.question and not page.question["answerable"]:
            page.ask("game/continue", steps=1)
    lying = [one for one in page.shown["board"]["things"] if one["kind"] == "piece"]
    held = [one for holder in page.shown["holders"] for pile in holder["piles"] for one in pile["pieces"]]
    assert any(one["key"] for one in lying)
    assert all(one["count"] > 0 for one in (*lying, *held))
    assert all(one["key"] == "" for one in held if one["back"])
