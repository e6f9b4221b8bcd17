"""Memories are true in all positions that a player cannot tell apart with all they have seen.

Small games are played through, every outcome of chance and every answer. The history is made of what is to be seen at
each rest, with all memory wiped out. Where a player has the same such history they must have the same view: a piece
that is shown as remembered, and lies elsewhere in another position with that history, would make two views.
"""

from __future__ import annotations

from copy import copy
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from information_sets import Node, come_to, everything, tree
from secret_games import made
from test_interchange import other_numbers

import rulewright as rw
from sampling import thorough

HEAD = """game recalled
players 2
piece Card from "cards.json"
    rank: 1..9
    named "rank {rank}"
    begins in deck
zone deck: stack of Card, count seen by everyone
zone hand[p: Player]: set of Card, face seen by p, count seen by everyone
zone table: set of Card, seen by everyone
zone pile[p: Player]: set of Card, count seen by everyone
zone heap: stack of Card, count seen by everyone
zone laid: row of Card, faced, face seen by {}, count seen by everyone
zone well: set of Card, seen by {}
zone hole: set of Card, seen by {}
zone pit[Side]: set of Card, seen by {}
enum Side: left, right
field note[p: Player]: 0..1 = 0, seen by p
"""

GAMES = {
    "passing": """
    shuffle deck
    each p in players
        draw 2 from deck to hand[p]
    each p in players
        p chooses c from hand[p]
        move c to pile[p]
    each p in players
        move pile[p.left] to hand[p]
    let q = first(players)
    q.left chooses d from hand[q.left]
    move d to table
    q chooses n from {1 .. 1}
""",
    "piles": """
    shuffle deck
    let p = first(players)
    draw 3 from deck to hand[p]
    p chooses c from hand[p]
    move c to pile[p]
    p chooses d from hand[p]
    move d to pile[p]
    p.left chooses e from {1 .. 1}
    draw 1 from pile[p] to hand[p.left]
    p chooses f from hand[p]
    p.left chooses g from hand[p.left]
    move g to pile[p]
    p chooses h from {1 .. 1}
""",
    "stacks": """
    shuffle deck
    let p = first(players)
    draw 2 from deck to hand[p]
    p chooses c from hand[p]
    move c to heap
    p chooses d from hand[p]
    move d to heap at bottom
    p chooses either as way
        option one: draw 1 from heap to hand[p.left]
        option both: draw 2 from heap to pile[p]
        option mixed
            shuffle heap
            draw 1 from heap to hand[p.left]
    each q in players
        q chooses n from {1 .. 1}
""",
    "turned": """
    shuffle deck
    let p = first(players)
    draw 2 from deck to laid face down
    flip first(laid) face up
    p chooses c from {1 .. 1}
    flip first(laid) face down
    p.left chooses d from {0 .. 1}
    if d is 1
        move first(laid) to pile[p]
    else
        move first(c in laid where slot(c) is 1) to pile[p]
    p chooses e from {1 .. 1}
    move laid to hand[p]
    each q in players
        q chooses n from {1 .. 1}
""",
}


DEALT = """
    shuffle deck
    each p in players
        draw 2 from deck to hand[p]
    let p = first(players)
    let q = p.left
    p chooses c from hand[p]
"""

UNOBSERVED = {
    "whether": """
    move c to well
    q chooses d from {0 .. 1}
    if d is 1 then move first(well) to hole
""",
    "how many": """
    move c to well
    q chooses d from {0 .. 1}
    repeat d times
        draw 1 from well to hole
""",
    "from where": """
    move c to pit[left]
    p chooses e from hand[p]
    move e to pit[right]
    q chooses d from Side
    move first(pit[d]) to hole
""",
    "in a function": """
    move c to well
    q chooses d from {0 .. 1}
    drain(d)
""",
    "by chance": """
    move c to well
    chance chooses d from {0 .. 1}
    if d is 1 then move well to hole
""",
    "from a field": """
    move c to well
    q chooses d from {0 .. 1}
    note[q] = d
    p chooses e from {1 .. 1}
    if note[q] is 1 then move well to hole
""",
    "by what lies there": """
    move c to well
    q chooses d from hand[q]
    move d to pile[q]
    if some(e in pile[q] where e.rank is 1) then move first(well) to hole
""",
    "beside others": """
    q chooses d from hand[q]
    q chooses either as way
        option well: move d to well
        option hole: move d to hole
    move c to well
    p chooses e from {1 .. 1}
    draw 1 from well to pile[p]
""",
    "shuffled": """
    move c to heap
    p chooses e from hand[p]
    move e to heap
    q chooses d from {0 .. 1}
    if d is 1 then shuffle heap
""",
}
"""Of wells, holes and pits nobody can count what lies there. What is done with it is decided in secret."""

