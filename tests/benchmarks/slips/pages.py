"""Writes what came out into the page about mistakes."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from slips.collection import collection
from slips.judging import Outcome
from slips.tables import Row, by_analysis, by_half, by_kind, told_by

BEGIN, END = "<!-- slips: begin -->", "<!-- slips: end -->"


def write_page(page: Path, outcomes: Sequence[Outcome]) -> None:
    """Put the tables between the marks of a page."""
    text = page.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n{made(outcomes)}{END}{after}", "utf-8")


def made(outcomes: Sequence[Outcome]) -> str:
    """The tables as Markdown."""
    lines = [measured(outcomes), "", *_rows("half", by_half(outcomes)), "", *_rows("kind", by_kind(outcomes)), ""]
    lines += ["| kind | told by |", "|:--|:--|"]
    lines += [f"| {kind} | {', '.join(codes) or 'nothing'} |" for kind, codes in told_by(outcomes).items()] + [""]
    lines += ["| analysis | causes | alone | misleading | false alarms |", "|:--|--:|--:|--:|--:|"]
    for one in by_analysis(outcomes):
        lines.append(f"| {one.code} | {one.causes} | {one.alone} | {one.misleading} | {one.false_alarms} |")
    return "\n".join(lines) + "\n"


def measured(outcomes: Sequence[Outcome]) -> str:
    """Tell which part of the collection was examined, if it was not all of it."""
    games = Counter(one.slip.game for one in outcomes)
    of_all = Counter(slip.game for slip in collection())
    parts = ", ".join(f"{count} of {of_all[game]} in {game}" for game, count in sorted(games.items()))
    left_out = sorted(set(of_all) - set(games))
    missing = f" Not examined for this table: {', '.join(left_out)}." if left_out else ""
    return textwrap.fill(f"{len(outcomes)} of {of_all.total()} slips: {parts}.{missing}", 120)


def _rows(head: str, rows: Sequence[Row]) -> list[str]:
    lines = [
        f"| {head} | made | cause | of these folded | symptom | misleading | silent | false alarms | processor time |",
        "|:--|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for one in rows:
        counts = (one.slips, one.cause, one.folded, one.symptom, one.misleading, one.silent, one.false_alarms)
        lines.append(f"| {one.name} | {' | '.join(map(str, counts))} | {one.seconds:.0f} s |")
    return lines


__all__ = ["made", "measured", "write_page"]
