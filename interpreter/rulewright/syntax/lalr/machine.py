"""The LALR machine: a stack of states, and the tables that say what each token does to it.

Most reductions only take one thing for another: an operand for a sum, a sum for a condition. They do nothing to a tree,
so each chain of them is followed once and remembered. A tree gets its first and last token when it is made, so its
position is never derived from its children.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeVar

from rulewright.syntax.lexer.logical_lines import Line
from rulewright.syntax.lexer.tokens import Token
from rulewright.syntax.tables.parse_tables import CONTEXTUAL, START, Kept, ParseTables, Rule, tables

Leaf = TypeVar("Leaf")


class Tree(Generic[Leaf]):
    """A construct. Its children are constructs, leaves, and None for optional symbols that were left out."""

    __slots__ = ("children", "data", "first", "last")

    def __init__(self, data: str, children: list[Tree[Leaf] | Leaf | None], first: Token, last: Token) -> None:
        self.data = data
        """The name of the rule, or of its alternative."""
        self.children = children
        self.first = first
        """The first token, which need not be among the children."""
        self.last = last

    def __repr__(self) -> str:
        return f"Tree({self.data!r}, {self.children!r})"


END = "$END"
"""The type of the token after the last one."""


class Machine:
    """Runs the tables of one start rule over tokens, with trees or without."""

    def __init__(self, tables: ParseTables, start: str) -> None:
        self._rows = tables.rows
        self._rules = tables.rules
        self._steps = tuple(_step(rule) for rule in tables.rules)
        first, self._last = tables.starts[start]
        self.first = [first]
        """The stack before the first token."""
        self._behind: dict[tuple[int, str, str], tuple[int, int]] = {}

    # ------------------------------------------------------------------ with trees

    def parse(self, tokens: Sequence[Token]) -> Tree[Token] | None:
        """The tree of these tokens, the last of which is the end; None if they do not fit the grammar."""
        rows, steps, known = self._rows, self._steps, self._behind
        (state,) = self.first
        states = [state]
        values: list[Any] = []  # trees, tokens, and the lists of children of inlined rules
        begins: list[Token] = []  # the first token of each of them, including brackets
        previous = tokens[0]
        for token in tokens:
            type = token.type
            action = rows[state].get(type, 0)
            while action < 0:
                size, origin, name, kept, left_out, inlined, single, unit = steps[~action]
                base = len(values) - size
                if not unit:
                    children: list[Any]
                    if kept is None:
                        children = values[base:]
                    else:
                        children = []
                        for index, of_inlined, absent in kept:
                            if absent:
                                children += [None] * absent
                            if not of_inlined:
                                children.append(values[base + index])
                            elif children:
                                children += values[base + index]
                            else:  # nothing else refers to this list, so it is extended and not copied
                                children = values[base + index]
                        if left_out:
                            children += [None] * left_out
                    if size:
                        del values[base:], begins[base + 1 :], states[base + 1 :]
                    else:
                        begins.append(token)
                    if inlined:
                        values.append(children)
                    elif single and len(children) == 1:
                        values.append(children[0])
                    else:
                        values.append(Tree(name, children, begins[base], previous))
                else:
                    del states[-1]
                place = (states[base], origin, type)
                state, action = known.get(place) or self._go(place)
                states.append(state)
            if not action:
                break
            state = action - 1
            states.append(state)
            values.append(token)
            begins.append(token)
            previous = token
        return values[0] if state == self._last else None

    def _go(self, place: tuple[int, str, str]) -> tuple[int, int]:
        """The state after a symbol is pushed on a state, and the action there for the next token."""
        below, origin, type = place
        state = self._rows[below][origin] - 1
        action = self._rows[state].get(type, 0)
        while action < 0 and self._rules[~action].is_unit:
            state = self._rows[below][self._rules[~action].origin] - 1
            action = self._rows[state].get(type, 0)
        self._behind[place] = state, action
        return state, action

    # ------------------------------------------------------------------ without trees

    def step(self, stack: list[int], type: str) -> bool:
        """Take one token, changing `stack`; False (and a stack of no use) if it does not fit."""
        action = self._rows[stack[-1]].get(type, 0)
        while action < 0:
            rule = self._rules[~action]
            if rule.size:
                del stack[-rule.size :]
            place = (stack[-1], rule.origin, type)
            state, action = self._behind.get(place) or self._go(place)
            stack.append(state)
        if action:
            stack.append(action - 1)
            return True
        return type == END and stack[-1] == self._last

    def run(self, stack: list[int], types: list[str]) -> bool:
        """True if all these fit, one after the other; `stack` stays as it is."""
        trial = list(stack)
        return all(self.step(trial, type) for type in types)

    def accepts(self, stack: list[int]) -> set[str]:
        """All tokens that fit next."""
        return {name for name in self._rows[stack[-1]] if name.isupper() and self.run(stack, [name])}


_Step = tuple[int, str, str, tuple[Kept, ...] | None, int, bool, bool, bool]
"""The action of a rule: its size, origin, name of the tree, kept symbols (None: all, as they are), and so on, as
:class:`Rule` has them; and whether it does nothing to a tree."""


def _step(rule: Rule) -> _Step:
    everything = tuple(Kept(index, False, 0) for index in range(rule.size))
    kept = None if rule.kept == everything and not rule.left_out else rule.kept
    return rule.size, rule.origin, rule.name, kept, rule.left_out, rule.inlined, rule.single, rule.is_unit


@lru_cache(maxsize=2)
def machine(start: str = START) -> Machine:
    """The machine for declarations or for expressions."""
    return Machine(tables(), start)


MOST = 64
"""So many readings of the beginning of a line are followed at most."""


def frames(lines: list[Line]) -> Iterator[tuple[list[str], Line]]:
    """Each line with the _INDENT and _DEDENT tokens before it."""
    levels = [0]
    for line in lines:
        before = []
        if line.indent > levels[-1]:
            levels.append(line.indent)
            before.append("_INDENT")
        while line.indent < levels[-1]:
            levels.pop()
            before.append("_DEDENT")
        yield before, line


def read_as_names(lines: list[Line], *, partial: bool = False) -> bool:
    """Make names of the words of a declaration that can only be names; True if there are any.

    `partial`: the last line is being written, so it need not be whole.
    """
    if not any(t.type in CONTEXTUAL for line in lines for t in line.tokens):
        return False
    states, changed = machine(), False
    stack = list(states.first)
    for before, line in frames(lines):
        framed = list(stack)
        if not all(states.step(framed, name) for name in before):
            return changed
        end = [] if partial and line is lines[-1] else ["_NL"]
        fitting = list(framed)
        if all(states.step(fitting, name) for name in [*(t.type for t in line.tokens), *end]):
            stack = fitting
            continue
        tokens = names_in(states, framed, line.tokens, end)
        stack = framed
        if tokens is not None:
            changed, line.tokens = True, tokens
            for name in [*(t.type for t in tokens), *end]:
                states.step(stack, name)
    return changed


def names_in(states: Machine, stack: list[int], tokens: list[Token], end: list[str]) -> list[Token] | None:
    """The tokens, some of them as names, so that they and the end fit; None if they cannot.

    Of two readings the one is taken in which the first word that differs is one of the language.
    """
    if (end == ["_NL"] and len(tokens) == 1) or not any(t.type in CONTEXTUAL for t in tokens):
        return None
    readings: list[tuple[tuple[int, ...], int]] = [(tuple(stack), 0)]
    for number, token in enumerate(tokens):
        types = (token.type, "NAME") if token.type in CONTEXTUAL else (token.type,)
        found: dict[tuple[int, ...], int] = {}
        for states_so_far, names in readings:
            for type in types:
                trial = list(states_so_far)
                if states.step(trial, type):  # of two ways to one place the first counts
                    found.setdefault(tuple(trial), names | (type != token.type) << number)
        readings = list(found.items())[:MOST]
    for states_so_far, names in readings:
        if states.run(list(states_so_far), end):
            return [t.like("NAME", t.value) if names >> n & 1 else t for n, t in enumerate(tokens)]
    return None
