"""What callers may hand over: each wrong argument is one clear error, and nothing is taken for something else."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.diagnostics import Diagnostic, RulesetError

BAD_ARGUMENT = "RUN015"


class ArgumentError(RulesetError, ValueError):
    """An argument of a call is not what it must be: a mistake of the program that calls, not of rules or players."""


def wrong(what: str, given: object, wanted: str, hint: str = "") -> ArgumentError:
    """The error that an argument is not what is wanted."""
    try:
        shown = repr(given)
    except ValueError:  # a number of thousands of digits
        shown = f"a {type(given).__name__}"
    shown = shown.encode(errors="backslashreplace").decode()
    shown = shown if len(shown) <= 60 else shown[:59] + "…"
    return ArgumentError(Diagnostic(BAD_ARGUMENT, f"{what} cannot be {shown}: {wanted}", hint=hint))


def whole(what: str, given: object, least: int | None = None) -> int:
    """A whole number; truths are none, and numbers with a point are none either."""
    if isinstance(given, bool) or not isinstance(given, int) or (least is not None and given < least):
        raise wrong(what, given, "it must be a whole number" + (f" of at least {least}" if least is not None else ""))
    return int(given)


def truth(what: str, given: object) -> bool:
    """True or False."""
    if not isinstance(given, bool):
        raise wrong(what, given, "it must be True or False")
    return given


def seat(seats: Sequence[str], player: object) -> int:
    """The number of a player who takes part."""
    if isinstance(player, bool) or not isinstance(player, int) or not 0 <= player < len(seats):
        known = ", ".join(f"{number} ({key})" for number, key in enumerate(seats))
        hint = f"`{player}` is {list(seats).index(player)}" if isinstance(player, str) and player in seats else ""
        raise wrong("the player", player, f"there is no player {player!r:.40}, only {known}", hint)
    return int(player)
