"""Fuzzers of ours, for as long as wanted: whatever comes in, it is used or refused with RulesetError.

    python tests/torture/run.py --minutes 60                      every kind of input
    python tests/torture/run.py --total 1000000                   so many over all kinds, each by its weight
    python tests/torture/run.py --kind saves --inputs 10000       so many of one kind
    python tests/torture/run.py --only rules:4711                 one input, shown and tried

Findings are told as they come, and how far it is every minute; the table comes at the end, of Ctrl-C and SIGTERM too.
The exit code is 1 if anything else was raised, hung, or needed too much memory.
"""

from __future__ import annotations

import json
import random
import resource
import signal
import sys
import time
import traceback
import warnings
from enum import StrEnum
from importlib import import_module
from typing import Annotated, Any

import typer
from driver import MEMORY, Driver, Finding, Tally
from kinds import Kind
from rich.console import Console
from rich.markup import escape
from rich.table import Table

KINDS = {
    "rules": "of_rules.Rules", "layout": "of_rules.Layout", "grammar": "of_grammar.Grammar",
    "trees": "of_grammar.Trees", "rulesets": "of_rules.Rulesets", "played": "of_rules.Played",
    "mutants": "of_mutants.Mutants", "manifest": "of_data.Manifests", "table": "of_data.Tables",
    "map": "of_data.Maps", "rulebook": "of_data.Rulebooks", "rulings": "of_data.Rulings",
    "schemas": "of_schemas.Schemas", "saves": "of_saves.Saves", "logs": "of_saves.Logs",
    "corpora": "of_corpora.Corpora", "games": "of_games.Games", "prefixes": "of_editor.Prefixes",
    "refactorings": "of_editor.Refactorings", "messages": "of_messages.Messages",
}  # fmt: skip
"""The class of each kind; its module is imported if it is asked for, because some take a second."""


def kind_called(name: str) -> Kind:
    """The kind of this name."""
    module, _, kind = KINDS[name].partition(".")
    made: Kind = getattr(import_module(module), kind)()
    assert made.name == name
    return made


class Form(StrEnum):
    """Formats of the figures."""

    TEXT = "text"
    JSON = "json"


def main(
    minutes: Annotated[float | None, typer.Option(help="How long, all kinds together; 60 without a number.")] = None,
    inputs: Annotated[int | None, typer.Option(help="So many inputs of each kind, and no more.")] = None,
    total: Annotated[int | None, typer.Option(help="So many inputs over all kinds, each by its weight.")] = None,
    kind: Annotated[list[str] | None, typer.Option(help=f"Just these kinds: {', '.join(KINDS)}.")] = None,
    jobs: Annotated[int, typer.Option(help="Processes at work.", min=1)] = 1,
    seed: Annotated[int, typer.Option(help="What all inputs follow from.")] = 1,
    first: Annotated[int, typer.Option(help="The number of the first input of each kind.")] = 0,
    small: Annotated[bool, typer.Option("--small", help="Of the shipped games only the small ones.")] = False,
    only: Annotated[str | None, typer.Option(help="One input, as KIND:NUMBER.")] = None,
    form: Annotated[Form, typer.Option("--format", help="A table, or JSON.")] = Form.TEXT,
) -> None:
    """Feed damaged and invented inputs to everything that reads any."""
    if only is not None:
        raise typer.Exit(_only(only, seed))
    wrong = [name for name in kind or () if name not in KINDS]
    if wrong:
        raise typer.BadParameter(f"no such kind: {', '.join(wrong)}; there are {', '.join(KINDS)}")
    kinds = [kind_called(name) for name in kind or KINDS]
    if (errors := sys.modules.get("hypothesis.errors")) is not None:
        warnings.simplefilter("ignore", errors.HypothesisWarning)  # strategies of large schemas have long names
    for one in kinds:
        one.small = small
    progress = Progress(seed)
    driver = Driver(kinds, seed, jobs, first, progress)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if minutes is None:
        minutes = 60 if inputs is None and total is None else 10**6
    try:
        tallies = driver.run(minutes * 60, inputs, total)
    except KeyboardInterrupt:
        tallies = list(driver.tallies.values())
    bad = any(tally.findings for tally in tallies)
    if form is Form.JSON:
        print(json.dumps([_data(tally) for tally in tallies], indent=1))
    else:
        _table(tallies, seed)
    raise typer.Exit(1 if bad else 0)


