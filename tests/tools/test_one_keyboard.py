"""Several people at one keyboard: who plays which seat is kept, and what only one of them may see is covered."""

from __future__ import annotations

import json
import sys
from io import StringIO
from pathlib import Path

import pytest

import rulewright as rw
from rulewright_tools.commands import play
from rulewright_tools.session.game_session import Session

from .conftest import Run

SECRET = """
game cards
players 2

piece Card from "cards.json"
    worth: 1..9
    named "card {worth}"
    begins in deck

zone deck: stack of Card, count seen by everyone
zone hand[p: Player]: set of Card, face seen by p, count seen by everyone
zone table: set of Card, seen by everyone

procedure play
    shuffle deck
    each p in players
        draw 2 from deck to hand[p]
    repeat 2 times
        each p in players
            p chooses card from hand[p]
            move card to table
    finish ranking p in players by -sum(c.worth for c in hand[p])
"""


@pytest.fixture
def cards(tmp_path: Path) -> Path:
    folder = tmp_path / "cards"
    folder.mkdir()
    (folder / "game.rules").write_text(SECRET, "utf-8")
    rows = {"rows": [{"worth": number} for number in range(1, 10)]}
    (folder / "cards.json").write_text(json.dumps(rows), "utf-8")
    seats = {"2": ["anna", "bert"]}
    head = {"name": "cards", "title": "Cards", "rules": ["game.rules"], "seats": seats}
    (folder / "ruleset.json").write_text(json.dumps(head), "utf-8")
    return folder


def test_a_saved_game_is_played_on_by_the_same(run: Run, cards: Path, tmp_path: Path) -> None:
    save = tmp_path / "evening.json"
    run("play", cards, "--seats", "human,human", stdin=f"1\nsave {save}\nquit\n")
    assert json.loads(save.read_text("utf-8"))["seats"] == ["human", "human"]
    on = run("play", cards, save, stdin="quit\n")
    assert "bert chooses" in on.out
    other = run("play", cards, save, "--seats", "human,first", stdin="quit\n")
    assert "bert: card " in other.out
    assert "bert chooses" not in other.out


def test_who_plays_is_no_part_of_the_state(run: Run, cards: Path, tmp_path: Path) -> None:
    save = tmp_path / "evening.json"
    run("play", cards, "--seats", "human,first", stdin=f"save {save}\nquit\n")
    data = json.loads(save.read_text("utf-8"))
    state = rw.load(cards).load(data)
    assert state.save() == {key: value for key, value in data.items() if key != "seats"}
    assert run("log", cards, save).code == 0


class Keyboard(StringIO):
    """Somebody at a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("folder", "covered"), [("cards", 3), ("tic-tac-toe", 0)])
def test_hidden_hands_are_covered_between_turns(
    folder: str, covered: int, cards: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = rw.load(cards if folder == "cards" else folder)
    session = Session(game, game.start(3), {}, ("human", "human"))
    table = play.Table(session, reveal=False)
    monkeypatch.setattr(table.console, "_force_terminal", True)
    presses = "\n" if covered else ""
    monkeypatch.setattr(sys, "stdin", Keyboard(f"{presses}1\n" * 2 + f"{presses}quit\n"))
    table.run()
    said = capsys.readouterr().out
    assert said.count("press Enter when nobody else looks") == covered


@pytest.mark.parametrize(("seats", "asked"), [("human,human", True), ("human,random", False)])
def test_that_there_is_one_answer_is_not_told_to_others_at_the_keyboard(
    run: Run, cards: Path, seats: str, asked: bool
) -> None:
    """A player who can only decline holds no high card: that they were passed over would tell it."""
    rules = (cards / "game.rules").read_text("utf-8")
    question = """        first(players) chooses card from hand[first(players)] where card.worth is 10, asked anyway
        then
            move card to table
        else
            do nothing
    finish"""
    (cards / "game.rules").write_text(
        rules.replace("    finish", question).replace("1..9", "1..10").replace("repeat 2", "repeat 1"), "utf-8"
    )
    out = run("play", cards, "--seats", seats, "--seed", "3", stdin="1\n" * 20).out
    assert ("anna: pass (the only possibility)" in out) is not asked
    assert (out.count("anna chooses card") > 1) is asked


def test_nothing_is_covered_where_answers_come_from_a_file(run: Run, cards: Path) -> None:
    assert "press Enter" not in run("play", cards, "--seats", "human,human", stdin="1\n1\n").out


def test_what_counts_against_its_owner_is_named(run: Run, cards: Path) -> None:
    (rules := cards / "game.rules").write_text(SECRET.replace("-sum(c.worth for c in hand[p])", "-size(hand[p])"))
    assert "size(hand[p])" in rules.read_text("utf-8")
    out = run("log", cards, "--seed", "1").out
    assert "(hand 0)" in out
    assert "value" not in out
