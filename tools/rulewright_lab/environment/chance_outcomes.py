"""Outcomes of chance with exact weights, as a tree of the game needs them.

A shuffle is drawn place by place, from the last one to the second. Which of several pieces comes to a place makes no
difference where these are indistinguishable, so they are one outcome with their number as weight: nine cards of three
kinds have 9! / (3!)³ = 1,680 deals, not 362,880.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rulewright.engine import Engine, State, bits_of, shuffle_of
from rulewright.foundation import dataclass
from rulewright.ir import model as m
from rulewright_lab.environment.value_encoding import bounds


@dataclass(frozen=True, slots=True)
class Outcome:
    """An outcome of chance: something that may be drawn next."""

    number: int
    """The member that is drawn, of pieces one on which the same is printed: another number for each outcome."""
    option: int
    """The number of the option of :attr:`State.decision` that leads there."""
    text: str
    probability: Fraction


def outcomes(state: State) -> tuple[Outcome, ...]:
    """All that chance may give next, in a state in which it decides (:meth:`Game.start` with ``ask_chance``); nothing
    in others. The probabilities sum to 1."""
    decision = state.decision
    if decision is None or decision.seat is not None:
        return ()
    groups: dict[object, tuple[int, str, int, int]] = {}
    for look, number, text, option, weight in _drawn(state):
        first = groups.get(look, (number, text, option, 0))
        groups[look] = *first[:3], first[3] + weight
    total = sum(weight for *_, weight in groups.values())
    return tuple(Outcome(n, option, text, Fraction(weight, total)) for n, text, option, weight in groups.values())


def _drawn(state: State) -> Iterator[tuple[object, int, str, int, int]]:
    """For each option how it looks, its number as an outcome, what it is called, its own number, and its weight."""
    decision, engine = state.decision, state.engine
    assert decision is not None
    pile, kinds = shuffle_of(state), engine.interchange.kind
    used: dict[int, int] = {}
    if pile is None:
        assert state.question is not None
        about_pieces = state.question.instr.universe == "Piece"
        for option, weight in zip(decision.options, decision.weights, strict=True):
            number = _numbered(engine, option.value, used) if about_pieces else option.value
            yield number, number, option.key, option.index, weight
        return
    open_ones = pile.members[: pile.left]
    if pile.universe != "Piece":
        for option, member in zip(decision.options, open_ones, strict=True):
            yield member, member, engine.layout.key(pile.universe, member), option.index, 1
        return
    colours = engine.interchange.colours_in_any_order(state.cells, state.stack, open_ones)
    numbers: dict[object, int] = {}
    for option, piece, colour in zip(decision.options, open_ones, colours, strict=True):
        look = kinds[piece], colour
        if look not in numbers:
            numbers[look] = _numbered(engine, kinds[piece], used)
        yield look, numbers[look], engine.layout.key("Piece", piece), option.index, 1


def _numbered(engine: Engine, kind: int, used: dict[int, int]) -> int:
    """A number for a piece: another one of those alike each time."""
    used[kind] = used.get(kind, -1) + 1
    return bits_of(engine.interchange.alike[kind])[used[kind]]


def most_outcomes(engine: Engine) -> int:
    """A number that is greater than that of each outcome there can be; 0 in a game without chance."""
    most = 0
    for function in engine.program.functions:
        for pc, i in enumerate(function.code):
            if isinstance(i, m.Chance):
                most = max(most, _most_of(engine, function, pc, i))
    return most


def _most_of(engine: Engine, function: m.Function, pc: int, i: m.Chance) -> int:
    sizes = engine.layout.sizes
    swap = function.code[pc + 1] if pc + 1 < len(function.code) else None
    if isinstance(swap, m.SwapItems):
        universe = "Piece" if swap.zone else engine.layout.field_of[swap.field].ty.universe
        return sizes.get(universe, m.MAX_NUMBER_BITS)
    return sizes[i.universe] if i.universe in sizes else bounds(i.source, function.slots[i.into].ty)[1] + 1
