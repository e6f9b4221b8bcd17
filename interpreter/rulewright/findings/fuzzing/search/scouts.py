"""Scouts: games at random that machine code plays, hundreds in the time of one that is looked at closely.

A scout is only checked to end without an error and with all invariants and properties kept. One that does not is played
again as the fuzzer plays, with chance as a decision, and is then a game like any other.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagnostics import RulesetError
from rulewright.engine import RandomAnswers, State
from rulewright.findings.fuzzing.failures import Found
from rulewright.findings.fuzzing.search.driver import Drive
from rulewright.findings.fuzzing.search.portion_search import Harvest, Portion
from rulewright.play.game import Game

FLIGHT = 64
"""Scouts that are sent out between two looks at the clock."""

VAIN = 4
"""After so many failures in a row that show nothing new the other scouts of a portion stay at home."""


def scout(game: Game, portion: Portion, seeds: range) -> tuple[Harvest, int]:
    """The first violation in the random games of some seeds that is not known yet, and how many of them were played."""
    harvest = Harvest(portion.setting)
    for vain, seed in enumerate(_failing(game, portion, seeds), 1):
        if seed < 0:
            return harvest, -1 - seed
        course = Drive(game, limits=portion.limits, passed=portion.passed.__contains__).again(
            numbers_of(game, seed, portion.most)
        )
        harvest.decisions += len(course.numbers)
        harvest.seen.update(list(course.passed))
        if course.trouble is not None:
            harvest.seen[course.trouble.key] += 1
            harvest.found = Found(course.trouble, portion.setting, tuple(course.numbers), scout=seed)
            return harvest, seed - seeds.start + 1
        if vain == VAIN or course.cut:
            return harvest, seed - seeds.start + 1
    return harvest, len(seeds)


def _failing(game: Game, portion: Portion, seeds: range) -> Iterator[int]:
    """The seeds of games in which something is wrong; at last -1 less the number of those played if time is up."""
    for begin in range(0, len(seeds), FLIGHT):
        if portion.limits.over():
            yield -1 - begin
            return
        flight = seeds[begin : begin + FLIGHT]
        left = flight
        while left:
            try:
                broken = game.playouts(len(left), left.start, portion.most, check=True).broken
            except RulesetError:
                if len(left) > 1:  # the half with the error is looked through first
                    left = left[: len(left) // 2]
                    continue
                broken = {0: ()}
            yield from (left.start + number for number in sorted(broken))
            left = range(left.stop, flight.stop)


def numbers_of(game: Game, seed: int, most: int) -> list[int]:
    """The numbers of the options of a random game, as far as it goes, chance included."""
    pick, layout = RandomAnswers(seed), game.engine.layout
    drawn, numbers, answers = dict.fromkeys(layout.counters.values(), 0), list[int](), 0
    try:
        state = game.start(ask_chance=True)
        while (decision := state.decision) is not None and answers < most:
            if decision.seat is None:
                number = _outcome(state, seed, drawn)
            else:
                number = pick(len(decision.options))
                answers += 1
            numbers.append(number)
            state = state.choose(number)
    except RulesetError:
        pass  # that is what is looked for
    return numbers


def _outcome(state: State, seed: int, drawn: dict[int, int]) -> int:
    """The number of the outcome that chance gives in the game of a seed; `drawn` has how much each of its streams has
    given."""
    engine, decision, question = state.engine, state.decision, state.question
    assert decision is not None
    assert question is not None
    cells = list(state.cells)
    cells[engine.layout.seed] = seed
    for at, count in drawn.items():
        cells[at] = count
    member = engine.outcome(cells, state.stack, question, state.legal)
    drawn.update((at, cells[at]) for at in drawn)
    return next(option.index for option in decision.options if state.stands_for(option, member))
