"""Games in which Domaines are closed, grow and are fought over: nothing that must hold is ever broken.

The number of games is small here; ``RULEWRIGHT_GAMES=2000 pytest tests/games/test_eager_games.py -s`` plays more and
prints the table of what happened.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from eager_games import COUNTS, VARIANT, Happened, play, table

import rulewright as rw
from sampling import sample

GAMES = int(os.environ.get("RULEWRIGHT_GAMES", sample(1, 12)))

RARE = {"king", "king_after_turn", "idle_borders"}
"""Rules that a dozen games need not use."""
UNMET = {"turns_it_back"}
"""Rules that these games have never needed: here nobody takes land from allies where they touch. Scenarios do."""
SURE = 200
"""With this many games for each number of players nothing else may be missing."""


@pytest.mark.timeout(6 * 3600)
def test_everything_happens_and_nothing_is_broken() -> None:
    by_players = {players: Happened() for players in COUNTS}
    for players, happened in by_players.items():
        for seed in range(GAMES):
            happened.join(play(players, seed))
    print(f"\n{table(by_players)}")
    assert not {players: happened.broken for players, happened in by_players.items() if happened.broken}

    everything = Happened()
    for happened in by_players.values():
        everything.join(happened)
    if everything.games >= 36:
        unused = {rule for rule, times in everything.fired.items() if not times}
        assert unused <= (UNMET if GAMES >= SURE else UNMET | RARE)
        assert "crown" in everything.endings
        assert {"king", "king_after_turn"} & set(everything.endings)
        assert everything.found["games with neutral_spaces"]
        assert everything.found["games with friends"]
        assert everything.found["closed"] > 3 * everything.games
    if GAMES >= SURE:
        assert everything.found["games with monopolists"]


def test_a_game_is_the_same_every_time() -> None:
    once, again = play(2, 5), play(2, 5)
    assert once == again


WRONG = """variant "Wrong" of domaine
    remove place_borders.between_own
    remove knight_ground.wrong_ground
    remove turn.just_sold
    replace turn.refill
        p may choose taken from chancery
        then
            move taken to hand[p]
"""


def test_broken_rules_are_noticed(tmp_path: Path) -> None:
    """Rules without some of their restrictions break what must hold, and each of these is told."""
    (tmp_path / "wrong.rules").write_text(WRONG, encoding="utf-8")
    game = rw.load("domaine", 2, [str(VARIANT), str(tmp_path / "wrong.rules")])
    broken = {name.split(" (")[0] for seed in range(3) for name in game.playout(seed, check=True, most=200).broken}
    assert broken >= {"nobody_walls_between_own", "nobody_stands_alone", "on_good_ground", "hands_are_full"}
