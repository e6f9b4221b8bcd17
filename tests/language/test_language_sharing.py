"""Units that games share are lowered once: the programs are those that each game would have had by itself."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

import rulewright as rw
from rulewright.compiler import compile_program, player_counts, sources
from rulewright.compiler.lowering import sharing
from rulewright.ir import model as m
from sampling import sample

RULES = """\
game many
players 2 to 3
enum Way: slow, fast
param least = 2
param most = 5
param way: Way = slow
field gold[Player]: Int = 0
field round_no: Int = 0
query rich(p: Player) -> Bool = gold[p] > most
query poor(p: Player) -> Bool = not rich(p) and gold[p] < least
query plain(n: Int) -> Int = n + 1
value pay(p: Player) -> Int = 1
    bonus: + most when poor(p)
limits spending(p: Player, n: Int)
    forbid much: n > most
    forbid broke: poor(p)
effect earn(p: Player)
    gold[p] += pay(p)
procedure spend(p: Player)
    p chooses n from {1 .. 9}
        obey spending(p, n)
    gold[p] -= n
procedure turn(p: Player)
    earn(p)
    if possible(spend(p)) then spend(p)
    if way is fast then earn(p)
procedure play
    repeat 9 times
        round_no += plain(0)
        each p in players
            turn(p)
    finish with winner players
consequence debts for p in players when gold[p] < 0
    gold[p] = 0
end wealth for p in players when gold[p] > most * 2, after turn
    finish with winner p
reaction tax before earn(p) where gold[p] > most
    gold[p] -= 1
variant "short" of many
    set most = 3
    replace query poor(p: Player) -> Bool = gold[p] is 0
variant "open" of many
    remove wealth
    add param goal = 4
    add end goal_met for p in players when gold[p] >= goal, after turn
        finish with winner p
    in spending
        forbid little: n < least
variant "hard" of many
    replace value pay(p: Player) -> Int = least if rich(p) else 0
"""

GAMES: list[tuple[int, tuple[str, ...], dict[str, rw.playing.OptionValue]]] = [
    (count, titles, options)
    for count in (2, 3)
    for size in range(3)
    for titles in permutations(("short", "open", "hard"), size)
    for options in ({}, {"most": 7}, {"least": 1}, {"way": "fast"}, {"most": 7, "way": "fast"})
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("many")
    (made / "ruleset.json").write_text('{"name": "many", "title": "Many", "rules": ["game.rules"]}', encoding="utf-8")
    (made / "game.rules").write_text(RULES, encoding="utf-8")
    return made


def program(
    source: object, count: int, titles: tuple[str, ...], options: dict[str, rw.playing.OptionValue]
) -> tuple[m.Program | None, list[rw.Diagnostic]]:
    return compile_program(source, count, titles, options)  # type: ignore[arg-type]


@pytest.mark.parametrize("backwards", [False, True])
def test_a_shared_program_is_that_of_the_game_alone(
    folder: Path, backwards: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[str] = []
    real = sharing.Sharing._known

    def known(self: sharing.Sharing, key: str, names: tuple[str, ...]) -> sharing.Unit | None:
        unit = real(self, key, names)
        if unit is not None:
            taken.append(key)
        return unit

    monkeypatch.setattr(sharing.Sharing, "_known", known)
    ruleset = rw.open_ruleset(folder)
    shared = sources(ruleset)
    for game in GAMES[::-1] if backwards else GAMES:
        made, found = program(shared, *game)
        taken_before = len(taken)
        alone, alone_found = program(sources(ruleset), *game)
        assert len(taken) == taken_before, "a game alone shares nothing"
        assert found == alone_found
        assert made is not None, found
        assert made == alone, game
    assert {"query plain", "query poor", "function turn", "function earn", "reaction tax", "end wealth"} <= set(taken)
    assert {"field gold", "pieces begin"} <= set(taken)


def test_what_reads_a_parameter_is_lowered_anew(folder: Path) -> None:
    shared = sources(rw.open_ruleset(folder))
    few, _ = program(shared, 2, (), {"most": 3})
    many, _ = program(shared, 2, (), {"most": 8})
    assert few is not None
    assert many is not None
    differ = {f.name for f, g in zip(few.functions, many.functions, strict=True) if f.code != g.code}
    differ |= {q.name for q, r in zip(few.queries, many.queries, strict=True) if q.body != r.body}
    assert {"rich", "pay", "spend", "possible spend", "turn"} <= differ
    assert not {"plain", "play"} & differ


def written(folder: Path, text: str) -> Path:
    """A ruleset of these rules."""
    (folder / "ruleset.json").write_text('{"name": "many", "title": "Many", "rules": ["game.rules"]}', "utf-8")
    (folder / "game.rules").write_text(text, encoding="utf-8")
    return folder


def test_mistakes_are_told_of_each_game(tmp_path: Path) -> None:
    text = RULES.replace("= n + 1", "= n + golt") + 'variant "other" of many\n    set least = 1\n'
    shared = sources(rw.open_ruleset(written(tmp_path, text)))
    for titles in ((), ("other",), ("short",)):
        made, found = program(shared, 2, titles, {})
        assert made is None
        assert [d.code for d in found] == ["REF001"]


WORDS = [match.span() for match in re.finditer(r"(?<= )[a-z_]{3,}\b", RULES)]


@pytest.mark.parametrize("number", range(sample(15, len(WORDS))))
def test_mistakes_are_those_of_the_game_alone(tmp_path: Path, number: int) -> None:
    """A word is misspelt somewhere, and variants add words that are like it."""
    begin, end = Random(7).sample(WORDS, len(WORDS))[number]
    word = RULES[begin:end]
    text = f"{RULES[:end]}xx{RULES[end:]}"
    text += f'variant "like" of many\n    add param {word}x = 1\n'
    text += f'variant "liker" of many\n    add query {word}x -> Int = 1\n'
    ruleset = rw.open_ruleset(written(tmp_path, text))
    shared = sources(ruleset)
    if shared.findings or ruleset.diagnostics:
        return  # no game is made of these
    games = [(count, titles) for count in (2, 3) for titles in ((), *((title,) for title in shared.variants))]
    for count, titles in (*games, *games[::-1]):
        assert program(shared, count, titles, {}) == program(sources(ruleset), count, titles, {})


def test_shipped_games_are_those_that_each_would_have_been_alone() -> None:
    folder = next(f for f in rw.shipped_rulesets() if f.name == "carolus-magnus")
    ruleset = rw.open_ruleset(folder)
    shared = sources(ruleset)
    for title in [None, *shared.variants]:
        titles = (title,) if title else ()
        for count in player_counts(shared.rules)[:2]:
            assert program(shared, count, titles, {}) == program(sources(ruleset), count, titles, {})


SYMBOLS = """\
game sized
players 2
param side = 3
param most = 2
param way: {slow, fast} = slow
enum Colour: red, blue
place Cell
map Board: grid side by side of Cell
piece Token from "tokens.json"
    worth: Int
