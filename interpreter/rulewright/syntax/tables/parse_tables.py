"""The grammar, made into tables once: the raw lexer, the LALR parser, and the words of the language."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from lark import Lark, Token
from lark.lark import PostLex
from lark.lexer import PatternStr

from rulewright.resources import share
from rulewright.syntax.tables.stored_tables import stored

START = "start"
EXPRESSION = "expression"

TRIVIA = ("CITE", "COMMENT", "NEWLINE")
"""Tokens that never reach the parser."""
ALWAYS_WRONG = ("TAB", "SAME", "DIFFERENT", "MISCASED", "MALFORMED", "UNTERMINATED", "STRANGE")
"""Tokens that exist for the sake of a message."""

_OPTIONS: dict[str, Any] = {
    "parser": "lalr",
    "lexer": "basic",
    "propagate_positions": True,
    "maybe_placeholders": True,
    "start": [START, EXPRESSION],
}


class _Untouched(PostLex):
    """Keeps the tokens that no rule mentions; the lines are read in :mod:`rulewright.syntax.lexer.logical_lines`."""

    always_accept = (*TRIVIA, *ALWAYS_WRONG)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        return stream


def grammar_text() -> str:
    """The text of ``grammar/rules.lark``."""
    return (share("grammar") / "rules.lark").read_text(encoding="utf-8")


def make_lark(*, strict: bool = False) -> Lark:
    """A fresh parser; `strict` refuses a grammar with conflicts or colliding tokens."""
    return Lark(grammar_text(), **_OPTIONS, postlex=_Untouched(), strict=strict)


@lru_cache(maxsize=1)
def lark() -> Lark:
    """The one parser of this process."""
    return stored(make_lark, f"{_OPTIONS}\n{grammar_text()}", postlex=_Untouched())


def raw_tokens(text: str) -> Iterator[Token]:
    """All tokens of a text, trivia and what is always wrong included. Any text can be cut into tokens."""
    lexer: Any = lark().parse_interactive(text, start=START).lexer_thread
    tokens: Iterator[Token] = lexer.lex(None)
    return tokens


@lru_cache(maxsize=1)
def words() -> dict[str, str]:
    """The text of each token that always looks the same: ``FORBID`` -> ``forbid``, ``COLON`` -> ``:``."""
    fixed = {}
    for terminal in lark().terminals:
        if isinstance(terminal.pattern, PatternStr):
            fixed[terminal.name] = str(terminal.pattern.value)
        elif " +" in terminal.pattern.value and terminal.name not in ("IS_A", "IS_NOT_A"):
            fixed[terminal.name] = terminal.pattern.value.split(r"\b")[0].replace(" +", " ")
    fixed["IS_A"], fixed["IS_NOT_A"] = "is a", "is not a"
    return fixed


@lru_cache(maxsize=1)
def keywords() -> dict[str, str]:
    """The reserved words and their tokens: ``forbid`` -> ``FORBID``."""
    return {word: name for name, word in sorted(words().items()) if word.isalpha()}


class Machine:
    """The states of the parser without its values: tells what could follow, cheaply and without side effects."""

    def __init__(self, start: str = START) -> None:
        state: Any = lark().parse_interactive(start=start).parser_state
        self.states: dict[int, dict[str, tuple[Any, Any]]] = state.parse_conf.parse_table.states
        self.first: list[int] = list(state.state_stack)
        self.last: int = state.parse_conf.end_state

    def step(self, stack: list[int], terminal: str) -> bool:
        """Take one token, changing `stack`; False (and a stack of no use) if it does not fit."""
        while True:
            if terminal == "$END" and stack[-1] == self.last:
                return True
            found = self.states[stack[-1]].get(terminal)
            if found is None:
                return False
            action, to = found
            if action.name == "Shift":
                stack.append(to)
                return True
            size = len(to.expansion)
            if size:
                del stack[-size:]
            stack.append(self.states[stack[-1]][to.origin.name][1])

    def run(self, stack: list[int], terminals: list[str]) -> bool:
        """True if all these fit, one after the other; `stack` stays as it is."""
        trial = list(stack)
        return all(self.step(trial, terminal) for terminal in terminals)

    def accepts(self, stack: list[int]) -> set[str]:
        """All tokens that fit next."""
        return {name for name in self.states[stack[-1]] if name.isupper() and self.run(stack, [name])}


@lru_cache(maxsize=2)
def machine(start: str = START) -> Machine:
    """The machine for whole files or for expressions."""
    return Machine(start)
