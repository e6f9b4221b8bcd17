"""Further types of playing: dice, log entries, whole games, games in place, reasons, engines, how a game is stopped.

The functions of the library give and take these; most programs need none of them by name.
"""

from __future__ import annotations

from rulewright.budgets import Cancellation
from rulewright.compiler import OptionValue
from rulewright.engine import (
    PUBLIC,
    Batch,
    Dice,
    EngineName,
    Heard,
    LogEntry,
    Played,
    Playouts,
    Reason,
    Snapshot,
    Stepper,
    Watch,
    native_engine,
)

__all__ = [
    "PUBLIC",
    "Batch",
    "Cancellation",
    "Dice",
    "EngineName",
    "Heard",
    "LogEntry",
    "OptionValue",
    "Played",
    "Playouts",
    "Reason",
    "Snapshot",
    "Stepper",
    "Watch",
    "native_engine",
]