zone on[Cell]: set of Token at most most, seen by everyone
zone bag: set of Token, seen by everyone
field tempo: {slow, fast} = slow
query corner -> Cell = (side - 1, side - 1)
query full(c: Cell) -> Bool = size(on[c]) >= most
procedure play
    tempo = way
    repeat 2 times
        each p in players
            p chooses c from Cell
                forbid crowded: full(c)
            move 1 of bag to on[c]
    finish with winner p where p is first(players)
variant "small" of sized
    set side = 2
variant "crowd" of sized
    replace query full(c: Cell) -> Bool = size(on[c]) > 0
variant "typed" of sized
    replace query corner -> Cell = (0, 0)
    add enum Mood: glad, sad
    add param mood: Mood = glad
"""


def test_symbols_are_those_of_the_game_alone(tmp_path: Path) -> None:
    manifest = '{"name": "sized", "title": "Sized", "rules": ["game.rules"]}'
    (tmp_path / "ruleset.json").write_text(manifest, encoding="utf-8")
    (tmp_path / "game.rules").write_text(SYMBOLS, encoding="utf-8")
    (tmp_path / "tokens.json").write_text('{"rows": [{"worth": 1, "count": 9}]}', encoding="utf-8")
    ruleset = rw.open_ruleset(tmp_path)
    shared = sources(ruleset)
    places = set()
    for titles in ((), ("small",), ("crowd",), ("typed",), ("small", "typed"), ("crowd",), ()):
        for options in ({}, {"side": 4}, {"most": 1}, {"way": "fast"}):
            made, found = program(shared, 2, titles, options)  # type: ignore[arg-type]
            assert made is not None, found
            assert (made, found) == program(sources(ruleset), 2, titles, options)  # type: ignore[arg-type]
            places.add(len(made.graphs[0].neighbours))
    assert places == {4, 9, 16}


def test_whether_a_game_has_an_end_concerns_all_its_repetitions(tmp_path: Path) -> None:
    """Without an end nothing stops a repetition in which nobody is asked."""
    text = """\
game short
players 2
field at: Int = 0
procedure play
    repeat
        at += 1
end far for p in players when at > 9
    finish with winner p
variant "endless" of short
    remove far
"""
    (tmp_path / "ruleset.json").write_text(
        '{"name": "short", "title": "Short", "rules": ["game.rules"]}', encoding="utf-8"
    )
    (tmp_path / "game.rules").write_text(text, encoding="utf-8")
    shared = sources(rw.open_ruleset(tmp_path))
    assert program(shared, 2, (), {})[0] is not None
    assert [d.code for d in program(shared, 2, ("endless",), {})[1]] == ["CTL113"]
