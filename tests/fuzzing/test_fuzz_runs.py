"""The command: the same findings each time, a corpus that later runs begin with, reports, bad input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from fuzz_helpers import ROOT, change, command
from hypothesis.internal.conjecture import providers
from test_fuzz_findings import CLIMBING, small
from test_fuzz_several import BEHIND
from test_fuzz_time import Clock
from typer.testing import CliRunner

import rulewright as rw
from rulewright.findings.fuzzing import FuzzOptions
from rulewright.findings.fuzzing.fuzzer import Run
from rulewright_tools.app import app
from sampling import sample

SCHEMA = json.loads((ROOT / "schemas" / "fuzz-report.schema.json").read_text("utf-8"))


def process(folder: Path, *args: str, hash_seed: str = "0") -> subprocess.CompletedProcess[str]:
    """The command as a user runs it."""
    words = [sys.executable, "-m", "rulewright_tools", "fuzz", *args]
    env = {**os.environ, "PYTHONHASHSEED": hash_seed}
    return subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, timeout=240, check=False)


def test_equal_seeds_give_equal_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In any process, for any hash seed and any number of jobs; and nothing is left lying around."""
    small(tmp_path, BEHIND)
    asked = ("small", "--games", "4", "--format", "json")
    monkeypatch.chdir(tmp_path)
    first = CliRunner().invoke(app, ["fuzz", *asked])
    again = process(tmp_path, *asked, "--jobs", "2", hash_seed="77")
    assert first.exit_code == again.returncode == 1, first.stderr
    assert first.stdout == again.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["small"]
    assert first.stderr == again.stderr
    other = rw.fuzzing.fuzz(tmp_path / "small", FuzzOptions(games=4))
    assert len(other.stories) == 3
    assert other.data() == json.loads(first.stdout)
    assert (
        rw.fuzzing.fuzz(tmp_path / "small", FuzzOptions(games=1)).data()
        != rw.fuzzing.fuzz(tmp_path / "small", FuzzOptions(games=1, seed=1)).data()
    )


