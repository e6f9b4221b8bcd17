"""The place where the parser could not go on, and what was found out about it."""

from __future__ import annotations

from rulewright.diagnostics import Diagnostic
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.syntax.lalr.machine import Machine
from rulewright.syntax.lexer.logical_lines import Line
from rulewright.syntax.lexer.token import Token


@dataclass(slots=True)
class SyntaxFailure:
    """The place where the parser could not go on."""

    machine: Machine
    lines: list[Line]
    index: int
    """Of the line; the number of lines at the end of the declaration."""
    position: int
    """Of the token in the line; -1 in what frames it; the number of tokens at the end of the line."""
    stack: list[int]
    """The states of the parser where the line begins."""
    before: list[str]
    """The tokens that frame the line: _INDENT and _DEDENT."""

    def machine_before_line(self) -> tuple[list[int], str | None]:
        """The states before the first token, and the framing token that does not fit, if one does not."""
        stack = list(self.stack)
        for name in self.before:
            before = list(stack)
            if not self.machine.step(stack, name):
                return before, name
        return stack, None

    def stack_at(self, position: int) -> list[int]:
        """The states before a token of the line (which must fit so far)."""
        stack, _ = self.machine_before_line()
        for token in self.lines[self.index].tokens[:position]:
            self.machine.step(stack, token.type)
        return stack

    def fits(self, types: list[str]) -> bool:
        """True if the line, if it consisted of these tokens, would fit, with a block below it if there is one."""
        return self.progress(types) > len(types)

    def progress(self, types: list[str]) -> int:
        """The number of these tokens that fit; more than there are if the line as a whole does."""
        stack, _ = self.machine_before_line()
        for count, name in enumerate([*types, "_NL"]):
            if not self.machine.step(stack, name):
                return count
        following = self.lines[self.index + 1] if self.index + 1 < len(self.lines) else None
        if following is not None and following.indent > self.lines[self.index].indent:
            return len(types) + self.machine.run(stack, ["_INDENT"])
        return len(types) + (self.machine.accepts(stack) != {"_INDENT"})


@dataclass(slots=True)
class LineFit:
    """The error of a line, and the way to go on."""

    diagnostic: Diagnostic
    line: int
    tokens: list[Token] | None = None
    """The tokens of the line as they were probably meant."""
    blockless: bool = False
    """A head without its block: what follows may have been meant as one."""
    word: str = ""
    """A reserved word that was used as a name, here and perhaps in other lines."""
