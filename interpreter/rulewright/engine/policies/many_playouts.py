"""Many games at random, of which only is kept how they ended: as arrays."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulewright.budgets import DECISIONS, TOTAL, scope
from rulewright.engine.policies.playout import Playout
from rulewright.ir.model import Program
from rulewright.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from rulewright.engine.native.backend import Backend

SLICE = 256
"""Games that the native backend plays between two looks at the clock."""
STOPPED = -1
"""In place of a rule: the game was stopped after too many decisions."""


@dataclass(frozen=True, slots=True)
class Playouts:
    """Ends of many games; game number *i* has seed ``seed + i``. Arrays of numpy can be made of them as they are."""

    seed: int
    decisions: array[int]
    """Answers of players; chance is not counted."""
    rules: array[int]
    """The number of the rule that ended it, among ``Game.rule_names``; -1 if it was stopped."""
    places: tuple[array[int], ...]
    """For each seat its places, from 1; 0 if the game was stopped."""

    def __len__(self) -> int:
        return len(self.decisions)


def play_many(
    program: Program, count: int, seed: int, most: int = DECISIONS, backend: Backend | None = None
) -> Playouts:
    """Play games of successive seeds at random, natively with a backend; what it cannot play is played without."""
    made = Playouts(seed, array("i"), array("i"), tuple(array("i") for _ in range(program.players)))
    for decisions, rule, places in _ends(program, count, seed, most, backend):
        made.decisions.append(decisions)
        made.rules.append(rule)
        for column, place in zip(made.places, places, strict=True):
            column.append(place)
    return made


def _ends(
    program: Program, count: int, seed: int, most: int, backend: Backend | None
) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Of each game the decisions, the rule that ended it, and the places."""
    alone = Playout(program)
    names = {name: number for number, name in enumerate(alone.engine.rule_names)}
    end = seed + count
    while seed < end:
        here = scope()
        here.look()
        if backend is not None and not here.pools:
            many = backend.play_many(seed, min(SLICE, end - seed), min(most, here.decisions), here.steps, TOTAL)
            for one in many:
                if one is None:
                    break
                yield one.answers, one.rule - 1, one.places
                seed += 1
            else:
                continue
        played = alone.play(seed, most)
        yield played.decisions, names[played.rule] if played.finished else STOPPED, played.places
        seed += 1


__all__ = ["Playouts", "play_many"]
