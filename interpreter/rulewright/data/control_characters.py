"""Characters that are not seen, in data files: no name, title or key may hold one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from rulewright.data.json_positions import Json, JsonPath, JsonText, show_path
from rulewright.diagnostics import Diagnostic, Span
from rulewright.foundation.characters import UNSEEN, code_point

PROSE = frozenset(
    "about basis check effect guess note question reason ruling source sources statement".split()  # noqa: SIM905
)
"""Keys and columns under which people write to each other: there, and only there, a text may have several lines."""

_SUSPECT = re.compile(rf"(?![\n\r\t]){UNSEEN.pattern}|\\[bfnrtu]")
"""In the text of a JSON file: something that could be one of them, or an escape for it."""


def unseen(source: JsonText, most: int = 20) -> list[Diagnostic]:
    """Findings about the first of such characters in a file; quick where there is none."""
    if not _SUSPECT.search(source.text):
        return []
    return [
        finding(text, source.span(path, key=on_key), show_path(path))
        for path, text, on_key in islice(_texts(source.value, (), prose=False), most)
    ]


def holds(text: str, *, prose: bool) -> bool:
    """True if there is such a character in a text."""
    return any(not prose or found[0] not in "\n\t" for found in UNSEEN.finditer(text))


def finding(text: str, span: Span, path: str = "") -> Diagnostic:
    """The diagnostic for a text that holds one."""
    first = next((found[0] for found in UNSEEN.finditer(text) if found[0] not in "\n\t"), "\n")
    what = "a line end or tab" if first == "\n" else f"the character {code_point(first)}"
    hint = "write it in one line" if first == "\n" else "leave it out"
    return Diagnostic("DAT009", f"this text contains {what}, which cannot be seen", span, hint=hint, path=path)


def _texts(value: Json, path: JsonPath, *, prose: bool) -> Iterator[tuple[JsonPath, str, bool]]:
    """Texts that hold such a character, and whether they are keys."""
    if isinstance(value, str):
        if holds(value, prose=prose):
            yield path, value, False
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _texts(item, (*path, number), prose=prose)
    elif isinstance(value, dict):
        for key, item in value.items():
            if holds(key, prose=False):
                yield (*path, key), key, True
            yield from _texts(item, (*path, key), prose=prose or key in PROSE)
