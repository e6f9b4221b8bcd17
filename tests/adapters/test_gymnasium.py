"""Many games at once as a vector environment of Gymnasium: machine code and states come to the same bytes, and each
autoreset mode does what Gymnasium says."""

from __future__ import annotations

import pickle
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hands import REMEMBERED, hands
from small_games import LEAVING, MATCHING, ROUNDS, written
from variety import variety

import rulewright as rw
from sampling import sample

np = pytest.importorskip("numpy")
gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("rulewright_lab.adapters.gymnasium")
from gymnasium.error import Error, InvalidAction  # noqa: E402
from gymnasium.vector import AsyncVectorEnv, AutoresetMode  # noqa: E402

from rulewright.engine.native.instance import Trap  # noqa: E402
from rulewright_lab.adapters.gymnasium import Env, VectorEnv  # noqa: E402

PAGE = Path(__file__).parents[2] / "docs" / "research.md"
NATIVE = (
    ("tic-tac-toe", 2),
    ("connect-four", 2),
    ("breakthrough", 2),
    ("carolus-magnus", 3),
    ("variety", 3),
    ("liars-dice", 2),
    ("goofspiel", 2),
    ("kuhn-poker", 2),
    ("leduc-poker", 2),
    ("hands", 2),
    ("hands", 3),
)


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The paths of rulesets that are written here."""
    folder = tmp_path_factory.mktemp("rulesets")
    rules = {"matching": MATCHING, "rounds": ROUNDS, "leaving": LEAVING}
    found = {name: written(folder, name, text) for name, text in rules.items()}
    return {"variety": variety(folder), "hands": hands(folder), **found}


def both(name: str, players: int, own: dict[str, str], count: int = 6, **given: Any) -> tuple[VectorEnv, VectorEnv]:
    """The same environments, natively played and state by state."""
    native, states = (
        VectorEnv(rw.load(own.get(name, name), players, engine=engine), count, **given)
        for engine in ("native", "python")
    )
    assert native.native
    assert not states.native
    return native, states


def same(one: Any, other: Any) -> bool:
    """True if two results are the same, to the last bit."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(np.array_equal(one, other))


@pytest.mark.parametrize("opponents", [None, "random"])
@pytest.mark.parametrize(("name", "players"), NATIVE)
def test_machine_code_sees_what_views_tell(name: str, players: int, opponents: Any, own: dict[str, str]) -> None:
    native, states = both(name, players, own, opponents=opponents)
    assert same(native.reset(seed=3), states.reset(seed=3))
    for _ in range(sample(30, 400)):
        actions = native.sample()
        assert same(native.step(actions), states.step(actions))


@pytest.mark.parametrize(("old", "new"), REMEMBERED)
def test_where_players_remember_more_views_tell_it(tmp_path: Path, old: str, new: str) -> None:
    envs = VectorEnv(rw.load(hands(tmp_path, old, new), engine="native"), 2)
    assert not envs.native
    envs.reset(seed=2)
    for _ in range(5):
        envs.step(envs.sample())


