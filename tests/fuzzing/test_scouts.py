"""Scouts: random games played by machine code, of which those that go wrong are told like all others."""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzz_helpers import command, written
from rulewright.findings.fuzzing.search.scouts import numbers_of

import rulewright as rw
from rulewright.findings.fuzzing import Found, FuzzOptions, fuzz
from rulewright.findings.fuzzing.search.driver import Drive
from sampling import sample, thorough

RARE = """\
game small
players 2

die Six: 1 to 6

field points: 0..12 = 0

invariant few: points < 5

procedure play
    repeat 6 times
        each p in players
            turn(p)
    finish with winner players

procedure turn(p: Player)
    p rolls Six as d
    p chooses guess from {1 .. 6}
    if d is guess
        points += 1
"""
"""A right guess in a hundred games is the fifth one now and then."""

FAILING = RARE.replace("invariant few: points < 5\n\n", "").replace("0..12", "0..4")


@pytest.mark.parametrize(
    ("name", "players"),
    [("carolus-magnus", 2), pytest.param("domaine", 3, marks=thorough), ("tic-tac-toe", 2)],
)
def test_the_numbers_of_a_random_game_lead_to_its_end(name: str, players: int) -> None:
    game = rw.load(name, players)
    for seed in (2**63 + 5, 3)[: sample(1, 2)]:
        played = game.playout(seed)
        course = Drive(game).again(numbers_of(game, seed, 5_000))
        assert course.over
        assert course.state is not None
        assert course.state.result == played.result
        cut = numbers_of(game, seed, 4)
        assert course.numbers[: len(cut)] == cut


def test_nothing_is_found_where_nothing_is_wrong() -> None:
    report = fuzz("tic-tac-toe", FuzzOptions(games=1, scouts=100))
    assert (report.scouts, report.games, report.stories) == (100, 1, [])
    assert report.data()["scouts"] == 100
    assert "scouts" not in fuzz("tic-tac-toe", FuzzOptions(games=1)).data()


@pytest.mark.parametrize(("rules", "key"), [(RARE, "invariant/few"), (FAILING, "error/RUN001/turn")])
def test_what_goes_wrong_is_told_as_a_story_whoever_plays(tmp_path: Path, rules: str, key: str) -> None:
    folder = written(tmp_path / "small", rules)
    told: list[object] = []
    report = fuzz(folder, FuzzOptions(2, games=1, scouts=300, engine="native"), tell=told.append)
    assert [story.trouble.label for story in report.stories] == [key]
    assert report.stories[0].scenario
    assert isinstance(told[0], Found)
    assert told[0].scout is not None
    assert told[0].where == f"the random game of seed {told[0].scout}"
    assert report.data() == fuzz(folder, FuzzOptions(2, games=1, scouts=300, engine="python")).data()
    first = fuzz(folder, FuzzOptions(2, games=50, scouts=300, keep_going=False))
    assert (first.games, first.scouts) == (0, told[0].scout + 1), "it ends with the first one"
    assert first.complete


def test_the_command_says_how_many_there_were(tmp_path: Path) -> None:
    folder = written(tmp_path / "small", RARE)
    code, text = command("fuzz", folder, "--players", "2", "--games", "1", "--scouts", "300", "--engine", "native")
    assert code == 1
    assert "random games of which only the ends were looked at" in text
    code, text = command("fuzz", folder, "--players", "2", "--games", "1", "--accept", "invariant/few", "--scouts", "9")
    assert code == 0
    assert "after 9 random games" in text
