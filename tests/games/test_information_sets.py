"""Information sets, against those of a game library: `State.history` tells apart what OpenSpiel tells apart, no more.

Kuhn poker, Leduc poker, liar's dice and goofspiel stand in ``imperfect`` in the rules language. All histories of each
are played, and the decision nodes of a player put together that have one history. A node is written as the numbers of
the options that lead to it, which are the same in OpenSpiel: so the partitions themselves can be compared. Their
figures and digests were made with OpenSpiel 2.0.2 (M. Lanctot et al., *OpenSpiel: A Framework for Reinforcement
Learning in Games*, 2019); where it is installed, they are made anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest

import rulewright as rw
from rulewright.engine.history import Observer

GAMES = Path(__file__).parent / "imperfect"
Path_ = tuple[int, ...]

CASES: dict[str, tuple[str, int, str, dict[int, int], int, str]] = {
    "kuhn for two": ("kuhn", 2, "kuhn_poker", {0: 6, 1: 6}, 24, "0bf24005c6dd61dc"),
    "kuhn for three": ("kuhn", 3, "kuhn_poker(players=3)", {0: 16, 1: 16, 2: 16}, 288, "7d7232c6dec95162"),
    "leduc": ("leduc", 2, "leduc_poker", {0: 468, 1: 468}, 3780, "794ec86dd0abce0d"),
    "liar's dice": ("liars", 2, "liars_dice(numdice=1,dice_sides=3)", {0: 96, 1: 96}, 576, "f6935dba2cfd988f"),
    "goofspiel": (
        "goofspiel",
        2,
        "turn_based_simultaneous_game(game=goofspiel(imp_info=True,num_cards=4,points_order=descending))",
        {0: 81, 1: 81},
        501,
        "7f21a4ffabb6ccd5",
    ),
}
"""For each game its ruleset, its players, its name in OpenSpiel, how many information sets each player has, in how many
decision nodes, and a digest of the partition."""


def nodes(
    state: rw.State, players: int, seen_as: Callable[[rw.State], rw.State] = lambda state: state
) -> Iterator[tuple[Path_, int, str, str]]:
    """Every decision node: how it is come to, who is asked, their history and their view."""
    waiting: list[tuple[Path_, rw.State, list[Observer], list[list[str]]]] = [
        ((), state, [Observer(state, p) for p in range(players)], [[] for _ in range(players)])
    ]
    while waiting:
        path, state, before, seen = waiting.pop()
        observers = [observer.copy() for observer in before]
        seen = [
            s + [json.dumps(o) for o in observer.look(seen_as(state))]
            for s, observer in zip(seen, observers, strict=True)
        ]
        decision = state.decision
        if decision is None:
            continue
        if decision.seat is not None:
            yield path, decision.seat, "\n".join(seen[decision.seat]), json.dumps(state.view(decision.seat))
        for option in decision.options:
            waiting.append(((*path, option.index), state.choose(option), observers, seen))


@cache
def played(name: str, players: int) -> list[tuple[Path_, int, str, str]]:
    return list(nodes(rw.load(GAMES / name, players).start(ask_chance=True), players))


def partition(told: Iterable[tuple[Path_, int, object]]) -> dict[tuple[int, object], list[Path_]]:
    """Nodes put together of which a player is told the same."""
    found: dict[tuple[int, object], list[Path_]] = {}
    for path, player, what in told:
        found.setdefault((player, what), []).append(path)
    return found


def digest(sets: dict[tuple[int, object], list[Path_]]) -> str:
    """Equal for equal partitions."""
    text = json.dumps(sorted([player, *sorted(paths)] for (player, _), paths in sets.items()))
    return blake2b(text.encode(), digest_size=8).hexdigest()


def counted(sets: dict[tuple[int, object], list[Path_]]) -> dict[int, int]:
    found: dict[int, int] = {}
    for player, _ in sets:
        found[player] = found.get(player, 0) + 1
    return dict(sorted(found.items()))


@pytest.mark.parametrize("case", CASES)
def test_histories_split_as_the_library_does(case: str) -> None:
    name, players, _, figures, count, known = CASES[case]
    told = played(name, players)
    assert len(told) == count
    sets = partition((path, player, history) for path, player, history, _ in told)
    assert counted(sets) == figures
    assert digest(sets) == known


@pytest.mark.parametrize("case", CASES)
def test_a_view_is_never_finer_than_a_history(case: str) -> None:
    name, players = CASES[case][:2]
    views: dict[tuple[int, str], str] = {}
    for _, player, history, view in played(name, players):
        assert views.setdefault((player, history), view) == view


@pytest.mark.parametrize("case", CASES)
def test_histories_are_those_of_states(case: str) -> None:
    """The enumerator looks at states one after the other; a state finds its history by itself."""
    name, players = CASES[case][:2]
    start = rw.load(GAMES / name, players).start(ask_chance=True)
    for path, player, history, _ in played(name, players)[:: len(played(name, players)) // 12]:
        assert "\n".join(json.dumps(o) for o in come_to(start, path).history(player)) == history


@pytest.mark.parametrize("case", CASES)
def test_imagined_worlds_lie_in_the_information_set(case: str) -> None:
    """A world that a player imagines is one of the positions in which they could be."""
    name, players = CASES[case][:2]
    start = rw.load(GAMES / name, players).start(ask_chance=True)
    told = played(name, players)
    for number, (path, player, history, _) in enumerate(told):
        if number % (len(told) // 12) == 0:
            could_be = {everything(come_to(start, other)) for other, p, h, _ in told if (p, h) == (player, history)}
            worlds = {everything(come_to(start, path).imagine(player, seed)) for seed in range(8)}
            assert worlds <= could_be
            assert len(worlds) > 1 or len(could_be) == 1 or name in ("liars", "goofspiel")  # numbers change places only


def come_to(start: rw.State, path: Path_) -> rw.State:
    for number in path:
        start = start.choose(number)
    return start


def everything(state: rw.State) -> str:
    return json.dumps(state.view(None))


@pytest.mark.parametrize("case", CASES)
def test_the_figures_are_those_of_the_library(case: str) -> None:
    spiel: Any = pytest.importorskip("pyspiel")
    _, _, title, figures, count, known = CASES[case]

    def walk(state: Any, path: Path_) -> Iterator[tuple[Path_, int, object]]:
        if state.is_terminal():
            return
        asked = not state.is_chance_node()
        actions = state.legal_actions() if asked else [action for action, _ in state.chance_outcomes()]
        if asked:
            player = state.current_player()
            yield path, player, state.information_state_string(player)
        for number, action in enumerate(actions):
            yield from walk(state.child(action), (*path, number))

    told = list(walk(spiel.load_game(title).new_initial_state(), ()))
    sets = partition(told)
    assert (len(told), counted(sets), digest(sets)) == (count, figures, known)
