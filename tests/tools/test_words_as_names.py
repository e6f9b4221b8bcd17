"""Seats, pieces, values, parameters and rulesets of any name: rules that are written can be read, by `new`, as
scenarios of games that were played, as variants that were found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulewright as rw
from rulewright.compiler.symbols.static_types import BUILTINS, STATEMENTS
from rulewright.ir.scenario_plan import WORDS
from rulewright.syntax import keywords
from sampling import sample

from .conftest import RULESETS, Run

NAMES = sorted({*keywords(), *BUILTINS, *STATEMENTS, *WORDS, "out", "seen", "hidden", "nobody"})
MORE = ["stays", "put", "die", "set", "score", "turn"]
"""Names that the rules below declare themselves."""
RULES = """\
game words
players 2 to 3
param set = 2
param step: {add, draw} = add
param merged: Scenario = "first"
enum Scenario from "kinds.json"
    worth: 0..9
enum Move: put, die
piece Card from "kinds.json"
    name: Text
    worth: 0..9
    named "{name}"
    begins in open
place Spot
edge Way
map Board: graph from "map.json" of Spot, edges Way
zone open: stack of Card, seen by {}
zone remove[Player]: set of Card, seen by everyone
zone put[Spot]: set of Card, seen by everyone
field score[Player]: 0..90 = 0
field flip: Scenario or none = none, seen by everyone
field option: Move = put
field given: Spot or none = none

procedure play
    shuffle open
    each p in players
        draw 1 from open to remove[p]
    repeat set times
        each p in players
            turn(p)
    finish ranking p in players by score[p]

procedure turn(p: Player)
    p chooses variant from Scenario
    flip = variant
    p chooses either as game
        option stays
        option add: score[p] += 1
    if size(remove[p]) > 0
        p chooses area from Spot
        given = area
        p may choose phase from remove[p]
        if phase is not none
            move phase to put[area]
            score[p] += phase.worth
    p chooses effect from Move
    option = effect
"""
KINDS = [{"name": name, "worth": number} for number, name in enumerate(("first", "then", "move", "two words", "3"))]
PLACES = [{"name": name} for name in ("first", "after", "set")]
WAYS = [{"between": ["first", "after"]}, {"between": ["after", "set"]}]


def written(folder: Path, name: str, seats: tuple[str, ...]) -> Path:
    """A ruleset in which nearly everything is called by a word of the language."""
    folder.mkdir(exist_ok=True)
    manifest = {"name": name, "title": "Then", "rules": ["game.rules"], "seats": {str(len(seats)): seats}}
    for file, data in {
        "ruleset.json": manifest,
        "kinds.json": {"rows": KINDS},
        "map.json": {"shape": "graph", "places": PLACES, "edges": WAYS},
    }.items():
        (folder / file).write_text(json.dumps(data))
    (folder / "game.rules").write_text(RULES)
    return folder


def test_games_that_were_played_as_scenarios(tmp_path: Path) -> None:
    """Each seat has been called by each word once; `record` runs what it has written."""
    names = [*NAMES, *MORE]
    step = sample(12, 1)
    for number in range(0, len(names), step):
        seats = names[number], names[number - 1]
        game = rw.load(written(tmp_path / "words", "words", seats), 2, options={"merged": "then", "step": "draw"})
        state = game.start(seed=number)
        for answer in game.playout(number, keep=True).answers:
            state = state.choose(answer)
        for begin in (0, 9):
            found = rw.scenarios.record(game.ruleset, state, begin, {"merged": "then", "step": "draw"})
            text = found.text("then", range(99))
            assert rw.format_text(text) == text, seats


SOME = pytest.mark.parametrize("word", [w.replace("_", "-") for w in NAMES if w.islower()][:: sample(16, 1)])


@SOME
def test_rulesets_to_begin_with(word: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", word).code == 0
    assert run("check", word).code == 0
    assert run("new", "edition", f"more-{word}", "--of", word).code == 0
    assert run("test", f"more-{word}").code == 0


@SOME
def test_variants_to_begin_with(word: str, run: Run, tmp_path: Path) -> None:
    folder, file = written(tmp_path / "words", word, (word.replace("-", "_"), "other")), tmp_path / f"{word}.rules"
    assert run("new", "variant", file, "--of", folder).code == 0
    assert run("test", file).out == f"{word}: 1 scenario, all passed\n"


@pytest.mark.parametrize("base", sorted(path.name for path in RULESETS.iterdir()))
def test_a_variant_of_each_shipped_ruleset(base: str, run: Run, tmp_path: Path) -> None:
    file = tmp_path / "quick.rules"
    assert run("new", "variant", file, "--of", base).code == 0
    assert rw.format_text(file.read_text()) == file.read_text()
    assert run("test", file).code == 0


def test_titles_of_others(run: Run, tmp_path: Path) -> None:
    """A ruleset without parameters, whose title is all that can be said of it."""
    base, file = tmp_path / "base", tmp_path / "quick.rules"
    base.mkdir()
    manifest = {"name": "base", "title": 'Say "then {p}" twice', "rules": ["game.rules"]}
    (base / "ruleset.json").write_text(json.dumps(manifest))
    (base / "game.rules").write_text("game base\nplayers 2\n\nprocedure play\n    finish with a draw\n")
    assert run("new", "variant", file, "--of", base).code == 0
    assert run("check", file).code == 0
    assert run("new", "edition", tmp_path / "edition", "--of", base).code == 0
    assert run("check", tmp_path / "edition").code == 0
