"""``rulewright simulate`` and ``perft``: the same figures whoever counts."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

import rulewright as rw
from rulewright.engine.stepping.native_stepper import NativeStepper
from rulewright.engine.stepping.python_stepper import PythonStepper
from rulewright_tools.session.estimates import Lengths, wilson
from rulewright_tools.session.game_batches import batches
from rulewright_tools.session.game_session import random_pick
from rulewright_tools.session.statistics import Statistics
from sampling import THOROUGH, sample

from .conftest import Run, edit


def test_any_number_of_jobs_gives_the_same_bytes(run: Run, pond: Path) -> None:
    """With policies, which the processes are told, too; without them a test below asks several."""
    with (pond / "game.rules").open("a", encoding="utf-8") as file:
        file.write(PREFERENCE)
    asked = (
        "simulate",
        pond,
        "-n",
        "3",
        "--games",
        sample(25, 45),
        "--seed",
        "9",
        "--seats",
        "random,greedy:wins_more,random",
    )

    def report(jobs: int) -> str:
        outcome = run(*asked, "--jobs", jobs, "--format", "json")
        assert outcome.code == 0
        return outcome.out

    assert report(1) == report(2)


def test_every_game_is_counted_once() -> None:
    seeds = [seed for part in batches(7, 33) for seed in part]
    assert seeds == list(range(7, 40))
    assert next(iter(batches(7, 10**20))) == range(
        7, 17
    )  # more games than anybody waits for cost nothing before they are played


def test_a_game_can_be_looked_at_again(run: Run, pond: Path) -> None:
    """The random game of a seed is the same in a simulation and at the table."""
    for seed in (3, 4):
        report = run("simulate", pond, "-n", "2", "--games", "1", "--seed", seed, "--format", "json").json
        played = run("play", pond, "--seats", "random", "--seed", seed).out
        [winners] = report["winners"]
        [first] = re.findall(r"^1\. (.*)$", played, re.MULTILINE)
        assert [seat.split(" (")[0] for seat in first.split(", ")] == winners["seats"]
        assert f"after {report['decisions']['total']} decisions" in played


def test_rules_that_never_fire_are_named(run: Run, pond: Path) -> None:
    edit(pond / "game.rules", "    last = stone\n", "    last = stone\n    if size(hand[p]) > 20\n        lucky(p)\n")
    edit(pond / "game.rules", "procedure setup\n", "effect lucky(p: Player)\n    last = none\n\nprocedure setup\n")
    report = run("simulate", pond, "-n", "2", "--games", "5", "--format", "json").json
    assert report["never_fired"] == ["lucky"]
    assert "never fired: lucky" in run("simulate", pond, "--games", "5").out


def test_broken_invariants_are_found(run: Run, pond: Path) -> None:
    outcome = run("simulate", pond, "--games", "3")
    assert outcome.code == 0
    assert "invariants and properties checked in all games: all hold" in outcome.out
    edit(pond / "game.rules", "nothing_is_lost: size(bag)", "nothing_is_lost: 3 + size(bag)")
    outcome = run("simulate", pond, "-n", "2", "--games", "3", "--format", "json")
    assert outcome.code == 1
    # It is broken before anybody is asked, so that no scenario leads there.
    assert outcome.json["broken_invariants"] == [{"invariant": "nothing_is_lost", "seed": 0}]
    outcome = run("simulate", pond, "-n", "2", "--games", "3", "--check", "nothing")
    assert outcome.code == 0
    assert "invariants and properties were not checked" in outcome.out
    report = run("simulate", pond, "-n", "2", "--games", "60", "--format", "json").json
    assert (report["checked"], report["games"]) == (50, 60)
    assert (
        run("simulate", pond, "-n", "2", "--games", "60", "--check", "invariants", "--format", "json").json["checked"]
        == 60
    )


def test_what_does_not_hold_is_listed_once_for_all_players(run: Run, pond: Path) -> None:
    """Be it an invariant or a property."""
    with (pond / "game.rules").open("a", encoding="utf-8") as file:
        file.write("\nproperty never_done after each turn for p in players: false\n")
    lines = [line for line in run("simulate", pond, "-n", "2", "--games", "2").out.splitlines() if "never_done" in line]
    assert lines[0].startswith("does not hold: never_done for ")
    assert "," in lines[0]
    assert not any(line.startswith("does not hold") for line in lines[1:])


def test_a_broken_invariant_comes_with_a_scenario(run: Run, pond: Path) -> None:
    with (pond / "game.rules").open("a", encoding="utf-8") as file:
        file.write("\ninvariant few_are_drawn for p in players: size(hand[p]) <= 3\n")
    outcome = run("simulate", pond, "-n", "2", "--games", "3", "--format", "json")
    assert outcome.code == 1
    broken, *_ = outcome.json["broken_invariants"]
    assert (broken["invariant"].split(" ")[0], broken["seed"]) == ("few_are_drawn", 0)
    assert "causes" not in broken
    assert broken["scenario"] in run("simulate", pond, "-n", "2", "--games", "3").out
    with (pond / "game.rules").open("a", encoding="utf-8") as file:
        file.write(f"\n{broken['scenario']}")
    tested = run("test", pond)
    assert tested.code == 1
    assert "few_are_drawn" in tested.all


SECRET = "zone hand[p: Player]: set of Pebble, face seen by p, count seen by everyone"
DEALT = (
    "procedure setup\n    each p in players\n        draw 1 from bag to hand[p]\n"  # what is taken openly is no secret
)
PEEP = """        forbid greedy: pebble.colour is gold and no(c in hand[p.left] where c.colour is gold)
            unless only_gold: every(c in on[stone] has c.colour is gold)
