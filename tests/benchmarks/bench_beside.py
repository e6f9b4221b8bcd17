"""Games, simulations and answers beside an older version, in portions that take turns. Asserts nothing.

    python tests/benchmarks/bench_beside.py                       all rows beside the last release
    python tests/benchmarks/bench_beside.py 1b9d0827 --rounds 40  beside a commit, tag or folder
    python tests/benchmarks/bench_beside.py --only connect-four   rows with this word

Speed differs from one minute to the next on most machines, by more than what is looked for. So each version is loaded
once, in a process of its own, and does the same portion of work when it is its turn, some tenths of a second long; the
figure is the median of the ratios of two portions that follow each other, above 1 where this version is quicker.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from bench_feedback import ROOT, checked_out, commit_of, last_release

WORKER = """
import random, sys, time
import rulewright as rw
kind, folder, how, players, amount, most = *sys.argv[1:4], *map(int, sys.argv[4:])
game = rw.load(folder, players, engine="python" if kind == "answers" else "auto")
def answers(seed):
    state, dice = game.start(seed), random.Random(seed)
    for _ in range(amount):
        if state.decision is None:
            break
        state = state.choose(dice.choice(state.decision.options))
from rulewright_tools.session.game_batches import policies_of
if kind == "games":
    agents = policies_of(game, (how,)) if how else ()
    work = lambda: game.playouts(amount, seed=5, policies=agents)
elif kind == "simulations":
    agents = policies_of(game, (f"mcts:{amount}{how}",))
    work = lambda: game.playout(1, policies=agents, most=most)
else:
    work = lambda: answers(2)
work()
print("ready", flush=True)
for _ in sys.stdin:
    begun = time.process_time()
    work()
    print(time.process_time() - begun, flush=True)
"""
"""Loads a game, and does a portion of work for each line that it is given; prints its processor time."""


@dataclass(frozen=True)
class Row:
    """A portion: so many games, simulations a decision (in the first `most` decisions), or answers. `how` is the
    policy that plays, or the rest of the word of the agent that searches."""

    kind: str
    ruleset: str
    amount: int
    most: int = 0
    how: str = ""

    @property
    def title(self) -> str:
        return f"{self.kind}, {self.ruleset} {self.how}".strip()


GAMES = {"connect-four": 60_000, "breakthrough": 6000, "hex": 8000, "carolus-magnus": 1500, "domaine": 300}
GAMES |= {"loewenherz": 300, "baron": 600, "kings-and-things": 40}
SIMULATIONS = {"connect-four": (3000, 12), "breakthrough": (1000, 8), "carolus-magnus": (300, 6), "domaine": (60, 6)}
SIMULATIONS |= {"baron": (100, 6), "kings-and-things": (20, 6)}
OTHERS = (
    ("connect-four", 5000, 8, ":mast"),
    ("breakthrough", 1000, 4, ":mast"),
    ("breakthrough", 2000, 4, ":pawns/20"),
    ("baron", 60, 4, ":mast:points/10"),
    ("domaine", 60, 4, ":final_score/9"),
)
POLICIES = (("breakthrough", 600, "greedy:pawns"), ("breakthrough", 400, "lead:pawns"), ("baron", 1, "lead:points"))
ANSWERS = {"connect-four": 40, "carolus-magnus": 300, "domaine": 120, "loewenherz": 120, "baron": 150}
ANSWERS |= {"kings-and-things": 150}
ROWS = (
    *(Row("games", name, amount) for name, amount in GAMES.items()),
    *(Row("simulations", name, *amounts) for name, amounts in SIMULATIONS.items()),
    *(Row("simulations", *one) for one in OTHERS),
    *(Row("games", name, amount, how=policy) for name, amount, policy in POLICIES),
    *(Row("answers", name, amount) for name, amount in ANSWERS.items()),
)


class Worker:
    """A version of the program, loaded, with a game."""

    def __init__(self, checkout: Path, row: Row) -> None:
        path = os.pathsep.join([str(checkout / "interpreter"), str(checkout / "tools")])
        words = (row.kind, str(checkout / "rulesets" / row.ruleset), row.how, "2", str(row.amount), str(row.most))
        self._process = subprocess.Popen(
            [sys.executable, "-c", WORKER, *words],
            env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._line()

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("this version does not know it")
        return line

    def work(self) -> float:
        """The processor time of one more portion, in seconds."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return float(self._line())

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def measured(row: Row, checkouts: tuple[Path, Path], rounds: int) -> tuple[float, float, float]:
    """The least seconds of a portion of this version and of the other, and the median of the ratios."""
    now, old = (Worker(checkout, row) for checkout in checkouts)
    pairs = []
    for number in range(rounds):
        if number % 2:
            before, after = old.work(), now.work()
        else:
            after, before = now.work(), old.work()
        pairs.append((after, before))
    now.close()
    old.close()
    ratio = statistics.median(before / after for after, before in pairs)
    return min(after for after, _ in pairs), min(before for _, before in pairs), ratio


def main(
    baseline: Annotated[str, typer.Argument(help="A commit, tag or folder; the last release without it.")] = "",
    rounds: Annotated[int, typer.Option(min=1, help="Portions of each version.")] = 20,
    only: Annotated[str, typer.Option(help="A word in the titles of the rows.")] = "",
) -> None:
    """Measure and print."""
    name = baseline or last_release()
    commit = None if Path(name).is_dir() else commit_of(name)
    if commit is None and not Path(name).is_dir():
        raise typer.BadParameter(f"there is no commit or folder {name}")
    other = checked_out(commit) if commit is not None else Path(name).resolve()
    print("| work | least, ms | baseline | baseline ÷ now |\n|---|---|---|---|", flush=True)
    for row in ROWS:
        if only in row.title:
            try:
                now, old, ratio = measured(row, (ROOT, other), rounds)
            except RuntimeError as error:
                print(f"| {row.title} | {error} | | |", flush=True)
                continue
            print(f"| {row.title} | {1000 * now:.0f} | {1000 * old:.0f} | {ratio:.2f} |", flush=True)


if __name__ == "__main__":
    typer.run(main)
