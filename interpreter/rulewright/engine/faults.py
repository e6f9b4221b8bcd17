"""Errors of the rules at run time: what stopped, in which rule, on which line of which file."""

from __future__ import annotations

from typing import NoReturn

from rulewright.diagnostics import NOWHERE, Diagnostic, RulesetError, Span
from rulewright.ir.model import Choose, Program, RuleInfo
from rulewright.ir.rule_places import StatementPlace, declared, statement_at

BOUNDS = "RUN001"
NO_KEY = "RUN002"
FULL = "RUN003"
DIVISION = "RUN004"
NUMBER = "RUN005"
NOTHING_OFFERED = "RUN007"
SILENT = "RUN008"
NO_RESULT = "RUN009"
TOO_DEEP = "RUN010"
SAME_KEY = "RUN011"
NO_OPTION = "RUN012"
INSIDE = "RUN013"
NO_PLAYER = "RUN014"
NO_WORLD = "RUN019"
FAULTS = {"bounds": BOUNDS, "depth": TOO_DEEP}
"""The codes of what expressions fail with."""


class Fault(Exception):
    """Raised by closures and what they call; the machine turns it into a :class:`RulesetError`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def fault(code: str, message: str, *shown: int) -> NoReturn:
    """Stop with an error; the values that are shown end its message."""
    raise Fault(code, " ".join((message, *map(str, shown))))


def out_of_bounds(name: str, value: int, low: int, high: int) -> NoReturn:
    """A value does not fit a field."""
    shown = "none" if value == -(2**31) else str(value)
    raise Fault(BOUNDS, f"`{name}` cannot become {shown}: it must be from {low} to {high}")


class Rules:
    """Finds where a rule stands in its file."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._info = {info.name: info for info in program.rules}

    def find(self, function: str, label: str = "") -> RuleInfo | None:
        """The rule ``function.label``, else ``function``."""
        function = declared(function)
        return (self._info.get(f"{function}.{label}") if label else None) or self._info.get(function)

    def by_name(self, name: str) -> RuleInfo | None:
        """The rule with just this name, or the declaration it is part of."""
        return self._info.get(name) or self._info.get(name.split(".")[0])

    def error(
        self,
        code: str,
        message: str,
        function: str,
        label: str = "",
        notes: tuple[str, ...] = (),
        pc: int = -1,
    ) -> RulesetError:
        """An error that names the rule, at its place or, if that is known, at that of the statement of number `pc`."""
        info = self.find(function, label)
        span = Span(info.file, info.line, info.column, info.line, info.column) if info else NOWHERE
        where = ".".join((declared(function), *([label] if label else [])))
        cites = info.cites if info else ()
        if (found := self._statement(function, pc)) is not None:
            cites = found.cites or (cites if found.span.file == span.file else ())
            span = found.span
        hint = "an `else` below the question says what happens then" if code == NOTHING_OFFERED else ""
        return RulesetError(Diagnostic(code, f"{message} (in `{where}`)", span, hint=hint, cites=cites, notes=notes))

    def _statement(self, function: str, pc: int) -> StatementPlace | None:
        """The statement in a function to which an instruction belongs; what asks no player has a place of its own."""
        found = next((f for f in self._program.functions if f.name == function), None)
        if found is None or not 0 <= pc < len(found.code) or isinstance(found.code[pc], Choose):
            return None
        return statement_at(self._program, found, pc)
