"""Call hierarchy: who calls a procedure, and what it calls."""

from __future__ import annotations

from rulewright.diagnostics import Span
from rulewright.navigation.file_symbols import FileSymbols
from rulewright.navigation.symbol_index import SymbolIndex
from rulewright.navigation.symbols import Declaration, Symbol
from rulewright.syntax.lexer.logical_lines import span_of
from rulewright.syntax.lexer.tokens import Token

CALLABLE = frozenset({"procedure", "effect", "query", "measure", "value", "limits"})
"""Declarations that are called."""

_MENTIONS = frozenset({"AFTER", "BEFORE", "DURING", "INSTEAD_OF", "LASTING", "EACH"})
"""The words behind which something is named, but not called."""

Calls = list[tuple[Declaration, list[Span]]]
"""Declarations at the other end of calls, each with the places of the calls."""


def callable_at(index: SymbolIndex, symbols: tuple[Symbol, ...]) -> list[Declaration]:
    """The declarations among some symbols that are called."""
    places = (one for symbol in symbols for one in index.declarations.get(symbol, ()))
    return [one for one in places if one.symbol.kind == "declaration" and one.word in CALLABLE]


def incoming_calls(index: SymbolIndex, called: Declaration) -> Calls:
    """The declarations, variants and scenarios that call one, in the order of the files."""
    found: dict[Declaration, list[Span]] = {}
    names = set(index.names_of(called.symbol))
    for file, token, _ in index.occurrences(called.symbol):
        span = span_of(token, file.path)
        caller = index.enclosing_declaration(span)
        if caller is not None and span not in names and _is_call(file, token):
            found.setdefault(caller, []).append(span)
    return list(found.items())


def outgoing_calls(index: SymbolIndex, caller: Declaration) -> Calls:
    """All that a declaration calls, in the order of the first calls."""
    file = next(f for f in index.files.values() if f.path == caller.name.file)
    found: dict[Declaration, list[Span]] = {}
    for token in file.words.within(caller.whole):
        if token.type != "NAME" or span_of(token, file.path) == caller.name or not _is_call(file, token):
            continue
        for called in callable_at(index, index.resolve(file, token))[:1]:
            found.setdefault(called, []).append(span_of(token, file.path))
    return list(found.items())


def _is_call(file: FileSymbols, token: Token) -> bool:
    """False where a name only says which moment or label is meant."""
    clause, at = file.words.clause(token)
    if at and clause[at - 1].type in _MENTIONS:
        return False
    return not file.in_path(token.line, token.column)
