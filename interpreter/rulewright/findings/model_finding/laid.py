"""Results of the search for a position: one that is laid, or the reason why there is none. They need no solver."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rulewright.engine import State


class Unsolved(StrEnum):
    """The reason why no position was found."""

    NOT_ASKED = "random games do not come to where it could be"
    NONE_NEAR = "no such position, as long as stays what the solver cannot change"
    TOO_LARGE = "the condition cannot be written as a formula"
    TOO_HARD = "the solver has given up"


@dataclass(frozen=True, slots=True)
class Laid:
    """A laid position from which the rules come to what was sought."""

    state: State
    """The state in which it is seen."""
    changes: tuple[str, ...]
    """Lines of a scenario: what is laid otherwise than it was in the game."""
    scenario: str
    """A scenario that begins there."""
