"""The exact value of a game of two in which everybody sees everything.

A game of few positions is solved by retrograde analysis, which also finds how soon the winner wins; a larger one by
alpha-beta search, and by retrograde analysis after all if its positions come again; one with chance by expectiminax, or
by value iteration if its positions come again.
Symmetric positions are one in retrograde analysis, if the symmetry of the map is proved to be one of the rules
(:mod:`rulewright_lab.theory.symmetry`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import count, islice

from rulewright import engine
from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine import CannotGoOn, EngineName, Passes, State
from rulewright.foundation import dataclass
from rulewright.ir import Program
from rulewright_lab.theory.alpha_beta import (
    HIGHEST,
    LOWEST,
    AlphaBeta,
    ComesAgain,
    NativeSearch,
    NotConstant,
    Payoff,
    Search,
    Transpositions,
    short,
)
from rulewright_lab.theory.expectiminax import Expectiminax
from rulewright_lab.theory.node_budget import BudgetSpent, NodeBudget
from rulewright_lab.theory.payoff_bounds import bounds, pays, sums
from rulewright_lab.theory.positions import (
    RETURNED,
    ChancePositions,
    PartPositions,
    Positions,
    SteppedPositions,
    positions_of,
)
from rulewright_lab.theory.retrograde import Graph, TooMany, Worth, graph_of, worth_of
from rulewright_lab.theory.solution import Bounds, LineEnd, Method, RatedOption, Solution, Step
from rulewright_lab.theory.symmetry import Symmetries
from rulewright_lab.theory.value_iteration import POSITION_BYTES as STOCHASTIC_BYTES
from rulewright_lab.theory.value_iteration import StochasticGame

SMALL = 60_000
"""Games of no more positions are looked at as a whole."""
POSITION_BYTES = 1_000
"""The memory that a position takes in retrograde analysis, about."""
DIGITS = 9
"""Digits of values that are found by iteration."""
LONGEST_LINE = 1_000
FEW = 100_000
"""So many positions may be looked at in any case to find out how soon a game is won."""
MEMORY = 1 << 29


@dataclass(frozen=True, slots=True)
class _Found:
    """The findings of a method."""

    method: Method
    value: Bounds
    options: Sequence[Bounds]
    line: Sequence[int]
    """The numbers of the options of the principal line."""
    line_end: LineEnd
    length: int | None = None
    symmetries: int = 1
    distinct: tuple[int, int] | None = None
    """The positions of a game that was looked at as a whole, and how many they stand for."""
    wins: bool = False
    """True if each game that ends is won by a player."""


def solve(
    program: Program,
    wanted: EngineName,
    passes: Passes,
    budget: NodeBudget,
    begin: State | None = None,
    memory: int = MEMORY,
) -> Solution:
    """The value of a game from its beginning, or from a state, on; bounds of it if the budget is spent before.

    RulesetError if it is no game that can be solved.
    """
    _refuse(program)
    at = positions_of(program, wanted, passes, begin)
    if not at.options:
        raise not_solvable("the game is over here", "choose a position in which a player decides")
    root, payoff = at.keep(), Payoff()
    try:
        if isinstance(at, SteppedPositions):
            found = _without_chance(at, root, payoff, budget, memory, _known(program))
        else:
            assert isinstance(at, ChancePositions)
            found = _with_chance(at, root, payoff, budget, _known(program), memory)
    except NotConstant as error:
        raise sums_met(error) from None
    except RulesetError as error:
        if begin is None or error.diagnostics[0].code != RETURNED:
            raise
        raise not_solvable(
            "what the scenario starts is over before the game is, and it has chance",
            "use one that goes on to the end: `start play`",
        ) from None
    total = payoff.total if payoff.total is not None else Fraction(next(iter(sums(program) or {0})))
    return _solution(program, at, root, budget, total, found, begin)


def _refuse(program: Program) -> None:
    """Say which games cannot be solved."""
    if program.players != 2:
        raise not_of_two(program)
    if engine.has_hidden_information(engine.engine_of(program)):
        raise not_solvable(
            "not everybody sees everything in this game, and only games of perfect information have best answers",
            "`solve --cfr` finds how often to give which, if the game is small, and `oos:10000` plays so",
        )


def not_of_two(program: Program) -> RulesetError:
    """The error about another number of players."""
    return not_solvable(
        f"this is a game of {program.players}, and only games of two can be solved",
        "with more players the value of a game hangs on whom they want to win; search with `mcts` instead",
    )


def sums_met(error: NotConstant) -> RulesetError:
    """The error about payoffs without one sum."""
    return not_solvable(
        f"what one wins the other does not lose: payoffs sum to {error.one} in one game, to {error.other} in another",
        "only games of a constant sum have a value that both agree on",
    )


def seats_of(program: Program) -> tuple[str, ...]:
    """The names of the players."""
    return next(one.keys for one in program.universes if one.name == "Player")


def not_solvable(message: str, hint: str) -> RulesetError:
    """The error about a game that cannot be solved."""
    return RulesetError(Diagnostic(engine.NO_OPTION, message, hint=hint))


def _known(program: Program) -> Bounds:
    """The bounds that follow from the rules."""
    found = bounds(program)
    return Bounds() if found is None else Bounds(Fraction(found[0]), Fraction(found[1]))


# ------------------------------------------------------------------------------------------------------ without chance


def _without_chance(
    at: SteppedPositions, root: object, payoff: Payoff, budget: NodeBudget, memory: int, known: Bounds
) -> _Found:
    nothing = _Found("alpha-beta", known, [Bounds()] * at.options, (), "not followed")
    symmetries = Symmetries(at.stepper.engine)
    try:
        return _backwards(at, payoff, budget, SMALL, symmetries)
    except BudgetSpent:
        return nothing
    except TooMany:
        at.go_to(root)
    with suppress(ComesAgain):
        solver = None if isinstance(at, PartPositions) else at.stepper.alpha_beta_solver(memory)
        if solver is not None:
            with suppress(CannotGoOn):
                return _by_search(at, root, NativeSearch(at, solver, payoff, budget), known, budget)
            at.go_to(root)
        return _by_search(at, root, AlphaBeta(at, Transpositions(memory), budget, payoff), known, budget)
    at.go_to(root)
    try:
        return _backwards(at, payoff, budget, memory // POSITION_BYTES, symmetries)
    except (BudgetSpent, TooMany):
        at.go_to(root)
        return nothing


def _backwards(at: SteppedPositions, payoff: Payoff, budget: NodeBudget, most: int, symmetries: Symmetries) -> _Found:
    """By retrograde analysis."""
    root = at.keep()
    graph = graph_of(at, payoff, budget, most, symmetries)
    worth = worth_of(graph)
    at.go_to(root)
    line, line_end = _won_line(at, graph, worth, symmetries)
    options = [Bounds(worth.values[one], worth.values[one]) for one in graph.after[0]]
    exact = Bounds(worth.values[0], worth.values[0])
    distinct = len(graph.after), graph.symmetric
    method: Method = "retrograde analysis"
    return _Found(method, exact, options, line, line_end, worth.ranks[0], symmetries.order, distinct)


def _won_line(
    at: SteppedPositions, graph: Graph, worth: Worth, symmetries: Symmetries
) -> tuple[Sequence[int], LineEnd]:
    """A line of best answers from here on: who wins wins as soon as possible, who loses as late."""
    line: list[int] = []
    here, seen = 0, {0}
    while (size := at.options) and len(line) < LONGEST_LINE:
        value, rank = worth.values[here], worth.ranks[here]
        kept = at.keep()
        behind = []
        for option in range(size):  # those of a symmetric position may stand in another order
            at.go_to(kept)
            at.apply(option)
            behind.append(graph.numbers[short(at.merged_key(symmetries)[0])])
        as_good = [(option, one) for option, one in enumerate(behind) if worth.values[one] == value]
        if rank is None:
            option, here = as_good[0]
        else:
            wins = graph.first[here] == (value > 0)
            option, here = min(as_good, key=lambda one: (worth.ranks[one[1]] or 0) * (1 if wins else -1))
        at.go_to(kept)
        at.apply(option)
        line.append(option)
        if here in seen:
            return line, "comes again"
        seen.add(here)
    return line, "over"


def _by_search(at: SteppedPositions, root: object, search: Search, known: Bounds, budget: NodeBudget) -> _Found:
    """By alpha-beta search: the value first, then which options are as good, a line of them, and how soon it is won."""
    low = LOWEST if known.least is None else int(known.least)
    high = HIGHEST if known.most is None else int(known.most)
    window = _Window(low, high)
    options, line = [Bounds()] * at.options, list[int]()
    line_end: LineEnd = "not followed"
    length = None
    try:
        _narrow(search, at, root, window)
        for option in range(len(options)):
            at.go_to(root)
            options[option] = _rated(search, at, option, window.low)
        at.go_to(root)
        for option in islice(_followed(search, at, window.low), LONGEST_LINE):
            line.append(option)
        line_end = "not followed" if len(line) == LONGEST_LINE else "over"
        with budget.at_most(budget.positions + FEW):  # as many again as for the value
            length = _length(search, at, root, window.low)
    except BudgetSpent:
        pass  # what is known by now is reported
    search.look_ahead(0, 0)
    return _Found("alpha-beta", window.bounds, options, line, line_end, length)


def _length(search: Search, at: SteppedPositions, root: object, value: int) -> int | None:
    """The answers in which the winner can force the value: it is looked ahead one answer more each time, and what is
    not decided by then is not won (iterative deepening). None for a draw."""
    if not value:
        return None
    wanted, beyond = (value, LOWEST) if value > 0 else (value + 1, HIGHEST)
    for answers in count(1):
        search.look_ahead(answers, beyond)
        at.go_to(root)
        if (search.bound(wanted) >= wanted) is (value > 0):
            return answers
    raise AssertionError("a game that is won is won at some time")


@dataclass(slots=True)
class _Window:
    """The bounds of the value that are proved so far."""

    low: int
    high: int

    @property
    def bounds(self) -> Bounds:
        """Window as bounds for other modules."""
        least = None if self.low == LOWEST else Fraction(self.low)
        return Bounds(least, None if self.high == HIGHEST else Fraction(self.high))


def _narrow(search: Search, at: SteppedPositions, root: object, window: _Window) -> None:
    """Let the bounds come nearer to each other, until they meet: the first test is whether it is a draw at least."""
    wanted = min(max(0, window.low + 1), window.high)
    while window.low < window.high:
        at.go_to(root)
        bound = search.bound(wanted)
        if bound >= wanted:
            window.low = bound
            wanted = bound + 1
        else:
            window.high = wanted = bound
            wanted = max(wanted, window.low + 1)


def _rated(search: Search, at: SteppedPositions, option: int, value: int) -> Bounds:
    """The worth of an option, if it is as good as any; else a bound."""
    first = at.seat == 0
    at.apply(option)
    bound = search.bound(value if first else value + 1)
    if bound >= value if first else bound <= value:
        return Bounds(Fraction(value), Fraction(value))
    return Bounds(None, Fraction(bound)) if first else Bounds(Fraction(bound), None)


def _followed(search: Search, at: SteppedPositions, value: int) -> Iterator[int]:
    """Options that keep the value, to the end of the game."""
    while size := at.options:
        first, here = at.seat == 0, at.keep()
        for option in range(size):
            at.go_to(here)
            at.apply(option)
            after = at.keep()
            bound = search.bound(value if first else value + 1)
            if bound >= value if first else bound <= value:
                at.go_to(after)
                yield option
                break


# --------------------------------------------------------------------------------------------------------- with chance


def _with_chance(
    at: ChancePositions, root: object, payoff: Payoff, budget: NodeBudget, known: Bounds, memory: int
) -> _Found:
    search = Expectiminax(at, budget)
    search.payoff = payoff
    size = at.options
    nothing = _Found("expectiminax", known, [Bounds()] * size, (), "not followed")
    try:
        value = search.value()
        options = [_value_behind(search, at, root, option) for option in range(size)]
        line = list(_best_line(search, at, root, value))
    except BudgetSpent:
        at.go_to(root)
        return nothing
    except ComesAgain:
        at.go_to(root)
        try:
            return _by_iteration(at, root, payoff, budget, memory)
        except (BudgetSpent, TooMany):
            at.go_to(root)
            return replace(nothing, method="value iteration")
    at.go_to(root)
    for option in line:
        at.apply(option)
    line_end: LineEnd = "chance" if at.options else "over"
    return _Found("expectiminax", Bounds(value, value), [Bounds(one, one) for one in options], line, line_end)


def _by_iteration(at: ChancePositions, root: object, payoff: Payoff, budget: NodeBudget, memory: int) -> _Found:
    """By value iteration, in which positions may come again."""
    game = StochasticGame(at, payoff, budget, memory // STOCHASTIC_BYTES)
    game.iterate()
    distinct = len(game.seats), len(game.seats)

    def bounds_here() -> Bounds:
        low, high = game.worth(game.reached())
        if high - low <= game.close:
            low = high = round((low + high) / 2, DIGITS)
        return Bounds(Fraction(str(low)), Fraction(str(high)))

    def behind() -> list[Bounds]:
        here, found = at.keep(), []
        for option in range(at.options):
            at.go_to(here)
            at.apply(option)
            found.append(bounds_here())
        at.go_to(here)
        return found

    at.go_to(root)
    value = bounds_here()
    at.go_to(root)
    options, line, seen = behind(), list[int](), set[bytes]()
    line_end: LineEnd = "not followed"
    while value.exact and at.options and at.seat is not None:
        best = max if at.seat == 0 else min
        each = [one.least or 0 for one in behind()]
        line.append(each.index(best(each)))
        seen.add(at.key())
        at.apply(line[-1])
        if at.key() in seen:
            line_end = "comes again"
            break
    else:
        if value.exact:
            line_end = "chance" if at.options else "over"
    return _Found("value iteration", value, options, line, line_end, distinct=distinct, wins=game.ends <= {-1.0, 1.0})


def _value_behind(search: Expectiminax, at: ChancePositions, kept: object, option: int) -> Fraction:
    at.go_to(kept)
    at.apply(option)
    return search.value()


def _best_line(search: Expectiminax, at: ChancePositions, root: object, value: Fraction) -> Iterator[int]:
    """Best options, until chance decides."""
    at.go_to(root)
    while at.options and at.seat is not None:
        here = at.keep()
        best = next(n for n in range(at.options) if _value_behind(search, at, here, n) == value)
        at.go_to(here)
        at.apply(best)
        yield best


# ------------------------------------------------------------------------------------------------------------- telling


def _solution(
    program: Program,
    at: Positions,
    root: object,
    budget: NodeBudget,
    total: Fraction,
    found: _Found,
    begin: State | None,
) -> Solution:
    """The solution with the names that people know."""
    seats = seats_of(program)
    at.go_to(root)
    first = at.seat
    question, keys = at.named()
    steps = []
    for option in found.line:
        to_move = at.seat
        name, offered = at.named()
        steps.append(Step(_who(seats, to_move), name, offered[option]))
        at.apply(option)
    rated = zip(keys, found.options, strict=True)
    return Solution(
        seats,
        found.value,
        total,
        not pays(program),
        begin is not None,
        found.method,
        budget.positions,
        _who(seats, first),
        question,
        tuple(RatedOption(key, value, first is not None and value == found.value) for key, value in rated),
        tuple(steps),
        found.line_end,
        found.length,
        found.symmetries,
        found.distinct,
        found.wins and not pays(program),
    )


def _who(seats: Sequence[str], seat: int | None) -> str:
    return "chance" if seat is None else seats[seat]
