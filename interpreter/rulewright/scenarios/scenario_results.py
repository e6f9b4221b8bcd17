"""Results of scenarios, and failures of their lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulewright.diagnostics import NOWHERE, Span
from rulewright.engine import Option

_SHOWN = 24


@dataclass(frozen=True, slots=True)
class Failure:
    """The reason why a scenario failed, and the line."""

    message: str
    span: Span = NOWHERE
    text: str = ""
    """The line of the scenario, as it stands in the file."""
    expected: str = ""
    found: str = ""
    rule: str = ""
    """The rule at which the game stood."""
    log: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """The result of a scenario."""

    title: str
    cites: tuple[str, ...]
    span: Span
    failure: Failure | None

    @property
    def passed(self) -> bool:
        """True if everything held."""
        return self.failure is None


class Over(Exception):
    """The game has gone another way than a scenario with ``may`` tells: nothing is left to be looked at."""


class Failed(Exception):
    """A line does not hold: what was expected, and what was found instead."""

    def __init__(self, message: str, expected: str = "", found: str = "") -> None:
        super().__init__(message)
        self.message, self.expected, self.found = message, expected, found


def listed(options: Sequence[Option]) -> str:
    """The keys of options, for a sentence."""
    shown = [option.key for option in options[:_SHOWN]]
    return ", ".join(shown) + (f" and {len(options) - _SHOWN} more" if len(options) > _SHOWN else "")


def words(value: object) -> str:
    """A readable value as the rules would write it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return "{" + ", ".join(words(part) for part in value) + "}"
    return str(value)
