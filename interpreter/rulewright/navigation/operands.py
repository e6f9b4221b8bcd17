"""The value before a dot or an operator in a line that is being written, and its type."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulewright.diagnostics import RulesetError
from rulewright.navigation.symbols import Declaration, Symbol
from rulewright.navigation.type_inference import TypeInference
from rulewright.syntax import ast, parse_expression
from rulewright.syntax.lexer.token import Token

_OPEN = {"RPAR": "LPAR", "RSQB": "LSQB", "RBRACE": "LBRACE"}
_PARTS = frozenset({"NAME", "TYPE", "PLAYERS", "PLACE", "CHANCE"})
COMPARING = frozenset(
    {"IS", "IN", "LESS", "MORE", "AT_MOST_SIGN", "AT_LEAST_SIGN", "EQUAL", "PLUS_IS", "MINUS_IS", "NOT"}
)
"""The words and signs behind which something of the type of what stands before them is written."""


def operand_before(tokens: Sequence[Token]) -> ast.Expr | None:
    """The value at the end of some words: a name with dots and brackets behind it."""
    at = len(tokens)
    while at:
        last = tokens[at - 1]
        if last.type in _OPEN:
            opening = _opening(tokens, at - 1)
            if opening is None:
                return None
            at = opening
            if (
                last.type == "RBRACE"
                or not at
                or (tokens[at - 1].type not in _PARTS and tokens[at - 1].type not in _OPEN)
            ):
                # A set, a list, or brackets around a value; or the brackets of `count(…)`.
                at -= bool(at and last.type == "RPAR" and tokens[at - 1].value.isalpha())
                break
        elif last.type in _PARTS:
            at -= 1
            if not at or tokens[at - 1].type != "DOT":
                break
            at -= 1
        else:
            return None
    if at == len(tokens):
        return None
    try:
        return parse_expression(" ".join(token.value for token in tokens[at:]))
    except RulesetError:
        return None


def _opening(tokens: Sequence[Token], closing: int) -> int | None:
    depth = 0
    for at in range(closing, -1, -1):
        depth += (tokens[at].type in _OPEN) - (tokens[at].type in _OPEN.values())
        if depth == 0:
            return at
    return None


def argument_type(types: TypeInference, tokens: Sequence[Token]) -> ast.TypeExpr | None:
    """The type of the argument or key that is written behind some words: of a call, a zone or a field."""
    depth = number = 0
    for at in range(len(tokens) - 1, 0, -1):
        type = tokens[at].type
        depth += (type in _OPEN) - (type in _OPEN.values())
        number += type == "COMMA" and depth == 0
        if depth < 0:
            places = types.index.declared_as(tokens[at - 1].value) if type != "LBRACE" else []
            node = places[0].node if places else None
            if type == "LPAR" and isinstance(node, ast.Query | ast.Value | ast.Limits | ast.Callable):
                return node.params[number].type if number < len(node.params) else None
            if type == "LSQB" and isinstance(node, ast.Zone | ast.FieldDecl):
                return node.index[number].key if number < len(node.index) else None
            return None
    return None


def type_before(types: TypeInference, tokens: Sequence[Token], near: Iterable[Declaration]) -> ast.TypeExpr | None:
    """The type of the value at the end of some words, in which some locals can be used."""
    locals_ = {one.symbol.name: one.symbol for one in near}

    def resolve(name: ast.Name) -> tuple[Symbol, ...]:
        if name.name in locals_:
            return (locals_[name.name],)
        by_name = types.index.by_name
        return tuple(
            s for kind in ("declaration", "value", "label", "attribute") for s in by_name.get((kind, name.name), ())[:1]
        )

    return types.of_expression(operand_before(tokens), resolve)


__all__ = ["COMPARING", "argument_type", "operand_before", "type_before"]
