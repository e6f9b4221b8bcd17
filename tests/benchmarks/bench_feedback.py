"""The wait for an answer: commands as cold processes, in turn with those of an older version. Asserts nothing.

    python tests/benchmarks/bench_feedback.py                       all rows of this checkout
    python tests/benchmarks/bench_feedback.py --baseline            beside the last release
    python tests/benchmarks/bench_feedback.py --baseline 1b9d0827   beside a commit, a tag, or a folder
    python tests/benchmarks/bench_feedback.py check help            rows whose titles have one of these words
    python tests/benchmarks/bench_feedback.py --short --runs 0      what CI prints, in about two minutes: counts only
    python tests/benchmarks/bench_feedback.py --list                the titles

Each version runs its own rulesets with this Python and its packages, and has a cache of its own. *Cold* is a command
with nothing kept but the tables of the parser, *warm* the same once more, *edited* after a line was added to the rules,
*variant* is a file with a variant of one line, another one in each run. Seconds are those of the processor, user and
system, medians of the runs; megabytes the peak of a process.

Machines differ, and one machine from hour to hour; work does not. So work is counted once more for each row, by the
processor or as calls of functions (work_done.py), and where the count has grown by more than a tenth the row is marked.
"""

from __future__ import annotations

import argparse
import io
import os
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from work_done import InstructionCounter, Work, instruction_counter, work_of

ROOT = Path(__file__).resolve().parents[2]
CHECKOUTS = ROOT / "build" / "baseline"
BASELINE = "1b9d0827"
"""The commit that stands for the last release as long as there is none."""
GROWN = 1.1
"""The ratio of counts from which a row is marked."""
GAMES = ("carolus-magnus", "domaine", "loewenherz", "baron", "kings-and-things")


@dataclass(frozen=True)
class Row:
    """A command, and the state of its cache and files: cold, warm, edited, or a variant."""

    words: tuple[str, ...]
    state: str = "warm"
    short: bool = False
    """Among those of ``--short``."""

    @property
    def title(self) -> str:
        return " ".join((*self.words, f"({self.state})") if len(self.words) > 1 else self.words)


def rows() -> list[Row]:
    """All rows; a warm one comes after the cold one of its command."""
    found = [
        Row(("--help",), short=True),
        Row(("explain", "REF001")),
        Row(("demo", "rulesets/carolus-magnus"), short=True),
        Row(("fmt", "--diff", "rulesets")),
    ]
    for game in GAMES:
        large = game == GAMES[-1]
        check, test = ("check", f"rulesets/{game}"), ("test", f"rulesets/{game}")
        found += [
            Row(check, "cold", True),
            Row(check, "warm", large),
            Row(check, "edited"),
            Row(check, "variant", large),
        ]
        found += [Row(test, "cold", game == GAMES[0]), Row(test)]
    return found


@dataclass
class Side:
    """A checkout, with a folder for its cache and the files that are edited."""

    checkout: Path
    folder: Path
    kept: set[tuple[str, ...]] = field(default_factory=set)
    """Commands that were run since the cache was emptied."""
    numbers: count[int] = field(default_factory=lambda: count(1))

    @property
    def cache(self) -> Path:
        return self.folder / "cache"

    @property
    def environment(self) -> dict[str, str]:
        left_out = {"PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX"}
        return {
            **{name: value for name, value in os.environ.items() if name not in left_out},
            "PYTHONPATH": os.pathsep.join([str(self.checkout / "interpreter"), str(self.checkout / "tools")]),
            "PYTHONHASHSEED": "0",
            "RULEWRIGHT_CACHE": str(self.cache),
        }

    def run(self, words: Sequence[str], counter: InstructionCounter | None = None, calls: Path | None = None) -> Work:
        """Run a command; ``demo`` is a module of its own."""
        module = "rulewright_tools"
        if words[0] == "demo":
            module, words = "rulewright_tools.commands.demo", words[1:]
        return work_of(module, words, self.checkout, self.environment, counter, calls)

    def set_up(self, row: Row) -> tuple[str, ...]:
        """The words of a command, after cache and files were brought into the state of its row."""
        *head, path = row.words
        if row.state == "cold":
            if not self.cache.exists():  # no tables of the parser, and hardly any bytecode
                self.run(("check", "rulesets/tic-tac-toe"))
            self.kept.clear()
            for entry in self.cache.glob("*"):
                if entry.is_dir():
                    shutil.rmtree(entry)
                elif not entry.name.startswith("grammar-"):
                    entry.unlink()
        elif row.words not in self.kept:
            self.run(row.words)
        self.kept.add(row.words)
        if row.state == "variant":
            file = self.folder / "variant.rules"
            of = Path(path).name.replace("-", "_")
            file.write_text(f'variant "Edited" of {of}\n    add param edited = {next(self.numbers)}\n', "utf-8")
            return (*head, str(file))
        if row.state == "edited":
            copy = self.folder / "edited" / Path(path).name
            if not copy.exists():
                shutil.copytree(self.checkout / path, copy)
                self.run((*head, str(copy)))
            rules = sorted(copy.glob("*.rules"))[0]
            with rules.open("a", encoding="utf-8") as file_of_rules:
                file_of_rules.write(f"\nparam edited_{next(self.numbers)} = 1\n")
            return (*head, str(copy))
        return row.words


