"""``rulewright play`` in games with secrets: the terminal shows no more than who sits there may see."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run

CARDS = {"rows": [{"number": number} for number in range(1, 9)]}
RULES = """game passing
players 2
piece Card from "cards.json"
    number: 1..9
    named "card {number}"
    begins in deck
zone deck: stack of Card, count seen by everyone
zone hand[p: Player]: set of Card, face seen by p, count seen by everyone
zone passed[p: Player]: set of Card, count seen by everyone
field bid[p: Player]: 0..9 or none = none, seen by p

procedure play
    each p in players
        draw 4 from deck to hand[p]
    each p in players
        p chooses c from hand[p]
        move c to passed[p]
    each p in players
        move passed[p.left] to hand[p]
    each p in players at once
        p chooses n from {8 .. 9}
        bid[p] = n
    each p in players at once
        p chooses word from {5 .. 6}
    finish with winner first(players)
"""


@pytest.fixture
def passing(tmp_path: Path) -> Path:
    folder = tmp_path / "passing"
    folder.mkdir()
    (folder / "game.rules").write_text(RULES)
    (folder / "cards.json").write_text(json.dumps(CARDS))
    (folder / "ruleset.json").write_text(json.dumps({"name": "passing", "title": "Passing", "rules": ["game.rules"]}))
    return folder


def test_what_others_choose_in_secret_is_not_told(run: Run, passing: Path) -> None:
    out = run("play", passing, "--seats", "human,first", stdin="1\nlog\n1\n1\n").out
    assert "player 1: play card" in out
    assert out.count("player 2: play (hidden)") == 3, "twice when it happens, and in the log"
    assert "player 2: word 5" in out, "told, as both have answered"
    assert "player 2: play 8" not in out, "and this goes into a field that only its owner sees"
    assert "player 2: play card" in run("play", passing, "--seats", "human,first", "--reveal", stdin="1\n1\n1\n").out
    late = run("play", passing, "--seats", "first,human", stdin="1\n1\n1\n").out
    hidden, told = late.index("player 1: word (hidden)"), late.index("player 1: word 5")
    assert hidden < late.index("player_2 chooses word") < told


@pytest.mark.parametrize(
    ("seats", "answers", "seen"),
    [("human,first", 3, 1), ("first,human", 3, 1), ("human,human", 6, 0), ("first,first", 0, 0)],
)
def test_the_last_board_is_what_who_sits_there_may_see(
    run: Run, passing: Path, seats: str, answers: int, seen: int
) -> None:
    given = ["play", passing, "--seats", seats]
    out = run(*given, stdin="1\n" * answers).out
    last = out.splitlines()[-11:]
    assert any("ended by" in line for line in last)
    hands = [line for line in last if line.lstrip().startswith("hand ")]
    # Of the other hand the one human knows the card that they have passed on.
    hidden = "3 face down" if seen else "4 face down"
    assert [sum(word in line for line in hands) for word in ("face down", hidden)] == [2 - seen, 2 - seen]
    revealed = run(*given, "--reveal", stdin="1\n" * answers).out.splitlines()[-11:]
    assert sum("hand card" in line for line in revealed) == 2


def test_who_decides_at_once_may_answer_first(run: Run, passing: Path) -> None:
    given = ["play", passing, "--seats", "human,human"]
    out = run(*given, stdin="1\n1\nturn player_2\n2\nturn player_2\n1\nturn nobody\n1\n1\n").out
    assert "deciding at once: player_2 (`turn player_2`)" in out
    assert out.count("player_2 chooses n") == 1
    assert "'player_2' has nothing to decide now." in out
    assert "'nobody' has nothing to decide now." in out
    assert "ended by play after 6 decisions" in out
    first = run(*given, stdin="1\n1\n1\n2\n1\n1\n").out
    assert first.splitlines()[-3:] == out.splitlines()[-3:]


def test_what_hangs_on_secret_decisions_is_not_told(run: Run, passing: Path) -> None:
    rules = RULES.replace(
        "        p chooses n from {8 .. 9}\n        bid[p] = n\n",
        "        p chooses either as deed\n            option bids\n                p chooses n from {8 .. 9}\n"
        "                bid[p] = n\n            option waits: bid[p] = none\n",
    )
    (passing / "game.rules").write_text(rules)
    out = run("play", passing, "--seats", "human,first", stdin="1\nwaits\nlog\n1\n").out
    assert out.count("player 2: play (hidden)") == 2, "when it happens, and in the log"
    assert out.count("player 2: play") == 2
    assert "player 2: bids" not in out
    assert "player 2: waits" not in out


def test_a_picture_shows_what_everybody_may_see(run: Run, passing: Path, tmp_path: Path) -> None:
    """Hands are no part of it, unless a seat looks or everything is wanted; the command names the view."""
    shown = run("draw", passing, "--format", "text")
    assert "card 1" not in shown.out
    assert "as everybody may see it; --seat player_1 draws what a seat sees, --reveal everything" in shown.err
    own = run("draw", passing, "--format", "text", "--seat", "player_1")
    assert ("card" in own.out, own.err) == (True, "")
    assert run("draw", passing, "--format", "text", "--reveal").out.count("card ") > own.out.count("card ")
    assert run("draw", passing, "--reveal", "--seat", "player_1").code == 2
    assert run("draw", "tic-tac-toe", "--format", "text").err == ""
