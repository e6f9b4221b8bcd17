"""Rulesets as environments of PettingZoo: its own test suite, unchanged, and what it does not look at."""

from __future__ import annotations

import pickle
import warnings
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from small_games import LEAVING, MATCHING, ROUNDS, written

from sampling import sample, thorough

np = pytest.importorskip("numpy")
pytest.importorskip("pettingzoo")
pytest.importorskip("rulewright_lab.adapters.pettingzoo")
from gymnasium.error import Error, InvalidAction  # noqa: E402

with warnings.catch_warnings():  # of games of theirs, which the suite imports
    warnings.simplefilter("ignore")
    suite: Any = pytest.importorskip("pettingzoo.test")

from rulewright_lab.adapters import pettingzoo as pz  # noqa: E402

SMALL = ("tic-tac-toe", "connect-four", "breakthrough", "kuhn-poker", "leduc-poker")
RULEBOOKS = ("carolus-magnus", "domaine", "loewenherz", "baron", "kings-and-things")
PAGE = Path(__file__).parents[2] / "docs" / "research.md"
OF_DICTS = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    r"Action mask numpy array is all zeros \(no legal actions\)",
)
"""The suite warns of each environment, but of its own, that has masks in its observations, or that ends."""


@pytest.fixture(autouse=True)
def _theirs() -> Any:
    with warnings.catch_warnings():
        for message in OF_DICTS:
            warnings.filterwarnings("ignore", message)
        yield


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The paths of the small rulesets."""
    folder = tmp_path_factory.mktemp("rulesets")
    rules = {"matching": MATCHING, "rounds": ROUNDS, "leaving": LEAVING}
    return {name: written(folder, name, text) for name, text in rules.items()}


def played(env: Any, seed: int = 0) -> dict[str, float]:
    """The sums of rewards of a game at random."""
    env.reset(seed=seed)
    random, found = np.random.default_rng(seed), dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        found[agent] += reward
        over = termination or truncation
        env.step(None if over else int(random.choice(np.flatnonzero(observation["action_mask"]))))
    return found


@pytest.mark.parametrize("name", SMALL)
def test_their_suite(name: str) -> None:
    suite.api_test(pz.env(name), num_cycles=sample(20, 1000))
    suite.api_test(pz.raw_env(name), num_cycles=sample(20, 1000))
    suite.seed_test(partial(pz.env, name), num_cycles=sample(20, 500))


@pytest.mark.parametrize("name", ["matching", "rounds", "leaving"])
def test_their_suite_with_other_rules(name: str, own: dict[str, str]) -> None:
    suite.api_test(pz.env(own[name]), num_cycles=sample(20, 1000))
    suite.api_test(pz.env(own[name], eliminated="leave"), num_cycles=sample(20, 1000))
    suite.seed_test(partial(pz.env, own[name]), num_cycles=sample(20, 500))


def test_their_suite_of_those_who_decide_at_once(own: dict[str, str]) -> None:
    for name in ("matching", "rounds"):
        suite.parallel_api_test(pz.parallel_env(own[name]), num_cycles=sample(20, 1000))
    suite.parallel_seed_test(partial(pz.parallel_env, own["rounds"], players=3), num_cycles=10)
    rounds = {name: partial(getattr(pz, name), own["rounds"]) for name in ("env", "parallel_env")}
    suite.max_cycles_test(SimpleNamespace(**rounds))


@thorough
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("name", RULEBOOKS)
def test_their_suite_with_large_games(name: str, players: int) -> None:
    suite.api_test(pz.env(name, players=players), num_cycles=20)
    suite.seed_test(partial(pz.env, name, players=players), num_cycles=10)


@thorough
@pytest.mark.parametrize("name", SMALL)
def test_their_benchmark(name: str) -> None:
    suite.performance_benchmark(pz.env(name))


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    suite.render_test(partial(pz.env, "connect-four"))
    assert "Connect Four" not in capsys.readouterr().err
    env = pz.env("connect-four", render_mode="ansi")
    env.reset(seed=1)
    empty = env.render()
    env.step(3)
    assert empty != env.render()
    assert capsys.readouterr().out == ""
    env = pz.env("connect-four", render_mode="human")
    env.reset(seed=1)
    assert capsys.readouterr().out == empty


def test_rewards_come_to_payoffs(own: dict[str, str]) -> None:
    for ruleset, players in (("tic-tac-toe", 2), ("leduc-poker", 2), (own["rounds"], 3), (own["leaving"], 3)):
        env = pz.env(ruleset, players=players)
        found = played(env, 3)
        assert list(found.values()) == pytest.approx([float(one) for one in env.unwrapped.position.payoffs])


def test_parallel_games_are_those_of_the_other(own: dict[str, str]) -> None:
    """The same answers, given together or one after the other, come to the same."""
    together, alone = pz.parallel_env(own["rounds"], players=3), pz.env(own["rounds"], players=3)
    observed, _ = together.reset(seed=4)
    alone.reset(seed=4)
    random = np.random.default_rng(4)
    while together.agents:
        actions = {agent: int(random.integers(2)) for agent in together.agents}
        for agent, action in actions.items():
            assert alone.agent_selection == agent
            assert list(alone.last()[0]["action_mask"]) == list(observed[agent]["action_mask"]) == [1, 1]
            alone.step(action)
        observed, rewards, _, _, _ = together.step(actions)
        for agent, one in observed.items():
            assert np.array_equal(one["observation"], alone.observe(agent)["observation"])
    assert alone.unwrapped.position.save() == together.position.save()
    assert not any(sum(alone.unwrapped._cumulative_rewards.values()) < reward for reward in rewards.values())


def test_seats_that_are_out(own: dict[str, str]) -> None:
    for eliminated, left in (("stay", 3), ("leave", 2)):
        env = pz.env(own["leaving"], eliminated=eliminated)
        env.reset(seed=0)
        while not env.unwrapped._seats.out:
            mask = env.last()[0]["action_mask"]
            env.step(int(np.flatnonzero(mask)[0]))
        (gone,) = env.unwrapped._seats.out
        assert env.infos[gone] == {"out": True}
        if eliminated == "leave":
            assert env.agent_selection == gone
            assert env.last()[2]
            env.step(None)
        assert len(env.agents) == left
        assert env.agent_selection != gone


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"ruleset": "nosuch"}, "there is no ruleset `nosuch`"),
        ({"ruleset": "leduc", "players": 5}, "played by 2 players"),
        ({"ruleset": "baron", "options": {"nosuch": 3}}, "nosuch"),
        ({"ruleset": "baron", "variants": ["No such variant"]}, "No such variant"),
        ({"ruleset": "leduc", "render_mode": "film"}, "no render mode `film`"),
        ({"ruleset": "leduc", "max_cycles": 0}, "number of cycles"),
        ({"ruleset": "leduc", "eliminated": "sleep"}, "eliminated seats"),
    ],
)
def test_what_cannot_be_made_is_told(given: dict[str, Any], told: str) -> None:
    with pytest.raises(Error, match=told):
        pz.env(**given)


def test_errors_are_theirs(own: dict[str, str]) -> None:
    with pytest.raises(Error, match="one after the other"):
        pz.parallel_env("tic-tac-toe")
    env = pz.raw_env("tic-tac-toe")
    env.reset(seed=0)
    env.step(4)
    for action, told in ((4, "not legal"), (9, "not legal"), ("4", "whole number"), (True, "whole number")):
        with pytest.raises(InvalidAction, match=told):
            env.step(action)
    together = pz.parallel_env(own["matching"])
    together.reset(seed=0)
    with pytest.raises(Error, match="`player_1` is asked"):
        together.step({"player_0": 0})
    wrapped = pz.env("tic-tac-toe")
    wrapped.reset(seed=0)
    wrapped.step(4)
    wrapped.step(4)
    assert all(wrapped.terminations.values())
    assert wrapped.unwrapped._cumulative_rewards == {"player_0": 0.0, "player_1": -1.0}


def test_environments_are_pickled_as_they_are() -> None:
    env = pz.env("leduc-poker")
    env.reset(seed=5)
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    other = pickle.loads(pickle.dumps(env))
    assert other.agent_selection == env.agent_selection
    assert other.unwrapped.position.save() == env.unwrapped.position.save()
    assert np.array_equal(other.last()[0]["observation"], env.last()[0]["observation"])
    assert np.array_equal(other.state(), env.state())


def test_seeds_decide_what_comes_next() -> None:
    def games(seed: int) -> list[str]:
        env = pz.raw_env("leduc-poker")
        env.reset(seed=seed)
        found = []
        for _ in range(3):
            found.append(str(env.position.view(None)))
            env.reset()
        return found

    assert games(1) == games(1) != games(2)
    assert len(set(games(1))) > 1


def test_the_lines_of_the_page_run(capsys: pytest.CaptureFixture[str]) -> None:
    text = PAGE.read_text("utf-8")
    code, printed = text.split("```python\n# PettingZoo\n")[1].split("```\n\n```text\n", 1)
    exec(compile(code.split("```")[0], str(PAGE), "exec"), {})
    assert capsys.readouterr().out == printed.split("```")[0]
