"""Detection of endless games: a position that comes again, as early and after as few answers as can be found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from rulewright.diagnostics import RulesetError
from rulewright.findings.fuzzing.deadlines import Limits, OutOfTime
from rulewright.findings.fuzzing.search.players import Pick
from rulewright.play.game import Game

LONG = 200
"""A loop that is reached after more decisions is not looked for again: it would take too long."""


@dataclass(frozen=True, slots=True)
class Loop:
    """Answers after which a position comes again: the last `length` of them lead from it to itself."""

    numbers: tuple[int, ...]
    length: int

    @property
    def size(self) -> tuple[int, int, tuple[int, ...]]:
        """The less, the easier to understand."""
        return len(self.numbers), self.length, self.numbers


def loop_of(game: Game, numbers: Sequence[int], limits: Limits) -> Loop | None:
    """The shortest loop that a game leads to, or None if no position of it came twice.

    If time is up the shortest so far.
    """
    left = iter(numbers)
    try:
        found = _followed(game, lambda size: min(next(left), size - 1), len(numbers), limits)
    except OutOfTime:
        return None
    if found is None or len(found.numbers) > LONG:
        return found
    best = [found]

    def loops(pick: Pick) -> bool:
        shorter = _followed(game, pick, len(best[0].numbers), limits)
        if shorter is not None and shorter.size < best[0].size:
            best[0] = shorter
        return shorter is not None

    with suppress(OutOfTime):
        from rulewright.findings.fuzzing.search.drawing import smallest

        smallest(loops, _drawn(game, found.numbers))
    return best[0]


def _followed(game: Game, pick: Callable[[int], int], most: int, limits: Limits) -> Loop | None:
    """Play until a position comes again."""
    taken: list[int] = []
    state = game.start(0, ask_chance=True)
    seen = {state.digest(): 0}
    try:
        while len(taken) < most and state.decision is not None:
            limits.spend()
            number = pick(len(state.decision.options))
            taken.append(number)
            state = state.choose(number)
            before = seen.setdefault(state.digest(), len(taken))
            if before < len(taken):
                return Loop(tuple(taken), len(taken) - before)
    except RulesetError:
        pass
    return None


def _drawn(game: Game, numbers: Sequence[int]) -> list[int]:
    """The numbers among some that Hypothesis has to draw: where there is more than one option."""
    drawn = []
    state = game.start(0, ask_chance=True)
    for number in numbers:
        assert state.decision is not None
        if len(state.decision.options) > 1:
            drawn.append(number)
        state = state.choose(number)
    return drawn
