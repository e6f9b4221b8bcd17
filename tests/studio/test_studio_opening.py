"""Games that begin in the middle: scenarios, stories of the fuzzer and saves are opened, and played on."""

from __future__ import annotations

import json
import shutil
from functools import partial
from pathlib import Path

import pytest
from studio_page import Failed, Page

import rulewright as rw
from rulewright_tools.studio.host import Catalogue, Games, Host, MemoryStore

STORY = """\
scenario "somebody has the middle"
    players x, o
    given mark[(0, 0)] = o
    start play
    when x: cell = (1, 1)
    then mark[(1, 1)] is o
"""
DICE = """\
scenario "two of three dice are written down"
    players black, white
    put "red knight" in reserve[black]
    put 2 "pink knight" in reserve[black]
    put 2 "blue knight" in reserve[black]
    put "yellow knight" in reserve[black]
    put "green knight" in reserve[black]
    given number[black] = 1
    given number[white] = 5
    start turn(black)
    when black: knight = "red knight", court, knight = "pink knight", court,
            knight = "pink knight", court, steps = 1
    chance: faces = [red, red]
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    shutil.copytree(rw.rulesets.find_rulesets("tic-tac-toe")[0], tmp_path / "mine")
    return tmp_path


@pytest.fixture
def page(home: Path) -> Page:
    return Page(Host(Catalogue.of([home / "mine"], home=home)))


def test_a_scenario_of_a_file_is_opened_at_a_line(page: Page) -> None:
    """The answers before the line are given; they can be taken back, and others given."""
    assert page.ask("game/open", file="mine/scenarios/rows.rules", line=6) == {"failure": None}
    assert (page.shown["at"], page.shown["last"], page.question["who"]) == (2, 2, "x")
    assert page.shown["opened"] == {"title": "a row wins, and a taken cell is refused", "begins": ""}
    assert [seat["kind"] for seat in page.shown["seats"]] == ["person", "person"]
    page.ask("game/undo")
    assert "(0, 1)" in page.options
    page.answer("(0, 1)")
    assert [one["label"] for one in page.shown["lines"]] == ["(0, 0)"]
    page.answer("(2, 2)")
    assert page.shown["at"] == 3


def test_a_scenario_is_opened_whole_at_its_first_line(page: Page) -> None:
    page.ask("game/open", file="mine/scenarios/rows.rules", line=1)
    assert page.shown["result"] is not None


def test_a_story_stops_where_it_fails(page: Page) -> None:
    told = page.ask("game/open", ruleset="mine", text=STORY)
    failure = told["failure"]
    assert (failure["line"], failure["text"], failure["found"]) == (6, "then mark[(1, 1)] is o", "mark[(1, 1)] is x")
    assert page.shown["at"] == 1
    assert [line["text"] for line in page.log if line["kind"] == "answer"] == ["x: puts a mark on (1, 1)"]
    assert "(0, 0)" not in page.options  # it was laid out


def test_chance_gives_what_is_written_and_then_what_the_seed_gives() -> None:
    drawn = []
    for seed in range(6):
        page = Page(Host(catalogue := Catalogue.of([]), Games(catalogue, MemoryStore(), partial(int, seed))))
        page.ask("game/open", ruleset="carolus-magnus", text=DICE)
        drawn.append([line["text"] for line in page.log if line["kind"] == "chance"])
    assert all(texts[0].startswith("chance: faces red, red, ") for texts in drawn)
    assert len({texts[0] for texts in drawn}) > 1


def test_a_game_that_was_opened_is_taken_up_after_a_crash(page: Page, home: Path) -> None:
    page.ask("game/open", file="mine/scenarios/rows.rules", line=6)
    page.answer("(2, 2)")
    page.ask("game/undo")
    page.answer("(2, 1)")
    catalogue, store, name = Catalogue.of([home / "mine"], home=home), MemoryStore(), page.shown["game"]
    saved = page.host.game
    assert saved is not None
    store.put(name, json.loads(json.dumps(saved.saved())), saved.summary(), ())
    again = Page(Host(catalogue, Games(catalogue, store)))
    assert list(again.host.open(name)) == []
    for message in again.host.show_again():
        again.take(message)
    assert again.shown == {**page.shown, "log": again.shown["log"], "statements": again.shown["statements"]}
    assert again.log == page.log
    again.ask("game/goto", at=0)
    assert again.shown["at"] == 0


def test_it_goes_on_with_changed_rules(page: Page, home: Path) -> None:
    page.ask("game/open", file="mine/scenarios/rows.rules", line=6)
    rules = home / "mine" / "game.rules"
    rules.write_text(rules.read_text("utf-8") + "\n# nothing else\n", "utf-8")
    assert page.ask("game/reload")["kept"]
    assert page.shown["opened"] is not None
    with pytest.raises(Failed, match="sets its variants itself"):
        page.ask("game/reload", variants=[])


def test_a_file_with_a_game_is_opened(page: Page, home: Path) -> None:
    state = rw.load(home / "mine").start(5).choose("(1, 1)").choose("(0, 0)")
    (home / "mine" / "evening.json").write_text(json.dumps(state.save()), "utf-8")
    (home / "mine" / "other.json").write_text("{}", "utf-8")
    page.ask("game/open", file="mine/evening.json")
    assert (page.shown["at"], page.shown["opened"]) == (2, None)
    page.ask("game/undo")
    page.answer("(2, 2)")
    with pytest.raises(Failed, match="holds no game"):
        page.ask("game/open", file="mine/other.json")
    (home / "mine" / "evening.json").write_text(json.dumps({**state.save(), "seed": "7"}), "utf-8")
    with pytest.raises(Failed, match="damaged"):
        page.ask("game/open", file="mine/evening.json")


def test_what_cannot_be_opened_is_said(page: Page) -> None:
    for params, told in (
        ({"file": "mine/game.rules", "line": 1}, "belongs to no scenario"),
        ({"file": "../other.rules", "line": 1}, "there is no ruleset|cannot be the name"),
        ({"ruleset": "mine", "text": "no scenario"}, "."),
        ({"ruleset": "mine", "text": 'scenario "a"\n    players x, o\n    given nothing = 1\n    start play\n'}, "."),
        ({"text": STORY}, "of a ruleset"),
        ({}, "of a ruleset"),
    ):
        with pytest.raises(Failed, match=told):
            page.ask("game/open", **params)
    assert page.shown == {}


def test_why_it_stops_is_not_told_to_a_seat_that_may_not_know() -> None:
    """A line of a scenario compares what is hidden from a seat with what was expected."""
    for viewer, told in (("anna", {False}), ("auto", {False}), ("", {True})):
        found = []
        for bert in ("king", "jack"):
            text = (
                'scenario "a"\n    players anna, bert\n    start play\n'
                f'    chance: deck = ["queen", "{bert}", "{"jack" if bert == "king" else "king"}"]\n'
                "    then strength(bert) is 9\n"
            )
            page = Page(Host(catalogue := Catalogue.of([]), Games(catalogue, MemoryStore(), lambda: 1)))
            found.append(
                (
                    page.ask("game/open", ruleset="kuhn-poker", text=text, **({"viewer": viewer} if viewer else {})),
                    page.shown,
                )
            )
        assert {one[0]["failure"] is not None for one in found} == told
        assert (found[0] == found[1]) == (viewer != "")
