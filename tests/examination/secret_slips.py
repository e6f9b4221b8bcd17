"""Slips of meaning in variants of the same small game: what lies hidden is told by what all see."""

from __future__ import annotations

from .slips import Slip

SECRET_SLIPS = (
    Slip(
        "prices_from_hidden_hands",
        "EXM155",
        "waiting[family]",
        """
add field waiting[1..4]: 0..99 = 0
before play.each_2
    each family in {1 .. 4}
        waiting[family] = sum(count(c in hand[q] + market where c.family is family) for q in players)
after turn.offer
    gold[p] += 1 if waiting[1] > 2 else 0
""",
        """
add field waiting[1..4]: 0..99 = 0
before play.each_2
    each family in {1 .. 4}
        waiting[family] = count(c in market where c.family is family)
after turn.offer
    gold[p] += 1 if waiting[1] > 2 else 0
""",
    ),
    Slip(
        "prices_from_a_query",
        "EXM155",
        "dearest = highest()",
        """
add field dearest: 0..99 = 0
add query held_by(q: Player) -> Int = max(c.family for c in hand[q])
add query highest() -> Int = max(held_by(q) for q in players)
before play.each_2
    dearest = highest()
after turn.offer
    gold[p] += 1 if dearest > 2 else 0
""",
        """
add field dearest: 0..99 = 0
add query highest() -> Int = max(c.family for c in market)
before play.each_2
    dearest = highest()
after turn.offer
    gold[p] += 1 if dearest > 2 else 0
""",
    ),
    Slip(
        "set_for_hidden_cards",
        "EXM155",
        "alarm = true",
        """
add field alarm: Bool = false
before play.each_2
    let strong = {q in players where some(c in hand[q] where c.family is 1)}
    if size(strong) > 1
        alarm = true
after turn.offer
    gold[p] += 1 if alarm else 0
""",
        """
add field alarm: Bool = false
before play.each_2
    if some(c in market where c.family is 1)
        alarm = true
after turn.offer
    gold[p] += 1 if alarm else 0
""",
    ),
    Slip(
        "set_by_an_effect_for_hidden_cards",
        "EXM155",
        "sound()",
        """
add field alarm: Bool = false
add effect sound()
    alarm = true
before play.each_2
    if some(q in players, c in hand[q] where c.family is 1) then sound()
after turn.offer
    gold[p] += 1 if alarm else 0
""",
        """
add field alarm: Bool = false
add effect sound()
    alarm = true
before play.each_2
    if some(c in market where c.family is 1) then sound()
after turn.offer
    gold[p] += 1 if alarm else 0
""",
    ),
    Slip(
        "handed_over_to_who_tells_it",
        "EXM155",
        "price = told",
        """
add field price: 0..99 = 0
add effect raise_to(told: Int)
    price = told
before play.each_2
    let most = max(c.family for q in players, c in hand[q])
    raise_to(most)
after turn.offer
    gold[p] += 1 if price > 2 else 0
""",
        """
add field price: 0..99 = 0
add effect raise_to(told: Int)
    price = told
before play.each_2
    let most = max(c.family for c in market)
    raise_to(most)
after turn.offer
    gold[p] += 1 if price > 2 else 0
""",
    ),
    Slip(
        "a_hidden_card_noted_and_laid_open",
        "",
        "",
        "",
        """
add field trump: 0..99 = 0
after play.each_1
    if deck is not empty
        let card = first(deck)
        trump = card.family
        move card to market
after turn.offer
    gold[p] += trump
""",
    ),
    Slip(
        "a_card_drawn_to_the_open_and_noted",
        "",
        "",
        "",
        """
add field trump: 0..99 = 0
add effect note(card: Card)
    trump = card.family
after play.each_1
    if deck is not empty
        draw 1 from deck to market as drawn
        note(single(drawn))
after turn.offer
    gold[p] += trump
""",
    ),
    Slip(
        "hands_counted_when_all_is_over",
        "",
        "",
        "",
        """
add field left[Player]: 0..999 = 0
before play.ranking_1
    each q in players
        left[q] = sum(c.family for c in hand[q])
    finish ranking p in players by left[p]
""",
    ),
    Slip(
        "hands_shown_before_they_are_counted",
        "",
        "",
        "",
        """
before play.each_2
    each q in players
        show hand[q] to everyone
    each q in players
        votes[q] += sum(c.family for c in hand[q])
""",
    ),
    Slip(
        "an_answer_counted_from_ones_own_hand",
        "",
        "",
        "",
        """
after turn.offer
    votes[p] += count(c in hand[p] where c.family is 1)
""",
    ),
    Slip(
        "an_answer_handed_over_with_ones_own_hand",
        "",
        "",
        "",
        """
add effect award(q: Player, much: Int)
    votes[q] += much
after turn.offer
    award(p, count(c in hand[p] where c.family is 1))
""",
    ),
    Slip(
        "the_number_of_hidden_cards",
        "",
        "",
        "",
        """
add field burden: 0..99 = 0
before play.each_2
    burden = max(size(hand[q]) for q in players)
after turn.offer
    gold[p] += 1 if burden > 3 else 0
""",
    ),
)

__all__ = ["SECRET_SLIPS"]
