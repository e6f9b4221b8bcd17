"""Rulesets as games of OpenSpiel: its own simulation test, its algorithms, and its own games as the measure."""

from __future__ import annotations

import pickle
from pathlib import Path
from random import Random
from typing import Any

import pytest
from small_games import MATCHING

from sampling import sample, thorough

np = pytest.importorskip("numpy")
pyspiel = pytest.importorskip("pyspiel")
pytest.importorskip("rulewright_lab.adapters.openspiel")
algorithms: Any = pytest.importorskip("open_spiel.python.algorithms.cfr")

SMALL = ("tic-tac-toe", "connect-four", "breakthrough", "kuhn-poker", "leduc-poker")
RULEBOOKS = ("carolus-magnus", "domaine", "loewenherz", "baron", "kings-and-things")
LARGE = [(name, players) for name in RULEBOOKS for players in (2, 3, 4)]
PAGE = Path(__file__).parents[2] / "docs" / "research.md"


def game(name: str, **params: Any) -> Any:
    """A ruleset as OpenSpiel loads it."""
    return pyspiel.load_game("rulewright", {"ruleset": name, **params})


def test_the_lines_of_the_page_run(capsys: pytest.CaptureFixture[str]) -> None:
    text = PAGE.read_text("utf-8")
    code, printed = text.split("```python\n# OpenSpiel\n")[1].split("```\n\n```text\n", 1)
    exec(compile(code.split("```")[0], str(PAGE), "exec"), {})
    assert capsys.readouterr().out == printed.split("```")[0]


@pytest.mark.parametrize("name", SMALL)
def test_their_simulation(name: str) -> None:
    pyspiel.random_sim_test(game(name), num_sims=sample(1, 10), serialize=True, verbose=False)