class Progress:
    """Tells on stderr of findings as they come, and every minute how far it is."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._begun = self._told = time.monotonic()

    def __call__(self, driver: Driver, new: Finding | None) -> None:
        now = time.monotonic()
        if new is not None:
            print(
                f"\n{new.what} in {new.kind}; again: {again(new, self.seed)}\n{new.text}", file=sys.stderr, flush=True
            )
        elif now - self._told >= 60:
            self._told = now
            tallies = driver.tallies.values()
            inputs, found = sum(tally.inputs for tally in tallies), sum(len(tally.findings) for tally in tallies)
            minutes = (now - self._begun) / 60
            text = f"{minutes:.0f} min, {processor_seconds():,.0f} s of processors: {inputs:,} inputs, {found} findings"
            print(text, file=sys.stderr, flush=True)


def processor_seconds() -> float:
    """The processor time of this process and the workers that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def again(finding: Finding, seed: int) -> str:
    """The command that tries an input once more."""
    return f"python tests/torture/run.py --seed {seed} --only {finding.kind}:{finding.number}"


def _only(text: str, seed: int) -> int:
    """Show one input and try it here, so that a debugger can look."""
    name, _, number = text.partition(":")
    if name not in KINDS or not number.isdigit():
        raise typer.BadParameter(f"`{text}` is not KIND:NUMBER, such as rules:17")
    kind = kind_called(name)
    random.seed(0)
    kind.prepare()
    made = kind.numbered(seed, int(number))
    sys.stdout.buffer.write((kind.told(made) + "\n----\n").encode("utf-8", "backslashreplace"))
    sys.stdout.flush()
    try:
        outcome = kind.attempt(made)
    except Exception:
        traceback.print_exc()
        return 1
    print(outcome.word, outcome.amount or "")
    return 0


def _data(tally: Tally) -> dict[str, Any]:
    return {
        "kind": tally.kind,
        "inputs": tally.inputs,
        tally.unit or "amount": tally.amount,
        "seconds": round(tally.seconds, 1),
        "slowest": {"seconds": tally.slowest[0], "number": tally.slowest[1]},
        "megabytes": tally.megabytes,
        "outcomes": dict(tally.outcomes.most_common()),
        "findings": [
            {"what": one.what, "number": one.number, "times": one.times, "where": where, "text": one.text}
            for where, one in tally.findings.items()
        ],
    }


def _table(tallies: list[Tally], seed: int) -> None:
    console = Console(width=None if sys.stdout.isatty() else 120)
    table = Table(
        title=f"inputs of seed {seed}; hangs: {Kind.patience:.0f} s and more; blow-ups: more than {MEMORY} MB",
        padding=0,
    )
    table.add_column("kind", no_wrap=True)
    heads = ("inputs", "accepted", "%", "refused", "exceptions", "hangs", "blow-ups", "slowest s", "most MB", "all s")
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    for tally in tallies:
        table.add_row(tally.kind, *_row(_numbers(tally)), f"{tally.seconds:,.0f}")
    total = [sum(_numbers(tally)[i] for tally in tallies) for i in range(6)]
    most = [max((_numbers(tally)[i] for tally in tallies), default=0) for i in (6, 7)]
    table.add_section()
    table.add_row("all", *_row([*total, *most]), f"{sum(tally.seconds for tally in tallies):,.0f}")
    console.print(table)
    console.print(f"{processor_seconds():,.0f} s of processors")
    for tally in tallies:
        often = ", ".join(f"{word} {count:,}" for word, count in tally.outcomes.most_common(12))
        amount = f" ({tally.amount:,} {tally.unit})" if tally.unit else ""
        console.print(f"{tally.kind}{amount}: {often}", markup=False, highlight=False)
    for tally in tallies:
        for one in tally.findings.values():
            head = f"\n[bold]{one.what}[/] in {one.kind}, {one.times} times; again: {escape(again(one, seed))}"
            console.print(head, highlight=False)
            console.print(one.text, markup=False, highlight=False)


def _row(numbers: list[float]) -> list[str]:
    """Numbers as they stand in the table, with the share that was accepted."""
    inputs, accepted, *rest = numbers
    return [f"{inputs:,}", f"{accepted:,}", f"{100 * accepted / max(1, inputs):.0f}", *(f"{one:,}" for one in rest)]


def _numbers(tally: Tally) -> list[float]:
    refused = sum(count for word, count in tally.outcomes.items() if word.startswith("refused"))
    accepted = sum(tally.outcomes.values()) - refused
    wrong = [tally.count("exception"), tally.count("hang") + tally.count("death"), tally.count("memory")]
    return [tally.inputs, accepted, refused, *wrong, tally.slowest[0], tally.megabytes]


if __name__ == "__main__":
    typer.run(main)
