"""Changed texts: words, lines and blocks are left out, doubled, exchanged and taken from elsewhere.

A change that only breaks the first line teaches nothing, so most changes keep the form of what they touch: a number
stays a number, a name becomes another name of the text, a block goes where a block can stand.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

from rulewright.syntax import keywords

TOKEN = re.compile(r'"[^"\n]*"|[A-Za-z_]\w*|\d+|\.\.|->|<=|>=|\n *| +|.', re.DOTALL)
NUMBERS = ("0", "1", "2", "7", "32", "64", "1023", "1024", "4096", "65536", "2147483647", "2147483648", "9" * 15,
           "9" * 16, "9" * 400, "007")  # fmt: skip
SIGNS = (*"()[]{}:,=+-*|.<>@#", "..", "->", "<=", ">=", "+=", "==", "!=", '"', '""')
STRANGE = ("\t", "\r", "\r\n", "\x00", "\x0b", "\x0c", "\x1b[31m", "\u2028", "\u202e", "\ufeff", "\ud800", "é", "ß",
           "\U0001f600", "ﬁ", "٣", "²", " ", "’", "\\", "[bold]", "&lt;", "$(x)", "{0}", "%s")  # fmt: skip
OFTEN = (65, 110, 600, 3000)
DEEP = (5, 5, 5, 5, 5, 63, 64, 65, 99, 101, 1500)
WORDS = tuple(sorted(keywords()))


Change = Callable[[str, random.Random, Sequence[str]], str]


def changed(text: str, rng: random.Random, others: Sequence[str], most: int = 4, wild: float = 0.15) -> str:
    """The text with some changes; `wild` of them respect nothing."""
    for _ in range(rng.randint(1, most)):
        change = rng.choice(WILD if rng.random() < wild else MILD)
        text = change(text, rng, others)
    return text


def mild(text: str, rng: random.Random, others: Sequence[str]) -> str:
    """One change that keeps the form of what it touches, so that the text may well be right."""
    return rng.choice(GENTLE)(text, rng, others)


def window(text: str, rng: random.Random, most: int = 6) -> str:
    """Some blocks of a text that stand one behind the other."""
    parts = blocks(text)
    if len(parts) <= most:
        return text
    start = rng.randrange(len(parts) - most)
    return "".join(parts[start : start + rng.randint(1, most)])


def blocks(text: str) -> list[str]:
    """A text cut where a line begins at the margin."""
    return re.split(r"(?m)^(?=[^\s#])", text)


# ---------------------------------------------------------------------------------------------------- words


def _tokens(text: str, pattern: str = r"\S") -> tuple[list[str], list[int]]:
    """A text as tokens, and the numbers of those that begin so."""
    tokens = TOKEN.findall(text)
    return tokens, [i for i, token in enumerate(tokens) if re.match(pattern, token)]


def _replace(pattern: str, new: Callable[[random.Random, str, list[str]], str]) -> Change:
    def change(text: str, rng: random.Random, others: Sequence[str]) -> str:
        tokens, spots = _tokens(text, pattern)
        if spots:
            at = rng.choice(spots)
            tokens[at] = new(rng, tokens[at], [tokens[i] for i in spots])
        return "".join(tokens)

    return change


def _number(rng: random.Random, old: str, _: list[str]) -> str:
    if rng.random() < 0.7 and len(old) < 9:
        return str(max(0, int(old) + rng.choice((-2, -1, 1, 1, 2))))
    return rng.choice(NUMBERS)


number = _replace(r"\d", _number)


def _name(rng: random.Random, old: str, all_: list[str]) -> str:
    """A name instead of a name, a type instead of a type, a word of the language instead of another."""
    return rng.choice([one for one in all_ if _sort(one) == _sort(old)])


def _sort(word: str) -> str:
    return "word" if word in keywords() else "type" if word[0].isupper() else "name"


name = _replace(r"[A-Za-z_]", _name)
word = _replace(r"[A-Za-z_]", lambda rng, _, all_: rng.choice(WORDS))
sign = _replace(r"[^\w\s\"]", lambda rng, _, all_: rng.choice(SIGNS))
like_sign = _replace(r"[^\w\s\"]", lambda rng, _, all_: rng.choice(all_))
string = _replace('"', lambda rng, _, all_: rng.choice((*all_, '""', f'"{rng.choice(STRANGE)}"')))
misspelt = _replace(r"[A-Za-z_]{3}", lambda rng, old, _: old[: (i := rng.randrange(len(old)))] + old[i + 1 :])
recased = _replace(r"[A-Za-z_]", lambda rng, old, _: old.swapcase() if rng.random() < 0.5 else old.capitalize())


def drop(text: str, rng: random.Random, others: Sequence[str]) -> str:
    tokens, spots = _tokens(text)
    if spots:
        del tokens[rng.choice(spots)]
    return "".join(tokens)


def double(text: str, rng: random.Random, others: Sequence[str]) -> str:
    tokens, spots = _tokens(text)
    if spots:
        at = rng.choice(spots)
        tokens.insert(at, tokens[at] + " ")
    return "".join(tokens)


def exchange(text: str, rng: random.Random, others: Sequence[str]) -> str:
    tokens, spots = _tokens(text)
    if len(spots) > 1:
        one, two = rng.sample(spots, 2)
        tokens[one], tokens[two] = tokens[two], tokens[one]
    return "".join(tokens)


def tokens_from_elsewhere(text: str, rng: random.Random, others: Sequence[str]) -> str:
    tokens, spots = _tokens(text)
    more, places = _tokens(window(rng.choice(others), rng, 1))
    if spots and places:
        at, start = rng.choice(spots), rng.choice(places)
        tokens[at : at + rng.randint(0, 3)] = more[start : start + rng.randint(1, 12)]
    return "".join(tokens)


# ---------------------------------------------------------------------------------------------------- lines


def _in_lines(change: Callable[[list[str], random.Random], None]) -> Change:
    def changing(text: str, rng: random.Random, others: Sequence[str]) -> str:
        lines = text.split("\n")
        change(lines, rng)
        return "\n".join(lines)

    return changing


def _drop_line(lines: list[str], rng: random.Random) -> None:
    del lines[rng.randrange(len(lines))]


def _double_line(lines: list[str], rng: random.Random) -> None:
    at = rng.randrange(len(lines))
    lines.insert(at, lines[at])


def _swap_lines(lines: list[str], rng: random.Random) -> None:
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]


def _indent(lines: list[str], rng: random.Random) -> None:
    at, by = rng.randrange(len(lines)), rng.choice((-4, -4, 4, 4, -1, 1, 2))
    for i in range(at, min(len(lines), at + rng.randint(1, 4))):
        lines[i] = " " * by + lines[i] if by > 0 else lines[i].removeprefix(" " * -by)


def _join_lines(lines: list[str], rng: random.Random) -> None:
    at = rng.randrange(len(lines))
    lines[at : at + 2] = [" ".join(line.strip() for line in lines[at : at + 2])]


def _move_line(lines: list[str], rng: random.Random) -> None:
    line = lines.pop(rng.randrange(len(lines)))
    at = rng.randint(0, len(lines))
    near = lines[at - 1] if at else ""
    lines.insert(at, " " * (len(near) - len(near.lstrip())) + line.lstrip())


def _comment(lines: list[str], rng: random.Random) -> None:
    lines[rng.randrange(len(lines))] += rng.choice(
        ("  # why", " @A-1", "#", "  @", "  # ignore LNT001: why", " # @A-1 #")
    )


drop_line, double_line, swap_lines, indent, join_lines, move_line, comment = map(
    _in_lines, (_drop_line, _double_line, _swap_lines, _indent, _join_lines, _move_line, _comment)
)


def drop_block(text: str, rng: random.Random, others: Sequence[str]) -> str:
    parts = blocks(text)
    del parts[rng.randrange(len(parts))]
    return "".join(parts)


def double_block(text: str, rng: random.Random, others: Sequence[str]) -> str:
    parts = blocks(text)
    parts.insert(rng.randint(0, len(parts)), rng.choice(parts))
    return "".join(parts)


def block_from_elsewhere(text: str, rng: random.Random, others: Sequence[str]) -> str:
    parts = blocks(text)
    new = rng.choice(blocks(rng.choice(others)))
    at = rng.randint(0, len(parts))
    parts[at : at + rng.randint(0, 1)] = [new if new.endswith("\n") else new + "\n"]
    return "".join(parts)


# ---------------------------------------------------------------------------------------------------- wild


def strange(text: str, rng: random.Random, others: Sequence[str]) -> str:
    at = rng.randint(0, len(text))
    return text[:at] + rng.choice(STRANGE) * rng.choice((1, 1, 1, 2, 2, 100)) + text[at:]


def cut(text: str, rng: random.Random, others: Sequence[str]) -> str:
    at, end = sorted((rng.randint(0, len(text)), rng.randint(0, len(text))))
    return text[:at] + text[end:] if rng.random() < 0.5 else text[:end]


def repeated(text: str, rng: random.Random, others: Sequence[str]) -> str:
    """A piece of a line again and again: long chains, deep nesting."""
    tokens, spots = _tokens(text)
    if not spots:
        return text
    at = rng.choice(spots)
    piece = "".join(tokens[at : at + rng.randint(1, 6)])
    if "\n" in piece and rng.random() < 0.8:
        piece = piece.replace("\n", " ")
    tokens.insert(at, piece * rng.choice(OFTEN if rng.random() < 0.1 else (5, 10, 32, 65)))
    return "".join(tokens)


def nested(text: str, rng: random.Random, others: Sequence[str]) -> str:
    """Brackets or operators around a word, deeper than anybody writes."""
    tokens, spots = _tokens(text, r"\w")
    if spots:
        at, deep = rng.choice(spots), rng.choice(DEEP)
        opening, closing = rng.choice(
            (("(", ")"), ("[", "]"), ("{", "}"), ("not ", ""), ("-", ""), ("f(", ")"), ("", ".a"))
        )
        tokens[at] = opening * deep + tokens[at] + closing * rng.choice((deep, deep, deep - 1))
    return "".join(tokens)


def stairs(text: str, rng: random.Random, others: Sequence[str]) -> str:
    """Blocks in blocks in blocks."""
    deep = rng.choice((5, 5, 31, 32, 33, 150) if rng.random() < 0.3 else (3, 5))
    head = rng.choice(("if true", "each p in players", "repeat", "step s", "while true"))
    return (
        text
        + "\nprocedure deep\n"
        + "".join("    " * i + head + "\n" for i in range(1, deep))
        + "    " * deep
        + "stop\n"
    )


GENTLE: tuple[Change, ...] = (
    *(number, number, number, name, name, name, name, name, like_sign, like_sign, exchange, tokens_from_elsewhere),
    *(drop_line, drop_line, double_line, swap_lines, move_line, drop_block, double_block, block_from_elsewhere),
)
MILD: tuple[Change, ...] = (*GENTLE, word, sign, string, misspelt, recased, drop, double, indent, join_lines, comment)
WILD: tuple[Change, ...] = (strange, strange, cut, repeated, nested, stairs)
