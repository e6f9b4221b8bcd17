"""Raw values as numbers, truths and keys."""

from __future__ import annotations

from typing import Any

from rulewright.engine.cells.support import bits_of
from rulewright.engine.runtime.machine import Engine
from rulewright.ir.model import NONE, Ty


def readable(engine: Engine, ty: Ty, raw: Any) -> Any:
    """A raw value for people: keys for members, None for none, tuples for sets and lists."""
    if ty.kind == "bool":
        return raw == 1
    if ty.kind == "int":
        return None if raw == NONE else raw
    if ty.kind == "entity":
        return None if raw == NONE else engine.layout.key(ty.universe, raw)
    members = raw if ty.kind == "list" else bits_of(raw)
    return tuple(i if ty.universe == "Int" else engine.layout.key(ty.universe, i) for i in members)
