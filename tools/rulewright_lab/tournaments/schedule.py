"""The games of a round: every agent meets every other one, with their seats exchanged in every way."""

from __future__ import annotations

from itertools import combinations, permutations, product

Lineup = tuple[int, ...]
"""The number of the agent on each seat."""


def lineups(agents: int, seats: int) -> list[Lineup]:
    """The games of a round. Where there are fewer agents than seats, two agents share them in every way; with one seat
    each agent plays alone."""
    if agents >= seats:
        return [order for some in combinations(range(agents), seats) for order in permutations(some)]
    found = []
    for one, other in combinations(range(agents), 2):
        found += [lineup for lineup in product((one, other), repeat=seats) if len(set(lineup)) == 2]
    return found
