"""Figures and letters, as the reports of experiments have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


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


BARS = "▁▂▃▄▅▆▇█"
WIDTH = 8


def sparkline(values: Sequence[float | None]) -> str:
    """Numbers as bars between the least and the greatest of them; a gap where there is none."""
    known = [value for value in values if value is not None and value == value]
    if not known:
        return ""
    low, high = min(known), max(known)
    scale = (len(BARS) - 1) / (high - low) if high > low else 0.0
    return "".join(" " if value is None or value != value else BARS[round((value - low) * scale)] for value in values)


def histogram(counts: Mapping[float, int], low: float, high: float, width: int = WIDTH) -> str:
    """The shares of games in bins between two ends as bars: where nothing fell there is a gap."""
    if not counts or high <= low:
        return ""
    bins = [0] * width
    for value, games in counts.items():
        bins[min(width - 1, int((value - low) / (high - low) * width))] += games
    most = max(bins)
    return "".join(" " if not games else BARS[round(games / most * (len(BARS) - 1))] for games in bins)