"""


def test_choices_that_tell_a_secret_are_found(run: Run, pond: Path) -> None:
    arguments = ("simulate", pond, "-n", "2", "--games", sample(5, 12), "--check", "views", "--format", "json")
    assert run(*arguments).json["leaks"] == []
    assert " decisions: no secret was revealed\n" in run(*arguments[:-2]).out
    edit(pond / "game.rules", "zone hand[Player]: set of Pebble, seen by everyone", SECRET)
    edit(pond / "game.rules", "procedure setup\n", DEALT)
    assert run(*arguments).json["leaks"] == []
    edit(pond / "game.rules", "    move pebble to hand[p]\n", PEEP + "    move pebble to hand[p]\n")
    outcome = run(*arguments)
    assert outcome.code == 1
    [leak] = outcome.json["leaks"]
    assert leak["what"].startswith(f"`{leak['choice']}`: ")
    assert run(*arguments, "--jobs", "2").out == outcome.out
    assert run(*arguments, "--engine", "native").out == run(*arguments, "--engine", "python").out == outcome.out
    with_policies = (*arguments, "--seats", "random,random")
    assert run(*with_policies).json["leaks"] == outcome.json["leaks"], "they answer alike, and are kept"
    told = run("simulate", pond, "-n", "2", "--games", sample(5, 12), "--check", "views").out
    assert f"(game of seed {leak['seed']}, decision {leak['decision']})" in told
    assert " decisions: 1 choice revealed a secret\n" in told
    game = rw.load(pond)
    state = game.start(leak["seed"])
    for answer in game.playout(leak["seed"], keep=True).answers[: leak["decision"] - 1]:
        state = state.choose(answer)
    assert state.decision is not None
    assert state.decision.name == leak["choice"]
    assert run("simulate", pond, "--games", "2").code == 0, "it is only looked for when asked"


def test_games_without_an_end_are_stopped_and_told(run: Run, pond: Path) -> None:
    outcome = run("simulate", pond, "-n", "2", "--games", "3", "--decisions", "5", "--format", "json")
    assert outcome.code == 1
    assert outcome.json["unfinished"] == {"games": 3, "seed": 0}
    assert outcome.json["games"] == 0


PREFERENCE = "\nquery wins_more(p: Player) -> Int = -size(hand[p])\nquery of_two(p: Player, q: Player) -> Int = 0\n"


def test_policies_play_by_what_the_rules_tell(run: Run, pond: Path) -> None:
    with (pond / "game.rules").open("a", encoding="utf-8") as file:
        file.write(PREFERENCE)
    arguments = ("simulate", pond, "-n", "2", "--games", sample(25, 45), "--format", "json")

    def report(*more: str) -> dict[str, object]:
        outcome = run(*arguments, *more)
        assert outcome.code == 0, outcome.err
        return dict(outcome.json)

    greedy = report("--seats", "greedy:wins_more")
    assert greedy["policies"] == ["greedy:wins_more"]
    if THOROUGH:
        assert greedy == report("--seats", "greedy:wins_more", "--jobs", "2")
    assert report("--seats", "random")["seats"] == report()["seats"]
    checked = report("--seats", "random,lead:wins_more", "--check", "invariants")
    assert checked["broken_invariants"] == []


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--seats", "gready:wins_more"), "did you mean `greedy`?"),
        (("--seats", "greedy:wins_mor"), "did you mean `wins_more`?"),
        (("--seats", "greedy"), "this game has "),
        (("--seats", "greedy:of_two"), "does not rate a player"),
        (("--seats", "random,random,random,random,random"), "--seats names 5 agents"),
        (("--seats", "random", "--noise", "101"), "set in the file of an experiment"),
    ],
)
def test_wrong_policies_are_told_in_one_message(run: Run, pond: Path, more: tuple[str, ...], words: str) -> None:
    with (pond / "game.rules").open("a", encoding="utf-8") as file:
        file.write(PREFERENCE)
    outcome = run("simulate", pond, "--games", "2", *more)
    assert outcome.code == 2
    assert words in outcome.all


def test_text_report(run: Run, pond: Path) -> None:
    outcome = run("simulate", pond, "--games", "20", "--variant", "Deep pond")
    assert "median 48" in outcome.out
    assert "95 % interval" in outcome.out
    assert "decisions a second" in outcome.out


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    # Published examples: 81 of 263 is from Newcombe, Statistics in Medicine 17 (1998), table I; the others too.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson(hits: int, of: int, low: float, high: float) -> None:
    found = wilson(hits, of)
    assert round(found[0], 4) == low
    assert round(found[1], 4) == high
    turned = wilson(of - hits, of)
    assert round(turned[0], 9) == round(1 - found[1], 9)


def test_lengths() -> None:
    lengths = Lengths.of(Counter({2: 1, 3: 5, 10: 4}))
    assert lengths == Lengths(Fraction(57, 10), 2, 2, 3, 10, 10)
    assert Lengths.of(Counter()).most == 0


def test_picks_are_even_and_fixed() -> None:
    counts = Counter(random_pick(1, number, 5) for number in range(5000))
    assert min(counts.values()) > 900
    assert [random_pick(7, number, 10) for number in range(8)] == [random_pick(7, number, 10) for number in range(8)]
    assert {random_pick(1, number, 1) for number in range(20)} == {0}


def test_tallies_join_in_any_order() -> None:
    results = [
        rw.Result((("a",), ("b",)), ("a",), "end", payoffs=(Fraction(4), Fraction(-1))),
        rw.Result((("b",), ("a",)), ("b",), "other", payoffs=(Fraction(1), Fraction(1))),
        rw.Result((("a", "b"),), ("a", "b"), "end", drawn=True, payoffs=(Fraction(1), Fraction(1, 2))),
    ]
    parts = []
    for number, result in enumerate(results):
        tally = Statistics()
        tally.add(result, ("a", "b"), 10 + number, ["turn"])
        tally.note_broken("i", number)
        parts.append(tally)
    reports = []
    for order in ((0, 1, 2), (2, 0, 1)):
        whole = Statistics()
        for number in order:
            whole.join(parts[number])
        reports.append(whole.report(("a", "b"), ["turn", "never"]))
    assert reports[0] == reports[1]
    assert reports[0]["draws"] == 1
    assert reports[0]["payoff_sum"] == {"least": 1.5, "most": 3}
    seats = reports[0]["seats"]
    assert isinstance(seats, list)
    assert seats[0]["payoff"] == {"mean": 2, "spread": 1.7321, "interval": [0.04, 3.96], "least": 1, "most": 4}
    assert reports[0]["never_fired"] == ["never"]
    assert reports[0]["broken_invariants"] == [{"invariant": "i", "seed": 0}]


@pytest.mark.parametrize(
    ("name", "depth", "number", "options"),
    [
        ("tic-tac-toe", 6, 54720, ()),
        ("connect-four", 4, 2401, ()),
        ("breakthrough", 2, 484, ()),
        ("breakthrough", 3, 4308, ("--option", "size=6")),
        ("tic-tac-toe", 0, 1, ()),
    ],
)
def test_perft(run: Run, name: str, depth: int, number: int, options: tuple[str, ...]) -> None:
    assert run("perft", name, "--depth", depth, *options).out == f"{number}\n"


SHORT = """\
game small
players 2

