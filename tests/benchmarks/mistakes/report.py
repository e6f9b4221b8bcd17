"""The tables: what was found, by kind."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table

from mistakes.kinds import KINDS
from mistakes.running import Outcome

HEADS = ("Mistake", "made", "findable", "found", "on its line", "share")
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"


@dataclass(frozen=True)
class Row:
    """The figures of a kind. `found` and `right` count only mistakes that a static tool can find."""

    name: str
    made: int
    findable: int
    found: int
    right: int

    @property
    def share(self) -> str:
        """The share of those that can be found that were found on their line."""
        return f"{100 * self.right / self.findable:.0f} %" if self.findable else ""

    def cells(self) -> tuple[str, ...]:
        """The row as texts."""
        return (self.name, *(str(n) for n in (self.made, self.findable, self.found, self.right)), self.share)


def row(name: str, outcomes: Iterable[Outcome]) -> Row:
    """The figures of some outcomes."""
    made = list(outcomes)
    can = [o for o in made if o.injected.mistake.findable]
    return Row(name, len(made), len(can), sum(o.found for o in can), sum(o.right_line for o in can))


def rows(outcomes: Iterable[Outcome]) -> list[Row]:
    """The figures of each kind, in the order of topics; the last row is the total."""
    by_kind: dict[str, list[Outcome]] = {name: [] for name in KINDS}
    for outcome in outcomes:
        by_kind[outcome.injected.kind].append(outcome)
    everything = [o for some in by_kind.values() for o in some]
    return [*(row(name, some) for name, some in by_kind.items() if some), row("all", everything)]


def table(outcomes: Iterable[Outcome]) -> Table:
    """The table for a terminal."""
    made = Table(*HEADS)
    for column in made.columns[1:]:
        column.justify = "right"
    figures = rows(outcomes)
    for one in figures:
        if one is figures[-1]:
            made.add_section()
        made.add_row(*one.cells())
    return made


def markdown(outcomes: Iterable[Outcome]) -> str:
    """The table for a page, with the rulesets that it is about."""
    outcomes = list(outcomes)
    where = Counter(o.injected.ruleset.name for o in outcomes)
    about = f"{len(outcomes)} mistakes: " + ", ".join(f"{where[name]} in {name}" for name in sorted(where)) + "."
    lines = [" | ".join(HEADS), "|".join([":--", *["--:"] * (len(HEADS) - 1)])]
    lines += [" | ".join(one.cells()) for one in rows(outcomes)]
    return about + "\n\n" + "\n".join(f"| {line} |" if "--:" not in line else f"|{line}|" for line in lines) + "\n"


def between_marks(page: str, text: str) -> str:
    """The page with `text` between its two marks."""
    if BEGIN not in page or END not in page:
        raise ValueError(f"the page has no `{BEGIN}` and `{END}`")
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{text}{END}{rest.partition(END)[2]}"


def kinds_on(page: str) -> list[str]:
    """The kinds that the table of a page has."""
    inside = page.partition(BEGIN)[2].partition(END)[0]
    return [m[1].strip() for m in re.finditer(r"^\| ([^|]+) \|", inside, re.MULTILINE)][1:-1]


def missed(outcomes: Iterable[Outcome]) -> list[str]:
    """Each mistake that could be found and was not, or not on its line, as text of several lines."""
    texts = []
    for o in outcomes:
        m = o.injected.mistake
        if m.findable and not o.right_line:
            place = m.places[0]
            lines = [f"{o.injected.kind}: {o.injected.ruleset.name}/{place.file}:{place.line}"]
            lines += [f"    was: {m.before}", f"    is:  {m.after}"]
            lines += [f"    told: {t.file}:{t.line} {t.code} {t.message}" for t in o.told[:4]]
            if not o.told:
                lines.append("    crash" if o.crash else "    nothing was told")
            texts.append("\n".join(lines))
    return texts


def crashes(outcomes: Iterable[Outcome]) -> list[str]:
    """The mistakes at which the checker itself broke."""
    return [
        f"{o.injected.kind}: {o.injected.ruleset.name}/{o.injected.mistake.places[0].file}\n{o.crash}"
        for o in outcomes
        if o.crash
    ]


def write_page(path: Path, outcomes: Iterable[Outcome]) -> None:
    """Put the table into a page."""
    page = between_marks(path.read_text(encoding="utf-8"), markdown(outcomes))
    part = path.with_name(path.name + ".part")
    part.write_text(page, encoding="utf-8")
    part.replace(path)
