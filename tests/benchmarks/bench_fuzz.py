"""Speed of the fuzzer: games that are looked at by the Python engine, and runs of machine code with a map of coverage.

python tests/benchmarks/bench_fuzz.py connect-four carolus-magnus
python tests/benchmarks/bench_fuzz.py --curve 60 domaine    rules and pairs against time
python tests/benchmarks/bench_fuzz.py --aim 60 domaine      rules that random games do not use
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import rulewright as rw
from rulewright.engine import BEGINNING, Dice, explorer
from rulewright.findings.fuzzing.search.coverage import turn_of
from rulewright.findings.fuzzing.search.driver import Drive

GAMES = 6
SECONDS = 2.0
SIXTH = 6
"""So many points has a curve, each after twice the time of the one before."""


def measured(what: str, play: Callable[[], int]) -> float:
    """Decisions a second of processor time."""
    begun = time.process_time()
    decisions = play()
    speed = decisions / (time.process_time() - begun)
    print(f"  {what:<44} {decisions:>9} decisions {speed:>11,.0f} a second")
    return speed


def bench(name: str) -> None:
    """The speeds of one game."""
    game = rw.load(name, engine="native")
    drive = Drive(game)
    print(f"{game.title}, {game.players} players")

    def looked(closely: bool) -> int:
        courses = []
        for seed in range(GAMES):
            dice = Dice(seed, "bench")
            courses.append(drive.play(dice.below, 5000, dice=dice if closely else None))
        return sum(len(course.numbers) for course in courses)

    machine = explorer(game.program, turn_of(game.program), "native")
    assert machine is not None

    def bare() -> int:
        total, seed, ends = 0, 0, time.process_time() + SECONDS
        while time.process_time() < ends:
            total, seed = total + sum(game.playouts(100, seed, check=True).decisions), seed + 100
        return total

    def explored() -> int:
        total, seed, ends = 0, 0, time.process_time() + SECONDS
        machine.known = b"\xff" * len(machine.known)  # no run ends early
        while time.process_time() < ends:
            found = machine.explore(BEGINNING, 100, seed, 50_000)
            total, seed = total + found.answers, seed + max(1, found.runs)
        return total

    measured("Python: with invariants and properties", lambda: looked(False))
    measured("Python: with close looks, too", lambda: looked(True))
    game.playouts(10, 0, check=True)  # compiled
    plain = measured("machine code: with invariants and properties", bare)
    noted = measured("machine code: with a map of coverage, too", explored)
    print(f"  a map of coverage costs {plain / noted:.2f} times bare play")


def curve(name: str, seconds: float) -> None:
    """The rules and pairs that are met, against time."""
    begun = time.monotonic()
    marks = [seconds / 2**step for step in reversed(range(SIXTH))]

    def show(report: rw.fuzzing.FuzzReport) -> None:
        now = time.monotonic() - begun
        if marks and now >= marks[0]:
            while marks and now >= marks[0]:
                marks.pop(0)
            line(report, now)

    def line(report: rw.fuzzing.FuzzReport, now: float) -> None:
        pairs = report.pairs
        met = sum(1 for times in pairs.values() if times)
        used = len(report.rules) - len(report.never_used)
        decisions = report.answers + report.decisions
        print(f"  {now:>6.1f} s {decisions:>11,} decisions  rules {used}/{len(report.rules)}  pairs {met}/{len(pairs)}")

    print(name)
    line(rw.fuzzing.fuzz(name, rw.fuzzing.FuzzOptions(time=seconds), progress=show), time.monotonic() - begun)


def aimed(name: str, seconds: float) -> None:
    """The rules to which flights come in so many seconds of processor time, of those that random games do not use."""
    begun = time.process_time()
    asked = rw.fuzzing.FuzzOptions(time=seconds)

    def tell(one: rw.fuzzing.Attained) -> None:
        print(f"  {time.process_time() - begun:>6.1f} s {one.target.label}, after {len(one.numbers)} decisions")

    print(name)
    found = rw.fuzzing.fuzz_at(name, ["rules"], asked, tell=tell, now=time.process_time)
    speed = found.decisions / (time.process_time() - begun)
    print(f"  {len(found.reached)} of {len(found.wanted)}; {found.flights} flights, {speed:,.0f} decisions a second")


WAYS: dict[str, Callable[[str, float], None]] = {"--curve": curve, "--aim": aimed}

if __name__ == "__main__":
    given = sys.argv[1:]
    if given and given[0] in WAYS:
        for one in given[2:]:
            WAYS[given[0]](one, float(given[1]))
    else:
        for one in given or ["connect-four", "carolus-magnus", "domaine"]:
            bench(one)