@thorough
@pytest.mark.parametrize(("name", "players"), LARGE)
def test_their_simulation_of_large_games(name: str, players: int) -> None:
    pyspiel.random_sim_test(game(name, players=players), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize(("name", "theirs"), [("kuhn-poker", "kuhn_poker"), ("tic-tac-toe", "tic_tac_toe")])
def test_trees_are_as_large_as_theirs(name: str, theirs: str) -> None:
    """As many histories and ends, and the same returns at them."""

    def measured(state: Any, most: int) -> tuple[int, int, float]:
        if state.is_terminal():
            return 1, 1, state.returns()[0]
        if not most:
            return 1, 0, 0.0
        found = [measured(state.child(action), most - 1) for action in state.legal_actions()]
        return 1 + sum(n for n, _, _ in found), sum(e for _, e, _ in found), sum(w for _, _, w in found)

    depth = 9 if name == "kuhn-poker" else 3
    ours = measured(game(name).new_initial_state(), depth)
    assert ours == measured(pyspiel.load_game(theirs).new_initial_state(), depth)


def test_counterfactual_regret_minimisation_solves_kuhn_poker() -> None:
    """The first player loses 1/18 of an ante in equilibrium; there are twelve information states."""
    from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

    kuhn = game("kuhn-poker")
    solver = cfr.CFRPlusSolver(kuhn)
    assert len(solver._info_state_nodes) == 12
    for _ in range(sample(30, 200)):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = expected_game_score.policy_value(kuhn.new_initial_state(), [policy, policy])
    assert value[0] == pytest.approx(-1 / 18, abs=0.01)
    assert exploitability.exploitability(kuhn, policy) < 0.02


@thorough
def test_counterfactual_regret_minimisation_solves_leduc_poker() -> None:
    from open_spiel.python.algorithms import cfr, expected_game_score

    leduc = game("leduc-poker")
    solver = cfr.CFRPlusSolver(leduc)
    assert len(solver._info_state_nodes) == 288  # theirs has 936, as it tells cards of one rank apart
    for _ in range(100):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = expected_game_score.policy_value(leduc.new_initial_state(), [policy, policy])
    assert value[0] == pytest.approx(-0.0856, abs=0.01)


def test_their_searches_play() -> None:
    from open_spiel.python.algorithms import ismcts, mcts

    board = game("tic-tac-toe")
    random = np.random.RandomState(1)
    bots = [mcts.MCTSBot(board, 1.4, 60, mcts.RandomRolloutEvaluator(1, random), random_state=random) for _ in range(2)]
    state = board.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    assert sum(state.returns()) == 0
    cards = game("kuhn-poker")
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    bot = ismcts.ISMCTSBot(cards, evaluator, 1.4, 40, random_state=random)
    state = cards.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    while not state.is_terminal():
        state.apply_action(bot.step(state))
    assert sum(state.returns()) == 0


def test_those_who_decide_at_once(tmp_path: Path) -> None:
    (tmp_path / "ruleset.json").write_text('{"name": "matching", "title": "Matching", "rules": ["game.rules"]}')
    (tmp_path / "game.rules").write_text(MATCHING)
    matching = game(str(tmp_path))
    assert matching.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    state = matching.new_initial_state()
    assert state.is_simultaneous_node()
    assert [state.legal_actions(player) for player in (0, 1)] == [[0, 1], [0, 1]]
    state.apply_actions([1, 1])
    assert state.is_terminal()
    assert state.returns() == [1, -1]
    pyspiel.random_sim_test(matching, num_sims=2, serialize=True, verbose=False)


def test_states_tell_what_a_player_may_know() -> None:
    state = game("leduc-poker").new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    copied = state.clone()
    other = pickle.loads(pickle.dumps(state))
    assert str(copied) == str(other) == str(state)
    for player in range(2):
        world = state.resample_from_infostate(player, lambda: 0.3)
        assert world.information_state_string(player) == state.information_state_string(player)
        assert world.observation_string(player) == state.observation_string(player)
        assert world.observation_tensor(player) == state.observation_tensor(player)
    assert state.information_state_string(0) != state.information_state_string(1)
    action = state.legal_actions()[0]
    assert state.action_to_string(state.current_player(), action) == "bet_round.deed call"


@pytest.mark.parametrize(("name", "longest"), [("kuhn-poker", 4), ("goofspiel", 26), ("connect-four", 42)])
def test_information_states_are_arrays_too(name: str, longest: int) -> None:
    played = game(name)
    assert played.get_type().provides_information_state_tensor
    assert played.max_game_length() == longest
    state, random = played.new_initial_state(), Random(4)
    seen: dict[str, tuple[float, ...]] = {}
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(random.choice([action for action, _ in state.chance_outcomes()]))
        elif state.is_simultaneous_node():
            state.apply_actions([random.choice(state.legal_actions(player)) for player in range(2)])
        else:
            state.apply_action(random.choice(state.legal_actions()))
        for player in range(2):
            text, array = state.information_state_string(player), state.information_state_tensor(player)
            assert len(array) == played.information_state_tensor_size()
            assert seen.setdefault(text, tuple(array)) == tuple(array)
    assert len(set(seen.values())) == len(seen) > 3
    observer = played.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    observer.set_from(state, 0)
    assert observer.dict["answered"].shape == (longest, 2)


def test_games_without_a_bound_have_no_arrays_of_information_states() -> None:
    assert not game("pig").get_type().provides_information_state_tensor
    assert game("pig", max_game_length=30).information_state_tensor_size()


@pytest.mark.parametrize(
    ("params", "told"),
    [
        ({"ruleset": "nosuch"}, "there is no ruleset `nosuch`"),
        ({"ruleset": "leduc-poker", "players": 5}, "played by 2 players"),
        ({"ruleset": "baron", "options": "nosuch=3"}, "nosuch"),
        ({"ruleset": "connect-four", "options": "columns"}, "`rounds:4`"),
        ({"ruleset": "connect-four", "options": "columns=-1e5"}, "`-1e5` is not a value for `columns`"),
        ({"ruleset": "baron", "variants": "No such variant"}, "No such variant"),
    ],
)
def test_what_cannot_be_loaded_is_told(params: dict[str, Any], told: str) -> None:
    with pytest.raises(pyspiel.SpielError, match=told):
        pyspiel.load_game("rulewright", params)


def test_options_stand_in_the_text_of_a_game() -> None:
    """Games are written as texts when they are saved."""
    named = pyspiel.load_game("rulewright(ruleset=connect-four,options=columns:5;rows:4)")
    assert named.num_distinct_actions() == 5
    given = pyspiel.load_game("rulewright", {"ruleset": "connect-four", "options": "columns=5; rows = 4"})
    assert str(given) == str(named)
    assert str(pyspiel.load_game(str(given))) == str(named)
    pyspiel.random_sim_test(given, num_sims=1, serialize=True, verbose=False)


def test_actions_that_are_not_legal_are_refused() -> None:
    state = game("tic-tac-toe").new_initial_state()
    state.apply_action(4)
    with pytest.raises(pyspiel.SpielError, match="not legal"):
        state.apply_action(4)
