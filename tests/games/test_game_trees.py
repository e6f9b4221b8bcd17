"""Game trees of the classics against published counts (sequences of exactly n moves)."""

from __future__ import annotations

import pytest
from shipped_games import game

import rulewright as rw
from sampling import THOROUGH


def perft(state: rw.State, moves: int, last: str, known: dict[tuple[bytes, int], list[int]]) -> list[int]:
    """For each number of moves up to `moves` the sequences of exactly so many, which end with a decision `last`.

    Equal states are counted once, and all depths on the same way down. Of the last move only the options are counted,
    as chess programs do.
    """
    counts = [0] * moves
    if state.decision is None:
        return counts
    at = (state.to_bytes(), moves)
    if at not in known:
        ends = state.decision.name == last
        if ends:
            counts[0] = len(state.decision.options)
        for option in state.decision.options if moves > ends else ():
            for number, below in enumerate(perft(state.choose(option), moves - ends, last, known)):
                counts[number + ends] += below
        known[at] = counts
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
        # The last takes longer than all others; tic-tac-toe is counted to its end.
        counts = counts[:-2] if len(counts) > 4 else counts[:-1]
    assert perft(start, len(counts), last, {}) == list(counts)
