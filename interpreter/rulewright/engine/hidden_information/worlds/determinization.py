"""Determinization: worlds that a player cannot distinguish from the true one.

A player of a game with hidden information knows a set of states in which they could be, their *information set*. To
look ahead they imagine one of them at random and play on in it: this is called *determinization*, and done again for
each iteration it is the heart of Information Set Monte Carlo Tree Search (P. I. Cowling, E. J. Powley, D. Whitehouse,
*Information Set Monte Carlo Tree Search*, IEEE Transactions on Computational Intelligence and AI in Games 4(2), 2012).
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from copy import copy
from functools import cached_property
from itertools import islice, repeat
from typing import Any, Generic, TypeVar

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine import faults
from rulewright.engine.hidden_information.hidden_places import NO_PLACES, Arrangements, Places
from rulewright.engine.hidden_information.hidden_state import Hidden
from rulewright.engine.hidden_information.observations.history import Go, played_again
from rulewright.engine.hidden_information.observations.log_visibility import still_unobserved
from rulewright.engine.hidden_information.observations.secret_questions import UnobservedAnswer, unobserved_answer
from rulewright.engine.hidden_information.observations.simultaneous_choice import given
from rulewright.engine.hidden_information.observations.views import view
from rulewright.engine.hidden_information.worlds.information_set import InformationSet, concerned
from rulewright.engine.hidden_information.worlds.redrawing import secret_slots
from rulewright.engine.hidden_information.worlds.replay_sampling import needed, other_game
from rulewright.engine.hidden_information.worlds.resampling import Impossible, answer_anew, chance_anew, deal
from rulewright.engine.random_numbers import Dice
from rulewright.engine.runtime.machine import RETURNED
from rulewright.engine.runtime.position import Position
from rulewright.engine.runtime.records import RULES, LogEntry, Mode
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.host.budgets import MANY, shared_budget
from rulewright.ir.model import NONE


@dataclass(frozen=True, slots=True)
class Arrangement:
    """One way in which hidden pieces can lie."""

    instead: dict[int, int]

    def exchanged(self, dice: Dice) -> dict[int, int]:
        """For each hidden piece the one that lies in its place instead."""
        return self.instead


def repaired(places: Places, dice: Dice, zones: Container[int]) -> Iterator[Arrangement]:
    """Arrangements that each differ from one at random in where two pieces lie: one for each place and each kind of
    piece that it takes, in random order, but those for places in some zones first."""
    instead = places.exchanged(dice)
    slots = places.slots
    alike: dict[tuple[int, int], list[int]] = {}  # places in a zone without order are one
    of_kind: dict[int, list[int]] = {}
    for number, slot in enumerate(slots):
        alike.setdefault((slot.zone, slot.admits) if slot.zone != NONE else (NONE, number), []).append(number)
        of_kind.setdefault(places.kind(instead[slot.piece]), []).append(number)
    wanted, others = list[tuple[int, int]](), list[tuple[int, int]]()
    for numbers in alike.values():
        lying = {places.kind(instead[slots[number].piece]) for number in numbers}
        pairs = wanted if slots[numbers[0]].zone in zones else others
        pairs += [(numbers[0], kind) for kind in sorted(of_kind) if kind not in lying]
    for one, kind in [*_shuffled(wanted, dice), *_shuffled(others, dice)]:
        here = slots[one]
        giving = [
            there
            for there in (slots[number] for number in of_kind[kind])
            if here.admits >> instead[there.piece] & 1 and there.admits >> instead[here.piece] & 1
        ]
        if giving:
            there = giving[dice.below(len(giving))]
            yield Arrangement(instead | {here.piece: instead[there.piece], there.piece: instead[here.piece]})


def _shuffled(pairs: list[tuple[int, int]], dice: Dice) -> Iterator[tuple[int, int]]:
    return (pairs[number] for number in dice.shuffled(range(len(pairs))))


def beginning_of_node(state: Position, advance: Go) -> Any:
    """The state before the first decision of the simultaneous node; None if that is this one, or if the log does not
    give it."""
    answers = decided(state)
    if not answers:
        return None
    last = state.engine.cache("beginnings of nodes")  # who asks for one world asks for others of the same state
    known = last.get("last")
    if known is None or known[0] is not state:
        played = played_again(state, advance)
        begun = played[-1 - len(answers)][0] if len(played) > len(answers) else None
        known = last["last"] = (state, begun)
    return known[1]


def decided(state: Position) -> tuple[LogEntry, ...]:
    """The answers in the simultaneous node that is going on."""
    return tuple(state.log[len(state.log) - state.given :]) if state.simultaneous_node is not None else ()


@dataclass(frozen=True, slots=True)
class TurnBegun:
    """The turn of a player who has not answered yet, before anything of it was carried out."""

    position: Any
    """A state without a question: the node rests at the instruction with which the turn begins. What the turn has
    changed since stands in the cells; all of it is hidden from everybody else, and is dealt anew."""
    base: int
    block: int


def turn_begun(state: Position, player: int) -> TurnBegun | None:
    """The beginning of the turn that is taken; None unless it is that of another player."""
    node = state.simultaneous_node
    if node is None or state.seat == player:
        return None
    stack, block = node.beginning(state.stack, node.position(state.stack))
    base = node.frame.base
    stack[base - 2] = node.code.begin
    mode, registers = state.mode, state.engine.registers(base)
    return TurnBegun(type(state)(state.engine, list(state.cells), stack, registers, RETURNED, mode, None), base, block)


def turns_taken(state: Position, world: Any, player: int, dice: Dice) -> Any:
    """A world at the beginning of the node, after as many turns as were taken in a state; None if it comes otherwise.

    RulesetError if the player could not give their answers there.
    """
    target = state.simultaneous_node
    assert target is not None
    seat, turn, observed = state.engine.layout.key("Player", player), target.position(state.stack), _observed(state)
    own = [entry.key for entry in decided(state) if entry.who == seat]
    while (node := world.simultaneous_node) is not None and (now := node.position(world.stack)) <= turn:
        mine = world.seat == player
        if now == turn and not (own if mine else _observed(world) != observed):
            return world
        if mine and not own:
            return None
        world = world.choose(own.pop(0) if mine else dice.below(len(world.decision.options)))
    return None


def _observed(state: Position) -> list[tuple[int, str]]:
    """The answers of which all know that they were given."""
    return [(one.player, one.name) for one in given(state)]


def before_unobserved(state: Position, player: int, advance: Go) -> Any:
    """The state before the first answer that a player has not observed; None if there is none, or if the log does not
    give it."""
    unobserved_answer = still_unobserved(state, state.log, player)
    steps = sum(entry.who != RULES for entry in state.log[len(state.log) - unobserved_answer :])
    if not steps:
        return None
    last = state.engine.cache("states before unobserved answers")  # who asks for one world asks for others
    known = last.get("last")
    if known is None or known[0] is not state or known[1] != player:
        played = played_again(state, advance)
        ago = range(min(steps, len(played) - 1), 0, -1)
        earlier = (_remembering(played[-1 - number][0], state, player) for number in ago)
        now = view(state, player)  # what was before anything else that they have seen is over
        begun = next((one for one in earlier if view(one, player) == now), None)
        known = last["last"] = (state, player, begun)
    return known[2]


def _remembering(begun: Any, state: Position, player: int) -> Any:
    """An earlier state in which a player knows no more than they do now: an answer that they have not observed may have
    gone where something lay that they knew."""
    at = state.engine.layout.known + player
    if state.engine.layout.known < 0 or begun.cells[at] == state.cells[at]:
        return begun
    found = copy(begun)
    found.cells = list(begun.cells)
    found.cells[at] &= state.cells[at]
    return found


S = TypeVar("S", bound=Position)

TRIES = 64
"""Worlds that are thrown away, because they cannot be, before some are repaired."""
REPAIRS = 512
"""Worlds that are tried in which an exchange of two pieces may repair what cannot be."""
SWEEP = 128
"""So many of them begin with the same arrangement."""


def determinize(state: S, player: int, seed: int, advance: Go) -> S:
    """The implementation of :meth:`State.imagine`."""
    dice, begun = dice_of(player, seed), beginning_of_node(state, advance)
    if begun is None:
        before = before_unobserved(state, player, advance)
        world: S = _imagined(before or state, player, advance, dice)
        if before is not None:
            world = asked_again(state, list(world.cells), list(world.stack), world)
        world.believed = _known(state, player).believed  # of the question, too, they see the same
        return world
    found: S | None = _decided_anew(state, begun, player, advance, dice)
    if found is None:
        raise _unimaginable(state, player)
    return found


@shared_budget(MANY)
def _decided_anew(state: S, begun: S, player: int, advance: Go, dice: Dice) -> S | None:
    """Another world in which others have decided something else at once with the player; None if none is found."""
    possible = InformationSet(state, player, concerned(Hidden(state, player)))
    for _ in range(TRIES):
        beginning = _imagined(begun, player, advance, dice)
        try:
            after = turns_taken(state, beginning, player, dice)
            world = None if after is None else asked_again(state, list(after.cells), list(after.stack), after)
        except RulesetError:
            continue
        if world is not None and possible.contains(world):
            return world
    return None


class _Known(Generic[S]):
    """All that is found once for any number of worlds of a player in one state."""

    def __init__(self, state: S, player: int) -> None:
        self.state = state
        self.turn = turn_begun(state, player)
        self.hidden = Hidden(state if self.turn is None else self.turn.position, player)

    @cached_property
    def believed(self) -> dict[int, UnobservedAnswer]:
        """The question that the player takes for the current one, if that is secret, for worlds, which have no log."""
        kept = unobserved_answer(self.state, self.hidden.player)
        return {} if kept is None else {self.hidden.player: UnobservedAnswer(kept.name, 0)}

    @cached_property
    def possible(self) -> InformationSet:
        """The worlds in which the player could be."""
        return InformationSet(self.state, self.hidden.player, concerned(self.hidden))


def _known(state: S, player: int) -> _Known[S]:
    last = state.engine.cache("determinized")  # who asks for one world asks for others of the same state
    known = last.get(player)
    if known is None or known.state is not state:
        known = last[player] = _Known(state, player)
    found: _Known[S] = known
    return found


def _imagined(state: S, player: int, advance: Go, dice: Dice) -> S:
    """A world in which everybody has decided what they have decided."""
    known = _known(state, player)
    hidden = known.hidden
    if needed(hidden):
        found = _played_otherwise(state, hidden, advance, dice)
        if found is not None:
            return found
    elif not hidden.anything and not secret_slots(hidden):
        return _world(state, known.turn, hidden, NO_PLACES, dice)
    found = _found(known, dice)
    if found is None:
        raise _unimaginable(state, player)
    return found


@shared_budget(MANY)
def _played_otherwise(state: S, hidden: Hidden, advance: Go, dice: Dice) -> S | None:
    """The end of another game that may have been played, as the player knows it; None if none is found."""
    other = other_game(state, hidden.player, advance, dice)
    if other is None:
        return None
    cells = list(other.cells)
    chance_anew(hidden, cells, dice)
    return asked_again(state, cells, list(other.stack), other)


def _unimaginable(state: Position, player: int) -> RulesetError:
    seat = state.engine.layout.key("Player", player)
    message = f"no position is found in which {seat} could be instead: whatever is dealt, they would see something else"
    hint = (
        "what they see depends on what is hidden from them; `rulewright check` and `simulate --check views` tell where"
    )
    return RulesetError(Diagnostic(faults.NO_WORLD, message, hint=hint))


@shared_budget(MANY)
def _found(known: _Known[S], dice: Dice) -> S | None:
    """Another world in which the player could be; None if none is found in this many tries and steps."""
    for places in _tries(known.hidden, known.state, dice):
        try:
            world = _world(known.state, known.turn, known.hidden, places, dice)
            world.believed = known.believed
            if known.possible.contains(world):
                return world
        except (RulesetError, Impossible):
            continue
    return None


def _tries(hidden: Hidden, state: Position, dice: Dice) -> Iterator[Arrangements]:
    """The arrangements of pieces to be tried. None may keep anything of how they really lie, or it would reveal
    that."""
    yield from repeat(hidden.places, TRIES)
    if hidden.places:
        zones = Hidden(state, hidden.player).presupposed()
        for _ in range(REPAIRS // SWEEP):
            yield from islice(repaired(hidden.places, dice, zones), SWEEP)


def dice_of(player: int, seed: int) -> Dice:
    """The dice with which the worlds of a player are dealt."""
    return Dice(seed, f"what player {player} cannot know")


def _world(state: S, turn: TurnBegun | None, hidden: Hidden, places: Arrangements, dice: Dice) -> S:
    """A state in which what is hidden is dealt anew, with the same question or the beginning of a turn.

    RulesetError or :class:`Impossible` if that cannot be.
    """
    if turn is None:
        return asked_again(state, *dealt_anew(hidden, places, dice))
    dealt = deal(hidden, places, dice)
    answer_anew(Hidden(state, hidden.player), dealt.cells, dealt.stack, dice)
    return _gone_on(state, dealt.cells, dealt.stack, turn.base, turn.block)


def dealt_anew(hidden: Hidden, places: Arrangements, dice: Dice, drawn: bool = True) -> tuple[list[int], list[int]]:
    """Cells and stack in which what is hidden is dealt anew, before any question; see :func:`deal`."""
    dealt = deal(hidden, places, dice, drawn)
    if hidden.state.question is not None:
        answer_anew(hidden, dealt.cells, dealt.stack, dice)
    return dealt.cells, dealt.stack


def asked_again(state: S, cells: list[int], stack: list[int], at: Position | None = None) -> S:
    """A state of these cells with the same question as in another; RulesetError if that cannot be."""
    at = at or state
    if at.question is None:
        mode = Mode(state.mode.ask_chance, state.mode.whole)
        return type(state).at_rest(state.engine, cells, mode, None)
    return _gone_on(state, cells, stack, at.base, at.question.block)


def _gone_on(state: S, cells: list[int], stack: list[int], base: int, block: int) -> S:
    engine = state.engine
    registers = engine.registers(base)
    status = engine.run(cells, stack, registers, block)
    mode = Mode(state.mode.ask_chance, state.mode.whole)
    return type(state)(engine, cells, stack, registers, status, mode, None)