@pytest.mark.parametrize("name", ["connect-four", "variety"])
def test_a_trap_of_the_machine_code_is_mended(name: str, own: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Python plays on where machine code stops, and the others go on; the same comes of it."""
    native, states = both(name, 3 if name == "variety" else 2, own, opponents="random")
    episodes: Any = native._episodes
    act, traps = episodes._act_many, []

    def trapping(begin: int, room: int, first: int, end: int, *more: int) -> int:
        stop = next((number for number in range(first, end) if number % 3 == 1), end)
        if end - first == 1 or stop == end:  # the one that was mended is only looked at
            return int(act(begin, room, first, end, *more))
        act(begin, room, first, stop, *more)
        episodes._instance.write(episodes._at, stop.to_bytes(4, "little"))
        traps.append(stop)
        raise Trap

    assert same(native.reset(seed=3), states.reset(seed=3))
    monkeypatch.setattr(episodes, "_act_many", trapping)
    for _ in range(sample(20, 200)):
        actions = native.sample()
        assert same(native.step(actions), states.step(actions))
    assert traps


def test_errors_of_the_rules_are_told(tmp_path: Path) -> None:
    rules = LEAVING.replace("lives[target] -= 1", "lives[target] -= 3")
    envs = VectorEnv(rw.load(written(tmp_path, "failing", rules), engine="native"), 3)
    envs.reset(seed=1)
    with pytest.raises(Error, match=r"RUN001.*lives"):
        envs.step(envs.sample())


@pytest.mark.parametrize("ruleset", ["connect-four", "leduc-poker", "rounds", "leaving"])
def test_rewards_come_to_payoffs(ruleset: str, own: dict[str, str]) -> None:
    """The payments to a seat in the steps of a game come to its payoff, whatever is paid for."""
    envs = VectorEnv(own.get(ruleset, ruleset), 8, autoreset_mode="Disabled")
    envs.reset(seed=5)
    paid, over, ended = np.zeros((8, envs.game.players)), np.zeros(8, bool), 0
    for _ in range(200):
        _, _, terminated, _, info = envs.step(envs.sample())
        paid += info["rewards"]
        for number in np.flatnonzero(terminated).tolist():
            assert paid[number].tolist() == pytest.approx([float(one) for one in envs.position(number).payoffs])
            ended += 1
        over = terminated
        if over.any():
            paid[over] = 0
            envs.reset(options={"reset_mask": over})
        if ended > 12:
            return
    raise AssertionError("games do not end")


def test_next_step_mode() -> None:
    """The step after the end begins the next game: its action does nothing, nothing is paid."""
    envs = VectorEnv("tic-tac-toe", 4)
    envs.reset(seed=0)
    over = np.zeros(4, bool)
    for _ in range(40):
        actions = envs.sample()
        actions[over] = -7
        seen, rewards, terminated, truncated, info = envs.step(actions)
        for number in np.flatnonzero(over).tolist():
            assert not terminated[number]
            assert rewards[number] == 0
            assert seen["action_mask"][number].all()
            assert info["seat"][number] == 0
        over = terminated | truncated
        assert not seen["action_mask"][over].any()


def test_same_step_mode() -> None:
    """The end is told with the last observation, which is that of the other mode; the next game has begun."""
    same_step = VectorEnv("tic-tac-toe", 4, autoreset_mode=AutoresetMode.SAME_STEP)
    apart = VectorEnv("tic-tac-toe", 4, autoreset_mode=AutoresetMode.DISABLED)
    seen, _ = same_step.reset(seed=0)
    other, _ = apart.reset(seed=0)
    ended = 0
    for _ in range(30):
        actions = same_step.sample()
        seen, rewards, terminated, _, info = same_step.step(actions)
        other, paid, over, _, _ = apart.step(actions)
        assert list(rewards) == list(paid)
        assert list(terminated) == list(over)
        assert ("final_obs" in info) == bool(terminated.any())
        if terminated.any():
            ended += 1
            assert list(info["_final_obs"]) == list(terminated)
            assert np.array_equal(info["final_obs"]["observation"][terminated], other["observation"][terminated])
            other, _ = apart.reset(options={"reset_mask": over})
        assert np.array_equal(seen["observation"], other["observation"])
    assert ended


def test_games_have_successive_seeds() -> None:
    envs = VectorEnv("leduc-poker", 3, autoreset_mode="SameStep")
    envs.reset(seed=10)
    assert [envs.position(number).view(None) for number in range(3)] == [
        rw.load("leduc-poker").start(10 + number).view(None) for number in range(3)
    ]
    begun = {0: 10, 1: 11, 2: 12}
    for _ in range(30):
        *_, terminated, _, _ = envs.step(envs.sample())
        for number in np.flatnonzero(terminated).tolist():
            begun[number] += 3
            assert envs.position(number).view(None) == rw.load("leduc-poker").start(begun[number]).view(None)


def test_steps_are_bounded_where_one_says_so() -> None:
    envs = VectorEnv("connect-four", 2, max_episode_steps=3)
    envs.reset(seed=0)
    told = [envs.step(envs.sample())[3].tolist() for _ in range(8)]
    assert told == [[False] * 2] * 2 + [[True] * 2] + [[False] * 2] * 3 + [[True] * 2] + [[False] * 2]


@pytest.mark.parametrize("opponents", ["random", "mcts:20", "function"])
def test_opponents(opponents: str) -> None:
    """A learner is asked at its own turns only; the first, with seats by turns, as first or as second."""
    asked = []

    def first(observations: Any, masks: Any, seats: Any) -> Any:
        asked.extend(seats.tolist())
        return masks.argmax(1)

    envs = VectorEnv("tic-tac-toe", 4, opponents=first if opponents == "function" else opponents)
    seen, info = envs.reset(seed=1)
    assert info["seat"].tolist() == [0, 1, 0, 1]
    assert seen["action_mask"].sum(1).tolist() == [9, 8, 9, 8]
    paid = np.zeros(4)
    for _ in range(12):
        seen, rewards, terminated, _, info = envs.step(envs.sample())
        paid += rewards
        assert info["seat"].tolist() == [0, 1, 0, 1]
        assert (rewards[~terminated] == 0).all()
        assert rewards.tolist() == info["rewards"][np.arange(4), [0, 1, 0, 1]].tolist()
    assert bool(asked) == (opponents == "function")
    if opponents == "mcts:20":
        assert paid.sum() < 0


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("opponents", [None, "random"])
def test_what_was_given_stays_as_it_was(mode: AutoresetMode, opponents: str | None) -> None:
    """No later step changes what one gave away."""
    envs = VectorEnv("tic-tac-toe", 4, opponents=opponents, autoreset_mode=mode)
    given: list[tuple[Any, Any]] = []
    told: Any = envs.reset(seed=0)
    for _ in range(12):
        given.append((told, deepcopy(told)))
        told = envs.step(envs.sample())
        if mode is AutoresetMode.DISABLED and (over := told[2] | told[3]).any():
            given.append((told, deepcopy(told)))
            told = envs.reset(options={"reset_mask": over})
    assert all(same(now, then) for now, then in given)


def test_arrays_are_used_again_where_no_copies_are_wanted() -> None:
    envs, copied = VectorEnv("connect-four", 2, copy=False), VectorEnv("connect-four", 2)
    for one in (envs, copied):
        before, _ = one.reset(seed=0)
        after = one.step(np.array([0, 1]))[0]
        assert np.shares_memory(before["observation"], after["observation"]) == (one is envs)
        assert one.single_observation_space.contains({key: array[0] for key, array in after.items()})
        assert one.observation_space.contains(after)


@pytest.mark.parametrize("ruleset", ["connect-four", "leduc-poker"])
def test_environments_are_pickled_as_they_are(ruleset: str) -> None:
    envs = VectorEnv(ruleset, 4, opponents="random", copy=True)
    envs.reset(seed=2)
    for _ in range(5):
        envs.step(envs.sample())
    other = pickle.loads(pickle.dumps(envs))
    for _ in range(10):
        actions = envs.sample()
        assert same(envs.step(actions), other.step(actions))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"ruleset": "nosuch"}, "there is no ruleset `nosuch`"),
        ({"ruleset": "leduc", "players": 5}, "played by 2 players"),
        ({"num_envs": 0}, "number of environments"),
        ({"seat": 2}, "no seat `2`"),
        ({"opponents": "nobody"}, "nobody"),
        ({"opponents": 3}, "opponents are not `3`"),
        ({"max_episode_steps": 0}, "number of steps"),
        ({"autoreset_mode": "never"}, "never"),
        ({"render_mode": "film"}, "film"),
    ],
)
def test_what_cannot_be_made_is_told(given: dict[str, Any], told: str) -> None:
    with pytest.raises(Error, match=told):
        VectorEnv(**given)


def test_actions_that_are_not_legal_change_nothing() -> None:
    envs = VectorEnv("tic-tac-toe", 2)
    with pytest.raises(Error, match="`reset` comes before"):
        envs.step(np.array([0, 0]))
    envs.reset(seed=0)
    envs.step(np.array([4, 0]))
    for actions, told in (
        ([4, 1], "environment 0: action 4 is not legal"),
        ([1, 9], "environment 1: action 9"),
        ([1, -1], "environment 1: action -1"),
        ([1, 2**40], "environment 1: action"),
        ([1.0, 2.0], "array of 2 whole numbers"),
        ([1], "array of 2 whole numbers"),
    ):
        with pytest.raises(InvalidAction, match=told):
            envs.step(np.array(actions))
    assert np.asarray(envs.step(np.array([0, 4]))[0]["action_mask"]).sum(1).tolist() == [7, 7]
    disabled = VectorEnv("tic-tac-toe", 1, autoreset_mode="Disabled")
    disabled.reset(seed=0)
    while not disabled.step(disabled.sample())[2][0]:
        pass
    with pytest.raises(Error, match="environment 0 is over"):
        disabled.step(disabled.sample())
    with pytest.raises(Error, match="array of 1 truths"):
        disabled.reset(options={"reset_mask": [True]})


def _one() -> Env:
    return Env("connect-four", opponents="random")


def test_one_environment_in_workers() -> None:
    """Two workers play what one process does; one of them ends, and the other goes on."""
    alone = [_one(), _one()]
    expected = [env.reset(seed=3 + number)[0] for number, env in enumerate(alone)]
    workers = AsyncVectorEnv([_one, _one], context="fork", shared_memory=False)
    try:
        seen, _ = workers.reset(seed=3)
        for _ in range(3):
            for number, one in enumerate(expected):
                assert np.array_equal(seen["observation"][number], one["observation"])
            seen, *_ = workers.step(np.array([3, 3]))
            expected = [env.step(3)[0] for env in alone]
        first, second = workers.processes
        first.terminate()
        first.join()
        assert second.is_alive()
        workers.parent_pipes[1].send(("step", 2))
        (told, *_), good = workers.parent_pipes[1].recv()
        assert good
        assert np.array_equal(told["observation"], alone[1].step(2)[0]["observation"])
    finally:
        workers.close_extras(terminate=True)
        workers.closed = True


def test_one_environment_is_rendered() -> None:
    env = Env("tic-tac-toe", opponents="random", render_mode="ansi")
    env.reset(seed=0)
    assert "tic" in env.render().lower() or env.render().count("\n") > 3
    with pytest.raises(InvalidAction, match="whole number"):
        env.step("a")


def test_the_lines_of_the_page_run(capsys: pytest.CaptureFixture[str]) -> None:
    text = PAGE.read_text("utf-8")
    code, printed = text.split("```python\n# Gymnasium\n")[1].split("```\n\n```text\n", 1)
    exec(compile(code.split("```")[0], str(PAGE), "exec"), {})
    assert capsys.readouterr().out == printed.split("```")[0]
