"""Lists of agents' words with commas between them, as ``--seats`` takes them.

They are one record of comma-separated values (RFC 4180): a word that has a comma in it, as of a file, stands in double
quotes, and a quote inside of them is doubled.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import StringIO

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine import NO_OPTION


def split_words(text: str) -> list[str]:
    """The words of a list; RulesetError if a quote is not closed, or something follows it."""
    try:
        (words,) = csv.reader([text.strip()], skipinitialspace=True, strict=True)
    except (csv.Error, ValueError):
        hint = 'write "learnt:a,b.json",random: quotes around the whole word, none or two inside of them'
        raise RulesetError(
            Diagnostic(NO_OPTION, f"`{text}` is no list of agents: its quotes do not match", hint=hint)
        ) from None
    return [word.strip() for word in words]


def join_words(words: Iterable[str]) -> str:
    """The list of some words, from which :func:`split_words` gives them."""
    line = StringIO()
    csv.writer(line, lineterminator="").writerow(list(words))
    return line.getvalue()
