"""Results of scenarios, and failures of their lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulewright.diagnostics import NOWHERE, Span
from rulewright.engine import Option

_SHOWN = 24


@dataclass(frozen=True, slots=True)
class Cause:
    """A change of a variant or edition without which a scenario does not fail as it does."""

    by: str
    """``variant "Long war"``, or the title of the ruleset that extends another."""
    text: str
    """The first line of the change, as it stands in the file."""
    span: Span

    @property
    def message(self) -> str:
        """For people: ``more.rules:3  remove turn.poor  (variant "Credit")``."""
        return f"{self.span.file}:{self.span.line}  {self.text}  ({self.by})"

    def data(self) -> dict[str, object]:
        """As JSON."""
        return {"file": self.span.file, "line": self.span.line, "by": self.by, "text": self.text}


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
    assertion: str = ""
    """The invariant or property that does not hold, if that is the reason."""
    causes: tuple[Cause, ...] = ()
    """The changes of variants that broke it, if rules beneath declare it."""


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """The result of a scenario."""

    title: str
    cites: tuple[str, ...]
    span: Span
    failure: Failure | None
    unchecked: tuple[str, ...] = ()
    """Invariants and properties that were not looked at: the position that is laid out breaks them."""

    @property
    def passed(self) -> bool:
        """True if everything held."""
        return self.failure is None


class Over(Exception):
    """The game has gone another way than a scenario with ``may`` allows for: nothing is left to be checked."""


class Failed(Exception):
    """A line does not hold: what was expected, and what was found instead."""

    def __init__(self, message: str, expected: str = "", found: str = "", assertion: str = "") -> None:
        super().__init__(message)
        self.message, self.expected, self.found, self.assertion = message, expected, found, assertion


def listed(options: Sequence[Option]) -> str:
    """The keys of options, for a sentence."""
    shown = [option.key for option in options[:_SHOWN]]
    return ", ".join(shown) + (f" and {len(options) - _SHOWN} more" if len(options) > _SHOWN else "")


def words(value: object, listed: bool = False) -> str:
    """A readable value as the rules would write it; one of several members is a set, or `listed`."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        begin, end = "[]" if listed else "{}"
        return begin + ", ".join(words(part) for part in value) + end
    return str(value)
