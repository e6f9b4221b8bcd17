"""Slips of meaning, each in a variant of a small game with its right version: the right one gives no finding."""

from __future__ import annotations

from typing import NamedTuple

GAME = """\
game bazaar
players 2 to 3
param fee = 3
param beside = [0, 1, 2, 3, 4]
place Stall
map Square: grid 3 by 3 of Stall
piece Card from "cards.json"
    family: Int
    owner: Player or none
    named "card {family}"
    begins in deck
zone deck: stack of Card, seen by {}
zone hand[p: Player]: set of Card, seen by p
zone market: set of Card, seen by everyone
field gold[Player]: Int = 5
field votes[Player]: Int = 0
field helped[Player]: Bool = false
field sold: Card or none
field man[Stall]: Player or none
field friends[Player]: set of Player = {}

query crowd(s: Stall) -> Int = count(n in s.neighbours where man[n] is not none)
query worth(s: Stall) -> Int = beside[crowd(s)]
query keeper(c: Card) -> Player or none = man[first(s in Stall where man[s] is c.owner)]

effect feast()
    each p in players
        votes[p] += size(hand[p])
    befriend(first(players), first(players).left)

effect befriend(p: Player, q: Player)
    friends[p] = friends[p] + {q}
    friends[q] = friends[q] + {p}

procedure play
    each p in players
        draw 3 from deck to hand[p]
    repeat 6 times
        each p in players
            turn(p)
        feast
    finish ranking p in players by gold[p]

procedure turn(p: Player)
    p chooses offer from hand[p]
    then
        move offer to market
        gold[p] += offer.family
        sold = offer
    else
        do nothing
    p chooses either as deed
        option buy
            forbid too_poor: gold[p] < fee
            gold[p] -= fee
            votes[p] += 1
        option settle
            p chooses spot from Stall where man[spot] is none
            man[spot] = p
            gold[p] += worth(spot)
        option rest: do nothing
    p may choose back from market where back is not sold
    then
        move back to hand[p]

consequence ruin for p in players when gold[p] < 0
    tells "{p} is ruined"
    eliminate(p)
"""


class Slip(NamedTuple):
    """A slip in the clauses of a variant."""

    name: str
    code: str
    line: str
    """Words of the line that is told."""
    wrong: str
    right: str


