"""The time that an editor waits for each kind of answer of the language server. Prints; asserts nothing.

A server is started as editors start it, on a copy of a ruleset. All kinds of questions are asked at positions drawn
from its rules files, once about the texts as they are and once right after a change of the file that is asked about,
which is the worst that can happen. One line a method: how often it was asked, and the median, the worst of twenty and
the longest wait, in milliseconds; and where that was. A line above it says how long the server took to begin.

    python tests/benchmarks/bench_lsp.py                                   Kings & Things, 40 positions
    python tests/benchmarks/bench_lsp.py --positions 200 rulesets/baron    another ruleset, more positions
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from lsp.lsp_client import Client, running  # noqa: E402
from lsp.questions import questions  # noqa: E402

KINGS = ROOT / "rulesets" / "kings-and-things"
Waits = dict[str, list[tuple[float, str]]]


def asked(client: Client, path: Path, text: str, line: int, character: int, waits: Waits, when: str) -> None:
    """Ask everything about a position."""
    for method, params in questions(client.capabilities, path.as_uri(), text, line, character):
        begin = time.perf_counter()
        client.answer(method, params)
        waits[f"{method} {when}"].append((time.perf_counter() - begin, f"{path.name}:{line + 1}:{character + 1}"))


def measured(client: Client, files: list[Path], positions: int, seed: int) -> Waits:
    """The waits of all questions."""
    drawn = random.Random(seed)
    waits: Waits = defaultdict(list)
    texts = {path: path.read_text("utf-8") for path in files}
    for number in range(positions):
        path = drawn.choice(files)
        rows = texts[path].split("\n")
        line = drawn.randrange(len(rows))
        character = drawn.randint(0, len(rows[line]))
        asked(client, path, texts[path], line, character, waits, "")
        if number % 4 == 0:
            for method, params in questions(client.capabilities, path.as_uri(), texts[path], line, character):
                rows[line] += " "
                client.change(path, "\n".join(rows), wait=False)
                begin = time.perf_counter()
                client.answer(method, params)
                place = f"{path.name}:{line + 1}:{character + 1}"
                waits[f"{method} (after a change)"].append((time.perf_counter() - begin, place))
            client.change(path, texts[path])
    return waits


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("ruleset", nargs="?", type=Path, default=KINGS)
    parser.add_argument("--positions", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "ruleset")
        shutil.copytree(given.ruleset, home)
        begin = time.perf_counter()
        with running(Path(folder)) as client:
            files = sorted(home.rglob("*.rules"))
            for path in files:
                client.open(path, wait=False)
            first = {"textDocument": {"uri": files[0].as_uri()}}
            client.request("textDocument/documentSymbol", first)
            answered = time.perf_counter() - begin
            for path in files:
                client.settle(path.as_uri())
            print(f"first answer after {answered:.1f} s, all findings after {time.perf_counter() - begin:.1f} s\n")
            waits = measured(client, files, given.positions, given.seed)
    report(waits)


def report(waits: Waits) -> None:
    """One line a method, the slowest first."""
    wide = max(map(len, waits))
    print(f"{'method':<{wide}} {'asked':>6} {'median':>7} {'1 in 20':>8} {'longest':>8}  where")
    rows: list[tuple[Any, ...]] = []
    for method, found in waits.items():
        seconds = sorted(second for second, _ in found)
        late = seconds[min(len(seconds) - 1, len(seconds) * 19 // 20)]
        longest, place = max(found)
        rows.append((longest, method, len(seconds), statistics.median(seconds), late, place))
    for longest, method, count, median, late, place in sorted(rows, reverse=True):
        figures = f"{1000 * median:>7.0f} {1000 * late:>8.0f} {1000 * longest:>8.0f}"
        print(f"{method:<{wide}} {count:>6} {figures}  {place}")


if __name__ == "__main__":
    main()
