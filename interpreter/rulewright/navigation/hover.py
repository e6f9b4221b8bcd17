"""Explanations of words: of the language, of names, and of citations. Markdown, for editors."""

from __future__ import annotations

from rulewright.characters import printable
from rulewright.data.rulebook import Ruling
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Span
from rulewright.navigation.symbol_index import SymbolIndex
from rulewright.navigation.symbols import Declaration, Symbol
from rulewright.syntax.lexer.token import Token
from rulewright.syntax.parser.expectations import FORMS

MOST_PLACES = 8
"""Places that an explanation lists."""


def explain_word(token: Token) -> str:
    """The form of the construct that a word of the language begins; nothing for other words."""
    form = FORMS.get("FINISH" if token.value.startswith("finish") else token.type)
    return _code(*form.split(" — or: ")) if form is not None else ""


def explain_symbol(index: SymbolIndex, symbol: Symbol) -> str:
    """The declaration of something, with its comments and what it cites."""
    if symbol.kind == "statement":
        return explain_statement(index, symbol.name)
    places = index.declarations.get(symbol, ())
    if not places:
        return ""
    first = places[0]
    parts = [_code(*_lines(index, first.head))]
    if symbol.kind not in ("declaration", "variant", "scenario"):
        holder = symbol.owner if symbol.kind in ("label", "value", "attribute") else ""
        parts.append(f"{first.word} of `{holder}`" if holder else first.word)
    parts += ["\n".join(map(printable, first.comments))] if first.comments else []
    statements = index.ruleset.statements
    parts += [f"`@{id}` {printable(statements[id].statement)}" for id in first.cites if id in statements]
    if len(places) > 1:
        parts.append("also declared: " + ", ".join(_place(one.name) for one in places[1:MOST_PLACES]))
    return "\n\n".join(parts)


def _lines(index: SymbolIndex, span: Span) -> list[str]:
    """The lines of a clause, without what they cite."""
    file = next((f for f in index.files.values() if f.path == span.file), None)
    if file is None:
        return []
    lines = file.text.split("\n")[span.line - 1 : span.end_line]
    lines[-1:] = [lines[-1][: span.end_column - 1]] if lines else []
    return [line.strip() if n == 0 else f"    {line.strip()}" for n, line in enumerate(lines)]


def head_of(index: SymbolIndex, one: Declaration) -> str:
    """The first line of a declaration."""
    return printable(next(iter(_lines(index, one.head)), ""))


def explain_statement(index: SymbolIndex, id: str) -> str:
    """A statement of the rulebook in its own words, the rulings on it, and who cites it."""
    statement = index.ruleset.statements.get(id)
    parts: list[str] = []
    if statement is not None:
        parts.append(f"**{id}** · {printable(statement.section)} · {printable(statement.kind)}")
        parts.append(printable(statement.statement))
        parts += [f"does not apply: {printable(statement.reason)}"] if not statement.applies else []
    parts += [
        f"**Ruling {r.id}**: {printable(r.question)}\n\n{printable(r.ruling)}" for r in _rulings(index.ruleset, id)
    ]
    if not parts:
        return ""
    rules, examples = citing(index, id)
    parts.append(count_of(rules, examples))
    listed = [f"- `{printable(one.symbol.name)}` ({one.word}, {_place(one.name)})" for one in (*rules, *examples)]
    parts += ["\n".join(listed[:MOST_PLACES])] if listed else []
    return "\n\n".join(parts)


def citing(index: SymbolIndex, id: str) -> tuple[list[Declaration], list[Declaration]]:
    """The rules and the scenarios that cite a statement."""
    enclosing_declaration = [index.enclosing_declaration(span) for span in index.references(Symbol("statement", id))]
    found = list(dict.fromkeys(one for one in enclosing_declaration if one is not None))
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


def _code(*lines: str) -> str:
    return "\n".join(("```rulewright", *map(printable, lines), "```"))


def _place(span: Span) -> str:
    return f"{span.file}:{span.line}"


__all__ = ["citing", "count_of", "explain_statement", "explain_symbol", "explain_word", "head_of"]
