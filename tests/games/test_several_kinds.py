"""A game whose stack holds cards and triggers, which aim at cards or players: played, recorded, saved and looked at."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random

import pytest

sys.path.append(str(Path(__file__).parents[1] / "engine"))

from lockstep import Lockstep
from small_rules import written
from test_recording import answers, played, require_held

import rulewright as rw
import rulewright_lab as lab
from rulewright.engine import ALL_PASSES
from rulewright.ir import model as m
from sampling import sample

RULES = """
game duel
players 2 to 3

enum Suit: hearts, spades
enum Strain: Suit, notrump
piece Thing
piece Card is a Thing from "cards.json"
    cost: 0..3
    suit: Suit
    named "{suit} {cost}"
    begins in deck
piece Trigger is a Thing from "triggers.json"
    amount: 1..3
    named "trigger {amount}"
    begins in reserve
zone deck: stack of Card, count seen by everyone
zone reserve: set of Trigger, seen by everyone
zone hand[p: Player]: set of Card, face seen by p, count seen by everyone
zone heap: set of Card or Trigger, seen by everyone
zone pending: stack of Card or Trigger, seen by everyone
field life[Player]: -20..20 = 3
field hurt[Card]: Int = 0
field aim[Thing]: Card or Player or none
field plan[p: Player]: Card or Player or none, seen by p
field marked[p: Player]: set of Card or Player, face seen by p, count seen by everyone
field struck: list of Card or Player, at most 20
field trump: Strain = notrump
field wild: Suit or any

query targets(p: Player) -> set of Card or Player = hand[p] + players
query follows(c: Card) -> Bool = trump is not a Suit or c.suit is trump or wild is any

procedure play
    shuffle deck
    each p in players
        draw 3 from deck to hand[p]
    repeat until some(p in players where life[p] <= 0), at most 20 times
        each p in players
            cast(p)
        if size(reserve) > 0
            let extra = first(reserve)
            move extra to pending
            chance chooses at from targets(first(players))
            aim[extra] = at
        resolve
    finish ranking p in players by life[p]

procedure cast(p: Player)
    p chooses meant from targets(p)
    then
        plan[p] = meant
        marked[p] += meant
    p may choose card from hand[p] where follows(card)
    then
        move card to pending
        p chooses target from targets(p) where target is not plan[p]
        then
            aim[card] = target
        p chooses strain from Strain
        then
            trump = strain
            wild = any
            if strain is a Suit
                wild = strain

procedure resolve
    repeat while pending is not empty
        let thing = top(pending)
        let target = aim[thing]
        if target is a Player
            life[target] -= thing.cost if thing is a Card else thing.amount
        else if target is a Card
            hurt[target] += 1
        if target is not none and size(struck) < 20 then struck += target
        aim[thing] = none
        move thing to heap
"""
DATA = {
    "cards.json": '{"rows": [{"cost": 0, "suit": "hearts", "count": 4}, {"cost": 2, "suit": "spades", "count": 6}]}',
    "triggers.json": '{"rows": [{"amount": 1, "count": 2}]}',
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("duel"), RULES, DATA)


@pytest.mark.parametrize("players", [2, 3])
def test_both_engines_play_the_same(folder: Path, players: int) -> None:
    both = Lockstep(rw.load(folder, players).program, ALL_PASSES)
    decisions = 0
    for seed in range(sample(30, 300)):
        tally = both.play(seed)
        assert not tally.errors
        decisions += tally.decisions
    assert decisions > 300


def test_games_become_scenarios(folder: Path) -> None:
    ruleset = rw.open_ruleset(folder)
    for seed in range(sample(3, 30)):
        state = played(rw.load(ruleset, 2), seed, 14)
        require_held(ruleset, state, max(answers(state) - 6, 0))


def test_what_is_saved_and_what_is_seen(folder: Path) -> None:
    game, pick = rw.load(folder, 2), Random(1)
    state = game.start(4)
    while state.decision is not None:
        state = state.choose(pick.choice(state.decision.options))
        again = game.load(json.loads(json.dumps(state.save())))
        assert again == state
        for seat in (0, 1, None):
            assert m.STAND_INS not in json.dumps(state.view(seat))
    assert isinstance(state.view(0)["fields"]["struck"], list)
    assert {"player_1", "player_2"}.intersection(state.view(0)["fields"]["struck"])


def test_secrets_stay_secret(folder: Path) -> None:
    game, pick = rw.load(folder, 2), Random(2)
    state = game.start(1)
    for _ in range(20):
        if state.decision is None:
            break
        for seed in range(3):
            assert game.leaks(state, game.seats.index(state.decision.who), seed) == []
        state = state.choose(pick.choice(state.decision.options))


def test_only_pieces_are_shown_as_pieces(folder: Path) -> None:
    game = rw.load(folder, 2)
    assert set(game.model.keys("Piece")) == {"hearts 0", "spades 2", "trigger 1"}
    assert {kind.name for kind in game.model.kinds} == {"Thing", "Card", "Trigger"}
    assert m.STAND_INS not in {zone.name for zone in game.model.zones}
    assert not any(m.CONVERSION in f".{one.name}" for one in game.model.attributes)
    parts = {part.name: part for part in lab.observations(game).parts}
    assert f"zone {m.STAND_INS}" not in parts
    assert parts["field aim"].columns[-2:] == ("player_1", "player_2")
