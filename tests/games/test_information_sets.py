"""Information sets, against those of a game library: `State.history` tells apart what OpenSpiel tells apart, no more.

Small games stand in ``imperfect`` in the rules language. All that can happen in each is played, and the decision nodes
of a player are put together that have one history. A node is written as the numbers of the options that lead to it,
which are the same in OpenSpiel: so the partitions themselves can be compared, and who wins at each end.

===================================  ==================  ================
game                                 decision nodes      information sets
===================================  ==================  ================
Kuhn poker                                           24               6+6
Kuhn poker for three                                288          16+16+16
Leduc poker                                       3,780           468+468
liar's dice, one die of three faces                 576             96+96
liar's dice, one die of six faces,
the subtree of the four rolls in
which each die shows 1 or 2                      16,384       4,096+4,096
goofspiel, four cards                               501             81+81
goofspiel, four cards, open hands                   501           161+161
the same, by what is seen now                       501           135+135
===================================  ==================  ================

OpenSpiel calls goofspiel with open hands ``imp_info=False`` (its default). Its information states do not say who bid
what, only what is left in the hands and who won which prize: that is what a view tells, and 135 are the views. Whoever
remembers the bids tells more apart, 161: in the library, too, if one takes all that it has told a player so far.

Figures and digests were made with OpenSpiel 2.0.2 (M. Lanctot et al., *OpenSpiel: A Framework for Reinforcement
Learning in Games*, 2019); where it is installed, they are made again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest
from information_sets import GAMES, Figures, Path_, Tree, come_to, digest, everything, figures, tree, written

import rulewright as rw
from sampling import sample, thorough


@dataclass(frozen=True, eq=False)
class Case:
    """A game, in rules and in OpenSpiel, and what was found there."""

    rules: str
    title: str
    nodes: int
    histories: Figures
    ends: str
    """A digest of who wins where."""
    views: Figures | None = None
    """By what is seen now, where the library's information states tell only that."""
    variants: tuple[str, ...] = ()
    options: dict[str, int] = field(default_factory=dict)
    outcomes: int | None = None
    """So many of the outcomes of chance, the first ones; else all."""
    forced: bool = False
    """True if a world can be the only one that can be imagined: numbers in fields change places, they are not dealt."""

    @property
    def players(self) -> int:
        return len(self.histories.sets)

    def start(self) -> rw.State:
        game = rw.load(GAMES / self.rules, self.players, self.variants, self.options)
        return game.start(ask_chance=True)


GOOFSPIEL = "turn_based_simultaneous_game(game=goofspiel(imp_info={},num_cards=4,points_order=descending))"
CASES: dict[str, Case] = {
    "kuhn for two": Case("kuhn", "kuhn_poker", 24, Figures((6, 6), "0bf24005c6dd61dc"), "e7698e25f8b73fce"),
    "kuhn for three": Case(
        "kuhn", "kuhn_poker(players=3)", 288, Figures((16, 16, 16), "7d7232c6dec95162"), "9c0c596dd16e1025"
    ),
    "leduc": Case("leduc", "leduc_poker", 3780, Figures((468, 468), "794ec86dd0abce0d"), "499c433f16d397b8"),
    "liar's dice of three": Case(
        "liars",
        "liars_dice(numdice=1,dice_sides=3)",
        576,
        Figures((96, 96), "f6935dba2cfd988f"),
        "60de8a3d6a852f80",
        forced=True,
    ),
    "liar's dice of six": Case(
        "liars",
        "liars_dice(numdice=1,dice_sides=6)",
        16384,
        Figures((4096, 4096), "469cd8e890d79043"),
        "f647caa2e2cef1ae",
        options={"faces": 6},
        outcomes=2,
        forced=True,
    ),
    "goofspiel": Case(
        "goofspiel", GOOFSPIEL.format(True), 501, Figures((81, 81), "7f21a4ffabb6ccd5"), "707dc438ff055b51", forced=True
    ),
    "goofspiel with open hands": Case(
        "goofspiel",
        GOOFSPIEL.format(False),
        501,
        Figures((161, 161), "471fc2757f01a792"),
        "707dc438ff055b51",
        Figures((135, 135), "c02e7385c1c226f0"),
        variants=("Open hands",),
        forced=True,
    ),
}


@cache
def played(case: Case) -> Tree:
    return tree(case.start(), case.players, case.outcomes)


LARGE = [name for name, case in CASES.items() if case.nodes > 1000]
each_case = pytest.mark.parametrize(
    "case", [pytest.param(case, id=name, marks=thorough if name in LARGE else ()) for name, case in CASES.items()]
)


@each_case
def test_histories_split_as_the_library_does(case: Case) -> None:
    nodes = played(case).nodes
    assert len(nodes) == case.nodes
    assert figures((node.path, node.player, node.history) for node in nodes) == case.histories
    if case.views is not None:
        assert figures((node.path, node.player, node.view) for node in nodes) == case.views


@each_case
def test_games_end_as_in_the_library(case: Case) -> None:
    assert digest(sorted(played(case).ends)) == case.ends


@each_case
def test_a_view_is_never_finer_than_a_history(case: Case) -> None:
    views: dict[tuple[int, str], str] = {}
    for node in played(case).nodes:
        assert views.setdefault((node.player, node.history), node.view) == node.view


@each_case
def test_histories_are_those_of_states(case: Case) -> None:
    """The tree is looked at state after state; a state finds its history and its view by itself."""
    start, nodes = case.start(), played(case).nodes
    for node in nodes[:: len(nodes) // 12]:
        state = come_to(start, node.path)
        assert written(state.history(node.player)) == node.history
        assert json.dumps(state.view(node.player)) == node.view


@each_case
def test_imagined_worlds_lie_in_the_information_set(case: Case) -> None:
    """A world that a player imagines is one of the positions in which they could be."""
    start, nodes = case.start(), played(case).nodes
    for node in nodes[:: len(nodes) // sample(6, 12)]:
        same = [n.path for n in nodes if (n.player, n.history) == (node.player, node.history)]
        could_be = {everything(come_to(start, path)) for path in same}
        worlds = {everything(come_to(start, node.path).imagine(node.player, seed)) for seed in range(8)}
        assert worlds <= could_be
        assert len(worlds) > 1 or len(could_be) == 1 or case.forced


@each_case
def test_the_figures_are_those_of_the_library(case: Case) -> None:
    spiel: Any = pytest.importorskip("pyspiel")
    states: list[tuple[Path_, int, object]] = []
    memories: list[tuple[Path_, int, object]] = []
    ends: list[tuple[Path_, list[int]]] = []

    def walk(state: Any, path: Path_, before: tuple[tuple[object, ...], ...]) -> None:
        if state.is_terminal():
            returns = state.returns()
            ends.append((path, [player for player, gain in enumerate(returns) if gain == max(returns)]))
        elif state.is_chance_node():
            for number, (action, _) in enumerate(state.chance_outcomes()[: case.outcomes]):
                walk(state.child(action), (*path, number), before)
        else:
            player = state.current_player()
            told = state.information_state_string(player)
            states.append((path, player, told))
            memories.append((path, player, (*before[player], told)))
            for number, action in enumerate(state.legal_actions()):
                mine = (*before[player], told, action)
                walk(state.child(action), (*path, number), (*before[:player], mine, *before[player + 1 :]))

    walk(spiel.load_game(case.title).new_initial_state(), (), ((),) * case.players)
    assert len(states) == case.nodes
    assert figures(memories) == case.histories
    assert figures(states) == (case.views or case.histories)
    assert digest(sorted(ends)) == case.ends
