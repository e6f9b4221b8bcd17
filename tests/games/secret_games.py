"""Small games in which something is hidden, for the tests of who may know what."""

from __future__ import annotations

import json
from pathlib import Path

import rulewright as rw

CARDS = {"rows": [{"suit": suit, "worth": worth} for suit in ("red", "blue") for worth in range(1, 7)]}
HEAD = """game secrets
players 2 to 3
enum Suit: red, blue
piece Card from "cards.json"
    suit: Suit
    worth: 1..9
    named "{suit} {worth}"
    begins in deck
zone deck: stack of Card, count seen by everyone
zone hand[p: Player]: set of Card, face seen by p, count seen by everyone
zone table: set of Card, seen by everyone
"""


def made(folder: Path, rules: str, players: int, cards: object = CARDS, head: str = HEAD) -> rw.Game:
    """A game of these rules, with a deck of twelve cards, hands and a table."""
    (folder / "game.rules").write_text(head + rules)
    (folder / "cards.json").write_text(json.dumps(cards))
    (folder / "ruleset.json").write_text(json.dumps({"name": "secrets", "title": "Secrets", "rules": ["game.rules"]}))
    return rw.load(folder, players)


PASSING = """
zone passed[p: Player]: set of Card, count seen by everyone

procedure play
    shuffle deck
    each p in players
        draw 3 from deck to hand[p]
    each p in players
        give(p)
    each p in players
        move passed[p.left] to hand[p]
    each p in players
        p chooses laid from hand[p]
        move laid to table
    finish with winner first(players)

procedure give(p: Player)
    p chooses exactly 1 c as parted from hand[p]
    move parted to passed[p]
"""
"""Everybody passes a card to the right, unseen, and lays one openly."""

BIDS = """
field bid[p: Player]: 0..3 or none = none, seen by p
field price: 0..9 = 0
field said[Player]: 0..3 = 0

procedure play
    each p in players at once
        p chooses n from {0 .. 3}
        bid[p] = n
    each p in players at once
        p chooses loud from {0 .. 3}
        said[p] = loud
    each p in players
        let mine = asked(p)
        bid[p] = mine
    each p in players
        p chooses vote from {0 .. 3}
        if vote is 2 then price += 1
    each p in players
        p chooses spoken from {0 .. 3}
    finish with winner first(players)

procedure asked(p: Player) -> Int
    p chooses m from {0 .. 3}
    return m
"""
"""Numbers that go here and there: into a field of one's own at once, into an open one at once, by way of a result into
one's own, into nothing but a branch, and nowhere."""

LOSING = """
zone bag: bag of Card, seen by {}
zone sack: bag of Card, seen by {}
field turns[Player]: 0..9 = 0

procedure play
    tells "it begins"
    draw 6 from deck to table
    shuffle deck
    draw 2 from deck to hand[first(players)]
    each p in players
        p chooses c from table
        lose(c)
        turns[p] += 1
        secretly()
        p chooses n from {1 .. 2}
    finish with winner first(players)

effect lose(c: Card)
    if bag is empty
        move c to bag
    else
        move c to bag

procedure secretly
    if some(d in hand[first(players)] where d.worth > 4)
        draw 1 from bag to sack
"""
"""Cards that go into a bag in sight, from which something may then go unseen."""

TOLD = """
field goal[Player]: 0..3 = 0, seen by {}
field trap[Player]: Suit or none = none, seen by {}

procedure play
    goal[first(players)] = 2
    trap[first(players).left] = red
    each p in players
        p chooses n from {0 .. 3}
        if n is goal[p] then trap[p] = none
    finish with winner first(players)
"""
"""Values that nobody sees, and all know from the rules."""

KEPT = """
zone bag: bag of Card, seen by {}
zone sack: bag of Card, seen by {}

procedure play
    shuffle deck
    draw 3 from deck to bag
    draw 3 from deck to sack
    chance chooses kept from sack
    if kept.worth > 3
        move kept to bag
    each p in players
        p chooses n from {0 .. 3}
    move kept to sack
    each p in players
        p chooses n from {0 .. 3}
    finish with winner first(players)
"""
"""A card that the rules remember, and of which nobody knows in which of two bags it lies."""

