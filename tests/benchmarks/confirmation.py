"""Slips of meaning, and whether moments to confirm show them.

python tests/benchmarks/confirmation.py run slips.jsonl FOLDER…
python tests/benchmarks/confirmation.py table slips.jsonl [--markdown]
python tests/benchmarks/confirmation.py weights slips.jsonl

A folder holds pairs: `NAME.rules` and `NAME-right.rules`, or folders `NAME` and `NAME-right` with whole games. The
moments of each wrong version are kept as scenarios, unseen by anybody who knows the right one; a slip is *shown* if one
of them fails by the right version: an author who looks at that moment sees something that contradicts what they meant.
A scenario that cannot be laid out by the right version shows nothing. The file is a record: a run that was interrupted
goes on. Seconds are those of the processor.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

import rulewright as rw
from rulewright.findings.confirmation import Confirmation, confirm

app = typer.Typer(add_completion=False)


def pairs(folder: Path) -> Iterator[tuple[Path, Path]]:
    """The wrong and the right version of each slip."""
    for right in sorted(folder.iterdir()):
        name = right.name.removesuffix(".rules")
        if name.endswith("-right"):
            yield folder / right.name.replace("-right", ""), right


def shown_by(confirmation: Confirmation, right: Path) -> tuple[list[int], list[int], list[str]]:
    """The places of the moments that fail by the right version, of those that cannot be laid out by it, and why they
    fail."""
    ruleset, _ = rw.opened(right) if hasattr(rw, "opened") else _opened(right)
    failed, unknown, why = list[int](), list[int](), list[str]()
    for place, one in enumerate(confirmation.moments, start=1):
        if not one.scenario:
            unknown.append(place)
            continue
        try:
            failure = rw.playing.scenario_game(ruleset, one.scenario).failure
        except rw.RulesetError:
            unknown.append(place)
            continue
        if failure is not None:
            failed.append(place)
            why.append(failure.message)
    return failed, unknown, why


def _opened(path: Path) -> Any:
    from rulewright.data.opening import opened

    return opened(path, ())


def slip(wrong: Path, right: Path, seconds: float) -> dict[str, Any]:
    """The record of one slip."""
    found = confirm(wrong, seconds=seconds)
    failed, unknown, why = shown_by(found, right)
    operators = [[one.mutant.operator for one in moment.alternatives] for moment in found.moments]
    return {
        "slip": wrong.stem,
        "moments": len(found.moments),
        "shown": failed,
        "unknown": unknown,
        "why": why[:1],
        "seconds": round(found.seconds, 1),
        "tried": found.tried,
        "left": found.left,
        "same": len(found.same),
        "episodes": found.episodes,
        "operators": operators,
    }


@app.command()
def run(record: Path, folders: list[Path], seconds: Annotated[float, typer.Option()] = 30.0) -> None:
    """Search all pairs of some folders."""
    known = {(one["folder"], one["slip"]) for one in _records(record)}
    made = [(folder, *pair) for folder in folders for pair in pairs(folder)]
    for folder, wrong, right in track(made, console=Console(stderr=True)):
        if (folder.name, wrong.stem) in known:
            continue
        try:
            found = slip(wrong, right, seconds)
        except rw.RulesetError as error:
            found = {"slip": wrong.stem, "error": str(error.diagnostics[0].message), "moments": 0, "shown": []}
        with record.open("a") as file:
            file.write(json.dumps({"folder": folder.name, **found}) + "\n")


def _records(record: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in record.read_text().splitlines()] if record.exists() else []


@app.command()
def table(record: Path, markdown: Annotated[bool, typer.Option("--markdown")] = False) -> None:
    """The shares of each folder."""
    rows = []
    for folder in dict.fromkeys(one["folder"] for one in _records(record)):
        some = [one for one in _records(record) if one["folder"] == folder]
        shown = [one for one in some if one["shown"]]
        places = [one["shown"][0] for one in shown]
        rows.append(
            (
                folder,
                str(len(some)),
                f"{len(shown)} ({round(100 * len(shown) / len(some))} %)",
                f"{sum(place <= 3 for place in places)}",
                str(median(one["moments"] for one in some)),
                str(max(one["moments"] for one in some)),
                f"{median(one.get('seconds', 0) for one in some)}",
                f"{max(one.get('seconds', 0) for one in some)}",
            )
        )
    heads = ("folder", "slips", "shown", "among the first three", "moments (median)", "(most)", "s (median)", "(most)")
    if markdown:
        lines = [heads, tuple("--" for _ in heads), *rows]
        sys.stdout.write("".join(f"| {' | '.join(row)} |\n" for row in lines))
        return
    shown_table = Table(*heads)
    for row in rows:
        shown_table.add_row(*row)
    Console().print(shown_table)
    for one in _records(record):
        if not one["shown"]:
            Console().print(f"not shown: {one['folder']}/{one['slip']} {one.get('error', '')}", highlight=False)


@app.command()
def weights(record: Path) -> None:
    """The share of the moments with each operator that showed a slip."""
    shown, all_ = Counter[str](), Counter[str]()
    for one in _records(record):
        for place, operators in enumerate(one.get("operators", []), start=1):
            for operator in set(operators):
                all_[operator] += 1
                shown[operator] += place in one["shown"]
    for operator, times in all_.most_common():
        sys.stdout.write(f"{operator}: {shown[operator]} of {times}, {(1 + shown[operator]) / (2 + times):.2f}\n")


if __name__ == "__main__":
    app()
