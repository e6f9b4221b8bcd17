"""Knowledge of values: the same in positions that a player cannot tell apart, and none where the value differs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from imagined_games import HIDDEN, guessing
from twins import groups

import rulewright as rw
from rulewright.diagnostics import RulesetError
from rulewright.engine.states.epistemic import knowledge
from rulewright.ir import model as m


def values(state: rw.State) -> Iterator[tuple[m.Expr, m.Ty]]:
    """Fields, and what lies in zones, at their first keys."""
    program = state.engine.program
    for field in program.fields:
        if not field.is_internal and field.ty.kind != "list":
            yield m.FieldGet(field.name, (m.Const(0),) * len(field.index)), field.ty
    for zone in program.zones:
        pieces = m.ZoneGet(zone.name, (m.Const(0),) * len(zone.index))
        yield m.Size(pieces), m.INT
        yield pieces, m.Ty("set", "Piece")


@pytest.mark.parametrize("name", HIDDEN)
def test_twins_know_the_same(tmp_path: Path, name: str) -> None:
    game, compared = guessing(tmp_path, name, 2), 0
    for group in [group for group in groups(game, 0, range(12)) if len(group) > 1][:3]:
        for value, ty in values(group[0]):
            try:
                one, other = (knowledge(state, 0, value, ty) for state in group[:2])
            except RulesetError:
                continue
            compared += 1
            assert one.known == other.known, value
            assert not one.known or one.values[0] == other.values[0], value
    assert compared
