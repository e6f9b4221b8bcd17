"""Worlds that a player cannot tell from the true one, and what tells them apart after all.

A player of a game with hidden information knows a set of states in which they could be, their *information set*. To
look ahead they imagine one of them at random and play on in it: this is called *determinization*, and done again for
each iteration it is the heart of Information Set Monte Carlo Tree Search (P. I. Cowling, E. J. Powley, D. Whitehouse,
*Information Set Monte Carlo Tree Search*, IEEE Transactions on Computational Intelligence and AI in Games 4(2), 2012).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import TypeVar

from rulewright.budgets import MANY, errand
from rulewright.diagnostics import RulesetError
from rulewright.engine.faults import NOTHING_OFFERED
from rulewright.engine.hidden_information.hidden_state import Hidden, Place
from rulewright.engine.hidden_information.resampling import Impossible, answer_anew, deal
from rulewright.engine.hidden_information.views import view
from rulewright.engine.hidden_information.visibility import dependence
from rulewright.engine.random_source import Dice
from rulewright.engine.runtime.assertions import broken
from rulewright.engine.runtime.records import Decision, Mode
from rulewright.engine.runtime.refusals import Refusal, Refusals
from rulewright.engine.runtime.snapshot import Snapshot
from rulewright.ir import model as m
from rulewright.ir.walk import nodes

S = TypeVar("S", bound=Snapshot)

TRIES = 64
"""Worlds that are thrown away, because they cannot be, before less is dealt anew."""

KEYS = 200
"""Keys for which the reasons of their refusal are compared at most."""


def imagine(state: S, player: int, seed: int) -> S:
    """The implementation of :meth:`State.imagine`."""
    dice, hidden = _dice(player, seed), Hidden(state, player)
    if not hidden.anything:
        return _world(state, hidden, (), dice)
    return _found(state, hidden, dice) or _world(state, hidden, None, dice)


@errand(MANY)
def _found(state: S, hidden: Hidden, dice: Dice) -> S | None:
    """Another world in which the player could be; None if none is found in this many tries and steps."""
    truth = Truth(state, hidden.player, _concerned(hidden))
    for places in _tries(hidden, state.seat):
        try:
            world = _world(state, hidden, places, dice)
            if truth.admits(world):
                return world
        except (RulesetError, Impossible):
            continue
    return None


def _tries(hidden: Hidden, seat: int | None) -> Iterator[list[Place]]:
    """The places to deal anew, attempt by attempt: in the end only those that the asked player does not see either."""
    yield from repeat(hidden.places, TRIES)
    yield from repeat(hidden.places if seat in (None, hidden.player) else hidden.without_those_seen_by(seat), TRIES)


class Truth:
    """A player's knowledge of a state as a whole: every possible world must agree with it."""

    def __init__(self, state: Snapshot, player: int, invariants: frozenset[str] | None) -> None:
        self.state, self.player, self.invariants = state, player, invariants
        self._view, self._broken = view(state, player), set(broken(state, invariants))

    def admits(self, world: Snapshot) -> bool:
        """True if the player could be in this world: they see and are asked the same, and no further invariant breaks.

        Of the invariants only those are asked that were named; all of them if none were.
        """
        return (
            _same_question(self.state, world)
            and view(world, self.player) == self._view
            and set(broken(world, self.invariants)) <= self._broken
        )


@errand(MANY)
def leaks(state: Snapshot, player: int, seed: int) -> list[str]:
    """The implementation of :meth:`State.leaks`."""
    decision = state.decision
    if decision is None or decision.seat != player:
        return []
    hidden = Hidden(state, player)
    if not hidden.anything or not _depends(state, hidden):
        return []
    names = _concerned(hidden)
    try:
        world = _world(state, hidden, hidden.places, _dice(player, seed))
    except Impossible:
        return []
    except RulesetError as error:
        return [_unasked(decision)] if any(d.code == NOTHING_OFFERED for d in error.diagnostics) else []
    if not set(broken(world, names)) <= set(broken(state, names)):
        return []
    return _differences(state, world, decision)


def _differences(state: Snapshot, world: Snapshot, decision: Decision) -> list[str]:
    """The questions, options and refusals that differ in another world."""
    other = world.decision
    if other is None or not _same_question(state, world):
        return [_unasked(decision)] if other is None or other.name != decision.name else []
    mine, theirs = [o.key for o in decision.options], [o.key for o in other.options]
    if mine != theirs:
        return [_offered_otherwise(decision, mine, theirs)]
    here, there = Refusals(state), Refusals(world)
    found = []
    for key in _refused(state, mine):
        told, otherwise = _labels(here.why_not(key)), _labels(there.why_not(key))
        if told != otherwise:
            found.append(
                f"`{decision.name}`: {decision.who} is refused `{key}` because of {_list(told)}, but because of "
                f"{_list(otherwise)} if what is hidden from them were different"
            )
    return found


