"""What is wrong with a saved game."""

from __future__ import annotations

from rulewright.diagnostics import Diagnostic, RulesetError


class Damage(Exception):
    """A save cannot be read."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def error(self) -> RulesetError:
        """The error for people."""
        return RulesetError(Diagnostic(self.code, self.message))


def bad(code: str, message: str) -> Damage:
    """A finding, to be raised."""
    return Damage(code, message)
