"""The expressions of a program: trees that only ask. None of them can change, draw or choose anything."""

from __future__ import annotations

from rulewright.ir.expressions.collections import Collection
from rulewright.ir.expressions.map_queries import MapQuery
from rulewright.ir.expressions.scalars import Scalar
from rulewright.ir.expressions.state_reads import StateRead

Computation = Scalar | Collection | MapQuery
"""Expressions whose value follows from their parts, from locals and from what is printed."""

Expr = StateRead | Computation
