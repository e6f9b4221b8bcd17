"""Twins: positions that look alike to a player and differ in what is hidden from them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

import rulewright as rw


class Starts(Protocol):
    """Something of which games can be played: a :class:`rw.Game`, or a program."""

    def start(self, seed: int) -> rw.State:
        """The first state of the game of a seed."""


def positions(game: Starts, seeds: Iterable[int], most: int = 1, ask: str = "") -> Iterator[rw.State]:
    """The decisions of random games, in each so many of them; with `ask` only those of this name."""
    for seed in seeds:
        state, pick, found = game.start(seed), seed, 0
        while state.decision is not None and found < most:
            if not ask or state.decision.name == ask:
                yield state
                found += 1
            pick = (pick * 1664525 + 1013904223) % 2**32
            state = state.choose((pick >> 8) % len(state.decision.options))


def information(state: rw.State, player: int) -> str:
    """Everything that a player has seen and heard: equal for twins."""
    return json.dumps([state.view(player), state.history(player)])


def groups(game: Starts, player: int, seeds: Iterable[int], most: int = 30) -> list[list[rw.State]]:
    """The decisions of random games, those together that are twins for a player."""
    return grouped(positions(game, seeds, most), player)


def grouped(states: Iterable[rw.State], player: int) -> list[list[rw.State]]:
    """Positions, those together that are twins for a player."""
    alike: dict[str, list[rw.State]] = {}
    for state in states:
        alike.setdefault(json.dumps(state.view(player)), []).append(state)
    found: dict[str, list[rw.State]] = {}
    for view, seen in alike.items():  # a history costs more than a view, and few views come twice
        for state in seen:
            found.setdefault(information(state, player) if len(seen) > 1 else view, []).append(state)
    return list(found.values())


def told_apart(
    states: Iterable[rw.State], told: Callable[[rw.State, int], Any], player: int | None = None
) -> tuple[list[tuple[Any, Any]], int]:
    """Pairs of different things that twins are told, for each group of them in which there are; and how many twins were
    compared. Without a player it is whoever is asked."""
    groups: dict[tuple[int, str], dict[str, Any]] = {}
    compared, seen = 0, set[tuple[int, str]]()
    for state in states:
        seat = state.decision.seat if player is None and state.decision is not None else player
        if seat is None:
            continue
        key = seat, information(state, seat)
        compared += key in seen
        seen.add(key)
        found = told(state, seat)
        groups.setdefault(key, {}).setdefault(repr(found), found)
    differing = [tuple(group.values())[:2] for group in groups.values() if len(group) > 1]
    return [(one, other) for one, other in differing], compared


def reasons(keys: Iterable[str]) -> Callable[[rw.State, int], Any]:
    """The labels and words with which some answers are refused."""
    wanted = tuple(keys)

    def told(state: rw.State, player: int) -> Any:
        return {key: [(r.label, r.text) for r in state.why_not(key).reasons] for key in wanted}

    return told