def test_the_sources_are_not_parsed_for_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hypothesis does so for each module of ours that it has not seen yet: that took longer than short runs."""
    asked: list[int] = []

    def read() -> object:
        asked.append(1)
        return providers._local_constants

    monkeypatch.setattr(providers, "_get_local_constants", read)
    assert rw.fuzzing.fuzz("tic-tac-toe", FuzzOptions(games=1)).passed
    assert not asked


def test_later_runs_begin_with_the_corpus(tmp_path: Path) -> None:
    folder = small(tmp_path, CLIMBING)
    corpus, games = tmp_path / "kept", sample(2, 8)
    first = rw.fuzzing.fuzz(folder, FuzzOptions(variants=["Higher"], games=games, corpus=corpus, keep_going=False))
    assert not first.passed
    files = sorted(corpus.iterdir())
    assert files
    found = first.stories[0].numbers
    assert any(json.loads(file.read_text("utf-8")).get("decisions") == list(found) for file in files)
    # What went wrong goes wrong again before a single new game is played.
    again = rw.fuzzing.fuzz(
        folder, FuzzOptions(variants=["Higher"], games=games, corpus=corpus, seed=99, keep_going=False)
    )
    assert again.kept == len(files)
    assert again.games == 0
    assert [story.trouble.key for story in again.stories] == [first.stories[0].trouble.key]
    # Mended, the games are played on from, and files of other kinds are left alone.
    change(folder / "game.rules", "height[p] >= top", "height[p] >= 3")
    (corpus / "notes.json").write_text("[1, 2", "utf-8")
    mended = rw.fuzzing.fuzz(folder, FuzzOptions(variants=["Higher"], games=games, corpus=corpus))
    assert mended.passed
    assert mended.games == games
    assert (corpus / "notes.json").read_text("utf-8") == "[1, 2"
    # Games of another ruleset mean nothing here.
    assert rw.fuzzing.fuzz("tic-tac-toe", FuzzOptions(games=1, corpus=corpus)).kept == 0


def test_reports(tmp_path: Path) -> None:
    folder = small(tmp_path, CLIMBING)
    html, data = tmp_path / "met.html", tmp_path / "met.json"
    code, said = command("fuzz", folder, "--games", sample(1, 4), "--output", html)
    assert code == 0, said
    code, said = command("fuzz", folder, "--games", sample(1, 4), "--variant", "Higher", "--output", data)
    assert code == 1
    report = json.loads(data.read_text("utf-8"))
    jsonschema.Draft202012Validator(SCHEMA).validate(report)
    pairs = {tuple(pair["rules"]): pair["turns"] for pair in report["pairs"]}
    assert pairs == {}, "options of one `either` exclude each other"
    assert "FOUND  the invariant `not_too_high` does not hold for" in said
    assert "never in one turn" not in said
    page = html.read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert "turn.stay + turn.up: no way through a turn uses both" in page
    for foreign in ("http://", "https://", "<script", "src="):
        assert foreign not in page


def test_pairs_that_meet_are_counted() -> None:
    report = rw.fuzzing.fuzz("carolus-magnus", FuzzOptions(players=2, games=1))
    assert report.pairs["turn.move_emperor", "turn.refill"] > 20
    assert report.witnesses["three_provinces"] > 0
    assert "turn" not in report.rules
    assert "setup.lots" not in report.rules
    never = set(report.never_used)
    assert not any(one in never or other in never for one, other in report.never_met)


def test_scenarios_are_appended_once(tmp_path: Path) -> None:
    folder = small(tmp_path, CLIMBING)
    file = folder / "found.rules"
    file.write_text("# What was found.\n", "utf-8")
    for _ in range(2):
        code, said = command("fuzz", folder, "--games", sample(1, 4), "--variant", "Higher", "--output", file)
        assert code == 1, said
    text = file.read_text("utf-8")
    assert text.startswith("# What was found.\n")
    assert text.count("scenario ") == 1
    assert command("fmt", "--diff", folder)[0] == 0


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--games", "0"), "--games"),
        (("--time", "-1"), "--time"),
        (("--until", "some"), "--until found"),
        (("--variant", "Lower"), "no variant `Lower`"),
        (("--players", "5"), "played by 2 players"),
        (("--option", "top"), "NAME=VALUE"),
        (("--option", "bottom=3"), "no parameter `bottom`"),
        (("--output", "met.txt"), "must end with .html, .json or .rules"),
        (("--keep", "small/game.rules"), "not a folder"),
        (("--output", "small"), "must end with .html, .json or .rules"),
    ],
)
def test_bad_input(flags: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(tmp_path, CLIMBING)
    monkeypatch.chdir(tmp_path)
    code, told = command("fuzz", "small", "--games", "1", *flags)
    assert code == 2
    assert said in told


def test_time_is_kept(tmp_path: Path) -> None:
    folder = small(tmp_path, CLIMBING)
    clock = Clock(0.001)
    report = Run(folder, FuzzOptions(time=1.5), now=clock).run()  # without a number of games it would never end
    assert report.complete
    assert report.games > 0
    assert clock.time < 1000 + 1.5 + 0.5
    assert not rw.fuzzing.fuzz(folder, FuzzOptions(time=0.2, games=1_000_000)).complete


def test_what_was_found_until_ctrl_c_is_told(tmp_path: Path) -> None:
    def stop(_: rw.fuzzing.FuzzReport) -> None:
        raise KeyboardInterrupt

    report = rw.fuzzing.fuzz(
        small(tmp_path, CLIMBING),
        FuzzOptions(variants=["Higher"], games=400, keep_going=True),
        progress=stop,
    )
    assert report.interrupted
    assert not report.complete
    assert (report.games, report.runs > 0) == (0, True)  # a portion ends with the first thing that it finds
    assert [story.trouble.name for story in report.stories] == ["not_too_high"]


def test_ctrl_c_in_a_portion_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The coverage reached until then is counted, and kept in the corpus."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rulewright.findings.fuzzing.search.portion_search.steady", stop)
    report = rw.fuzzing.fuzz(small(tmp_path, CLIMBING), FuzzOptions(games=8, corpus=tmp_path / "kept"))
    assert report.interrupted
    assert report.games == 1
    assert list((tmp_path / "kept").glob("*.json"))
    assert not list((tmp_path / "kept").glob("*.part"))


def test_rules_that_cannot_be_played(tmp_path: Path) -> None:
    folder = small(tmp_path, CLIMBING)
    change(folder / "game.rules", "height[p] += 1", "heigth[p] += 1")
    code, said = command("fuzz", folder, "--games", 1)
    assert code == 2
    assert "heigth" in said
    assert command("fuzz", tmp_path / "nowhere")[0] == 2
