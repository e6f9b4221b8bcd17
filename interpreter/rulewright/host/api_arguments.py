"""Checks of the arguments that callers pass: each wrong one is one clear error, and nothing is silently converted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from rulewright.diagnostics import Diagnostic, RulesetError

BAD_ARGUMENT = "API001"
LONGEST = 60
"""Characters of a foreign value in a message."""


class ArgumentError(RulesetError, ValueError):
    """An argument of a call is not what it must be: a mistake of the program that calls, not of rules or players."""


def invalid_argument(what: str, given: object, wanted: str, hint: str = "") -> ArgumentError:
    """The error that an argument is not what is wanted."""
    return ArgumentError(Diagnostic(BAD_ARGUMENT, f"{what} cannot be {shortened(given)}: {wanted}", hint=hint))


def shortened(given: object) -> str:
    """Any object at all in a message."""
    try:
        shown = printable(repr(given))
    except Exception:  # numbers of thousands of digits, and what others may have written
        shown = hex(given) if isinstance(given, int) else f"this {type(given).__name__}"
    return shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…"


def printable(given: str) -> str:
    """A text that can be written: halves of characters become escapes."""
    return given.encode(errors="backslashreplace").decode()


def whole(what: str, given: object, least: int | None = None) -> int:
    """A whole number; truths are none, and numbers with a point are none either."""
    if isinstance(given, bool) or not isinstance(given, int) or (least is not None and given < least):
        raise invalid_argument(
            what, given, "it must be a whole number" + (f" of at least {least}" if least is not None else "")
        )
    return int(given)


def duration(what: str, given: object) -> float:
    """Seconds; no end of them is possible, too."""
    try:
        if isinstance(given, int | float) and not isinstance(given, bool) and float(given) > 0:
            return float(given)
    except OverflowError:
        pass  # a whole number of hundreds of digits
    raise invalid_argument(what, given, "it must be a number above 0")


def truth(what: str, given: object) -> bool:
    """True or False."""
    if not isinstance(given, bool):
        raise invalid_argument(what, given, "it must be True or False")
    return given


def text(what: str, given: object) -> str:
    """A text."""
    if not isinstance(given, str):
        raise invalid_argument(what, given, "it must be a text")
    return given


def titles(what: str, given: object) -> tuple[str, ...]:
    """Several texts; a single one is no list of its letters."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise invalid_argument(what, given, "they are a list of titles", f"write `[{shortened(given)}]`")
    return tuple(text(f"one of {what}", one) for one in given)


def place(what: str, given: object) -> str | Path:
    """The path of a file or folder."""
    if not isinstance(given, str | Path):
        raise invalid_argument(what, given, "it must be a name or a path")
    return given


def seat(seats: Sequence[str], player: object) -> int:
    """The number of a player who takes part."""
    if isinstance(player, bool) or not isinstance(player, int):
        known = isinstance(player, str) and player in seats
        hint = f"`{player}` is player {seats.index(str(player))}" if known else ""
        raise invalid_argument("the player", player, f"players are numbered from 0 to {len(seats) - 1}", hint)
    if not 0 <= player < len(seats):
        message = f"there is no player {shortened(player)}: they are numbered from 0 to {len(seats) - 1}"
        raise ArgumentError(Diagnostic(BAD_ARGUMENT, message))
    return int(player)
