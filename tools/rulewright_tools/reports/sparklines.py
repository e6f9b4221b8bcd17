"""Sparklines: a row of numbers as bars one character wide (E. Tufte, *Beautiful Evidence*, 2006)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
