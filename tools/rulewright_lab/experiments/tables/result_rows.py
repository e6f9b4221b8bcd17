"""Rows of the small tables: measures and estimates, curves, answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright_lab.experiments.extra_results import ExtraResults
from rulewright_lab.experiments.results import Results

Row = tuple[Any, ...]


def measure_rows(results: Results) -> Iterator[Row]:
    """A row for each measure of each arm, as in :data:`fields.MEASURES`."""
    data = results.data()
    apart = {(one["measure"], one["arm"]): one for one in _rows(data, "differences")}
    for measure in _rows(data, "measures"):
        for one in measure["arms"]:
            low, high = one.get("interval", (None, None))
            yield (
                *(measure["measure"], "mean", measure["unit"], one["arm"], one["games"], one.get("mean"), low, high),
                *(one.get("spread"), one.get("least"), one.get("most")),
                *_difference(apart.get((measure["measure"], one["arm"])), "pairs"),
            )
    apart = {(one["estimate"], one["arm"]): one for one in _rows(data, "estimate_differences")}
    for estimate in _rows(data, "estimates"):
        for one in estimate["arms"]:
            low, high = one["interval"] or (None, None)
            yield (
                *(
                    estimate["estimate"],
                    "estimate",
                    estimate["unit"],
                    one["arm"],
                    one["games"],
                    one["value"],
                    low,
                    high,
                ),
                *(None, None, None),
                *_difference(apart.get((estimate["estimate"], one["arm"])), "games"),
            )


def _difference(one: Any, count: str) -> Row:
    if one is None:
        return (None,) * 8
    low, high = one["interval"] or (None, None)
    effect = one.get("effect", {})
    told = one["difference"], low, high, one[count], effect.get("size"), effect.get("kind")
    return (*told, one["certain"], one["adjusted_p"])


def curve_rows(extra: ExtraResults) -> Iterator[Row]:
    """A row for each point of each curve in each arm, as in :data:`fields.CURVES`."""
    for curve in _rows(extra.data(), "curves"):
        apart = {(one["arm"], point["index"]): point for one in curve["differences"] for point in one["points"]}
        for one in curve["arms"]:
            for point in one["points"]:
                low, high = point["interval"] or (None, None)
                found = apart.get((one["arm"], point["index"]))
                ends = (None, None) if found is None else found["interval"] or (None, None)
                told = (None, None, None, None) if found is None else (found["mean"], *ends, found["games"])
                yield (curve["curve"], one["arm"], point["index"], point["games"], point["mean"], low, high, *told)


def answer_rows(extra: ExtraResults) -> Iterator[Row]:
    """A row for each option of each question in each arm, as in :data:`fields.ANSWERS`."""
    for arm in _rows(extra.data(), "answers"):
        for one in arm["options"]:
            told = one["question"], one["option"], one["games"], one["offered"], one["taken"], one["share"]
            yield (arm["arm"], *told, *one["interval"])


def _rows(data: dict[str, object], key: str) -> list[Any]:
    found: Any = data.get(key, [])
    return list(found)
