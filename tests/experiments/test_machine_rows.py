"""Games that machine code measures are those that the Python engine plays, in every column."""

from __future__ import annotations

from dataclasses import fields
from itertools import product
from pathlib import Path
from typing import get_args

import pytest
from test_experiments import FAULTY

import rulewright as rw
import rulewright_lab as lab
from rulewright.engine.policies.playout import Playout
from rulewright_lab.experiments.columns.game_columns import FAILED, GameColumns
from rulewright_lab.experiments.playing.extra_columns import ExtraColumns
from rulewright_lab.experiments.playing.game_player import GamePlayer

np = pytest.importorskip("numpy")
pytest.importorskip("scipy")
pytest.importorskip("wasmtime")


def equal(one: GameColumns, other: GameColumns) -> None:
    for field in fields(GameColumns):
        if field.name in ("answers_to", "failures", "courses", "seeds"):
            continue
        mine, theirs = getattr(one, field.name), getattr(other, field.name)
        assert mine.shape == theirs.shape, field.name
        assert (mine == theirs).all(), field.name
    assert one.answers_to.keys() == other.answers_to.keys()
    for query, answers in one.answers_to.items():
        assert (answers == other.answers_to[query]).all(), query
    assert (one.seeds, one.failures) == (other.seeds, other.failures)


def played(text: str, seeds: range, most: int) -> GameColumns:
    """The games of machine code, after they were found to be those of the Python engine."""
    players = []
    for engine in get_args(rw.playing.EngineName)[1:]:
        (arm,) = lab.experiments.read_arms((text,), engine=engine)
        players.append(GamePlayer(arm, most=most))
    native, python = (player.games(seeds) for player in players)
    equal(native, python)
    assert players[0].play(seeds).to_bytes() == players[1].play(seeds).to_bytes()
    return native


SMALL = ["baron", "breakthrough", "connect-four", "domaine", "kuhn-poker", "leduc-poker", "loewenherz", "tic-tac-toe"]


@pytest.mark.parametrize(("text", "most"), [*product(SMALL, [20_000]), ("baron", 40), ("connect-four", 25)])
def test_columns_are_those_of_the_python_engine(text: str, most: int) -> None:
    played(text, range(40, 48), most)


@pytest.mark.long
@pytest.mark.parametrize("text", ["carolus-magnus", "carolus-magnus:4", "kings-and-things"])
def test_large_games(text: str) -> None:
    played(text, range(3), 20_000)


def test_all_decisions_are_counted() -> None:
    seen = played("kuhn-poker", range(300), 20_000)
    assert (seen.options >= seen.decisions).all()


def test_games_that_fail_are_told_by_the_python_engine(tmp_path: Path) -> None:
    (tmp_path / "ruleset.json").write_text('{"name": "faulty", "title": "Faulty", "rules": ["game.rules"]}', "utf-8")
    (tmp_path / "game.rules").write_text(FAULTY, "utf-8")
    found = played(f"{tmp_path}:divisor=0", range(60), 20_000)
    assert 10 < len(found.failures) < 50
    assert [seed for seed, status in zip(found.seeds, found.status, strict=True) if status == FAILED] == [
        *found.failures
    ]


def test_nobody_looks_at_games_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless something is asked for that needs it: that would take longer than the games."""
    (arm,) = lab.experiments.read_arms(("connect-four",), engine="native")
    player = GamePlayer(arm)
    monkeypatch.setattr(GamePlayer, "_facts", None)
    monkeypatch.setattr(ExtraColumns, "_of_game", None)
    assert len(player.play(range(500))) == 500


def test_more_games_than_are_played_at_once() -> None:
    (arm,) = lab.experiments.read_arms(("tic-tac-toe",))
    player = GamePlayer(arm)
    whole = player.play(range(20_000))
    assert len(whole) == 20_000
    parts = [player.play(range(begin, begin + 5_000)) for begin in range(0, 20_000, 5_000)]
    for name in whole.packed:
        joined = np.concatenate([part.column(name) for part in parts])
        assert np.array_equal(whole.column(name), joined, equal_nan=True)


def test_games_of_agents_are_counted_by_machine_code_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Machine code plays whole games, where nothing is hidden, for seats that look ahead."""
    query = "central(p: Player) -> Int = count(c in Cell where disc[c] is p and c.column is 3)"
    (tmp_path / "rated.rules").write_text(f'variant "Rated" of connect_four\n    add query {query}\n', "utf-8")
    (arm,) = lab.experiments.read_arms(
        (f"connect-four:{tmp_path / 'rated.rules'}",), seats=("greedy:central", "random")
    )
    kept = [arm.game.playout(number, keep=True, policies=arm.agents) for number in range(30)]
    monkeypatch.setattr(Playout, "_play", None)
    found = GamePlayer(arm).games(range(30))
    for number, played in enumerate(kept):
        assert (found.options[number], found.forced[number]) == (sum(played.sizes), played.sizes.count(1))
        assert found.decisions[number] == played.decisions
