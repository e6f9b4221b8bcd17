"""Levels of audiences as they are declared, and that views of played games agree with them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import count

import pytest
from random_programs import random_program

import rulewright as rw
from rulewright.engine import start
from rulewright.ir.declared_sight import Level, sight_of


@pytest.mark.parametrize("setting", [s.name for s in rw.rulesets.shipped_rulesets()])
def test_who_always_sees_is_shown(setting: str) -> None:
    """The view of each seat holds a field whole of which its declaration says that everybody sees it."""
    game = rw.load(setting)
    sight, state = sight_of(game.program), game.start(1)
    for seat in range(game.players):
        view = state.view(seat)["fields"]
        whole = state.view(None)["fields"]
        for field in game.program.fields:
            if field.name in whole and sight.everybody(field) and "Piece" not in (*field.index, field.ty.universe):
                assert view[field.name] == whole[field.name]


def begun(seed: int) -> Iterator[rw.State]:
    """Random programs that come to a question, or to their end, without an error of the rules."""
    for number in count(1000 * seed):
        with suppress(rw.RulesetError):
            yield start(random_program(number), number)


@pytest.mark.parametrize("seed", range(40))
def test_levels_hold_in_positions(seed: int) -> None:
    """The engine's evaluation of an audience is what its level says."""
    state = next(begun(seed))
    program = state.engine.program
    sight = sight_of(program)
    everyone = (1 << sight.players) - 1
    for number, instance in enumerate(state.engine.layout.instances):
        declared = program.zones[instance.zone]
        faces, counting, _ = state.engine._seers(state.cells, number)
        assert not sight.everybody(declared) or faces == everyone
        assert not sight.everybody(declared, "count") or counting == everyone
        assert not sight.seen_by_none(declared) or counting == 0
        assert not sight.owner_alone(declared) or counting.bit_count() <= len(declared.index)
        if Level.VARYING not in sight.levels(declared) and Level.SEATS not in sight.levels(declared):
            assert sight.everybody(declared) or faces != everyone or len(instance.keys) >= sight.players
