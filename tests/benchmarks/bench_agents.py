"""Agents that search: how fast, in how much memory, and how well they play.

    python tests/benchmarks/bench_agents.py                   the table, in some hours
    python tests/benchmarks/bench_agents.py --quick           fewer games of each
    python tests/benchmarks/bench_agents.py --part speed      one part: speed, memory, strength, poker, rules; games of
                                                              large ones: random, greedy, seats; curve
    python tests/benchmarks/bench_agents.py --record games.jsonl --minutes 30
                                                              games are kept: another run goes on from there

Seeds are fixed: whoever runs it again sees the same games. A file of games belongs to the agents as they were: it knows
when rules change, but not when a search does. Speed is compared in processor time, in turns, as ratios of
medians. OpenSpiel (``pip install open_spiel``) searches its own games, written in C++ by hand, with its MCTSBot;
without it those rows are left out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from math import inf
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import large_games
import typer
from contests import Contest, Contests, Score, wilson
from curve_picture import picture
from kuhn_exploitability import exploitability
from rich.console import Console
from rich.table import Table
from rules_reached import rules

import rulewright as rw
import rulewright_lab as lab
from rulewright.engine import ALL_PASSES, Dice, SearchTree, State
from rulewright.engine.stepping.native_search import NativeTree
from rulewright.search.position_analysis import Effort
from rulewright.search.tree_search import PythonTree, TreeSearch
from rulewright_lab.agents.search_agents import MonteCarloAgent

OPEN_SPIEL = {"connect-four": "connect_four", "breakthrough": "breakthrough", "tic-tac-toe": "tic_tac_toe"}
SIMULATIONS, SLICE, ROUNDS = 1_000, 0.2, 9
"""The simulations of a search, the processor time for which each is measured in a round, and the rounds."""
MILLION = 1_000_000
MOST_BYTES = 500_000_000
UCT = 1.4
"""The weight of the bonus for few visits in OpenSpiel: the best that was found for it is about the same as ours."""
CENTRAL = "query central(p: Player) -> Int = count(c in Cell where disc[c] is p and c.column is 3)"
"""A rating for Connect Four, which has none."""

Row = tuple[str, str, str]
"""The words for what was measured, for what is wanted, and for what was found."""


def open_spiel() -> Any:
    """The library; None if it is not installed."""
    try:
        return import_module("pyspiel")
    except ImportError:
        return None


@cache
def shipped(name: str, players: int | None = None) -> rw.Game:
    """A shipped game; Connect Four with a rating."""
    if name != "connect-four":
        return rw.load(name, players, engine="native")
    with TemporaryDirectory() as folder:
        (variant := Path(folder, "rated.rules")).write_text(f'variant "Rated" of connect_four\n    add {CENTRAL}\n')
        return rw.load(name, players, [str(variant)], engine="native")


def tree_of(game: rw.Game) -> NativeTree:
    """A tree that grows in machine code."""
    tree = game.stepper().tree()
    assert isinstance(tree, NativeTree)
    return tree


# ----------------------------------------------------------------------------------------------------------- speed


def searching(tree: SearchTree, state: State) -> Callable[[int], int]:
    """Searches once from a state; the simulations."""

    def search(seed: int) -> int:
        tree.reset(state, seed)
        tree.grow(SIMULATIONS)
        return tree.found().simulations

    return search


def searching_open_spiel(pyspiel: Any, name: str) -> Callable[[int], int]:
    """The same by OpenSpiel's MCTSBot."""
    game = pyspiel.load_game(OPEN_SPIEL[name])
    state = game.new_initial_state()

    def search(seed: int) -> int:
        bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, seed), UCT, SIMULATIONS, 500, True, seed, False)
        return int(bot.mcts_search(state).explore_count)

    return search


def rate(search: Callable[[int], int], first: int) -> float:
    """Simulations a second."""
    begun, done, seed = time.process_time(), 0, first
    while time.process_time() - begun < SLICE:
        done += search(seed)
        seed += 1
    return done / (time.process_time() - begun)


def speed(quick: bool) -> Iterator[Row]:
    """Simulations a second in one search of a thousand, in one thread."""
    pyspiel = open_spiel()
    for name in OPEN_SPIEL:
        game = rw.load(name, engine="native")
        state = game.start(0)
        each = {"ours": searching(tree_of(game), state), "python": searching(PythonTree(game.stepper()), state)}
        if pyspiel is not None:
            each["OpenSpiel"] = searching_open_spiel(pyspiel, name)
        rounds = [
            {one: rate(search, 1000 * number) for one, search in each.items()}
            for number in range(3 if quick else ROUNDS)
        ]
        figures = {one: median(found[one] for found in rounds) for one in each}
        ratio = median(found["ours"] / found["OpenSpiel"] for found in rounds) if pyspiel is not None else 0.0
        told = f"{ratio:.1f} × OpenSpiel's {figures['OpenSpiel']:,.0f}; " if pyspiel is not None else ""
        told += f"{figures['ours'] / figures['python']:.0f} × the tree in Python"
        yield f"{name}: simulations a second", "≥ 3 × OpenSpiel", f"{figures['ours']:,.0f}: {told}"


