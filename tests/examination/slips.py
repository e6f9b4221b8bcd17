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
        "bribe",
        "EXM101",
        "forbid no_gold",
        """
in turn.deed
    option bribe
        forbid no_gold: gold[p] < 2
        votes[p] += 2
        gold[p] += 1
""",
        """
in turn.deed
    option bribe
        forbid no_gold: gold[p] < 2
        votes[p] += 2
        gold[p] -= 2
""",
    ),
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
        "famous",
        "EXM104",
        "end famous",
        """
add end famous for p in players when votes[p] >= 8
    finish with winner p
""",
        """
add end famous when some(p in players where votes[p] >= 8)
    finish ranking p in players by votes[p]
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
        "loan",
        "EXM106",
        "add consequence loan",
        """
add consequence loan for p in players when gold[p] < 0 and not helped[p]
    helped[p] = true
    gold[p] += 5
""",
        """
add consequence loan for p in players when gold[p] < 0 and not helped[p]
    helped[p] = true
    gold[p] += 5
replace ruin.when: gold[p] < 0 and helped[p]
""",
    ),
    Slip(
        "full_table",
        "EXM108",
        "forbid too_many",
        """
add zone table[p: Player]: set of Card, seen by everyone
after turn.move_1
    p may choose kept from market
        forbid too_many: size(table[p]) > 1
    then
        move kept to table[p]
""",
        """
add zone table[p: Player]: set of Card, seen by everyone
after turn.move_1
    p may choose kept from market
        forbid too_many: size(table[p]) >= 1
    then
        move kept to table[p]
""",
    ),
    Slip(
        "full_square",
        "EXM108",
        "forbid many",
        """
add query men(p: Player) -> Int = count(s in Stall where man[s] is p)
in turn.settle
    forbid many: men(p) > 1
""",
        """
add query men(p: Player) -> Int = count(s in Stall where man[s] is p)
in turn.settle
    forbid many: men(p) >= 1
""",
    ),
    Slip(
        "full_purse",
        "EXM108",
        "forbid loaded",
        """
add zone purse[p: Player]: set of Card, seen by everyone
after turn.move_1
    p may choose heir from players
        forbid loaded: size(purse[heir]) > 1
    then
        draw 1 from deck to purse[heir]
""",
        """
