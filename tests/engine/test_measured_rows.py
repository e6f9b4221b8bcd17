"""Rows about many games hold what the Python engine counts in each, in random programs with errors and payments."""

from __future__ import annotations

from collections import Counter

import pytest
from random_programs import random_program

import rulewright as rw
from rulewright.engine.native.backend import Backend
from rulewright.engine.native.values import Unsupported
from rulewright.engine.policies.many_playouts import MeasuredGames
from rulewright.engine.policies.playout import Playout
from rulewright.engine.runtime.machine import engine_of
from rulewright.host.budgets import Limits, limited
from rulewright.ir.model import Program
from sampling import sample

pytest.importorskip("wasmtime")

PROGRAMS, GAMES, MOST = sample(80, 250), 6, 40


def asked_at_the_end(program: Program) -> tuple[str, ...]:
    fitting = [q for q in program.queries if q.ty.kind in ("int", "bool") and not q.ty.optional]
    return tuple(q.name for q in fitting if [slot.ty.universe for slot in q.params] in ([], ["Player"]))


def row_of(program: Program, queries: tuple[str, ...], seed: int) -> list[int]:
    """The same numbers by the Python engine; RulesetError if the game fails."""
    fired = engine_of(program).new_fired()
    played = Playout(program, fired).play(seed, MOST, keep=True)
    state = played.state
    cells, layout = state.cells, engine_of(program).layout
    found = [played.decisions, cells[layout.rule] - 1, *cells[layout.ranks], *cells[layout.paid]]
    found += [sum(played.sizes), played.sizes.count(1), *fired]
    if played.finished:
        function = engine_of(program).compiled.query
        for name in queries:
            query = next(one for one in program.queries if one.name == name)
            for given in [(seat,) for seat in range(program.players)] if query.params else [()]:
                found.append(int(engine_of(program).call(function(name), cells, *given)))
    return found


def test_random_programs() -> None:
    seen = Counter[str]()
    for seed in range(PROGRAMS):
        made = random_program(seed)
        queries = asked_at_the_end(made)
        try:
            games = MeasuredGames(made, queries, Backend(made, measured=queries))
        except Unsupported:
            continue
        plan = games.plan
        for game in range(GAMES):
            with limited(Limits(steps=20_000)):
                row = games.rows(range(game, game + 1), MOST)
                try:
                    wanted = row_of(made, queries, game)
                except rw.RulesetError:
                    seen["errors"] += 1
                    assert not row, (seed, game)
                    continue
            if not row:
                seen["left to Python"] += 1
                continue
            assert len(row) == plan.width
            found = [row[0], *row[2 : plan.options], row[plan.options] + (row[plan.options + 1] << 32)]
            found += row[plan.forced : plan.queried]
            found += row[plan.queried :] if row[2] >= 0 else []
            assert found == wanted, (seed, game)
            seen["finished" if row[2] >= 0 else "stopped"] += 1
            seen["asked"] += len(queries) > 0 and row[2] >= 0
            seen["options"] += wanted[0] > 0
    assert seen["finished"] > PROGRAMS
    assert seen["asked"] > 50
    assert seen["options"] > 50
    assert seen["errors"] > 50
    assert seen["left to Python"] < PROGRAMS // 10