def memory(quick: bool) -> Iterator[Row]:
    """The memory of one large search."""
    simulations = MILLION // (10 if quick else 1)
    for name in ("connect-four",) if quick else ("connect-four", "breakthrough"):
        game = rw.load(name, engine="native")
        tree = tree_of(game)
        tree.reset(game.start(0), 1)
        before = tree.size
        tree.grow(simulations)
        found = tree.found()
        grown = f"{(tree.size - before) / 1e6:,.0f} MB for {found.simulations:,}" + (", full" if found.full else "")
        yield f"{name}: memory of 10^6 simulations", f"≤ {MOST_BYTES / 1e6:.0f} MB", grown


# -------------------------------------------------------------------------------------------------------- strength


def score(game: rw.Game, words: Sequence[str], games: int, seat: int = 0) -> float:
    """The share that one seat wins; those who are first together share a game."""
    played = game.playouts(games, 7, policies=[lab.agent(game, word) for word in words])
    won = 0.0
    for places in zip(*played.places, strict=True):
        won += (places[seat] == 1) / max(1, places.count(1))
    return won / games


def duel(game: rw.Game, one: str, other: str, games: int) -> float:
    """The share that one agent wins against another, with seats exchanged."""
    half = -(-games // 2)
    return (score(game, (one, other), half) + score(game, (other, one), half, 1)) / 2


def interval(share: float, games: int) -> str:
    """A share with its interval of 95 %."""
    low, high = wilson(share, games)
    return f"{share:.1%} ({low:.1%} to {high:.1%}) of {games}"


def perfect_losses(simulations: int, games: int) -> int:
    """The games of tic-tac-toe that a search loses, of so many on each seat against a player who plays perfectly, and
    takes any of the best options."""
    game, lost = rw.load("tic-tac-toe", engine="native"), 0
    search = TreeSearch(game.stepper(), Effort(simulations))
    worth = perfect(game)
    for seat in (0, 1):
        for number in range(games):
            state, dice = game.start(number), Dice(number, "perfect")
            while (decision := state.decision) is not None:
                if state.seat == seat:
                    option = search(state, dice)
                else:
                    sign = 1 if state.seat == 0 else -1
                    worths = [sign * worth(state.choose(one)) for one in decision.options]
                    best = [at for at, found in enumerate(worths) if found == max(worths)]
                    option = best[dice.below(len(best))]
                state = state.choose(decision.options[option])
            assert state.result is not None
            lost += state.result.payoffs[seat] < 0
    return lost


def perfect(game: rw.Game) -> Callable[[State], int]:
    """The worth of each position of a small game to the first of two seats, by looking at all."""
    known: dict[bytes, int] = {}

    def worth(state: State) -> int:
        key = state.to_bytes()
        if key not in known:
            if state.decision is None:
                assert state.result is not None
                known[key] = int(state.result.payoffs[0])
            else:
                best = max if state.seat == 0 else min
                known[key] = best(worth(state.choose(one)) for one in state.decision.options)
        return known[key]

    return worth


def against_open_spiel(pyspiel: Any, games: int) -> float:
    """The share that a search wins in Connect Four against OpenSpiel's MCTSBot with as many simulations."""
    game, other, won = rw.load("connect-four", engine="native"), pyspiel.load_game("connect_four"), 0.0
    search = TreeSearch(game.stepper(), Effort(SIMULATIONS))
    for number in range(games):
        bot = pyspiel.MCTSBot(
            other, pyspiel.RandomRolloutEvaluator(1, number), UCT, SIMULATIONS, 500, True, number, False
        )
        state, mirror, dice = game.start(number), other.new_initial_state(), Dice(number, "against OpenSpiel")
        while (decision := state.decision) is not None:
            if state.seat == number % 2:
                chosen = decision.options[search(state, dice)]
            else:
                column = bot.step(mirror)
                chosen = next(one for one in decision.options if one.key == str(column))
            state = state.choose(chosen)
            mirror.apply_action(int(chosen.key))
        won += (mirror.returns()[number % 2] + 1) / 2
    return won / games


def strength(quick: bool) -> Iterator[Row]:
    """Games against players whose strength is known."""
    games = 20 if quick else 200
    each = 50 if quick else 500
    lost = perfect_losses(2_000, each)
    yield f"tic-tac-toe: mcts:2000 against a perfect player, {each} games on each seat", "no loss", f"{lost} lost"
    for name, greedy in (("connect-four", "greedy:central"), ("breakthrough", "greedy:pawns")):
        game, count = shipped(name), games if name == "connect-four" else games // 2
        for other, wanted in ((greedy, "≥ 95 %"), ("mcts:100", "≥ 75 %")):
            share = duel(game, "mcts:1000", other, count)
            yield f"{name}: mcts:1000 against {other}", wanted, interval(share, count)
    if (pyspiel := open_spiel()) is not None:
        share = against_open_spiel(pyspiel, games)
        yield "connect-four: mcts:1000 against OpenSpiel's MCTSBot", "50 %", interval(share, games)


def shown(table: Contests, each: Sequence[Contest], until: float) -> Iterator[Row]:
    """The rows of contests."""
    for one in table.scores(each, until):
        yield str(one.contest), f"≥ {one.contest.wanted:.0%}", str(one)


def drawn(table: Contests, quick: bool, until: float, draw: Path | None) -> Iterator[Row]:
    """A row for each curve, and their picture."""
    curves, found = large_games.curves(quick), dict[str, list[Score]]()
    for score in table.scores([one for each in curves.values() for one in each], until):
        found.setdefault(score.contest.game, []).append(score)
    known = {name: scores for name, scores in found.items() if any(one.games for one in scores)}
    for name, scores in known.items():
        told = ", ".join(f"{one.contest.agent.removeprefix('mcts:')}: {one}" for one in scores if one.games)
        yield f"{name}: against mcts:100", "rises", told
    if draw is not None:
        titles = {shipped(name, 2).title: large_games.points(scores) for name, scores in known.items()}
        draw.write_text(picture(titles, large_games.SIMULATIONS), "utf-8")


def poker(quick: bool) -> Iterator[Row]:
    """The money that an agent loses to a player who knows how it plays."""
    game = rw.load("kuhn-poker", engine="native")
    for word, wanted in (("oos", "falls"), ("mcts", "for comparison"), ("mo-ismcts", "for comparison")):
        found = []
        for number in large_games.SIMULATIONS[1:4] if quick else (*large_games.SIMULATIONS[1:], 10_000):
            agent = lab.agent(game, f"{word}:{number}")
            assert isinstance(agent, MonteCarloAgent)
            choose = agent.begin(game.program, "native", ALL_PASSES)
            samples = max(10, min(50, 30_000 // number))
            found.append(f"{number:,}: {exploitability(game, choose, 10 if quick else samples):.3f}")
        yield f"kuhn-poker: exploitability of {word} by simulations", wanted, ", ".join(found)


Measured = Callable[[bool], Iterator[Row]]
PARTS: dict[str, Measured] = {"speed": speed, "memory": memory, "strength": strength, "poker": poker, "rules": rules}
CONTESTS = {
    "random": large_games.against_random,
    "greedy": large_games.against_greedy,
    "seats": large_games.among_random,
}
CURVE = "curve"
NAMES = (*PARTS, *CONTESTS, CURVE)


def main(
    quick: Annotated[bool, typer.Option(help="Fewer games of each.")] = False,
    part: Annotated[list[str] | None, typer.Option(help="Only this part; may be given several times.")] = None,
    record: Annotated[Path | None, typer.Option(help="A file of games: those in it are not played again.")] = None,
    minutes: Annotated[float, typer.Option(help="So long at most for each part of games.")] = inf,
    draw: Annotated[Path | None, typer.Option(help="Write the curves there as SVG.")] = None,
) -> None:
    """Measure, and print a row as soon as it is known."""
    if unknown := set(part or ()) - set(NAMES):
        raise typer.BadParameter(f"there is no part {', '.join(sorted(unknown))}: there are {', '.join(NAMES)}")
    console, progress = Console(width=None if Console().is_terminal else 160), Console(stderr=True)
    table = Contests(shipped, record, lambda said: progress.print(said, highlight=False, soft_wrap=True))

    def measured(name: str) -> Iterator[Row]:
        until = time.monotonic() + 60 * minutes
        if name in PARTS:
            return PARTS[name](quick)
        return drawn(table, quick, until, draw) if name == CURVE else shown(table, CONTESTS[name](quick), until)

    rows: list[Row] = []
    for name in part or NAMES:
        for row in measured(name):
            rows.append(row)
            print(" | ".join(row), flush=True)
    printed = Table(title="Agents that search")
    for title in ("measured", "wanted", "found"):
        printed.add_column(title)
    for row in rows:
        printed.add_row(*row)
    console.print(printed)


if __name__ == "__main__":
    typer.run(main)