procedure play
    each p in players
        p chooses n from {1 .. 3}
    finish with winner players
"""


def test_games_that_end_before_are_not_counted(run: Run, tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(SHORT, encoding="utf-8")
    manifest = {"name": "small", "title": "Small", "rules": ["game.rules"]}
    (tmp_path / "ruleset.json").write_text(json.dumps(manifest), encoding="utf-8")
    found = [run("perft", tmp_path, "--depth", depth, "--unit", "decision").out for depth in range(5)]
    assert found == ["1\n", "3\n", "9\n", "0\n", "0\n"]


SILENT = """\
game small
players 2
param silent = 2

procedure play
    let first_one = first(players)
    first_one chooses side from {1 .. 2}
    repeat 3 times
        each p in players
            turn(p)
    finish with winner players

procedure turn(p: Player)
    if p.seat is silent then return
    p chooses n from {1 .. 3}
"""


@pytest.mark.parametrize(
    ("silent", "numbers"),
    [(2, [1, 6, 6, 18, 18, 54, 54, 0]), (1, [1, 2, 6, 6, 18, 18, 54, 0]), (0, [1, 6, 18, 54, 162, 486, 1458, 0])],
)
@pytest.mark.parametrize("engine", ["python", "native"])
def test_moves_without_a_question_count(run: Run, tmp_path: Path, silent: int, numbers: list[int], engine: str) -> None:
    """Nothing that is asked before the first move is one."""
    (tmp_path / "game.rules").write_text(SILENT, encoding="utf-8")
    manifest = {"name": "small", "title": "Small", "rules": ["game.rules"], "move": "turn"}
    (tmp_path / "ruleset.json").write_text(json.dumps(manifest), encoding="utf-8")
    words = ("perft", tmp_path, "--option", f"silent={silent}", "--engine", engine, "--depth")
    assert [int(run(*words, depth).out) for depth in range(8)] == numbers
    divided = run(*words, 4, "--divide").out.splitlines()
    assert divided[-1] == f"total: {numbers[4]}"
    assert sum(int(line.rsplit(": ", 1)[1]) for line in divided[:-1]) == numbers[4]


MATED = """\
game mated
players 2
field left_over[Player]: 0..9 = 2

