"""Agents: whatever decides for a seat. Those that look further ahead than one answer are made above the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import copy_context
from inspect import signature
from typing import Protocol, TypeGuard

from rulewright.engine.native.passes import Passes
from rulewright.engine.native.tiering import EngineName
from rulewright.engine.policies.policy import RANDOM, Judge, Policy, pick
from rulewright.engine.random_source import Dice
from rulewright.engine.states.state import State
from rulewright.ir.model import Program

Choice = Callable[[State, Dice], int]
"""Gives the number of an option of a state in which a player is asked. It must follow from what they know, and from the
dice."""


class PreparedAgent(Protocol):
    """An agent that has something to prepare for a game."""

    def begin(self, program: Program, wanted: EngineName, passes: Passes) -> Choice:
        """The way in which it chooses in games of a program; one game at a time."""


Agent = Policy | PreparedAgent


def is_agent(one: object) -> bool:
    """True if it can decide for a seat: a policy, or something that begins as a :class:`PreparedAgent` does."""
    if isinstance(one, Policy):
        return True
    try:
        signature(one.begin).bind(None, None, None)  # type: ignore[attr-defined]
    except (AttributeError, TypeError, ValueError):
        return False
    return True


def are_policies(agents: Sequence[Agent]) -> TypeGuard[Sequence[Policy]]:
    """True if none of them prepares anything."""
    return all(isinstance(one, Policy) for one in agents)


def needs_log(agent: Agent) -> bool:
    """True if it goes by what its seat remembers, too: it says so by an attribute of this name. Then it is given states
    with their log, which costs time."""
    return bool(getattr(agent, "needs_log", False))


def choice_of(agent: Agent, program: Program, wanted: EngineName, passes: Passes, judge: Judge | None) -> Choice | None:
    """The way in which an agent chooses; None if it takes any option.

    What an agent thinks is not paid from what the game may spend: it runs under the limits that are in force here.
    """
    if isinstance(agent, Policy):
        return None if agent.word == RANDOM else lambda state, dice: pick(state, agent, dice, judge)
    choice, outside = agent.begin(program, wanted, passes), copy_context()
    return lambda state, dice: outside.run(choice, state, dice)
