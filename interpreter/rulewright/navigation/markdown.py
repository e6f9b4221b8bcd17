"""Texts of strangers inside of Markdown: they stand there as they are written, and are nothing but text.

A comment may hold a picture, which an editor fetches from wherever it lies, a link, HTML, or the definition of one.
"""

from __future__ import annotations

import re

from rulewright.foundation.characters import printable

_MEANS = re.compile(
    r"[\\`*_\[\]<>&~|$@]"  # emphasis, code, links, pictures, HTML, entities, tables, formulas, addresses of mail
    r"|:(?=//)|(?<=www)\."  # addresses that need no brackets
    r"|^[-+=#](?=[-+=#\s]|$)|(?<=\d)[.)](?=\s|$)",  # the beginnings of lists, headings and rules
    re.IGNORECASE,
)


def prose(text: str) -> str:
    """A text of one line."""
    return _MEANS.sub(r"\\\g<0>", printable(text).strip())


def code(text: str) -> str:
    """A text of one line as code."""
    shown = printable(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    space = " " if len(fence) > 1 or not shown.strip() else ""
    return f"{fence}{space}{shown}{space}{fence}"


def code_block(*lines: str) -> str:
    """Lines of rules."""
    shown = [printable(line) for line in lines]
    fence = "`" * max(3, 1 + max((len(run) for line in shown for run in re.findall("`+", line)), default=0))
    return "\n".join((f"{fence}rulewright", *shown, fence))
