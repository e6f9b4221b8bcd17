"""Explanations of words: of the language, of names, and of citations. Markdown, for editors."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.data.rulebook import Ruling
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Span
from rulewright.navigation.clause_text import head_of, lines_of_clause
from rulewright.navigation.language_page import JOINING, about_builtin, about_word
from rulewright.navigation.markdown import code, code_block, prose
from rulewright.navigation.overlay_changes import changes_of, values_for_counts
from rulewright.navigation.symbol_index import SymbolIndex
from rulewright.navigation.symbols import Declaration, Symbol
from rulewright.navigation.type_inference import TypeInference
from rulewright.syntax import ast, print_type
from rulewright.syntax.lexer.tokens import Token
from rulewright.syntax.parser.expectations import FORMS

MOST_PLACES = 8
"""Places that an explanation lists."""


def explain_word(token: Token, clause: Sequence[Token] = (), position: int = 0) -> str:
    """The form of the construct that a word of the language begins, and what its page says about it; nothing for other
    words. `clause` are the words and signs among which it stands, at this position."""
    called = [each.type for each in clause[position + 1 : position + 2]] == ["LPAR"]
    if called and (about := about_builtin(token.value)):
        return about
    form = FORMS.get("FINISH" if token.value.startswith("finish") else token.type)
    begins = position == 0 or token.value not in JOINING
    parts = [code_block(*form.split(" — or: "))] if form is not None and begins else []
    return "\n\n".join(filter(None, [*parts, about_word(token.type, [each.type for each in clause])]))


def explain_symbol(index: SymbolIndex, symbol: Symbol) -> str:
    """The declaration of something, with its comments and what it cites."""
    if symbol.kind == "statement":
        return explain_statement(index, symbol.name)
    places = index.declarations.get(symbol, ())
    if not places:
        return ""
    first = places[0]
    parts = [code_block(*lines_of_clause(index, first.head))]
    if symbol.kind not in ("declaration", "variant", "scenario"):
        holder = symbol.owner if symbol.kind in ("label", "value", "attribute") else ""
        parts.append(f"{first.word} of {code(holder)}" if holder else first.word)
    parts += _type(index, first)
    parts += ["\n".join(map(prose, first.comments))] if first.comments else []
    parts += _for_counts(index, first)
    statements = index.ruleset.statements
    parts += [f"{code(f'@{id}')} {prose(statements[id].statement)}" for id in first.cites if id in statements]
    if symbol.kind == "declaration":
        parts += [f"changed by {prose(one.by)} ({_place(one.span)})" for one in changes_of(index, symbol.name)]
    if len(places) > 1:
        parts.append("also declared: " + ", ".join(_place(one.name) for one in places[1:MOST_PLACES]))
    return "\n\n".join(parts)


def _type(index: SymbolIndex, one: Declaration) -> list[str]:
    """The type of something whose declaration does not say it."""
    if one.symbol.kind not in ("local", "label", "declaration") or one.word in ("zone", "field", "area"):
        return []
    type = TypeInference(index).of_symbol(one.symbol)
    text = print_type(type) if type is not None else ""
    head = head_of(index, one)
    said = f": {text}" in head or f"-> {text}" in head or one.symbol.name == text
    return [f"type {code(text)}"] if text and not said else []


def _for_counts(index: SymbolIndex, one: Declaration) -> list[str]:
    """The value of a parameter for each number of players, where that differs."""
    values = values_for_counts(index, one.node) if isinstance(one.node, ast.Parameter) else {}
    return ["\n".join(f"- {count} players: {code(value)}" for count, value in values.items())] if values else []


def explain_statement(index: SymbolIndex, id: str) -> str:
    """A statement of the rulebook in its own words, the rulings on it, and who cites it."""
    statement = index.ruleset.statements.get(id)
    parts: list[str] = []
    if statement is not None:
        parts.append(f"**{prose(id)}** · {prose(statement.section)} · {prose(statement.kind)}")
        parts.append(prose(statement.statement))
        parts += [f"does not apply: {prose(statement.reason)}"] if not statement.applies else []
    parts += [
        f"**Ruling {prose(r.id)}**: {prose(r.question)}\n\n{prose(r.ruling)}" for r in _rulings(index.ruleset, id)
    ]
    if not parts:
        return ""
    rules, examples = citing(index, id)
    parts.append(count_of(rules, examples))
    listed = [f"- {code(one.symbol.name)} ({one.word}, {_place(one.name)})" for one in (*rules, *examples)]
    parts += ["\n".join(listed[:MOST_PLACES])] if listed else []
    return "\n\n".join(parts)


def citing(index: SymbolIndex, id: str) -> tuple[list[Declaration], list[Declaration]]:
    """The rules and the scenarios that cite a statement."""
    holders = [index.enclosing_declaration(span) for span in index.references(Symbol("statement", id))]
    found = list(dict.fromkeys(one for one in holders if one is not None))
    examples = [one for one in found if one.symbol.kind == "scenario"]
    return [one for one in found if one not in examples], examples


def count_of(rules: list[Declaration], examples: list[Declaration]) -> str:
    """``3 rules and 1 scenario cite this``."""
    sides = [_many(len(rules), "rule"), _many(len(examples), "scenario")]
    one = len(rules) + len(examples) == 1
    return f"{' and '.join(sides)} {'cites' if one else 'cite'} this"


def _many(count: int, word: str) -> str:
    return f"{count or 'no'} {word}{'' if count == 1 else 's'}"


def _rulings(ruleset: Ruleset, id: str) -> list[Ruling]:
    """The rulings that have an id, or cite the statement with it."""
    rulings = ruleset.rulings
    return [r for r in rulings if id == r.id or id in r.cites] if rulings is not None else []


def _place(span: Span) -> str:
    return code(f"{span.file}:{span.line}")


__all__ = ["citing", "count_of", "explain_statement", "explain_symbol", "explain_word"]
