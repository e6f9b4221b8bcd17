"""Writes the tables of docs/reference/mutants.md from reports of ``rulewright mutate``.

rulewright mutate domaine --limit 150 --jobs 2 --time 600 --format json > domaine.json
python tests/benchmarks/mutants_page.py domaine.json …
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "mutants.md"
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"
STAGES = ("errors", "scenarios", "check", "games", "fuzzer")
HEADS = ("mutants", *STAGES, "survived", "no difference", "same game", "score", "played")


def main(reports: Annotated[list[Path], typer.Argument(help="Reports as JSON.")]) -> None:
    """Put the figures of some reports into docs/reference/mutants.md."""
    data = [json.loads(path.read_text("utf-8")) for path in reports]
    write_page(PAGE, tables(data))


def tables(reports: list[dict[str, Any]]) -> str:
    """The samples, a table of the rulesets, one of the operators in all of them, and what was not caught."""
    samples = table("Ruleset", [sample(r) for r in reports], ("mutants", "sample", "seed", "judged in time", "score"))
    mutants = [mutant for report in reports for mutant in report["mutants"]]
    by_operator: dict[str, list[dict[str, Any]]] = {}
    for mutant in mutants:
        by_operator.setdefault(mutant["operator"], []).append(mutant)
    rulesets = [figures(r["ruleset"], r["mutants"]) for r in reports]
    operators = [figures(name, by_operator[name]) for name in sorted(by_operator)]
    parts = [samples, table("Ruleset", [*rulesets, figures("all", mutants)]), table("Operator", operators)]
    parts += [missed("Survived", "survived", reports), missed("No difference in any game", "unchanged", reports)]
    return "\n\n".join(parts) + "\n"


def sample(report: dict[str, Any]) -> tuple[str, ...]:
    """The number of mutants, of those drawn, the seed, and the number judged in the time given."""
    score = "" if report["score"] is None else f"{100 * report['score']:.0f} %"
    return (report["ruleset"], *(str(report[key]) for key in ("possible", "wanted", "seed", "judged")), score)


def missed(title: str, outcome: str, reports: list[dict[str, Any]]) -> str:
    """All mutants of an outcome, ruleset by ruleset, each with its change."""
    lines = [
        f"- {r['ruleset']} `{m['id']}`: `{m['before']}` → {'`' + m['after'] + '`' if m['after'] else 'left out'}"
        for r in reports
        for m in sorted(r["mutants"], key=lambda m: (m["file"], m["line"], m["id"]))
        if m["outcome"] == outcome
    ]
    return f"**{title}: {len(lines)}.**" + "".join(["\n\n", "\n".join(lines)] if lines else [])


def figures(name: str, mutants: list[dict[str, Any]]) -> tuple[str, ...]:
    """A row: its name and the figures of some mutants."""
    stages = Counter(m["stage"] for m in mutants if m["stage"])
    outcomes = Counter(m["outcome"] for m in mutants)
    caught, lost = outcomes["caught"], outcomes["survived"]
    played = caught - stages["errors"] - stages["check"]
    numbers = (
        len(mutants), *(stages[s] for s in STAGES), lost, outcomes["unchanged"], outcomes["equivalent"],
    )  # fmt: skip
    return (name, *map(str, numbers), share(caught, lost), share(played, lost + stages["check"]))


def share(caught: int, lost: int) -> str:
    """The share of those caught that are another game."""
    return f"{100 * caught / (caught + lost):.0f} %" if caught + lost else ""


def table(head: str, rows: list[tuple[str, ...]], heads: tuple[str, ...] = HEADS) -> str:
    """A table in Markdown."""
    lines = [" | ".join((head, *heads)), "|".join([":--", *["--:"] * len(heads)])]
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
