"""Drama: how often the lead changes, when it is decided who wins, and how far behind the winner was.

After C. B. Browne, *Automatic generation and evaluation of recombination games*, PhD thesis, Queensland University of
Technology, 2009 (*Lead Change*, *Drama*, *Decisiveness*), whose criteria are means over moves of one estimate for each
player. Here the estimate is a query of the rules, or the chances to win that a search finds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from rulewright.engine import Dice, Policy, Stepper
from rulewright.play import Game
from rulewright_lab.agents import agent
from rulewright_lab.agents.words import wrong
from rulewright_lab.experiments.columns.wanted import Standing

LEAD_CHANGES, BEHIND, DECIDED_AT, COMEBACK = "lead_changes", "behind", "decided_at", "comeback"
DICE = "the standing of players"
CLOSE = 1e-9
"""Chances that are no further apart are equal."""

Standings = Sequence[float]
"""For each seat how well it stands."""
Rate = Callable[[Stepper, str], Standings | None]
"""Rates them in a position, which has a name for the dice."""


class DramaObserver:
    """Watches who leads."""

    def __init__(self, standing: Standing, rate: Rate) -> None:
        """`rate` gives the standings of a position; None if nothing is known of it."""
        self._standing, self._rate = standing, rate
        self.needs_states = standing.searches
        self._course: list[tuple[int, Standings]] = []
        self._answers = self._seed = 0

    def begin(self, at: Stepper, seed: int) -> None:
        """Forget the game before."""
        self._course, self._answers, self._seed = [], 0, seed

    def answered(self, at: Stepper, option: int, size: int) -> None:
        """Count the answer."""
        self._answers += 1

    def look(self, at: Stepper) -> None:
        """Ask how the seats stand, if it is time for that."""
        if self._answers % self._standing.every == 0 and at.options:
            found = self._rate(at, f"{self._seed}, {self._answers} answers")
            if found is not None:
                self._course.append((self._answers, found))

    def end(self, at: Stepper, finished: bool) -> dict[str, float]:
        """The measures of the game, if it has ended."""
        found = drama(self._course, at.places, self._answers) if finished else {}
        return {f"{name}({self._standing})": value for name, value in found.items()}


def names_of(standing: Standing) -> dict[str, str]:
    """The measures with a standing, each with its unit."""
    own = "share" if standing.searches else "number"
    units = {LEAD_CHANGES: "changes", BEHIND: "share", DECIDED_AT: "share", COMEBACK: own}
    return {f"{name}({standing})": unit for name, unit in units.items()}


def drama(course: Sequence[tuple[int, Standings]], places: Sequence[int], answers: int) -> dict[str, float]:
    """The measures of a game: the standings after some numbers of answers, the places at the end, all answers."""
    if not course or len(places) < 2:
        return {}
    leaders = [lead for _, one in course if (lead := _leader(one)) is not None]
    first = [seat for seat, place in enumerate(places) if place == 1]
    if len(first) == 1:
        leaders.append(first[0])
    changes = sum(one != other for one, other in pairwise(leaders))
    found = {LEAD_CHANGES: float(changes)}
    if len(first) == 1 and answers:
        winner = first[0]
        behind = [_best_other(one, winner) - one[winner] for _, one in course]
        found[BEHIND] = sum(by > CLOSE for by in behind) / len(behind)
        found[COMEBACK] = max(0.0, *behind)
        decided = answers
        for (at, _), by in zip(reversed(course), reversed(behind), strict=True):
            if by > -CLOSE:
                break
            decided = at
        found[DECIDED_AT] = decided / answers
    return found


def _leader(standings: Standings) -> int | None:
    """The seat that stands better than all others."""
    best = max(standings)
    first = [seat for seat, one in enumerate(standings) if one >= best - CLOSE]
    return first[0] if len(first) == 1 else None


def _best_other(standings: Standings, seat: int) -> float:
    return max(one for other, one in enumerate(standings) if other != seat)


def by_query(query: str) -> Rate:
    """The standings are the answers of a query about each player."""
    return lambda at, _: at.rates(query)


def by_search(game: Game, word: str) -> Rate:
    """The standings are the chances to win that an agent finds, who knows what the seat to move knows."""
    found_by = agent(game, word)
    if isinstance(found_by, Policy):
        raise wrong(f"`{word}` does not search, so it cannot tell the chances to win", "write mcts:100")
    if getattr(found_by, "needs_log", False):
        raise wrong(f"`{word}` goes by what its seat remembers, which is not kept here", "write mcts:100")
    search = game.search(found_by)

    def rate(at: Stepper, name: str) -> Standings | None:
        if at.options < 2:
            return None
        found = search.analyse(at.state(), Dice(0, f"{DICE}, {name}"))
        return found.chances or None

    return rate
