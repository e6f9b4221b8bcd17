"""The table of waiting times: its rows, its baseline, and one row of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from bench_feedback import ROOT, Row, cells, checked_out, commit_of, main, median_work, rows
from work_done import InstructionCounter, Work, work_of


def test_a_row_beside_an_older_version(capsys: pytest.CaptureFixture[str]) -> None:
    """The same version twice: the counts are equal, and nothing has grown."""
    main(["--runs", "0", "--baseline", str(ROOT), "--", "--help"])
    first, _, heads, _, row = capsys.readouterr().out.splitlines()
    assert first.startswith("Counted: millions of ")
    assert heads == "| command | counted | baseline | ÷ | s | baseline | ÷ | MB | baseline | ÷ |"
    assert row.startswith("| `--help` | ")
    assert row.split(" | ")[3] == "1.00"


def test_growth_is_marked() -> None:
    """More than a tenth, in counts; seconds and memory differ from run to run."""
    row = Row(("check", "rulesets/baron"), "cold")
    assert cells(row, [Work(3, 100, 1_200_000), Work(1, 50, 1_000_000)]) == [
        *("`check rulesets/baron (cold)`", "1.20", "1.00", "1.20 **grown**"),
        *("3.00", "1.00", "3.00", "100", "50", "2.00"),
    ]
    assert cells(row, [Work(1, 50, 1_050_000), None])[1:4] == ["1.05", "–", "–"]
    assert cells(row, [Work(1, 50)]) == ["`check rulesets/baron (cold)`", "–", "1.00", "50"]


def test_seconds_are_of_runs_without_a_profiler() -> None:
    assert median_work([Work(1, 10), Work(3, 30), Work(9, 90, 7)]) == Work(2, 20, 7)
    assert median_work([Work(9, 90, 7)]) == Work(9, 90, 7)
    assert median_work([]) is None


def test_rows() -> None:
    """A warm row has the cold one of its command before it; the short list is a part of all."""
    titles = [row.title for row in rows()]
    assert len(titles) == len(set(titles))
    assert titles.index("check rulesets/baron (cold)") + 1 == titles.index("check rulesets/baron (warm)")
    assert 5 < sum(row.short for row in rows()) < len(titles) / 2


def test_commits_and_those_that_are_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A commit is a folder of its files, made once; what a clone does not have is a notice, or an error by name."""
    git = ["git", "-C", str(tmp_path), "-c", "user.name=A", "-c", "user.email=a@b"]
    (tmp_path / "text").write_text("old")
    for words in (["init", "-q"], ["add", "text"], ["commit", "-q", "-m", "First"], ["tag", "v1"]):
        subprocess.run([*git, *words], check=True)
    (tmp_path / "text").write_text("new")
    commit = commit_of("v1", tmp_path)
    assert commit is not None
    folder = checked_out(commit, tmp_path, tmp_path / "checkouts")
    assert (folder / "text").read_text() == "old"
    assert checked_out(commit, tmp_path, tmp_path / "checkouts") == folder
    assert list((tmp_path / "checkouts").iterdir()) == [folder]
    assert commit_of("v2", tmp_path) is None
    with pytest.raises(SystemExit):
        main(["--baseline", "no-such-commit"])
    assert "there is no commit or folder no-such-commit" in capsys.readouterr().err


def test_a_shallow_clone_has_nothing_to_compare(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("bench_feedback.commit_of", lambda name: None)
    main(["--baseline", "--short"])
    assert capsys.readouterr().out.count("\n") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="counters are those of Linux")
def test_a_counter_counts_children_and_only_while_it_is_on() -> None:
    """Of the task's clock, in nanoseconds, which is there in virtual machines, too."""
    try:
        counter = InstructionCounter(kind=1, event=1)
    except OSError as error:
        pytest.skip(str(error))
    sum(range(100_000))
    assert counter.read() == 0
    work = work_of("timeit", ["-n", "1", "-r", "1", "sum(range(1000000))"], ROOT, {}, counter)
    assert work.count is not None
    assert 0.5 < work.count / 1e9 / work.seconds < 2
