"""The value of a game, for a person."""

from __future__ import annotations

from rich.text import Text

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools.console import out, plural

SHOWN, SELDOM = 24, 0.005
"""So many strategies are listed, and nothing that is done less often."""
_ENDS = {
    "over": "the game is over",
    "comes again": "the position is one that was there before",
    "chance": "then chance decides",
    "not followed": "not followed any further",
}


def solution(game: rw.Game, found: lab.theory.Solution) -> None:
    """The value, the first answers and a line."""
    console = out()
    console.print(Text.assemble((game.title, "bold"), ": ", (found.words, "bold" if found.value.exact else "yellow")))
    payoffs = ", ".join(f"{seat} {_bounds_text(one)}" for seat, one in zip(found.seats, found.payoffs, strict=True))
    console.print(f"payoffs: {payoffs}", markup=False)
    if found.wins is not None:
        console.print(f"{found.seats[0]} wins {100 * found.wins:.2f} % of the games", markup=False)
    if found.length is not None:
        console.print(f"won in {plural(found.length, 'answer')}, however the other one plays")
    best = [one.key for one in found.options if one.best]
    if best and len(best) == len(found.options):
        console.print(f"{found.who} asked for {found.question}: all {len(best)} answers are as good", markup=False)
    elif best:
        console.print(f"best answers of {found.who} to {found.question}: {'; '.join(best)}", markup=False)
    for one in found.options:
        if best and not one.best:
            console.print(f"  {one.key}: {_bounds_text(one.value)} for {found.seats[0]}", markup=False)
    if found.line:
        console.print("a line of best answers:")
        for number, step in enumerate(found.line, 1):
            console.print(f"  {number}. {step.who} {step.question}: {step.key}", markup=False)
        console.print(f"  {_ENDS[found.line_end]}")
    searched = f"{found.positions:,} {'position' if found.positions == 1 else 'positions'} by {found.method}"
    console.print(searched if found.value.exact else f"the budget is spent: {searched}")
    if found.distinct is not None:
        distinct, symmetric = found.distinct
        merged = f", which stand for {symmetric:,}: the map has {found.symmetries} symmetries that the rules keep"
        console.print(f"{plural(distinct, 'position')} of the game{merged if found.symmetries > 1 else ''}")


def equilibrium(game: rw.Game, found: lab.theory.Equilibrium) -> None:
    """The value, and how often each seat gives which answer."""
    console = out()
    console.print(Text.assemble((game.title, "bold"), ": ", (found.words, "bold" if found.solved else "yellow")))
    searched = (
        f"{plural(found.iterations, 'iteration')} of {found.method.upper()}, {plural(found.positions, 'position')}"
    )
    size = f"{plural(len(found.strategies), 'information set')}"
    console.print(f"{'' if found.solved else 'the budget is spent: '}{size}, {searched}")
    reached = [
        (seen, one)
        for seen, one in zip(what_is_seen(game, found), found.strategies, strict=True)
        if one.reached >= SELDOM and len(one.options) > 1
    ]
    reached.sort(key=lambda each: len(each[0]))
    for seen, one in reached[:SHOWN]:
        shares = ", ".join(
            f"{key} {100 * share:.0f} %" for key, share in zip(one.options, one.shares, strict=True) if share >= SELDOM
        )
        console.print(f"  {found.seats[one.seat]} {one.question} ({'; '.join(seen)}): {shares}", markup=False)
    if len(reached) > SHOWN:
        console.print(f"  and {plural(len(reached) - SHOWN, 'more')}: --format json has all")


def what_is_seen(game: rw.Game, found: lab.theory.Equilibrium) -> list[list[str]]:
    """For each strategy what its seat has seen, but for what it sees in every game."""
    lines = [[one.text for one in rw.narration.story(game, each.state, each.seat)] for each in found.strategies]
    always = [
        set[str].intersection(
            *(set(seen) for seen, one in zip(lines, found.strategies, strict=True) if one.seat == seat)
        )
        for seat in {one.seat for one in found.strategies}
    ]
    return [
        [line for line in seen if line not in always[one.seat]]
        for seen, one in zip(lines, found.strategies, strict=True)
    ]


def _bounds_text(value: lab.theory.Bounds) -> str:
    if value.exact:
        return lab.theory.payoff_text(value.least)
    least, most = (lab.theory.payoff_text(one) if one is not None else None for one in (value.least, value.most))
    if least is not None and most is not None:
        return f"{least} to {most}"
    return f"at least {least}" if least is not None else f"at most {most}" if most is not None else "not known"
