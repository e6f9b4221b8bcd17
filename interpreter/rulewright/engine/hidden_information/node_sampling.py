"""Taking the turns of a simultaneous node anew, as one of those who decide may know them.

Simultaneous decisions, and how far the others are with them, are not observed. What they have decided lies in cells, in
locals and in their present question, and hangs together. So the node is begun again, before anybody has decided: there
the imagining player repeats their answers, and all others answer at random. The first question of a turn may depend on
a secret as well, so turns of others are taken from their beginning.
"""

from __future__ import annotations

from typing import Any

from rulewright.engine.hidden_information.history import Go, played_again
from rulewright.engine.hidden_information.simultaneous_choice import given
from rulewright.engine.random_numbers import Dice
from rulewright.engine.runtime.machine import RETURNED
from rulewright.engine.runtime.position import Position
from rulewright.engine.runtime.records import LogEntry
from rulewright.foundation.lazy_dataclass import dataclass


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


__all__ = ["TurnBegun", "beginning_of_node", "decided", "turn_begun", "turns_taken"]
