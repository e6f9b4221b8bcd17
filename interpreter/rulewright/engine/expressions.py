"""Code for every expression."""

from __future__ import annotations

from rulewright.engine.map_code import MapCode
from rulewright.engine.scalar_code import ScalarCode
from rulewright.engine.set_code import SetCode
from rulewright.engine.zone_code import ZoneCode


class Expressions(ScalarCode, SetCode, ZoneCode, MapCode):
    """A :class:`~rulewright.engine.writer.Writer` that knows all expressions."""
