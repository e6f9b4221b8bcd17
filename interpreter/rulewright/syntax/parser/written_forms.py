"""Forms of constructs beside what is written already: nobody is told to write what stands there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from rulewright.syntax.lexer.tokens import Token, scenario_words
from rulewright.syntax.tables.parse_tables import words

_OR = " — or"
"""Parts the forms of a construct that has several; where one stands may be told between it and a colon."""
_BLANKS = {"a", "field", "game", "limits", "number", "piece", "place", "procedure", "stack", "value", "zone"}
"""Words of the language that stand in forms for something else."""
_PART = re.compile(r'"[^"]*"|\w+|->|[^\w\s]')


def still_to_write(forms: str, written: Sequence[Token], accepted: set[str]) -> str:
    """The forms that say more than what is written: all of them, if none is written as a whole.

    Otherwise those that can still be gone on with, as the parser accepts what is missing of them.
    """
    each = forms.split(_OR)
    texts = list(_texts(written, nested="(" in forms or "[" in forms))
    left = [_left(form.partition(": ")[2] if place else form, texts) for place, form in enumerate(each)]
    if () not in left:
        return forms
    following = {words()[type].split()[0] for type in accepted if type in words()}
    open = [form for form, rest in zip(each, left, strict=True) if rest and (not rest[0] or rest[0] in following)]
    return _OR.join(open).removeprefix(": ").strip()


def _texts(written: Sequence[Token], nested: bool) -> Iterator[str]:
    """The words and signs of some tokens; those within brackets are left out unless `nested`."""
    depth = 0
    for token in written:
        depth -= token in (")", "]", "}")
        if nested or depth == 0:
            yield from (token,) if token.type == "STRING" else token.split()
        depth += token in ("(", "[", "{")


def _left(form: str, texts: Sequence[str]) -> tuple[str, ...] | None:
    """The rest of a form: words, or an empty text for what stands for something else; None if it is another form."""
    parts = _parts(form)
    at = 0
    filled = False
    for text in texts:
        if at < len(parts) and parts[at] == text:
            at, filled = at + 1, False
        elif at < len(parts) and not parts[at]:
            at, filled = at + 1, True
        elif at < len(parts) and not filled:
            return None
    return parts[at:]


@lru_cache(maxsize=256)
def _parts(form: str) -> tuple[str, ...]:
    """The words and signs of a form, with an empty text for each stretch that stands for something else."""
    known = {word for phrase in (*words().values(), *scenario_words()) for word in phrase.split()}
    found = _PART.findall(form)
    parts: list[str] = []
    for place, text in enumerate(found):
        is_set = text == "set" and found[place + 1 : place + 2] != ["of"]
        stands = place > 0 and (text in _BLANKS or is_set)
        part = "" if text not in known or stands or text.isdecimal() else text
        if part or parts[-1:] != [""]:
            parts.append(part)
    return tuple(parts)
