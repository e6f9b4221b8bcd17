"""Tables of experiments: their rows are the games, their fields are described, and no half of a table is ever read."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_rulesets import NUMBERS, SCRIPT, arm
from typer.testing import CliRunner

import rulewright as rw
import rulewright_lab as lab
from rulewright_lab.experiments.tables.fields import ANSWERS, CURVES, MEASURES, game_fields
from rulewright_tools.app import app
from sampling import thorough

pytest.importorskip("scipy")

ROOT = Path(__file__).parents[2]
FAULTY = """
game faulty
players 2
param divisor = 0
procedure play
    chance chooses number from {0 .. 1}
    each p in players
        p chooses way from {1 .. 2}
    if 6 / (number + divisor) rounded down > 3
        finish with winner first(players)
    finish with winner last(players)
"""


def asked(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["experiment", *words])
    return done.exit_code, done.stdout, done.stderr


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def fields(folder: Path, table: str) -> list[dict[str, Any]]:
    package = json.loads((folder / "datapackage.json").read_text("utf-8"))
    (found,) = [one for one in package["resources"] if one["name"] == table]
    assert (folder / found["path"]).is_file()
    return list(found["schema"]["fields"])


def test_parquet_is_written_in_large_groups_and_without_pandas(tmp_path: Path) -> None:
    """Descriptions of row groups are kept until the file is whole; pandas takes 50 MB."""
    pytest.importorskip("pyarrow")
    script = (
        "import sys; from rulewright_tools.app import app\n"
        f"words = ['tic-tac-toe', '--games', '70000', '--output', {str(tmp_path / 'games.parquet')!r}]\n"
        "app(['experiment', *words], standalone_mode=False)\n"
        "import pyarrow.parquet as pq\n"
        f"file = pq.ParquetFile({str(tmp_path / 'games.parquet' / 'games.parquet')!r})\n"
        "sizes = [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)]\n"
        "print(sizes, 'pandas' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "[65536, 4464] False"


def test_rows_are_the_games(tmp_path: Path) -> None:
    code, out, err = asked("baron", ":3", "--games", "12", "--output", str(tmp_path / "t"), "--format", "json")
    assert code == 0, err
    report = json.loads(out)
    games = rows(tmp_path / "t" / "games.csv")
    assert [(row["arm"], row["seed"]) for row in games] == [(str(a), str(seed)) for a in (0, 1) for seed in range(12)]
    game = rw.load("baron")
    for row in games[:12]:
        played = game.playout(int(row["seed"]))
        assert row["ending"] == played.rule
        assert row["status"] == "finished"
        assert float(row["payoff(seat 1)"]) == played.payoffs[0]
        assert int(row["decisions"]) == played.decisions
        assert row["wins(seat 3)"] == "", "the arm has no third seat"
    for measure in report["measures"]:
        for one in measure["arms"]:
            values = [float(row[measure["measure"]]) for row in games if int(row["arm"]) == one["arm"]]
            assert sum(values) / len(values) == pytest.approx(one["mean"], rel=1e-5, abs=1e-9)


def test_every_field_is_described(tmp_path: Path) -> None:
    arm(tmp_path, SCRIPT)
    words = [part for word in ("lead after turn", "answers", "tree") for part in ("--measure", word)]
    code, _, err = asked(str(tmp_path / "script"), ":2", "--games", "9", "--output", str(tmp_path), *words)
    assert code == 0, err
    truths = {"true": True, "false": False}
    casts: dict[str, Callable[[str], Any]] = {
        "integer": int,
        "number": float,
        "string": str,
        "boolean": truths.__getitem__,
    }
    for table in ("games", "measures", "curves", "answers"):
        described = {one["name"]: one for one in fields(tmp_path, table)}
        found = rows(tmp_path / f"{table}.csv")
        assert found, table
        for row in found:
            assert row.keys() == described.keys()
            for name, value in row.items():
                limits = described[name].get("constraints", {})
                assert value or not limits.get("required"), name
                if value:
                    casts[described[name]["type"]](value)
                    assert value in limits.get("enum", [value])
    point = next(row for row in rows(tmp_path / "curves.csv") if row["index"] == "5")
    assert (point["curve"], point["mean"], point["games"]) == ("lead(seat 1) after turn", "8.0", "9")
    tree = next(row for row in rows(tmp_path / "measures.csv") if row["measure"] == "tree_size")
    assert (tree["kind"], tree["unit"], tree["mean"]) == ("estimate", "log10", "1.50515")


def test_the_page_has_all_fields() -> None:
    text = (ROOT / "docs" / "reference" / "experiment-tables.md").read_text("utf-8")
    tables = {"games": game_fields({}), "measures": MEASURES, "curves": CURVES, "answers": ANSWERS}
    for name, expected in tables.items():
        part = text.partition(f"## {name}\n")[2].partition("\n## ")[0]
        cells = [row.split("|")[1] for row in part.split("\n") if row.startswith("| `")]
        named = [field for cell in cells for field in re.findall("`(.*?)`", cell)]
        assert named == [field.name for field in expected], name


@thorough
def test_the_same_bytes_whoever_plays(tmp_path: Path) -> None:
    words = ("connect-four", "tic-tac-toe", "--games", "5000", "--measure", "wins", "--measure", "decisions")
    found = []
    for name, more in (("one", ()), ("two", ("--jobs", "2")), ("python", ("--engine", "python", "--games", "5000"))):
        folder = tmp_path / name
        code, _, err = asked(*words, *more, "--output", str(folder))
        assert code == 0, err
        found.append([(folder / file).read_bytes() for file in ("games.csv", "measures.csv", "datapackage.json")])
    assert found[0] == found[1] == found[2]
    seeds = [(row["arm"], int(row["seed"])) for row in rows(tmp_path / "one" / "games.csv")]
    blocks = [("0", range(4096)), ("1", range(4096)), ("0", range(4096, 5000)), ("1", range(4096, 5000))]
    assert seeds == [(number, seed) for number, block in blocks for seed in block]


def test_parquet_has_the_same(tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    words = ("baron", ":3", "--games", "8", "--measure", "wins", "--measure", "points")
    assert asked(*words, "--output", str(tmp_path / "c"), "--output", str(tmp_path / "p.parquet"))[0] == 0
    for table in ("games", "measures"):
        told = rows(tmp_path / "c" / f"{table}.csv")
        found = pq.read_table(tmp_path / "p.parquet" / f"{table}.parquet")
        kinds = {one["name"]: one["type"] for one in fields(tmp_path / "p.parquet", table)}
        assert found.column_names == [*kinds]
        for row, other in zip(told, found.to_pylist(), strict=True):
            for name, value in row.items():
                if not value:
                    assert other[name] is None
                elif kinds[name] == "number":
                    assert float(value) == other[name]
                else:
                    assert value == str(other[name]).lower() if kinds[name] == "boolean" else value == str(other[name])


def test_games_that_do_not_end_have_rows(tmp_path: Path) -> None:
    arm(tmp_path, FAULTY)
    assert asked(str(tmp_path / "faulty"), "--games", "20", "--output", str(tmp_path / "f"))[0] == 1
    status = [row["status"] for row in rows(tmp_path / "f" / "games.csv")]
    assert len(status) == 20
    assert set(status) == {"finished", "failed"}
    assert asked("baron", "--games", "3", "--decisions", "5", "--output", str(tmp_path / "u"))[0] == 1
    (row, *_) = rows(tmp_path / "u" / "games.csv")
    assert (row["status"], row["ending"], row["decisions"], row["wins(seat 1)"]) == ("unfinished", "", "5", "")


def test_interrupted_tables_hold_what_was_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = arm(tmp_path, NUMBERS)
    run = lab.experiments.Experiment.run

    def stopped(self: Any, results: Any, jobs: int, tell: Any, journal: Any, hear: Any) -> None:
        def heard(number: int, portion: Any) -> None:
            hear(number, portion)
            raise KeyboardInterrupt

        run(self, results, jobs, tell, journal, heard)

    monkeypatch.setattr(lab.experiments.Experiment, "run", stopped)
    assert asked(str(tmp_path / one.name), "--games", "500", "--output", str(tmp_path / "i"))[0] == 130
    assert 0 < len(rows(tmp_path / "i" / "games.csv")) < 500
    assert json.loads((tmp_path / "i" / "datapackage.json").read_text("utf-8"))["rulewright"]["complete"] is False


def test_gone_on_with_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables, curves and estimates of an experiment that was interrupted are those of one that was not."""
    arm(tmp_path, SCRIPT)
    extras = [part for word in ("lead after turn", "answers", "luck", "tree") for part in ("--measure", word)]
    words = (str(tmp_path / "script"), "--games", "60", "--format", "json", *extras)
    whole = asked(*words, "--output", str(tmp_path / "whole"))
    journal = str(tmp_path / "games.journal")
    run, heard = lab.experiments.Experiment.run, list[int]()

    def stopped(self: Any, results: Any, jobs: int, tell: Any, journal: Any, hear: Any, *more: Any) -> None:
        def hearing(number: int, portion: Any) -> None:
            hear(number, portion)
            heard.append(len(portion))
            if len(heard) == 2:
                raise KeyboardInterrupt

        run(self, results, jobs, tell, journal, hearing, *more)

    with monkeypatch.context() as patched:
        patched.setattr(lab.experiments.Experiment, "run", stopped)
        assert asked(*words, "--output", str(tmp_path / "parts"), "--keep", journal)[0] == 130
    assert 0 < sum(heard) < 60
    again = asked(*words, "--output", str(tmp_path / "parts"), "--keep", journal)
    assert again[:2] == whole[:2]
    for name in ("games.csv", "measures.csv", "curves.csv", "answers.csv", "datapackage.json"):
        assert (tmp_path / "parts" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    code, _, err = asked(*words[:-2], "--measure", "luck", "--keep", journal)
    assert code == 2
    assert "journal" in err


def test_nothing_is_left_of_tables_that_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise rw.RulesetError(rw.Diagnostic("RUN012", "broken"))

    monkeypatch.setattr(lab.experiments.Experiment, "run", broken)
    assert asked("baron", "--games", "5", "--output", str(tmp_path / "b"))[0] == 2
    assert not [*(tmp_path / "b").iterdir()]


def test_wrong_folders_are_told_before_a_game(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    code, _, err = asked("baron", "--games", "1000000", "--output", str(tmp_path / "file"))
    assert (code, err.count("error")) == (2, 1), err
    assert "cannot be written" in err
    code, _, err = asked("baron", "--games", "1000000", "--output", str(tmp_path), "--output", str(tmp_path / "b"))
    assert code == 2
    assert "one is enough" in err
