"""Slips that only games show, each in a variant of the same small game, with its right version."""

from __future__ import annotations

from .slips import Slip

PLAYED_SLIPS = (
    Slip(
        "always_open_once_it_is_asked",
        "",
        "",
        "",
        """
add field open: Bool = false
before play.repeat_1
    open = true
before turn.deed
    if open then votes[p] += 1
""",
    ),
    Slip(
        "rest_of_nothing",
        "EXM202",
        "",
        """
after turn.move_1
    gold[p] += 12 / (votes[p] - 1) rounded down
""",
        """
after turn.move_1
    gold[p] += 12 / (votes[p] + 1) rounded down
""",
    ),
    Slip(
        "never_dear",
        "EXM205",
        "forbid dear",
        """
in turn.back
    forbid dear: gold[p] > 900
""",
        """
in turn.back
    forbid dear: gold[p] > 9
""",
    ),
    Slip(
        "refused_by_another_restriction_already",
        "EXM205",
        "forbid very_rich",
        """
in turn.back
    forbid rich: gold[p] > 9
    forbid very_rich: gold[p] > 12
""",
        """
in turn.back
    forbid rich: gold[p] > 9
    forbid heard: votes[p] > 3
""",
    ),
    Slip(
        "an_exception_that_always_holds",
        "EXM205",
        "forbid dear",
        """
in turn.back
    forbid dear: gold[p] > 9
        unless rich: gold[p] > 8
""",
        """
in turn.back
    forbid dear: gold[p] > 9
        unless rich: gold[p] > 12
""",
    ),
    Slip(
        "full_hand",
        "EXM206",
        "forbid full",
        """
in turn.back
    forbid full: size(hand[p]) > 10
""",
        """
in turn.back
    forbid full: gold[p] > 10
""",
    ),
    Slip(
        "first_sale_asked_too_late",
        "EXM210",
        "if sold is none",
        """
after turn.assign_2
    if sold is none then votes[p] += 1
""",
        """
before turn.assign_2
    if sold is none then votes[p] += 1
""",
    ),
    Slip(
        "first_sale_asked_too_late_in_a_value",
        "EXM210",
        "if sold is none",
        """
after turn.assign_2
    votes[p] += 2 if sold is none else 1
""",
        """
before turn.assign_2
    votes[p] += 2 if sold is none else 1
""",
    ),
    Slip(
        "first_card_of_its_family",
        "EXM211",
        "if no(c in market where c.family is offer.family)",
        """
after turn.move_1
    if no(c in market where c.family is offer.family) then votes[p] += 1
""",
        """
before turn.move_1
    if no(c in market where c.family is offer.family) then votes[p] += 1
""",
    ),
    Slip(
        "first_man_on_the_square",
        "EXM211",
        "if no(s in Stall where man[s]",
        """
after turn.assign_5
    if no(s in Stall where man[s] is p) then votes[p] += 1
""",
        """
after turn.assign_5
    if no(s in Stall where man[s] is p and s is not spot) then votes[p] += 1
""",
    ),
    Slip(
        "all_are_refused",
        "EXM202",
        "forbid low",
        """
replace step turn.offer
    p chooses offer from hand[p]
        forbid low: offer.family < 4
    then
        move offer to market
""",
        """
in turn.offer
    forbid low: offer.family < 1
""",
    ),
    Slip(
        "to_and_fro",
        "EXM202",
        "add consequence balanced",
        """
add consequence balanced for p in players when gold[p] > gold[p.left]
    gold[p] -= 1
    gold[p.left] += 1
""",
        """
add consequence balanced for p in players when gold[p] > gold[p.left] + 1
    gold[p] -= 1
    gold[p.left] += 1
""",
    ),
)
