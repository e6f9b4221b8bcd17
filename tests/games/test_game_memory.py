"""Remembered areas always equal those computed afresh."""

from __future__ import annotations

import pytest
from shipped_games import game

from rulewright.engine import State
from sampling import sample


@pytest.mark.parametrize("players", [2, 4])
def test_remembered_answers_are_true(players: int) -> None:
    playing = game("domaine", players)
    engine = playing.engine
    remembered = engine.compiled.ctx.memo_layout
    universes = engine.layout.universes
    asked = [
        q
        for q in playing.program.queries
        if q.name in remembered.numbers and len(q.params) == 1 and q.params[0].ty.kind == "entity"
    ]
    assert asked
    state = playing.start(5)
    for step in range(sample(30, 400)):
        if state.decision is None:
            break
        state = state.choose(step * 13 % len(state.decision.options))
        afresh = State.at_rest(engine, list(state.cells), state.mode, None)
        for query in asked:
            for key in dict.fromkeys(universes[query.params[0].ty.universe].keys):
                assert state.ask(query.name, key) == afresh.ask(query.name, key), (step, query.name, key)
