"""Games of people beside those of agents: read from the file of a studio, replayed, compared and exported."""

from __future__ import annotations

import csv
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from typer.testing import CliRunner

import rulewright as rw
import rulewright_lab as lab
from rulewright_lab.experiments.statistics.column_statistics import SeveralStatistics
from rulewright_lab.experiments.statistics.paired_differences import independent_difference
from rulewright_tools.app import app
from rulewright_tools.people_games import kept_games

pytest.importorskip("scipy")

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "schemas" / "experiment-report.schema.json").read_text("utf-8"))
sys.path.append(str(ROOT / "tests" / "studio"))
WON = ("(0, 0)", "(1, 0)", "(0, 1)", "(1, 1)", "(0, 2)")
COIN = """
game coin
players 2
procedure play
    chance chooses side from {0 .. 1}
    finish with winner first(players)
"""


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a game that was won, with a refusal and an answer that was taken back; one that is not over, and one
    of another ruleset."""
    from studio_page import Page

    from rulewright_tools.studio.host import Catalogue, Games, Host
    from rulewright_tools.studio.server.game_file import GameFile

    path = tmp_path_factory.mktemp("people") / "evening.sqlite3"
    kept, catalogue = GameFile(path), Catalogue.of([])
    page = Page(Host(catalogue, Games(catalogue, kept)))

    def begin(ruleset: str) -> None:
        page.ask("game/start", ruleset=ruleset, seats=["person", "person"], seed=5)
        page.ask("table/settle", questions=["Too long?", "Again?"])

    def give(key: str) -> None:
        page.ask("game/answer", at=page.shown["at"], key=key)

    begin("tic-tac-toe")
    give(WON[0])
    give("(2, 2)")
    page.ask("table/takeBack", at=1)
    assert not page.ask("game/whyNot", key=WON[0])["allowed"]
    for key in WON[1:]:
        give(key)
    page.ask("table/feedback", answers=[1, 1], text="")
    page.ask("table/feedback", answers=[2, 0], text="Quick.")
    begin("tic-tac-toe")
    give(WON[0])
    begin("breakthrough")
    kept.close()
    return path


def asked(*words: str | Path) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["experiment", *map(str, words)])
    return done.exit_code, done.stdout, done.stderr


def report(*words: str | Path) -> Any:
    code, out, err = asked(*words, "--format", "json")
    assert code == 0, err
    found = json.loads(out)
    jsonschema.validate(found, SCHEMA)
    return found


def test_people_are_an_arm_and_more(evening: Path) -> None:
    words = ("tic-tac-toe", "--games", "50", "--people", evening, "--agent", "mcts:10")
    found = report(*words)
    assert [arm["games"] for arm in found["arms"]] == [50, 1]
    assert found["arms"][1]["seats"] == ["people", "people"]
    assert found["arms"][1]["endings"] == [{"rule": "three_in_a_row", "games": 1}]
    (decisions,) = [one for one in found["measures"] if one["measure"] == "decisions"]
    assert decisions["arms"][1]["mean"] == len(WON)
    (people,) = found["people"]["arms"]
    assert people["arm"] == 1
    assert (people["games"][0]["answers"], people["games"][0]["other_rules"]) == (len(WON), False)
    (refused,) = people["refused"]
    assert (refused["answers"], refused["why"], refused["times"]) == ([WON[0]], "taken", 1)
    assert people["undone"] == [{"question": "turn.cell", "undone": 1, "answers": len(WON) + 1}]
    assert people["taken_back"] == 1
    (thinking,) = people["thinking"]
    assert thinking["answers"] == len(WON)
    (agreement,) = people["agreement"]
    assert agreement["positions"] == len(WON)
    assert agreement["random"] == pytest.approx(sum(1 / size for size in (9, 8, 7, 6, 5)) / 5, rel=1e-5)
    assert people["feedback"] == [{"question": "Too long?", "people": 1, "mean": 2, "counts": [0, 1, 0, 0, 0]}]
    assert [one["text"] for one in people["words"]] == ["Quick."]
    left = {one["game"]: one["why"] for one in found["people"]["left_out"]}
    assert left == {"tic-tac-toe-2": "it is not over", "breakthrough-1": "it is a game of `breakthrough`"}
    assert report(*words) == found


def test_text_and_tables(evening: Path, tmp_path: Path) -> None:
    folder, page = tmp_path / "tables", tmp_path / "page.html"
    code, out, err = asked("tic-tac-toe", "--games", "9", "--people", evening, "--output", folder, "--output", page)
    assert code == 0, err
    assert "B  1 game with 5 answers of people" in out
    assert "1 time  Where does a player put a mark?  (0, 0): taken" in out
    assert "tic-tac-toe-2: it is not over" in out
    assert "tic-tac-toe, people" in page.read_text("utf-8")
    tables = {
        name: list(csv.DictReader((folder / f"{name}.csv").read_text("utf-8").splitlines()))
        for name in ("games", "choices", "feedback")
    }
    assert [(row["arm"], row["seed"]) for row in tables["games"]][-1] == ("1", "5")
    assert [row["became"] for row in tables["choices"]] == ["given"] * 5 + ["undone", "refused"]
    assert [(row["question"], row["answer"], row["words"]) for row in tables["feedback"]] == [
        ("Too long?", "2", ""),
        ("", "", "Quick."),
    ]
    package = json.loads((folder / "datapackage.json").read_text("utf-8"))
    assert {"choices", "feedback"} <= {one["name"] for one in package["resources"]}


def test_games_that_rules_no_longer_take_are_left_out(evening: Path, tmp_path: Path) -> None:
    """Rules that refuse an answer, or go on where the game was over, leave it out; others are told from those of the
    time."""
    source = Path(rw.open_ruleset("tic-tac-toe").folder)
    kept = kept_games(evening)

    game = rw.load("tic-tac-toe")
    (found,), _ = lab.playtests.games_of([game], kept)
    assert [one.has_changed for one in found] == [False]
    assert [one.state.decision.who for one in found[0].positions if one.state.decision] == ["x", "o", "x", "o", "x"]
    lacking = json.loads(json.dumps(kept[0].saved))
    lacking["save"]["log"] = lacking["save"]["log"][:-1]
    twice = json.loads(json.dumps(kept[0].saved))
    twice["save"]["log"][1]["key"] = WON[0]
    scene = {**kept[0].saved, "opened": {"text": "", "until": None}}
    others = [lab.playtests.KeptGame(name, one, ()) for name, one in
              (("lacking", lacking), ("twice", twice), ("scene", scene))]  # fmt: skip
    _, left = lab.playtests.games_of([game], others)
    assert [one.why for one in left] == [
        "with the rules as they are now it is not over where it was",
        "answer 2, `(0, 0)` of o, is not possible with the rules as they are now",
        "it begins with a scenario",
    ]
    folder = tmp_path / "tic-tac-toe"
    shutil.copytree(source, folder)
    rules = folder / "game.rules"
    rules.write_text(rules.read_text("utf-8").replace("finish with winner p", "finish with a draw"), "utf-8")
    (found,), _ = lab.playtests.games_of([rw.load(str(folder))], kept)
    assert [one.has_changed for one in found] == [True]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("tic-tac-toe", "--people", "nothing.sqlite3"), "there is no file nothing.sqlite3"),
        (("tic-tac-toe", "--people", __file__), "cannot be read as a file of games"),
        (("tic-tac-toe", "--agent", "random"), "--agent belongs to --people"),
        (("connect-four", "--people", "EVENING"), "it is a game of `tic_tac_toe`"),
        (("breakthrough", "--people", "EVENING"), "it is not over"),
        (("breakthrough", "--over", "size=4..5", "--people", "EVENING"), "not for this question"),
        (("tic-tac-toe", "--people", "EVENING", "--agent", "mcts"), ""),
    ],
)
def test_mistakes(words: tuple[str, ...], why: str, evening: Path) -> None:
    code, _, err = asked(*(str(evening) if word == "EVENING" else word for word in words), "--games", "1")
    assert (code, why in err) == (2, True), err


def test_few_games_that_are_alike_prove_nothing() -> None:
    """Two equal games show no spread, but that is no certainty; many that differ from many are told apart."""
    import numpy as np

    def of(*values: float) -> Any:
        statistics = SeveralStatistics(("x",))
        statistics.add(np.array([values]))
        return statistics.each()["x"]

    many = of(*[0.0, 1.0, 2.0, 3.0] * 25)
    few = independent_difference(many, of(3.0, 3.0))
    assert few.chance > 0.05
    assert few.low < 0 < few.high
    assert independent_difference(many, of(*[4.0, 5.0] * 20)).chance < 1e-6
    share = independent_difference(of(*[0.0, 1.0] * 20), of(*[1.0] * 5), share=True)
    assert share.low < 0.5 < share.high
    assert 0.04 < share.chance < 0.07


def test_tables_begin_with_the_questions_of_the_manifest(tmp_path: Path) -> None:
    from studio_page import Page

    from rulewright_tools.studio.host import Catalogue, Games, Host, MemoryStore

    folder = tmp_path / "coin"
    folder.mkdir()
    manifest = {"name": "coin", "title": "Coin", "rules": ["coin.rules"], "feedback": ["Too long?"]}
    (folder / "ruleset.json").write_text(json.dumps(manifest), "utf-8")
    (folder / "coin.rules").write_text(COIN, "utf-8")
    catalogue = Catalogue.of([folder])
    games = Games(catalogue, MemoryStore())
    page = Page(Host(catalogue, games))
    page.ask("game/start", ruleset="coin", seats=["person", "person"])
    assert games.opened(page.shown["game"]).table.questions == ("Too long?",)
    wrong = {**manifest, "feedback": ["Why?"] * 13}
    (folder / "ruleset.json").write_text(json.dumps(wrong), "utf-8")
    with pytest.raises(rw.RulesetError):
        rw.open_ruleset(str(folder))
