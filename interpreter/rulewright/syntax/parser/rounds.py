"""Lines of scenarios with ``for``, behind which somebody went on writing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rulewright.syntax.lexer.logical_lines import Line
from rulewright.syntax.lexer.tokens import Token
from rulewright.syntax.parser.expectations import SyntaxFailure
from rulewright.syntax.parser.repairs import Repair

_OPENING = ("(", "[", "{")
_CLOSING = (")", "]", "}")


def behind_rounds(trouble: SyntaxFailure, line: Line) -> Repair | None:
    """``given x[a] = 1 for a in S, turns = 2``: what is behind `for` ends the line."""
    tokens = line.tokens
    if line.head not in ("GIVEN", "PUT"):
        return None
    outside = _outside(tokens)
    rounds = next((i for i in outside if tokens[i].type == "FOR"), len(tokens))
    commas = [i for i in outside if tokens[i].type == "COMMA" and rounds < i <= trouble.position]
    if not commas or not trouble.fits(_types(tokens[: commas[-1]])):
        return None
    comma = commas[-1]
    rest = tokens[comma + 1 :]
    if not trouble.fits(_types([tokens[0], *rest])):
        return None
    message = "what is behind `for` ends the line"
    moved = [*tokens[:rounds], *tokens[comma:], *tokens[rounds:comma]]
    if _given(tokens[rounds:comma]) & set(rest) and trouble.fits(_types(moved)):
        hint = f"write `, {_text(rest)}` before `for`"
        return Repair("SYN001", message, hint, moved, (rounds, rounds + 1))
    hint = f"write `{tokens[0]} {_text(rest)}` on a line of its own"
    own = f"\n{' ' * line.indent}{tokens[0]}"
    return Repair("SYN001", message, hint, tokens[:comma], (comma, comma + 1), own, True)


def _outside(tokens: Sequence[Token]) -> list[int]:
    """The places of the tokens that stand in no brackets."""
    depth, found = 0, []
    for place, token in enumerate(tokens):
        depth += (token in _OPENING) - (token in _CLOSING)
        if depth == 0:
            found.append(place)
    return found


def _given(rounds: Sequence[Token]) -> set[str]:
    """The names that are something else in each round."""
    return {str(one) for one, behind in pairwise(rounds) if one.type == "NAME" and behind == "in"}


def _types(tokens: Sequence[Token]) -> list[str]:
    return [token.type for token in tokens]


def _text(tokens: Sequence[Token]) -> str:
    """Tokens as they stand in their line, with one blank wherever there is any."""
    text = str(tokens[0])
    for before, token in pairwise(tokens):
        apart = token.line != before.line or token.column > before.end_column
        text += " " * apart + token
    return text
