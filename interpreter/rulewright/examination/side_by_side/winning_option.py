"""EXM109: a new answer that nearly always wins at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rulewright.diagnostics import RulesetError
from rulewright.engine import State
from rulewright.examination.findings import Suspect
from rulewright.examination.playing.playing_budget import Pair, each
from rulewright.ir import model as m

SHARE = 0.1
"""Games, of all that may be played, in which positions are looked for."""
MOST = 300
"""Decisions of a game in which new options are looked for."""
POSITIONS = 40
"""Questions of one kind that are tried."""
ENOUGH = 15
"""The number of cases below which nothing is reported."""
OFTEN = 0.9


def winning_options(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """A new option wins at once whenever it is offered, by some answer to the question behind it: no player plays on.

    Such an answer may be what a game is about, if positions rarely have it; here nearly all have.
    """
    reported = set[str]()
    for pair in each(pairs):
        for suspect in _winning(pair, frozenset(pair.brought) - reported):
            reported.add(suspect.rule)
            yield suspect


def _winning(pair: Pair, brought: frozenset[str]) -> Iterator[Suspect]:
    game, new = pair.game, _new_options(pair.game.program, brought)
    tried, won = Counter[str](), Counter[str]()

    def decided(rule: str) -> bool:
        return tried[rule] >= POSITIONS or tried[rule] - won[rule] > (1 - OFTEN) * POSITIONS

    try:
        for seed in pair.budget.seeds(SHARE) if new else ():
            state = game.start(seed)
            for answer in game.playout(seed, keep=True, most=MOST).answers:
                if all(decided(rule) for options in new.values() for rule in options.values()):
                    break
                for rule, key in _offered(state, new):
                    if not decided(rule):
                        tried[rule] += 1
                        won[rule] += _wins(state, key)
                state = state.choose(answer)
    except RulesetError:
        return  # playing the game reports the error
    for rule, times in sorted(tried.items()):
        if times >= ENOUGH and won[rule] >= OFTEN * times:
            yield Suspect(
                "EXM109",
                rule.rpartition(".")[0],
                rule,
                f"`{rule}` lets whoever takes it win at once: in {won[rule]} of {times} positions with it",
                "forbid the answers that end the game, or the option itself until later",
                rule=rule,
            )


def _new_options(program: m.Program, brought: frozenset[str]) -> dict[tuple[str, int], dict[str, str]]:
    """For each question its new options by their keys."""
    found: dict[tuple[str, int], dict[str, str]] = {}
    for function in program.functions:
        for pc, i in enumerate(function.code):
            for extra in i.extras if isinstance(i, m.Choose) else ():
                first = function.code[extra.to] if extra.to < len(function.code) else None
                if isinstance(first, m.Fired) and first.rule in brought:
                    found.setdefault((function.name, pc), {})[extra.key] = first.rule
    return found


def _offered(state: State, new: dict[tuple[str, int], dict[str, str]]) -> Iterator[tuple[str, str]]:
    """The new options of a decision, each with its key."""
    question, decision = state.question, state.decision
    if question is not None and decision is not None and (question.function, question.pc) in new:
        known = new[question.function, question.pc]
        yield from ((known[option.key], option.key) for option in decision.options if option.key in known)


def _wins(state: State, key: str) -> bool:
    """True if the player to act can win with an option by one more answer at most."""
    decision = state.decision
    assert decision is not None
    after = state.choose(key)
    following = after.decision
    if following is None or following.who != decision.who:
        return _has_won(after, decision.who)
    return any(_has_won(after.choose(option), decision.who) for option in following.options)


def _has_won(state: State, seat: str) -> bool:
    result = state.result
    return result is not None and result.winners == (seat,)


__all__ = ["winning_options"]