PLANS = """
zone own[p: Player]: set of Card, seen by p
zone kept[p: Player]: set of Card, seen by p
field plan[p: Player]: 0..9 = 0, seen by p

procedure play
    each p in players
        draw 2 from deck to own[p]
    each p in players at once
        p may choose c from own[p]
        then
            move c to kept[p]
            p chooses n from {1 .. 2}
            plan[p] = n
        p chooses m from {0 .. 1}
        plan[p] += m
    finish ranking p in players by plan[p]
"""
"""Several things that each decides at once with the others: which of them comes next hangs on those before it."""

WAYS = """
zone own[p: Player]: set of Card, seen by p
field hole[p: Player]: 0..9 = 0, seen by p

procedure play
    each p in players
        draw 1 from deck to own[p]
    each p in players
        p chooses either as what
            option dig
                hole[p] = 1
                p chooses n from {1 .. 2}
                hole[p] += n
            option look
                p chooses card from own[p]
                hole[p] = card.worth
            option wait
                hole[p] = 0
        p chooses m from {0 .. 1}
    finish ranking p in players by hole[p]
"""
"""Ways that nobody else sees to be taken, in each of which something else is asked."""

NUMBERS_SKIPPED = """
field plan[p: Player]: 0..9 = 0, seen by p

procedure play
    each p in players
        p chooses a from {0 .. 2}
        plan[p] = a
    each p in players at once
        think(p)
        p chooses m from {0 .. 1}
        plan[p] = min({plan[p] + m, 9})
    finish ranking p in players by plan[p]

procedure think(p: Player)
    let before = plan[p]
    p chooses n from {1 .. 2} where n > before
    then
        plan[p] = n
    else
        plan[p] = 1
"""
"""Decisions at once that begin, for some, with another question than for others: what comes first hangs on a secret."""

CARDS_SKIPPED = """
zone own[p: Player]: set of Card, seen by p
zone kept[p: Player]: set of Card, seen by p
field plan[p: Player]: 0..9 = 0, seen by p

procedure play
    shuffle deck
    each p in players
        draw 2 from deck to own[p]
        p chooses a from {0 .. 2}
        plan[p] = a
    each p in players at once
        p chooses n from {1 .. 2} where n > plan[p]
        then
            plan[p] = n
        else
            plan[p] = 1
        p may choose c from own[p] where c.worth > plan[p]
        then
            move c to kept[p]
        p chooses m from {0 .. 1}
        plan[p] = min({plan[p] + m, 9})
    finish ranking p in players by plan[p]
"""
"""The same with cards that nobody else can count."""

MARKED = """
zone bag: bag of Card, seen by {}

procedure play
    let anna = first(players)
    draw 4 from deck to hand[anna]
    draw 5 from deck to bag
    chance chooses drawn from bag
    anna chooses marked from hand[anna]
    draw 3 from bag to table
    move {c in hand[anna] where c.worth > 4} to table
    each p in players
        p may choose laid from table where laid.suit is drawn.suit and laid.worth > 8
        p may choose put from table where put.suit is marked.suit and put.worth > 9
        p may choose open from table
        p.left may choose more from table where more.worth > 9 and more.suit is open.suit
        p.left may choose same from table where open is none or same.suit is open.suit
    finish with winner first(players)
"""
"""Cards that the rules remember, unseen when they were chosen and perhaps in sight later, and one that all saw."""

PAID = """
procedure play
    shuffle deck
    let holder = first(players)
    draw 3 from deck to hand[holder]
    reward holder: sum(c.worth for c in hand[holder])
    each p in players
        p chooses n from {1 .. 2}
    finish paying size(hand[p]) for p in players
"""
"""Somebody is paid for cards that nobody else sees."""

SMALL = {
    "passing": PASSING, "bids": BIDS, "losing": LOSING, "told": TOLD, "kept": KEPT, "plans": PLANS,
    "ways": WAYS, "marked": MARKED, "paid": PAID, "numbers skipped": NUMBERS_SKIPPED, "cards skipped": CARDS_SKIPPED,
}  # fmt: skip
"""Games for the tests that compare all that is told, by name."""
