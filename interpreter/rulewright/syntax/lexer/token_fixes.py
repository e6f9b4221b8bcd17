"""Tokens that are never right: each gets a message of its own and is replaced by what was probably meant."""

from __future__ import annotations

from rulewright.diagnostics import Diagnostic, Edit, Fix, Span
from rulewright.foundation import limits
from rulewright.foundation.characters import printable
from rulewright.syntax.lexer.tokens import Token
from rulewright.syntax.tables.parse_tables import ALWAYS_WRONG

_STRANGE_WORDS = {
    "&": "`and` is written as a word",
    "!": "`not` is written as a word",
    "'": 'texts are written in double quotes: "…"',
    "%": "write `mod`",
    ";": "each clause goes on a line of its own",
    "@": "a citation is an `@` with the id of a statement: `@TW-SETUP-1`",
    "≤": "write `<=`",
    "≥": "write `>=`",
    "≠": "write `is not`",
    "→": "write `->`",
    "×": "write `*`",
    "−": "write `-`",
    "–": "write `-`",
    "“": 'texts are written in straight quotes: "…"',
    "”": 'texts are written in straight quotes: "…"',
    "„": 'texts are written in straight quotes: "…"',
    "\u00a0": "this only looks like a space: replace it with one",
    "\r": "line ends are a single line feed, or a carriage return with a line feed",
}
_MEANT = {
    "≤": ("AT_MOST_SIGN", "<="),
    "≥": ("AT_LEAST_SIGN", ">="),
    "→": ("ARROW", "->"),
    "×": ("STAR", "*"),
    "−": ("MINUS", "-"),
    "–": ("MINUS", "-"),
    "&": ("AND", "and"),
    "!": ("NOT", "not"),
}


def _longest(type: str) -> int:
    """The most characters that a token of this type may have."""
    match type:
        case "INT":
            return limits.DIGITS
        case "NAME" | "TYPE":
            return limits.NAME
        case "STRING":
            return limits.TEXT
        case _:
            return limits.RULES_CHARACTERS


def is_long(tokens: list[Token]) -> bool:
    """True if one of these tokens may have more characters than are allowed."""
    return max(map(len, tokens)) > min(limits.DIGITS, limits.NAME, limits.TEXT)


def is_wrong(token: Token) -> bool:
    """True if a token is never right, wherever it stands."""
    if len(token) > _longest(token.type):
        return True
    return token.type in ALWAYS_WRONG or (token.type == "TYPE" and token in ("True", "False", "None"))


def mend_token(
    token: Token, span: Span, assigns: bool = False, touches: tuple[bool, bool] = (False, False)
) -> tuple[list[Token], Diagnostic]:
    """The tokens in place of one that is never right, and its diagnostic; `assigns`: where ``=`` may stand.

    A word that takes the place of a sign needs blanks where the sign `touches` what stands before and behind it.
    """

    def like(type_: str, value: str) -> Token:
        return token.like(type_, value)

    def apart(word: str) -> tuple[Edit]:
        before, behind = (" " if near else "" for near in touches)
        return (Edit(span, f"{before}{word}{behind}"),)

    text = token.value
    match token.type:
        case "SAME" if assigns:
            fix = Fix("replace with `=`", (Edit(span, "="),))
            found = Diagnostic("SYN001", f"`{text}` does not assign", span, hint="write `=`", fix=fix)
            return [like("EQUAL", "=")], found
        case "SAME":
            fix = Fix("replace with `is`", apart("is"))
            found = Diagnostic("SYN001", f"`{text}` is not a comparison", span, hint="write `is`", fix=fix)
            return [like("IS", "is")], found
        case "DIFFERENT":
            fix = Fix("replace with `is not`", apart("is not"))
            found = Diagnostic("SYN001", f"`{text}` is not a comparison", span, hint="write `is not`", fix=fix)
            return [like("IS", "is"), like("NOT", "not")], found
        case "UNTERMINATED":
            found = Diagnostic("SYN006", "this text is not closed", span, hint='a text ends with `"` on the same line')
            return [like("STRING", text.rstrip() + '"')], found
        case "MALFORMED":
            found = Diagnostic("SYN008", f"`{shown(text)}` is neither a number nor a name", span)
            return [like("INT", "".join(c for c in text if c.isdigit()))], found
        case "NAME" | "STRING" | "TYPE" if len(token) > _longest(token.type):
            most = _longest(token.type)
            what = "text" if token.type == "STRING" else "name"
            hint = f"it has {len(token):,} characters, and at most {most:,} are allowed"
            found = Diagnostic("SYN008", f"this {what} is too long", span, hint=hint)
            return [like(token.type, text[:most] if what == "name" else '"too long"')], found
        case "INT":
            found = Diagnostic(
                "SYN008", "this number is too large", span, hint=f"it has at most {limits.DIGITS} digits"
            )
            return [like("INT", "0")], found
        case "TYPE":
            meant = {"True": "true", "False": "false", "None": "none"}[text]
            fix = Fix(f"replace with `{meant}`", (Edit(span, meant),))
            found = Diagnostic("SYN008", f"`{text}` is written in lower case", span, hint=f"write `{meant}`", fix=fix)
            return [like(meant.upper(), meant)], found
        case "MISCASED":
            return _miscased(text, span, like("NAME", text))
        case _:
            hint = _STRANGE_WORDS.get(text, "")
            name = f"`{text}`" if text.isprintable() and text.strip() else f"the character U+{ord(text):04X}"
            if text.isalpha():
                hint = hint or "names consist of the letters a to z, digits and `_`"
            found = Diagnostic("SYN010", f"{name} does not belong to the language", span, hint=hint)
            sign = _MEANT.get(text)
            return ([like(*sign)] if sign else []), found


def _miscased(text: str, span: Span, token: Token) -> tuple[list[Token], Diagnostic]:
    if text[0].isupper() and not text.isupper():
        kind, meant = "TYPE", "".join(part[:1].upper() + part[1:] for part in text.split("_"))
        message = f"`{shown(text)}` is neither a type nor a name"
    else:
        kind, meant = "NAME", snake(text)
        message = f"`{shown(text)}` is not a name: names are written in lower case"
    finding = Diagnostic("SYN008", message, span, hint=f"did you mean `{shown(meant)}`?")
    return [token.like(kind, meant)], finding


def shown(text: str) -> str:
    """A token as it is quoted in a message: not a whole page, and only what can be shown anywhere."""
    return printable(text if len(text) <= 40 else f"{text[:37]}…")


def snake(text: str) -> str:
    """The name one would give: ``myVar`` -> ``my_var``."""
    parts: list[str] = []
    for before, letter in zip(" " + text, text, strict=False):
        if letter.isupper() and before not in " _" and not before.isupper():
            parts.append("_")
        parts.append(letter.lower())
    return "".join(parts)
