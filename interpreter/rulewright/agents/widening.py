"""Long lists of options: which are looked at first, and how many of them.

Progressive widening (G. Chaslot and others, *Progressive strategies for Monte-Carlo tree search*, New Mathematics and
Natural Computation 4(3), 2008; R. Coulom, *Computing Elo ratings of move patterns in the game of Go*, ICGA Journal
30(4), 2007): a node begins with a few options, the most promising first, and takes in more as it is visited more often.
Options are promising by what a query of the rules says one answer ahead; without a query they come in random order.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, isqrt

from rulewright.agents.rollouts import Rating, Rollouts
from rulewright.engine import ALL_AT_ONCE, ALL_TRIED, WIDENING


def room(rollouts: Rollouts, visits: int) -> int:
    """The number of options that a node may look at."""
    more = isqrt(WIDENING * visits)
    return max(ALL_TRIED, more + 1) if rollouts.rating is None else ALL_AT_ONCE + more


def rated_options(rollouts: Rollouts, rating: Rating, seat: int, options: Iterable[int]) -> dict[int, float]:
    """For some options of the position of the stepper how well the seat stands after each; the stepper comes back."""
    stepper = rollouts.stepper
    here, found = stepper.snapshot(), dict[int, float]()
    for option in options:
        size = rollouts.apply(option)
        if size is None:
            found[option] = -inf
        elif size:
            found[option] = rollouts.standing(rating)[seat]
        else:
            payoffs = rollouts.payoffs()
            others = [payoff for other, payoff in enumerate(payoffs) if other != seat]
            lead = payoffs[seat] - max(others, default=0.0)
            found[option] = inf if lead > 0 else -inf if lead < 0 else 0.0
        stepper.restore(here)
    return found
