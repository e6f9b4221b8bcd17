"""Random games of every shipped ruleset, number of players and variant, with every invariant and property.

    python tests/torture/random_games.py --games 100000 --jobs 2 --keep kept.json   the same command again goes on there
    python tests/torture/random_games.py --games 1000 --ruleset domaine

Game number *n* of each has seed *n*. What is broken is told with the seed; the exit code is then 1.
"""

from __future__ import annotations

import json
import sys
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Annotated

sys.path += [str(Path(__file__).parents[1] / folder) for folder in (".", "engine", "../interpreter")]

import typer
from lockstep import Shipped, shipped
from rich.console import Console
from rich.table import Table

import rulewright as rw
from rulewright.host.files import write_text

PORTION = 1_000
"""Games that a process plays at once."""
MOST = 100_000
"""Decisions after which a game is taken for one that does not end."""


@dataclass
class Figures:
    """The games of one setting."""

    name: str
    games: int = 0
    decisions: int = 0
    longest: int = 0
    stopped: int = 0
    """Games that were not over after :data:`MOST` decisions."""
    broken: dict[str, list[int]] = field(default_factory=dict)
    """For each invariant or property that did not hold the seeds of some games."""
    errors: dict[str, int] = field(default_factory=dict)
    """Errors of the rules, each with the seed of a game."""
    seconds: float = 0.0

    def add(self, other: Figures) -> None:
        """Take in other games of the same setting."""
        self.games += other.games
        self.decisions += other.decisions
        self.longest = max(self.longest, other.longest)
        self.stopped += other.stopped
        for name, seeds in other.broken.items():
            self.broken[name] = (self.broken.get(name, []) + seeds)[:8]
        self.errors = other.errors | self.errors
        self.seconds += other.seconds

    @property
    def found(self) -> int:
        """The number of things that are wrong."""
        return len(self.broken) + len(self.errors) + bool(self.stopped)


@lru_cache(maxsize=1)
def loaded(setting: Shipped) -> rw.Game:
    """The game of a setting, kept while it is played."""
    return setting.load()


def play(setting: Shipped, first: int, count: int) -> Figures:
    """Play the games of successive seeds."""
    begun, made = time.process_time(), Figures(str(setting))
    game = loaded(setting)
    while made.games < count:
        try:
            played = game.playouts(count - made.games, first + made.games, MOST, check=True)
        except rw.RulesetError as error:
            seed = failing(game, range(first + made.games, first + count))
            made.errors.setdefault(str(error), seed)
            made.games = seed + 1 - first  # the games before it are played again, and count
            continue
        made.games += len(played)
        made.decisions += sum(played.decisions)
        made.longest = max((made.longest, *played.decisions))
        made.stopped += played.rules.count(-1)
        for number, names in played.broken.items():
            for name in names:
                made.broken.setdefault(name, []).append(played.seed + number)
    made.seconds = time.process_time() - begun
    return made


def failing(game: rw.Game, seeds: range) -> int:
    """The first of some games that ends in an error."""
    for seed in seeds:
        try:
            game.playout(seed, most=MOST, check=True)
        except rw.RulesetError:
            return seed
    raise AssertionError("an error that does not come again")


def tasks(settings: dict[str, Shipped], figures: dict[str, Figures], games: int) -> Iterator[tuple[Shipped, int, int]]:
    """The portions that are missing, one setting after the other."""
    for name, setting in settings.items():
        for first in range(figures[name].games, games, PORTION):
            yield setting, first, min(PORTION, games - first)


def main(
    games: Annotated[int, typer.Option(help="Games of each number of players and variant.")] = 1_000,
    jobs: Annotated[int, typer.Option(help="Processes.")] = 1,
    ruleset: Annotated[list[str] | None, typer.Option(help="Only these.")] = None,
    keep: Annotated[
        Path | None, typer.Option(help="A file for the figures; if it is there, they are gone on with.")
    ] = None,
) -> None:
    """Play, and print a table."""
    wanted = [folder for folder in rw.shipped_rulesets() if ruleset is None or folder.name in ruleset]
    every = [one for folder in wanted for one in shipped(folder)]
    settings = {str(one): one for one in every if not one.setting.options and len(one.setting.variants) < 2}
    figures = {name: Figures(name) for name in settings}
    if keep is not None and keep.exists():
        known = [Figures(**one) for one in json.loads(keep.read_text("utf-8"))]
        figures |= {one.name: one for one in known if one.name in figures}
    left = tasks(settings, figures, games)
    with ProcessPoolExecutor(jobs) as pool:
        running: deque[Future[Figures]] = deque()
        try:
            while True:
                running.extend(pool.submit(play, *task) for task in islice(left, 2 * jobs - len(running)))
                if not running:
                    break
                found = running.popleft().result()  # in their order, so that the games that are kept are the first ones
                figures[found.name].add(found)
                if found.found:
                    print(f"{found.name}: {found.broken} {found.errors}", file=sys.stderr, flush=True)
                save(keep, figures)
        except KeyboardInterrupt:
            pass
    Console(width=None if sys.stdout.isatty() else 120).print(table(list(figures.values())))
    raise typer.Exit(int(any(one.found for one in figures.values())))


def save(path: Path | None, figures: dict[str, Figures]) -> None:
    """Keep the figures."""
    if path is not None:
        write_text(path, json.dumps([asdict(one) for one in figures.values()], indent=1))


def table(figures: list[Figures]) -> Table:
    """The figures for people."""
    made = Table("ruleset, players, variant", "games", "decisions", "longest", "stopped", "errors", "broken", "seconds")
    for one in figures:
        numbers = (one.games, one.decisions, one.longest, one.stopped, len(one.errors), len(one.broken))
        made.add_row(one.name, *(f"{number:,}" for number in numbers), f"{one.seconds:,.0f}")
    made.add_section()
    total = (sum(one.games for one in figures), sum(one.decisions for one in figures))
    made.add_row("all", *(f"{number:,}" for number in total), "", "", "", "", f"{sum(o.seconds for o in figures):,.0f}")
    return made


if __name__ == "__main__":
    typer.run(main)
