"""Hands that only others see: what a player has been told of a card holds in all worlds that they imagine."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest
from secret_games import made

import rulewright as rw
from rulewright.engine import Dice, broken
from rulewright.engine.hidden_information.worlds import determinization

RULES = """\
game hints
players 2 to 3
enum Colour: red, yellow, green
piece Card from "cards.json"
    colour: Colour
    rank: 1..3
    named "{colour} {rank}"
    begins in deck
zone deck: bag of Card, count seen by everyone
zone hand[p: Player]: row of Card, at most 3, face seen by players except p, count seen by everyone
zone laid: set of Card, seen by everyone
field colour_of[Card]: Colour or none
field not_colours[Card]: set of Colour
field rank_of[Card]: 1..3 or none

invariant the_colour for c in Card: colour_of[c] is none or colour_of[c] is c.colour
invariant another_colour for c in Card: c.colour not in not_colours[c]
invariant the_rank for c in Card: rank_of[c] is none or rank_of[c] is c.rank

procedure play
    each p in players
        draw 3 from deck to hand[p]
    repeat until deck is empty
        each p in players
            turn(p)
    finish with winner players

procedure turn(p: Player)
    p chooses either as deed
        option lay
            p chooses c from hand[p]
            move c to laid
            draw 1 from deck to hand[p]
        option tell_colour
            p chooses q from players except p
            p chooses colour from Colour
            each c in hand[q]
                if c.colour is colour then colour_of[c] = colour else not_colours[c] += {colour}
        option tell_rank
            p chooses q from players except p
            p chooses rank from {1 .. 3}
            each c in hand[q] where c.rank is rank
                rank_of[c] = rank
"""
ROW_OF_MARKERS = (
    RULES.replace("field not_colours[Card]: set of Colour", "field not_colours[Card, Colour]: Bool")
    .replace("c.colour not in not_colours[c]", "not not_colours[c, c.colour]")
    .replace("not_colours[c] += {colour}", "not_colours[c, colour] = true")
)
"""The colours that a card is known not to have as a row of markers, in place of a set."""
ROWS = [{"colour": colour, "rank": rank, "count": 3} for colour in ("red", "yellow", "green") for rank in (1, 2, 3)]


@pytest.fixture(scope="module", params=[RULES, ROW_OF_MARKERS], ids=["set", "row"])
def hints(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> rw.Game:
    return made(tmp_path_factory.mktemp("hints"), request.param, 3, {"rows": ROWS}, head="")


def after(state: rw.State, count: int, seed: int) -> rw.State:
    """A state after some answers at random."""
    dice = Dice(seed, "hints")
    for _ in range(count):
        if state.decision is None:
            break
        state = state.choose(dice.below(len(state.decision.options)))
    return state


@pytest.mark.parametrize("count", [10, 25, 40, 60])
def test_what_was_told_holds_in_worlds(count: int, hints: rw.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Worlds are found after any number of hints, few of them in vain; a player imagines the same ones in each of
    them."""
    monkeypatch.setattr(determinization, "TRIES", 3)
    monkeypatch.setattr(determinization, "REPAIRS", 0)
    state = after(hints.start(3), count, count)
    for seat in range(3):
        worlds = [state.imagine(seat, seed) for seed in range(6)]
        for world in worlds:
            assert world.view(seat) == state.view(seat)
            assert not broken(world)
        again = [worlds[0].imagine(seat, seed) for seed in range(6)]
        assert [one.to_bytes() for one in again] == [one.to_bytes() for one in worlds]


@pytest.mark.parametrize("text", [RULES, ROW_OF_MARKERS], ids=["set", "row"])
def test_all_deals_that_fit_are_equally_likely(text: str, tmp_path: Path) -> None:
    """Two of five cards are held: the first is known to be red, the second to be another 2."""
    cards = ["red 1", "red 2", "yellow 1", "yellow 2", "green 2"]
    rows = [{"colour": card.split()[0], "rank": int(card.split()[1])} for card in cards]
    rules = text.replace("draw 3 from deck", "draw (2 if p is first(players) else 0) from deck")
    game = made(tmp_path, rules, 2, {"rows": rows}, head="")
    state = next(one for one in map(game.start, range(1000)) if hand(one) == ("red 1", "green 2"))
    for answer in ("tell_rank", "player_2", "1", "tell_colour", "player_1", "red"):
        state = answered(state, answer)
    for answer in ("tell_rank", "player_2", "1", "tell_rank", "player_1", "2"):
        state = answered(state, answer)
    fits = {deal for deal in permutations(cards, 2) if deal[0] in cards[:2] and deal[1] in cards[3:]}
    found = Counter(hand(state.imagine(0, seed)) for seed in range(900))
    assert set(found) == fits
    assert all(abs(times - 900 / len(fits)) < 5 * (900 / len(fits)) ** 0.5 for times in found.values())


def answered(state: rw.State, key: str) -> rw.State:
    """The state after an answer."""
    assert state.decision is not None
    return state.choose(next(option.index for option in state.decision.options if option.key == key))


def hand(state: rw.State) -> tuple[str, ...]:
    """The hand of the first player."""
    return tuple(card["key"] for card in state.save()["zones"]["hand[player_1]"])
