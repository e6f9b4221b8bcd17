"""Messages when a game is asked for: numbers of players, variants, options; and what cannot be played yet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from language_helpers import load

import rulewright as rw

RULES = """
    game example
    players 2 to 4
    param goal = 10
    param who: {first_player, last_player} = first_player
    param open_hands = false
    param prices = [1, 2]
    param banned: set of 0..9 = {}
    param low: 0..5 = 1
    param sum_ = goal + low
    variant "Long" of example
        set goal = 20
    variant "Longer" of example
        set goal = 30
    variant "Dear" of example
        set prices = [5, 6, 7]
"""


def codes(folder: Path, **more: Any) -> list[str]:
    with pytest.raises(rw.RulesetError) as caught:
        load(folder, RULES, **more)
    return [d.code for d in caught.value.diagnostics]


def options(game: rw.Game) -> dict[str, str]:
    return dict(game.program.options)


def test_a_game_as_it_is(tmp_path: Path) -> None:
    game = load(tmp_path, RULES)
    assert game.players == 2
    assert options(game) == {
        "goal": "10",
        "who": "first_player",
        "open_hands": "false",
        "prices": "[1, 2]",
        "banned": "{}",
        "low": "1",
        "sum_": "11",
    }


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("goal", 12, "12"),
        ("goal", "12", "12"),
        ("goal", "low + 3", "4"),
        ("who", "last_player", "last_player"),
        ("open_hands", True, "true"),
        ("open_hands", "true", "true"),
        ("prices", "[4, 4, 4]", "[4, 4, 4]"),
        ("banned", "{3, 7}", "{3, 7}"),
        ("low", "5", "5"),
    ],
)
def test_options(name: str, value: rw.playing.OptionValue, shown: str, tmp_path: Path) -> None:
    assert options(load(tmp_path, RULES, options={name: value}))[name] == shown


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("gaol", 3),
        ("goal", True),
        ("goal", "first_player"),
        ("goal", "none"),
        ("goal", "{1, 2}"),
        ("goal", "3 +"),
        ("goal", ""),
        ("goal", "9999999999999"),
        ("goal", "2000000000 * 2000000000"),
        ("goal", "nothing()"),
        ("who", "nobody"),
        ("who", 3),
        ("open_hands", 1),
        ("low", 6),
        ("low", -1),
        ("banned", "{10}"),
        ("banned", "{0 .. 1000000000}"),
        ("prices", 3),
        ("prices", "[true]"),
        ("play", 3),
    ],
)
def test_wrong_options(name: str, value: rw.playing.OptionValue, tmp_path: Path) -> None:
    assert codes(tmp_path, options={name: value}) == ["VAR405"]


def test_players(tmp_path: Path) -> None:
    assert load(tmp_path, RULES, players=4).seats == ("player_1", "player_2", "player_3", "player_4")
    for wrong in (0, 1, 5, -1, 10**9):
        assert codes(tmp_path, players=wrong) == ["VAR406"]


def test_variants(tmp_path: Path) -> None:
    assert options(load(tmp_path, RULES, variants=["Long", "Dear"]))["goal"] == "20"
    assert options(load(tmp_path, RULES, variants=["Long"], options={"goal": 5}))["goal"] == "5"
    assert codes(tmp_path, variants=["Lang"]) == ["VAR407"]
    assert codes(tmp_path, variants=["Long", "Longer"]) == ["VAR402"]
    assert options(load(tmp_path, RULES, variants=["Long", "Long"]))["goal"] == "20"  # named twice, taken once
    assert codes(tmp_path, variants=["Lang"], players=9) == ["VAR407", "VAR406"]
