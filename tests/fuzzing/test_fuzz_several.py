"""One finding does not hide the others: games go on behind what is known, findings can be accepted and replayed."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from fuzz_helpers import command
from test_fuzz_findings import LEAKING, small

import rulewright as rw
from rulewright.findings.fuzzing import FuzzOptions
from rulewright.findings.fuzzing.failures import KINDS, label_of
from rulewright.findings.fuzzing.fuzzer import ACCEPTED, accepted_in, key_of
from sampling import sample

BEHIND = """\
game small
players 2

field level: 0..3 = 3
field height[Player]: 0..30 = 0

invariant low for p in players: height[p] <= 1
invariant not_high for p in players: height[p] <= 4

procedure play
    repeat 8 times
        each p in players
            turn(p)
    finish ranking p in players by height[p]

procedure turn(p: Player)
    p chooses either as way
        option up
            height[p] += 1
        option far_up
            height[p] += 2
        option wrong
            level += 1
"""
"""The error comes wherever somebody likes it, the first invariant breaks in each game, the second only behind it."""

KEYS = ["error/RUN001/turn", "invariant/low", "invariant/not_high"]


def keys(report: rw.fuzzing.FuzzReport) -> list[str]:
    return sorted(story.trouble.label for story in report.stories)


def test_each_finding_is_told_once_and_counted(tmp_path: Path) -> None:
    report = rw.fuzzing.fuzz(small(tmp_path, BEHIND), FuzzOptions(games=4))
    assert report.complete
    assert report.games == 4
    assert keys(report) == sorted(report.seen) == KEYS
    assert all(times > 1 for times in report.seen.values())
    assert all(story.scenario for story in report.stories)
    data = {found["key"]: found["seen"] for found in report.data()["found"]}
    assert data == report.seen


def test_what_is_accepted_is_only_counted(tmp_path: Path) -> None:
    folder = small(tmp_path, BEHIND)
    told: list[rw.fuzzing.Found | rw.fuzzing.Story] = []
    report = rw.fuzzing.fuzz(
        folder, FuzzOptions(games=sample(2, 4), accept=KEYS[:2], keep_going=False), tell=told.append
    )
    assert keys(report) == ["invariant/not_high"]
    assert len(told) == 2
    assert sorted(report.accepted) == KEYS[:2]
    assert report.accepted["invariant/low"] > 0
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / ACCEPTED).write_text(f"# Known.\n{KEYS[0]}  # the far side\n\ninvariant/low\n", "utf-8")
    asked = ("fuzz", folder, "--games", sample(1, 4), "--keep", kept)
    code, said = command(*asked)
    assert code == 1
    assert "key invariant/not_high" in said
    assert "key invariant/low" not in said
    code, said = command(*asked, "--accept", "invariant/not_high")
    assert code == 0, said
    assert "nothing was found" in said
    assert "accepted: " in said
    assert "invariant/not_high seen " in said


def test_games_without_a_question_are_no_success(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text("game idle\nplayers 2\nprocedure play\n    finish with winner players\n")
    (tmp_path / "ruleset.json").write_text('{"name": "idle", "title": "Idle", "rules": ["game.rules"]}')
    assert "nothing was found, but no game has a question" in command("fuzz", tmp_path, "--games", 2)[1]


def test_keys_are_words(tmp_path: Path) -> None:
    for kind in KINDS:
        for name in ("play", "RUN007 turn.card", "saved turn.card"):
            assert key_of(label_of((kind, name))) == (kind, name)
    folder = small(tmp_path, BEHIND)
    code, said = command("fuzz", folder, "--games", 1, "--accept", "invarient/low")
    assert code == 2
    assert "`invarient/low` names no finding" in said
    assert "did you mean `invariant`?" in said
    assert command("fuzz", folder, "--games", 1, "--accept", "error/")[0] == 2
    (tmp_path / ACCEPTED).write_text("\nlow\n", "utf-8")
    with pytest.raises(ValueError, match=r"accepted\.txt:2: `low` names no finding"):
        accepted_in(tmp_path)


def test_a_found_game_is_played_again(tmp_path: Path) -> None:
    """By its numbers, by its file, and by the command that is printed."""
    folder, kept = small(tmp_path, BEHIND), tmp_path / "kept"
    for story in rw.fuzzing.fuzz(folder, FuzzOptions(games=4, corpus=kept)).stories:
        others = [key for key in KEYS if key != story.trouble.label]
        assert story.kept is not None
        for again in (story.kept, story.numbers):
            report = rw.fuzzing.fuzz(folder, FuzzOptions(replay=again, accept=others))
            assert keys(report) == [story.trouble.label]
            assert (report.games, report.kept) == (0, 1)
    code, said = command("fuzz", folder, "--games", 4, "--until", "found", "--keep", kept)
    (line,) = (line for line in said.splitlines() if line.strip().startswith("again "))
    words = shlex.split(line)[1:]
    assert words[0] == "rulewright"
    code, said = command(*words[1:])
    assert code == 1
    assert "in a kept game" in said


@pytest.mark.parametrize("game", ["3,x", "nowhere.json", ""])
def test_what_is_no_game(game: str, tmp_path: Path) -> None:
    code, said = command("fuzz", small(tmp_path, BEHIND), game)
    assert code == 2
    assert "neither a file nor numbers" in said
    (tmp_path / "other.json").write_text("{}", "utf-8")
    assert command("fuzz", tmp_path / "small", tmp_path / "other.json")[0] == 2


def test_a_story_without_scenario_can_be_played_again(tmp_path: Path) -> None:
    """An endless game has no scenario: the command that plays it again is told with all its numbers."""
    folder = small(tmp_path, BEHIND.replace("repeat 8 times", "repeat 800 times").replace("0..30", "0..3000"))
    known = [word for key in KEYS for word in ("--accept", key)]
    code, said = command("fuzz", folder, "--games", 1, "--decisions", 40, *known)
    assert code == 1, said
    (line,) = (line for line in said.splitlines() if line.strip().startswith("again "))
    numbers = shlex.split(line)[-1].split(",")
    assert len(numbers) == 40
    code, said = command(*shlex.split(line)[2:], *known)
    assert code == 1, said
    assert "key endless/play" in said


def test_a_leak_is_seen_again(tmp_path: Path) -> None:
    """It shows only to who looks closely at where the game has come to."""
    folder = small(tmp_path, LEAKING)
    (story,) = rw.fuzzing.fuzz(folder, FuzzOptions(games=12, keep_going=False)).stories
    assert story.trouble.kind == "leak"
    again = rw.fuzzing.fuzz(folder, FuzzOptions(replay=story.numbers))
    assert keys(again) == [story.trouble.label]
