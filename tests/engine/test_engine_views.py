"""Views of players: nothing of what is hidden from them, and enough to answer."""

from __future__ import annotations

import json
from typing import Any

from building import c as const
from building import choose, field, function, program, put
from hypothesis import given, settings
from hypothesis import strategies as st
from programs import hidden

from rulewright.engine import State, load, start
from rulewright.ir import model as m
from rulewright.ir.model import INT, Slot

PROGRAM = hidden()


def states(seed: int, picks: list[int]) -> list[State]:
    found = [start(PROGRAM, seed)]
    for pick in picks:
        decision = found[-1].decision
        if decision is None:
            break
        found.append(found[-1].choose(pick % len(decision.options)))
    return found


def test_a_hand_is_seen_by_its_owner_only() -> None:
    state = start(PROGRAM, 5)
    mine, theirs, all_ = state.view(0), state.view(1), state.view(None)
    assert len(mine["zones"]["hand"]["values"]["red"]["pieces"]) == 3
    assert theirs["zones"]["hand"]["values"]["red"] == {"count": 3}
    assert mine["zones"]["deck"] == {"count": 3}
    assert len(all_["zones"]["deck"]["pieces"]) == 3
    assert "secret_number" not in mine["fields"]
    assert "secret_number" in all_["fields"]
    assert mine["fields"]["spied"]["hidden"][0] == "red"
    assert "red" not in theirs["fields"]["spied"]["hidden"]
    assert "hidden" not in all_["fields"]["spied"]
    assert mine["fields"]["known"] == {"count": 2}
    text = json.dumps(mine)
    assert "seed" not in text
    assert "luck" not in text


def test_options_are_shown_to_who_is_asked() -> None:
    state = start(PROGRAM, 5)
    assert state.decision is not None
    assert state.view(state.decision.seat)["decision"]["options"] == [o.key for o in state.decision.options]
    assert "options" not in state.view(1 - (state.decision.seat or 0))["decision"]


def test_face_up_pieces_of_a_faced_zone_are_public() -> None:
    state = start(PROGRAM, 5)
    state = state.choose(0).choose(0)
    table = state.view(0)["zones"]["table"]
    assert table["count"] == 2
    known = [p for p in table["pieces"] if "key" in p]
    assert len(known) == 1
    assert [p for p in table["pieces"] if "key" not in p] == [{"down": True}]
    assert all("key" in p for p in state.view(None)["zones"]["table"]["pieces"])


@settings(max_examples=40)
@given(st.integers(0, 200), st.lists(st.integers(0, 9), max_size=8), st.integers(0, 200))
def test_equal_views_give_equal_options(seed: int, picks: list[int], other: int) -> None:
    """Two games that look the same to the player who is asked offer the same."""
    seen: dict[str, Any] = {}
    for game in (seed, other):
        for state in states(game, picks):
            decision = state.decision
            if decision is None:
                continue
            view = state.view(decision.seat)
            view["decision"] = decision.name
            keys = [o.key for o in decision.options]
            assert seen.setdefault(json.dumps(view, sort_keys=True), keys) == keys


@settings(max_examples=30)
@given(st.integers(0, 200), st.lists(st.integers(0, 9), max_size=8), st.integers(0, 2**64 - 1))
def test_imagined_states_look_the_same(seed: int, picks: list[int], other: int) -> None:
    """A pile with cards up and down, secret answers and a stack: all of it looks as it did, and can be played on."""
    for state in states(seed, picks):
        for player in (0, 1):
            world = state.imagine(player, other)
            assert json.dumps(world.view(player)) == json.dumps(state.view(player))
            assert world == state.imagine(player, other)
            assert load(PROGRAM, world.save()) == world
            while world.decision is not None:
                world = world.choose(other % len(world.decision.options))


def test_what_lies_face_down_is_imagined_otherwise() -> None:
    state = start(PROGRAM, 5).choose(0).choose(0)
    tables = [state.imagine(0, seed).view(None)["zones"]["table"]["pieces"] for seed in range(30)]
    assert len({next(p["key"] for p in table if "down" not in p) for table in tables}) == 1
    assert len({next(p["key"] for p in table if "down" in p) for table in tables}) > 3


def test_fields_of_pieces_that_are_alike_are_told_apart() -> None:
    """Of two pieces with one key each has its own mark, in views and in saves."""
    main = function(
        "game",
        [
            *(put("mark", const(piece), const(piece + 1)) for piece in range(3)),
            choose("n", const(0), m.IntRange(const(1), const(2)), 0, "Int"),
            m.FinishWin(const(1), "end"),
        ],
        slots=(Slot("n", INT),),
    )
    seen = (m.Audience("face", m.Alive("Player")),)
    mark = field("mark", INT, ("Piece",), audiences=seen)
    marked = program(pieces=("knight", "knight", "castle"), fields=(mark,), functions=(main,))
    state = start(marked)
    assert state.view(0)["fields"]["mark"]["values"] == {"castle": 3, "knight #1": 1, "knight #2": 2}
    assert load(marked, state.save()) == state
