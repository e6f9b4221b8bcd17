"""``rulewright test`` begins each game: one that is over before anybody is asked is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run

RULES = """\
game camps
players 2 to 3
field men[Player]: 0.. = {men}
field gold[Player]: 0.. = 0
procedure play
    each p in players
        men[p] = 2
    repeat 3 times
        each p in players
            p chooses n from {{1 .. 2}}
            gold[p] += n
            men[p] -= 1
    finish ranking p in players by gold[p]
end {end}
    finish with winner players
"""


def write(folder: Path, end: str, men: int = 0) -> Path:
    text = json.dumps({"name": "camps", "title": "Camps", "about": "Few men.", "rules": ["game.rules"]})
    (folder / "ruleset.json").write_text(text, encoding="utf-8")
    (folder / "game.rules").write_text(RULES.format(end=end, men=men), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("end", "players"),
    [
        ("rout when some(p in players where men[p] is 0)", [2, 3]),  # while it is set up
        ("rich when every(p in players has gold[p] >= 0)", [2, 3]),  # from the beginning
        ("few when size(players) is 2 and every(p in players has gold[p] is 0)", [2]),
        ("rout when every(p in players has men[p] is 0)", []),
        ("rich when some(p in players where gold[p] > 3)", []),
    ],
)
def test_a_game_that_is_over_before_it_begins(tmp_path: Path, run: Run, end: str, players: list[int]) -> None:
    outcome = run("test", write(tmp_path, end), "--format", "json")
    [ruleset] = outcome.json["rulesets"]
    assert [one["title"] for one in ruleset["scenarios"]] == [f"a game of {n} players begins" for n in players]
    assert outcome.code == bool(players)
    for one in ruleset["scenarios"]:
        assert one["line"] == one["failure"]["line"] == 14
        assert f"`{end.split()[0]}`" in one["failure"]["message"]
    assert not run("test", tmp_path, "-k", "nothing", "--format", "json").json["rulesets"][0]["scenarios"]


def test_a_game_that_stops_before_anybody_is_asked(tmp_path: Path, run: Run) -> None:
    write(tmp_path, "rich when some(p in players where gold[p] > 3)")
    rules = (tmp_path / "game.rules").read_text(encoding="utf-8")
    (tmp_path / "game.rules").write_text(rules.replace("men[p] = 2", "men[p] -= 1"), encoding="utf-8")
    outcome = run("test", tmp_path)
    assert outcome.code == 1
    assert "RUN001" in outcome.out
    assert "a game of 3 players begins" in outcome.out


def test_variants_that_are_named_begin_a_game_too(tmp_path: Path, run: Run) -> None:
    write(tmp_path, "rich when some(p in players where gold[p] >= enough)")
    rules = (tmp_path / "game.rules").read_text(encoding="utf-8")
    rules += 'param enough = 4\nvariant "Inside" of camps\n    set enough = 0\n'
    (tmp_path / "game.rules").write_text(rules, encoding="utf-8")
    assert run("test", tmp_path).code == 0
    (tmp_path / "two.rules").write_text(
        'variant "None needed" of camps\n    set enough = 0\n\nvariant "Few" of camps\n    set enough = 2\n',
        encoding="utf-8",
    )
    titles = [f"a game of {n} players begins with {{}}" for n in (2, 3)]
    for words, title in (
        ((tmp_path, "--variant", "Inside"), "Inside"),
        ((tmp_path / "two.rules",), "None needed"),
        ((tmp_path, "--variant", tmp_path / "two.rules", "--variant", "None needed"), "None needed"),
    ):
        outcome = run("test", *words, "--format", "json")
        found = [one["title"] for ruleset in outcome.json["rulesets"] for one in ruleset["scenarios"]]
        assert found == [one.format(title) for one in titles]
        assert outcome.code == 1
