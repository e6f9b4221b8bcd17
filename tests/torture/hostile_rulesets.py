"""The cost of checking hostile rulesets: processor time, memory and outcome, each in a process of its own.

    python tests/torture/hostile_rulesets.py                       all kinds
    python tests/torture/hostile_rulesets.py cases brackets        some of them
    python tests/torture/hostile_rulesets.py --loops 25 --megabytes 500

Exit code 1 if one of them takes longer or more than that, ends in a traceback or is stopped. Its time is measured in
plain loops, each of ten million additions, that are run just before and behind it, as machines differ, and one differs
from hour to hour. What every check takes before it reads anything (making the parser of the grammar) is not counted.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hostile_kinds import HOSTILE, write

import rulewright as rw
from rulewright import reporting
from rulewright.syntax import keywords

SAID = 3
"""So many codes are told of what was found."""


@dataclass(frozen=True)
class Outcome:
    """The cost of one check, and its output."""

    loops: float
    """The processor time, as a ratio to that of a plain loop."""
    megabytes: float
    told: str
    good: bool


def apart(action: Callable[[], str]) -> tuple[str, int, resource.struct_rusage]:
    """The output of an action in a process of its own, its end, and the resources it used."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
        child = os.fork()
        if child == 0:
            try:
                said.write(action())
                said.flush()
                os._exit(0)
            except BaseException:
                said.write(traceback.format_exc().strip().splitlines()[-1])
                said.flush()
                os._exit(1)
        _, status, used = os.wait4(child, 0)
        said.seek(0)
        return said.read(), os.waitstatus_to_exitcode(status), used


def plain_loop() -> float:
    """The processor time of ten million additions, in seconds; a fifth of them is done."""
    begun = time.process_time()
    total = 0
    for number in range(2_000_000):
        total += number
    return 5 * (time.process_time() - begun)


def measured(folder: Path, loops: float, megabytes: float) -> Outcome:
    """Check a folder; the check is stopped when it has taken twice what it may."""
    before = plain_loop()

    def checked() -> str:
        memory, seconds = int(megabytes * 8_000_000), int(before * loops * 2)  # so that no check eats the machine
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        try:
            found = rw.check(rw.open_ruleset(folder))
        except rw.RulesetError as error:
            found = list(error.diagnostics)
        reporting.to_text(found)
        return _told(found)

    told, code, used = apart(checked)
    took, peak = (used.ru_utime + used.ru_stime) * 2 / (before + plain_loop()), used.ru_maxrss / 1024
    return Outcome(took, peak, told or "stopped", code == 0 and took <= loops and peak <= megabytes)


def _told(found: list[rw.Diagnostic]) -> str:
    """The findings, in a line."""
    if not found:
        return "nothing found"
    counted: dict[str, int] = {}
    for one in found:
        counted[one.code] = counted.get(one.code, 0) + 1
    codes = [f"{name}×{n}" if n > 1 else name for name, n in counted.items()]
    more = f" and {len(codes) - SAID} more codes" if len(codes) > SAID else ""
    return f"{', '.join(codes[:SAID])}{more}: {found[-1].message[:100]}"


def main() -> int:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="which; all, if none is named")
    parser.add_argument("--loops", type=float, default=25, help="plain loops that a check may take")
    parser.add_argument("--megabytes", type=float, default=500, help="that it may need")
    asked = parser.parse_args()
    unknown = [kind for kind in asked.kinds if kind not in HOSTILE]
    if unknown:
        parser.error(f"no such kind: {', '.join(unknown)}; there is {', '.join(HOSTILE)}")
    keywords()
    bad = 0
    print(f"{'kind':28} {'size':>9} {'loops':>6} {'MB':>5}  outcome")
    for kind in asked.kinds or HOSTILE:
        make, sizes = HOSTILE[kind]
        for size in sizes:
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                # Made by another process: what it needs would be counted for the check.
                apart(lambda make=make, size=size, folder=folder: str(write(folder, make(size))))
                got = measured(folder, asked.loops, asked.megabytes)
            bad += not got.good
            mark = "" if got.good else "TOO MUCH  "
            print(f"{kind:28} {size:>9} {got.loops:6.1f} {got.megabytes:5.0f}  {mark}{got.told}", flush=True)
    print(f"{bad} of them are too much" if bad else "all within the limits")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
