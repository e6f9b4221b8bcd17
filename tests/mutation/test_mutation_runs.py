"""Whole runs: the same for everybody, and told to people and programs."""

from __future__ import annotations

import gc
import json
import weakref
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from mutation_helpers import STONES, TAKEN, write
from typer.testing import CliRunner

import rulewright as rw
from rulewright.compiler.driver import Compiler
from rulewright.findings.mutation import MutationOptions
from rulewright.findings.mutation.mutation_report import row
from rulewright_tools.app import app
from sampling import sample

SCHEMA = Path(__file__).parents[2] / "schemas" / "mutation-report.schema.json"


@pytest.fixture(autouse=True)
def nothing_old() -> None:
    """Keep what other tests have left from being looked through whenever a mutant is thrown away."""
    gc.freeze()


@pytest.fixture
def stones(tmp_path: Path) -> Path:
    return write(tmp_path / "stones")


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> rw.mutation.MutationReport:
    """All mutants, judged without the fuzzer."""
    return rw.mutation.mutate(write(tmp_path_factory.mktemp("judged")), MutationOptions(fuzz=0))


def run(*args: object) -> tuple[int, str, str]:
    """Exit code, what is written on stdout, what on stderr."""
    result = CliRunner().invoke(app, ["mutate", *(str(arg) for arg in args)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    assert "Traceback" not in result.output
    return result.exit_code, result.stdout, result.stderr


def test_games_of_mutants_that_were_judged_are_gone(stones: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They hold cycles, which nobody collects for a long time while trees and programs are made."""
    made: list[weakref.ref[Compiler]] = []
    living = []
    begin = Compiler.__init__

    def noted(compiler: Compiler, *args: Any, **more: Any) -> None:
        made.append(weakref.ref(compiler))
        begin(compiler, *args, **more)

    def count(_: object) -> None:
        living.append(sum(one() is not None for one in made))

    monkeypatch.setattr(Compiler, "__init__", noted)
    rw.mutation.mutate(stones, MutationOptions(sample=sample(4, 8), games=0, fuzz=0), progress=count)
    assert len(made) > 4
    assert max(living) == living[0]


def test_equal_seeds_give_equal_reports_for_any_number_of_jobs(stones: Path) -> None:
    size = sample(4, 8)
    one = rw.mutation.mutate(stones, MutationOptions(sample=size, seed=5))
    assert one.data() == rw.mutation.mutate(stones, MutationOptions(sample=size, seed=5)).data()
    assert one.data() == rw.mutation.mutate(stones, MutationOptions(sample=size, seed=5, jobs=2)).data()
    other = rw.mutation.mutate(stones, MutationOptions(sample=size, seed=6, fuzz=0))
    assert [v.mutant.id for v in one.verdicts] != [v.mutant.id for v in other.verdicts]


def test_a_sample_is_spread_over_operators_and_rules(stones: Path, judged: rw.mutation.MutationReport) -> None:
    everything = judged
    operators = {v.mutant.operator for v in everything.verdicts}
    some = rw.mutation.mutate(stones, MutationOptions(sample=len(operators), fuzz=0, games=0))
    assert {v.mutant.operator for v in some.verdicts} == operators
    numbers = rw.mutation.mutate(stones, MutationOptions(sample=4, operators=["off-by-one"], fuzz=0, games=0))
    assert len({v.mutant.name for v in numbers.verdicts}) == 4
    assert some.possible == len(everything.verdicts) == everything.wanted
    assert (some.wanted, len(some.verdicts)) == (len(operators), len(operators))


def test_nothing_is_begun_when_time_is_up(stones: Path) -> None:
    report = rw.mutation.mutate(stones, MutationOptions(time=0.0, fuzz=0))
    assert (report.verdicts, report.score) == ([], None)
    assert report.wanted == report.possible > 20


def test_nothing_is_written(stones: Path) -> None:
    before = {path: path.read_bytes() for path in sorted(stones.rglob("*"))}
    rw.mutation.mutate(stones, MutationOptions(sample=8, fuzz=0))
    assert {path: path.read_bytes() for path in sorted(stones.rglob("*"))} == before


def test_figures(judged: rw.mutation.MutationReport) -> None:
    report = judged
    counted = Counter(v.outcome for v in report.verdicts)
    total = report.total
    assert (total.survived, total.unchanged, total.equivalent) == (
        counted["survived"],
        counted["unchanged"],
        counted["equivalent"],
    )
    assert total.all == len(report.verdicts) == sum(one.all for one in report.rows)
    assert report.score == counted["caught"] / (counted["caught"] + counted["survived"])
    assert total.played_score is not None
    assert 0 < total.played_score < report.score < 1
    assert row("none", []).score is None
    assert [v.mutant.span.line for v in report.survivors] == sorted(v.mutant.span.line for v in report.survivors)


def test_report_for_programs(stones: Path, judged: rw.mutation.MutationReport) -> None:
    code, out, _ = run(stones, "--select", "turn.too_many", "--format", "json", "--games", 1)
    data = json.loads(out)
    for report in (data, judged.data()):
        jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text("utf-8"))).validate(report)
    assert code == 0
    caught = [one for one in data["mutants"] if one["id"] == "turn.too_many/comparison/1"]
    assert [(one["outcome"], one["stage"], one["line"]) for one in caught] == [("caught", "scenarios", 18)]
    assert data["judged"] == len(data["mutants"]) == data["possible"]


def test_report_for_people(stones: Path) -> None:
    code, out, _ = run(stones, "--select", "off-by-one", "--all", "--games", 1)
    assert code == 0
    assert "Small: 15 of 15 mutants, seed 0" in out
    assert "score:" in out
    assert "survived: a scenario is missing" in out
    assert "game.rules:6  heap/off-by-one/1\n  - param heap = 5\n  + param heap = 6\n" in out
    assert "made no difference in any game" in out
    assert "the same game, not counted: 4" in out


def test_survivors_are_shown_with_the_statements_of_the_rulebook(tmp_path: Path) -> None:
    rules = STONES.replace("param most = 2", "param most = 2  @ST-1")
    statement = {
        "id": "ST-1",
        "section": "Play",
        "kind": "restriction",
        "normative": True,
        "statement": "Take two at most.",
    }
    folder = write(tmp_path, rules, rulebook="rulebook.json")
    book = {"game": "Small", "source": "a test", "statements": [statement]}
    (folder / "rulebook.json").write_text(json.dumps(book), "utf-8")
    _, out, _ = run(folder, "--select", "most", "--all")
    assert "  + param most = 3\n  @ST-1: Take two at most.\n" in out


def test_the_score_decides_the_exit_code(stones: Path) -> None:
    assert run(stones, "--select", "turn.too_many", "--fail-under", 100)[0] == 0
    assert run(stones, "--select", "most", "--fail-under", 1)[0] == 1
    assert run(stones, "--select", "odd", "--fail-under", 100)[0] == 0, "nothing to be found is no failure"


@pytest.mark.parametrize(
    "args, words",
    [
        (("--select", "comparisons"), "did you mean `comparison`"),
        (("--select", "trun"), "did you mean `turn`"),
        (("--jobs", "0"), "write a number of processes"),
        (("--fail-under", "101"), "Invalid value"),
    ],
)
def test_bad_arguments(stones: Path, args: tuple[str, ...], words: str) -> None:
    code, out, err = run(stones, *args)
    assert (code, out) == (2, "")
    assert words in err


def test_a_ruleset_that_is_not_in_order(tmp_path: Path) -> None:
    assert run(tmp_path / "nowhere")[0] == 2
    broken = write(tmp_path / "broken", STONES.replace("stones -= amount", "stone -= amount"))
    code, _, err = run(broken)
    assert code == 2
    assert "REF001" in err
    failing = write(tmp_path / "failing", scenarios=TAKEN.replace("wins anna", "wins bert"))
    code, _, err = run(failing)
    assert code == 2
    assert "MUT001" in err
    assert "fails without any change" in err
