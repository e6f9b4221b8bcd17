"""Reactions of all kinds in one game: played in two ways, saved within every window, never betraying a hand."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Literal

import pytest

import rulewright as rw
from rulewright.findings.fuzzing import FuzzOptions
from sampling import sample

RULES = """game brawl
players 2 to 4
die D6: 1 to 6
enum Kind: luck, shield, mirror, bag, dispel
piece Card from "cards.json"
    kind: Kind
    named "{kind}"
    begins in deck
zone deck: stack of Card, count seen by everyone
zone hand[p: Player]: set of Card, face seen by p, count seen by everyone
zone used: set of Card, seen by everyone
field lives[Player]: 0.. = 12
field gold[Player]: 0.. = 0

procedure play
    shuffle deck
    each p in players
        draw 4 from deck to hand[p]
    repeat 4 times
        each p in players
            turn(p)
    finish ranking p in players by lives[p] then gold[p]

procedure turn(p: Player)
    p chooses foe from players
        forbid oneself: foe is p
    p rolls 2 D6 as faces
    hit(p, foe, max(f for f in faces))
    if gold[p] > 0
        p may choose payment from {1, 2, 3}
            forbid too_dear: payment > gold[p]
        then
            gold[p] -= payment
            lives[p] += payment

procedure hit(from_whom: Player, victim: Player, amount: Int), open clockwise from victim
    lives[victim] -= min({amount, lives[victim]})

procedure play_card(p: Player, c: Card) -> Bool, open clockwise from p.left
    return true

reaction lucky after rolls(roller, n), by p with c in hand[p] where c.kind is luck
    if play_card(p, c)
        p chooses change from {-1, 1}
        n += change
    move c to used
reaction shield before hit(from_whom, victim, amount), by p with c in hand[p] where c.kind is shield and p is victim
    if play_card(p, c) then amount = amount / 2 rounded down
    move c to used
reaction mirror instead of hit(from_whom, victim, amount), by p with c in hand[p] where c.kind is mirror and p is victim
    move c to used
    if play_card(p, c)
        victim = from_whom
    proceed
reaction open_bag during turn, by p with c in hand[p] where c.kind is bag
    gold[p] += 2
    move c to used
reaction dispel instead of play_card(user, c), by p with d in hand[p] where d.kind is dispel and p is not user
    move d to used
    if play_card(p, d) then return false
    proceed
reaction spoils after hit(from_whom, victim, amount) where amount > 5
    gold[from_whom] += 1

invariant cards: size(deck) + size(used) + sum(size(hand[p]) for p in everyone) is size(Card)
"""
CARDS = {"rows": [{"kind": kind, "count": 6} for kind in ("luck", "shield", "mirror", "bag", "dispel")]}
PLAYERS = (2, 3, 4)


@cache
def folder(parent: Path) -> Path:
    (parent / "game.rules").write_text(RULES, "utf-8")
    (parent / "cards.json").write_text(json.dumps(CARDS), "utf-8")
    manifest = {"name": "brawl", "title": "Brawl", "rules": ["game.rules"], "move": "turn"}
    (parent / "ruleset.json").write_text(json.dumps(manifest), "utf-8")
    return parent


@pytest.fixture(scope="module")
def brawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folder(tmp_path_factory.mktemp("brawl"))


@cache
def loaded(brawl: Path, players: int) -> rw.Game:
    return rw.load(brawl, players)


def test_the_rules_are_in_order(brawl: Path) -> None:
    assert [d for d in rw.check(rw.open_ruleset(brawl)) if d.is_error] == []


@pytest.mark.parametrize("players", PLAYERS)
def test_both_ways_of_playing_agree_and_saves_hold_in_every_window(brawl: Path, players: int) -> None:
    game = loaded(brawl, players)
    met: Counter[str] = Counter()
    for seed in range(sample(3, 6)):
        played = game.playout(seed, keep=True, check=True)
        assert not played.broken
        state = game.start(seed)
        for answer in played.answers:
            decision = state.decision
            assert decision is not None
            met[decision.label] += 1
            assert game.load(state.save()) == state
            state = state.choose(answer)
        assert state == played.state
        assert state.result is not None
    assert {"react", "change", "c", "d"} <= set(met)


@pytest.mark.parametrize("players", PLAYERS)
def test_no_window_betrays_a_hand(brawl: Path, players: int) -> None:
    game = loaded(brawl, players)
    asked = 0
    for seed in range(3):
        state = game.start(seed)
        pick = seed
        while (decision := state.decision) is not None:
            if decision.seat is not None:
                asked += decision.label == "react"
                assert not any(game.leaks(state, decision.seat, world) for world in range(2))
            pick = (pick * 1664525 + 1013904223) % 2**32
            state = state.choose((pick >> 8) % len(decision.options))
    assert asked


def test_every_reaction_fires(brawl: Path) -> None:
    game = loaded(brawl, 3)
    counts = game.new_fired()
    for seed in range(20):
        game.playout(seed, fired=counts)
    fired = dict(zip(game.rule_names, counts, strict=True))
    assert {name for name in ("lucky", "shield", "mirror", "open_bag", "dispel", "spoils") if not fired[name]} == set()


def test_the_fuzzer_plays_them(brawl: Path) -> None:
    report = rw.fuzzing.fuzz(brawl, FuzzOptions(players=3, games=sample(2, 4)))
    assert report.passed, report.stories


ENDLESS = """game endless
players 2
field life[Player]: Int = 20
query deep(n: Int) -> Int, at most 3 times
    deep(n - 1) when n > 0
    1 otherwise
procedure play
    hurt(first(players), 9)
    finish with winner players
procedure hurt(v: Player, n: Int)
    life[v] -= n
reaction doubled instead of hurt(v, n) where deep(n) > 3
    proceed
"""


@pytest.mark.parametrize("engine", ["python", "native"])
def test_a_fault_where_something_is_replaced_has_its_place(engine: Literal["python", "native"], tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(ENDLESS, "utf-8")
    (tmp_path / "ruleset.json").write_text('{"name": "endless", "title": "Endless", "rules": ["game.rules"]}', "utf-8")
    with pytest.raises(rw.RulesetError, match=r"in `hurt`") as found:
        rw.load(tmp_path, 2, engine=engine).start(1)
    assert [one.span.line for one in found.value.diagnostics] == [10]