add zone purse[p: Player]: set of Card, seen by everyone
after turn.move_1
    p may choose heir from players
        forbid loaded: size(purse[heir]) >= 1
    then
        draw 1 from deck to purse[heir]
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
        "paid_by_the_neighbour",
        "EXM101",
        "forbid no_gold",
        """
in turn.deed
    option bribe
        forbid no_gold: gold[p] < 2
        gold[p.left] -= 2
        votes[p] += 2
""",
        """
in turn.deed
    option bribe
        forbid no_gold: gold[p] < 2
        gold[p] -= 2
        votes[p] += 2
""",
    ),
    Slip(
        "another_price_in_a_call",
        "EXM101",
        "forbid no_gold",
        """
in turn.deed
    option guide
        forbid no_gold: gold[p] < 4
        walk(p)
add procedure walk(p: Player)
    p chooses spot from Stall where man[spot] is none
        forbid no_fare: gold[p] < 1
    gold[p] -= 1
    man[spot] = p
""",
        """
in turn.deed
    option guide
        forbid no_gold: gold[p] < 4
        gold[p] -= 4
        walk(p)
add procedure walk(p: Player)
    p chooses spot from Stall where man[spot] is none
        forbid no_fare: gold[p] < 1
    gold[p] -= 1
    man[spot] = p
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
        "famous_and_rich",
        "EXM106",
        "add end popular",
        """
add end rich when some(p in players where votes[p] >= 90)
    finish ranking p in players by votes[p]
add end loved for p in players when votes[p] >= 9
    finish ranking q in players by votes[q]
add end popular for p in players when gold[p] > 3 and votes[p] >= 12
    finish ranking q in players by votes[q]
""",
        """
add end rich when some(p in players where votes[p] >= 90)
    finish ranking p in players by votes[p]
add end loved for p in players when votes[p] >= 9
    finish ranking q in players by votes[q]
add end popular for p in players when gold[p] > 3 and votes[p] >= 7
    finish ranking q in players by votes[q]
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
        "tithe_of_oneself",
        "EXM156",
        "gold[p] -= tithe",
        """
before turn.deed
    let tithe = gold[p.left] / 2 rounded up
    gold[p] += tithe
    gold[p] -= tithe
""",
        """
before turn.deed
    let tithe = gold[p.left] / 2 rounded up
    gold[p] += tithe
    gold[p.left] -= tithe
""",
    ),
    Slip(
        "token_kept",
        "EXM114",
        "forbid no_token",
        """
add field tokens[Player]: Int = 1
in turn.deed
    option spy
        forbid no_token: tokens[p] < 1
        votes[p] += 1
""",
        """
add field tokens[Player]: Int = 1
in turn.deed
    option spy
        forbid no_token: tokens[p] < 1
        tokens[p] -= 1
        votes[p] += 1
""",
    ),
    Slip(
        "token_of_the_left",
        "EXM114",
        "forbid no_token",
        """
add field tokens[Player]: Int = 1
in turn.deed
    option spy
        forbid no_token: tokens[p] < 1
        tokens[p.left] -= 1
        votes[p] += 1
""",
        """
add field tokens[Player]: Int = 1
in turn.deed
    option spy
        forbid no_token: tokens[p] < 1
        tokens[p] -= 1
        votes[p] += 1
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
        "first_of_the_rich",
        "EXM115",
        "first(best(",
        """
replace step play.ranking_1
    finish with winner first(best(q in players by gold[q]))
""",
        """
replace step play.ranking_1
    finish ranking q in players by gold[q]
""",
    ),
    Slip(
        "only_rich_one",
        "EXM115",
        "first(rich())",
        """
add query rich() -> set of Player = best(q in players by gold[q])
before turn.deed
    let one = first(rich())
    if one is not none then votes[one] += 1
""",
        """
add query rich() -> set of Player = best(q in players by gold[q])
before turn.deed
    let one = single(rich())
    if one is not none then votes[one] += 1
""",
    ),
    Slip(
        "look_into_the_hand",
        "EXM116",
        "forbid doubled",
        """
in turn.offer
    forbid doubled: some(c in hand[p.left] where c.family is offer.family)
""",
        """
in turn.offer
    forbid doubled: some(c in hand[p] where c.family is offer.family and c is not offer)
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
        "before_all_get_the_same",
        "EXM118",
        "votes[first(players)] = 2",
        """
add effect begin()
    each q in players
        votes[q] = 1
before play.each_1
    votes[first(players)] = 2
    begin
""",
        """
add effect begin()
    each q in players
        votes[q] = 1
before play.each_1
    begin
    votes[first(players)] = 2
""",
    ),
    Slip(
        "forgotten_by_the_greeting",
        "EXM118",
        "greeted[p] = true",
        """
add field greeted[Player]: Bool = false, lasting greet
add procedure greet(p: Player)
    if greeted[p] then votes[p] += 1
before turn.deed
    greeted[p] = true
    greet(p)
""",
        """
add field greeted[Player]: Bool = false, lasting turn
add procedure greet(p: Player)
    if greeted[p] then votes[p] += 1
before turn.deed
    greeted[p] = true
    greet(p)
""",
    ),
    Slip(
        "off_by_default",
        "EXM119",
        "if bonus is given",
        """
add param bonus: {kept, given} = kept
before turn.deed
    if bonus is given and gold[p] is 0 then gold[p] += 1
""",
        """
add param bonus: {kept, given} = given
before turn.deed
    if bonus is given and gold[p] is 0 then gold[p] += 1
""",
    ),
    Slip(
        "settled_for_more",
        "EXM120",
        "option build",
        """
in turn.deed
    option build
        p chooses ground from Stall where man[ground] is none
        man[ground] = p
        gold[p] += worth(ground)
        votes[p] += 1
""",
        """
in turn.deed
    option build
        p chooses ground from Stall where man[ground] is none
        man[ground] = p
        gold[p] += worth(ground)
        votes[p] += 1
        votes[p.left] += 2
""",
    ),
    Slip(
        "fourth_of_three",
        "EXM121",
        "if speeches[p] <= 3",
        """
add field speeches[Player]: Int = 0
before turn.deed
    if speeches[p] <= 3 then speeches[p] += 1
""",
        """
add field speeches[Player]: Int = 0
before turn.deed
    if speeches[p] < 3 then speeches[p] += 1
""",
    ),
    Slip(
        "fourth_refused_too_late",
        "EXM121",
        "forbid too_many",
        """
add field speeches[Player]: Int = 0
in turn.deed
    option speech
        forbid too_many: speeches[p] > 3
        speeches[p] += 1
""",
        """
add field speeches[Player]: Int = 0
in turn.deed
    option speech
        forbid too_many: speeches[p] >= 3
        speeches[p] += 1
""",
    ),
    Slip(
        "speech_for_votes",
        "EXM122",
        "forbid unknown",
        """
in turn.deed
    option speech
        forbid unknown: votes[p] < 1
        gold[p] += 1
""",
        """
in turn.deed
    option speech
        forbid unknown: votes[p] < 1
        votes[p] -= 1
        gold[p] += 1
""",
    ),
    Slip(
        "card_asked_for",
        "EXM122",
        "forbid no_card",
        """
in turn.deed
    option show_off
        forbid no_card: hand[p] is empty
        votes[p] += 1
""",
        """
in turn.deed
    option show_off
        forbid no_card: hand[p] is empty
        p chooses shown from hand[p]
        move shown to market
        votes[p] += 1
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
        "wages_of_a_round",
        "EXM124",
        "before turn.offer",
        """
before turn.offer
    each q in players
        gold[q] += 1
""",
        """
before play.each_2
    each q in players
        gold[q] += 1
""",
    ),
    Slip(
        "consolation",
        "EXM125",
        "votes[p] += 1",
        """
add field boss: Player or none = none
before turn.deed
    if boss is not none then votes[p] += 1
    boss = p
""",
        """
add field boss: Player or none = none
before turn.deed
    if boss is not none
        votes[p] += 1
        votes[boss] += 1
    boss = p
""",
    ),
    Slip(
        "fine_of_the_left",
        "EXM125",
        "gold[p.left] -= 1",
        """
after turn.offer
    gold[p.left] -= 1
""",
        """
after turn.offer
    gold[p] -= 1
""",
    ),
    Slip(
        "counted_before",
        "EXM126",
        "let had = size(market)",
        """
before turn.move_1
    let had = size(market)
after turn.move_1
    if had > 2 then gold[p] += 1
""",
        """
after turn.move_1
    let had = size(market)
    if had > 2 then gold[p] += 1
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
        "pairs_of_stalls",
        "EXM127",
        "gold[p] += count(",
        """
before turn.deed
    gold[p] += count(s in Stall, d in {east, west} where man[s] is p and man[towards(s, d)] is p)
""",
        """
before turn.deed
    gold[p] += count(s in Stall, d in {east} where man[s] is p and man[towards(s, d)] is p)
""",
    ),
    Slip(
        "laid_where_nothing_comes_out",
        "EXM128",
        "move offer to heap",
        """
add zone heap: stack of Card, seen by {}
before play.each_1
    move deck to heap
    move heap to deck
replace step turn.move_1
    move offer to heap
""",
        """
add zone heap: stack of Card, seen by {}
before play.each_1
    move deck to heap
    move heap to deck
replace step turn.move_1
    move offer to market
""",
    ),
    Slip(
        "most_of_both",
        "EXM104",
        "add end most",
        """
add end most for q in players when size(market) > 9 and gold[q] >= gold[q.left]
    finish with winner q
""",
        """
add end most when size(market) > 9
    finish ranking q in players by gold[q]
""",
    ),
    Slip(
        "given_to_all",
        "EXM104",
        "add end rich",
        """
before play.each_2
    each q in players
        gold[q] += 1
add end rich for q in players when gold[q] >= 20
    finish with winner q
""",
        """
before play.each_2
    each q in players
        gold[q] += 1
add end rich when some(q in players where gold[q] >= 20)
    finish ranking q in players by gold[q]
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
        "a_part_that_is_not_given",
        "EXM101",
        "let due",
        """
add field debt[Player]: 0.. = 9
after turn.offer
    let due = min({2, debt[p], gold[p]})
    debt[p] -= due
""",
        """
add field debt[Player]: 0.. = 9
after turn.offer
    let due = min({2, debt[p], gold[p]})
    gold[p] -= due
    debt[p] -= due
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
        "too_much_after_the_end",
        "EXM106",
        "if fame[p] > 7",
        """
add field fame[Player]: 0..99 = 0
add end popular for p in players when fame[p] >= 7
    finish with winner p
in turn.deed
    option speech
        fame[p] += 2
        if fame[p] > 7 then fame[p] = 3
""",
        """
add field fame[Player]: 0..99 = 0
add end popular for p in players when fame[p] is 7
    finish with winner p
in turn.deed
    option speech
        fame[p] += 2
        if fame[p] > 7 then fame[p] = 3
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
        "families_of_the_other",
        "EXM116",
        "p may choose wish from",
        """
after turn.offer
    p may choose asked from players except p
    then
        p may choose wish from {c.family for c in hand[asked]}
        then
            gold[p] += wish
""",
        """
after turn.offer
    p may choose asked from players except p
    then
        p may choose wish from {c.family for c in hand[p]}
        then
            gold[p] += wish
""",
    ),
    Slip(
        "families_for_good",
        "EXM123",
        "add field shown",
        """
add field shown: set of Int = {}
in turn.offer
    forbid again: offer.family in shown
after turn.offer
    votes[p] += 1
in turn.deed
    option tell_all
        shown = shown + {gold[p]}
""",
        """
add field shown: set of Int = {}, lasting turn
in turn.offer
    forbid again: offer.family in shown
after turn.offer
    votes[p] += 1
in turn.deed
    option tell_all
        shown = shown + {gold[p]}
""",
    ),
    Slip(
        "pot_that_stays",
        "EXM123",
        "add field pot",
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
