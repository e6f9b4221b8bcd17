"""Knowledge of players: it agrees with what is declared, and with every world that they can imagine.

The lines ``seen`` and ``hidden`` themselves are tried in ``tests/language/cases/seeing.cases``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest
from shipped_games import game
from test_hidden_information import HONEST, ruleset, states

import rulewright as rw
from rulewright.engine import Knowledge, knowledge
from rulewright.engine.runtime.query_calls import readable
from rulewright.engine.states import epistemic
from rulewright.ir import model as m
from rulewright.ir.model import Ty
from sampling import sample

SEEDS = range(100, 100 + sample(15, 30))


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> rw.Game:
    return rw.load(ruleset(tmp_path_factory.mktemp("honest"), HONEST), 3)


def known(state: rw.State, player: int, value: m.Expr, ty: Ty) -> Knowledge:
    return knowledge(state, player, value, ty)


def asked(program: m.Program) -> Iterator[tuple[m.Expr, Ty]]:
    """Each query without parameters, or of a player; of each field and zone of players those of each."""
    for query in program.queries:
        if not query.params:
            yield m.CallQuery(query.name, ()), query.ty
        elif len(query.params) == 1 and query.params[0].ty.universe == "Player" and query.params[0].ty.kind == "entity":
            yield from ((m.CallQuery(query.name, (m.Const(p),)), query.ty) for p in range(program.players))
    for zone in program.zones:
        if zone.index in ((), ("Player",)):
            for keys in [()] if not zone.index else [(m.Const(p),) for p in range(program.players)]:
                yield m.ZoneGet(zone.name, keys), Ty("set", "Piece")
                yield m.Size(m.ZoneGet(zone.name, keys)), m.INT
    for field in program.fields:
        if field.index in ((), ("Player",)):
            for keys in [()] if not field.index else [(m.Const(p),) for p in range(program.players)]:
                yield m.FieldGet(field.name, keys), field.ty


def named(state: rw.State, value: m.Expr, ty: Ty) -> object:
    found = readable(state.engine, ty, state.evaluate(value))
    return sorted(found, key=str) if ty.kind == "set" else found


def check_known(state: rw.State, player: int) -> tuple[int, int]:
    """Check that known values are the same in all worlds; return how many are known, and how many are not."""
    worlds = [state.imagine(player, seed) for seed in SEEDS]
    told = [0, 0]
    for value, ty in asked(state.engine.program):
        found = known(state, player, value, ty)
        assert found.known is not None, value
        told[not found.known] += 1
        if found.known:
            assert all(named(world, value, ty) == named(state, value, ty) for world in worlds), value
        elif found.values[1:]:
            assert found.values[0] != found.values[1]
    return told[0], told[1]


def test_what_is_known_is_so_in_every_world(honest: rw.Game) -> None:
    for number, state in enumerate(states(honest.start(4), 9)):
        if number % 4 == 0:
            for player in range(honest.players):
                some, others = check_known(state, player)
                assert some > 5
                assert others > 3 or state.decision is None


@pytest.mark.parametrize(("name", "players"), [("domaine", 2), ("baron", 2)])
def test_what_is_known_in_shipped_games(name: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every day fewer worlds are dealt for each value: it is rather taken for known, and must stand the same test."""
    monkeypatch.setattr(epistemic, "WORLDS", sample(120, epistemic.WORLDS))
    for number, state in enumerate(states(game(name, players).start(2), 5, 60)):
        if number == 50:
            some, others = check_known(state, number % players)
            assert some > others > 0


def test_without_secrets_everything_is_known() -> None:
    playing = game("carolus-magnus", 2)
    state = list(states(playing.start(1), 3, 12))[-1]
    for value, ty in asked(playing.program):
        assert known(state, 1, value, ty).known


def test_a_hand_is_known_to_its_owner_and_counted_by_all(honest: rw.Game) -> None:
    state = honest.start(3)
    for player in range(3):
        for owner in range(3):
            hand = m.ZoneGet("hand", (m.Const(owner),))
            found = known(state, player, hand, Ty("set", "Piece"))
            assert found.known is (player == owner)
            assert len(found.values) == (1 if player == owner else 2)
            assert found == known(state, player, hand, Ty("set", "Piece")), "the same worlds each time"
            assert known(state, player, m.Size(hand), m.INT) == Knowledge(True, (3,))


