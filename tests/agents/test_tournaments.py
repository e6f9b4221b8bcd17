"""Tournaments: fair schedules, ratings, files from which they go on, and agents from outside that behave badly."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from random import Random

import jsonschema
import pytest
from agent_games import shipped

import rulewright as rw
import rulewright_lab as lab
from rulewright_lab.agents.external_agents import ExternalAgent
from rulewright_lab.tournaments import Match, Records, Tournament, lineups, played_round, points, standings
from sampling import sample

SCHEMA = Path(__file__).parents[2] / "schemas" / "tournament-report.schema.json"
ANSWERS = "import json, sys\nfor line in sys.stdin: print(json.dumps({!r}), flush=True)"


def program(folder: Path, text: str) -> str:
    """The word of an agent that is a program."""
    (folder / "agent.py").write_text(text, "utf-8")
    return f"pipe:'{sys.executable}' '{folder / 'agent.py'}'"


@pytest.mark.parametrize(("agents", "seats", "games"), [(2, 2, 2), (3, 2, 6), (2, 3, 6), (3, 3, 6), (4, 3, 24)])
def test_everybody_meets_everybody_on_every_seat(agents: int, seats: int, games: int) -> None:
    each = lineups(agents, seats)
    assert len(each) == len(set(each)) == games
    for seat in range(seats):
        times = [sum(lineup[seat] == agent for lineup in each) for agent in range(agents)]
        assert len(set(times)) == 1


def test_ratings_follow_from_what_was_won() -> None:
    """Three wins of four are 191 points of Elo; who is one of many wins is above who has lost as many."""
    pytest.importorskip("choix")
    won = [Match(number, (0, 1), (1.0, -1.0) if number % 4 else (-1.0, 1.0), 9, True) for number in range(400)]
    first, second = standings(won, 2)
    assert (first.agent, second.agent) == (0, 1)
    assert first.elo - second.elo == pytest.approx(190.8, abs=2)
    assert first.low < first.elo < first.high
    assert first.score == 0.75
    assert points(won, 2) == [[0.0, 300.0], [100.0, 0.0]]


@pytest.mark.parametrize(("rounds", "agents"), [(1, 2), (10, 2), (10, 3), (200, 3)])
def test_who_has_won_everything_is_not_known_exactly(rounds: int, agents: int) -> None:
    """Of n rounds that are all won the true share may be as low as 0.025 ** (1 / (n + 1))."""
    pytest.importorskip("choix")
    won = [
        Match(number, lineup, (1.0, -1.0) if lineup[0] < lineup[1] else (-1.0, 1.0), 9, True)
        for number in range(rounds)
        for lineup in lineups(agents, 2)
    ]
    table = standings(won, agents)
    assert [one.agent for one in table] == list(range(agents))
    assert all(one.low < one.elo < one.high for one in table)
    if agents == 2:
        share = 0.025 ** (1 / (rounds + 1))
        assert 2 * table[0].low == pytest.approx(400 * math.log10(share / (1 - share)), abs=80)


@pytest.mark.parametrize("payoffs", [(0.0, 0.0), (1.0, -1.0)])
@pytest.mark.parametrize("rounds", [10, 100])
def test_rounds_that_all_go_alike_are_not_certain(payoffs: tuple[float, float], rounds: int) -> None:
    """Of games that are all drawn, or won by the first seat, one round of n + 1 may go to one agent: no rating is known
    better than that, with two agents and beside a third that loses all."""
    pytest.importorskip("choix")
    share = (1 + 1 - 0.05 ** (1 / (rounds + 1))) / 2
    least = 400 * math.log10(share / (1 - share)) / 2
    each = [(number, lineup) for number in range(rounds) for lineup in lineups(3, 2)]
    pair = [Match(number, lineup, payoffs, 9, True) for number, lineup in each if 2 not in lineup]
    lost = [Match(n, one, (1.0, -1.0) if one[1] == 2 else (-1.0, 1.0), 9, True) for n, one in each if 2 in one]
    for matches, agents in ((pair, 2), (pair + lost, 3)):
        first, second = sorted(standings(matches, agents), key=lambda one: one.agent)[:2]
        assert min(one.high - one.low for one in (first, second)) > 1.5 * least


@pytest.mark.parametrize("share", [0.5, 0.75, 0.95])
def test_intervals_of_ratings_hold_the_true_ones(share: float) -> None:
    pytest.importorskip("choix")
    dice, held, times, true = Random(1), 0, sample(40, 400), 400 * math.log10(share / (1 - share))
    for number in range(times):
        each = [(number, lineup) for number in range(15) for lineup in lineups(2, 2)]
        won = [
            Match(number, lineup, (1.0, -1.0) if (dice.random() < share) is (lineup[0] == 0) else (-1.0, 1.0), 9, True)
            for number, lineup in each
        ]
        found = next(one for one in standings(won, 2, number) if one.agent == 0)
        held += 2 * found.low <= true <= 2 * found.high
    assert held >= 0.85 * times


def test_rounds_follow_from_the_seed() -> None:
    meant = Tournament(("mcts:20", "random"), 3)
    first, again = (played_round(shipped("tic-tac-toe"), meant, 2) for _ in range(2))
    assert first == again
    assert [match.lineup for match in first] == [(0, 1), (1, 0)]


def test_a_tournament_goes_on_from_its_file(tmp_path: Path) -> None:
    file, game, meant = tmp_path / "games.jsonl", shipped("tic-tac-toe"), Tournament(("mcts:9", "random"))
    records = Records(file, game, meant)
    assert records.known(2) == []
    rounds = [played_round(game, meant, number) for number in range(3)]
    for one in rounds:
        records.add(one)
    assert records.known(2) == rounds
    file.write_text("\n".join(file.read_text().split("\n")[:-2]) + '\n{"round": 2, "ag')  # killed while it wrote
    assert records.known(2) == rounds[:2]
    with pytest.raises(rw.RulesetError, match="another tournament: its seed differ"):
        Records(file, game, Tournament(("mcts:9", "random"), 5)).known(2)
    file.write_text("nonsense\n")
    with pytest.raises(rw.RulesetError, match="holds no games"):
        records.known(2)


@pytest.mark.parametrize("answer", [{"option": 0}, {"option": "(2, 2)"}])
def test_programs_play(tmp_path: Path, answer: object) -> None:
    game = shipped("tic-tac-toe")
    word = program(tmp_path, ANSWERS.format(answer))
    seats = [lab.agent(game, word), lab.agent(game, "random")]
    state = game.start(0)
    assert state.decision is not None
    taken = state.decision.options[game.pick(state, seats[0], rw.playing.Dice(1, "tests"))].key
    assert taken == answer["option"] if isinstance(answer["option"], str) else state.decision.options[0].key  # type: ignore[index]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (ANSWERS.format({"option": 99}), "none of the 9 options"),
        (ANSWERS.format({"option": True}), "none of the 9 options"),
        (ANSWERS.format("first"), "none of the 9 options"),
        ("print('hello', flush=True)\nimport time; time.sleep(60)", "'hello'"),
        ("raise SystemExit(3)", "has ended without an answer"),
    ],
)
def test_who_answers_nonsense_loses_and_nothing_else_happens(tmp_path: Path, text: str, told: str) -> None:
    meant = Tournament((program(tmp_path, text), "random"))
    first, second = played_round(shipped("tic-tac-toe"), meant, 0)
    assert (first.failed, first.payoffs) == (0, (-1.0, 1.0))
    assert (second.failed, second.payoffs) == (1, (1.0, -1.0))
    assert told in first.why


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("pipe:no-such-program --fast", "there is no program `no-such-program`"),
        ("pipe:'python", "cannot be read: No closing quotation"),
    ],
)
def test_programs_that_are_not_there_are_told_before_a_game(word: str, told: str) -> None:
    with pytest.raises(rw.RulesetError, match=told):
        lab.agent(shipped("tic-tac-toe"), word)


def test_who_is_late_loses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright_lab.agents.external_agents.FIRST_SECONDS", 0.0)
    (tmp_path / "slow.py").write_text("import time\ntime.sleep(600)\n")
    agent = ExternalAgent("slow", (sys.executable, str(tmp_path / "slow.py")), 0.2)
    with pytest.raises(rw.RulesetError, match=r"has not answered in 0\.2 s"):
        shipped("tic-tac-toe").playout(0, policies=[agent, rw.Policy()])


def test_packages_bring_agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry point is found by its name, and is given what stands behind the colon."""
    (tmp_path / "mine-1.0.dist-info").mkdir()
    (tmp_path / "mine-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
    entry = "[rulewright.agents]\nmine = mine_agent:begin\n"
    (tmp_path / "mine-1.0.dist-info" / "entry_points.txt").write_text(entry)
    code = "def begin(argument):\n    print('hello')\n    return lambda question: question['options'][int(argument)]\n"
    (tmp_path / "mine_agent.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    game = shipped("tic-tac-toe")
    assert game.pick(game.start(0), lab.agent(game, "mine:4"), rw.playing.Dice(1, "tests")) == 4
    with pytest.raises(rw.RulesetError, match="no agent `mein`"):
        lab.agent(game, "mein")


def test_a_program_is_told_what_its_seat_may_know(tmp_path: Path) -> None:
    """Positions that a seat cannot tell apart give it one question."""
    text = "import sys\nfor line in sys.stdin:\n    open('HEARD', 'a').write(line)\n"
    text += "    print('{\"option\": 0}', flush=True)"
    agent = lab.agent(shipped("baron"), program(tmp_path, text.replace("HEARD", str(tmp_path / "heard"))))
    game = shipped("baron")
    state = game.start(3)
    for one in (state, state.imagine(state.seat or 0, 5)):
        game.pick(one, agent, rw.playing.Dice(1, "tests"))
    first, second = (tmp_path / "heard").read_text().splitlines()
    assert first == second
    assert set(json.loads(first)) == {"game", "seat", "question", "options", "view", "random"}


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("choix")
    from rulewright_tools.app import app

    def run(*more: str) -> str:
        with pytest.raises(SystemExit):
            app(["tournament", "tic-tac-toe", "mcts:20", "random", "--games", "6", *more])
        return capsys.readouterr().out

    report = json.loads(run("--format", "json"))
    jsonschema.validate(report, json.loads(SCHEMA.read_text("utf-8")))
    assert report["games"] == 6
    assert json.loads(run("--format", "json", "--jobs", "2")) == report
    assert json.loads(run("--format", "json", "--keep", str(tmp_path / "a"))) == report
    assert json.loads(run("--format", "json", "--keep", str(tmp_path / "a"))) == report
    assert "mcts:20" in run()
