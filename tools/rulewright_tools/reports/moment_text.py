"""Moments to confirm, as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.text import Text

import rulewright as rw
from rulewright_tools.console import plural

WIDEST = 100
"""A clause is cut off behind so many characters."""


def head(moment: rw.confirmation.Moment, number: int, statements: Mapping[str, str]) -> Iterator[Text]:
    """The clause that a moment is about, with the words of its author and of the rulebook."""
    yield Text()
    place = f"{moment.span.file}:{moment.span.line}"
    yield Text.assemble((f"{number}  ", "bold"), (clause(moment.clause), "bold"), ("  " + place, "dim"))
    for line in moment.comment:
        yield Text(f"   # {line}", style="dim")
    for cite in moment.cites:
        if cite in statements:
            yield Text(f"   @{cite} {statements[cite]}", style="dim")


def story(moment: rw.confirmation.Moment) -> Iterator[Text]:
    """The course of a moment, line by line."""
    for line in moment.position:
        yield Text(f"   {line}", style="dim")
    for line in moment.events:
        yield Text(f"   → {line}")
    for line in moment.measures:
        yield Text(f"   = {line}")
    for line in moment.unchanged:
        yield Text(f"   = {line}")
    if moment.question:
        yield Text(f"   ? {moment.question}")
    elif not moment.over:
        yield Text("   … here the procedure is over; the game goes on", style="dim")


def answers(several: Sequence[rw.confirmation.Alternative]) -> Iterator[Text]:
    """The other outcomes, numbered, each with its clause."""
    for number, one in enumerate(several, start=1):
        yield Text.assemble((f"   {number}  ", "bold"), "; ".join(one.instead))
        yield Text(f"      {clause(one.clause) or 'without this line'}", style="dim")


def clause(text: str) -> str:
    """A clause on one line, cut off where it is too long to be read at a glance."""
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 1]}…"


def census(found: rw.confirmation.Confirmation) -> Iterator[Text]:
    """Uses of the changed rules, and the changes that make no difference."""
    for use in found.census:
        if use.turns == 0:
            yield Text(f"never used in {plural(found.games, 'game')}: {use.rule}", style="yellow")
        else:
            seats = ", ".join(f"{name} {times}" for name, times in use.seats)
            often = f"in {plural(use.turns, 'turn')} of {plural(use.games, 'game')}"
            yield Text(f"{use.rule}: {often}{f' ({seats})' if seats else ''}", style="dim")
    for one in found.same:
        what = f"`{clause(one.before)}` could be {f'`{clause(one.after)}`' if one.after else 'left out'}"
        yield Text(f"makes no difference ({one.span.file}:{one.span.line}): {what}", style="dim")


def tried(found: rw.confirmation.Confirmation) -> str:
    """The line about what was done."""
    what = f"{found.title} with {', '.join(found.variants)}" if found.variants else found.title
    rest = f", {plural(found.left, 'change')} not tried" if found.left else ""
    left = f"{rest}: partial, time was over" if found.partial else ""
    kept = f", {found.proved} of them caught by scenarios" if found.proved else ""
    if not found.moments and not found.proved:
        return f"{what}: no moment was found in {plural(found.games, 'game')}{left} ({found.seconds:.0f} s)"
    made = f"{plural(len(found.moments), 'moment')} from {plural(found.games, 'game')}"
    changes = f"{plural(found.tried, 'small change')} tried{kept}{left}"
    return f"{what}, {plural(found.players, 'player')}: {made}, {changes} ({found.seconds:.0f} s)"
