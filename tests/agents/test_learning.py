"""Evaluations that are learnt by playing: features, weights, files, and agents that use them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import jsonschema
import pytest
from agent_games import shipped

import rulewright as rw
import rulewright_lab as lab
from rulewright.engine import stepper_of
from rulewright_lab.evaluation.derived_queries import derived_of
from rulewright_lab.evaluation.evaluation import LINEAR, LOGISTIC, Evaluation, Weight
from rulewright_lab.evaluation.features import compared, features_of
from rulewright_lab.evaluation.weights_file import text_of
from rulewright_lab.tournaments import Records, Tournament
from sampling import thorough

SCHEMAS = Path(__file__).parents[2] / "schemas"
GAMES = ["tic-tac-toe", "connect-four", "breakthrough", "kuhn-poker", "baron", "domaine", "carolus-magnus"]
LEARN = [sys.executable, "-m", "rulewright_tools", "learn"]


def weighed(game: rw.Game, weights: dict[str, float] | None = None) -> Evaluation:
    """An evaluation with the weights of some features; 0 for all others."""
    found, names = weights or {}, features_of(game.engine).names
    assert set(found) <= set(names)
    each = tuple(Weight(feature, found.get(feature, 0.0), 1.0) for feature in names)
    return Evaluation("some", LINEAR, 0.0, -9.0, 9.0, each)


def written(folder: Path, game: rw.Game, evaluation: Evaluation) -> Path:
    """Its file."""
    file = folder / "weights.json"
    file.write_text(text_of(game.engine, evaluation, {"games": 0}), "utf-8")
    return file


def refused(game: rw.Game, word: str) -> str:
    with pytest.raises(rw.RulesetError) as error:
        lab.agent(game, word)
    assert len(error.value.diagnostics) == 1
    return f"{error.value.diagnostics[0].message}\n{error.value.diagnostics[0].hint}"


@pytest.mark.parametrize("name", GAMES)
def test_features_are_the_same_with_either_engine(name: str) -> None:
    game = shipped(name)
    features, dice = features_of(game.engine), Random(name)
    steppers = [stepper_of(game.program, engine, game.passes, features.queries) for engine in ("python", "native")]
    assert {stepper.begin(5) for stepper in steppers} == {steppers[0].options}
    met = 0
    for _ in range(40):
        if not steppers[0].options:
            break
        first, second = (features.of(stepper) for stepper in steppers)
        assert first == second
        met += any(first)
        option = dice.randrange(steppers[0].options)
        for stepper in steppers:
            stepper.apply(option)
    assert met
    assert len(set(features.names)) == len(features.names)


def test_features_say_what_seats_have() -> None:
    game = shipped("kuhn-poker")
    features = features_of(game.engine)
    stepper = stepper_of(game.program, "python", game.passes, features.queries)
    stepper.begin(3)
    values = features.of(stepper)
    by_name = {name: values[2 * row : 2 * row + 2] for row, name in enumerate(features.names)}
    view = stepper.state().view(None)
    held = {seat: zone["pieces"][0]["key"] for seat, zone in view["zones"]["hand"]["values"].items()}
    for number, seat in enumerate(game.seats):
        assert by_name[f"{held[seat]} in hand"][number] == 1
    assert by_name["pieces in hand"] == [1, 1]
    assert by_name["to be asked"] == [int(seat == stepper.seat) for seat in range(2)]
    above = compared(values, 2)
    assert above[0] == [-value for value in above[1]]


def test_lines_and_reach_on_a_map() -> None:
    game = shipped("tic-tac-toe")
    features = features_of(game.engine)
    state = game.start()
    for key in ("(0, 0)", "(2, 2)", "(1, 0)"):
        state = state.choose(key)
    stepper = stepper_of(game.program, "python", game.passes, features.queries)
    stepper.load(state)
    values = features.of(stepper)
    by_name = {name: values[2 * row : 2 * row + 2] for row, name in enumerate(features.names)}
    assert by_name["Board: places held"] == [2, 1]
    assert by_name["Board: lines of 3, 2 own"] == [1, 0]
    assert by_name["Board: own neighbours"] == [2, 0]
    assert by_name["options when asked"] == [0, 6]


def test_a_learnt_player_takes_what_its_weights_say(tmp_path: Path) -> None:
    """With a weight of lines that are nearly full it takes the third place of one, and does not need scikit-learn."""
    game = shipped("tic-tac-toe")
    file = written(tmp_path, game, weighed(game, {"Board: lines of 3, 2 own": 1.0}))
    state = game.start()
    for key in ("(0, 0)", "(2, 2)"):
        state = state.choose(key)
    assert state.decision is not None
    for word in (f"learnt:{file}", f"mcts:40:learnt:{file}", f"alphabeta:1:learnt:{file}"):
        agent = lab.agent(game, word, noise=0)
        assert str(agent).startswith(word)
        chosen = state.decision.options[game.pick(state, agent, rw.playing.Dice(1, "test"))].key
        assert chosen in {"(0, 1)", "(0, 2)", "(1, 0)", "(2, 0)"}
    blocked = (
        "import sys; sys.modules['sklearn'] = None\nimport rulewright as rw, rulewright_lab as lab\n"
        f"game = rw.load('tic-tac-toe')\nprint(game.playout(1, policies=[lab.agent(game, 'learnt:{file}')]).finished)"
    )
    assert subprocess.run([sys.executable, "-c", blocked], capture_output=True, text=True).stdout == "True\n"


@pytest.mark.parametrize("word", ["learnt:{}", "mcts:30:learnt:{}", "mcts:30:learnt:{}/3", "flat:30:learnt:{}"])
@pytest.mark.parametrize("name", ["connect-four", "kuhn-poker", "baron"])
def test_games_are_the_same_with_either_engine(tmp_path: Path, name: str, word: str) -> None:
    names = features_of(shipped(name).engine).names
    each = tuple(Weight(one, (7 * number % 11 - 5) / 40, 1.0) for number, one in enumerate(names))
    game = shipped(name)
    kind = LINEAR if game.engine.payoffs.pays else LOGISTIC
    file = written(tmp_path, game, Evaluation("", kind, 0.0, -1.0, 1.0, each))
    games = [rw.load(name, engine=engine) for engine in ("python", "native")]
    played = [one.playout(4, True, most=12, policies=[lab.agent(one, word.format(file))]).answers for one in games]
    assert played[0] == played[1] != ()


def test_files_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    game = shipped("connect-four")
    file = written(tmp_path, game, weighed(game))
    lab.agent(game, f"mcts:9:learnt:{file}/4")
    assert "no such file" in refused(game, f"learnt:{tmp_path / 'weight.json'}")
    assert "weights.json" in refused(game, f"learnt:{tmp_path / 'weight.json'}")
    assert "rulewright learn RULESET -o FILE" in refused(game, "learnt:")
    assert "rulewright learn RULESET -o FILE" in refused(game, "mcts:9:learnt:")
    assert "learnt" in refused(game, "learned:weights.json")
    assert "it is for the game `connect_four`, and this is `breakthrough`" in refused(
        shipped("breakthrough"), f"learnt:{file}"
    )
    data = json.loads(file.read_text("utf-8"))
    data["weights"][0]["feature"] = "gold"
    data["digest"] = "another"
    file.write_text(json.dumps(data), "utf-8")
    message = refused(game, f"learnt:{file}")
    assert "no longer there: `gold`" in message
    assert "new: `" in message
    data = json.loads(text_of(game.engine, weighed(game), {}))
    data["digest"] = "another"
    file.write_text(json.dumps(data), "utf-8")
    assert "the text of the rules has been changed" in refused(game, f"learnt:{file}")
    file.write_text("no JSON", "utf-8")
    assert "a value was expected, but `no` was found" in refused(game, f"learnt:{file}")
    del data["kind"]
    file.write_text(json.dumps(data), "utf-8")
    assert "kind" in refused(game, f"learnt:{file}")


def test_games_of_other_weights_are_not_taken_for_these(tmp_path: Path) -> None:
    """A file of weights that was learnt anew is another player, whatever word names it."""
    game, file = shipped("tic-tac-toe"), tmp_path / "games.jsonl"
    weights = written(tmp_path, game, weighed(game))
    word = f"mcts:5:learnt:{weights}"
    meant = Tournament((f"learnt:{weights}", word, "random"))
    Records(file, game, meant).known(6)
    assert Records(file, game, meant).known(6) == []
    weights.write_text(weights.read_text("utf-8") + "\n", "utf-8")
    with pytest.raises(rw.RulesetError, match=f"the weights of `learnt:.*`, `{word}` have changed since"):
        Records(file, game, meant).known(6)
    with pytest.raises(rw.RulesetError, match="its seed differ"):
        Records(file, game, Tournament(meant.agents, 5)).known(6)


def test_other_options_and_players_are_told(tmp_path: Path) -> None:
    game = rw.load("baron", 2)
    file = written(tmp_path, game, weighed(game))
    assert "it is for 2 players, and here are 3" in refused(rw.load("baron", 3), f"learnt:{file}")
    name, value = next(iter(game.parameters.items()))
    data = json.loads(file.read_text("utf-8"))
    data["options"][name] = "other"
    data["digest"] = "another"
    file.write_text(json.dumps(data), "utf-8")
    assert f"`{name}` was other, and here it is {value}" in refused(game, f"learnt:{file}")


def learnt(output: Path, *words: str) -> dict[str, object]:
    done = subprocess.run([*LEARN, *words, "-o", str(output), "--format", "json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    report: dict[str, object] = json.loads(done.stdout)
    jsonschema.validate(report, json.loads((SCHEMAS / "learning-report.schema.json").read_text("utf-8")))
    jsonschema.validate(
        json.loads(output.read_text("utf-8")), json.loads((SCHEMAS / "evaluation.schema.json").read_text("utf-8"))
    )
    return report


@thorough
def test_the_same_games_give_the_same_file(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    words = "kuhn-poker", "--games", "60", "--rounds", "2", "--agent", "mcts:4"
    for number, more in enumerate([(), ("--jobs", "2"), ("--engine", "python")]):
        report = learnt(tmp_path / f"{number}.json", *words, *more)
        assert report["games"] == 60
    assert len({(tmp_path / f"{number}.json").read_bytes() for number in range(3)}) == 1


def test_what_is_learnt_wins(tmp_path: Path) -> None:
    """After 120 games of tic-tac-toe at random the learnt player wins nearly all games against random ones."""
    pytest.importorskip("sklearn")
    learnt(tmp_path / "weights.json", "tic-tac-toe", "--games", "120")
    game = shipped("tic-tac-toe")
    agents = [lab.agent(game, f"learnt:{tmp_path / 'weights.json'}", noise=0), lab.agent(game, "random")]
    payoffs = [game.playout(seed, policies=agents[::step]).payoffs[::step] for seed in range(30) for step in (1, -1)]
    assert sum(mine for mine, _ in payoffs) > 40


def test_wrong_words_are_one_error(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    for words, told in [
        (("tic-tac-toe", "--games", "5", "-o", str(tmp_path / "w.json")), "is too few: 15 are needed"),
        (("tic-tac-toe", "-o", str(tmp_path / "no" / "w.json")), "there is no folder"),
        (("tic-tac-toe", "--agent", "nosuch", "-o", str(tmp_path / "w.json")), "there is no agent `nosuch`"),
    ]:
        done = subprocess.run([*LEARN, *words], capture_output=True, text=True)
        assert done.returncode == 2
        assert told in done.stderr
        assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_turn_of_several_questions_is_looked_through(tmp_path: Path) -> None:
    """In Breakthrough the pawn is asked for before its target: only behind both is anything different."""
    game = shipped("breakthrough")
    file = written(tmp_path, game, weighed(game, {"Board: greatest y of black": 0.001}))
    agent, state, pawns = lab.agent(game, f"learnt:{file}", noise=0), game.start(), list[str]()
    while len(pawns) < 4 and state.decision is not None:
        number = game.pick(state, agent, rw.playing.Dice(len(pawns), "test")) if state.seat == 1 else 0
        if state.seat == 1 and state.decision.name == "turn.pawn":
            pawns.append(state.decision.options[number].key)
        state = state.choose(number)
    assert [key.partition(",")[0] for key in pawns] == ["(1", "(2", "(3", "(4"]


@pytest.mark.parametrize("name", ["domaine", "baron", "carolus-magnus", "kings-and-things"])
def test_derived_features_are_the_same_with_either_engine(name: str) -> None:
    game = shipped(name)
    derived, dice = derived_of(game.engine), Random(name)
    names = tuple(query.name for query in derived.features.values())
    steppers = [stepper_of(derived.program, engine, game.passes, names) for engine in ("python", "native")]
    assert {stepper.begin(5) for stepper in steppers} == {steppers[0].options}
    for number in range(60):
        if not steppers[0].options:
            break
        if number % 20 == 0:
            assert all(steppers[0].rates(one) == steppers[1].rates(one) for one in names)
        option = dice.randrange(steppers[0].options)
        assert len({stepper.apply(option) for stepper in steppers}) == 1


def test_a_prospect_grows_with_every_border() -> None:
    """A score that is counted only when a domain is closed has a slope before."""
    game = shipped("domaine")
    derived = derived_of(game.engine)
    name = "score(p) with Enclosure around own Castle, 2 wide"
    assert name in derived.features
    names = ("score", derived.features[name].name)
    stepper = stepper_of(derived.program, "native", game.passes, names)
    size, dice, met = stepper.begin(3), Random(3), set[int]()
    while size and len(met) < 4:
        size = stepper.apply(dice.randrange(size))
        if stepper.rates("score") == (0, 0):
            met.add(stepper.rates(names[1])[0])
    assert len(met) == 4


def test_searches_ask_one_query_for_what_was_learnt(tmp_path: Path) -> None:
    """A weighed sum of derived features is a query: searches find the same with either engine, and the state of a game
    is taken into the program with the query."""
    games = [rw.load("domaine", engine=engine) for engine in ("python", "native")]
    features = derived_of(games[0].engine).features
    each = tuple(Weight(name, float("with Enclosure" in name), 100.0) for name in features)
    file = tmp_path / "weights.json"
    evaluation = Evaluation("", LOGISTIC, 0.0, -1.0, 1.0, each, is_derived=True)
    file.write_text(text_of(games[0].engine, evaluation, {"games": 0}), "utf-8")
    found = []
    for game in games:
        state = game.start(4)
        while state.seat is None or state.decision is None or len(state.decision.options) < 20:
            state = state.choose(0)
        for word in (f"learnt:{file}", f"mcts:30:learnt:{file}/2", f"flat:40:learnt:{file}"):
            found.append(game.search(lab.agent(game, word)).analyse(state, rw.playing.Dice(1, "test")))
    assert found[:3] == found[3:]
    assert lab.agent(games[0], f"learnt:{file}").evaluation.is_derived  # type: ignore[union-attr]
