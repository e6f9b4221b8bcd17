"""The figures of many games, for a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from rich import box
from rich.table import Table

import rulewright as rw
from rulewright_tools.console import out, plural
from rulewright_tools.session.estimates import Lengths, Spread, wilson
from rulewright_tools.session.statistics import Outcome, Statistics
from rulewright_tools.session.suspicions import Series, Suspicion


def title(game: rw.Game, options: Sequence[tuple[str, str]]) -> str:
    """The game in words: title, players, variants, options."""
    settings = (f"{name} = {value}" for name, value in options)
    return ", ".join((game.title, plural(game.players, "player"), *game.variants, *settings))


def head(game: rw.Game, options: Sequence[tuple[str, str]], games: int, seed: int) -> str:
    """The line before the games are played."""
    return f"{title(game, options)}: {plural(games, 'game')}, seed {seed}"


def figures(report: dict[str, object], series: Series, games: int, suspicions: Sequence[Suspicion]) -> None:
    """The figures of one number of players."""
    console, tally = out(), series.tally
    lengths = Lengths.of(tally.lengths)
    if tally.games + tally.unfinished < games:
        console.print(f"stopped after {plural(tally.games + tally.unfinished, 'game')} of {games}; so far:")
    if tally.games:
        console.print(_wins(tally, series.game))
        payoffs = {seat: tally.payoff(seat) for seat in series.game.seats}
        console.print(_spreads("payoff", payoffs))
        if tally.measures:
            console.print()
            named = {f"{name} of {seat}" if seat else name: of for (name, seat), of in tally.measures.items()}
            console.print(_spreads("measure", {name: Spread.of(numbers) for name, numbers in named.items()}))
        console.print()
        console.print(
            f"decisions a game: mean {float(lengths.mean):.1f}, median {lengths.median}, "
            f"8 of 10 games {lengths.low} to {lengths.high}, all {lengths.least} to {lengths.most}",
        )
        endings = ", ".join(f"{rule or 'no rule'} {times}" for rule, times in tally.endings.most_common())
        console.print(f"ended by: {endings}")
        for words, key in (("never fired", "never_fired"), ("cannot fire as the parameters are set", "cannot_fire")):
            rules = report[key]
            assert isinstance(rules, list)
            if rules or key == "never_fired":
                console.print(f"rules that {words}: {', '.join(rules) or 'none'}")
    console.print(_checked(series))
    for name, group in groupby(sorted(tally.broken.items()), lambda one: one[0].partition(" (")[0]):
        found = [(broken.removeprefix(name)[2:-1], seed) for broken, seed in group]
        of = ", ".join(member for member, _ in found if member)
        first = min(seed for _, seed in found)
        console.print(f"does not hold: {name}{of and f' for {of}'} (first in the game of seed {first})")
    if tally.looked_at:
        leaks = f"{plural(len(tally.leaks), 'choice')} revealed a secret" if tally.leaks else "no secret was revealed"
        console.print(f"views checked at {plural(tally.looked_at, 'decision')}: {leaks}")
    for leak in sorted(tally.leaks.values()):
        console.print(f"secret leaked: {leak.what} (game of seed {leak.seed}, decision {leak.decision})")
    _warn(suspicions)
    console.print()


def story(name: str, found: rw.fuzzing.Story) -> None:
    """The changes that broke an invariant or property, and the scenario that shows it."""
    for cause in found.causes:
        out().print(f"{name} is broken since {cause.message}", markup=False)
    if found.scenario:
        out().print(f"this scenario shows that {name} is broken:\n\n{found.scenario}", markup=False, soft_wrap=True)


def end(suspicions: Sequence[Suspicion], speed: dict[str, object]) -> None:
    """The lines about all games together."""
    _warn(suspicions)
    jobs = plural(int(str(speed["jobs"])), "job")
    rate = float(str(speed["decisions_per_second"]))
    if rate:
        speed_text = f"{rate:.0f} decisions a second" if rate >= 10 else f"a decision takes {1 / rate:.1f} s"
        out().print(f"{speed_text}, {speed['seconds']} s with {jobs}")


def _warn(suspicions: Sequence[Suspicion]) -> None:
    for one in suspicions:
        word, style = ("accepted", "") if one.accepted else ("warning", "yellow")
        out().print(f"{word}: {one.message}", style=style)


def _checked(series: Series) -> str:
    tally = series.tally
    played = tally.games + tally.unfinished
    if not series.game.has_assertions:
        return "there are no invariants and no properties to check"
    if not tally.checked:
        return "invariants and properties were not checked"
    games = "all games" if tally.checked == played else f"{tally.checked} of {plural(played, 'game')}"
    broken = f"{len(tally.broken)} broken" if tally.broken else "all hold"
    return f"invariants and properties checked in {games}: {broken}"


def _wins(tally: Statistics, game: rw.Game) -> Table:
    """A row for each way to end: every game is in one of them, so that the shares add up."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("winner")
    for title in ("games", "share", "95 % interval"):
        table.add_column(title, justify="right")
    teams = {frozenset(seats): team for team, seats in game.model.teams.items()}
    sides = [tuple(seats) for seats in game.model.teams.values()] or [(seat,) for seat in game.seats]
    expected = [Outcome(side, False) for side in sides]
    others = [one for one in tally.ordered() if one not in expected]
    for one in (*expected, *others):
        times = tally.outcomes[one]
        low, high = wilson(times, tally.games)
        style = "dim" if one.how in ("together", "drawn") and frozenset(one.first) not in teams else ""
        name = _named(one, game, teams)
        table.add_row(name, str(times), f"{times / tally.games:.1%}", f"{low:.1%} to {high:.1%}", style=style)
    return table


def _spreads(head: str, rows: Mapping[str, Spread]) -> Table:
    """A row for each number that games gave: what they were worth to a seat, a measure at their end."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False)
    table.add_column(head)
    for title in ("mean", "spread", "95 % interval", "range"):
        table.add_column(title, justify="right")
    for name, found in rows.items():
        low, high = found.interval
        mean, spread = f"{float(found.mean):.3f}", f"{found.spread:.3f}"
        table.add_row(name, mean, spread, f"{low:.3f} to {high:.3f}", f"{found.least} to {found.most}")
    return table


def _named(one: Outcome, game: rw.Game, teams: Mapping[frozenset[str], str]) -> str:
    """The name of a row."""
    names, everybody = ", ".join(one.first), set(one.first) == set(game.seats)
    if one.how == "drawn":
        return "draw" if everybody else f"draw: {names}"
    if team := teams.get(frozenset(one.first)):
        return f"{team}: {names}"
    if one.how == "together":
        return "all together" if everybody else f"together: {names}"
    return names or "nobody"
