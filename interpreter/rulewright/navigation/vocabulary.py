"""The words of the language and what each of them is for, as the grammar has it: what editors colour."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from lark import Lark
from lark.grammar import Rule

from rulewright.foundation.reachability import reachable
from rulewright.syntax.lexer.tokens import scenario_words
from rulewright.syntax.tables.grammar import make_lark
from rulewright.syntax.tables.parse_tables import (
    ALWAYS_WRONG,
    CONTEXTUAL,
    EXPRESSION,
    START,
    TRIVIA,
    grammar_text,
    words,
)

_NAMED = {"NAME", "TYPE", "INT", "STRING", *TRIVIA, *ALWAYS_WRONG}
"""Terminals that stand for many texts."""
_ENDS = {"_NL", "_INDENT", "_DEDENT"}
_DECLARATION = "decl"


class Role(StrEnum):
    """The purpose of a word."""

    DECLARATION = "declaration"
    """A word that begins a declaration."""
    PREFIX = "prefix"
    """A word before a declaration in a variant."""
    CLAUSE = "clause"
    """A word that begins any other clause."""
    SCENARIO = "scenario"
    """A word that begins a line of a scenario, and is a name anywhere else."""
    FUNCTION = "function"
    """A word followed by brackets."""
    CONSTANT = "constant"
    OPERATOR = "operator"
    PARTICLE = "particle"
    """A word inside a clause that joins its parts."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word, or several that belong together."""

    text: str
    """With single blanks."""
    pattern: str
    """The regular expression of all its forms; the conditions on what follows are in it."""
    roles: frozenset[Role]
    contextual: bool = False
    """True if the word is a name wherever else a name can stand."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All that a rules file consists of."""

    words: tuple[Word, ...]
    signs: tuple[str, ...]
    patterns: dict[str, str]
    """The regular expressions of names, types, numbers, strings, citations and comments, by their terminals."""

    def having(self, role: Role) -> list[Word]:
        """The words with a role, longer ones first."""
        return [word for word in self.words if role in word.roles]


@cache
def vocabulary() -> Vocabulary:
    """The vocabulary of the one grammar."""
    lark = make_lark(grammar_text(), (START, EXPRESSION), (*TRIVIA, *ALWAYS_WRONG))
    roles = _Roles(lark)
    scenario = scenario_words()
    texts = words() | {name: word for word, name in scenario.items()}
    found, signs, patterns = [], [], {}
    for terminal in lark.terminals:
        pattern = terminal.pattern.to_regexp()
        text = texts.get(terminal.name, "")
        if terminal.name in _NAMED:
            patterns[terminal.name] = pattern
        elif text in scenario:
            found.append(Word(text, pattern, frozenset({Role.SCENARIO})))
        elif text[:1].isalpha():
            found.append(Word(text, pattern, frozenset(roles.of(terminal.name)), terminal.name in CONTEXTUAL))
        elif text:
            signs.append(text)
    found.sort(key=lambda word: (-len(word.text), word.text))
    return Vocabulary(tuple(found), tuple(sorted(signs, key=lambda sign: (-len(sign), sign))), patterns)


class _Roles:
    """The roles of terminals, found in the rules of the grammar."""

    def __init__(self, lark: Lark) -> None:
        self._rules: dict[str, list[Rule]] = {}
        for rule in lark.rules:
            self._rules.setdefault(str(rule.origin.name), []).append(rule)
        self._levels = self._levels_of("expr")
        self._long = self._with_line_ends()
        functions = {name for rule in lark.rules for name in self._before_brackets(rule)}
        primary = self._levels_of("postfix")
        alone = {name for level in primary for name, rule in self._single(level) if rule.alias != "name"}
        operators = {name for level in self._levels - primary for name in self._inside(level)}
        heads = {name for rule in lark.rules if self._is_clause(rule) for name in self._first(rule)}
        declarations = {name for rule in self._rules[_DECLARATION] for name in self._first(rule)}
        self._found = {
            Role.DECLARATION: declarations,
            Role.PREFIX: {name for rule in lark.rules if self._is_prefixed(rule) for name in self._first(rule)},
            Role.CLAUSE: heads - declarations,
            Role.FUNCTION: functions,
            Role.CONSTANT: alone - functions,
            Role.OPERATOR: operators - functions - alone,
        }
        self._found[Role.PARTICLE] = (heads & self._joining(heads)) - declarations - operators

    def of(self, name: str) -> set[Role]:
        """The roles of a terminal that is a word."""
        return {role for role, names in self._found.items() if name in names} or {Role.PARTICLE}

    def _levels_of(self, top: str) -> set[str]:
        """The rules that expressions go through, from the loosest operator to what stands alone."""

        def units(level: str) -> list[str]:
            alone = [rule.expansion[0] for rule in self._rules[level] if len(rule.expansion) == 1 and not rule.alias]
            return [str(symbol.name) for symbol in alone if not symbol.is_term]

        return set(reachable((top,), units))

    def _single(self, origin: str) -> Iterator[tuple[str, Rule]]:
        """The terminals that make a tree alone."""
        for rule in self._rules[origin]:
            if len(rule.expansion) == 1 and rule.expansion[0].is_term:
                yield str(rule.expansion[0].name), rule

    def _before_brackets(self, rule: Rule) -> Iterator[str]:
        for symbol, after in zip(rule.expansion, rule.expansion[1:], strict=False):
            if after.name == "LPAR" and symbol.is_term:
                yield str(symbol.name)
            elif after.name == "LPAR" and symbol.name not in self._levels:
                yield from (name for name, _ in self._single(str(symbol.name)))

    def _inside(self, origin: str) -> Iterator[str]:
        yield from (str(s.name) for rule in self._rules[origin] for s in rule.expansion if s.is_term)

    def _is_clause(self, rule: Rule) -> bool:
        return any(symbol.name in self._long for symbol in rule.expansion[1:])

    def _with_line_ends(self) -> set[str]:
        """The symbols that contain the end of a line."""
        found, before = set(_ENDS), 0
        while len(found) > before:
            before = len(found)
            found |= {
                name for name, rules in self._rules.items() for r in rules for s in r.expansion if s.name in found
            }
        return found

    def _joining(self, heads: set[str]) -> set[str]:
        """The terminals that stand somewhere between two parts of a clause, and nowhere before another clause."""
        joining, leading = set[str](), set[str]()
        for rule in (rule for name, held in self._rules.items() if name not in self._levels for rule in held):
            for symbol, after in zip(rule.expansion[1:], rule.expansion[2:], strict=False):
                if symbol.is_term:
                    ends = after.name in self._long or not heads.isdisjoint(self._beginning(str(after.name)))
                    (leading if ends else joining).add(str(symbol.name))
        return joining - leading

    def _is_prefixed(self, rule: Rule) -> bool:
        names = [symbol.name for symbol in rule.expansion]
        return names[1:] == [_DECLARATION] and rule.expansion[0].is_term

    def _first(self, rule: Rule) -> set[str]:
        """The terminals that a rule may begin with, but for those of an expression."""
        return self._first_of([rule])

    def _beginning(self, name: str) -> set[str]:
        """The beginnings of what a symbol stands for."""
        return set() if name in self._levels else self._first_of(self._rules.get(name, []))

    def _first_of(self, rules: list[Rule]) -> set[str]:

        def begun_by(rule: Rule) -> list[Rule]:
            first = rule.expansion[0]
            return [] if first.is_term or first.name in self._levels else self._rules[str(first.name)]

        first = (rule.expansion[0] for rule in reachable(rules, begun_by))
        return {str(symbol.name) for symbol in first if symbol.is_term}
