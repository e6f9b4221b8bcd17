"""Faults that machine code must find, and games that it must not run away with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fuzz_helpers import written

from rulewright import RulesetError
from rulewright.engine import EngineName
from rulewright.findings.fuzzing import FuzzArgumentError, FuzzOptions, fuzz
from rulewright.findings.fuzzing.search import portion_search

STREAK = """\
game small
players 2

field stage: 0..20 = 0
field tick: Int = 0

procedure play
    repeat 100 times
        each p in players
            turn(p)
    finish with a draw

procedure turn(p: Player)
    p chooses k from {0 .. 3}
    if k is (stage * stage + stage / 2 rounded down) mod 3
        stage += 1
    else
        stage = 0
LADDER

invariant opened: stage < 10
""".replace("LADDER", "\n".join(f"    if stage is {number} then tick += 1" for number in range(1, 10)))
"""Ten right answers of four in a row break it: once in a million beginnings of a game, if each is tried anew."""

NOBODY = """\
game small
players 1 to 2

die Six: 1 to 6

procedure play
    each p in players
        p rolls Six as d
    finish with a draw
"""

ENDLESS = """\
game small
players 1

procedure play
    repeat
        each p in players
            turn(p)

procedure turn(p: Player)
    p chooses k from {0 .. 3}
"""

STUCK = "    if k is 3\n        p chooses never from {n in {1} where n > 1}\n"
FAILING = STREAK.replace("        stage = 0\n", "        stage = 0\n" + STUCK)


def test_right_answers_in_a_row_are_found_one_after_the_other(tmp_path: Path) -> None:
    report = fuzz(written(tmp_path / "small", STREAK), FuzzOptions(games=4, keep_going=False))
    (story,) = report.stories
    assert story.trouble.key == ("invariant", "opened")
    assert story.decisions == 1


def test_games_without_answers_are_not_played_for_ever(tmp_path: Path) -> None:
    report = fuzz(written(tmp_path / "small", NOBODY), FuzzOptions(games=2))
    assert (report.games, report.answers, report.stories) == (2, 0, [])
    assert 1000 < report.runs < 1_000_000


def test_a_game_that_does_not_end_is_found_by_machine_code(tmp_path: Path) -> None:
    report = fuzz(written(tmp_path / "small", ENDLESS), FuzzOptions(games=1, keep_going=False))
    (story,) = report.stories
    assert story.trouble.key == ("endless", "play")
    assert (report.games, report.decisions) == (0, 0)
    assert report.answers < 500_000, "one run is tried before many"


def test_errors_in_most_runs_do_not_hold_up_the_search(tmp_path: Path) -> None:
    report = fuzz(written(tmp_path / "small", FAILING), FuzzOptions(games=2))
    assert "error/RUN007/turn.never" in [story.trouble.label for story in report.stories]
    assert report.games == 2
    assert report.answers > report.runs, "answers of runs that fail are counted"


def test_a_kept_game_is_played_by_its_own_players(tmp_path: Path) -> None:
    folder, kept = written(tmp_path / "small", STREAK.replace("players 2", "players 2 to 3")), tmp_path / "kept"
    fuzz(folder, FuzzOptions(2, games=1, corpus=kept))
    file = next(iter(kept.glob("*.json")))
    assert fuzz(folder, FuzzOptions(2, replay=file)).settings == ("2 players",)
    with pytest.raises(FuzzArgumentError, match="this is a game of 2 players"):
        fuzz(folder, FuzzOptions(3, replay=file))


def test_a_list_of_accepted_findings_that_is_no_text(tmp_path: Path) -> None:
    folder, kept = written(tmp_path / "small", NOBODY), tmp_path / "kept"
    kept.mkdir()
    (kept / "accepted.txt").write_bytes(b"\xff\xfe error/RUN001")
    with pytest.raises(RulesetError, match="UTF-8"):
        fuzz(folder, FuzzOptions(games=1, corpus=kept))


def test_whole_games_take_turns_in_their_tastes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every second of four strives for what a query counts, every fourth one is indifferent."""
    played: list[str] = []

    def note(name: str) -> None:
        player = getattr(portion_search, name)

        def noted(*given: Any) -> Any:
            played.append(name)
            return player(*given)

        monkeypatch.setattr(portion_search, name, noted)

    note("striving")
    note("indifferent")
    fuzz(written(tmp_path / "small", STREAK.replace("stage < 10", "stage < 99")), FuzzOptions(games=8))
    assert played == ["striving", "indifferent"] * 2


CHANCE_FOR_EVER = """\
game small
players 2
die D6: 1 to 6
field total: 0..1000000000 = 0

procedure play
    each p in players
        p chooses n from {1 .. 3}
        if n is 2
            repeat until total is 1
                p rolls D6 as rolled
                total = rolled + 1
    finish with winner players
"""


@pytest.mark.parametrize("engine", ["native", "python"])
def test_chance_without_end_is_reported(engine: EngineName, tmp_path: Path) -> None:
    """It was played again without end, as each roll is a decision within its budget."""
    folder = written(tmp_path / "small", CHANCE_FOR_EVER)
    report = fuzz(folder, FuzzOptions(games=2, keep_going=False, engine=engine))
    assert [story.trouble.kind for story in report.stories] == ["endless"]
