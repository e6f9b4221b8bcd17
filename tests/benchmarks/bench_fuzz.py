"""Speed of the fuzzer: bare games, games that are looked at, and games whose numbers Hypothesis draws.

python tests/benchmarks/bench_fuzz.py carolus-magnus domaine
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import rulewright as rw
from rulewright.engine import Dice
from rulewright.findings.fuzzing.search.drawing import explore
from rulewright.findings.fuzzing.search.driver import Drive
from rulewright.findings.fuzzing.search.picks import Pick

GAMES = 6
DEPTH = 40


def measured(what: str, play: Callable[[], int]) -> None:
    begun = time.process_time()
    decisions = play()
    seconds = time.process_time() - begun
    print(f"  {what:<34} {decisions:>7} decisions {decisions / seconds:>9.0f} a second")


def bench(name: str) -> None:
    game = rw.load(name)
    drive = Drive(game)
    print(f"{game.title}, {game.players} players")

    def bare() -> int:
        total = 0
        for seed in range(GAMES):
            state, dice = game.start(ask_chance=True), Dice(seed, "bench")
            while (decision := state.decision) is not None:
                state = state.choose(dice.below(len(decision.options)))
                total += 1
        return total

    def looked(closely: bool) -> int:
        courses = []
        for seed in range(GAMES):
            dice = Dice(seed, "bench")
            courses.append(drive.play(dice.below, 5000, dice=dice if closely else None))
        return sum(len(course.numbers) for course in courses)

    turns = drive.play(Dice(0, "bench").below, 5000).turns
    start = turns[len(turns) // 2].state

    def dives(by_hypothesis: bool) -> int:
        total = 0

        def dive(pick: Pick) -> float:
            nonlocal total
            course = drive.play(pick, DEPTH, start)
            total += len(course.numbers)
            return float(len(course.reached.turns))

        if by_hypothesis:
            explore(dive, 1, 60)
        else:
            for seed in range(60):
                dive(Dice(seed, "dive").below)
        return total

    measured("bare, state by state", bare)
    measured("with invariants and properties", lambda: looked(False))
    measured("with close looks, too", lambda: looked(True))
    measured("short games", lambda: dives(False))
    measured("short games drawn by Hypothesis", lambda: dives(True))


if __name__ == "__main__":
    for one in sys.argv[1:] or ["breakthrough", "carolus-magnus", "domaine"]:
        bench(one)
