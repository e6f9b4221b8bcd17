"""A table of what experiments can be trusted with: equal arms, exact values, sweeps, intended effects, wrong files.

    python tests/benchmarks/experiments_shown.py [--part equal] [--experiments 100] [--games 200] [--seed 0]

Each row tells how often something came out as it must. With another seed than 0 the figures are fresh: the tests
use 0.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import rulewright as rw
import rulewright_lab as lab
from rulewright_lab.experiments.playing.game_player import GamePlayer

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "experiments"))

from exact_values import exact_mean, tied, won_by  # noqa: E402
from intended_effects import intended, told_of  # noqa: E402

Row = tuple[str, str]
WRONG = {
    "unknown arm": "[[arms]]\nrules = 'no-such-game'\n",
    "sweep of an unknown parameter": "[[arms]]\nrules = 'baron'\n[[sweeps]]\nparameters = { donjons = '1..2' }\n",
    "value out of its range": "[[arms]]\nrules = 'breakthrough'\noptions = { size = 99 }\n",
    "measure that is none": "measures = ['winns']\n[[arms]]\nrules = 'baron'\n",
    "zero games": "games = 0\n[[arms]]\nrules = 'baron'\n",
    "unknown key": "[[arms]]\nrule = 'baron'\n",
    "no TOML": "games =\n",
    "duplicate names": "[[arms]]\nrules = 'baron'\nname = 'a'\n[[arms]]\nname = 'a'\n",
}


def played(arms: tuple[lab.experiments.Arm, ...], games: int, seed: int) -> lab.experiments.Results:
    """The results of an experiment."""
    experiment = lab.experiments.Experiment(arms, games, seed)
    results = experiment.begin()
    experiment.run(results)
    return results


def equal_arms(options: argparse.Namespace) -> Iterator[Row]:
    """Arms that are alike, whose games have other seeds: in how many experiments a star is shown anywhere."""
    for name in ("tic-tac-toe", "kuhn-poker", "connect-four", "carolus-magnus"):
        (arm,) = lab.experiments.read_arms((name,))
        player = GamePlayer(arm)
        false = 0
        for number in range(options.experiments):
            begin = options.seed + 2 * number * options.games
            both = lab.experiments.Experiment((arm, arm), options.games, begin).begin()
            for side in (0, 1):
                first = begin + side * options.games
                both.add(side, player.play(range(first, first + options.games)))
            false += any(one.certain for one in both.compared())
        yield f"equal arms, {name}", f"{false} of {options.experiments} experiments show a difference (promised: 5 %)"


def exact_shares(options: argparse.Namespace) -> Iterator[Row]:
    """Random tic-tac-toe, whose shares are known: how many intervals hold them."""
    game = rw.load("tic-tac-toe")
    exact = {"wins(seat 1)": exact_mean(game, won_by(0)), "ties": exact_mean(game, tied)}
    (arm,) = lab.experiments.read_arms(("tic-tac-toe",))
    held = dict.fromkeys(exact, 0)
    for number in range(options.experiments):
        results = played((arm,), options.games, options.seed + number * options.games)
        for name, value in exact.items():
            found = results.arms[0].statistics[name]
            low, high = lab.experiments.mean_interval(found, share=True)
            held[name] += low <= value <= high
    for name, value in exact.items():
        told = f"{held[name]} of {options.experiments} intervals hold {float(value):.4f}"
        yield f"exact values, tic-tac-toe, {name}", told


def sweeps(options: argparse.Namespace) -> Iterator[Row]:
    """A parameter of each of the five games."""
    for file in sorted((ROOT / "tests" / "experiments" / "sweeps").glob("*.toml")):
        experiment = lab.experiments.read_experiment(file)
        results = played(experiment.arms, options.games, options.seed)
        name = next(name for name in results.measures if name.partition("(")[0] == experiment.measures[0])
        means = ", ".join(f"{one.arm.name}: {one.mean(name):.3g}" for one in results.arms[1:])
        yield f"sweep, {file.stem}", f"{name}: {means}"


def effects(options: argparse.Namespace) -> Iterator[Row]:
    """Variants that were written for one effect each: whether the first sentence names it."""
    right, number = 0, 0
    for one in intended():
        told = told_of(one, options.games, options.seed)
        number += 1
        right += told.right
        yield f"effect, {one.ruleset}/{one.file.stem}", f"{'yes' if told.right else 'NO'}: {told.sentence}"
    yield "effects named first", f"{right} of {number}"


def wrong_files(options: argparse.Namespace) -> Iterator[Row]:
    """Files with a mistake: the place and the message of the error, before a game is played."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "experiment.toml"
        for what, text in WRONG.items():
            file.write_text(text, "utf-8")
            try:
                lab.experiments.read_experiment(file).begin()
            except rw.RulesetError as error:
                one = error.diagnostics[0]
                yield f"wrong file, {what}", f"{one.span.line}:{one.span.column} {one.code} {one.message}"
            else:
                yield f"wrong file, {what}", "NO ERROR"


PARTS: dict[str, Callable[[argparse.Namespace], Iterator[Row]]] = {
    "equal": equal_arms,
    "exact": exact_shares,
    "sweeps": sweeps,
    "effects": effects,
    "wrong": wrong_files,
}


def main() -> None:
    """Print the rows as they come."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--part", choices=PARTS, action="append")
    parser.add_argument("--experiments", type=int, default=100)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for part in options.part or PARTS:
        for what, told in PARTS[part](options):
            print(f"{what:45} {told}", flush=True)


if __name__ == "__main__":
    main()
