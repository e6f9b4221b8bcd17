"""What `rulewright check` takes for hostile rulesets: processor time, memory, outcome, each in a process of its own.

    python tests/torture/hostile_rulesets.py                       all kinds
    python tests/torture/hostile_rulesets.py cases brackets        some of them
    python tests/torture/hostile_rulesets.py --seconds 10 --megabytes 500

Exit code 1 if one of them takes longer or more than that, ends in a traceback or is killed.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from hostile_kinds import HOSTILE

SAID = 3
"""So many codes are told of what was found."""


@dataclass(frozen=True)
class Outcome:
    """What one check took, and what it said."""

    seconds: float
    megabytes: float
    told: str
    good: bool


def measured(folder: Path, seconds: float, megabytes: float) -> Outcome:
    """Check a folder in a process of its own; it is stopped when it has taken twice what it may."""
    memory = int(megabytes * 8_000_000)  # so that no check eats the machine

    def restrain() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds * 2), int(seconds * 2) + 1))

    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "rulewright_tools.cli", "check", "--format", "json", str(folder)],
            stdout=output,
            stderr=errors,
            preexec_fn=restrain,
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for stream in (output, errors):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8", "replace"))
    told, fair = _told(*texts, process.returncode)
    took, peak = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    return Outcome(took, peak, told, fair and took <= seconds and peak <= megabytes)


def _told(output: str, errors: str, code: int) -> tuple[str, bool]:
    """What was said, in a line, and whether it was said as it should be."""
    if code < 0:
        return "stopped", False
    text = errors.strip()
    if "Traceback" in text or code not in (0, 1, 2):
        return text.splitlines()[-1][:100] if text else f"exit code {code}", False
    try:
        found = json.loads(output)["diagnostics"]
    except (ValueError, KeyError):
        return f"exit code {code}: {text.splitlines()[0][:100] if text else ''}", code == 2
    if not found:
        return "nothing found", True
    counted: dict[str, int] = {}
    for one in found:
        counted[one["code"]] = counted.get(one["code"], 0) + 1
    codes = [f"{name}×{n}" if n > 1 else name for name, n in counted.items()]
    more = f" and {len(codes) - SAID} more codes" if len(codes) > SAID else ""
    return f"{', '.join(codes[:SAID])}{more}: {found[-1]['message'][:90]}", True


def main() -> int:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="which; all, if none is named")
    parser.add_argument("--seconds", type=float, default=10, help="that a check may take")
    parser.add_argument("--megabytes", type=float, default=500, help="that it may need")
    asked = parser.parse_args()
    unknown = [kind for kind in asked.kinds if kind not in HOSTILE]
    if unknown:
        parser.error(f"no such kind: {', '.join(unknown)}; there is {', '.join(HOSTILE)}")
    bad = 0
    print(f"{'kind':28} {'size':>9} {'s':>6} {'MB':>5}  outcome")
    for kind in asked.kinds or HOSTILE:
        for size in HOSTILE[kind][1]:
            with tempfile.TemporaryDirectory() as folder:
                # Made by another process: what it needs would be counted for the check.
                made = [sys.executable, str(Path(__file__).with_name("hostile_kinds.py")), kind, str(size), folder]
                subprocess.run(made, check=True)
                got = measured(Path(folder), asked.seconds, asked.megabytes)
            bad += not got.good
            mark = "" if got.good else "TOO MUCH  "
            print(f"{kind:28} {size:>9} {got.seconds:6.1f} {got.megabytes:5.0f}  {mark}{got.told}", flush=True)
    print(f"{bad} of them are too much" if bad else "all within the limits")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
