"""Planted faults: mutants of shipped rulesets, and how soon the fuzzer finds that something is wrong with them.

python tests/benchmarks/planted_faults.py draw faults.jsonl --mutants 40 carolus-magnus domaine
python tests/benchmarks/planted_faults.py search faults.jsonl --arm now --seconds 2
OTHER/.venv/bin/python tests/benchmarks/planted_faults.py search faults.jsonl --arm before --seconds 20 --most 60
python tests/benchmarks/planted_faults.py table faults.jsonl --markdown

`draw` takes mutants of each ruleset by two seeds: one for the half that is kept as a regression, one for the half
against which nothing is tuned. It leaves out those that are refused or play the same game. `search` is that of one
version of Rulewright, by which it is run, until the first finding. Most mutants are merely another game: those count
as faulty in which some arm finds anything. Seconds are those of the processor, and do not count what loading a game
takes, so that other work on the machine does not matter. The file is a record: a search that was interrupted goes on.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

import rulewright as rw

app = typer.Typer(add_completion=False)
RULESETS = Path(__file__).parents[2] / "rulesets"
HALVES = ("kept", "held out")
"""The halves, in the order of their seeds."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A mutant that was drawn."""

    ruleset: str
    mutant: str
    half: str


@dataclass(frozen=True, slots=True)
class Trial:
    """The search of one arm for what is wrong with a mutant."""

    ruleset: str
    mutant: str
    arm: str
    budget: float
    """The most seconds of the search."""
    found: str
    """The key of the first finding; empty if there was none."""
    seconds: float
    """The seconds until then."""


class Record:
    """The file of mutants and trials: later lines replace earlier ones about the same mutant and arm."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.faults: dict[tuple[str, str], Fault] = {}
        self.trials: dict[tuple[str, str], dict[str, Trial]] = {}
        for line in file.read_text("utf-8").splitlines() if file.exists() else ():
            self._add(json.loads(line))

    def _add(self, line: dict[str, Any]) -> None:
        key = line["ruleset"], line["mutant"]
        if "half" in line:
            self.faults.setdefault(key, Fault(**line))
        else:
            self.trials.setdefault(key, {})[line["arm"]] = Trial(**line)

    def keep(self, one: Fault | Trial) -> None:
        """Append a line."""
        self._add(asdict(one))
        with self.file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(asdict(one)) + "\n")

    def is_faulty(self, fault: Fault) -> bool:
        """True if an arm has found anything."""
        return any(one.found for one in self.trials.get((fault.ruleset, fault.mutant), {}).values())


class Mutants:
    """The mutants of shipped rulesets; names of modules are those of the version that runs this."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}
        self._module = vars(sys.modules[rw.mutation.mutate.__module__])

    def original(self, ruleset: str) -> Any:
        """The ruleset as it is."""
        if ruleset not in self._made:
            opened, _ = self._module["opened"](str(RULESETS / ruleset), ())
            self._made = {ruleset: self._module["Original"](opened)}
        return self._made[ruleset]

    def drawn(self, ruleset: str, count: int, seed: int) -> list[Any]:
        """Some mutants, as they are sampled by a seed."""
        return list(self._module["sampled"](list(self.original(ruleset).mutants), count, seed))

    def named(self, ruleset: str, mutant: str) -> rw.Ruleset | None:
        """The changed ruleset; None if this version makes no such mutant."""
        original = self.original(ruleset)
        found = next((one for one in original.mutants if one.id == mutant), None)
        return None if found is None else found.applied(original.ruleset)

    def differs(self, ruleset: str, mutant: Any, players: int) -> bool:
        """True if a mutant can be played, and is another game."""
        original = self.original(ruleset)
        same_game: Callable[[object, object], bool] = vars(sys.modules[type(original).__module__])["same_game"]
        try:
            game = rw.load(mutant.applied(original.ruleset), players)
        except rw.RulesetError:
            return False
        return not same_game(game.program, original.games[players, ()].program)


class _Enough(BaseException):
    """The first finding: its story is not waited for."""


def first_finding(ruleset: rw.Ruleset, players: int, seconds: float, seed: int) -> tuple[str, float]:
    """The key of the first finding, and the seconds of the processor until then."""
    begun, found = time.process_time(), list[tuple[str, float]]()

    def tell(one: object) -> None:
        if isinstance(one, rw.fuzzing.Found):
            found.append((one.trouble.label, time.process_time() - begun))
            raise _Enough

    options = rw.fuzzing.FuzzOptions(players=players, time=seconds, seed=seed, keep_going=False)
    run = vars(sys.modules[rw.fuzzing.fuzz.__module__])["Run"](ruleset, options, tell=tell, now=time.process_time)
    begun = time.process_time()
    try:
        run.run()
    except _Enough:
        return found[0]
    return "", time.process_time() - begun


