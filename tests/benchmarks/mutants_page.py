"""Writes the tables of docs/mutants.md from reports of ``rulewright mutate``.

rulewright mutate domaine --sample 100 --jobs 2 --format json > domaine.json
python tests/benchmarks/mutants_page.py domaine.json …
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

PAGE = Path(__file__).parents[2] / "docs" / "mutants.md"
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"
STAGES = ("check", "scenarios", "games", "fuzzer")
HEADS = ("mutants", *STAGES, "survived", "no difference", "same game", "score", "played")


def main(reports: Annotated[list[Path], typer.Argument(help="Reports as JSON.")]) -> None:
    """Put the figures of some reports into docs/mutants.md."""
    data = [json.loads(path.read_text("utf-8")) for path in reports]
    write_page(PAGE, tables(data))


def tables(reports: list[dict[str, Any]]) -> str:
    """A table of the rulesets, and one of the operators in all of them."""
    drawn = ", ".join(f"{r['judged']} of {r['possible']} in {r['ruleset']}" for r in reports)
    mutants = [mutant for report in reports for mutant in report["mutants"]]
    by_operator: dict[str, list[dict[str, Any]]] = {}
    for mutant in mutants:
        by_operator.setdefault(mutant["operator"], []).append(mutant)
    rulesets = [figures(r["ruleset"], r["mutants"]) for r in reports]
    operators = [figures(name, by_operator[name]) for name in sorted(by_operator)]
    parts = [f"{drawn}.", table("Ruleset", [*rulesets, figures("all", mutants)]), table("Operator", operators)]
    return "\n\n".join(parts) + "\n"


def figures(name: str, mutants: list[dict[str, Any]]) -> tuple[str, ...]:
    """A row: its name and the figures of some mutants."""
    stages = Counter(m["stage"] for m in mutants if m["stage"])
    outcomes = Counter(m["outcome"] for m in mutants)
    caught, lost = outcomes["caught"], outcomes["survived"]
    numbers = (
        len(mutants), *(stages[s] for s in STAGES), lost, outcomes["unchanged"], outcomes["equivalent"],
    )  # fmt: skip
    return (name, *map(str, numbers), share(caught, lost), share(caught - stages["check"], lost))


def share(caught: int, lost: int) -> str:
    """How many were caught of those that are another game."""
    return f"{100 * caught / (caught + lost):.0f} %" if caught + lost else ""


def table(head: str, rows: list[tuple[str, ...]]) -> str:
    """A table in Markdown."""
    lines = [" | ".join((head, *HEADS)), "|".join([":--", *["--:"] * len(HEADS)])]
    lines += [" | ".join(row) for row in rows]
    return "\n".join(f"|{line}|" if ":--|" in line else f"| {line} |" for line in lines)


def write_page(path: Path, text: str) -> None:
    """Put the tables between the two marks of a page."""
    page = path.read_text("utf-8")
    if BEGIN not in page or END not in page:
        raise ValueError(f"the page has no `{BEGIN}` and `{END}`")
    before, _, rest = page.partition(BEGIN)
    part = path.with_name(path.name + ".part")
    part.write_text(f"{before}{BEGIN}\n{text}{END}{rest.partition(END)[2]}", "utf-8")
    part.replace(path)


if __name__ == "__main__":
    typer.run(main)
