"""The positions from which a setting is explored, each with energy by how rare it is what it has covered first.

M. Böhme, V. Pham, A. Roychoudhury, *Coverage-based greybox fuzzing as Markov chain*, CCS 2016: most energy belongs to
what is seldom exercised, and less to each position that has had its turns.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from rulewright.engine import BEGINNING, Dice, Origin
from rulewright.findings.fuzzing.search.coverage import Pair
from rulewright.findings.fuzzing.search.exploration import Discovery, ExplorationResult, Failure, words_of

MOST = 512
"""So many positions are kept at most; those with the least energy go."""
AT_ONCE = 4
"""From so many positions a portion explores, the first of them the beginning of the game."""
WHOLE = 1 << 20


@dataclass(slots=True)
class _Position:
    reached: Discovery
    tries: int = 0
    """The portions that have explored from it."""


@dataclass(slots=True)
class Positions:
    """Coverage, failures and positions of one setting."""

    dice: Dice
    known: bytes = b""
    """Coverage, as :class:`rulewright.engine.Explorer` has it."""
    used: frozenset[str] = frozenset()
    met: frozenset[Pair] = frozenset()
    failures: Counter[Failure] = field(default_factory=Counter)
    kept: list[Origin] = field(default_factory=list)
    """Positions of a corpus from which nothing was explored yet."""
    _kept: list[_Position] = field(default_factory=list)
    _portions: Counter[int] = field(default_factory=Counter)
    """For each word of the map in how many portions anything of it was covered."""

    def choose(self) -> tuple[Origin, ...]:
        """The positions for a portion; those of the corpus come first, all at once: what they cover is not new."""
        found = [BEGINNING, *self.kept]
        if self.kept:
            self._kept += (_Position(Discovery(origin, ())) for origin in self.kept)
            self.kept = []
            return tuple(found)
        energies = list(accumulate(map(self._energy, self._kept)))
        for _ in range(min(AT_ONCE - 1, len(self._kept))):
            drawn = self._kept[bisect(energies, self.dice.below(energies[-1]))]
            drawn.tries += 1
            found.append(drawn.reached.origin)
        return tuple(found)

    def _energy(self, one: _Position) -> int:
        rarest = min((self._portions[word] for word, _ in one.reached.words), default=0)
        return 1 + WHOLE // ((1 + rarest) * (1 + one.tries))

    def take(self, result: ExplorationResult) -> list[Discovery]:
        """Add what a portion has found; the positions and ends in which it covers what no other one has by now."""
        reached, ended = self._new(result.reached), self._new(result.ended)
        self.known = _joined(self.known, result.known)
        self.used |= result.used
        self.met |= result.met
        self.failures.update(result.failures)
        self._portions.update(result.touched)
        self._kept = [one for one in self._kept if one.reached.origin.way not in result.unreachable]
        self._kept += map(_Position, reached)
        if len(self._kept) > MOST:
            self._kept.sort(key=self._energy, reverse=True)
            del self._kept[MOST:]
        return [*reached, *ended]

    def _new(self, reached: Sequence[Discovery]) -> list[Discovery]:
        """Positions that cover what is not known: portions of one round begin with the same knowledge."""
        known = words_of(self.known)
        size = len(known)
        return [one for one in reached if any(at >= size or bits & ~known[at] for at, bits in one.words)]


def _joined(one: bytes, other: bytes) -> bytes:
    if len(one) != len(other):
        return other
    return (int.from_bytes(one, "little") | int.from_bytes(other, "little")).to_bytes(len(one), "little")