def commit_of(name: str, repository: Path = ROOT) -> str | None:
    """The full hash of a commit or tag, None where it is not to be had (a shallow clone, or no repository)."""
    found = subprocess.run(
        ["git", "-C", str(repository), "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}"],
        capture_output=True,
        text=True,
    )
    return found.stdout.strip() or None


def last_release(repository: Path = ROOT) -> str:
    """The last tag before this commit, or the commit that stands for it."""
    words = ["git", "-C", str(repository), "describe", "--tags", "--abbrev=0", "HEAD^"]
    return subprocess.run(words, capture_output=True, text=True).stdout.strip() or BASELINE


def checked_out(commit: str, repository: Path = ROOT, checkouts: Path = CHECKOUTS) -> Path:
    """A folder with the files of a commit, which is kept for the next call."""
    folder = checkouts / commit[:12]
    if not folder.is_dir():
        checkouts.mkdir(parents=True, exist_ok=True)
        packed = subprocess.run(["git", "-C", str(repository), "archive", commit], capture_output=True, check=True)
        with tempfile.TemporaryDirectory(dir=checkouts) as new, tarfile.open(fileobj=io.BytesIO(packed.stdout)) as tar:
            tar.extractall(new, filter="data")
            shutil.copytree(new, folder, symlinks=True)
    return folder


def measured(row: Row, sides: Sequence[Side], runs: int, counter: InstructionCounter | None) -> list[Work | None]:
    """The work of a row for each side, in turn; None for a side that does not know the command."""
    found: list[list[Work]] = [[] for _ in sides]
    for number in range(max(runs, 1) if counter else runs + 1):
        for side, works in zip(sides, found, strict=True):
            calls = None if counter or number < runs else side.folder / "calls"
            try:
                works.append(side.run(side.set_up(row), counter, calls))
            except RuntimeError as error:
                print(f"{side.checkout.name}: {error}", file=sys.stderr)
    return [median_work(works) for works in found]


def median_work(works: Sequence[Work]) -> Work | None:
    """One figure of each kind; seconds are those of runs in which no calls were counted, if there are any."""
    if not works:
        return None
    timed = [work for work in works if work.count is None] or works
    counts = [work.count for work in works if work.count is not None]
    return Work(
        statistics.median(work.seconds for work in timed),
        statistics.median(work.megabytes for work in timed),
        round(statistics.median(counts)) if counts else None,
    )


def cells(row: Row, works: Sequence[Work | None]) -> list[str]:
    """The cells of a row of the table: each figure for each side, and its ratio to that of the baseline."""
    found = [f"`{row.title}`"]
    for figure, form in (("count", ",.2f"), ("seconds", ".2f"), ("megabytes", ".0f")):
        values = [None if work is None else getattr(work, figure) for work in works]
        shown = [None if value is None else value / 1e6 if figure == "count" else value for value in values]
        found += ["–" if value is None else format(value, form) for value in shown]
        if len(shown) > 1:
            now, old = shown
            ratio = now / old if now is not None and old else None
            mark = " **grown**" if figure == "count" and ratio is not None and ratio > GROWN else ""
            found.append("–" if ratio is None else f"{ratio:.2f}{mark}")
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("rows", nargs="*", metavar="WORD", help="only rows whose titles have one of these words")
    parser.add_argument("--runs", type=int, default=3, help="timed runs of each command; the figure is their median")
    parser.add_argument(
        "--baseline", nargs="?", const="", metavar="COMMIT", help="a commit, tag or folder; without it the last release"
    )
    parser.add_argument("--short", action="store_true", help="only the rows that CI prints")
    parser.add_argument("--list", action="store_true", help="print the titles of all rows")
    given = parser.parse_args(arguments)
    chosen = [one for one in rows() if one.short or not given.short]
    chosen = [one for one in chosen if not given.rows or any(word in one.title for word in given.rows)]
    if given.list:
        print("\n".join(one.title for one in chosen))
        return
    checkouts = [ROOT]
    if given.baseline is not None:
        name = given.baseline or last_release()
        if Path(name).is_dir():
            checkouts.append(Path(name).resolve())
        elif (commit := commit_of(name)) is not None:
            checkouts.append(checked_out(commit))
        elif given.baseline:
            parser.error(f"there is no commit or folder {name}")
        else:
            print(f"Commit {name} is not in this clone (git fetch --unshallow brings it): there is nothing to compare")
            return
    counter = instruction_counter()
    counted = "millions of instructions" if counter else "millions of calls of functions"
    timed = f"seconds are medians of {given.runs} runs" if given.runs else "seconds are those with counting"
    print(f"Counted: {counted}; {timed}.\n")
    heads = ["command"]
    for head in ("counted", "s", "MB"):
        heads += [head, *(["baseline", "÷"] if len(checkouts) > 1 else [])]
    print("| " + " | ".join(heads) + " |\n" + "|---" * len(heads) + "|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        sides = [Side(path, Path(folder, str(number))) for number, path in enumerate(checkouts)]
        for side in sides:
            side.folder.mkdir()
        for one in chosen:
            print("| " + " | ".join(cells(one, measured(one, sides, given.runs, counter))) + " |", flush=True)


if __name__ == "__main__":
    main()
