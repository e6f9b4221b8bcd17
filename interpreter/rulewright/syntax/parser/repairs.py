"""Finding out how a line was probably meant: small changes, tried until the whole line fits."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from functools import lru_cache
from typing import get_args

from rulewright.diagnostics import Edit, Fix, Severity, Span
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.syntax import ast
from rulewright.syntax.lexer.logical_lines import Line
from rulewright.syntax.lexer.token_fixes import shown, snake
from rulewright.syntax.lexer.tokens import Token, scenario_words
from rulewright.syntax.parser.expectations import SyntaxFailure
from rulewright.syntax.tables.parse_tables import keywords, reserved_words, words

_OTHER_WORDS = {
    "elif": "else if",
    "elsif": "else if",
    "elseif": "else if",
    "for": "each",
    "foreach": "each",
    "loop": "repeat",
    "while": "repeat while",
    "until": "repeat until",
    "switch": "match",
    "default": "otherwise",
    "break": "stop",
    "def": "procedure",
    "function": "query",
    "func": "query",
    "fn": "query",
    "action": "procedure",
    "const": "param",
    "null": "none",
    "nil": "none",
    "nothing": "none",
    "into": "to",
    "onto": "to",
    "equals": "is",
    "are": "is",
    "isnt": "is not",
    "div": "/",
    "minus": "-",
    "plus": "+",
    "elements": "set",
    "class": "piece",
    "test": "scenario",
    "assert": "then",
    "expect": "then",
}
"""Words from elsewhere, and what they are called here."""

_FORMER_WORDS = {"phase": "procedure"}
"""First words of clauses in earlier versions, and those of today."""

_GLUE = (
    "COLON", "COMMA", "FROM", "TO", "IN", "OF", "AS", "WITH", "BY", "THEN", "WHEN", "WHERE", "EQUAL", "ARROW",
    "TIMES", "PLAYERS", "EACH", "ELSE", "FOR", "ACROSS", "HAS", "BECAUSE", "SIDES", "DOTS", "CHOOSE",
)  # fmt: skip
"""Words and signs that are forgotten now and then."""
_WITH_IN = ("EACH", "CONSEQUENCE", "END", "INVARIANT", "PROPERTY", "PUT", "BEGINS", "FINISH_RANKING", "FINISH_PAYING")
_BEHIND_NAMES = ("EQUAL", "PLUS_IS", "MINUS_IS", "LPAR", "LSQB", "DOT", "COLON", "ARROW", "OTHERWISE")
_BETWEEN = {word for op in get_args(ast.BinaryOp) for word in op.split()} | {
    "if", "then", "by", "to", "of", "from", "has", "where", "when", "with", "for", "as", "times", "across", "within",
    "otherwise", "because",
}  # fmt: skip
"""Words that stand between others; where one can stand, it is hardly meant as a name."""
_FACES = ("FACE_UP", "FACE_DOWN", "ON_TOP", "AT_BOTTOM")
_REWRITTEN = "`rulewright fmt` writes it so"
_REACH = 6
"""The number of tokens before the failure among which the mistake is looked for."""


@dataclass(slots=True)
class Repair:
    """A guess at what was meant."""

    code: str
    message: str
    hint: str
    tokens: list[Token]
    place: tuple[int, int]
    """The tokens of the line that are concerned: from, to (exclusive)."""
    text: str | None = None
    """The text to write there instead."""
    safe: bool = False
    word: str = ""
    severity: Severity = Severity.ERROR

    def fix(self, span: Span) -> Fix | None:
        """The change as an edit of the text."""
        if self.text is None:
            return None
        name = self.hint if "\n" in self.text else f"replace with `{self.text}`" if self.text else "leave it out"
        return Fix(name, (Edit(span, self.text),), self.safe)


def find_repair(trouble: SyntaxFailure, line: Line) -> Repair | None:
    """The first small change that makes the line fit."""
    for search in (_reserved, *_SEARCHES) if _only_a_name(trouble, line) else _SEARCHES:
        for repair in search(line.tokens, trouble.position):
            if trouble.fits([t.type for t in repair.tokens]):
                return repair
    return _half_misspelt(trouble, line) or _half_foreign(line)


def _only_a_name(trouble: SyntaxFailure, line: Line) -> bool:
    """True if a word of the language stands where nothing but a name can stand."""
    if not 0 < trouble.position < len(line.tokens) or line.tokens[trouble.position] not in reserved_words():
        return False
    return trouble.machine.accepts(trouble.stack_at(trouble.position)) <= {"NAME", "TYPE"}


def _like(token: Token, type_: str, value: str) -> Token:
    return token.like(type_, value)


def _spell(text: str, token: Token) -> list[Token]:
    """The tokens of these words of the language, at the place of `token`."""
    types = {word: name for name, word in words().items()} | scenario_words()
    if text in types:
        return [_like(token, types[text], text)]
    return [_like(token, types[word], word) for word in text.split() if word in types]


def _near(position: int, count: int) -> list[int]:
    """Positions of a mistake that shows at `position`: there, just before, or at the beginning."""
    last = min(position, count - 1)
    near = list(range(last, max(-1, last - _REACH), -1))
    return near if 0 in near else [*near, 0]


def _former(tokens: list[Token], position: int) -> Iterator[Repair]:
    """A clause as an earlier version had it."""
    place = 1 if tokens[0].type in ("ADD", "REPLACE") else 0
    meant = _FORMER_WORDS.get(str(tokens[place])) if place < len(tokens) else None
    start, written = place, str(tokens[place]) if meant is not None else ""
    if " ".join(map(str, tokens[:2])) == "replace step":
        start, meant, written = 0, "replace", "replace step"
    if meant is not None:
        changed = [*tokens[:start], *_spell(meant, tokens[start]), *tokens[place + 1 :]]
        message = f"`{written}` is written `{meant}` now"
        yield Repair("SYN012", message, _REWRITTEN, changed, (start, place + 1), meant, True, severity=Severity.WARNING)


def _colon(tokens: list[Token], position: int) -> Iterator[Repair]:
    """A colon at the head of a block."""
    last = len(tokens) - 1
    if tokens[last].type == "COLON" and position >= last:
        message = "the head of a block takes no colon"
        yield Repair("SYN001", message, "leave it out", tokens[:last], (last, last + 1), "", True)
    if position <= last and tokens[position].type == "COLON" and tokens[0].type == "IF":
        changed = [*tokens[:position], _like(tokens[position], "THEN", "then"), *tokens[position + 1 :]]
        message = "a statement on the same line follows `then`, not a colon"
        yield Repair("SYN001", message, "write ` then `", changed, (position, position + 1), " then", True)


def _assigned(tokens: list[Token], position: int) -> Iterator[Repair]:
    """``=`` in a condition."""
    if position < len(tokens) and tokens[position].type == "EQUAL":
        changed = [t if t.type != "EQUAL" else _like(t, "IS", "is") for t in tokens[position:]]
        message = "`=` gives a value; two values are compared with `is`"
        yield Repair("SYN001", message, "write `is`", [*tokens[:position], *changed], (position, position + 1), "is")


def _other_words(tokens: list[Token], position: int) -> Iterator[Repair]:
    """Words that other languages use."""
    for place in _near(position, len(tokens)):
        meant = _OTHER_WORDS.get(str(tokens[place]))
        if meant is not None:
            changed = [*tokens[:place], *_spell(meant, tokens[place]), *tokens[place + 1 :]]
            message = f"`{tokens[place]}` is called `{meant}` here"
            yield Repair("SYN001", message, f"write `{meant}`", changed, (place, place + 1), meant)


def _misspelt(tokens: list[Token], position: int) -> Iterator[Repair]:
    """A word of the language with a wrong letter or a capital, or several that are one token together."""
    for place in _near(position, len(tokens)):
        token = tokens[place]
        if token.type in ("NAME", "TYPE") or str(token) in keywords():
            known = keywords() if place else keywords() | scenario_words()
            word = token.lower()
            cutoff = 1.0 if token.type == "TYPE" and word not in known else 0.7
            for meant in get_close_matches(word, known, n=4, cutoff=cutoff):
                if meant != token:
                    changed = [*tokens[:place], *_spell(meant, token), *tokens[place + 1 :]]
                    yield _misspelling(token, meant, changed, (place, place + 1))
        for count, phrases in _phrases(token[:1].lower()).items():
            text = " ".join(tokens[place : place + count])
            for meant in get_close_matches(text.lower(), phrases, n=2, cutoff=0.8):
                if meant != text:
                    changed = [*tokens[:place], *_spell(meant, token), *tokens[place + count :]]
                    yield _misspelling(text, meant, changed, (place, min(place + count, len(tokens))))


@lru_cache(maxsize=64)
def _phrases(letter: str) -> dict[int, list[str]]:
    """The tokens of several words that begin with a letter, by the number of these."""
    found: dict[int, list[str]] = {}
    for phrase in sorted(words().values()):
        if " " in phrase and phrase.startswith(letter):
            found.setdefault(len(phrase.split()), []).append(phrase)
    return found


def _misspelling(word: str, meant: str, changed: list[Token], place: tuple[int, int]) -> Repair:
    wrong = "does not fit here" if word in keywords() else "is not a word of the language"
    return Repair("SYN001", f"`{shown(word)}` {wrong}", f"did you mean `{meant}`?", changed, place, meant)


def _half_misspelt(trouble: SyntaxFailure, line: Line) -> Repair | None:
    """A misspelt word after which at least more of the line fits than before."""
    best, most = None, trouble.position + 1
    for repair in _misspelt(line.tokens, trouble.position):
        place = repair.place[0]
        progress = trouble.progress([t.type for t in repair.tokens])
        if (place == trouble.position or line.tokens[place].type in ("NAME", "TYPE")) and progress > most:
            best, most = repair, progress
    return best


def _half_foreign(line: Line) -> Repair | None:
    """A line that begins with a word from elsewhere, whatever follows."""
    meant = _OTHER_WORDS.get(str(line.tokens[0]))
    if meant is None or line.head != "NAME":
        return None
    message = f"`{line.tokens[0]}` is called `{meant}` here"
    return Repair("SYN001", message, f"write `{meant}`", line.tokens, (0, 1))


def _reserved(tokens: list[Token], position: int) -> Iterator[Repair]:
    """A word of the language as a name."""
    for place in _near(position, len(tokens)):
        word = str(tokens[place])
        if place == 0 and (word in ("else", "then") or not _used_as_name(tokens)):
            continue
        behind = tokens[place + 1].type if place + 1 < len(tokens) else ""
        if word in _BETWEEN and place != position and behind not in _BEHIND_NAMES:
            continue  # it stands where it can stand: rather what should be behind it is missing
        if word in reserved_words():
            message = f"`{word}` is a word of the language and cannot be a name"
            for last in (place, len(tokens)):  # only here, or also further on in the line
                changed = [
                    _like(t, "NAME", word) if place <= i <= last and str(t) == word else t for i, t in enumerate(tokens)
                ]
                yield Repair("SYN002", message, "choose another name", changed, (place, place + 1), word=word)


def _used_as_name(tokens: list[Token]) -> bool:
    """True if the first word of the line is followed by what can follow a name."""
    return len(tokens) > 1 and tokens[1].type in (*_BEHIND_NAMES, "CHOOSES", "MAY", "ROLLS", "REPEATS", "WHEN")


def _kind(tokens: list[Token], position: int) -> Iterator[Repair]:
    """``x is a knight``."""
    for place in range(max(1, position - 2), min(position + 3, len(tokens) - 1)):
        article, noun = tokens[place], tokens[place + 1]
        negated = tokens[place - 1].type == "NOT"
        start = place - 2 if negated else place - 1
        if article in ("a", "an") and noun.type == "NAME" and tokens[max(start, 0)].type == "IS":
            meant = _capitalised(noun)
            is_a = _like(tokens[start], "IS_NOT_A" if negated else "IS_A", "is a")
            changed = [*tokens[:start], is_a, _like(noun, "TYPE", meant), *tokens[place + 2 :]]
            yield _not_a_type(noun, changed, place + 1)


def _not_a_type(noun: Token, changed: list[Token], place: int) -> Repair:
    message = f"`{shown(noun)}` is not a type: types begin with a capital letter"
    meant = _capitalised(noun)
    return Repair("SYN008", message, f"did you mean `{shown(meant)}`?", changed, (place, place + 1), meant)


def _capitalised(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _hyphens(tokens: list[Token], position: int) -> Iterator[Repair]:
    """The name of a ruleset as its manifest has it: ``game river-race``."""
    if tokens[0].type not in ("GAME", "VARIANT") or position >= len(tokens) or tokens[position].type != "MINUS":
        return
    last = position
    while last + 1 < len(tokens) and tokens[last].type == "MINUS" and tokens[last + 1].type in ("NAME", "INT"):
        last += 2
    first = tokens[position - 1]
    written = "".join(map(str, tokens[position - 1 : last]))
    meant = written.replace("-", "_")
    message = f"`{written}` is not a name in rules: there underscores stand for hyphens"
    changed = [*tokens[: position - 1], _like(first, "NAME", meant), *tokens[last:]]
    yield Repair("SYN008", message, f"did you mean `{meant}`?", changed, (position - 1, last), meant)


def _letter_case(tokens: list[Token], position: int) -> Iterator[Repair]:
    """A type without its capital, or a name with one."""
    for place in _near(position, len(tokens))[:2]:
        token = tokens[place]
        if (
            token.type == "NAME"
            and token == "a"
            and place + 1 < len(tokens)
            and tokens[place - 1].type in ("IS", "NOT")
        ):
            continue
        if token.type == "NAME":
            changed = [*tokens[:place], _like(token, "TYPE", _capitalised(token)), *tokens[place + 1 :]]
            yield _not_a_type(token, changed, place)
        elif token.type == "TYPE":
            meant = snake(str(token))
            changed = [*tokens[:place], _like(token, "NAME", meant), *tokens[place + 1 :]]
            message = f"`{shown(token)}` is not a name: names are written in lower case"
            yield Repair("SYN008", message, f"did you mean `{meant}`?", changed, (place, place + 1), meant)


def _label(tokens: list[Token], position: int) -> Iterator[Repair]:
    """A restriction or invariant without its label."""
    head = tokens[0]
    if head.type in ("FORBID", "UNLESS", "INVARIANT", "WITNESS"):
        named = [_like(head, "NAME", "label"), _like(head, "COLON", ":")]
        start = 2 if len(tokens) > 1 and tokens[1].type == "COLON" else 1
        noun = "a label" if head.type in ("FORBID", "UNLESS") else "a name"
        message = f"`{head}` needs {noun} to refer to it by"
        hint = f"write `{head} {noun.split()[1]}: …`"
        yield Repair("SYN001", message, hint, [head, *named, *tokens[start:]], (0, 1))


def _rounding(tokens: list[Token], position: int) -> Iterator[Repair]:
    """A division that does not say how it is rounded."""
    if any(t.type == "SLASH" for t in tokens[:position]):
        rounded = _like(tokens[position - 1], "ROUNDED_DOWN", "rounded down")
        slash = max(i for i, t in enumerate(tokens[:position]) if t.type == "SLASH")
        message = "a division must say how it is rounded"
        hint = "write `rounded up` or `rounded down` after it"
        yield Repair("SYN001", message, hint, [*tokens[:position], rounded, *tokens[position:]], (slash, slash + 1))


def _forgotten(tokens: list[Token], position: int) -> Iterator[Repair]:
    """A word or sign that is missing."""
    at_end = position >= len(tokens)
    counts = [t.type for t in tokens[max(0, position - 1) : position]] == ["INT"]
    near = tokens[min(position, len(tokens) - 1)]
    place = (position, position + 1)
    for name in _GLUE:
        if (name == "PLAYERS" and not counts) or (name == "EQUAL" and tokens[0].type == "NAME"):
            continue  # elsewhere it could stand for anything
        if name == "IN" and tokens[0].type not in _WITH_IN:
            continue
        text = words()[name]
        if position > 0 and tokens[position - 1] == text:
            continue  # it stands there, as a name
        changed = [*tokens[:position], _like(near, name, text), *tokens[position:]]
        where = "at the end of the line" if at_end else f"before `{shown(near)}`"
        yield Repair("SYN001", f"`{text}` is missing {where}", f"write `{text}` here", changed, place)
    for name, text in (("NAME", "name"), ("TYPE", "Type")):
        if not at_end:
            changed = [*tokens[:position], _like(near, name, text), *tokens[position:]]
            behind = f" after `{shown(tokens[position - 1])}`" if position else ""
            what = "a name" if name == "NAME" else "a type"
            yield Repair("SYN001", f"expected {what}{behind}, not `{shown(near)}`", "", changed, place)


def _face_before_zone(tokens: list[Token], position: int) -> Iterator[Repair]:
    """The side or end of a piece, written before its zone."""
    into = {"PUT": "IN", "MOVE": "TO", "DRAW": "TO"}.get(tokens[0].type)
    if into is None or position >= len(tokens) or tokens[position].type not in _FACES:
        return
    face, rest = tokens[position], tokens[position + 1 :]
    rest = rest[1:] if rest and rest[0].type in (into, "OF") else rest
    end = next((i for i, t in enumerate(rest) if t.type in ("AS", "FOR")), len(rest))
    zone = [_like(face, into, words()[into]), *rest[:end]]
    zone_text = " ".join((words()[into], shown(rest[0]) if end == 1 else "zone", str(face)))
    hint = f"write `{zone_text}`"
    changed = [*tokens[:position], *zone, face, *rest[end:]]
    yield Repair("SYN001", f"`{face}` stands behind the zone", hint, changed, (position, position + 1))


def _superfluous(tokens: list[Token], position: int) -> Iterator[Repair]:
    """A word or sign too many."""
    for place in (position, position - 1):
        if place < position and place < len(tokens) and tokens[place].type not in ("THEN", "COMMA"):
            continue
        if 0 <= place < len(tokens) and len(tokens) > 1 and tokens[place].type not in ("NAME", "TYPE", "INT", "STRING"):
            token = tokens[place]
            hint = "leave it out"
            if token.type == "THEN" and place == len(tokens) - 1:
                hint = "`then` comes before a statement on the same line; a block needs none"
            changed = [*tokens[:place], *tokens[place + 1 :]]
            yield Repair("SYN001", f"`{token}` does not belong here", hint, changed, (place, place + 1), "")


def _bare_choice(tokens: list[Token], position: int) -> Iterator[Repair]:
    """``a if c else b`` among other things, without brackets around it."""
    types = [t.type for t in tokens]
    if types[position : position + 1] == ["FOR"] and "IF" in types[:position]:  # `[a if c else b for x in S]`
        position = max(at for at, type in enumerate(types[:position]) if type == "IF")
    if position >= len(tokens) or types[position] != "IF" or position == 0 or "ELSE" not in types[position:]:
        return
    start, depth = position, 0
    while start > 0 and (depth or (types[start - 1] not in _OPENING and types[start - 1] != "COMMA")):
        start -= 1
        depth += (types[start] in _CLOSING) - (types[start] in _OPENING)
    end, depth = position + types[position:].index("ELSE") + 1, 0
    while end < len(tokens) and (depth or types[end] not in (*_CLOSING, "COMMA", "FOR", "WHERE")):
        depth += (types[end] in _OPENING) - (types[end] in _CLOSING)
        end += 1
    near = tokens[position]
    inner = [_like(near, "LPAR", "("), *tokens[start:end], _like(near, "RPAR", ")")]
    message = "what is chosen between two values stands in brackets here"
    hint = "write `(a if condition else b)`"
    yield Repair("SYN001", message, hint, [*tokens[:start], *inner, *tokens[end:]], (start, end))
    for begin in range(start + 1, position):  # behind the words with which a statement begins
        if tokens[begin - 1].type.isupper() and types[begin - 1] not in ("NAME", "TYPE", "INT", "STRING", *_CLOSING):
            inner = [_like(near, "LPAR", "("), *tokens[begin:end], _like(near, "RPAR", ")")]
            yield Repair("SYN001", message, hint, [*tokens[:begin], *inner, *tokens[end:]], (begin, end))


_OPENING = ("LPAR", "LBRACE", "LSQB")
_CLOSING = ("RPAR", "RBRACE", "RSQB")


_SEARCHES = (
    _former, _face_before_zone, _hyphens, _bare_choice, _colon, _assigned, _other_words, _misspelt, _reserved,
    _kind, _letter_case, _label, _rounding, _forgotten, _superfluous,
)  # fmt: skip
"""Searches for a repair, the likeliest first."""
