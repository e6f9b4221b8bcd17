"""The time one waits for an answer: processor seconds of cold processes. Prints; asserts nothing.

Each command is run as a process of its own, once to fill the caches and then five times; the figure is the median of
user and system time. The last columns are ratios to a calibration loop (a million steps of plain Python), which make
figures of different machines and days comparable: now, and before imports were lazy.

    python tests/benchmarks/bench_feedback.py [RUNS]
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
from pathlib import Path

from bench_play import calibrate

RULESETS = Path(__file__).resolve().parents[2] / "rulesets"

COMMANDS: tuple[tuple[str, tuple[str, ...], float | None], ...] = (
    ("python -c pass", ("-c", "pass"), None),
    ("import rulewright", ("-c", "import rulewright"), 7.5),
    ("rulewright --help", ("-m", "rulewright_tools", "--help"), 9.1),
    ("rulewright --version", ("-m", "rulewright_tools", "--version"), 9.4),
    ("rulewright explain REF001", ("-m", "rulewright_tools", "explain", "REF001"), 8.7),
    *(
        (f"rulewright check {name}", ("-m", "rulewright_tools", "check", str(RULESETS / name)), before)
        for name, before in (("tic-tac-toe", 10.8), ("carolus-magnus", 19.1), ("baron", None))
    ),
)
"""The commands measured, and the ratio of each to the calibration loop before imports were lazy."""


def processor_seconds(words: tuple[str, ...]) -> float:
    """The processor time that one process takes, whatever else the machine does."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    loop = calibrate()
    print(f"calibration loop: {loop:.3f} s")
    print(f"{'command':<34} {'seconds':>8} {'loops':>8} {'loops before':>13}")
    for title, words, before in COMMANDS:
        processor_seconds(words)
        seconds = statistics.median(processor_seconds(words) for _ in range(runs))
        told = "" if before is None else f"{before:.1f}"
        print(f"{title:<34} {seconds:>8.3f} {seconds / loop:>8.1f} {told:>13}", flush=True)


if __name__ == "__main__":
    main()