SLIPS = (
    Slip(
        "strength_is_no_price",
        "",
        "",
        "",
        """
in turn.deed
    option speech
        forbid unknown: votes[p] < 1
        gold[p] += 1
""",
    ),
    Slip(
        "paid_in_a_call",
        "",
        "",
        "",
        """
in turn.deed
    option bribe
        forbid no_gold: gold[p] < 2
        pay(p, 2)
        votes[p] += 2
add effect pay(p: Player, n: Int)
    gold[p] -= n
""",
    ),
    Slip(
        "empty_market",
        "EXM102",
        "market is empty",
        """
after turn.move_1
    if market is empty then gold[p] += 3
""",
        """
before turn.move_1
    if market is empty then gold[p] += 3
""",
    ),
    Slip(
        "fellow",
        "EXM102",
        "some(c in market",
        """
after turn.move_1
    if some(c in market where c.family is offer.family) then gold[p] += 1
""",
        """
after turn.move_1
    if some(c in market where c is not offer and c.family is offer.family) then gold[p] += 1
""",
    ),
    Slip(
        "company",
        "EXM102",
        "some(c in market",
        """
after turn.move_1
    if some(c in market where c in market or c in deck) then gold[p] += 1
""",
        """
before turn.move_1
    if some(c in market where c in market or c in deck) then gold[p] += 1
""",
    ),
    Slip(
        "moved_on",
        "",
        "",
        "",
        """
after turn.move_1
    if gold[p] > 3 then move market to deck
    if market is empty then gold[p] += 3
""",
    ),
    Slip(
        "keeper",
        "EXM103",
        "keeper(offer) is not none",
        """
after turn.move_1
    if keeper(offer) is not none then gold[p] += 1
""",
        """
after turn.move_1
    if keeper(offer) is not none then gold[keeper(offer)] += 1
""",
    ),
    Slip(
        "rich_one_by_one",
        "",
        "",
        "",
        """
add end rich for p in players when gold[p] >= 30
    finish with winner p
""",
    ),
    Slip("short_list", "EXM105", "set beside", "set beside = [0, 2, 4, 6]", "set beside = [0, 2, 4, 6, 8]"),
    Slip(
        "a_number_for_each_spice",
        "EXM105",
        "add param liking",
        """
add enum Spice: pepper, salt, saffron
add param liking = [0, 1, 3]
add field fond[Spice]: Player or none = none
after turn.move_1
    each s in Spice where offer.family > 2
        fond[s] = p
    votes[p] += liking[count(s in Spice where fond[s] is p)]
""",
        """
add enum Spice: pepper, salt, saffron
add param liking = [0, 1, 3, 6]
add field fond[Spice]: Player or none = none
after turn.move_1
    each s in Spice where offer.family > 2
        fond[s] = p
    votes[p] += liking[count(s in Spice where fond[s] is p)]
""",
    ),
    Slip(
        "no_limit",
        "",
        "",
        "",
        """
in turn.spot
    forbid too_many: size(hand[p]) > 2
""",
    ),
    Slip(
        "keeper_by_name",
        "EXM103",
        "host is not none",
        """
after turn.move_1
    let host = keeper(offer)
    if host is not none then gold[p] += 1
""",
        """
after turn.move_1
    let host = keeper(offer)
    if host is not none then gold[host] += 1
""",
    ),
    Slip(
        "somebody_elses",
        "",
        "",
        "",
        """
after turn.move_1
    let host = keeper(offer)
    if host is not none and host is not p then gold[p] += 1
""",
    ),
    Slip(
        "more_stalls_than_there_are",
        "EXM111",
        "count(s in Stall where man[s] is p) >= 10",
        """
after turn.move_1
    if count(s in Stall where man[s] is p) >= 10 then gold[p] += 5
""",
        """
after turn.move_1
    if count(s in Stall where man[s] is p) >= 9 then gold[p] += 5
""",
    ),
    Slip(
        "more_cards_than_there_are",
        "EXM111",
        "forbid no_more",
        """
in turn.offer
    forbid no_more: count(c in market where c.family is offer.family) > 6
""",
        """
in turn.offer
    forbid no_more: count(c in market where c.family is offer.family) > 2
""",
    ),
    Slip(
        "many_of_nobody",
        "",
        "",
        "",
        """
after turn.move_1
    if count(c in market where c.owner is none) >= 12 then gold[p] += 5
""",
    ),
    Slip(
        "divided_by_too_much",
        "EXM111",
        "/ 10 rounded down",
        """
after turn.move_1
    gold[p] += count(s in Stall where man[s] is p) / 10 rounded down
""",
        """
after turn.move_1
    gold[p] += count(s in Stall where man[s] is p) / 3 rounded down
""",
    ),
    Slip(
        "until_it_is_enough",
        "",
        "",
        "",
        """
add consequence interest for p in players when votes[p] >= 10 and votes[p] < 20
    votes[p] += 1
""",
    ),
    Slip(
        "stall_of_nobody",
        "EXM102",
        "if man[spot] is none",
        """
after turn.assign_5
    if man[spot] is none then votes[p] += 1
""",
        """
before turn.assign_5
    if man[spot] is none then votes[p] += 1
""",
    ),
    Slip(
        "first_stone_of_many",
        "EXM102",
        "votes[p] += 3 if",
        """
add field stones[Stall]: 0..9 = 0
before turn.assign_5
    if stones[spot] < 9
        stones[spot] += 1
        votes[p] += 3 if stones[spot] is 0 else 1
""",
        """
add field stones[Stall]: 0..9 = 0
before turn.assign_5
    if stones[spot] < 9
        votes[p] += 3 if stones[spot] is 0 else 1
        stones[spot] += 1
""",
    ),
    Slip(
        "rank_that_grows_is_no_price",
        "",
        "",
        "",
        """
add field rank[Player]: Int = 0
before turn.deed
    rank[p] += 1
in turn.deed
    option speech
        forbid low: rank[p] < 2
        gold[p] += 1
add end high when some(p in players where rank[p] > 6)
    finish ranking p in players by rank[p]
""",
    ),
    Slip(
        "size_of_a_hand_is_no_secret",
        "",
        "",
        "",
        """
in turn.offer
    forbid fewer: size(hand[p.left]) > size(hand[p])
""",
    ),
    Slip(
        "gift_of_a_turn",
        "EXM123",
        "add field given",
        """
add field given: Bool = false
before turn.deed
    if not given and votes[p] > 0
        given = true
        gold[p] += 1
""",
        """
add field given: Bool = false, lasting turn
before turn.deed
    if not given and votes[p] > 0
        given = true
        gold[p] += 1
""",
    ),
    Slip(
        "old_beside_new",
        "",
        "",
        "",
        """
before turn.move_1
    let had = size(market)
after turn.move_1
    if had < size(market) then gold[p] += 1
""",
    ),
    Slip(
        "sent_back_oneself",
        "EXM133",
        "each q in players where",
        """
after turn.offer
    each q in players where votes[q] is votes[p]
        votes[q] = 0
""",
        """
after turn.offer
    each q in players except p where votes[q] is votes[p]
        votes[q] = 0
""",
    ),
    Slip(
        "somebody_as_rich",
        "EXM133",
        "if some(q in players",
        """
after turn.offer
    if some(q in players where gold[q] >= gold[p]) then votes[p] += 1
""",
        """
after turn.offer
    if some(q in players except p where gold[q] >= gold[p]) then votes[p] += 1
""",
    ),
    Slip(
        "the_other_has_done_it",
        "EXM103",
        "helped[p.left] = true",
        """
in turn.deed
    option favour
        forbid once_only: helped[p]
        gold[p] += 2
        helped[p.left] = true
""",
        """
in turn.deed
    option favour
        forbid once_only: helped[p]
        gold[p] += 2
        helped[p] = true
""",
    ),
    Slip(
        "behind_the_last_row",
        "EXM111",
        "s.row is 3",
        """
after turn.offer
    if some(s in Stall where man[s] is p and s.row is 3) then votes[p] += 1
""",
        """
after turn.offer
    if some(s in Stall where man[s] is p and s.row is 2) then votes[p] += 1
""",
    ),
    Slip(
        "forgotten_before_it_is_asked",
        "EXM305",
        "add field rested",
        """
add field rested[Player]: Bool = false, lasting turn
in turn.deed
    option sleep
        forbid again: rested[p]
        rested[p] = true
""",
        """
add field rested[Player]: Bool = false, lasting turn
after turn.offer
    rested[p] = offer.family is 1
in turn.deed
    option sleep
        forbid again: rested[p]
        votes[p] += 1
""",
    ),
    Slip(
        "warned_once",
        "EXM123",
        "add field warned",
        """
add field warned: Bool = false
before turn.deed
    if warned then return
    warned = true
""",
        """
add field warned: Bool = false, lasting turn
before turn.deed
    if warned then return
    warned = true
after turn.offer
    if offer.family is 1 then warned = true
""",
    ),
    Slip(
        "out_of_breath_for_good",
        "EXM123",
        "add field bought",
        """
add field bought[Player]: 0.. = 0
in turn.deed
    option snack
        forbid out_of_breath: bought[p] >= 2
        bought[p] += 1
""",
        """
add field bought[Player]: 0.. = 0
in turn.deed
    option snack
        forbid out_of_breath: bought[p] >= 2
        bought[p] += 1
    option nap: bought[p] = 0
""",
    ),
    Slip(
        "pot_that_stays",
        "EXM123",
        "gold[p] += pot",
        """
add field pot: 0.. = 0
after turn.offer
    pot += 1
in turn.deed
    option take_all
        gold[p] += pot
""",
        """
add field pot: 0.. = 0
after turn.offer
    pot += 1
in turn.deed
    option take_all
        gold[p] += pot
        pot = 0
""",
    ),
    Slip(
        "led_for_good",
        "EXM123",
        "add field led",
        """
add field led: Card or none = none
after turn.offer
    if led is none then led = offer
    if led.family is offer.family then votes[p] += 1
""",
        """
add field led: Card or none = none
before play.each_2
    led = none
after turn.offer
    if led is none then led = offer
    if led.family is offer.family then votes[p] += 1
""",
    ),
    Slip(
        "bids_in_turn",
        "EXM143",
        "q chooses bid_now",
        """
add field bid[Player]: 0..9 = 0
before play.each_2
    each q in players
        q chooses bid_now from {0 .. 3}
        bid[q] = bid_now
    let highest = best(q in players by bid[q])
    each q in highest
        votes[q] += 1
""",
        """
add field bid[q: Player]: 0..9 = 0, seen by q
before play.each_2
    each q in players at once
        q chooses bid_now from {0 .. 3}
        bid[q] = bid_now
    let highest = best(q in players by bid[q])
    each q in highest
        votes[q] += 1
""",
    ),
    Slip(
        "as_many_as_oneself",
        "EXM133",
        "forbid equalled",
        """
in turn.deed
    option boast
        forbid equalled: some(q in players where votes[q] >= votes[p])
        gold[p] += 1
""",
        """
in turn.deed
    option boast
        forbid equalled: some(q in players except {p} where votes[q] >= votes[p])
        gold[p] += 1
""",
    ),
    Slip(
        "counted_with_oneself",
        "EXM133",
        "count(q in players",
        """
after turn.offer
    if count(q in players where gold[q] >= gold[p]) > 0 then votes[p] += 1
""",
        """
after turn.offer
    if count(q in players where gold[q] > gold[p]) > 0 then votes[p] += 1
""",
    ),
    Slip(
        "a_row_that_is_none",
        "EXM111",
        "s.row in {0, 3}",
        """
after turn.offer
    if some(s in Stall where man[s] is p and s.row in {0, 3}) then votes[p] += 1
""",
        """
after turn.offer
    if some(s in Stall where man[s] is p and s.row in {0, 2}) then votes[p] += 1
""",
    ),
)
