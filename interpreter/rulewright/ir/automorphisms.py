"""Automorphisms of a map: permutations of its places that keep who is beside whom.

They are found by backtracking over the places, in an order in which each lies beside earlier ones, and only among
places of one colour; colours are refined until those beside a place are coloured alike for all of its colour (B. D.
McKay, *Practical graph isomorphism*, Congressus Numerantium 30, 1981, without its pruning, as maps of small games have
few symmetries).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from rulewright.foundation.bit_sets import bits_of
from rulewright.ir import model as m

Permutation = tuple[int, ...]
Symmetry = Mapping[str, Permutation]
"""For each universe that is permuted where its members go."""
MOST_AUTOMORPHISMS = 48
"""So many automorphisms of a map are looked at."""
_PATIENCE = 20_000
_DIRECTIONS = "Direction"


def map_symmetries(program: m.Program) -> Iterator[Symmetry]:
    """Permutations of the places of one map, and of its directions, that may be symmetries of the rules."""
    for graph in program.graphs:
        if graph.edge is not None or graph.at_most or any(one.place == graph.place for one in program.merged):
            continue
        others = [one for one in program.graphs if one.place == graph.place]
        for places in islice(automorphisms(graph.neighbours), MOST_AUTOMORPHISMS):
            if all(_keeps(places, other.neighbours) for other in others):
                directions = _directions(places, graph)
                found = {graph.place: places}
                if directions is not None and any(one.name == _DIRECTIONS for one in program.universes):
                    found[_DIRECTIONS] = directions
                yield found


def automorphisms(neighbours: Sequence[int]) -> Iterator[Permutation]:
    """Permutations that keep who is beside whom, but for that in which all stay; some, if there are very many."""
    size = len(neighbours)
    colours = _refined(neighbours)
    order = _order(neighbours)
    image = [-1] * size
    used = [False] * size
    steps = 0

    def extended(depth: int) -> Iterator[Permutation]:
        nonlocal steps
        if depth == size:
            yield tuple(image)
            return
        place = order[depth]
        earlier = order[:depth]
        for to in range(size):
            steps += 1
            if steps > _PATIENCE:
                return
            if used[to] or colours[to] != colours[place]:
                continue
            if all(neighbours[place] >> one & 1 == neighbours[to] >> image[one] & 1 for one in earlier):
                image[place], used[to] = to, True
                yield from extended(depth + 1)
                used[to] = False

    unmoved = tuple(range(size))
    yield from (found for found in extended(0) if found != unmoved)


def _refined(neighbours: Sequence[int]) -> list[int]:
    """A colour for each place: places of one colour have as many places of each colour beside them."""
    colours, count = [0] * len(neighbours), 1
    while True:
        seen = [(colours[n], tuple(sorted(colours[one] for one in bits_of(near)))) for n, near in enumerate(neighbours)]
        numbers = {key: number for number, key in enumerate(sorted(set(seen)))}
        colours = [numbers[key] for key in seen]
        if len(numbers) == count:
            return colours
        count = len(numbers)


def _order(neighbours: Sequence[int]) -> list[int]:
    """All places, each beside an earlier one if possible."""
    found: list[int] = []
    left = set(range(len(neighbours)))
    while left:
        near = [one for one in left if any(neighbours[one] >> known & 1 for known in found)]
        found.append(min(near or left))
        left.discard(found[-1])
    return found


def _keeps(places: Permutation, neighbours: Sequence[int]) -> bool:
    return all(
        sum(1 << places[one] for one in bits_of(near)) == neighbours[places[place]]
        for place, near in enumerate(neighbours)
    )


def _directions(places: Permutation, graph: m.Graph) -> Permutation | None:
    """The directions into which a permutation of places turns the directions; None if it is none of directions."""
    found = []
    for steps in graph.towards:
        turned = [m.NONE] * len(steps)
        for place, to in enumerate(steps):
            turned[places[place]] = m.NONE if to == m.NONE else places[to]
        if tuple(turned) not in graph.towards:
            return None
        found.append(graph.towards.index(tuple(turned)))
    return tuple(found) if sorted(found) == list(range(len(found))) else None
