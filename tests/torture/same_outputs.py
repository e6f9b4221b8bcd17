"""All that seats are given in positions that they cannot tell apart, compared for as long as wanted.

    python tests/torture/same_outputs.py --minutes 60
    python tests/torture/same_outputs.py --only baron:17          one game, to look at

Shipped rulesets with their player counts, variants and options, the rulesets of the tests, small games that hide
numbers and cards, random programs: each in turn. Game number *n* of a kind follows from the seed and *n* alone. What is
compared is said in ``tests/games/twin_outputs.py``. The exit code is 1 if anything differs.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Annotated

sys.path += [str(Path(__file__).parents[1] / folder) for folder in (".", "engine", "games", "../interpreter")]

import typer
from heard_answers import compared
from heard_answers import positions as played
from hiding_games import hiding_game
from imagined_games import HIDDEN, guessing
from lockstep import Shipped, shipped
from random_programs import hiding_program
from secret_games import SMALL, made
from simultaneous_games import simultaneous_game
from twin_outputs import Comparison, Differs, Tally, positions
from twins import Starts, grouped
from twins import positions as begun

import rulewright as rw
from rulewright.engine import EngineName, start
from rulewright.engine.native.values import Unsupported
from rulewright.ir.model import Program

TESTS = Path(__file__).parents[1]
MOST = 200
"""Decisions of a game."""
EARLY = 16
"""Positions at the beginning of a game among which twins are looked for: later ones are seldom twins."""
GROUPS = 12
"""Groups of twins of a game that are compared for a seat."""
LOOKS = 6
"""Positions of a game that are looked at."""
BOTH: tuple[EngineName, ...] = ("python", "native")
Play = Callable[[int], Tally]


def kinds(folder: Path, seed: int) -> dict[str, Play]:
    """The games that are compared, by name."""
    found: dict[str, Play] = {}
    for ruleset in rw.shipped_rulesets():
        settings = list(shipped(ruleset))
        Random(seed).shuffle(settings)
        found[ruleset.name] = partial(_setting, settings)
    for path in sorted(TESTS.rglob("ruleset.json")):
        if "mistakes" not in path.parts:
            found[f"tests/{path.parent.relative_to(TESTS)}"] = partial(_loaded, path.parent)
    for name in HIDDEN:
        found[f"hidden: {name}"] = partial(_hidden, folder, name)
    for name, rules in SMALL.items():
        found[f"small: {name}"] = partial(_small, folder, rules, name)
    found["programs"] = partial(_random, seed)
    found["at once"] = partial(_at_once, folder, seed)
    found["hiding"] = partial(_hiding, folder, seed)
    return found


def _setting(settings: list[Shipped], number: int) -> Tally:
    setting = settings[number % len(settings)]
    return _whole(setting.load().program, str(setting), number)


def _hidden(folder: Path, name: str, number: int) -> Tally:
    game = guessing(_inside(folder), name, 2 + number % 2)
    return _grouped(game, game.program, name, number)


@dataclass(frozen=True)
class _Started:
    """Games of a program."""

    program: Program

    def start(self, seed: int) -> rw.State:
        """The first state of the game of a seed."""
        return start(self.program, seed)


def _random(seed: int, number: int) -> Tally:
    """A random program that hides some of its zones and fields."""
    r = Random(f"{seed} {number}")
    while True:
        program = hiding_program(r.randrange(1 << 64))
        if len(_visited(program, number)) > 1:  # most others end in an error at once
            break
    tally = _whole(program, f"program {number}", number)
    tally.add(_grouped(_Started(program), program, f"program {number}", number))
    return tally


def _inside(folder: Path) -> Path:
    (folder / "game").mkdir(exist_ok=True)
    return folder / "game"


def _whole(program: Program, name: str, number: int) -> Tally:
    """A game at random; in some of its positions what each seat imagines is taken for it."""
    comparison = Comparison(program, name, ("python",) if number % 4 else BOTH)
    if comparison.hides:
        visited = _visited(program, number)
        for state in Random(number).sample(visited, min(LOOKS, len(visited))):
            comparison.with_imagined(state, range(2))
            comparison.with_other_games(state, range(3))
    return comparison.tally


def _at_once(folder: Path, seed: int, number: int) -> Tally:
    """A random game with blocks of all shapes that are decided at once."""
    r = Random(f"{seed} at once {number}")
    game = simultaneous_game(folder / "game", r.randrange(1 << 64), r.randint(2, 3))
    tally = _whole(game.program, f"at once {number}", number)
    tally.add(_grouped(game, game.program, f"at once {number}", number))
    return tally


def _hiding(folder: Path, seed: int, number: int) -> Tally:
    """A random game of hands, piles, marks and reactions that somebody does not see."""
    r = Random(f"{seed} hiding {number}")
    game = hiding_game(_inside(folder), r.randrange(1 << 64), r.randint(2, 3))
    tally = _whole(game.program, f"hiding {number}", number)
    tally.add(_grouped(game, game.program, f"hiding {number}", number))
    for state in _until_an_error(partial(played, game, number)):
        for heard in compared(state, game.players):
            tally.outputs["heard"] += 1
            if len(heard) > 1:
                raise Differs(f"hiding {number}: heard:\n" + "\n".join(sorted(heard))[:2000])
    return tally


def _visited(program: Program, number: int) -> list[rw.State]:
    return list(_until_an_error(lambda: positions(start(program, number), number, MOST)))


def _until_an_error(visited: Callable[[], Iterator[rw.State]]) -> Iterator[rw.State]:
    """The positions of a game; one that ends in an error of its rules has twins before it."""
    try:
        yield from visited()
    except rw.RulesetError:
        return


def _loaded(folder: Path, number: int) -> Tally:
    game = rw.load(folder)
    tally = _whole(game.program, folder.name, number)
    tally.add(_grouped(game, game.program, folder.name, number))
    return tally


def _grouped(game: Starts, program: Program, name: str, number: int) -> Tally:
    """Games from several seeds; positions that are twins."""
    comparison = Comparison(program, name, BOTH)
    if comparison.hides:
        seeds = range(20 * number, 20 * number + 20)
        visited = [state for seed in seeds for state in _until_an_error(partial(begun, game, (seed,), EARLY))]
        for seat in range(program.players):
            groups = [group for group in grouped(visited, seat) if len(group) > 1]
            for group in Random(number).sample(groups, min(GROUPS, len(groups))):
                comparison.of_group(group[:4], seat)
    return comparison.tally


def _small(folder: Path, rules: str, name: str, number: int) -> Tally:
    """A game at random, with imagined positions and other games that may have been played."""
    game = made(_inside(folder), rules, 2 + number % 2)
    comparison = Comparison(game.program, name, BOTH)
    for state in positions(game.start(number), number, 20):
        comparison.with_imagined(state, range(2))
        comparison.with_other_games(state, range(3))
    return comparison.tally


def numbered(plays: dict[str, Play], until: float) -> Iterator[tuple[str, int]]:
    """A game of each kind in turn, until the time is up."""
    number = 0
    while True:
        for kind in plays:
            if time.monotonic() > until:
                return
            yield kind, number
        number += 1


def main(
    minutes: Annotated[float, typer.Option(help="For so long.")] = 10,
    seed: Annotated[int, typer.Option(help="What all games follow from.")] = 1,
    only: Annotated[str | None, typer.Option(help="One game, as KIND:NUMBER.")] = None,
) -> None:
    """Play and compare."""
    found, refused, differences = dict[str, Tally](), Counter[str](), list[str]()
    with TemporaryDirectory() as folder:
        plays = kinds(Path(folder), seed)
        games = numbered(plays, time.monotonic() + 60 * minutes)
        if only is not None:
            kind, _, number = only.rpartition(":")
            games = iter([(kind, int(number))])
        for kind, n in games:
            try:
                found.setdefault(kind, Tally()).add(plays[kind](n))
            except Differs as difference:
                differences.append(f"{kind}:{n}")
                print(f"{kind}:{n}: {difference}", file=sys.stderr, flush=True)
            except (rw.RulesetError, Unsupported) as error:
                refused[f"{kind}: {str(error).splitlines()[0]}"] += 1
    total = Tally()
    for kind, tally in found.items():
        print(f"{kind}: {tally}")
        total.add(tally)
    for reason, count in refused.most_common():
        print(f"{count} games could not be played: {reason}")
    print(f"all: {total}; {len(differences)} differ {' '.join(differences[:20])}")
    raise typer.Exit(int(bool(differences)))


if __name__ == "__main__":
    typer.run(main)
