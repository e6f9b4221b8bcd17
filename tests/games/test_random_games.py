"""Random games of every shipped ruleset: no invariant and no property is ever broken, and every game ends.

The number of games is small here, and larger in ``make torture``;
``RULEWRIGHT_GAMES=2000 pytest tests/games/test_random_games.py`` plays more.
"""

from __future__ import annotations

import os

import pytest
from shipped_games import PLAYERS, every_game, game

import rulewright as rw
from rulewright.compiler import player_counts, sources
from sampling import sample

GAMES = int(os.environ.get("RULEWRIGHT_GAMES", sample(1, 40)))


@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("name", "players"), every_game())
def test_no_invariant_or_property_is_broken(name: str, players: int) -> None:
    playing = game(name, players)
    for seed in range(GAMES):
        watch = playing.watch()
        state = playing.start(seed, watch=watch)
        pick = seed * 2654435761 % 2**32
        while state.decision is not None:
            pick = (pick * 1664525 + 1013904223) % 2**32
            state = state.choose((pick >> 8) % len(state.decision.options))
            broken = playing.broken_invariants(state)
            assert not broken, f"{broken} in game {seed} after {state.log[-1]}"
            assert not watch.broken, f"{watch.broken} in game {seed} after {state.log[-1]}"
        result = state.result
        assert result is not None
        assert sorted(seat for place in result.ranking for seat in place) == sorted(playing.seats)
        assert result.winners


def test_every_game_is_played() -> None:
    counts = {f.name: tuple(player_counts(sources(rw.open_ruleset(f)).rules)) for f in rw.shipped_rulesets()}
    assert counts == PLAYERS


def test_random_games_differ_by_seed_and_repeat_with_it() -> None:
    playing = game("carolus-magnus", 3)
    first, again, other = (playing.start(seed) for seed in (1, 1, 2))
    assert first.to_bytes() == again.to_bytes()
    assert first.digest() != other.digest()


def test_every_rule_of_the_big_game_is_used_by_some_random_game() -> None:
    """Rules that never fire are switched off by default, or come with rare endings."""
    unused: set[str] | None = None
    for players in (2, 3, 4):
        playing = game("carolus-magnus", players)
        fired = playing.new_fired()
        for seed in range(12):
            playing.playout(seed, fired=fired)
        idle = {n for n, count in zip(playing.rule_names, fired, strict=True) if not count}
        unused = idle if unused is None else unused & idle
    assert unused is not None
    assert unused <= {"turn.go_on", "turn.call_it_over", "few_regions", "no_knights_left", "nothing_can_change"}