def test_a_game_that_is_over_is_imagined_too(honest: rw.Game) -> None:
    """Nothing is asked any more, and what is hidden is dealt anew all the same."""
    over = list(states(honest.start(3), 8))[-1]
    assert over.result is not None
    lost = [str(over.imagine(0, seed).save()["zones"]["lost"]) for seed in range(20)]
    assert len(set(lost)) == 3, "two of the three cards that nobody has seen"
    assert all(over.imagine(0, seed).view(0) == over.view(0) for seed in range(20))


PURSES = """
    game purses
    players 3
    field purse[p: Player]: 0..9 = 5, seen by p
    field total: Int = 15
    {invariant}
    procedure play
        first(players) chooses n from {{1 .. 2}}
        finish with winner players
    scenario "equal secrets"
        players anna, bert, carl
        start play
        {line}
"""


def failure(folder: Path, rules: str) -> rw.scenarios.Failure | None:
    (folder / "game.rules").write_text(dedent(rules))
    (folder / "ruleset.json").write_text('{"name": "purses", "title": "Purses", "rules": ["game.rules"]}')
    (plan,) = rw.scenarios.plans(rw.open_ruleset(folder))
    return rw.scenarios.run_scenario(plan).failure


TOTAL = "invariant all_of_it: sum(purse[p] for p in players) is total"


@pytest.mark.parametrize(
    ("line", "invariant"),
    [
        ("hidden bert: purse[anna] > 3", ""),
        ("hidden bert: purse[anna] is purse[carl]", ""),
        ("hidden bert: purse[anna] + purse[carl]", ""),
        ("seen bert: purse[anna] < 10, purse[bert] * 2, total", ""),
        ("seen bert: purse[anna] + purse[carl]", TOTAL),
        ("hidden bert: purse[anna]", TOTAL),
    ],
)
def test_equal_values_that_are_hidden_alike_are_not_known(tmp_path: Path, line: str, invariant: str) -> None:
    """To change places would tell nothing of them: other values must be thought of, as far as the invariants allow."""
    assert failure(tmp_path, PURSES.format(line=line, invariant=invariant)) is None


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "seen bert: purse[bert], purse[anna]",
            ("bert does not know this", "bert knows `purse[anna]`", "bert cannot tell 5 from 3"),
        ),
        (
            "seen bert: purse[anna] > 3",
            ("bert does not know this", "bert knows `purse[anna] > 3`", "bert cannot tell true from false"),
        ),
        (
            "hidden bert: purse[anna], purse[bert]",
            ("bert knows this", "bert does not know `purse[bert]`", "bert knows it: 5"),
        ),
    ],
)
def test_what_a_line_says_that_does_not_hold(tmp_path: Path, line: str, told: tuple[str, str, str]) -> None:
    found = failure(tmp_path, PURSES.format(line=line, invariant=""))
    assert found is not None
    assert (found.message, found.expected, found.found) == told
    assert found.text == line.split(":")[0] + ": " + found.expected.split("`")[1]


def test_where_no_other_world_can_be_this_is_said(tmp_path: Path) -> None:
    """The question hangs on all that is hidden: whatever else bert imagines, anna could not be asked so."""
    rules = """
        game locked
        players 2
        field code[n: Digit]: Digit = d1, seen by first(players)
        enum Digit: d1, d2, d3, d4, d5, d6, d7, d8, d9
        procedure play
            first(players) chooses n from {1 .. 2}
                forbid locked: some(d in Digit where code[d] is not d)
            finish with winner players
        scenario "locked"
            players anna, bert
            given code[d2] = d2
            given code[d3] = d3
            given code[d4] = d4
            given code[d5] = d5
            given code[d6] = d6
            given code[d7] = d7
            given code[d8] = d8
            given code[d9] = d9
            start play
            seen anna: code[d2], code[d2] is d2
            hidden bert: code[d2]
            LINE
    """
    for line in ("seen bert: code[d2] is d2", "hidden bert: code[d2] is d2"):
        found = failure(tmp_path, rules.replace("LINE", line))
        assert found is not None
        assert (found.text, found.message) == (line, "cannot determine whether bert knows this")
        assert found.found.startswith("too few other games")
