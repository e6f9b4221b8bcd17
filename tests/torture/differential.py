"""Both backends in lockstep, for as long as wanted: shipped games, mutants of them, random programs, decisions at once.

    python tests/torture/differential.py --decisions 10000000 --keep found.json     the same command again goes on there
    python tests/torture/differential.py --kind programs --decisions 50000 --seed 7
    python tests/torture/differential.py --passes random                            with other passes each time
    python tests/torture/differential.py --only connect-four:17                     one game, to look at

Each kind gets the same processor time, so most decisions are of small games. Game number *n* of a kind follows from the
seed and *n* alone. What is compared is said in ``tests/engine/lockstep.py``. The exit code is 1 if the backends differ
anywhere.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Annotated, Any

sys.path += [str(Path(__file__).parents[1] / folder) for folder in (".", "engine", "../interpreter")]

import typer
from lockstep import NO_PASSES, Differs, Lockstep, Shipped, Tally, shipped
from random_programs import random_program
from rich.console import Console
from rich.table import Table
from simultaneous_games import shapes_of, simultaneous_game

import rulewright as rw
from rulewright.compiler import player_counts, sources
from rulewright.engine import PASSES, parsed_passes
from rulewright.engine.native.values import Unsupported
from rulewright.findings.mutation.mutants import Mutant, mutants
from rulewright.host.files import write_text
from rulewright.ir.model import Program

LOADED = 128
"""Programs that are kept compiled."""
GAMES = 4
"""Games of each mutant and each random program."""
MOST = 2_000
"""Decisions of such a game."""
OTHERS = ("mutants", "programs", "simultaneous")
"""Kinds that are no shipped rulesets: changed ones, random programs, random blocks that are decided at once."""
AT_ONCE = 2.0
"""Seconds of processor time for a kind before another one has its turn, if nothing else is said."""


@dataclass
class Figures:
    """The results of one kind."""

    kind: str
    next: int = 0
    """The number of the next game."""
    games: int = 0
    decisions: int = 0
    errors: dict[str, int] = field(default_factory=dict)
    handed_over: int = 0
    refused: int = 0
    """Games that cannot be played at all: variants that do not go together, mutants with errors."""
    not_compiled: int = 0
    seconds: float = 0.0
    differences: list[str] = field(default_factory=list)
    shapes: dict[str, int] = field(default_factory=dict)
    """The statements of blocks that are decided at once, by their kind, in the games that were played."""

    def add(self, tally: Tally) -> None:
        """Take in games."""
        self.games += tally.games
        self.decisions += tally.decisions
        self.handed_over += tally.handed_over
        self.errors = dict(Counter(self.errors) + tally.errors)


class Games:
    """The games of a kind: of a shipped ruleset by its name, ``mutants``, ``programs`` or ``simultaneous``."""

    def __init__(self, kind: str, seed: int, passes: str = "all") -> None:
        self.kind, self.seed, self.passes = kind, seed, passes
        self._compiled: dict[Any, Lockstep] = {}
        self._settings: list[Shipped] = []
        if kind not in OTHERS:
            self._settings = list(shipped(rw.rulesets.find_rulesets(kind)[0]))
            Random(seed).shuffle(self._settings)

    def play(self, number: int) -> Tally:
        """One game; of other kinds :data:`GAMES`. :class:`Unsupported` or RulesetError if there are none."""
        r = Random(f"{self.seed} {self.kind} {number}")
        if self._settings:
            setting = self._settings[number % len(self._settings)]
            if setting not in self._compiled:
                if len(self._compiled) >= LOADED:
                    del self._compiled[next(iter(self._compiled))]
                self._compiled[setting] = self._lockstep(setting.load().program, f"{self.seed} {setting}")
            try:
                return self._compiled[setting].play(r.randrange(1 << 64))
            except Differs as difference:
                raise Differs(f"{setting}: {difference}") from None
        tally = Tally()
        program = self._program(r)
        both = self._lockstep(program, f"{self.seed} {self.kind} {number} passes")
        for _ in range(GAMES):
            tally.add(both.play(r.randrange(1 << 32), MOST))
        return tally

    def shapes(self, number: int) -> Counter[str]:
        """The shapes of what is decided at once in a game; of other kinds none."""
        r = Random(f"{self.seed} {self.kind} {number}")
        return shapes_of(r.randrange(1 << 64)) if self.kind == "simultaneous" else Counter()

    def _program(self, r: Random) -> Program:
        if self.kind == "programs":
            return random_program(r.randrange(1 << 64))
        if self.kind == "mutants":
            return self._mutant(r)
        with TemporaryDirectory() as folder:
            return simultaneous_game(Path(folder) / "game", r.randrange(1 << 64), r.randint(2, 4)).program

    def _lockstep(self, program: Program, seed: str) -> Lockstep:
        """A program on both engines; passes at random are others on each, else Python makes none."""
        of_python = self._passes(f"{seed} of Python") if self.passes == "random" else NO_PASSES
        return Lockstep(program, self._passes(seed), of_python)

    def _passes(self, seed: str) -> frozenset[str]:
        """The passes that are made of a program: those that are wanted, or each with a chance of one half."""
        if self.passes != "random":
            return parsed_passes(self.passes)
        r = Random(seed)
        return frozenset(one.name for one in PASSES if r.random() < 0.5)

    def _mutant(self, r: Random) -> Any:
        ruleset, made = r.choice(mutated())
        changed = r.choice(made).applied(ruleset)
        return rw.load(changed, r.choice(player_counts(sources(changed).rules))).program


@cache
def mutated() -> list[tuple[rw.Ruleset, list[Mutant]]]:
    """The shipped rulesets that are compiled, with their mutants."""
    found = []
    for folder in rw.shipped_rulesets():
        ruleset = rw.open_ruleset(folder)
        program = rw.load(ruleset).program
        try:
            Lockstep(program)
        except Unsupported:
            continue
        found.append((ruleset, list(mutants(ruleset, [program]))))
    return found


def attempt(games: Games, figures: Figures) -> None:
    """Play the next game of a kind, and note what has come out."""
    begun, number = time.process_time(), figures.next
    try:
        figures.add(games.play(number))
        figures.shapes = dict(Counter(figures.shapes) + games.shapes(number))
    except rw.RulesetError:
        figures.refused += 1
    except Unsupported as problem:
        figures.not_compiled += 1
        print(f"{figures.kind}:{figures.next}: not compiled: {problem}", file=sys.stderr, flush=True)
    except Differs as difference:
        figures.differences.append(f"{figures.kind}:{number}: {difference}")
        print(figures.differences[-1], file=sys.stderr, flush=True)
    figures.next += 1
    figures.seconds += time.process_time() - begun


def in_turn(
    kinds: dict[str, Figures], games: dict[str, Games], decisions: int, at_once: float = AT_ONCE
) -> Iterator[Figures]:
    """Play some games of the kind that has had the least time, until there are as many decisions as are wanted."""
    active = set(kinds)
    while active and sum(figures.decisions for figures in kinds.values()) < decisions:
        figures = kinds[min(active, key=lambda kind: (kinds[kind].seconds, kind))]
        begun = figures.seconds
        while figures.seconds < begun + at_once:
            attempt(games[figures.kind], figures)
        if figures.next > 4 * len(games[figures.kind]._settings) + 200 and not figures.games:
            active.discard(figures.kind)  # none of it is compiled
        yield figures


def main(
    decisions: Annotated[int, typer.Option(help="Decisions, all kinds together.")] = 200_000,
    kind: Annotated[
        list[str] | None, typer.Option(help="Rulesets by name, `mutants`, `programs`, `simultaneous`.")
    ] = None,
    seed: Annotated[int, typer.Option(help="What all games follow from.")] = 1,
    keep: Annotated[
        Path | None, typer.Option(help="A file for the figures; if it is there, they are gone on with.")
    ] = None,
    only: Annotated[str | None, typer.Option(help="One game, as KIND:NUMBER.")] = None,
    passes: Annotated[
        str, typer.Option(help="Passes of the machine code; `random`: others for each program and engine.")
    ] = "all",
    at_once: Annotated[float, typer.Option(help="Seconds of a kind before another one has its turn.")] = AT_ONCE,
) -> None:
    """Play, and print a table."""
    if only is not None:
        name, _, number = only.partition(":")
        typer.echo(Games(name, seed, passes).play(int(number)))
        return
    names = kind or [*(folder.name for folder in rw.shipped_rulesets() if compiled(folder.name)), *OTHERS]
    kinds = {name: Figures(name) for name in names}
    if keep is not None and keep.exists():
        known = json.loads(keep.read_text("utf-8"))
        if (known["seed"], known.get("passes", "all")) != (seed, passes):
            was = f"seed {known['seed']} and passes {known.get('passes', 'all')}"
            raise typer.BadParameter(f"{keep} has figures of {was}")
        kinds |= {one["kind"]: Figures(**one) for one in known["kinds"] if one["kind"] in kinds}
    told = time.monotonic()
    try:
        for _ in in_turn(kinds, {name: Games(name, seed, passes) for name in kinds}, decisions, at_once):
            if time.monotonic() - told > 60:
                told = time.monotonic()
                save(keep, seed, passes, kinds)
                so_far = sum(one.decisions for one in kinds.values())
                print(f"{so_far:,} of {decisions:,} decisions", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        pass
    save(keep, seed, passes, kinds)
    console = Console(width=None if sys.stdout.isatty() else 120)
    console.print(table(list(kinds.values())))
    for figures in kinds.values():
        if figures.shapes:
            listed = ", ".join(f"{shape} {count:,}" for shape, count in Counter(figures.shapes).most_common())
            console.print(f"{figures.kind}, statements of blocks at once: {listed}", highlight=False)
    raise typer.Exit(int(any(one.differences for one in kinds.values())))


def compiled(name: str) -> bool:
    """True if a shipped ruleset is played natively."""
    try:
        Lockstep(rw.load(name).program)
    except Unsupported:
        return False
    return True


def save(path: Path | None, seed: int, passes: str, kinds: dict[str, Figures]) -> None:
    """Keep the figures."""
    if path is not None:
        figures = [asdict(one) for one in kinds.values()]
        write_text(path, json.dumps({"seed": seed, "passes": passes, "kinds": figures}, indent=1))


def table(kinds: list[Figures]) -> Table:
    """The figures for people."""
    made = Table(
        "kind",
        "games",
        "decisions",
        "refused",
        "not compiled",
        "ended in errors",
        "left to Python",
        "seconds",
        "differences",
    )
    for one in kinds:
        errors = sum(one.errors.values())
        numbers = (one.games, one.decisions, one.refused, one.not_compiled, errors, one.handed_over, round(one.seconds))
        made.add_row(one.kind, *(f"{number:,}" for number in numbers), str(len(one.differences)))
    made.add_section()
    total = (sum(one.games for one in kinds), sum(one.decisions for one in kinds))
    made.add_row(
        "all", *(f"{number:,}" for number in total), "", "", "", "", "", str(sum(len(k.differences) for k in kinds))
    )
    return made


if __name__ == "__main__":
    typer.run(main)
