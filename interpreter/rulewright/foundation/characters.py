"""Characters that no name may hold, and text that can be shown anywhere.

Titles, keys and log entries come from rulesets and saves of strangers. A control character among them could steer
a terminal, a bidirectional one could make a line read otherwise than it is, and XML cannot even write some. They
are refused where names are read, and whatever is written for people goes through :func:`printable`.
"""

from __future__ import annotations

import re

UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # control characters
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # the direction of text
    "\u2028\u2029\ufff9-\ufffb\ufffe\uffff\ud800-\udfff]"  # line ends, annotations, and what is no character
)

_IN_LINES = re.compile(rf"(?!\n|\t|\r\n){UNSEEN.pattern}")


def printable(text: str, *, lines: bool = False) -> str:
    """Text that does nothing but stand there: ``␛`` for an escape, ``�`` for what has no picture.

    A tab becomes four spaces and a line end is shown, too, unless the text may have several `lines`.
    """
    return (_IN_LINES if lines else UNSEEN).sub(lambda found: _picture(found[0]), text)


def _picture(character: str) -> str:
    number = ord(character)
    if character == "\t":
        return "    "
    return chr(0x2400 + number) if number < 0x20 else "\u2421" if number == 0x7F else "\ufffd"


def code_point(character: str) -> str:
    """A character that is not seen, as messages name it: ``U+001B``."""
    return f"U+{ord(character):04X}"
