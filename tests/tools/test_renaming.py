"""``rulewright rename``: after it the rules say the same, and nothing stands under the old name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulewright as rw

from .conftest import Run

RULES = """\
game stall
players 2

enum Mood: calm, wild
param tax = 2
param cost: 0..[Mood] = {calm: 1}
field coins[Player]: 0..99 = 5
field mood[Player]: Mood = calm

query worth_of(p: Player) -> Int = coins[p] + tax

procedure play
    each p in players
        turn(p)
    finish ranking p in players by worth_of(p)

procedure turn(p: Player), open clockwise from p
    p chooses price from {1 .. 3}
    coins[p] += price
    tells "{p} pays {price} and {tax} of {coins[p]}, {count(q in players where mood[q] is calm)} are calm"
    mood[p] = wild
    pay(p, price)

procedure pay(p: Player, amount: Int), open clockwise from p
    coins[p] += amount

reaction haggle before pay(p, amount), by q where q is not p and amount > 1
    amount -= 1

variant "Calm" of stall
    set cost.calm = 2

scenario "bert haggles"
    players anna, bert
    start pay(anna, 2)
    when bert: haggle
    then coins[anna] is 6
"""


@pytest.fixture
def stall(tmp_path: Path) -> Path:
    folder = tmp_path / "stall"
    folder.mkdir()
    (folder / "game.rules").write_text(RULES, "utf-8")
    head = {
        "name": "stall", "title": "Stall", "rules": ["game.rules"], "move": "turn",
        "words": {"coins": "ducats", "haggle": "beat down", "calm": "at ease", "price": "sum"},
        "asks": {"turn.price": "How much does {player} pay?"},
        "log": {"hides": ["coins", "turn.price"], "answers": {"turn.price": "pays {answer}", "turn.price 2": "two"}},
        "draw": {"shows": ["worth_of"]},
    }  # fmt: skip
    (folder / "ruleset.json").write_text(json.dumps(head, indent=1), "utf-8")
    above = tmp_path / "fair"
    above.mkdir()
    (above / "ruleset.json").write_text(
        json.dumps({"name": "fair", "title": "Fair", "extends": "../stall", "rules": ["fair.rules"]}), "utf-8"
    )
    (above / "fair.rules").write_text("set tax = 3\n", "utf-8")
    return folder


def told(folder: Path) -> list[str]:
    """The lines that are told of a game, in the words of its rules."""
    game = rw.load(folder)
    return [line.text for line in rw.narration.story(game, game.playout(3, keep=True).state, None)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("tax", "toll"), ("coins", "gold"), ("mood", "temper"), ("calm", "quiet"), ("Mood", "Temper"),
        ("worth_of", "riches"), ("haggle", "bargain"), ("turn", "visit"), ("turn.price", "bid"), ("pay", "hand_over"),
        ("bert haggles", "bert bargains"),
    ],
)  # fmt: skip
def test_the_rules_say_the_same(stall: Path, run: Run, old: str, new: str) -> None:
    before = told(stall)
    dry = run("rename", stall, old, new, "--diff")
    assert dry.code == 1
    assert (stall / "game.rules").read_text("utf-8") == RULES
    assert run("rename", stall, old, new).code == 0
    for folder in (stall, stall.parent / "fair"):
        assert not [found for found in rw.check(rw.open_ruleset(folder)) if found.severity == "error"]
    assert run("test", stall).code == 0
    words = {new: old, "gold": "ducats", "bid": "sum", "bargain": "beat down"}
    after = told(stall)
    assert len(after) == len(before)
    held = (stall / "ruleset.json").read_text("utf-8") + (stall / "game.rules").read_text("utf-8")
    asked = {"turn": f"{new}.price", "turn.price": f"turn.{new}"}.get(old, "turn.price")
    assert list(json.loads((stall / "ruleset.json").read_text("utf-8"))["asks"]) == [asked]
    assert list(json.loads((stall / "ruleset.json").read_text("utf-8"))["log"]["answers"]) == [asked, f"{asked} 2"]
    name = old.rpartition(".")[2]
    if name not in ("turn", "pay"):  # `turn` begins no other word; `pays` is one of a sentence
        assert f'"{name}"' not in held, words
    assert run("rename", stall, f"{old.rpartition('.')[0]}.{new}".lstrip("."), name).code == 0
    assert (stall / "game.rules").read_text("utf-8") == RULES


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("play", "begin", "is a word of the language"),
        ("tax", "play", "is a word of the language"),
        ("tax", "coins", "is taken"),
        ("tax", "chooses", "is a word of the language"),
        ("tax", "Tax", "is no name for this"),
        ("taks", "toll", "did you mean `tax`?"),
    ],
)
def test_what_cannot_be_is_refused(stall: Path, run: Run, old: str, new: str, why: str) -> None:
    outcome = run("rename", stall, old, new)
    assert outcome.code == 2
    assert why in outcome.err
    assert (stall / "game.rules").read_text("utf-8") == RULES


def test_dry_runs_are_differences(stall: Path, run: Run) -> None:
    out = run("rename", stall, "tax", "toll", "--diff").out
    assert "-param tax = 2\n+param toll = 2\n" in out
    assert "+set toll = 3" in out


@pytest.mark.parametrize("where", ["stall/long.rules", "stall/more/long.rules", "long.rules"])
def test_files_of_variants_follow(stall: Path, run: Run, where: str) -> None:
    """A file of variants that no manifest lists would otherwise no longer be right, and nobody would hear of it."""
    file = stall.parent / where
    file.parent.mkdir(exist_ok=True)
    scenario = 'scenario "dear"\n    variant "Dear"\n    players anna, bert\n    then worth_of(anna) is 14\n'
    file.write_text(f'variant "Dear" of stall\n    set tax = 9\n\n{scenario}', "utf-8")
    assert run("test", file).code == 0
    assert "set toll = 9" in run("rename", stall, "tax", "toll", "--diff").out
    assert run("rename", stall, "tax", "toll").code == 0
    assert "set toll = 9" in file.read_text("utf-8")
    assert run("test", file).code == 0
    assert "is what it is called now" in run("rename", stall, "toll", "toll").err
