"""`asked anyway`: nobody learns from its being asked what somebody holds."""

from __future__ import annotations

from pathlib import Path

import pytest
from secret_games import made
from twins import told_apart

import rulewright as rw

HEAD = """game parries
players 3
piece Card from "cards.json"
    kind: {shield, stone}
    named "{kind}"
    begins in deck
zone deck: stack of Card, count seen by everyone
zone hand[p: Player]: set of Card, face seen by p, count seen by everyone
zone discard: stack of Card, seen by everyone
field lives[Player]: 0..9 = 9
procedure play
    shuffle deck
    each p in players
        draw 1 from deck to hand[p]
    each p in players
        p chooses n from {1 .. 2}
        strike(p.left, n)
    finish ranking p in players by lives[p]
"""
CARDS = {"rows": [{"kind": "shield", "count": 4}, {"kind": "stone", "count": 5}]}
REACTION = """
procedure strike(victim: Player, amount: Int), open clockwise from victim
    lives[victim] -= amount
reaction shield instead of strike(victim, amount), by p with c in hand[p] where p is victim and c.kind is shield ANYWAY
    move c to discard
"""
CHOICE = """
procedure strike(victim: Player, amount: Int)
    victim chooses c from hand[victim] where c.kind is shield ANYWAY
    then
        move c to discard
    else
        lives[victim] -= amount
"""
REPEATED = """
procedure strike(victim: Player, amount: Int)
    victim repeats exactly 1 times ANYWAY
        victim chooses c from hand[victim] where c.kind is shield
        move c to discard
        return
    lives[victim] -= amount
"""


def struck(game: rw.Game) -> list[rw.State]:
    """Games after the first strike, which nobody has parried."""
    found = []
    for seed in range(40):
        state = game.start(seed).choose("1")
        decision = state.decision
        assert decision is not None
        if decision.name != "play.n":
            word = next((option.key for option in decision.options if option.key in ("pass", "stop")), None)
            if word is None:
                continue
            assert decision.who == "player_2", "the others could not parry"
            state = state.choose(word)
        found.append(state)
    return found


@pytest.mark.parametrize("rules", [REACTION, CHOICE, REPEATED])
@pytest.mark.parametrize("player", [0, 2])
def test_twins(rules: str, player: int, tmp_path: Path) -> None:
    def told(state: rw.State, seat: int) -> object:
        return [(entry.who, entry.name) for entry in state.log_for(seat)]

    states = struck(made(tmp_path, rules.replace("ANYWAY", ", asked anyway"), 3, CARDS, HEAD))
    by_hand = {own(state, player) + str(told(state, player)) for state in states}
    assert len(by_hand) == len({own(state, player) for state in states}), "the log is the same in all that look alike"
    found, _ = told_apart(states, told, player)
    assert not found


def own(state: rw.State, player: int) -> str:
    """The hand of a player, as they see it."""
    return str(state.view(player)["zones"]["hand"])


def test_without_it_the_log_tells(tmp_path: Path) -> None:
    states = struck(made(tmp_path, REACTION.replace(" ANYWAY", ""), 3, CARDS, HEAD))
    assert len({len(state.log_for(0)) for state in states}) == 2


@pytest.mark.parametrize("rules", [REACTION, CHOICE, REPEATED])
def test_options(rules: str, tmp_path: Path) -> None:
    game = made(tmp_path, rules.replace("ANYWAY", ", asked anyway"), 3, CARDS, HEAD)
    offered = set()
    for seed in range(20):
        decision = game.start(seed).choose("1").decision
        assert decision is not None
        offered.add(tuple(option.key for option in decision.options))
    with_shield = ("shield", "pass") if rules is REACTION else ("shield",)
    assert offered == {with_shield, ("stop",) if rules is REPEATED else ("pass",)}


@pytest.mark.parametrize("rules", [REACTION, CHOICE, REPEATED])
def test_engines_play_the_same(rules: str, tmp_path: Path) -> None:
    made(tmp_path, rules.replace("ANYWAY", ", asked anyway"), 3, CARDS, HEAD)
    games = [rw.load(tmp_path, 3, engine=engine) for engine in ("python", "native")]  # type: ignore[arg-type]
    for seed in range(20):
        one, other = (play.playout(seed) for play in games)
        assert (one.result, one.decisions) == (other.result, other.decisions)


SCENARIO = """
scenario "who was asked to parry"
    players anna, bert, cleo
    put "SHIELD" in hand[bert]
    put "stone" in hand[cleo]
    start strike(bert, 2)
    when bert: pass
    KNOWS anna: hand[bert]
    hidden anna: hand[cleo]
"""


@pytest.mark.parametrize(("anyway", "knows"), [("", "seen"), (", asked anyway", "hidden")])
def test_scenarios_know_who_was_asked(anyway: str, knows: str, tmp_path: Path) -> None:
    scenario = SCENARIO.replace("SHIELD", "shield").replace("KNOWS", knows)
    made(tmp_path, REACTION.replace(" ANYWAY", anyway) + scenario, 3, CARDS, HEAD)
    for plan in rw.scenarios.plans(rw.open_ruleset(tmp_path)):
        result = rw.scenarios.run_scenario(plan)
        assert result.passed, result
