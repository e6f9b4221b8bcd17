"""The grammar, read by lark and made into tables of texts and numbers.

lark reads the grammar, finds its conflicts and makes its tables. The loops that run them are our own
(:mod:`rulewright.syntax.lexer.tokens`, :mod:`rulewright.syntax.lalr.machine`): they do only what this language needs.
This module is imported only if the tables are not stored, because importing lark takes longer than reading a small
ruleset.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from lark import Lark, Token
from lark.grammar import Rule
from lark.lark import PostLex
from lark.lexer import BasicLexer, PatternStr, TerminalDef, UnlessCallback
from lark.parse_tree_builder import maybe_create_child_filter
from lark.parsers.lalr_analysis import Shift

_BLANKS = " +"
_PHRASE = re.compile(r"((?:[a-z]+\??(?: \+)?)+)(?:\\b|\(\?[=!]).*")
"""The pattern of a terminal of fixed words, followed by a condition on the text after them."""


class _Untouched(PostLex):
    """Keeps the tokens that no rule mentions: trivia, and those that are always wrong."""

    def __init__(self, unused: tuple[str, ...]) -> None:
        self.always_accept = unused

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        return stream


def make_lark(grammar: str, starts: tuple[str, ...], unused: tuple[str, ...] = (), *, strict: bool = False) -> Lark:
    """A parser made by lark. Texts are read from the rules `starts`; `unused` are terminals that no rule mentions;
    `strict` refuses a grammar with conflicts or colliding tokens."""
    return Lark(
        grammar,
        parser="lalr",
        lexer="basic",
        propagate_positions=True,
        maybe_placeholders=True,
        start=list(starts),
        postlex=_Untouched(unused),
        strict=strict,
    )


def make_tables(grammar: str, starts: tuple[str, ...], unused: tuple[str, ...] = ()) -> dict[str, Any]:
    """The contents of :class:`rulewright.syntax.tables.parse_tables.ParseTables`, in a form for JSON."""
    lark = make_lark(grammar, starts, unused)
    return {"words": _words(lark.terminals), "scanner": _scanner(lark), **_actions(lark, starts)}


def _words(terminals: Iterable[TerminalDef]) -> dict[str, str]:
    """The text of each terminal that always looks the same."""
    words = {}
    for terminal in terminals:
        if isinstance(terminal.pattern, PatternStr):
            words[terminal.name] = str(terminal.pattern.value)
        elif " " in (text := next(iter(_phrases(terminal)), "")):
            words[terminal.name] = text
    return words


def _phrases(terminal: TerminalDef) -> list[str]:
    """The texts that a terminal of fixed words stands for, with single blanks; none if it is no such terminal.

    ``is +an?(?= +[A-Z])`` stands for `is a` and `is an`.
    """
    found = _PHRASE.fullmatch(terminal.pattern.to_regexp())
    if found is None:
        return []
    body = found[1].replace(_BLANKS, " ")
    return sorted({body.replace("?", ""), re.sub(r".\?", "", body)})


# ------------------------------------------------------------------------------------------------- the scanner


def _scanner(lark: Lark) -> dict[str, Any]:
    """One pattern for all terminals, in the order in which lark tries them, and the types of its groups.

    Signs that stand side by side in this order share a group, and so do phrases: their text gives the type. With
    fewer groups, and signs and words that begin the alternatives, the pattern is several times faster.
    """
    lexer = BasicLexer(lark.lexer_conf)
    terminals = [t for t in lexer.scanner.terminals if t.name not in lexer.ignore_types and t.name != "NEWLINE"]
    ignored = [t.pattern.to_regexp() for t in lark.terminals if t.name in lexer.ignore_types]
    assert ignored == [_BLANKS], "only blanks between tokens are passed over"
    types: list[str | None] = []
    texts: dict[str, str] = {}
    alternatives = []
    for group, some in groupby(terminals, _group):
        run = list(some)
        alternatives.append("|".join(t.pattern.to_regexp() for t in run))
        types.append(group)
        for terminal in run if group is None else ():
            for text in _phrases(terminal) or [terminal.pattern.value]:
                assert text not in texts, "its text must tell the type of a token"
                texts[text] = terminal.name
    # Without the end as the last alternative, blanks at the end of a line would be tried one by one.
    pattern = " *+(?:" + "|".join(f"({each})" for each in alternatives) + r"|\Z)"
    assert re.compile(pattern).groups == len(types), "a terminal has groups of its own"
    reserved = {}
    for name, unless in lexer.callback.items():
        assert isinstance(unless, UnlessCallback)
        reserved[name] = {t.pattern.value: t.name for t in unless.scanner.terminals}
    return {"pattern": pattern, "types": types, "texts": texts, "reserved": reserved}


def _group(terminal: TerminalDef) -> str | None:
    """The type of a group of the pattern; None: the group is shared, and the text of a token gives its type."""
    return None if isinstance(terminal.pattern, PatternStr) or _phrases(terminal) else terminal.name


# ------------------------------------------------------------------------------------------------- the parser


def _actions(lark: Lark, starts: tuple[str, ...]) -> dict[str, Any]:
    """The rules, and the action of each state for each symbol.

    An action is a number: 1 + n goes to the state n, and -1 - n reduces by the rule n.
    """
    table: Any = lark.parse_interactive(start=starts[0]).parser_state.parse_conf.parse_table
    states = list(table.states)
    symbols = sorted({str(symbol) for row in table.states.values() for symbol in row})
    number = {symbol: n for n, symbol in enumerate(symbols)}
    state_number = {state: n for n, state in enumerate(states)}
    rule_number = {rule: n for n, rule in enumerate(lark.rules)}

    def code(action: Any, argument: Any) -> int:
        return 1 + state_number[argument] if action is Shift else -1 - rule_number[argument]

    rows = []
    for state in states:
        row = sorted((number[symbol], code(*action)) for symbol, action in table.states[state].items())
        rows.append([value for pair in row for value in pair])
    return {
        "symbols": symbols,
        "rows": rows,
        "rules": [_rule(rule) for rule in lark.rules],
        "starts": {name: [state_number[table.start_states[name]], state_number[table.end_states[name]]]
                   for name in starts},
    }  # fmt: skip


def _rule(rule: Rule) -> list[Any]:
    """The values from which :class:`rulewright.syntax.tables.parse_tables.Rule` is made."""
    options = rule.options
    made: Any = maybe_create_child_filter(rule.expansion, options.keep_all_tokens, False, list(options.empty_indices))
    if made is None:
        kept, behind = [[n, False, 0] for n in range(len(rule.expansion))], 0
    else:
        chosen, *rest = made.args
        kept, behind = [[n, inlined, nones[0] if nones else 0] for n, inlined, *nones in chosen], sum(rest)
    origin = str(rule.origin.name)
    single = options.expand1 and not rule.alias
    return [origin, len(rule.expansion), rule.alias or origin, origin.startswith("_"), single, kept, behind]
