"""The time that one waits for an answer, and the memory it takes: cold processes. Prints; asserts nothing.

Each command is run as a process of its own, once to fill the caches of bytecode and of parser tables, and then five
times; findings of rulesets are not kept from one run to the next. Figures are medians: seconds are those of the
processor (user and system), megabytes the peak of the process. Beside them stand the figures from before this work and
those that are wanted. The column before the last is the ratio to a calibration loop (a million steps of plain Python).

Machines differ, and one machine from hour to hour. With `--baseline`, the commands are run in turn with those of a
checkout of an older version, the one that the figures of before are of. How much slower it is today than it was then
is how much longer the figures wanted may take: they stand in the last column.

    python tests/benchmarks/bench_feedback.py                       all rows, five runs each
    python tests/benchmarks/bench_feedback.py --runs 3 check help   rows whose titles have one of these words
    python tests/benchmarks/bench_feedback.py --list                the titles
    python tests/benchmarks/bench_feedback.py --baseline ../old     beside an older version
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from bench_play import calibrate

ROOT = Path(__file__).resolve().parents[2]
KINGS = "rulesets/kings-and-things"


@dataclass(frozen=True)
class Figures:
    """Processor seconds and peak megabytes, as far as they are known or wanted."""

    seconds: float | None = None
    megabytes: float | None = None


@dataclass(frozen=True)
class Row:
    """A command, the figures it had once, and those that are wanted."""

    words: tuple[str, ...]
    before: Figures = Figures()
    wanted: Figures = Figures()

    @property
    def title(self) -> str:
        return " ".join(self.words)


NONE = Figures()


def row(words: str, before: Figures = NONE, wanted: Figures = NONE) -> Row:
    return Row(tuple(words.split()), before, wanted)


ROWS = (
    row("--help", Figures(0.87), Figures(0.20)),
    row("--version", Figures(0.87), Figures(0.20)),
    row("explain REF001", Figures(0.87), Figures(0.20)),
    row("check rulesets/tic-tac-toe", Figures(2.0), Figures(0.6)),
    row("check rulesets/carolus-magnus", Figures(3.3)),
    row("check rulesets/baron", Figures(10, 637)),
    row(f"check {KINGS}", Figures(36, 291), Figures(5, 250)),
    row("check rulesets", Figures(50), Figures(9)),
    row("check variant-of:kings-and-things", Figures(32), Figures(2)),
    row("check variant-of:baron", Figures(2.2)),
    row("check variant-of:carolus-magnus", Figures(1.6)),
    row("check variant-of:domaine"),
    row("check variant-of:loewenherz"),
    row("test rulesets/baron", Figures(20), Figures(5)),
    row("test rulesets/carolus-magnus", Figures(5)),
    row(f"test {KINGS}", Figures(100), Figures(15)),
    row("fmt --check rulesets", Figures(8.8)),
)


def environment_of(checkout: Path, folder: Path) -> dict[str, str]:
    """The environment in which the commands of a checkout run, with caches and files of their own."""
    folder.mkdir(exist_ok=True)
    return {
        **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
        "PYTHONPATH": os.pathsep.join([str(checkout / "interpreter"), str(checkout / "tools")]),
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
        "RULEWRIGHT_CACHE": str(folder / "cache"),
        "EDITED": str(folder),
    }


def there(words: tuple[str, ...], checkout: Path) -> tuple[str, ...]:
    """A command for a checkout in which rulesets may stand in other folders."""
    found = []
    for word in words:
        elsewhere = () if "/" not in word or (checkout / word).exists() else checkout.rglob(word.rpartition("/")[2])
        found.append(next((str(path.relative_to(checkout)) for path in sorted(elsewhere)), word))
    return tuple(found)


EDITED = "variant-of:"
"""Stands before a ruleset, for a variant of it in a file of its own, in which a number is another one in each run."""
_numbers = count(1)


def edited(word: str, folder: Path) -> str:
    """A word of a command, or the file that it stands for."""
    if not word.startswith(EDITED):
        return word
    path, of = folder / "edited.rules", word.removeprefix(EDITED).replace("-", "_")
    path.write_text(f'variant "Edited" of {of}\n    add param edited = {next(_numbers)}\n', "utf-8")
    return str(path)


def measured(words: tuple[str, ...], checkout: Path, environment: Mapping[str, str]) -> tuple[float, float]:
    """Processor seconds and peak megabytes of one process, whatever else the machine does."""
    for kept in Path(environment["RULEWRIGHT_CACHE"]).glob("check-*.json"):
        kept.unlink()
    process = subprocess.Popen(
        [sys.executable, "-m", "rulewright_tools", *(edited(word, Path(environment["EDITED"])) for word in words)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=checkout,
        env=environment,
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):  # 1: there are findings
        raise SystemExit(f"rulewright {' '.join(words)}: exit code {process.returncode}")
    kilobyte = 1 if sys.platform == "darwin" else 1024  # in which the system counts
    return used.ru_utime + used.ru_stime, used.ru_maxrss * kilobyte / 2**20


def cell(figure: float | None, form: str) -> str:
    return "–" if figure is None else format(figure, form)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("rows", nargs="*", metavar="WORD", help="only rows whose titles have one of these words")
    parser.add_argument("--runs", type=int, default=5, help="runs of each command; the figure is their median")
    parser.add_argument("--baseline", type=Path, help="a checkout of an older version, measured at the same time")
    parser.add_argument("--list", action="store_true", help="print the titles of all rows")
    given = parser.parse_args()
    chosen = [one for one in ROWS if not given.rows or any(word in one.title for word in given.rows)]
    if given.list:
        print("\n".join(one.title for one in ROWS))
        return
    loop = calibrate()
    print(f"calibration loop: {loop:.3f} s; medians of {given.runs} runs\n")
    heads = (
        "s",
        "before",
        "wanted",
        "MB",
        "before",
        "wanted",
        "loops",
        *(("old s", "today") if given.baseline else ()),
    )
    wide = max([len(one.title) for one in chosen], default=0)
    print(f"{'command':<{wide}}" + "".join(f" {head:>7}" for head in heads))
    checkouts = [ROOT, *([given.baseline.resolve()] if given.baseline else [])]
    with tempfile.TemporaryDirectory() as folder:
        environments = [environment_of(path, Path(folder, str(number))) for number, path in enumerate(checkouts)]
        for one in chosen:
            runs = [
                [measured(there(one.words, path), path, environment) for path, environment in sides]
                for sides in [list(zip(checkouts, environments, strict=True))] * (1 + max(given.runs, 1))
            ][1:]  # the first one fills the caches
            seconds, megabytes = (statistics.median(run[0][i] for run in runs) for i in (0, 1))
            cells = [
                cell(seconds, ".2f"),
                cell(one.before.seconds, ".4g"),
                cell(one.wanted.seconds, ".4g"),
                cell(megabytes, ".0f"),
                cell(one.before.megabytes, ".0f"),
                cell(one.wanted.megabytes, ".0f"),
                cell(seconds / loop, ".1f"),
            ]
            if given.baseline:
                old = statistics.median(run[1][0] for run in runs)
                before, wanted = one.before.seconds, one.wanted.seconds
                today = None if before is None or wanted is None else wanted * old / before
                cells += [cell(old, ".2f"), cell(today, ".2f")]
            print(f"{one.title:<{wide}}" + "".join(f" {text:>7}" for text in cells), flush=True)


if __name__ == "__main__":
    main()