def _unasked(decision: Decision) -> str:
    return f"`{decision.name}`: {decision.who} would be asked nothing if what is hidden from them were different"


def _offered_otherwise(decision: Decision, mine: list[str], theirs: list[str]) -> str:
    here = _list([key for key in mine if key not in theirs])
    there = _list([key for key in theirs if key not in mine])
    offered = f"`{decision.name}`: {decision.who} is offered {here}, but {there}"
    return f"{offered} if what is hidden from them were different"


def _dice(player: int, seed: int) -> Dice:
    return Dice(seed, f"what player {player} cannot know")


def _concerned(hidden: Hidden) -> frozenset[str]:
    """The invariants that read something which is dealt anew."""
    program = hidden.engine.program
    cache = hidden.engine.cache("invariants")
    if not cache:
        depend = dependence(hidden.engine)
        for a in program.assertions:
            if a.word == "invariant":
                source = depend.reads(a.source) if a.source is not None else frozenset()
                cache[a.name] = source | depend.reads(a.condition)
    touched = hidden.touched
    return frozenset(name for name, tokens in cache.items() if tokens & touched)


def _depends(state: Snapshot, hidden: Hidden) -> bool:
    """True if the question reads anything that is dealt anew; what locals hold of pieces is renamed, too."""
    question = state.question
    if question is None:
        return True
    cache = hidden.engine.cache("questions")
    if question.number not in cache:
        slots = hidden.engine.program.functions[hidden.engine.compiled.ctx.functions[question.function]].slots
        depend = dependence(hidden.engine)
        asked = list(_asked(question.instr))
        tokens = frozenset[str]().union(*(depend.reads(e) for e in asked))
        inside = (node for e in asked for node in nodes(e) if isinstance(node, m.Local))
        pieces = any(slots[node.slot].ty.universe == "Piece" for node in inside)
        cache[question.number] = tokens, pieces
    tokens, pieces = cache[question.number]
    return pieces or bool(tokens & hidden.touched)


def _asked(i: m.Choose | m.Chance) -> Iterator[m.Expr]:
    """All expressions of a question."""
    if isinstance(i, m.Chance):
        yield i.source
        return
    yield i.who
    yield from (e for e in (i.source, i.where, *(x.guard for x in i.extras)) if e is not None)
    for restriction in (*i.restrictions, *(r for x in i.extras for r in x.restrictions)):
        yield restriction.condition
        yield from (exception.condition for exception in restriction.unless)


def _same_question(state: Snapshot, world: Snapshot) -> bool:
    """True if the same is asked of the same player."""
    if state.question is None:  # over, or after what was entered: there is no frame to be compared
        return state.status == world.status
    return (state.status, state.base, state.seat, state.question) == (
        world.status, world.base, world.seat, world.question,
    )  # fmt: skip


def _list(keys: list[str]) -> str:
    shown = [f"`{key}`" for key in keys]
    return ", ".join(shown[:4]) + (" …" if len(shown) > 4 else "") if shown else "nothing more"


def _labels(refusal: Refusal) -> list[str]:
    return [reason.label for reason in refusal.reasons]


def _refused(state: Snapshot, offered: list[str]) -> list[str]:
    """Keys of the universe of the question that are not offered."""
    question = state.question
    assert question is not None
    i = question.instr
    found = [x.key for x in i.extras] if isinstance(i, m.Choose) else []
    if i.universe in state.engine.layout.universes:
        found += state.engine.layout.universes[i.universe].keys
    else:
        found += [str(number) for number in range(KEYS if i.universe == "Int" else 0)]
    taken = set(offered)
    return [key for key in dict.fromkeys(found) if key not in taken][:KEYS]


def _world(state: S, hidden: Hidden, places: Sequence[Place] | None, dice: Dice) -> S:
    """A state in which what is hidden is dealt anew, and the same is asked once more; without places only the seed is.

    RulesetError or :class:`Impossible` if that cannot be.
    """
    if places is None:
        cells = list(state.cells)
        cells[hidden.layout.seed] = dice.below(1 << 64)
        return asked_again(state, cells, list(state.stack))
    dealt = deal(hidden, places, dice)
    if state.question is not None:
        answer_anew(hidden, dealt.cells, dealt.stack, dice)
    return asked_again(state, dealt.cells, dealt.stack)


def asked_again(state: S, cells: list[int], stack: list[int]) -> S:
    """These cells as a state in which the same is asked as in another; RulesetError if that cannot be."""
    engine, question = state.engine, state.question
    mode = Mode(state.mode.ask_chance, state.mode.whole)
    if question is None:
        return type(state).at_rest(engine, cells, mode, None)
    registers = engine.registers(state.base)
    status = engine.run(cells, stack, registers, question.block)
    return type(state)(engine, cells, stack, registers, status, mode, None)
