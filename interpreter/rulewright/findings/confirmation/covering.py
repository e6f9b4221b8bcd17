"""A greedy cover: the fewest and plainest moments that tell rules from their neighbours, the likeliest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rulewright.findings.confirmation.episodes import Episode

AGAIN = 0.25
"""The worth of telling a neighbour apart once more, in another moment."""

ANSWER, LAID = 0.4, 0.005
"""A moment is worth less for each answer that is given in it, and for each thing that is laid out."""

LEAST = 0.05
"""A moment that is worth less, in parts of the best one, is not shown."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An episode up to one of its rests."""

    episode: int
    step: int


def cover(
    pool: Sequence[Episode],
    parted: Mapping[str, Mapping[int, int]],
    weights: Mapping[str, float],
    most: int,
    already: Sequence[Candidate] = (),
) -> list[Candidate]:
    """Moments in the order of what they are worth, behind those that are chosen `already`.

    `parted` has for each neighbour the episodes in which it differs, with the first rest at which it does. A moment
    tells all those apart that have differed by then; each counts with its weight, and with a part of it the next time.
    """
    worth = dict(weights)
    candidates = {Candidate(number, step) for held in parted.values() for number, step in held.items()}
    apart = {
        one: [name for name, held in parted.items() if held.get(one.episode, one.step + 1) <= one.step]
        for one in candidates
    }
    chosen: list[Candidate] = []
    for one in already:
        candidates.discard(one)
        for name in apart.get(one, ()):
            worth[name] *= AGAIN
    first = 0.0
    while candidates and len(already) + len(chosen) < most:

        def value(one: Candidate) -> tuple[float, int, int, int]:
            episode = pool[one.episode]
            plain = 1 + ANSWER * one.step + LAID * len(episode.opening.laid)
            return sum(worth[name] for name in apart[one]) / plain, -one.step, -episode.before, -one.episode

        best = max(candidates, key=value)
        gain = value(best)[0]
        first = first or gain
        if gain < LEAST * first:
            break
        chosen.append(best)
        candidates.remove(best)
        for name in apart[best]:
            worth[name] *= AGAIN
    return chosen


def others(
    pool: Sequence[Episode], changed: frozenset[str], already: Sequence[Candidate], most: int
) -> list[Candidate]:
    """Moments in which changed rules meet others that they have not met in those chosen `already`: most of them first.

    No neighbour differs in them; the other effects of the rules are seen.
    """
    met = {(one, other) for chosen in already for one, other in _pairs(pool[chosen.episode], changed)}
    left = {number: _pairs(episode, changed) for number, episode in enumerate(pool) if episode.answers}
    found: list[Candidate] = []
    while len(found) < most:

        def value(number: int, met: set[tuple[str, str]] = met) -> tuple[float, int]:
            episode = pool[number]
            plain = 1 + ANSWER * len(episode.answers) + LAID * len(episode.opening.laid)
            return len(left[number] - met) / plain, -number

        best = max(left, key=value, default=None)
        if best is None or not left[best] - met:
            break
        found.append(Candidate(best, len(pool[best].answers)))
        met |= left.pop(best)
    return found


def _pairs(episode: Episode, changed: frozenset[str]) -> frozenset[tuple[str, str]]:
    return frozenset((one, other) for one in episode.used & changed for other in episode.used)
