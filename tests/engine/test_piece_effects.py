"""Effects with the pieces that they are about; conditions are asked for only where they could have become true."""

from __future__ import annotations

from pathlib import Path

import pytest
from lockstep import Lockstep
from shipped_programs import shipped_game
from small_rules import loaded

import rulewright as rw
from rulewright.data.ruleset_folders import shipped_rulesets
from rulewright.engine.native.passes import ALL
from rulewright.ir import model as m
from rulewright.ir.dataflow.effects import EffectAnalysis
from rulewright.ir.dataflow.memoized_queries import MemoizedQueries
from rulewright.ir.dataflow.piece_effects import PieceEffects
from sampling import sample

RULES = """
game small
players 2

place Field
map Board: ring of 6 Field
piece Man from "pieces.json#men"
    begins in rest
piece House from "pieces.json#houses"
    begins in rest
zone rest: set of Man or House, seen by everyone
zone on[Field]: set of Man or House, seen by everyone
zone yard: set of House, seen by everyone

query men(f: Field) -> Int = count(x: Man in on[f])
query houses(f: Field) -> Int = count(x: House in on[f])
query standing() -> Int = count(h in House where in_place(h))
query in_place(h: House) -> Bool = some(f in Field where h in on[f])

procedure play
    repeat
        each p in players
            p chooses f from Field
            move 1 of {x: Man in rest} to on[f]
            if men(f) > 1 then move 1 of {x: House in rest} to on[f]

consequence two_houses for f in Field when houses(f) >= 2
    move 1 of {x: House in on[f]} to yard

end crowded for f in Field when men(f) >= 3
    finish with winner players

end nothing_left when rest is empty
    finish with winner players
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> rw.Game:
    folder = tmp_path_factory.mktemp("small")
    (folder / "pieces.json").write_text('{"men": [{"count": 12}], "houses": [{"count": 8}]}', "utf-8")
    return loaded(folder, RULES)


def moves(program: m.Program, of: str) -> list[tuple[str, m.Instr]]:
    """The instructions that move pieces of a kind."""
    found: list[tuple[str, m.Instr]] = []
    for function in program.functions:
        for i in function.code:
            if isinstance(i, m.Move) and f"Kind(name='{of}')" in repr(i.what):
                found.append((function.name, i))
    return found


def concerned(program: m.Program, one: tuple[str, m.Instr]) -> set[str]:
    remembered = MemoizedQueries(program)
    names = {number: name for name, number in remembered.numbers.items()}
    return {names[number] for number in remembered.invalidated_by(*one)}


def test_pieces_of_other_kinds_concern_nobody(game: rw.Game) -> None:
    (man,), (house, *_) = moves(game.program, "Man"), moves(game.program, "House")
    assert concerned(game.program, man) == {"condition crowded", "condition nothing_left"}
    assert concerned(game.program, house) == {"condition two_houses"}


def test_only_conditions_that_are_asked_in_vain_are_remembered(game: rw.Game) -> None:
    """A house that goes from a field to the yard leaves the rest as it is."""
    names = {"condition two_houses", "condition crowded", "condition nothing_left"}
    assert set(MemoizedQueries(game.program).conditions) == names


@pytest.mark.parametrize("passes", [ALL, ALL - {"conditions"}], ids=["with", "without"])
def test_the_same_games_with_and_without(game: rw.Game, passes: frozenset[str]) -> None:
    both = Lockstep(game.program, passes)
    for seed in range(20):
        both.play(seed)


def test_it_saves_work(game: rw.Game) -> None:
    asked = {}
    for passes in ("all", "-conditions"):
        plan = rw.plans.Plan(rw.load(game.ruleset.folder, passes=passes), 50, 0, 1000)
        asked[passes] = next(cost.times for cost in plan.costs if cost.rule == "houses")
    assert asked["all"] < asked["-conditions"] / 2


@pytest.mark.parametrize("path", shipped_rulesets(), ids=lambda path: path.name)
def test_no_more_than_without_pieces(path: Path) -> None:
    program = shipped_game(path.name).program
    coarse, fine = EffectAnalysis.of(program), PieceEffects(program)
    for query in program.queries:
        assert fine.reads_of(query.name).keys() <= coarse.reads_of(query.name)
    for function in program.functions:
        for i in function.code:
            assert fine.writes(function.name, i).keys() <= coarse.writes(i)


@pytest.mark.parametrize("path", shipped_rulesets(), ids=lambda path: path.name)
def test_what_is_remembered_as_false_is_false(path: Path) -> None:
    """No remembered condition holds when somebody is asked: a state that is loaded knows of no earlier answers."""
    game = shipped_game(path.name)
    conditions = MemoizedQueries(game.program).conditions
    asked = [
        i.value
        for function in game.program.functions
        for i in function.code
        if isinstance(i, m.SetLocal) and f"condition {function.slots[i.slot].name}" in conditions
    ]
    for seed in range(sample(1, 2)):
        for _, state in game.states(seed, range(0, 300, sample(15, 6))) if asked else ():
            fresh = game.load(state.save())
            assert all(fresh.evaluate(condition) == m.NONE for condition in asked)
