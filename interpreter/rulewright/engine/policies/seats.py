"""The seats of a game: how each decides, and the backend that plays for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine.faults import NO_OPTION
from rulewright.engine.native.passes import Passes
from rulewright.engine.native.tiering import LOOKED_AHEAD, EngineName, backend_for
from rulewright.engine.policies.agent import Agent, are_policies, is_agent
from rulewright.engine.policies.policy import RANDOM, rated_by
from rulewright.host.api_arguments import wrong
from rulewright.ir.model import Program

if TYPE_CHECKING:
    from rulewright.engine.native.backend import Backend


def each_seat(agents: Sequence[Agent], players: int) -> tuple[Agent, ...]:
    """The agent of each seat, if one is given for all or one for each; none if all decide at random."""
    if agents == ():
        return ()  # of many games nobody gives any
    if not isinstance(agents, Sequence) or not all(map(is_agent, agents)):
        raise wrong("the policies", agents, "they are a list of what `game.policy` gives")
    if len(agents) not in (0, 1, players):
        message = f"{len(agents)} policies for {players} players: give one for all, or one for each seat"
        raise RulesetError(Diagnostic(NO_OPTION, message))
    each = tuple(agents) * (players if len(agents) == 1 else 1)
    return () if are_policies(each) and all(policy.word == RANDOM for policy in each) else each


def backend_of(
    program: Program, wanted: EngineName, games: int, agents: Sequence[Agent], check: bool, passes: Passes
) -> Backend | None:
    """The backend for some more games in which seats decide so, if it is of use; with `check` what the rules assert is
    looked at."""
    rated = rated_by(agents)
    if rated:  # what is asserted, the Python backend looks at then
        return backend_for(program, wanted, LOOKED_AHEAD * games, False, passes, rated)
    return backend_for(program, wanted, games, check, passes)


__all__ = ["backend_of", "each_seat"]
