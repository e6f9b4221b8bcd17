"""Slips of meaning in variants of the same small game, of kinds that were looked for later."""

from __future__ import annotations

from .slips import Slip

NEWER_SLIPS = (
    Slip(
        "offers_of_the_game",
        "EXM144",
        "add field offers",
        """
add field offers: 0.. = 0
after turn.offer
    offers += 1
    if offers > 1 then votes[p] += 1
""",
        """
add field offers: 0.. = 0
before play.each_2
    offers = 0
after turn.offer
    offers += 1
    if offers > 1 then votes[p] += 1
""",
    ),
    Slip(
        "wares_in_all_turns",
        "EXM144",
        "add field fetched",
        """
add field fetched[Player]: 0.. = 0
after turn.offer
    fetched[p] += 1
in turn.deed
    option haggle
        forbid tired: fetched[p] >= 1
        votes[p] += 1
""",
        """
add field fetched[Player]: 0.. = 0, lasting turn
after turn.offer
    fetched[p] += 1
in turn.deed
    option haggle
        forbid tired: fetched[p] >= 1
        votes[p] += 1
""",
    ),
    Slip(
        "a_count_that_ends_the_game",
        "",
        "",
        "",
        """
add field offers: 0.. = 0
add end sold_out when offers > 9, after turn
    finish ranking p in players by gold[p]
after turn.offer
    offers += 1
    if offers > 1 then votes[p] += 1
""",
    ),
    Slip(
        "sealed_lot_crossed_out",
        "EXM145",
        "lots[q] -= lot",
        """
add field lots[Player]: set of 1..3 = {1, 2, 3}
add field sealed[q: Player]: 0..3 = 0, seen by q
before play.each_2
    each q in players
        q chooses lot from {1, 2, 3}
        sealed[q] = lot
        lots[q] -= lot
    each q in players
        votes[q] += sealed[q]
""",
        """
add field lots[Player]: set of 1..3 = {1, 2, 3}
add field sealed[q: Player]: 0..3 = 0, seen by q
before play.each_2
    each q in players
        q chooses lot from {1, 2, 3}
        sealed[q] = lot
    each q in players
        votes[q] += sealed[q]
        lots[q] -= sealed[q]
""",
    ),
    Slip(
        "card_out_of_an_open_hand",
        "EXM145",
        "move card to sealed[q]",
        """
add zone shown[Player]: set of Card, seen by everyone
add zone sealed[q: Player]: set of Card, seen by q, count seen by everyone
before play.each_2
    each q in players
        draw 1 from deck to shown[q]
    each q in players
        q chooses card from shown[q]
        move card to sealed[q]
    each q in players
        votes[q] += sum(c.family for c in sealed[q])
        move sealed[q] to market
""",
        """
add zone shown[q: Player]: set of Card, seen by q, count seen by everyone
add zone sealed[q: Player]: set of Card, seen by q, count seen by everyone
before play.each_2
    each q in players
        draw 1 from deck to shown[q]
    each q in players
        q chooses card from shown[q]
        move card to sealed[q]
    each q in players
        votes[q] += sum(c.family for c in sealed[q])
        move sealed[q] to market
""",
    ),
    Slip(
        "two_of_one_card",
        "EXM146",
        "draw 2 from deck",
        """
after turn.offer
    if deck is empty then move market to deck
    draw 2 from deck to hand[p]
""",
        """
after turn.offer
    if size(deck) < 2 then move market to deck
    draw 2 from deck to hand[p]
""",
    ),
    Slip(
        "three_if_there_is_any",
        "EXM146",
        "draw 3 from deck",
        """
in turn.deed
    option fetch
        forbid none_left: size(deck) < 2
        draw 3 from deck to hand[p]
""",
        """
in turn.deed
    option fetch
        forbid none_left: size(deck) < 3
        draw 3 from deck to hand[p]
""",
    ),
    Slip(
        "shield_for_ever",
        "EXM147",
        "add reaction shield",
        """
add procedure robbery(victim: Player), open [victim]
    gold[victim] -= min({gold[victim], 1})
add reaction shield instead of robbery(victim), by q with c in hand[q] where q is victim
    tells "{q} has a shield"
after turn.offer
    robbery(p.left)
""",
        """
add procedure robbery(victim: Player), open [victim]
    gold[victim] -= min({gold[victim], 1})
add reaction shield instead of robbery(victim), by q with c in hand[q] where q is victim
    move c to market
after turn.offer
    robbery(p.left)
""",
    ),
    Slip(
        "asked_when_it_was_sold",
        "EXM148",
        "gold[p] += price(offer)",
        """
add query price(c: Card) -> Int = 2 if c in market else 1
after turn.move_1
    gold[p] += price(offer)
""",
        """
add query price(c: Card) -> Int = 2 if c in market else 1
before turn.move_1
    gold[p] += price(offer)
""",
    ),
    Slip(
        "own_word_again",
        "EXM149",
        "forbid again",
        """
add field said[Player]: 0..3 or none = none
before turn.offer
    p chooses word from {1, 2, 3}
        forbid again: word is said[p]
    said[p] = word
    votes[p] += word
""",
        """
add field said[Player]: 0..3 or none = none
before turn.offer
    p chooses word from {1, 2, 3}
        forbid again: word is said[p.left]
    said[p] = word
    votes[p] += word
""",
    ),
    Slip(
        "gift_of_another_purse",
        "EXM150",
        "forbid too_much",
        """
before turn.offer
    p chooses other from players except {p}
    p chooses gift from {0 .. 3}
        forbid too_much: gift > gold[other] and gift > 0
    gold[p] -= gift
    gold[other] += gift
""",
        """
before turn.offer
    p chooses other from players except {p}
    p chooses gift from {0 .. 3}
        forbid too_much: gift > gold[p] and gift > 0
    gold[p] -= gift
    gold[other] += gift
""",
    ),
    Slip(
        "robs_themselves",
        "EXM151",
        "p chooses victim from players",
        """
before turn.offer
    p chooses victim from players
    gold[victim] -= 1
    gold[p] += 1
""",
        """
before turn.offer
    p chooses victim from players except {p}
    gold[victim] -= 1
    gold[p] += 1
""",
    ),
    Slip(
        "takes_own_cards",
        "EXM151",
        "p chooses victim from players",
        """
before turn.offer
    p chooses victim from players
    move hand[victim] to hand[p]
""",
        """
before turn.offer
    p chooses victim from players
        forbid own: victim is p
    move hand[victim] to hand[p]
""",
    ),
    Slip(
        "war_for_good",
        "EXM144",
        "add field war",
        """
add field war: Bool = false
after turn.offer
    if offer.family is 3 then war = true
    if war then votes[p] += 1
""",
        """
add field war: Bool = false
after turn.offer
    if offer.family is 3 then war = true
    if offer.family is 1 then war = false
    if war then votes[p] += 1
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
        "back_from_the_deck",
        "EXM152",
        "draw 1 from deck to hand[p]",
        """
before turn.offer
    p may choose given from hand[p]
    then
        move given to deck
        draw 1 from deck to hand[p]
""",
        """
before turn.offer
    p may choose given from hand[p]
    then
        draw 1 from deck to hand[p]
        move given to deck at bottom
""",
    ),
    Slip(
        "shuffled_between",
        "",
        "",
        "",
        """
before turn.offer
    move market to deck
    shuffle deck
    draw 1 from deck to hand[p]
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
    Slip(
        "pays_more_than_asked",
        "EXM153",
        "gold[p] -= 1",
        """
in turn.deed
    option bribe
        forbid no_gold: gold[p] < 2
        gold[p] -= 2
        votes[p] += 1
        gold[p] -= 1
""",
        """
in turn.deed
    option bribe
        forbid no_gold: gold[p] < 3
        gold[p] -= 2
        votes[p] += 1
        gold[p] -= 1
""",
    ),
    Slip(
        "two_of_one_token",
        "EXM153",
        "tokens -= 2",
        """
add field tokens: 0.. = 5
after turn.offer
    if tokens > 0
        tokens -= 2
        votes[p] += 1
""",
        """
add field tokens: 0.. = 5
after turn.offer
    if tokens > 1
        tokens -= 2
        votes[p] += 1
""",
    ),
    Slip(
        "leaders_who_lead_no_more",
        "EXM154",
        "votes[q] += 1",
        """
before play.each_2
    each q in players
        if votes[q] is max(votes[r] for r in players) then votes[q] += 1
""",
        """
before play.each_2
    let most = max(votes[r] for r in players)
    each q in players
        if votes[q] is most then votes[q] += 1
""",
    ),
    Slip(
        "leaders_found_by_a_query",
        "EXM154",
        "votes[q] += 1",
        """
add query leaders() -> set of Player = best(r in players by votes[r])
before play.each_2
    each q in players
        if q in leaders() then votes[q] += 1
""",
        """
add query leaders() -> set of Player = best(r in players by votes[r])
before play.each_2
    each q in leaders()
        votes[q] += 1
""",
    ),
)

__all__ = ["NEWER_SLIPS"]
