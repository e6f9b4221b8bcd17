"""Time is kept, also in long games and while something is shrunk, and what was found is told before that."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fuzz_helpers import written
from typer.testing import CliRunner

import rulewright as rw
from rulewright.engine import Dice
from rulewright.findings.fuzzing.deadlines import Limits, OutOfTime
from rulewright.findings.fuzzing.failures import Violation
from rulewright.findings.fuzzing.fuzz_options import FuzzOptions
from rulewright.findings.fuzzing.fuzz_report import FuzzReport
from rulewright.findings.fuzzing.fuzzer import Run
from rulewright.findings.fuzzing.reproduction.position_replay import Replayed
from rulewright.findings.fuzzing.reproduction.reproduction import SHORT, story_of
from rulewright.findings.fuzzing.search.drawing import smallest
from rulewright.findings.fuzzing.search.driver import Drive
from rulewright.findings.fuzzing.search.players import Pick
from rulewright_tools.app import app
from rulewright_tools.reports.fuzz_text import lines

CARDS = """\
game small
players 3

piece Card from "cards.json#cards"
    worth: Int
    named "card {worth}"
    begins in deck

zone deck: stack of Card, seen by everyone
zone hand[p: Player]: set of Card, seen by everyone
zone table: set of Card, seen by everyone

procedure play
    each p in players
        draw 3 from deck to hand[p]
    repeat
        each p in players
            turn(p)

procedure turn(p: Player)
    p chooses card from hand[p]
    move card to table

end over when size(deck) > 50
    finish with winner players
"""
"""After three rounds nobody has a card left."""

BLOCKED = CARDS.replace(
    "    p chooses card",
    "    p chooses victim from players where size(hand[victim]) > size(hand[p])\n    p chooses card",
)
"""In the first turn there is nobody with more cards."""

LONG_TURN = """\
game small
players 2

field level: 0..3 = 0
field total: 0..1000000 = 0

procedure play
    repeat
        each p in players
            round(p)

procedure round(p: Player)
    p chooses first_number from {0, 1}
    turn(p)

procedure turn(p: Player)
    repeat 14 times
        p chooses n from {1, 2}
        total += n
    level += 1

end over when total > 900000
    finish with winner players
"""
"""The fourth turn breaks it, and a turn needs more answers than a short story has."""

ENDLESS = """\
game small
players 2

field total: 0..1000000 = 0

procedure play
    repeat
        each p in players
            turn(p)

procedure turn(p: Player)
    p chooses n from {1, 2}
    total += n

end over when total > 900000
    finish with winner players
