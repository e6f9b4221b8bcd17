"""The time from an edit to all findings, in a process that knows the ruleset already. Prints; asserts nothing.

One line is changed, all findings are asked for, the line is changed back. The lines are chosen at random, and so is
what happens to them: an operator or number becomes another one, a word is misspelt, the line goes, an empty one comes.
The first half of the edits is in rules, the other in scenarios. Seconds are those of the processor.

    python tests/benchmarks/bench_edits.py [--edits 200] [--seed 1] [RULESET]
"""

from __future__ import annotations

import argparse
import gc
import random
import re
import shutil
import statistics
import tempfile
import time
from pathlib import Path

from bench_play import calibrate

import rulewright as rw

ROOT = Path(__file__).resolve().parents[2]
KINGS = ROOT / "rulesets" / "kings-and-things"
SWAPPED = {"<": ">", ">": "<", "+": "-", "-": "+", "and": "or", "or": "and", "1": "2", "2": "3", "3": "4"}


def edited(lines: list[str], number: int, r: random.Random) -> tuple[str, list[str]]:
    """The kind of an edit of a line, and all lines after it."""
    words = re.findall(r"\w+|\W", lines[number])
    places = [at for at, word in enumerate(words) if word in SWAPPED]
    kinds = ["misspelt", "gone", "empty line"] + ["changed"] * 3 * bool(places)
    kind = r.choice(kinds)
    if kind == "gone":
        return kind, [*lines[:number], *lines[number + 1 :]]
    if kind == "empty line":
        return kind, [*lines[:number], "", *lines[number:]]
    at = r.choice(places) if kind == "changed" else r.choice([at for at, word in enumerate(words) if word.strip()])
    words[at] = SWAPPED[words[at]] if kind == "changed" else words[at] + "x"
    return kind, [*lines[:number], "".join(words), *lines[number + 1 :]]


def shown(title: str, times: list[float], loop: float) -> str:
    ordered = sorted(times)
    middle, late = statistics.median(ordered), ordered[int(len(ordered) * 0.95)]
    return f"{title:<28} {len(ordered):>5} {middle:>8.3f} {late:>8.3f} {ordered[-1]:>8.3f} {middle / loop:>7.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("ruleset", nargs="?", type=Path, default=KINGS)
    parser.add_argument("--edits", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    loop, r = calibrate(), random.Random(given.seed)
    gc.set_threshold(50_000, 20, 100)  # as in the command
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as top:
        folder = Path(top, given.ruleset.name)
        shutil.copytree(given.ruleset, folder)
        work = rw.Workspace(top)

        def timed() -> float:
            begun = time.process_time()
            work.check(folder)
            return time.process_time() - begun

        print(f"calibration loop: {loop:.3f} s; the first check: {timed():.2f} s\n", flush=True)
        files = sorted(folder.rglob("*.rules"))
        scenarios = [path for path in files if "scenario" in path.read_text("utf-8")]
        for title, among in (("rules", [p for p in files if p not in scenarios]), ("scenarios", scenarios)):
            lines = [(p, n) for p in among for n, line in enumerate(p.read_text("utf-8").split("\n")) if line.strip()]
            for path, number in r.choices(lines, k=given.edits // 2) if lines else ():
                before = path.read_text("utf-8").split("\n")
                kind, after = edited(before, number, r)
                for text, what in ((after, kind), (before, "changed back")):
                    work.open(path, "\n".join(text))
                    spent = timed()
                    for name in (title, f"{title}: {what}", "all"):
                        found.setdefault(name, []).append(spent)
    print(f"{'edits':<28} {'':>5} {'median':>8} {'95 %':>8} {'worst':>8} {'loops':>7}")
    for name in sorted(found):
        print(shown(name, found[name], loop))


if __name__ == "__main__":
    main()
