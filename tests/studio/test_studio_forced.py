"""Questions with one answer: given by itself where a page wishes it, for its own seats, never at once after undo."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from studio_page import Page
from test_studio_tables import Guests

from rulewright_tools.studio.host import Catalogue, Games, Host, MemoryStore

RULES = """\
game narrow
players 2

field left: 0..9 = 6
field got[Player]: 0..99 = 0

procedure play
    each p in players
        turn(p)
    each p in players
        turn(p)
    each p in players
        turn(p)
    finish with a draw

procedure turn(p: Player)
    left -= 1
    p chooses either as step
        option rest: do nothing
        option go
            forbid early: left is 4 or left is 3 or left is 0
            got[p] += 1
"""
"""Anna has a choice, none, and a choice again; Bert none, a choice, and none."""


def catalogue_of(tmp_path: Path, rules: str) -> Catalogue:
    folder = tmp_path / "narrow"
    folder.mkdir()
    manifest = {"name": "narrow", "title": "Narrow", "rules": ["game.rules"], "seats": {"2": ["anna", "bert"]}}
    (folder / "ruleset.json").write_text(json.dumps(manifest), "utf-8")
    (folder / "game.rules").write_text(rules, "utf-8")
    return Catalogue.of([folder])


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    return catalogue_of(tmp_path, RULES)


def begun(catalogue: Catalogue, *seats: str, on: bool = True, viewer: str = "auto") -> Page:
    page = Page(Host(catalogue, Games(catalogue, MemoryStore(), lambda: 1)))
    page.ask("game/start", ruleset="narrow", seats=list(seats), viewer=viewer)
    page.ask("game/forced", on=on)
    return page


def marked(page: Page) -> list[tuple[int, bool]]:
    """The positions to which answers have led, and whether these are marked as the only ones."""
    return [(line["at"], line.get("forced", False)) for line in page.log if line["kind"] == "answer"]


def test_only_answers_are_given_and_marked(catalogue: Catalogue) -> None:
    page = begun(catalogue, "person", "person")
    asked = [page.shown["at"]]
    while page.question:
        assert len(page.options) == 2
        page.answer("go")
        asked.append(page.shown["at"])
    assert asked == [0, 3, 4, 6]
    assert marked(page) == [(1, False), (2, True), (3, True), (4, False), (5, False), (6, True)]


def test_without_the_wish_they_are_left_to_the_page(catalogue: Catalogue) -> None:
    page = begun(catalogue, "person", "person", on=False)
    page.answer("go")
    assert (page.shown["at"], page.options) == (1, ["rest"])
    page.ask("game/forced", on=True)  # at once
    assert page.shown["at"] == 3
    page.ask("game/forced", on=False)
    page.answer("go")
    page.answer("go")
    assert (page.shown["at"], page.options) == (5, ["rest"])


def test_undo_goes_back_to_what_was_a_choice(catalogue: Catalogue) -> None:
    page = begun(catalogue, "person", "person")
    page.answer("go")
    for method, at in (("game/undo", 0), ("game/redo", 3), ("game/undo", 0)):
        page.ask(method)
        assert page.shown["at"] == at
    assert not page.shown["can_undo"]
    page.ask("game/goto", at=1)  # it can be looked at, and nothing is answered there
    assert page.shown["at"] == 1
    page.ask("game/undo")
    page.answer("rest")  # another line, which goes on by itself
    assert (page.shown["at"], page.shown["last"], len(page.shown["lines"])) == (3, 3, 1)


def test_agents_are_left_alone(catalogue: Catalogue) -> None:
    page = begun(catalogue, "person", "first")
    page.answer("go")
    assert (page.shown["at"], page.options) == (4, ["rest", "go"])


def test_no_other_seat_is_answered_for(catalogue: Catalogue) -> None:
    table = Guests("narrow", ["person", "person"], ["bert"], catalogue=catalogue)
    table.ask("owner", "game/forced", on=True)
    table.ask("owner", "game/answer", at=0, key="go")
    assert {page.shown["at"] for page in table.pages.values()} == {1}
    table.ask("bert", "game/answer", at=1, key="rest")
    assert table.pages["bert"].shown["at"] == 2
    table.hear("owner", list(table.pages["owner"].host.play_on()))  # the server lets each page go on whose turn it is
    table.tell()
    assert {table.pages[who].shown["at"] for who in ("bert", "onlooker")} == {3}


def test_what_all_have_taken_back_waits(catalogue: Catalogue) -> None:
    table = Guests("narrow", ["person", "person"], ["bert"], catalogue=catalogue)
    for who, at, key in (("owner", 0, "go"), ("bert", 1, "rest"), ("owner", 2, "rest")):
        table.ask(who, "game/answer", at=at, key=key)
    table.ask("bert", "table/takeBack", at=1)
    table.ask("owner", "table/agree", agrees=True, at=1)
    table.ask("bert", "game/forced", on=True)
    assert table.pages["bert"].shown["at"] == 1
    table.ask("bert", "game/answer", at=1, key="rest")
    table.ask("owner", "game/answer", at=2, key="rest")
    table.ask("owner", "game/undo")
    assert table.pages["owner"].shown["at"] == 2


def test_a_link_for_onlookers_has_no_answers(catalogue: Catalogue) -> None:
    table = Guests("narrow", ["person", "person"], ["bert"], catalogue=catalogue)
    assert not table.pages["onlooker"].host.plays_on
    with pytest.raises(Exception, match="does not allow"):
        table.ask("onlooker", "game/forced", on=True)


@pytest.mark.parametrize(("viewer", "known"), [("anna", {3}), ("bert", {2}), ("public", set()), ("all", {2, 3})])
def test_how_many_answers_there_were_is_known_to_their_seat(tmp_path: Path, viewer: str, known: set[int]) -> None:
    """A forced answer may be a secret where anything is hidden: it is marked for those who may know it."""
    secret = RULES.replace("\n\nprocedure play", "\nfield luck[p: Player]: 0..9 = 3, seen by p\n\nprocedure play", 1)
    page = begun(catalogue_of(tmp_path, secret), "first", "first", viewer=viewer)
    page.ask("game/continue", steps=4)
    assert {at for at, forced in marked(page) if forced} == known
