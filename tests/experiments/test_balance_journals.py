"""Searches for an aim and sensitivities that are interrupted or killed: what is told of them, and that they go on."""

from __future__ import annotations

import json
import signal
import sqlite3
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from test_experiments import asked
from test_journals import begun, posix, stopped_in_the_middle, written

import rulewright_lab as lab
from rulewright.host import workers
from sampling import thorough

pytest.importorskip("scipy")
pytest.importorskip("optuna")
pytest.importorskip("SALib")

SCHEMAS = Path(__file__).parents[2] / "schemas"
PLAYED = ("connect-four", "--seats", "mcts:20,random")
QUESTIONS = {
    "experiment-aim-report": (
        *PLAYED, "--aim", "wins(seat 1) = 60%", "--over", "rows=4..6,columns=4..6", "--games", "48"
    ),
    "sensitivity-report": (
        *PLAYED, "--over", "rows=4..6,columns=4..6", "--limit", "16", "--games", "3",
        "--measure", "decisions", "--measure", "ties",
    ),
}  # fmt: skip
LARGE = (
    "connect-four", "--aim", "decisions = 20", "--over", "rows=4..12,columns=4..12", "--games", "64", "--format", "json"
)  # fmt: skip


def complete(schema: str, out: str) -> Any:
    data = json.loads(out)
    jsonschema.validate(data, json.loads((SCHEMAS / f"{schema}.schema.json").read_text("utf-8")))
    return data


@posix
@pytest.mark.long
@pytest.mark.parametrize("question", QUESTIONS)
def test_killed_and_resumed_equals_uninterrupted(question: str, tmp_path: Path) -> None:
    words = (*QUESTIONS[question], "--format", "json")
    whole = asked(*words)
    assert complete(question, whole[1])["complete"]
    journal, killed = tmp_path / "games.journal", 0
    for more in (("--jobs", "1"), ("--jobs", "2"), ("--engine", "python")):
        killed += stopped_in_the_middle(journal, signal.SIGKILL, *words, *more)
    assert killed >= 2
    assert asked(*words, "--keep", str(journal), "--jobs", "2")[1] == whole[1]
    size = written(journal)
    assert asked(*words, "--keep", str(journal))[1] == whole[1]
    assert written(journal) == size  # nothing is played any more


@thorough
@pytest.mark.parametrize("kept", [pytest.param(0.3, marks=thorough), 0.97])
def test_a_search_that_draws_settings_goes_on(kept: float, tmp_path: Path) -> None:
    """Games are taken from the journal wherever it ends: in the first draws, in later ones, in the confirmation."""
    journal = tmp_path / "games.journal"
    whole = asked(*LARGE, "--keep", str(journal))[1]
    base = sqlite3.connect(journal)
    (most,) = base.execute("select max(number) from portions").fetchone()
    base.execute("delete from portions where number > ?", (int(kept * most),))
    base.commit()
    base.close()
    assert asked(*LARGE, "--keep", str(journal))[1] == whole == asked(*LARGE, "--jobs", "2")[1]


@posix
@pytest.mark.parametrize("question", QUESTIONS)
def test_what_was_found_so_far_is_told(question: str, tmp_path: Path) -> None:
    words = (*QUESTIONS[question], "--format", "json")
    whole = asked(*words)[1]
    journal = tmp_path / "games.journal"
    run = begun(*words, "--keep", str(journal))
    try:
        while run.poll() is None and written(journal) < 60_000:
            time.sleep(0.01)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate()
    finally:
        run.kill()
        run.wait()
    assert run.returncode == 130, err
    assert b"this is what was found so far; the same command goes on from" in err
    data = complete(question, out.decode())
    assert not data["complete"]
    assert 0 < data["games"] < json.loads(whole)["games"]
    assert asked(*words, "--keep", str(journal))[1] == whole


@pytest.mark.parametrize("question", QUESTIONS)
def test_journals_of_other_questions(question: str, tmp_path: Path) -> None:
    journal = str(tmp_path / "games.journal")
    plain = [word for word in QUESTIONS[question] if word != "--seats" and "mcts" not in word]
    assert asked(*plain, "--keep", journal)[0] in (0, 1)
    for other, told in (
        ([*plain, "--seed", "3"], "seed is 0 there, 3 here"),
        ([word.replace("rows=4..6", "rows=4..5") for word in plain], "over, rows: 3 there, 2 here"),
        (["connect-four", "--games", "20"], "question is"),
    ):
        code, out, err = asked(*other, "--keep", journal)
        assert (code, out) == (2, "")
        assert told in " ".join(err.split())


def test_all_rounds_have_the_same_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    pools = 0
    pool = workers.process_pool

    def counted(*given: Any) -> Any:
        nonlocal pools
        pools += 1
        return pool(*given)

    monkeypatch.setattr(workers, "process_pool", counted)
    (arm,) = lab.experiments.read_arms(("connect-four",))
    aim = lab.experiments.Target.read("decisions = 20", arm)
    over = lab.experiments.swept_by(arm, "rows=4..6,columns=4..6")
    assert lab.experiments.Search(arm, aim, over, 64, jobs=2).run().best.rounds > 2
    assert pools == 1