procedure play
    repeat
        each p in players
            turn(p)

procedure turn(p: Player)
    p chooses n from {1 .. 2} where n <= left_over[p]
    then
        left_over[p] -= n
        left_over[p.left] = max({0, left_over[p.left] - 1})
    else
        lost(p)

procedure lost(p: Player)
    finish with winner p.left
"""


@pytest.mark.parametrize("engine", ["python", "native"])
def test_a_turn_that_only_finds_that_the_game_is_over_is_no_move(run: Run, tmp_path: Path, engine: str) -> None:
    """Published counts do not count mates, either: one has 1 or 2, then the other 1, and is over with it."""
    (tmp_path / "game.rules").write_text(MATED, encoding="utf-8")
    manifest = {"name": "mated", "title": "Mated", "rules": ["game.rules"], "move": "turn"}
    (tmp_path / "ruleset.json").write_text(json.dumps(manifest), encoding="utf-8")
    found = [run("perft", tmp_path, "--engine", engine, "--depth", depth).out for depth in range(5)]
    assert found == ["1\n", "2\n", "2\n", "0\n", "0\n"]


def test_perft_divides_moves_of_several_choices(run: Run) -> None:
    outcome = run("perft", "breakthrough", "--depth", "2", "--divide")
    lines = outcome.out.splitlines()
    assert len(lines) == 22 + 1
    assert lines[-1] == "total: 484"
    assert sum(int(line.rsplit(": ", 1)[1]) for line in lines[:-1]) == 484


@pytest.mark.parametrize(
    "words",
    [
        ("connect-four", "--depth", "4", "--divide"),
        ("breakthrough", "--depth", "3", "--divide", "--option", "size=6"),
        ("domaine", "--depth", "2", "--divide", "--unit", "decision"),
    ],
)
def test_perft_counts_the_same_with_every_engine(run: Run, words: tuple[str, ...]) -> None:
    told = {run("perft", *words, "--engine", engine).out for engine in ("auto", "native", "python")}
    told.add(run("perft", *words, "--engine", "native", "--passes", "none").out)
    assert len(told) == 1


def handing_over(stepper: NativeStepper) -> Callable[[int], int]:
    """An `apply` that leaves each answer to the Python engine, so that no use of a rule is counted."""

    def apply(option: int) -> int:
        rest = stepper.rest()

        def answered(other: PythonStepper) -> int:
            other.go_to(rest)
            return other.apply(option)

        return stepper._take_over(answered)

    return apply


def test_perft_counts_again_if_machine_code_has_stopped(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Uses of rules, by which moves are told apart, are lost when another engine gives an answer."""
    monkeypatch.setattr(NativeStepper, "_applying", handing_over)
    assert run("perft", "connect-four", "--depth", "3", "--engine", "native").out == "343\n"


