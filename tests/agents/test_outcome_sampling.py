"""Online outcome sampling: it comes nearer to equilibrium with each simulation, and knows no more than its seat."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from agent_games import EACH_ENGINE, shipped

import rulewright as rw
import rulewright_lab as lab
from rulewright.engine import ALL_PASSES, Dice
from rulewright.engine.policies.policy import DICE
from rulewright.search.outcome_sampling import OutcomeSampling
from rulewright_lab.agents.search_agents import MonteCarloAgent
from rulewright_tools.session.deliberation import hints, thinking_seat
from sampling import thorough

sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))
from kuhn_exploitability import exploitability


def search(game: rw.Game, word: str) -> OutcomeSampling:
    agent = lab.agent(game, word)
    assert isinstance(agent, MonteCarloAgent)
    found = agent.begin(game.program, game.backend, ALL_PASSES)
    assert isinstance(found, OutcomeSampling)
    return found


@thorough
def test_exploitability_falls_with_the_simulations() -> None:
    game = shipped("kuhn-poker")
    found = [exploitability(game, search(game, f"oos:{number}"), 8) for number in (20, 200, 1_000)]
    assert found[0] > 1.4 * found[1] > 1.4 * 1.4 * found[2]
    assert found[2] < 0.1


def test_what_never_pays_is_hardly_done() -> None:
    """With the king, who is asked last calls, and with the jack they fold."""
    game = shipped("kuhn-poker")
    found = {}
    for seed in range(40):
        state = game.start(seed).choose("bet_one")
        (hand,) = state.view(1)["zones"]["hand"]["values"]["second"]["pieces"]
        if hand["key"] not in found:
            found[hand["key"]] = search(game, "oos:800").strategy(state, Dice(1, "tests"))
    assert found["jack"][0] > 0.95
    assert found["king"][1] > 0.95


@EACH_ENGINE
def test_answers_follow_from_what_the_seat_knows(engine: rw.playing.EngineName) -> None:
    game = shipped("leduc-poker", engine)
    known: dict[str, list[float]] = {}
    compared = 0
    used = search(game, "oos:60")
    for seed in range(12):
        state = game.start(seed).choose("raise")
        assert state.seat is not None
        key = str(state.history(state.seat))
        shares = used.strategy(state, Dice(1, "tests"))
        compared += key in known
        assert known.setdefault(key, shares) == shares == search(game, "oos:60").strategy(state, Dice(1, "tests"))
    assert compared > 4


def test_both_engines_find_the_same() -> None:
    states = [shipped("leduc-poker", engine).start(3).choose("raise") for engine in ("native", "python")]
    one, other = (
        search(shipped("leduc-poker", engine), "oos:200").analyse(state, rw.playing.Dice(5, "tests"))
        for engine, state in zip(("native", "python"), states, strict=True)
    )
    assert one == other
    assert one.looked == 200


def test_a_playout_lets_it_remember() -> None:
    """States of a playout have a log where somebody goes by it: the same game comes out as answer by answer."""
    game = shipped("kuhn-poker")
    seats = [lab.agent(game, "oos:40"), lab.agent(game, "oos:40")]
    for seed in range(4):
        played = game.playout(seed, keep=True, policies=seats)
        state, dice, answers = game.start(seed), Dice(seed, DICE), []
        choose = [search(game, "oos:40") for _ in range(2)]
        while state.decision is not None:
            assert state.seat is not None
            answers.append(choose[state.seat](state, dice))
            state = state.choose(answers[-1])
        assert played.answers == tuple(answers)


@pytest.mark.parametrize("name", [pytest.param("kings-and-things", marks=thorough), "domaine"])
def test_where_the_question_is_not_come_to_another_search_answers(name: str) -> None:
    game = shipped(name)
    state = game.start(1)
    for _ in range(12):
        state = state.choose(0)
    found = search(game, "oos:40").analyse(state, Dice(3, "tests"))
    assert found.answers


def test_worlds_have_no_log() -> None:
    """A seat that does not know how the game has come here is answered by another search."""
    game = shipped("kuhn-poker")
    world = game.start(2).imagine(0, 5)
    instead = rw.playing.Dice(3, "tests")
    instead.below(1 << 64)
    found = search(game, "oos:50").analyse(world, rw.playing.Dice(3, "tests"))
    assert found == game.search(lab.agent(game, "mcts:50")).analyse(world, instead)


def test_at_a_terminal_it_draws_as_well() -> None:
    """Both answers come up with a king: the one that is to be taken more often is not all that there is."""
    game = shipped("kuhn-poker")
    state = next(state for state in map(game.start, range(40)) if "king" in str(state.view(0)))
    agent = search(game, "oos:200")
    found = agent.analyse(state, rw.playing.Dice(2, "tests"))
    assert sum(one.share for one in found.answers) == pytest.approx(1)
    assert {found.taken(rw.playing.Dice(seed, "tests"), 2) for seed in range(60)} == {0, 1}
    seat = thinking_seat(game, lab.agent(game, "oos:200"), 5, lambda line: None)
    given = [seat(state, number) for number in range(8)]
    assert given == [agent(state, rw.playing.Dice(5, f"seat, decision {number}")) for number in range(8)]
    assert "to be taken in" in hints(game, state, lab.agent(game, "oos:60"), 1, lambda line: None)[0]
