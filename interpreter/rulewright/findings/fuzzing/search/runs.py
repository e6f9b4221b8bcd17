"""Seeded runs as games with chance as a decision: the numbers of the options that were taken."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.diagnostics import RulesetError
from rulewright.engine import GatheredAnswers, State, Way
from rulewright.play.game import Game

CHANCES = 5_000
"""After so many decisions of chance behind each other a game is taken for one that does not end."""


def numbers_of(game: Game, way: Way, answers: Callable[[int], Callable[[int], int]] = GatheredAnswers) -> list[int]:
    """The numbers of the options on a way, each run of which goes on where the one before was left, as far as it
    goes."""
    return game_of(game, way, answers)[0]


def game_of(
    game: Game,
    way: Way,
    answers: Callable[[int], Callable[[int], int]] = GatheredAnswers,
    *,
    begin: State | None = None,
    fired: list[int] | None = None,
    rule: str = "",
) -> tuple[list[int], State | None]:
    """The numbers of the options on a way, and the state to which it leads, None for an error before the first answer.
    The way begins in a state, or with the game, counts the uses of rules in `fired`, and is over when one is used."""
    layout, numbers = game.engine.layout, list[int]()
    given, seeded_runs = way
    number_of_rule = game.rule_names.index(rule) if rule else -1
    state = begin
    try:
        if state is None:
            state = game.start(ask_chance=True, fired=fired)
        for number in given:
            if state.decision is None:
                break
            numbers.append(min(number, len(state.decision.options) - 1))
            state = state.choose(numbers[-1])
        for seed, most in seeded_runs:
            pick, left, drawn = answers(seed), most, dict.fromkeys(layout.counters.values(), 0)
            chances = 0
            while (decision := state.decision) is not None:
                if rule and fired is not None and fired[number_of_rule]:
                    return numbers, state
                if decision.seat is None:
                    if (chances := chances + 1) > CHANCES:
                        return numbers, state
                    number = _outcome(state, seed, drawn)
                elif left:
                    number, left, chances = pick(len(decision.options)), left - 1, 0
                else:
                    break
                numbers.append(number)
                state = state.choose(number)
    except RulesetError:
        pass  # that is what is looked for
    return numbers, state


def _outcome(state: State, seed: int, drawn: dict[int, int]) -> int:
    """The number of the outcome that chance gives in the run of a seed; `drawn` has how much each of its streams has
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