def test_perft_by_decisions(run: Run) -> None:
    moves = int(run("perft", "breakthrough", "--depth", "1").out)
    assert int(run("perft", "breakthrough", "--depth", "2", "--unit", "decision").out) == moves
    assert run("perft", "carolus-magnus", "--depth", "1", "--unit", "move").code == 2
    assert int(run("perft", "carolus-magnus", "--depth", "2").out) > 1


TWO_STEPS = """\
game steps
players 2
field at[Player]: 0..9 = 0

procedure play
    each p in players
        turn(p)
    finish with winner players

procedure turn(p: Player)
    p chooses far from {1 .. 3}
        forbid alone: p is not first(players)
    p chooses back from {1 .. far}
    at[p] = far - back
"""


def test_leaves_are_counted_without_asking_on(run: Run, tmp_path: Path) -> None:
    """The question after the last answer does not matter: here nobody could answer it."""
    (tmp_path / "game.rules").write_text(TWO_STEPS, encoding="utf-8")
    manifest = {"name": "steps", "title": "Steps", "rules": ["game.rules"], "move": "turn"}
    (tmp_path / "ruleset.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert run("perft", tmp_path, "--depth", "1").out == "6\n"
    state = rw.load(tmp_path).start()
    game = rw.load(tmp_path)
    assert not game.ends_move(state)
    assert game.ends_move(state.choose("2"))
    assert run("perft", tmp_path, "--depth", "2").code == 2
