"""Figures and letters, as the reports of experiments have them."""

from __future__ import annotations

_SPOKEN = {
    "decisions": "the number of decisions",
    "moves": "the number of moves",
    "options": "the number of options",
    "forced": "the share of forced decisions",
    "ties": "the share of ties",
    "unfinished": "the share of unfinished games",
    "failed": "the share of failed games",
}


def spoken(measure: str) -> str:
    """A measure as sentences name it."""
    return _SPOKEN.get(measure, measure)


def letter(number: int) -> str:
    """The letter of an arm: ``A``, and after ``Z`` ``A1``."""
    return chr(ord("A") + number % 26) + (str(number // 26) if number > 25 else "")


def figure(number: float, unit: str, signed: bool = False) -> str:
    """A number of a measure, as short as it is clear."""
    sign = "+" if signed else ""
    number += 0.0
    if unit == "share":
        return f"{100 * number:{sign}.1f} %"
    if unit == "elo":
        return f"{round(number) + 0:{sign}d}"
    if unit == "log10" and not signed:
        return f"10^{number:.1f}"
    if unit == "seconds":
        return f"{number:{sign}.3g} s"
    return f"{number:{sign}.1f}" if abs(number) >= 100 else f"{number:{sign}.2f}"
