"""All that can happen in a small game, and the information sets of its players: for the tests of histories."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

import rulewright as rw
from rulewright.engine.hidden_information.observations.history import Observer

GAMES = Path(__file__).parent / "imperfect"
Path_ = tuple[int, ...]
"""A node of the tree, as the numbers of the options that lead to it."""


@dataclass(frozen=True)
class Figures:
    """A partition of the decision nodes."""

    sets: tuple[int, ...]
    """The number of sets for each player."""
    digest: str


@dataclass(frozen=True)
class Node:
    """A decision node: how it is come to, who is asked, and what they are told."""

    path: Path_
    player: int
    history: str
    view: str


@dataclass(frozen=True)
class Tree:
    """All that can happen."""

    nodes: list[Node] = field(default_factory=list)
    ends: list[tuple[Path_, list[int]]] = field(default_factory=list)
    """And who wins there."""


def tree(
    state: rw.State,
    players: int,
    outcomes: int | None = None,
    seen_as: Callable[[rw.State], rw.State] = lambda state: state,
) -> Tree:
    """From a state on; of the outcomes of chance only this many, the first ones. `seen_as` is what is looked at."""
    found, seats = Tree(), [p["seat"] for p in state.view(None)["players"]]
    waiting = [((), state, [(Observer(state, p), "") for p in range(players)])]
    while waiting:
        path, state, before = waiting.pop()
        decision = state.decision
        if decision is None:
            assert state.result is not None
            found.ends.append((path, [seats.index(seat) for seat in state.result.winners]))
            continue
        looked_at, seen = seen_as(state), []
        for observer, history in before:
            observer = observer.copy()
            seen.append((observer, history + written(observer.look(looked_at))))
        if decision.seat is not None:
            observer, history = seen[decision.seat]
            shown = observer.before if looked_at is state else state.view(decision.seat)
            found.nodes.append(Node(path, decision.seat, history, json.dumps(shown)))
        for option in islice(decision.options, None if decision.seat is not None else outcomes):
            waiting.append(((*path, option.index), state.choose(option), seen))
    return found


def written(entries: Iterable[dict[str, Any]]) -> str:
    return "".join(f"{entry}\n" for entry in entries)


def figures(told: Iterable[tuple[Path_, int, object]]) -> Figures:
    """Of the nodes put together of which a player is told the same."""
    sets: dict[tuple[int, object], list[Path_]] = {}
    for path, player, what in told:
        sets.setdefault((player, what), []).append(path)
    whose = [player for player, _ in sets]
    counts = tuple(whose.count(player) for player in sorted(set(whose)))
    return Figures(counts, digest(sorted([player, *sorted(paths)] for (player, _), paths in sets.items())))


def digest(what: object) -> str:
    """Equal for what is equal."""
    return blake2b(json.dumps(what).encode(), digest_size=8).hexdigest()


def come_to(start: rw.State, path: Path_) -> rw.State:
    """The state to which a path leads."""
    for number in path:
        start = start.choose(number)
    return start


def everything(state: rw.State) -> str:
    """The position of everything, for one who sees it all."""
    return json.dumps(state.view(None))
