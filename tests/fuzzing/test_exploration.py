"""Exploration by machine code: where its runs lead, and what it notes of them, compared with the Python engine."""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzz_helpers import compared, written

import rulewright as rw
from rulewright.engine import BEGINNING, Explorer, Origin, explorer
from rulewright.engine.native.observation_plan import Covered
from rulewright.engine.native.tiering import backend_for
from rulewright.findings.fuzzing import FuzzOptions, fuzz
from rulewright.findings.fuzzing.search.coverage import turn_of
from rulewright.findings.fuzzing.search.driver import Drive
from rulewright.findings.fuzzing.search.exploration import Explorers
from rulewright.findings.fuzzing.search.runs import numbers_of
from rulewright.play.game import Game
from sampling import sample, thorough

GAMES = [
    ("tic-tac-toe", 2),
    ("leduc-poker", 2),
    ("carolus-magnus", 3),
    pytest.param("baron", 2, marks=thorough),
    pytest.param("domaine", 3, marks=thorough),
    pytest.param("kings-and-things", 2, marks=thorough),
]


def machine(game: Game) -> Explorer:
    found = explorer(game.program, turn_of(game.program), "native")
    assert found is not None
    return found


def positions(explorer: Explorer, count: int, most: int = 5_000) -> list[Origin]:
    """Positions in which something new was covered, some of them many runs away from the beginning."""
    found, origin, seed = list[Origin](), BEGINNING, 7
    for _ in range(20 * count):
        explored = explorer.explore(origin, 50, seed, most)
        seed += explored.runs + 1
        if explored.position is not None:
            found.append(explored.position)
            origin = explored.position
        else:
            origin = BEGINNING
        if len(found) == count:
            break
    return found


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_the_python_engine_comes_to_the_same_positions(name: str, players: int) -> None:
    game = rw.load(name, players)
    found = positions(machine(game), sample(6, 30))
    assert any(len(one.seeded_runs) > 1 for one in found) or game.title in ("Tic-tac-toe", "Leduc Poker")
    backend = backend_for(game.program, "native", check=True, covered=Covered(turn_of(game.program)))
    assert backend is not None
    for one in found:
        there = backend.codec.rest(one.state)
        state = game.start(ask_chance=True)
        for number in numbers_of(game, one.way):
            state = state.choose(number)
        assert state.decision is not None
        assert state.decision.seat == there.who
        assert len(state.decision.options) == len(there.members) + there.extras.bit_count()
        assert compared(game, there.cells, there.stack) == compared(game, state.cells, state.stack)


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_the_same_rules_meet_in_turns(name: str, players: int) -> None:
    """One whole game from the beginning, by each engine."""
    game = rw.load(name, players)
    for seed in range(sample(1, 4)):
        course = Drive(game).again(numbers_of(game, ((), ((seed, 5_000),))))
        explored = machine(game)
        explored.forget_turns()
        while explored.explore(BEGINNING, 1, seed, 5_000).last is not None:
            pass  # what is new ends a run: the next one goes further
        met = explored.met(explored.known)
        assert set(met) == set(course.reached.rules)
        pairs = {(one, other) for one, others in met.items() for other in others if one < other}
        assert pairs == set(course.reached.pairs)
        assert set(course.reached.turns) <= explored.turns, "runs that were left begin again, in the middle of a turn"


def test_a_position_is_found_again_by_other_machine_code() -> None:
    game = rw.load("carolus-magnus", 2)
    here = machine(game)
    one = positions(here, 5)[-1]
    assert here.restored(one, lambda _: None) is one
    again = Explorer(here._backend, form="other").restored(one, lambda _: None)
    assert again is not None
    assert (again.state, again.kept, again.seeded_runs) == (one.state, one.kept, one.seeded_runs)


def test_runs_are_the_same_whenever_they_are_played() -> None:
    game = rw.load("domaine", 2)
    first, second = machine(game), machine(game)
    one = [found.seeded_runs for found in positions(first, 4)]
    positions(second, 9)
    second.known = bytes(len(second.known))
    assert [found.seeded_runs for found in positions(second, 4)] == one


