"""Ranges: a test of a bound is left out where it is known to hold."""

from __future__ import annotations

from rulewright.engine.native.lowering.pass_log import PassLog
from rulewright.engine.native.values import Value


def known_within(log: PassLog, v: Value, low: int, high: int) -> bool:
    """True if a number that is not none surely lies within bounds."""
    if not log.makes("ranges") or v.low < low or v.high > high:
        return False
    log.note("ranges")
    return True


def known_not(log: PassLog, v: Value, number: int) -> bool:
    """True if a number surely is another one."""
    if not log.makes("ranges") or v.low <= number <= v.high:
        return False
    log.note("ranges")
    return True
