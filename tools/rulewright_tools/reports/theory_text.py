"""The kind of game that rules make, for a person."""

from __future__ import annotations

from fractions import Fraction

from rich import box
from rich.table import Table

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools.console import out, plural

_BY = {
    "rules": "by the rules",
    "all positions": "by all positions",
    "an example": "by an example",
    "games at random": "seen in games at random, not proved",
}


def theory(game: rw.Game, found: lab.theory.GameTheory) -> None:
    """The table of game theory."""
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=game.title, title_justify="left")
    for column in ("property", "value", "known"):
        made.add_column(column)
    own = "by the rules"
    longest, most = found.longest.value, found.options.value
    rows = [
        ("players", str(found.players), own),
        ("information", "perfect" if found.perfect_information else "imperfect", own),
        ("chance", _yes(found.chance), own),
        ("simultaneous moves", _yes(found.simultaneous), own),
        ("payoffs", f"{_range(found.payoffs.value)}, {'paid by rules' if found.pays else 'from the places'}",
         _BY[found.payoffs.by]),
        ("sum of payoffs", f"{found.sum_kind} sum" + _sum(found), _BY[found.sum.by]),
        ("longest game", _length(longest, found.longest.by),
         _BY[found.longest.by]),
        ("most options", str(most), _BY[found.options.by]),
    ]  # fmt: skip
    if found.positions is not None:
        rows.append(("positions", f"{found.positions:,}", "by all positions"))
    if found.measures:
        rows.append(("measures", ", ".join(found.measures), own))
    for row in rows:
        made.add_row(*row)
    out().print(made)


def _length(decisions: int | None, by: str) -> str:
    if decisions is None:
        return "unbounded: positions can come again"
    return {"rules": "at most ", "games at random": "at least "}.get(by, "") + plural(decisions, "decision")


def _yes(truth: bool) -> str:
    return "yes" if truth else "no"


def _range(ends: tuple[Fraction, Fraction]) -> str:
    return f"{ends[0]} to {ends[1]}"


def _sum(found: lab.theory.GameTheory) -> str:
    least, most = found.sum.value
    return "" if found.sum_kind == "zero" else f", {least}" if least == most else f", {_range((least, most))}"
