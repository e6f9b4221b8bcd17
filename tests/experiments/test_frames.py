"""Results as frames of Arrow, pandas and polars, and all that notebooks show."""

from __future__ import annotations

import base64
import csv
import re
from pathlib import Path
from typing import Any

import pytest

import rulewright as rw
import rulewright_lab as lab

pytest.importorskip("pyarrow")


def experiment(games: int = 40) -> lab.experiments.Experiment:
    """Connect Four at random, and with wider boards."""
    plain, wide = rw.load("connect-four"), rw.load("connect-four", options={"columns": 8})
    arms = lab.experiments.Arm("plain", plain), lab.experiments.Arm("wide", wide)
    return lab.experiments.Experiment(arms, games, rows=True)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> tuple[lab.experiments.Results, Any, Path]:
    """The results, the rows of games, and the same as files."""
    folder = tmp_path_factory.mktemp("tables")
    asked = experiment()
    found = asked.begin()
    rows, files = lab.experiments.GameRows(found), lab.experiments.TableFolder(folder, lab.experiments.CSV, found)

    def hear(arm: int, portion: Any) -> None:
        rows.add(arm, portion)
        files.add(arm, portion)

    asked.run(found, hear=hear)
    files.close(True)
    return found, rows.frame(), folder


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def plain(value: Any) -> Any:
    return "" if value is None else value


def agree(rows: list[dict[str, Any]], written: list[dict[str, str]]) -> None:
    """The same values as in a file."""
    assert len(rows) == len(written) > 0
    for row, line in zip(rows, written, strict=True):
        assert row.keys() == line.keys()
        for key, value in row.items():
            if isinstance(value, bool) or value is None:
                assert line[key] == ("" if value is None else str(value).lower())
            elif isinstance(value, str):
                assert line[key] == value
            else:
                assert float(line[key]) == value


def test_frames_hold_what_the_files_do(results: tuple[Any, Any, Path]) -> None:
    found, games, folder = results
    agree(games.arrow().to_pylist(), read(folder / "games.csv"))
    measures = lab.experiments.frame(found)
    agree(measures.arrow().to_pylist(), read(folder / "measures.csv"))
    schema = measures.arrow().schema
    assert schema.field("mean").metadata[b"description"] == b"The mean over these games, or the estimate."


def test_pandas_and_polars(results: tuple[Any, Any, Path]) -> None:
    pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    _, games, _ = results
    one, other = games.pandas(), games.polars()
    assert list(one.columns) == other.columns == [field.name for field in games.fields]
    assert len(one) == other.height == len(games) == 80
    assert one["seed"].tolist() == other["seed"].to_list()
    assert other.schema["status"] == polars.String
    assert one.groupby("arm").size().tolist() == [40, 40]


def test_games_that_were_played() -> None:
    game = rw.load("leduc-poker")
    played = game.playouts(30, seed=5)
    rows = lab.experiments.frame(played, game=game).arrow().to_pylist()
    assert [row["seed"] for row in rows] == list(range(5, 35))
    for row in rows[:5]:
        alone = game.playout(row["seed"])
        assert alone.result is not None
        assert row["ending"] == alone.result.rule
        assert row["decisions"] == alone.decisions
        assert [row[f"payoff {seat}"] for seat in game.seats] == [float(one) for one in alone.result.payoffs]
        assert [row[f"place {seat}"] for seat in game.seats] == list(alone.result.places)
    stopped = lab.experiments.frame(game.playouts(3, most=1), game=game).arrow().to_pylist()
    assert [(row["status"], row["ending"], row["place first"]) for row in stopped] == [("unfinished", None, None)] * 3


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda found: lab.experiments.frame(found, "curves"), "was not asked for"),
        (lambda found: lab.experiments.frame(found, "nosuch"), "none of its tables"),
        (lambda found: lab.experiments.frame(found.seed), "no table"),
        (lambda found: lab.experiments.frame(rw.load("tic-tac-toe").playouts(1)), "do not know their game"),
    ],
)
def test_what_is_no_table_is_told(results: tuple[Any, Any, Path], ask: Any, told: str) -> None:
    with pytest.raises(rw.RulesetError, match=told):
        ask(results[0])


# ------------------------------------------------------------------------------------------------------- notebooks


def picture(html: str) -> str:
    """The picture in what a notebook shows."""
    held = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', html)
    assert held is not None
    return base64.b64decode(held[1]).decode()


def test_games_and_states_show_themselves() -> None:
    pytest.importorskip("drawsvg")
    game = rw.load("connect-four")
    state: Any = game.start(1).choose(3)
    html = state._repr_html_()
    assert state._repr_svg_() == picture(html)
    assert picture(html) != picture(game.start(1)._repr_html_())  # type: ignore[operator]
    assert "is asked turn.column: 0, 1, 2, 3, 4, 5, 6" in html
    shown: Any = game
    assert picture(shown._repr_html_()) == shown._repr_svg_()
    assert "columns" in shown._repr_html_()
    while state.decision is not None:
        state = state.choose(0)
    assert f"Connect Four: {' and '.join(state.result.winners)} won" in state._repr_html_()


def test_states_without_a_picture_are_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Any:
        raise ModuleNotFoundError("No module named 'drawsvg'")

    monkeypatch.setattr("rulewright.play.pictures.drawing", missing)
    state: Any = rw.load("tic-tac-toe").start()
    assert state._repr_svg_() is None
    assert "<img" not in state._repr_html_()
    assert "is asked" in state._repr_html_()


def test_results_and_reports_show_themselves(results: tuple[Any, Any, Path]) -> None:
    game = rw.load("tic-tac-toe")
    result: Any = game.playout(3).result
    assert "<td>1</td>" in result._repr_html_()
    assert rw.load("tic-tac-toe").seats[0] in result._repr_html_()
    theory: Any = lab.game_theory(game)
    assert "<td>longest game decisions</td><td>9</td>" in theory._repr_html_()
    state = game.start()
    for key in ("(0, 0)", "(1, 1)", "(0, 1)", "(0, 2)"):
        state = state.choose(next(one for one in state.decision.options if one.key.endswith(key[1:])))  # type: ignore[union-attr]
    solved: Any = lab.solve(game, state)
    assert "<th>Best</th>" in solved._repr_html_()
    played: Any = game.playouts(50)
    assert "50 games from seed 0" in played._repr_html_()
    found, games, _ = results
    assert "<td>wide</td>" in found._repr_html_()
    assert games._repr_html_().count("<tr>") == 81
    assert "&lt;b&gt;" in lab.experiments.Frame(games.fields[2:3], [["<b>"]])._repr_html_()  # type: ignore[operator]
