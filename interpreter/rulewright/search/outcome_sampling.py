"""Online outcome sampling: a search for games with secrets whose strategy comes as near to equilibrium as one likes.

Information-set search (:mod:`rulewright.search.information_set_search`) takes all worlds that a seat thinks possible
for equally likely, whatever others have done to lead there, and always takes the option that was looked at most: who
knows that wins from it, however many simulations it makes. Here all simulations begin where the game begins, for all
seats alike, and each information set has a strategy that draws among its options: regret matching by counterfactual
regret (M. Zinkevich et al., *Regret minimization in games with incomplete information*, NIPS 2007), of which one line
of play is sampled each time (M. Lanctot et al., *Monte Carlo sampling for regret minimization in extensive games*, NIPS
2009). So that a search is about the open question, part of the simulations are led to it, and count for less
in proportion (V. Lisý, M. Lanctot, M. Bowling, *Online Monte Carlo counterfactual regret minimization for search in
imperfect information games*, AAMAS 2015, with information set targeting; the leading here goes by what the seat was
told, and learns which outcomes of chance cannot have led to what it sees).

The mean of the strategies of two players whose payoffs sum to zero comes near to an equilibrium as the simulations grow
in number; for other games nothing is proven.

What is found is a function of the observations of the seat, and of the seed. If simulations do not come to the
question often enough, as in long games and where hands of many cards are dealt, and where the game did not begin at its
beginning, it is information-set search that answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from rulewright.diagnostics import RulesetError
from rulewright.engine import LONGEST_PATH, Dice, Passes, Payoffs, State, Stepper
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.search.history_tree import Digest, History, HistoryTree, prefixes
from rulewright.search.information_set_search import InformationSetSearch
from rulewright.search.position_analysis import (
    Effort,
    KeepGoing,
    PositionAnalysis,
    RatedAnswer,
    WinRates,
    always,
    best,
    drawn,
)
from rulewright.search.rollouts import WORDS, SteppedGame, seat_to_move

LED = 0.6
"""The share of the simulations that are led to the open question."""
CURIOSITY = 0.4
"""The share of the answers that are drawn from all options alike, of the seat that learns."""
LONGEST_LOG = 100
"""The game is not begun again for a question behind more answers that the seat knows."""
TRIAL, SELDOM = 32, 8
"""After so many simulations one of so many must have come to the question."""
STREAM = "online outcome sampling"
_FINE = 1 << 53


class InformationSet:
    """The options of a seat in all histories that it cannot distinguish: the regrets, and the strategies added up."""

    __slots__ = ("came", "chosen", "rates", "reached", "regrets", "sums", "weights")

    def __init__(self, size: int) -> None:
        self.regrets, self.sums = [0.0] * size, [0.0] * size
        self.came = 0
        """The simulations that came here."""
        self.chosen = [0] * size
        self.weights, self.reached = [0.0] * size, [0.0] * size
        """For each option the payoffs behind it by their weights, and the weights, added up."""
        self.rates = WinRates()

    def strategy(self) -> list[float]:
        """The shares with which options are to be taken next, by regret matching."""
        return _shares([max(regret, 0.0) for regret in self.regrets])

    def mean_strategy(self) -> list[float]:
        """The shares with which they are to be taken in the end."""
        return _shares(self.sums)

    def value(self, option: int) -> float:
        """The payoff that can be expected behind an option."""
        return self.weights[option] / self.reached[option] if self.reached[option] else 0.0


def _shares(weights: Sequence[float]) -> list[float]:
    """Shares of 1 in proportion to weights; the same for all if there is nothing to go by."""
    total = sum(weights)
    return [weight / total for weight in weights] if total > 0 else [1 / len(weights)] * len(weights)


@dataclass(frozen=True, slots=True)
class _Step:
    """An answer on the way of a simulation."""

    seat: int
    where: InformationSet
    strategy: list[float]
    option: int
    reach: float
    """The chance of coming here if the seat wanted to."""
    own: float
    """The chance that the seat does what leads here."""
    sampled: float
    """The chance that a simulation comes here."""


class Target:
    """The open question, by the observations of the seat, and which options cannot lead to it."""

    def __init__(self, state: State, seat: int) -> None:
        seen = state.history(seat)
        digests = prefixes(seen)
        self.seat, self.digest = seat, digests[-1]
        self._place = {digest: number for number, digest in enumerate(digests)}
        self._seen = seen
        self._excluded: dict[tuple[int, ...], set[int]] = {}

    def leads_on(self, history: History) -> bool:
        """True if the seat has seen nothing yet that it has not seen in the game, and the question is still to come."""
        return history.digests[self.seat] in self._place and not self.is_met(history)

    def is_met(self, history: History) -> bool:
        """True if this is the question, as far as the seat knows."""
        return history.digests[self.seat] == self.digest

    def excluded(self, way: tuple[int, ...], history: History) -> set[int]:
        """The options which are known not to lead on."""
        known = self._excluded.get(way)
        if known is None:
            known = self._excluded[way] = set()
            known_key = self._told(history)
            if known_key is not None:
                known |= {number for number, key in enumerate(history.keys()) if key != known_key}
        return known

    def exclude(self, way: tuple[int, ...]) -> None:
        """Note that what was done last on a way does not lead on."""
        if way:
            self._excluded[way[:-1]].add(way[-1])

    def _told(self, history: History) -> str | None:
        """The key of the answer that was given here, if the seat knew it at once."""
        decision = history.state.decision
        rest = self._seen[self._place[history.digests[self.seat]] :]
        entry = rest[0] if rest else {}
        if decision is None or (entry.get("who"), entry.get("name")) != (decision.who, decision.name):
            return None
        return None if entry["key"] is None else str(entry["key"])


class OutcomeSampling:
    """A search for the strategy of a seat that does not see everything."""

    def __init__(self, stepper: Stepper, passes: Passes, effort: Effort) -> None:
        self._stepper, self._passes, self._effort = stepper, passes, effort
        self._instead = InformationSetSearch(stepper, effort)
        self._tree: HistoryTree | None = None
        self._sampled: Callable[[], PositionAnalysis | None] | None = None

    def __call__(self, state: State, dice: Dice) -> int:
        """The number of an option, drawn by the strategy that was found."""
        found = self._search(state, dice, always)
        return self._instead(state, dice) if found is None else best(_told(*found), state, dice)

    def strategy(self, state: State, dice: Dice) -> list[float]:
        """The shares with which the options of a state are to be taken."""
        found = self._search(state, dice, always)
        if found is not None:
            return found[0].mean_strategy()
        chosen = self._instead(state, dice)
        return [float(number == chosen) for number in range(len(state.answers()))]

    def analyse(self, state: State, dice: Dice, keep_going: KeepGoing = always) -> PositionAnalysis:
        """The options of a state, first that which is to be taken most often."""
        found = self._search(state, dice, keep_going)
        self._sampled = None
        return self._instead.analyse(state, dice, keep_going) if found is None else _told(*found)

    def so_far(self) -> PositionAnalysis | None:
        """Findings of the analysis that goes on; None if there are none yet."""
        return self._instead.so_far() if self._sampled is None else self._sampled()

    def _search(self, state: State, dice: Dice, keep_going: KeepGoing) -> tuple[InformationSet, int] | None:
        """Findings about the open question, and by how many simulations; None if they do not come to
        it often enough."""
        seat, seed = seat_to_move(state), dice.below(WORDS)
        if state.mode.origin is not None or len(state.log_for(seat)) > LONGEST_LOG:
            return None  # the seat does not know the number of draws
        target = Target(state, seat)
        sampling = _Sampling(self._histories(), target, self._stepper, Dice(seed, STREAM))
        if not target.leads_on(sampling.tree.root) and not target.is_met(sampling.tree.root):
            return None
        done = 0

        def sampled() -> tuple[InformationSet, int] | None:
            found = sampling.sets.get((seat, target.digest))
            return None if found is None or not found.came else (found, done)

        def known_key() -> PositionAnalysis | None:
            found = sampled()
            return None if found is None else _told(*found)

        self._sampled = known_key
        for simulations in self._effort.slices(keep_going):
            for _ in range(simulations):
                sampling.simulate(done)
                done += 1
                if done == TRIAL and sampling.came() * SELDOM < done:
                    return None
        return sampled()

    def _histories(self) -> HistoryTree:
        """The histories of the game: they follow from the rules alone."""
        if self._tree is None:
            self._tree = HistoryTree(self._stepper.engine.program, self._passes)
        return self._tree


def _told(where: InformationSet, looked: int) -> PositionAnalysis:
    """Findings about a question, after so many simulations."""
    answers = [
        RatedAnswer(number, times, where.value(number), where.rates.chances(number), share=share)
        for number, (times, share) in enumerate(zip(where.chosen, where.mean_strategy(), strict=True))
    ]
    return PositionAnalysis(tuple(sorted(answers, key=lambda one: -one.share)), looked)


class _Sampling:
    """The information sets of one search, and the simulations that change them."""

    def __init__(self, tree: HistoryTree, target: Target, stepper: Stepper, dice: Dice) -> None:
        self.tree, self.target = tree, target
        self.sets: dict[tuple[int, Digest], InformationSet] = {}
        self._game, self._dice = SteppedGame(stepper, dice), dice
        self._players = self._game.players

    def came(self) -> int:
        """The simulations that came to the question."""
        found = self.sets.get((self.target.seat, self.target.digest))
        return 0 if found is None else found.came

    def simulate(self, number: int) -> None:
        """Play once from the beginning, and learn from it for one seat: each has its turn."""
        learner, led = number % self._players, self._dice.below(_FINE) < LED * _FINE
        history, way = self.tree.root, tuple[int, ...]()
        own, chance = [1.0] * self._players, 1.0
        freely, leading = 1.0, 1.0
        on_the_way = self.target.leads_on(history)
        path: list[_Step] = []
        while True:
            sampled = LED * leading + (1 - LED) * freely
            size, seat = history.sizes, history.state.seat
            if not size or len(way) >= LONGEST_PATH:
                break
            where, new = (None, False) if seat is None else self._set_at(history, seat)
            strategy = _shares(history.weights) if where is None else where.strategy()
            shares = strategy
            if seat == learner:
                shares = [CURIOSITY / size + (1 - CURIOSITY) * share for share in strategy]
            led_shares = self._led(way, history, shares) if on_the_way else shares
            option = drawn(led_shares if led else shares, self._dice)
            if seat is None or where is None:
                chance *= strategy[option]
            else:
                others = prod((reach for other, reach in enumerate(own) if other != seat), start=chance)
                path.append(_Step(seat, where, strategy, option, others, own[seat], sampled))
                own[seat] *= strategy[option]
            freely, leading = freely * shares[option], leading * led_shares[option]
            way = (*way, option)
            try:
                history = self.tree.after(history, option)
            except RulesetError:
                self._learn(path, learner, self._game.nothing, LED * leading + (1 - LED) * freely)
                return
            if on_the_way and not self.target.is_met(history) and not self.target.leads_on(history):
                self.target.exclude(way)
            on_the_way = on_the_way and self.target.leads_on(history)
            if new:
                break
        self._learn(path, learner, self._payoffs(history), LED * leading + (1 - LED) * freely)

    def _set_at(self, history: History, seat: int) -> tuple[InformationSet, bool]:
        """The information set that a simulation comes to, and whether it is a new one."""
        key = seat, history.digests[seat]
        known = self.sets.get(key)
        found = known or InformationSet(history.sizes)
        self.sets[key] = found
        found.came += 1
        return found, known is None

    def _led(self, way: tuple[int, ...], history: History, shares: list[float]) -> list[float]:
        """The shares with which options are taken by a simulation that is led to the question."""
        excluded = self.target.excluded(way, history)
        if not excluded:
            return shares
        if len(excluded) >= history.sizes:
            self.target.exclude(way)
            return shares
        left = [0.0 if number in excluded else share for number, share in enumerate(shares)]
        if not sum(left):
            left = [float(number not in excluded) for number in range(len(shares))]
        return _shares(left)

    def _payoffs(self, history: History) -> Payoffs:
        """The payoffs at the end, of a game that goes on at random if it is not over."""
        game, state = self._game, history.state
        try:
            while (
                decision := state.decision
            ) is not None and decision.seat is None:  # machine code does not ask chance
                state = state.choose(drawn(_shares(decision.weights or [1] * len(decision.options)), self._dice))
        except RulesetError:
            return game.nothing
        if state.decision is None:
            return tuple(map(float, state.payoffs)) or game.nothing
        game.stepper.load(state)
        game.stepper.reseed(self._dice.below(WORDS))
        return game.rest()

    def _learn(self, path: Sequence[_Step], learner: int, payoffs: Payoffs, sampled: float) -> None:
        """Change regrets and strategies by what a simulation came to."""
        payoff, rest = payoffs[learner], 1.0
        for step in reversed(path):
            behind, rest = rest, rest * step.strategy[step.option]
            where = step.where
            where.chosen[step.option] += 1
            if step.seat == learner:
                weight = step.reach / sampled
                for option in range(len(where.regrets)):
                    where.regrets[option] -= rest * payoff * weight
                where.regrets[step.option] += behind * payoff * weight
                where.weights[step.option] += behind * payoff * weight
                where.reached[step.option] += behind * weight
                where.rates.note(step.option, payoffs, behind * weight)
            weight = step.own / step.sampled
            for option, share in enumerate(step.strategy):
                where.sums[option] += share * weight
