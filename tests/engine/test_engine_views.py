"""What players see: nothing of what is hidden from them, and enough to answer."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from programs import hidden

from rulewright.engine import State, start

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
    assert len(mine["zones"]["hand[red]"]["pieces"]) == 3
    assert theirs["zones"]["hand[red]"] == {"count": 3}
    assert mine["zones"]["deck"] == {"count": 3}
    assert len(all_["zones"]["deck"]["pieces"]) == 3
    assert "secret_number" not in mine["fields"]
    assert "secret_number" in all_["fields"]
    assert "spied[red]" in theirs["fields"]
    assert "spied[red]" not in mine["fields"]
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


@settings(max_examples=40, deadline=None)
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
