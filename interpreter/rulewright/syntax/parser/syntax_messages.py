"""Messages about lines that do not fit, and how they were probably meant."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from itertools import pairwise

from rulewright.diagnostics import Diagnostic, Edit, Fix, Span
from rulewright.syntax.lexer.logical_lines import LEADING, Line, span_of
from rulewright.syntax.lexer.token_fixes import shown
from rulewright.syntax.lexer.tokens import Token
from rulewright.syntax.parser.expectations import FORMS, LineFit, SyntaxFailure, expected, form_hint, opener
from rulewright.syntax.parser.repairs import Repair, find_repair
from rulewright.syntax.tables.parse_tables import reserved_words

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


_MODIFYING = ("PLUS", "MINUS", "TIMES", "BECOMES", "AT_LEAST", "AT_MOST")
_LONE_HEADS = ("repeat", "else")
"""Words that open a block alone on their line."""

_COMPARISONS = {"IS", "LESS", "MORE", "AT_MOST_SIGN", "AT_LEAST_SIGN", "IN", "IS_A", "IS_NOT_A", "IS_EMPTY"}


_GONE = {"swap": "both are set at once: `a = b, b = a`; pieces are moved, one after the other"}
"""First words of clauses that only earlier versions had, and what is written instead."""


def explain(trouble: SyntaxFailure, file: str) -> LineFit:
    """The finding in the words of authors of rules."""
    if trouble.position <= 0:
        verdict = _between_lines(trouble, file)
        if verdict is not None:
            return verdict
    line = trouble.lines[trouble.index]
    if (token := _unlabelled(trouble, line)) is not None:
        return LineFit(
            _at(token, file, "a modifier has a label", f"it is written: `label: {token} 1 when condition`"),
            trouble.index,
        )
    if trouble.position == 0 and (line.head in LEADING or line.head in ("PLUS", "MINUS")):
        message = f"a line that begins with `{line.tokens[0]}` continues the clause above"
        return LineFit(_at(line.tokens[0], file, message, "indent it deeper than that clause"), trouble.index)
    for token in line.tokens[max(0, trouble.position - 1) : trouble.position + 1]:
        if token.type == "NAME" and token in _GONE:
            message = f"there is no `{token}` any more"
            return LineFit(_at(token, file, message, _GONE[token], "SYN012"), trouble.index)
    if line.head == "REPLACE" and line.tokens[min(trouble.position, len(line.tokens) - 1)].type == "THEN":
        hint = "of several measures the whole line: `replace …: finish ranking p in players by a then b`"
        return LineFit(_at(line.tokens[trouble.position], file, "`then` does not fit here", hint), trouble.index)
    repair = behind_rounds(trouble, line) or find_repair(trouble, line)
    if repair is not None:
        return _mended(repair, trouble, line, file)
    if trouble.position == 0 and line.head in ("ELSE", "THEN"):
        return LineFit(_alone(trouble, line, file), trouble.index)
    return LineFit(_generic(trouble, line, file), trouble.index)


def _unlabelled(trouble: SyntaxFailure, line: Line) -> Token | None:
    """The word of a modifier that begins a line without its label, be it joined to the line above."""
    token, *_ = (*line.tokens[trouble.position :], None)
    first = trouble.position == 0 or (token is not None and token.line > line.tokens[trouble.position - 1].line)
    head = line.head if trouble.position else opener(trouble.lines, trouble.index, line.indent)
    return token if token is not None and first and token.type in _MODIFYING and head in ("VALUE", "IN") else None


def _at(token: Token, file: str, message: str, hint: str = "", code: str = "SYN001") -> Diagnostic:
    return Diagnostic(code, message, span_of(token, file), hint=hint)


def _behind(token: Token, file: str) -> Span:
    span = span_of(token, file)
    return Span(file, span.end_line, span.end_column, span.end_line, span.end_column + 1)


def _mended(repair: Repair, trouble: SyntaxFailure, line: Line, file: str) -> LineFit:
    first, last = repair.place
    if first >= len(line.tokens):
        span = _behind(line.tokens[-1], file)
    else:
        span = span_of(line.tokens[first], file).to(span_of(line.tokens[max(first, last - 1)], file))
    fix = repair.fix(span)
    hint = repair.hint
    if repair.code == "SYN002" and first <= trouble.position and _value_fits(trouble, first):
        hint += f'; a value of that name is written `"{repair.word}"`'
    found = Diagnostic(repair.code, repair.message, span, repair.severity, hint, fix=fix)
    return LineFit(found, trouble.index, repair.tokens, word=repair.word)


def _value_fits(trouble: SyntaxFailure, place: int) -> bool:
    return "STRING" in trouble.machine.accepts(trouble.stack_at(place))


# ---------------------------------------------------------------------------------- where blocks begin and end


def _between_lines(trouble: SyntaxFailure, file: str) -> LineFit | None:
    """A misfit of blocks: one is missing, or one is where none can be, or it ends too early."""
    stack, failed = trouble.machine_before_line()
    accepted = trouble.machine.accepts(stack)
    if accepted == {"_INDENT"} and trouble.index > 0:
        return _missing_block(trouble, file)
    if failed is None:
        return None
    line = trouble.lines[min(trouble.index, len(trouble.lines) - 1)]
    above = trouble.lines[trouble.index - 1]
    if failed == "_INDENT":
        meant = get_close_matches(above.tokens[0].lower(), _LONE_HEADS, n=1) if len(above.tokens) == 1 else []
        if meant and above.head in ("NAME", "TYPE"):
            word = shown(above.tokens[0])
            message = f"`{word}` is not a word of the language"
            return LineFit(_at(above.tokens[0], file, message, f"did you mean `{meant[0]}`?"), trouble.index - 1)
        message = "this line is indented deeper than the one above, which opens no block"
        hint = f"write it below `{above.tokens[0]}`, indented by {above.indent}" if above.indent else ""
        types = [t.type for t in above.tokens]
        if above.head in ("IF", "OPTION") and ("THEN" in types or "COLON" in types):
            sign = "`then`" if above.head == "IF" else "the colon"
            hint = f"one statement follows {sign}; for several, leave {sign} out and indent them all"
        return LineFit(_at(line.tokens[0], file, message, hint, "SYN007"), trouble.index)
    wanted = expected(accepted, opener(trouble.lines, trouble.index - 1, above.indent), None)
    found = Diagnostic("SYN001", f"this block ends too early: {wanted} is missing", above.span(file))
    return LineFit(found, trouble.index - 1)


def _missing_block(trouble: SyntaxFailure, file: str) -> LineFit:
    above = trouble.lines[trouble.index - 1]
    first = above.tokens[0]
    name = str(first) if first.type != "NAME" else " ".join(above.tokens[:2])
    types = {t.type for t in above.tokens}
    if "REPEATS" in types:
        name = "repeats"
    elif "EITHER" in types:
        name = "chooses either"
    message = f"`{name}` needs an indented block below it"
    hint = "indent what belongs to it by four spaces"
    if above.head == "IF":
        hint += ", or write `if … then …` on one line"
    found = Diagnostic("SYN007", message, above.span(file), hint=hint)
    return LineFit(found, trouble.index - 1, blockless=True)


# ---------------------------------------------------------------------------------- anything else


def _alone(trouble: SyntaxFailure, line: Line, file: str) -> Diagnostic:
    word = line.tokens[0]
    sibling = next((x for x in reversed(trouble.lines[: trouble.index]) if x.indent <= line.indent), None)
    hint = "it is below a block, at the same level as its head"
    if sibling is not None and sibling.head == "IF" and any(t.type == "THEN" for t in sibling.tokens):
        hint = "an `if … then …` on one line has no `else`: write both as blocks"
    owner = "`if` or choice" if word.type == "ELSE" else "choice"
    return _at(word, file, f"this `{word}` belongs to no {owner}", hint)


def _two_players(line: Line, position: int, file: str) -> Diagnostic:
    """``when anna: bid = 2, bert: bid = 3``."""
    who = line.tokens[position - 1]
    message, hint = "the answers of one player a line", f"begin a new line with `when {who}:`"
    comma = line.tokens[position - 2]
    fix: Fix | None = None
    if comma.type == "COMMA" and who.type == "NAME":
        span = span_of(comma, file).to(span_of(who, file))
        fix = Fix(hint, (Edit(span, f"\n{' ' * line.indent}when {who}"),), safe=True)
    return Diagnostic("SYN001", message, span_of(who, file), hint=hint, fix=fix)


def _sets_several(before: Sequence[Token], token: Token) -> bool:
    """True if something is raised or lowered beside others: ``a += 1, b = 2``, ``a = 1, b += 2``."""
    found = [one.type for one in before if one.type in ("PLUS_IS", "MINUS_IS", "EQUAL")]
    if token.type == "COMMA":
        return found in (["PLUS_IS"], ["MINUS_IS"])
    return token.type in ("PLUS_IS", "MINUS_IS") and "EQUAL" in found and before[-1].type != "EQUAL"


def _hyphenated(tokens: Sequence[Token], position: int) -> str:
    """The name that words joined by hyphens, without blanks, stand for: ``kings-and-things``."""
    first, end = position - 1, position + 1
    while first > 0 and tokens[first].column == tokens[first - 1].end_column:
        first -= 1
    while end < len(tokens) and tokens[end].column == tokens[end - 1].end_column:
        end += 1
    name = "".join(tokens[first:end]).replace("-", "_") if first >= 0 else ""
    return name if name.isidentifier() else ""


def _choice_form(trouble: SyntaxFailure, head: str) -> str:
    """The form of a value that depends on a condition, where it is begun with ``if``."""
    if trouble.position == 0 and head in ("QUERY", "MEASURE"):
        return "a case is written: value when condition"
    if trouble.position > 0 and "STRING" in trouble.machine.accepts(trouble.stack_at(trouble.position)):
        return "the value comes first: `a if condition else b`"
    return ""


def _generic(trouble: SyntaxFailure, line: Line, file: str) -> Diagnostic:
    stack = trouble.stack_at(trouble.position)
    accepted = trouble.machine.accepts(stack)
    previous = line.tokens[trouble.position - 1] if trouble.position > 0 else None
    head = opener(trouble.lines, trouble.index, line.indent) if previous is None else line.head
    wanted = expected(accepted, head, previous)
    behind = f" after `{shown(previous)}`" if previous is not None else ""
    hint = form_hint(line.tokens, trouble.position, accepted) if previous is not None else ""
    if trouble.position >= len(line.tokens):
        message = f"expected {wanted}{behind}, but the line ends here"
        return Diagnostic("SYN001", message, _behind(line.tokens[-1], file), hint=hint)
    token = line.tokens[trouble.position]
    if (
        token.type in _COMPARISONS | {"AFTER"}
        and "AND" in accepted
        and any(t.type == "AFTER" for t in line.tokens[: trouble.position])
    ):
        hint = "put what is asked, and `after` with its effect, in brackets: `(score(p) after pay(p)) > 3`"
        return _at(token, file, "what stands before `after` is all that is asked", hint)
    if token.type in _COMPARISONS and "AND" in accepted:
        return _at(token, file, "a comparison has two sides", "join two comparisons with `and`")
    if token.type == "WHEN" and line.head == "VALUE":
        hint = "a modifier goes on a line of its own and has a label: `label: + 1 when condition`"
        return _at(token, file, "a value has no `when`", hint)
    if token.type == "OR" and [t.type for t in line.tokens[: trouble.position][-3:]] == ["LSQB", "TYPE", "RSQB"]:
        hint = "`{}` is 0 for all; whether there is one at all is a `Bool` of its own"
        return _at(token, file, "a number for each is never none, nor of several kinds", hint)
    if token.type == "COLON" and line.head == "WHEN":
        return _two_players(line, trouble.position, file)
    if wanted in ("a name", "a label") and token in reserved_words():
        hint = f"`{token}` is a word of the language; choose another name"
    if token.type == "IF":
        hint = _choice_form(trouble, head) or hint
    if previous is None and (verbs := get_close_matches(token.lower(), ("chooses", "rolls"), n=1, cutoff=0.8)):
        hint = f"it is written: {FORMS[verbs[0].upper()]}"
    if token.type == "OPTION" and trouble.position == 0:
        hint = "options stand below `… chooses either`; a variant adds one below `in turn.either`"
    if previous is not None and previous.type == "MATCH" and "_NL" in accepted:
        hint = "`match` alone adds the arms below it, to the one that is named: `in declaration.match_1`"
    if _sets_several(line.tokens[: trouble.position], token):
        hint = "several are set at once with `=`: `a = a + 1, b = 2`; or write each on a line of its own"
    if token.type == "MINUS" and (name := _hyphenated(line.tokens, trouble.position)):
        hint = f"a name has no `-`; did you mean `{name}`?"
    if token.type == "STRANGE":
        return _at(token, file, f"expected {wanted}{behind}", hint)
    return _at(token, file, f"expected {wanted}{behind}, not `{shown(token)}`", hint)
