"""Game trees of the classics against published counts (sequences of exactly n moves)."""

from __future__ import annotations

import pytest
from shipped_games import game

import rulewright as rw
from sampling import THOROUGH


def perft(state: rw.State, moves: int, known: dict[tuple[bytes, int], int], last: str) -> int:
    """Sequences of exactly `moves` moves, which end with a decision `last`; equal states are counted once.

    Of the last move only the options are counted, as chess programs do.
    """
    if state.decision is None:
        return 0
    ends = state.decision.name == last
    if moves == 1 and ends:
        return len(state.decision.options)
    at = (state.to_bytes(), moves)
    if at not in known:
        total = 0
        for option in state.decision.options:
            total += perft(state.choose(option), moves - ends, known, last)
        known[at] = total
    return known[at]


@pytest.mark.parametrize(
    ("name", "last", "options", "counts"),
    [
        ("tic-tac-toe", "turn.cell", {}, (9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872)),
        ("connect-four", "turn.column", {}, (7, 49, 343, 2401, 16807, 117649, 823536)),
        ("breakthrough", "turn.target", {}, (22, 484, 11132, 256036)),
        ("breakthrough", "turn.target", {"size": 6}, (16, 256, 4308, 71478)),
    ],
)
def test_game_tree(name: str, last: str, options: dict[str, int], counts: tuple[int, ...]) -> None:
    playing = rw.load(name, options=options) if options else game(name)
    start = playing.start()
    if not THOROUGH and len(counts) < 9:
        counts = counts[:-1]  # the last takes longer than all others; tic-tac-toe is counted to its end
    for moves, count in enumerate(counts, 1):
        assert perft(start, moves, {}, last) == count
