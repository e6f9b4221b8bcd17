"""A bazaar where everything may be stolen while one chooses: whatever is taken away, it is no error of the rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulewright as rw
from sampling import sample

RULES = """game bazaar
players 2 to 3
piece Gem from "gems.json"
    worth: 1..4
    named "gem {worth}"
    begins in mine
zone mine: bag of Gem, seen by everyone
zone stall: set of Gem, seen by everyone
zone shelf: row of Gem, seen by everyone
zone sack[p: Player]: set of Gem, seen by everyone
field gold[Player]: Int = 0
field asked: Int = 0
field lent: Gem or none
field brave: Bool = true

procedure play
    repeat 3 times
        each p in players
            turn(p)
    finish ranking p in everyone by gold[p]

procedure turn(p: Player)
    refill
    one(p)
    refill
    if p in players then several(p)
    refill
    if p in players then between(p)
    refill
    if p in players then words(p)
    refill
    if p in players then often(p)
    refill
    if p in players then lend(p)
    asked += 6
    lent = none

procedure refill
    move stall to mine
    move shelf to mine
    draw 3 from mine to stall
    draw 2 from mine to shelf

procedure one(p: Player)
    p chooses g from stall
    let price = g.worth
    gold[p] += price
    if price > 2
        gold[p] += 1
    else
        gold[p] -= g.worth
    move g to sack[p]

procedure several(p: Player)
    p chooses exactly 2 g as got from shelf
    then
        gold[p] += min(x.worth for x in got)
    move got to sack[p]

procedure between(p: Player)
    p chooses 2 to 3 g as got from stall where g.worth > 0
        forbid twice: some(x in got where x is g)
    gold[p] += sum(x.worth for x in got)
    move got to sack[p]

procedure words(p: Player)
    p chooses either
        option take: grab(p)
        option look
            p chooses g from shelf
            gold[p] += g.worth

procedure grab(p: Player)
    p chooses g from stall
    move g to sack[p]

procedure often(p: Player)
    p repeats 1 to 3 times
        grab(p)

procedure pick(p: Player) -> Gem
    p chooses g from stall
    return g

procedure price_of(p: Player) -> Int
    let g = pick(p)
    return g.worth * 2

procedure lend(p: Player)
    let g = pick(p)
    lent = g
    move g to sack[p]
    if p in players and stall is not empty
        gold[p] += price_of(p)

reaction thief during turn, by p with s in stall
    move s to mine
reaction raid during turn, by p with s in shelf
    move shelf to mine
reaction flee during turn, by p where brave and size(players) > 1
    brave = false
    eliminate(p)

invariant gems: size(mine) + size(stall) + size(shelf) + sum(size(sack[p]) for p in everyone) is size(Gem)
invariant lent_is_there: lent is none or lent not in stall
"""
GEMS = {"rows": [{"worth": worth, "count": 24} for worth in (1, 2, 3, 4)]}


@pytest.fixture(scope="module")
def bazaar(tmp_path_factory: pytest.TempPathFactory) -> Path:
    at = tmp_path_factory.mktemp("bazaar")
    (at / "game.rules").write_text(RULES, encoding="utf-8")
    (at / "gems.json").write_text(json.dumps(GEMS), encoding="utf-8")
    manifest = {"name": "bazaar", "title": "Bazaar", "rules": ["game.rules"]}
    (at / "ruleset.json").write_text(json.dumps(manifest), encoding="utf-8")
    return at


@pytest.mark.parametrize("players", [2, 3])
def test_nothing_that_is_stolen_is_an_error(bazaar: Path, players: int) -> None:
    game = rw.load(bazaar, players)
    fired = game.new_fired()
    for seed in range(sample(20, 300)):
        played = game.playout(seed, check=True, fired=fired)
        assert not played.broken
        assert played.state.result is not None
    counts = dict(zip(game.rule_names, fired, strict=True))
    assert all(counts[name] for name in ("thief", "raid", "flee", "words.take", "words.look"))


def test_a_state_in_which_nothing_is_left_can_be_saved(bazaar: Path) -> None:
    """The lost answer lies in the frame of a resting state, when the next player is asked after all was stolen."""
    game = rw.load(bazaar, 2)
    for seed in range(sample(2, 20)):
        played = game.playout(seed, keep=True)
        state = game.start(seed)
        for answer in played.answers:
            state = state.choose(answer)
            assert game.load(state.save()) == state
        assert state == played.state
