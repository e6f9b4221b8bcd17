"""A whole game is played by itself, and read as a change is that brings all of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulewright as rw

GAME = """\
game cottages
players 2
field wood[Player]: 0.. = 2
field houses[Player]: 0.. = 0
field passed: Bool = false

query cost(p: Player) -> Int = houses[p] + 2

procedure play
    repeat 6 times
        each p in players
            turn(p)
    finish ranking p in players by houses[p]

procedure turn(p: Player)
    p chooses either as deed
        option fetch: wood[p] += 2
        option build
            forbid too_dear: wood[p] < cost(p)
            wood[p] -= cost(p)
            houses[p] += 1
"""


def _examined(folder: Path, rules: str, games: int = 100) -> rw.examination.Examination:
    (folder / "ruleset.json").write_text(json.dumps({"name": "cottages", "title": "Cottages", "rules": ["game.rules"]}))
    (folder / "game.rules").write_text(rules)
    return rw.examination.examine(folder, games=games, checked=False)


def _told(found: rw.examination.Examination) -> list[tuple[str, int]]:
    return [(one.code, one.span.line) for one in found.findings]


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        (
            "            wood[p] -= cost(p)\n            houses[p] += 1\n",
            "            houses[p] += 1\n            wood[p] -= cost(p) + 4\n",
            [("EXM202", 21)],
        ),
        (
            "    p chooses either as deed\n",
            "    p chooses either as deed\n        option rest\n            forbid rested: passed\n"
            "            passed = true\n",
            [("EXM123", 5)],
        ),
    ],
    ids=["games that stop", "a mark that stays"],
)
def test_a_slip_in_a_whole_game_is_told(right: str, wrong: str, told: list[tuple[str, int]], tmp_path: Path) -> None:
    assert right in GAME
    assert _told(_examined(tmp_path, GAME)) == []
    found = _examined(tmp_path, GAME.replace(right, wrong))
    assert _told(found) == told
    assert not found.beside_base
    assert found.games > 0


def test_an_accepted_finding_that_is_gone_is_told(tmp_path: Path) -> None:
    gone = GAME.replace("    repeat 6", "    # lint: ignore[EXM202] it may stop\n    repeat 6")
    assert [one.code for one in _examined(tmp_path, gone).unneeded] == ["LNT003"]


def test_games_without_an_end_without_a_question_and_with_errors_are_counted_first(tmp_path: Path) -> None:
    endless = GAME.replace("repeat 6 times", "repeat").replace("    finish ranking p in players by houses[p]\n", "")
    (one,) = _examined(tmp_path, endless, games=2).first
    assert (one.games, one.ended, one.endless, one.troubled) == (2, 0, 2, True)
    silent = GAME.replace("repeat 6 times", "repeat 0 times")
    (one,) = _examined(tmp_path, silent, games=2).first
    assert (one.ended, one.decisions, one.troubled) == (2, 0, True)
    broken = GAME.replace("option fetch: wood[p] += 2", "option fetch: wood[p] -= 9")
    (one,) = _examined(tmp_path, broken, games=3).first
    assert one.stopped > 0
    (one,) = _examined(tmp_path, GAME, games=3).first
    assert (one.ended, one.decisions, one.troubled) == (3, 12, False)


def test_an_invariant_that_random_games_break_is_wrong(tmp_path: Path) -> None:
    found = _examined(tmp_path, f"{GAME}\ninvariant few for p in players: houses[p] < 1\n", games=5)
    (one,) = found.first
    assert [name for name, _ in one.broken] == ["few"]
    assert one.troubled
    assert not found.passed


def test_moves_that_are_always_or_never_possible_are_counted(tmp_path: Path) -> None:
    lines = (
        "option fetch",
        "    forbid rich: wood[p] > 90",
        "    wood[p] += 2",
        "option beg",
        "    forbid poor: wood[p] < 90",
        "    p chooses q from players except p",
        "    wood[q] += 1",
    )
    vain = GAME.replace("option fetch: wood[p] += 2", "\n        ".join(lines))
    found = _examined(tmp_path, vain, games=5).offers
    assert found == {
        "games": 5,
        "never_reached": ["turn.q"],
        "never_possible": {"turn.beg": 60},
        "never_refusing": {"turn.rich": 60},
    }
    found = _examined(tmp_path, GAME, games=5).offers
    assert found == {"games": 5, "never_reached": [], "never_possible": {}, "never_refusing": {}}