BROKEN = """\
game small
players 2

field points: 0..120 = 0

invariant few: points < 75

procedure play
    repeat 30 times
        each p in players
            turn(p)
    finish with winner players

procedure turn(p: Player)
    p chooses guess from {1 .. 6}
    points += 1
    if guess > 4
        points += 1
"""


def test_the_assertion_that_did_not_hold_is_named(tmp_path: Path) -> None:
    game = rw.load(written(tmp_path, BROKEN))
    explored, seed = machine(game), 0
    for _ in range(100):
        found = explored.explore(BEGINNING, 50, seed, 100)
        seed += found.runs + 1
        if found.failed:
            break
    assert found.failed
    assert found.assertion == 0
    assert found.last is not None
    course = Drive(game).again(numbers_of(game, ((), ((found.last[0], 100),))))
    assert course.trouble is not None
    assert course.trouble.key == ("invariant", "few")


def test_assertions_that_are_known_not_to_hold_are_left_out(tmp_path: Path) -> None:
    game = rw.load(written(tmp_path, BROKEN))
    explorers = Explorers()
    assert explorers.of(game, frozenset()) is explorers.of(game, frozenset({("error", "few")}))
    silent = explorers.of(game, frozenset({("invariant", "few")}))
    assert silent is not None
    assert not any(silent.explore(BEGINNING, 200, seed, 100).failed for seed in range(0, 2000, 200))


def test_positions_are_kept_as_runs(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    first = fuzz("carolus-magnus", FuzzOptions(2, games=1, corpus=kept))
    runs = with_runs(kept)
    again = fuzz("carolus-magnus", FuzzOptions(2, games=1, corpus=kept, seed=1))
    assert again.kept >= len(runs) > 20
    assert first.met <= again.met
    replayed = fuzz("carolus-magnus", FuzzOptions(replay=runs[0]))
    assert (replayed.games, replayed.kept, replayed.stories) == (0, 1, [])
    assert replayed.decisions > 0


def with_runs(folder: Path) -> list[Path]:
    return [file for file in sorted(folder.iterdir()) if '"runs"' in file.read_text("utf-8")]


def test_damaged_runs_are_passed_over(tmp_path: Path) -> None:
    folder, kept = written(tmp_path / "small", BROKEN), tmp_path / "kept"
    assert fuzz(folder, FuzzOptions(games=1, corpus=kept)).kept == 0
    before = len(list(kept.iterdir()))
    for number, runs in enumerate(("[]", "[[7]]", "[[7, 8, 9]]", "7", '[["a", 1]]')):
        text = with_runs(kept)[0].read_text("utf-8")
        (kept / f"damaged-{number}.json").write_text(text[: text.index('"runs"')] + f'"runs": {runs}}}', "utf-8")
    assert fuzz(folder, FuzzOptions(games=1, corpus=kept)).kept == before


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_same_is_found_with_any_number_of_processes(tmp_path: Path, jobs: int) -> None:
    report = fuzz(written(tmp_path / "small", BROKEN), FuzzOptions(games=3, jobs=jobs))
    assert [story.trouble.label for story in report.stories] == ["invariant/few"]
    alone = fuzz(tmp_path / "small", FuzzOptions(games=3))
    assert report.data() == alone.data()
    assert report.answers > 10_000


@pytest.mark.parametrize("name", ["carolus-magnus", pytest.param("domaine", marks=thorough), "leduc-poker"])
def test_no_rules_meet_that_cannot(name: str) -> None:
    report = fuzz(name, FuzzOptions(games=sample(1, 20)))
    usable = report.possible.rules
    met = {pair for pair in (*report.met, *report.reached.pairs) if usable.issuperset(pair)}
    assert met <= report.possible.pairs


def test_an_invariant_about_a_long_list_is_explored(tmp_path: Path) -> None:
    """The type of a result does not say how long a list may be."""
    rules = """\
game small
players 2
field total: 0 .. 99 = 0
query long() -> list of Int = [n for n in [1 .. 65] where n > 0]
procedure play
    repeat 9 times
        each p in players
            p chooses n from {1 .. 3}
            total += n
    finish with winner players
invariant all_there: size(long()) is 65
"""
    report = fuzz(written(tmp_path / "small", rules), FuzzOptions(games=1))
    assert report.answers > 10_000
    assert not report.stopped
