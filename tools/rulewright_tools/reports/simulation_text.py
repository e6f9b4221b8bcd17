"""The figures of many games, for a person."""

from __future__ import annotations

from rich import box
from rich.table import Table

from rulewright_tools.console import out, plural
from rulewright_tools.session.estimates import Lengths, wilson
from rulewright_tools.session.statistics import Statistics


def show(report: dict[str, object], tally: Statistics, timing: dict[str, object], most: int) -> None:
    """The report for a person."""
    console = out()
    lengths = Lengths.of(tally.lengths)
    console.print(f"{plural(tally.games, 'game')}, seed {report['seed']}")
    if tally.games:
        console.print(_wins(tally, report))
        console.print(
            f"decisions a game: mean {float(lengths.mean):.1f}, median {lengths.median}, "
            f"8 of 10 games {lengths.low} to {lengths.high}, all {lengths.least} to {lengths.most}",
        )
        endings = ", ".join(f"{rule or 'no rule'} {times}" for rule, times in tally.endings.most_common())
        console.print(f"ended by: {endings}")
    never = report["never_fired"]
    if isinstance(never, list) and tally.games:
        console.print(f"rules that never fired: {', '.join(never) or 'none'}")
    if tally.unfinished:
        games = plural(tally.unfinished, "game")
        console.print(f"not over after {most} decisions: {games} (the first has seed {tally.endless})")
    for invariant, seed in sorted(tally.broken.items()):
        console.print(f"broken invariant: {invariant} (first in the game of seed {seed})")
    for leak in sorted(tally.leaks.values()):
        console.print(f"secret leaked: {leak.what} (game of seed {leak.seed}, decision {leak.decision})")
    console.print(
        f"{timing['decisions_per_second']} decisions a second, "
        f"{timing['seconds']} s with {plural(int(str(timing['jobs'])), 'job')}",
    )


def _wins(tally: Statistics, report: dict[str, object]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("winner")
    for title in ("games", "share", "95 % interval"):
        table.add_column(title, justify="right")
    seats = report["seats"]
    assert isinstance(seats, list)
    for row in seats:
        low, high = row["interval"]
        table.add_row(row["seat"], str(row["wins"]), f"{row['share']:.1%}", f"{low:.1%} to {high:.1%}")
    shared = [(who, times) for who, times in tally.winners.items() if len(who) > 1]
    shared.sort(key=lambda item: (-item[1], item[0]))
    for who, times in shared:
        low, high = wilson(times, tally.games)
        name = "all (draw)" if len(who) == len(seats) else "together: " + ", ".join(who)
        table.add_row(name, str(times), f"{times / tally.games:.1%}", f"{low:.1%} to {high:.1%}", style="dim")
    return table
