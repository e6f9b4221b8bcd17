"""Makes a story shorter, as long as it ends in the same trouble."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from rulewright.engine import Decision, Option
from rulewright.fuzzing.reproduction.position_replay import Beginning, Replayed, Teller
from rulewright.fuzzing.search.picks import Pick
from rulewright.play.scenarios.recording.scenario_lines import Answer

T = TypeVar("T")

ROUNDS = 4
"""Answers and position are made smaller in turns at most so often."""


Better = Callable[[Replayed], None]
"""A callback for each story that is better than the one before: time may be up at any moment."""


def shrink(teller: Teller, replayed: Replayed, better: Better) -> Replayed:
    """A story that is no longer, and of which nothing can be left out."""
    better(replayed)
    for _ in range(ROUNDS):
        before = _size(replayed)
        replayed = fewer_answers(teller, replayed, better)
        replayed = less_laid(teller, replayed, better)
        if _size(replayed) == before:
            break
    return replayed


def _size(replayed: Replayed) -> tuple[int, int]:
    return len(replayed.answers), len(replayed.beginning.laid)


def fewer_answers(teller: Teller, replayed: Replayed, better: Better) -> Replayed:
    """The shortest and plainest answers from the same beginning: Hypothesis looks for them, then each is left out."""
    from rulewright.fuzzing.search.drawing import smallest

    best = [replayed]

    def improved(found: Replayed) -> None:
        best[0] = found
        better(found)

    def fails(pick: Pick) -> bool:
        def choose(decision: Decision) -> Option:
            return decision.options[pick(len(decision.options))]

        found = teller.replay(replayed.beginning, choose, len(best[0].answers))
        if found is not None and _plainness(found.answers) < _plainness(best[0].answers):
            improved(found)
        return found is not None

    drawn = [answer.option.index for answer in replayed.answers if len(answer.decision.options) > 1]
    smallest(fails, drawn)

    def keep(answers: Sequence[Answer]) -> bool:
        found = teller.repeat(replayed.beginning, answers)
        if found is None or len(found.answers) >= len(best[0].answers):
            return False
        improved(found)
        return True

    leave_out(best[0].answers, keep)
    return best[0]


def _plainness(answers: Sequence[Answer]) -> tuple[int, tuple[int, ...]]:
    return len(answers), tuple(answer.option.index for answer in answers)


def less_laid(teller: Teller, replayed: Replayed, better: Better) -> Replayed:
    """As much as possible of the position as it is when a game begins.

    Where nothing is answered the position is all that there is of the story: it stays as it was.
    """
    best = [replayed]
    if not replayed.answers:
        return replayed

    def keep(laid: Sequence[object]) -> bool:
        beginning = replayed.beginning
        chosen = tuple(one for one in beginning.laid if one in laid)
        found = teller.repeat(Beginning(beginning.function, beginning.args, chosen), best[0].answers)
        if found is None:
            return False
        best[0] = found
        better(found)
        return True

    leave_out(replayed.beginning.laid, keep)
    return best[0]


def leave_out(items: Sequence[T], keeps: Callable[[Sequence[T]], bool]) -> list[T]:
    """As few of some items as possible: parts of them are left out as long as `keeps` allows it.

    Delta debugging (Zeller and Hildebrandt, *Simplifying and Isolating Failure-Inducing Input*, 2002): first halves,
    then ever smaller parts, at last one by one until nothing more can go.
    """
    left = list(items)
    size = max(1, len(left) // 2)
    while left:
        shorter = False
        at = 0
        while at < len(left):
            fewer = left[:at] + left[at + size :]
            if keeps(fewer):
                left, shorter = fewer, True
            else:
                at += size
        if size == 1 and not shorter:
            break
        size = max(1, size // 2)
    return left
