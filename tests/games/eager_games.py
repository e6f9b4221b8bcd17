"""Games in which players prefer what the variant in ``eager.rules`` calls eager; what happened in them, counted.

    python tests/games/eager_games.py [GAMES]

plays so many games for each number of players and prints the table of the rules that were used.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import rulewright as rw

VARIANT = Path(__file__).with_name("eager.rules")
COUNTS = (2, 3, 4)
READINGS = {"win_check": "turn", "leave_out": "forbidden", "deserter_chooser": "owner"}
"""Other readings of unclear sentences: each fourth game is played with them."""
LOOK, NOISE = 3, 75
"""A short look, not always: so a game costs less, and no two are alike."""
AT_THE_END = ("closed", "neutral_spaces", "friends", "monopolists")
"""Queries of the variant, asked when a game is over."""


@dataclass
class Happened:
    """Counts of what happened in some games."""

    games: int = 0
    decisions: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    fired: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    """The number of each in all, and the number of games in which there was one (``games with …``)."""
    broken: dict[str, int] = field(default_factory=dict)
    """Invariants and properties that did not hold, with the first seed."""

    def join(self, other: Happened) -> None:
        self.games += other.games
        self.decisions += other.decisions
        self.endings.update(other.endings)
        self.fired.update(other.fired)
        self.found.update(other.found)
        self.broken = {**other.broken, **self.broken}


@cache
def loaded(players: int, readings: bool) -> rw.Game:
    return rw.load("domaine", players, [str(VARIANT)], READINGS if readings else {})


def play(players: int, seed: int) -> Happened:
    """One game, with everything looked at whenever it rests."""
    game = loaded(players, seed % 4 == 3)
    fired = game.new_fired()
    played = game.playout(seed, fired=fired, policies=[game.policy("greedy:eagerness", LOOK, NOISE)], check=True)
    happened = Happened(1, played.decisions, Counter([played.rule]))
    happened.fired.update(dict(zip(game.rule_names, fired, strict=True)))
    for query in AT_THE_END:
        number = played.state.ask(query)
        happened.found.update({query: number, f"games with {query}": int(number > 0)})
    happened.found.update({"games to the last card": int(played.rule == "crown")})
    happened.broken = dict.fromkeys(played.broken, seed)
    return happened


def table(by_players: dict[int, Happened]) -> str:
    """A table of rules used, endings, and what there was at the end, for each number of players."""
    rows: list[tuple[str, list[int]]] = [
        ("games", [h.games for h in by_players.values()]),
        ("decisions", [h.decisions for h in by_players.values()]),
        ("broken", [len(h.broken) for h in by_players.values()]),
    ]
    for title, counters in (
        ("ended by", [h.endings for h in by_players.values()]),
        ("at the end", [h.found for h in by_players.values()]),
        ("used", [h.fired for h in by_players.values()]),
    ):
        names = dict.fromkeys(name for counter in counters for name in counter)
        rows += [(f"{title} {name}", [counter[name] for counter in counters]) for name in names]
    heads = "".join(f"{f'{players} players':>12}" for players in by_players)
    return "\n".join([f"{'':<44}{heads}", *(f"{name:<44}" + "".join(f"{n:>12}" for n in row) for name, row in rows)])


def main() -> None:
    by_players = {players: Happened() for players in COUNTS}
    for seed in range(int(sys.argv[1]) if len(sys.argv) > 1 else 12):
        for players, happened in by_players.items():
            happened.join(play(players, seed))
        if seed % 50 == 49:
            print(f"{table(by_players)}\n", flush=True)
    print(table(by_players))
    for happened in by_players.values():
        for name, seed in happened.broken.items():
            print(f"broken: {name} in game {seed}")


if __name__ == "__main__":
    main()
