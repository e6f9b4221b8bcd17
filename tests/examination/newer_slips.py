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
)

__all__ = ["NEWER_SLIPS"]
