"""Bounds of the elements of an observation, from the declarations alone: what a space of arrays says of itself."""

from __future__ import annotations

from array import array
from collections import Counter
from math import inf

from rulewright.engine import Engine
from rulewright.ir import model as m
from rulewright_lab.environment.observation import Observations
from rulewright_lab.environment.value_encoding import Encoding, Number, Places


def observation_bounds(engine: Engine, observations: Observations) -> tuple[array[float], array[float]]:
    """The least and the greatest value of each element: truths are 0 or 1, numbers a fraction of their bound, counts
    come to what there is. Numbers that the rules do not bound are not bounded here either."""
    low, high = array("f", bytes(4 * observations.size)), array("f", [1.0]) * observations.size
    pieces = engine.layout.universes["Piece"].keys if "Piece" in engine.layout.universes else ()
    alike = Counter(pieces)
    for part, written, _, field in observations.fields.values():
        told = [(0.0, 1.0)] * (part.shape[1] - written.width) + _of_value(field.ty, written, alike)
        for column, (least, most) in enumerate(told):
            rows = slice(part.offset + column, part.offset + part.size, part.shape[1])
            low[rows], high[rows] = (array("f", [end]) * part.shape[0] for end in (least, most))
    for zone in engine.program.zones:
        part = observations.zones[zone.name][0]
        for column, key in enumerate(part.columns):
            rows = slice(part.offset + column, part.offset + part.size, part.shape[1])
            most = min(zone.capacity, alike[key]) if column > 1 else zone.capacity if column else 1
            high[rows] = array("f", [most]) * part.shape[0]
    return low, high


def _of_value(ty: m.Ty, written: Encoding, alike: Counter[str]) -> list[tuple[float, float]]:
    """The bounds of the elements of one value."""
    if isinstance(written, Places):
        return _of_value(ty, written.item, alike) * written.capacity
    if isinstance(written, Number):
        if ty.low > -m.INT_MAX and ty.high < m.INT_MAX:
            return [(min(0.0, ty.low / written.unit), max(0.0, ty.high / written.unit))]
        return [(min(0.0, ty.low / written.unit) if ty.low > -m.INT_MAX else -inf, inf)]
    if ty.kind == "list":
        return [(0.0, float(ty.capacity))] * written.width
    if ty.kind == "set" and ty.universe == "Piece":
        return [(0.0, float(alike[key])) for key in written.labels()]
    return [(0.0, 1.0)] * written.width


__all__ = ["observation_bounds"]
