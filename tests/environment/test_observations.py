"""Observations as numbers: one layout, nothing in them that a seat may not know."""

from __future__ import annotations

import json
from math import inf

import pytest
from walks import GAMES, loaded, walk

import rulewright as rw
import rulewright_lab as lab
from rulewright_lab.environment import PUBLIC, Walk, observation_bounds
from rulewright_lab.environment.observation import Part


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_the_layout_holds_in_every_position(name: str, players: int) -> None:
    game = loaded(name, players)
    observations = lab.observations(game)
    offset = 0
    for part in observations.parts:
        assert part.offset == offset
        assert not part.rows or len(part.rows) == part.shape[0]
        assert not part.columns or len(part.columns) == part.shape[-1]
        offset += part.size
    assert offset == observations.size
    json.dumps(observations.data())
    low, high = observation_bounds(game.engine, observations)
    assert len(low) == len(high) == observations.size
    for number, state in enumerate(walk(game, 4, 31)):
        if number % 10 == 0:
            for viewer in (0, game.players - 1, PUBLIC, None):
                seen = observations.array(state, viewer)
                assert len(seen) == observations.size
                outside = [n for n in range(len(seen)) if not low[n] <= seen[n] <= high[n]]
                assert not outside, [part.name for part in observations.parts if part.offset <= outside[0]][-1]


@pytest.mark.parametrize(
    ("name", "unbounded"),
    [("leduc-poker", set()), ("carolus-magnus", set()), ("baron", {"field chip", "field missed", "field score"})],
)
def test_elements_have_bounds(name: str, unbounded: set[str]) -> None:
    game = loaded(name, 2)
    low, high = observation_bounds(game.engine, lab.observations(game))
    found = {part.name for part in lab.observations(game).parts for n in range(part.offset, part.offset + part.size)
             if high[n] == inf or low[n] == -inf}  # fmt: skip
    assert found == unbounded


def bounds(part: Part) -> slice:
    """The bytes of a part in an array of single precision."""
    return slice(4 * part.offset, 4 * (part.offset + part.size))


@pytest.mark.parametrize("name", ["leduc-poker", "domaine", "baron", "kings-and-things"])
def test_worlds_that_look_the_same_are_the_same_numbers(name: str) -> None:
    game = loaded(name, 2)
    for number, state in enumerate(walk(game, 5, 40)):
        if number % 13:
            continue
        for player in range(2):
            world = state.imagine(player, number)
            one, other = (lab.observations(game).array(at, player).tobytes() for at in (world, state))
            assert [
                part.name for part in lab.observations(game).parts if one[bounds(part)] != other[bounds(part)]
            ] == []
            assert lab.observations(game).text(world, player) == lab.observations(game).text(state, player)


def test_what_differs_is_seen() -> None:
    """Each position of tic-tac-toe has an array of its own."""
    game = loaded("tic-tac-toe", 2)
    seen: dict[bytes, bytes] = {}
    begun = [game.start()]
    while begun:
        state = begun.pop()
        array = lab.observations(game).array(state, 0).tobytes()
        known = seen.setdefault(array, state.to_bytes())
        assert known == state.to_bytes()
        if state.decision is not None and len(state.log) < 4:
            begun += [state.choose(number) for number in range(len(state.decision.options))]
    assert len(seen) > 300


def test_the_parts_of_leduc_poker() -> None:
    game = loaded("leduc-poker", 2)
    state = game.start(1)
    parts = {part.name: part for part in lab.observations(game).parts}
    own, others = (lab.observations(game).array(state, player) for player in (0, 1))
    hand = parts["zone hand"]
    rows = [own[hand.offset + row * hand.shape[1] :][: hand.shape[1]] for row in range(2)]
    assert [row[1] for row in rows] == [1, 1]  # each holds one card
    assert sum(rows[0][2:]) == 1  # of which one sees one's own
    assert sum(rows[1][2:]) == 0
    assert own != others


@pytest.mark.parametrize(("name", "answers"), [("kuhn-poker", 5), ("leduc-poker", 9), ("domaine", 25), ("baron", 25)])
def test_a_walk_tells_the_history(name: str, answers: int) -> None:
    game = loaded(name, 2)
    here: Walk | None = None
    for state in walk(game, 6, answers, ask_chance=True):
        here = Walk(state) if here is None else here.step(state)
    assert here is not None
    for player in range(2):
        told = "".join(
            json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n" for entry in here.state.history(player)
        )
        found = here.information_state(player)
        assert found == told or told.endswith(found.split("\n", 1)[1])


def test_players_who_see_the_same_have_the_same_information() -> None:
    """In Kuhn poker there are six information states of each player."""
    game = loaded("kuhn-poker", 2)
    found: set[tuple[int, str]] = set()

    def visit(here: Walk) -> None:
        state = here.state
        if state.decision is None:
            return
        if state.seat is not None:
            found.add((state.seat, here.information_state(state.seat)))
        for number in range(len(state.decision.options)):
            visit(here.step(state.choose(number)))

    visit(Walk(game.start(ask_chance=True)))
    assert sorted(seat for seat, _ in found) == [0] * 6 + [1] * 6


def test_seats_that_do_not_exist_are_refused() -> None:
    game = loaded("tic-tac-toe", 2)
    with pytest.raises(rw.RulesetError):
        lab.observations(game).array(game.start(), 7)
