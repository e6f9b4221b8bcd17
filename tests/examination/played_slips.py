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
        "all_are_refused",
        "EXM202",
        "forbid low",
        """
replace turn.offer
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