"""


class Clock:
    """Runs on a little whenever it is asked."""

    def __init__(self, tick: float) -> None:
        self.time, self.tick = 1000.0, tick

    def __call__(self) -> float:
        self.time += self.tick
        return self.time


def small(folder: Path, rules: str) -> Path:
    made = written(folder / "small", rules)
    cards = ", ".join(f'{{"worth": {n}}}' for n in range(1, 13))
    (made / "cards.json").write_text(f'{{"cards": [{cards}]}}', "utf-8")
    return made


def found_in(folder: Path, **plan: object) -> tuple[Run, rw.fuzzing.Found]:
    """The run with the first finding of a small game, and the finding before anything is shrunk."""
    told: list[rw.fuzzing.Found | rw.fuzzing.Story] = []
    run = Run(folder, FuzzOptions(games=4, keep_going=False, **plan), tell=told.append)  # type: ignore[arg-type]
    run.run()
    assert isinstance(told[0], rw.fuzzing.Found)
    assert isinstance(told[1], rw.fuzzing.Story)
    return run, told[0]


# --------------------------------------------------------------------------------------------- limits


def test_a_share_of_what_is_left() -> None:
    now = 10.0
    limits = Limits(20.0, now=lambda: now)
    half = limits.share(2, 7)
    assert (half.until, half.decisions) == (15.0, 7)
    assert Limits().share(2, 7).until is None
    assert limits.left() == 10.0
    limits.spend()
    now = 20.0
    assert limits.left() == 0.0
    with pytest.raises(OutOfTime):
        limits.spend()


def test_so_many_decisions_and_no_more() -> None:
    limits = Limits(decisions=2)
    limits.spend()
    limits.spend()
    with pytest.raises(OutOfTime):
        limits.spend()


@pytest.mark.parametrize("stop", [OutOfTime, KeyboardInterrupt])
def test_hypothesis_never_swallows_a_stop(stop: type[BaseException]) -> None:
    """A stop ends the run wherever it comes, also when the smallest game is played for the last time."""
    whole = 0

    def fails(pick: Pick) -> bool:
        nonlocal whole
        whole += 1
        return pick(50) + pick(50) > 20

    smallest(fails, [30, 30])
    assert whole > 4
    for last in range(1, whole + 1):
        asked = 0

        def stopped(pick: Pick, last: int = last) -> bool:
            nonlocal asked
            asked += 1
            if asked == last:
                raise stop
            return pick(50) + pick(50) > 20

        with pytest.raises(stop):
            smallest(stopped, [30, 30])
        assert asked == last


def test_hypothesis_is_left_at_once() -> None:
    """It neither shrinks nor tries again what says that time is up."""
    asked = 0

    def play(pick: Pick) -> float:
        nonlocal asked
        asked += 1
        numbers = [pick(50) for _ in range(20)]
        if asked == 5:
            raise OutOfTime
        return float(sum(numbers))

    with pytest.raises(OutOfTime):
        smallest(lambda pick: play(pick) > 0, [49] * 20)
    assert asked == 5


# --------------------------------------------------------------------------------------------- searching


def test_a_long_game_is_left_in_its_middle(tmp_path: Path) -> None:
    clock = Clock(0.01)
    report = Run(small(tmp_path, ENDLESS), FuzzOptions(time=5.0, games=100), now=clock).run()
    assert report.games == 0
    assert 50 < report.decisions < 500
    assert report.passed
    assert not report.complete
    assert clock.time < 1000 + 5 + 2


def test_time_is_kept_while_shrinking(tmp_path: Path) -> None:
    """With a clock that runs with the decisions, so that shrinking takes most of the time."""
    clock = Clock(0.01)
    report = Run(small(tmp_path, LONG_TURN), FuzzOptions(time=10.0), now=clock).run()
    (story,) = report.stories
    assert story.scenario
    assert clock.time < 1000 + 10 + 2
    for tick in (0.04, 0.06, 0.08):
        slow = Clock(tick)
        report = Run(small(tmp_path, LONG_TURN), FuzzOptions(time=10.0), now=slow).run()
        assert all(len(raw.numbers) > 40 for raw in report.stories)
        assert slow.time < 1000 + 10 + 2


# --------------------------------------------------------------------------------------------- shrinking


def test_the_best_story_so_far_is_told(tmp_path: Path) -> None:
    """There is a story or the game itself, however little may be played; never more is played."""
    run, found = found_in(small(tmp_path, LONG_TURN))
    (game,) = run.games.values()
    lengths = []
    for decisions in (0, 10, 150, 400, 2000, 20_000):
        limits = Limits(decisions=decisions)
        story = story_of(game, run.source, found, limits)
        assert limits.decisions is not None
        assert limits.decisions >= -1
        lengths.append((bool(story.scenario), story.decisions, story.scenario.count("\n")))
        if not story.scenario:
            assert "cut off" in story.why_not
            assert story.numbers == found.numbers
            assert 0 < len(story.log) <= SHORT
    assert lengths[0][0] is False
    assert lengths[-1][:2] == (True, 14)
    told = [length for length in lengths if length[0]]
    assert told == sorted(told, key=lambda length: length[1:], reverse=True)
    assert len(told) >= 3


def test_ctrl_c_while_shrinking_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(_teller: object, told: Replayed, better: Callable[[Replayed], None]) -> Replayed:
        better(told)
        raise KeyboardInterrupt

    monkeypatch.setattr("rulewright.findings.fuzzing.reproduction.reproduction.shrink", stop)
    report = rw.fuzzing.fuzz(small(tmp_path, LONG_TURN), FuzzOptions(games=4))
    assert report.interrupted
    assert report.stories[0].scenario


def test_what_begins_before_the_best_is_not_shrunk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []

    def seen(_teller: object, told: Replayed, better: Callable[[Replayed], None]) -> Replayed:
        begun.append(told.beginning.function)
        return told

    monkeypatch.setattr("rulewright.findings.fuzzing.reproduction.reproduction.shrink", seen)
    (story,) = rw.fuzzing.fuzz(small(tmp_path, LONG_TURN), FuzzOptions(games=1)).stories
    assert story.decisions == 14 > SHORT
    assert begun == ["turn"]


# --------------------------------------------------------------------------------------------- simple errors


@pytest.mark.parametrize(("rules", "key"), [(CARDS, "turn.card"), (BLOCKED, "turn.victim")], ids=["empty", "blocked"])
def test_an_error_at_the_first_question_of_a_turn(rules: str, key: str, tmp_path: Path) -> None:
    """Told by the whole command within its time, with the position in which it happens."""
    folder = small(tmp_path, rules)
    ran = CliRunner().invoke(app, ["fuzz", str(folder), "--time", "5", "--games", "1"])
    assert ran.exit_code == 1, ran.output
    assert ran.stdout.startswith(f"FOUND  [RUN007] nothing can be chosen here (in `{key}`)\n")
    assert f"key error/RUN007/{key}\n" in ran.stdout
    assert ran.stdout.index("FOUND") < ran.stdout.index("STORY") < ran.stdout.index("scenario")
    (story,) = rw.fuzzing.fuzz(folder, FuzzOptions(games=1, keep_going=False)).stories
    assert story.decisions == 0
    assert story.scenario in ran.stdout
    laid = [line for line in story.scenario.splitlines() if line.strip().startswith("put ")]
    if rules is CARDS:
        assert len(laid) >= 9
        assert not any("hand[player_1]" in line for line in laid)
    else:
        assert sum("hand[" in line for line in laid) == 9


def test_programs_get_one_document(tmp_path: Path) -> None:
    ran = CliRunner().invoke(app, ["fuzz", str(small(tmp_path, CARDS)), "--games", "2", "--format", "json"])
    (found,) = json.loads(ran.stdout)["found"]
    assert found["key"] == "error/RUN007/turn.card"
    assert found["seen"] >= 2
    assert ran.stderr.startswith("FOUND  [RUN007]")
    assert "STORY" in ran.stderr


def test_a_finding_comes_before_its_story(tmp_path: Path) -> None:
    told: list[rw.fuzzing.Found | rw.fuzzing.Story] = []
    report = rw.fuzzing.fuzz(small(tmp_path, CARDS), FuzzOptions(games=4, seed=3), tell=told.append)
    found, story = told
    assert isinstance(found, rw.fuzzing.Found)
    assert isinstance(story, rw.fuzzing.Story)
    assert (found.explored, found.trouble.key) == (True, story.trouble.key)
    assert [story] == report.stories
    assert report.seen["error/RUN007/turn.card"] > report.games == 4


def test_close_looks_take_a_share_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole games are played all the same where each of them takes as long as a hundred decisions."""
    clock = [0.0]
    limits = Limits(until=1000.0, now=lambda: clock[0])
    drive = Drive(rw.load("tic-tac-toe"), every=1, limits=limits)
    looked = []

    def slow(*_: object) -> Iterator[tuple[Violation, tuple[int, ...]]]:
        looked.append(clock[0])
        clock[0] += 100
        yield from ()

    def pick(size: int) -> int:
        clock[0] += 1
        return 0

    monkeypatch.setattr("rulewright.findings.fuzzing.search.driver.look_closely", slow)
    for _ in range(60):
        assert drive.play(pick, 100, dice=Dice(0, "looks")).over
    assert len(looked) >= 3
    assert all(number * 100 <= at / 3 for number, at in enumerate(looked)), looked


def test_nothing_was_found_after_no_whole_game_is_said_to_mean_little() -> None:
    report = FuzzReport("small", "Small", 0, games=0)
    assert any("no game was played to its end" in line for line in lines(report))
