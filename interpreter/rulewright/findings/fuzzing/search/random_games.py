"""The first of some random games in which something is wrong."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagnostics import RulesetError
from rulewright.engine import RandomAnswers
from rulewright.findings.fuzzing.deadlines import Limits
from rulewright.findings.fuzzing.failures import Found, Key, Setting
from rulewright.findings.fuzzing.search.driver import Drive
from rulewright.findings.fuzzing.search.runs import numbers_of
from rulewright.play.game import Game


def first_failing(
    game: Game, setting: Setting, seeds: range, most: int, passed: frozenset[Key], limits: Limits
) -> tuple[Found, int] | None:
    """The first violation that is not to be passed over, and the seed of its game; None if there is none."""
    for seed in _failing(game, seeds, most):
        numbers = numbers_of(game, ((), ((seed, most),)), RandomAnswers)
        course = Drive(game, limits=limits, passed=passed.__contains__).again(numbers)
        if course.trouble is not None:
            return Found(course.trouble, setting, tuple(course.numbers), seed=seed), seed
    return None


def _failing(game: Game, seeds: range, most: int) -> Iterator[int]:
    """The seeds of games in which something is wrong; mostly it is the first, and an error may cost a whole budget."""
    left = seeds[1:]
    if left:
        yield from _failing(game, seeds[:1], most)
    left = left or seeds
    while left:
        try:
            broken = game.playouts(len(left), left.start, most, check=True).broken
        except RulesetError:
            if len(left) > 1:  # the half with the error is looked through first
                yield from _failing(game, left[: len(left) // 2], most)
                left = left[len(left) // 2 :]
                continue
            broken = {0: ()}
        yield from (left.start + number for number in sorted(broken))
        return
