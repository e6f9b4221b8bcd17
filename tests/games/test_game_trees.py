"""Game trees of the classics against published counts (sequences of exactly n moves)."""

from __future__ import annotations

import pytest
from shipped_games import game

import rulewright as rw


def perft(state: rw.State, moves: int, known: dict[tuple[bytes, int], int], function: str) -> int:
    """Sequences of exactly `moves` moves, a move being one call of `function`; equal states are counted once."""
    if moves == 0:
        return 1
    if state.decision is None:
        return 0
    at = (state.to_bytes(), moves)
    if at not in known:
        total = 0
        for option in state.decision.options:
            after = state.choose(option)
            # A move of several decisions goes on until the next one is the first of a move.
            inside = after.decision is not None and after.decision.name == f"{function}.target"
            total += perft(after, moves if inside else moves - 1, known, function)
        known[at] = total
    return known[at]


@pytest.mark.parametrize(
    ("name", "options", "counts"),
    [
        ("tic-tac-toe", {}, (9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872)),
        ("connect-four", {}, (7, 49, 343, 2401, 16807, 117649, 823536)),
        ("breakthrough", {}, (22, 484, 11132, 256036)),
        ("breakthrough", {"size": 6}, (16, 256, 4308, 71478)),
    ],
)
def test_game_tree(name: str, options: dict[str, int], counts: tuple[int, ...]) -> None:
    playing = rw.load(name, options=options) if options else game(name)
    start = playing.start()
    for moves, count in enumerate(counts, 1):
        assert perft(start, moves, {}, "turn") == count