DRAIN = """
effect drain(d: Int)
    if d is 1 then move first(well) to hole
"""


WITH_ALIKE = ("piles",)
"""Games that are played every day with cards of which two are alike, too."""


def without_memory(state: rw.State) -> rw.State:
    """The same position, in which nobody remembers anything."""
    found, layout = copy(state), state.engine.layout
    found.cells = list(state.cells)
    found.cells[layout.memory] = [0] * len(state.cells[layout.memory])
    return found


@cache
def _sets(name: str, alike: bool) -> tuple[rw.State, dict[tuple[int, str], list[Node]]]:
    """A game from its beginning, and its decision nodes: those together that a player cannot tell apart."""
    with TemporaryDirectory() as folder:
        start = _made(Path(folder), GAMES[name], [1, 1, 2, 2] if alike else [1, 2, 3, 4]).start(ask_chance=True)
    found: dict[tuple[int, str], list[Node]] = {}
    for node in tree(start, 2, seen_as=without_memory).nodes:
        found.setdefault((node.player, node.history), []).append(node)
    return start, found


each_game = pytest.mark.parametrize(
    ("name", "alike"),
    [(name, False) for name in GAMES]
    + [pytest.param(name, True, marks=() if name in WITH_ALIKE else thorough) for name in GAMES],
)


@each_game
def test_equal_histories_have_equal_views(name: str, alike: bool) -> None:
    _, sets = _sets(name, alike)
    assert all(len({node.view for node in nodes}) == 1 for nodes in sets.values())
    assert sum(map(len, sets.values())) > 3 * len(sets)


@each_game
def test_imagined_worlds_could_be(name: str, alike: bool) -> None:
    """They are among the positions with the same history; if there are others than the true one, so are some worlds."""
    start, sets = _sets(name, alike)
    for (player, _), nodes in list(sets.items())[:: 1 + len(sets) // 12]:
        could_be = {everything(come_to(start, node.path)) for node in nodes}
        state = come_to(start, nodes[-1].path)
        worlds = {everything(state.imagine(player, seed)) for seed in range(8)}
        assert worlds <= could_be
        assert len(worlds) > 1 or len(could_be) == 1


def test_states_are_the_same_whichever_of_the_alike_cards_is_which() -> None:
    """Also where it is known of some of them that they have changed places."""
    start, sets = _sets("piles", True)
    several = 0
    for nodes in sets.values():
        state = come_to(start, nodes[0].path)
        if not any(isinstance(entry, list) for known in state.save()["known"].values() for entry in known):
            continue
        several += 1
        for seed in range(4):
            other = other_numbers(state, seed)
            assert other == state
            assert other.to_bytes() == state.to_bytes()
            assert [other.view(player) for player in range(2)] == [state.view(player) for player in range(2)]
    assert several > 1


@pytest.mark.parametrize("name", UNOBSERVED)
def test_memory_does_not_tell_what_is_moved_where_nobody_can_count(tmp_path: Path, name: str) -> None:
    _sound(tmp_path, DEALT + UNOBSERVED[name] + "    p chooses n from {1 .. 1}\n", [1, 2, 3, 4])


def test_what_one_has_laid_where_nobody_can_count_is_known(tmp_path: Path) -> None:
    """As long as it is no secret what is moved there."""
    rules = DEALT + "    move c to well\n    q chooses d from {0 .. 1}\n    if d is 1 then move well to table\n"
    state = _made(tmp_path, rules + "    p chooses n from {1 .. 1}\n", [1, 2, 3, 4]).start(1).choose(0).choose("0")
    (laid,) = state.save()["zones"]["well"]
    assert state.view(0)["zones"]["well"] == {"count": 1, "pieces": [{"key": laid["key"]}]}
    assert "well" not in state.view(1)["zones"]


def _made(folder: Path, rules: str, ranks: list[int]) -> rw.Game:
    cards = {"rows": [{"rank": rank} for rank in ranks]}
    return made(folder, f"procedure play{rules}    finish with winner players\n{DRAIN}", 2, cards, HEAD)


def _sound(folder: Path, rules: str, ranks: list[int]) -> None:
    nodes = tree(_made(folder, rules, ranks).start(ask_chance=True), 2, seen_as=without_memory).nodes
    views: dict[tuple[int, str], str] = {}
    for node in nodes:
        assert views.setdefault((node.player, node.history), node.view) == node.view
    assert len(nodes) > 3 * len(views)
