"""Reactions during a block at questions that are asked elsewhere too, on both engines."""

from __future__ import annotations

import pytest
from lockstep import played
from small_rules import loaded

import rulewright as rw

RULES = """game raids
players 2
field gold[Player]: 0..20 = 9
field luck[Player]: 0..9 = 9
procedure play
    repeat 3 times
        each p in players
            turn(p)
    finish ranking p in players by gold[p]
procedure turn(p: Player)
    ask(p)
    step foray
        raid(p, 1)
        p chooses out from {1, 2}
        if out is 2 then stop foray
        ask(p)
    ask(p)
procedure raid(p: Player, depth: 0..1)
    if depth > 0 then raid(p, depth - 1)
    ask(p)
procedure ask(p: Player)
    p chooses n from {0 .. 2}
    gold[p] -= min({gold[p], n})
reaction bribe during raid, by p where luck[p] > 0
    luck[p] -= 1
reaction beg during foray, by p where luck[p] > 0
    luck[p] -= 1
reaction pray during play, by p where luck[p] > 5
    luck[p] -= 1
"""
OFFERED = [set(), {"bribe", "beg"}, {"bribe", "beg"}, {"beg"}, {"beg"}, set()]
"""Reactions that are offered beside the answers, at the six questions of a turn."""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> rw.Game:
    return loaded(tmp_path_factory.mktemp("raids"), RULES)


def test_the_engines_agree(game: rw.Game) -> None:
    total = played(game.program, 40)
    assert total.decisions > 1_000
    assert not total.errors
    assert not total.handed_over


def test_what_is_offered_in_each_place(game: rw.Game) -> None:
    state = game.start(1)
    for _ in range(2):
        for offered in OFFERED:
            decision = state.decision
            assert decision is not None
            assert {option.key for option in decision.options} & {"bribe", "beg"} == offered
            state = state.choose("1" if decision.label == "out" else "0")


def test_nobody_is_shown_the_marks(game: rw.Game) -> None:
    assert sorted(game.start(1).view(None)["fields"]) == ["gold", "luck"]
    assert [field.name for field in game.model.fields] == ["gold", "luck"]


def test_saved_in_the_middle(game: rw.Game) -> None:
    state = game.start(1)
    state = state.choose("0")
    again = game.load(state.save())
    assert again == state
    assert again.decision == state.decision
