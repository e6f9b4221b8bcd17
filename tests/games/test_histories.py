"""Histories of players: they only grow, and never tell less than a view or more than the player may know."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from secret_games import BIDS, PASSING, made
from shipped_games import game
from test_hidden_information import HONEST, states

import rulewright as rw


@pytest.mark.parametrize("ask_chance", [False, True])
@pytest.mark.parametrize("rules", [PASSING, BIDS, HONEST])
def test_a_history_begins_with_the_one_before(tmp_path: Path, rules: str, ask_chance: bool) -> None:
    playing = made(tmp_path, rules, 3)
    for player in (0, 2, rw.playing.PUBLIC, None):
        before: tuple[object, ...] = ()
        for state in list(states(playing.start(7, ask_chance), 5))[::3]:
            now = state.history(player)
            assert now[: len(before)] == before
            assert now == playing.load(state.save()).history(player)
            before = now
        assert json.loads(json.dumps(before)) == list(before)


def test_how_chance_is_asked_makes_no_difference(tmp_path: Path) -> None:
    playing = made(tmp_path, HONEST, 2)
    state = list(states(playing.start(3), 5))[-1]
    asked = playing.start(3, ask_chance=True)
    for entry in state.log:
        if entry.who != "rules":
            asked = asked.choose(entry.key)
    for player in (0, 1):
        assert asked.history(player) == state.history(player)


def test_a_secret_answer_is_told_when_all_have_answered(tmp_path: Path) -> None:
    state = made(tmp_path, BIDS, 2).start()
    for key in "0123":
        state = state.choose(key)
    heard = [(entry["who"][-1], entry["name"][5:], entry["key"]) for entry in state.history(1) if "who" in entry]
    assert heard == [("1", "n", None), ("2", "n", "1"), ("1", "loud", None), ("1", "loud", "2"), ("2", "loud", "3")]


def test_what_is_hidden_makes_no_difference(tmp_path: Path) -> None:
    """Two games that differ in what a player cannot see have one history: another order of the hidden deck."""
    playing = made(tmp_path, PASSING, 2)
    found: dict[str, set[str]] = {}
    for seed in range(150):
        state = playing.start(seed)
        mine = json.dumps(state.history(0))
        found.setdefault(mine, set()).add(json.dumps(state.save()["zones"]["hand[player_2]"]))
    assert 80 < len(found) < 150, "hands of three out of twelve cards: there are 220"
    assert max(map(len, found.values())) > 1


def test_an_imagined_state_begins_with_itself(tmp_path: Path) -> None:
    state = made(tmp_path, PASSING, 2).start(1).choose(0)
    world = state.imagine(0, 3)
    assert {entry["seen"]: entry["now"] for entry in world.history(0) if "seen" in entry} == {
        part: now for part, now in state.view(0).items() if now is not None
    }


@pytest.mark.parametrize(("name", "players"), [("baron", 3), ("domaine", 2)])
def test_histories_of_shipped_games(name: str, players: int) -> None:
    visited = list(states(game(name, players).start(4), 3, 25))
    for player in range(players):
        early, late = (visited[n].history(player) for n in (len(visited) // 2, -1))
        assert late[: len(early)] == early
        assert len(late) > len(early)