File = Annotated[Path, typer.Argument(help="The record.")]
Players = Annotated[int, typer.Option(help="The number of players.")]


@app.command()
def draw(
    file: File,
    rulesets: Annotated[list[str], typer.Argument(help="Names of shipped rulesets.")],
    mutants: Annotated[int, typer.Option(help="So many of each ruleset and seed are drawn.")] = 40,
    seed: Annotated[tuple[int, int], typer.Option(help="The seeds of the two halves.")] = (1, 2),
    players: Players = 2,
) -> None:
    """Draw mutants that can be played and are other games."""
    record, made = Record(file), Mutants()
    for name in rulesets:
        for half, own in zip(HALVES, seed, strict=True):
            for one in made.drawn(name, mutants, own):
                if (name, one.id) not in record.faults and made.differs(name, one, players):
                    record.keep(Fault(name, one.id, half))
    print(f"{len(record.faults)} mutants")


@app.command()
def search(
    file: File,
    arm: Annotated[str, typer.Option(help="The name of this version.")] = "now",
    seconds: Annotated[float, typer.Option(help="The processor time of each search.")] = 2.0,
    most: Annotated[int | None, typer.Option(help="So many mutants at most.")] = None,
    faulty: Annotated[
        bool | None, typer.Option(help="Only those in which an arm finds something, or none does.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed of the fuzzer.")] = 0,
    players: Players = 2,
) -> None:
    """Look for what is wrong with the mutants of the record."""
    record, made = Record(file), Mutants()
    for fault in track(list(_due(record, arm, seconds, faulty))[:most], "mutants", console=Console(stderr=True)):
        ruleset = made.named(fault.ruleset, fault.mutant)
        if ruleset is not None:
            found, after = first_finding(ruleset, players, seconds, seed)
            record.keep(Trial(fault.ruleset, fault.mutant, arm, seconds, found, round(after, 3)))


def _due(record: Record, arm: str, seconds: float, faulty: bool | None) -> Iterator[Fault]:
    """The mutants for which an arm has neither a finding nor a search that was as long."""
    for key, fault in record.faults.items():
        known = record.trials.get(key, {}).get(arm)
        if (known is None or (not known.found and known.budget < seconds)) and faulty in (
            None,
            record.is_faulty(fault),
        ):
            yield fault


@app.command()
def table(
    file: File,
    budget: Annotated[list[str] | None, typer.Option(help="ARM=SECONDS: what is found later counts as missed.")] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="As a table of Markdown.")] = False,
    each: Annotated[bool, typer.Option("--each", help="Each faulty mutant, too.")] = False,
) -> None:
    """Show how many faulty mutants each arm has found, of those that all arms have searched."""
    record = Record(file)
    budgets = {name: float(number) for name, _, number in (one.partition("=") for one in budget or ())}
    arms = list(dict.fromkeys(arm for trials in record.trials.values() for arm in trials))
    rows = [["half", "ruleset", "faulty", *(f"{arm}: {what}" for arm in arms for what in ("found", "median s"))]]
    searched = [
        fault
        for key, fault in record.faults.items()
        if record.is_faulty(fault) and all(arm in record.trials.get(key, {}) for arm in arms)
    ]
    rulesets = dict.fromkeys(fault.ruleset for fault in searched)
    for half in (*HALVES, ""):
        for name in (*rulesets, ""):
            some = [one for one in searched if half in ("", one.half) and name in ("", one.ruleset)]
            row = [half or "both", name or "all", str(len(some))]
            for arm in arms:
                trials = [record.trials[one.ruleset, one.mutant][arm] for one in some]
                times = [one.seconds for one in trials if one.found and one.seconds <= budgets.get(arm, one.seconds)]
                row += [f"{len(times)}", f"{median(times):.2f}" if times else "-"]
            rows.append(row)
    _shown(rows, markdown)
    if each:
        _shown([["half", "ruleset", "mutant", *arms], *_each(record, searched, arms)], markdown)


def _each(record: Record, searched: list[Fault], arms: list[str]) -> Iterator[list[str]]:
    for fault in searched:
        trials = record.trials[fault.ruleset, fault.mutant]
        cells = (f"{one.found} {one.seconds:.2f}" if one.found else "-" for one in map(trials.__getitem__, arms))
        yield [fault.half, fault.ruleset, fault.mutant, *cells]


def _shown(rows: list[list[str]], markdown: bool) -> None:
    head, *body = rows
    if markdown:
        for row in (head, ["---"] * len(head), *body):
            print(f"| {' | '.join(row)} |")
        return
    shown = Table(*head)
    for row in body:
        shown.add_row(*row)
    Console(width=200).print(shown)


if __name__ == "__main__":
    app()
