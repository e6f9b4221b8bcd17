"""Code for every expression."""

from __future__ import annotations

from rulewright.engine.codegen.map_code import MapCode
from rulewright.engine.codegen.scalar_code import ScalarCode
from rulewright.engine.codegen.set_code import SetCode
from rulewright.engine.codegen.zone_code import ZoneCode


class Expressions(ScalarCode, SetCode, ZoneCode, MapCode):
    """A :class:`~rulewright.engine.codegen.statement_writer.Writer` that knows all expressions."""
