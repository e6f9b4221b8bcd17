"""Invariants and properties asked by machine code: what does not hold is told as the Python backend tells it."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from shipped_programs import shipped_game

import rulewright as rw
from rulewright.engine import Playout
from rulewright.engine.native.backend import Backend
from rulewright.host.budgets import TOTAL, scope
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from sampling import sample, thorough

RULES = """game small
players 2

field n: 0..99 = 0
field last[Player]: 0..9 = 0
field order: list of Player

procedure play
    repeat until n >= 8
        each p in players
            turn(p)
    over()

procedure turn(p: Player)
    p chooses k from {0 .. 3}
    order = clockwise from p
    take(p, k)

procedure take(p: Player, k: Int)
    last[p] = k
    n += k
    if k is 3
        take(p, 1)

query total -> Int = sum(last[p] for p in everyone)
query most(p: Player) -> Int = max({last[p], total() - last[p]})

procedure over
    finish with winner everyone
"""
ASSERTIONS = {
    "an invariant": "invariant one: total() < 4",
    "an invariant of members": "invariant one for p in everyone: last[p] < 2 or n < 8",
    "an invariant of a list": "invariant one for p in order: last[p] < 2 or n < 9",
    "an invariant that is an error": "invariant one: 12 / (9 - n) rounded down < 99",
    "a property of each rest": "property one always: total() >= old(total()) - 1",
    "a property of a turn": "property one after each turn: n - old(n) <= 3",
    "a property of nested blocks": "property one after each take for p in everyone: n <= old(n) + last[p] + 3",
    "two conditions on members that did not both hold": (
        "property one after each turn: count(q in everyone where not old(last[q] is 0 and last[q] is 1)) < 2 or n < 9"
    ),
    "queries of both states": "property one after each turn: every(p in everyone has most(p) < old(most(p)) + 2)",
}


def small(folder: Path, assertion: str) -> Path:
    """A ruleset with one assertion."""
    folder.mkdir(exist_ok=True)
    (folder / "ruleset.json").write_text('{"name": "small", "title": "Small", "rules": ["game.rules"]}', "utf-8")
    (folder / "game.rules").write_text(f"{RULES}\n{assertion}\n", "utf-8")
    return folder


def outcome(game: rw.Game, seed: int) -> object:
    try:
        played = game.playout(seed, check=True)
    except rw.RulesetError as error:
        return str(error)
    return played.broken, played.decisions, played.rule


@pytest.mark.parametrize("what", ASSERTIONS)
def test_what_is_broken_is_told_alike(tmp_path: Path, what: str) -> None:
    folder = small(tmp_path / "small", ASSERTIONS[what])
    native, python = (rw.load(folder, engine=engine) for engine in ("native", "python"))
    found = [outcome(python, seed) for seed in range(40)]
    assert [outcome(native, seed) for seed in range(40)] == found
    assert 2 <= sum(isinstance(one, str) or bool(one[0]) for one in found) <= 38, "some of the games, but not all"  # type: ignore[index]


def rebuilt(e: Any, part: object, other: object) -> Any:
    """An expression in which a part is another one."""
    if e is part:
        return other
    if isinstance(e, tuple):
        return tuple(rebuilt(one, part, other) for one in e)
    if not is_dataclass(e) or isinstance(e, type):
        return e
    return replace(e, **{f.name: rebuilt(getattr(e, f.name), part, other) for f in fields(e)})


def mutant(e: m.Expr, r: Random) -> m.Expr:
    """The condition of an assertion, changed in one place."""
    found: list[tuple[m.Expr, m.Expr]] = []
    for node in nodes(e):
        if isinstance(node, m.Cmp):
            found += [(node, replace(node, op=op)) for op in ("lt", "le", "gt", "ge", "eq", "ne") if op != node.op]
        elif isinstance(node, m.And | m.Or):
            found.append((node, (m.Or if isinstance(node, m.And) else m.And)(node.items)))
        elif isinstance(node, m.Contains | m.SetEq):
            found.append((node, m.Not(node)))
        elif isinstance(node, m.Not):
            found.append((node, node.operand))
        elif isinstance(node, m.Old):
            found.append((node, node.of))
    return rebuilt(e, *r.choice(found)) if found else m.Not(e)  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("name", "players", "some"), [("carolus-magnus", 3, sample(4, 8)), ("domaine", 2, sample(2, 4))]
)
def test_machine_code_stops_where_something_is_broken(name: str, players: int, some: int) -> None:
    """Assertions of shipped rules, each changed a little: just the games are handed over in which they do not hold."""
    game, r = shipped_game(name, players), Random(11)
    ends: Counter[bool] = Counter()
    asserted = [one for one in game.program.assertions if one.word != "witness"]
    for assertion in r.sample(asserted, some):
        changed = replace(assertion, condition=mutant(assertion.condition, r))
        program = replace(game.program, assertions=(changed,))
        backend, python = Backend(program, check=True), Playout(program, check=True)
        for seed in range(sample(2, 3)):
            broken = bool(python.play(seed).broken)
            assert (backend.play(seed, 10**5, scope().steps, TOTAL, None) is None) == broken, (changed.name, seed)
            ends[broken] += 1
    assert min(ends[True], ends[False]) >= 1, ends


@pytest.mark.parametrize(("name", "players"), [("domaine", 4), pytest.param("loewenherz", 2, marks=thorough)])
def test_games_in_which_all_holds_are_not_handed_over(name: str, players: int) -> None:
    program = shipped_game(name, players).program
    backend = Backend(program, check=True)
    games = 30
    assert len(backend.play_rows(5, games, 10**5, scope().steps, TOTAL)) == games * backend.width


def test_many_games_tell_what_was_broken(tmp_path: Path) -> None:
    folder = small(tmp_path / "small", ASSERTIONS["an invariant"])
    native, python = (rw.load(folder, engine=engine) for engine in ("native", "python"))
    found = native.playouts(50, check=True)
    assert found == python.playouts(50, check=True)
    assert set(found.broken.values()) == {("one",)}
    assert list(found.broken) == [seed for seed in range(50) if python.playout(seed, check=True).broken]
    assert not native.playouts(50).broken
