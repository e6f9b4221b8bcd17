"""Changed saves and logs of every shipped game, for as long as wanted.

    python tests/torture/mutated_saves.py [seconds] [seed]

Tells how many were tried, what became of them, which were slowest, how much memory was needed; exit code 1 if one of
them ended in anything but one error of ours, or was accepted although it is not what the game writes.
"""

from __future__ import annotations

import random
import resource
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "games"))

from mutating import changed, sealed, tried, tried_log
from shipped_games import every_game, game

import rulewright as rw
from rulewright.engine import log_data

SLOW = 5.0
"""Seconds after which something counts as hanging."""
SAVES = 4
"""Positions of a game from which changes are tried, before the next game is taken."""
CHANGES = 150
"""Changes of one save, or of one log."""


def position(playing: rw.Game, rng: random.Random) -> rw.State:
    """A random position of a game, with chance asked for in every third."""
    while True:
        try:
            state = playing.start(rng.randrange(2**64), ask_chance=rng.random() < 0.3)
            for _ in range(rng.choice((0, 1, 5, 30, 120))):
                decision = state.decision
                if decision is None:
                    break
                state = state.choose(rng.randrange(len(decision.options)))
        except rw.RulesetError:
            continue
        return state


def main() -> int:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    games = every_game()
    ends: Counter[str] = Counter()
    bad: Counter[str] = Counter()
    slow = [0.0]
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        name, players = rng.choice(games)
        playing = game(name, players)
        for _ in range(SAVES):
            state = position(playing, rng)
            saved, log = state.save(), log_data(state)
            for number in range(CHANGES):
                if time.monotonic() > until:
                    break
                as_log = number % 5 == 4
                data = changed(log if as_log else saved, rng)
                data = data if rng.random() < 0.02 else sealed(data)
                before = time.monotonic()
                try:
                    end = tried_log(playing, data) if as_log else tried(playing, data, rng)
                    ends[("log " if as_log else "save ") + end] += 1
                except Exception:
                    told = f"{name} {players}: {traceback.format_exc(limit=-3)}"
                    if not bad[told]:
                        print(told, flush=True)
                    bad[told] += 1
                slow.append(time.monotonic() - before)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{sum(ends.values()) + sum(bad.values())} changed saves and logs")
    for end, count in sorted(ends.items()):
        print(f"  {count:7} {end}")
    hanging = sum(one > SLOW for one in slow)
    print(f"slowest {max(slow):.2f} s, {hanging} over {SLOW:.0f} s; most memory {memory} MB; bad: {sum(bad.values())}")
    return 1 if bad or hanging else 0


if __name__ == "__main__":
    sys.exit(main())
