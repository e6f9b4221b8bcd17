"""Names of fields, zones, values and pieces as they stand in a narration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.view_model import Universe

ARROW = "\N{RIGHTWARDS ARROW}"
TIMES = "\N{MULTIPLICATION SIGN}"

MOST = 6
"""Names that are listed before the others are only counted."""


def title(name: str) -> str:
    """A name of the rules as words."""
    return name.replace("_", " ")


def several(names: Sequence[str], most: int = MOST) -> str:
    """Some names, of many only the first and how many more there are."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[: most - 2])} and {len(names) - most + 2} more"


def value_words(value: Any) -> str:
    """A value of a view."""
    if isinstance(value, Mapping):
        return f"{value.get('count', '?')} (hidden)"
    if isinstance(value, list | tuple):
        return several([value_words(one) for one in value]) or "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def pieces_words(name: str, count: int) -> str:
    """Some pieces of one name."""
    return name if count == 1 else f"{count} {TIMES} {name}"


def zone_words(name: str, index: Sequence[str], keys: Sequence[str], universes: Mapping[str, Universe]) -> str:
    """A zone: ``deck``, ``hand of blue``, ``on (5, 6)``."""
    owners: list[str] = []
    rest: list[str] = []
    for universe, key in zip(index, keys, strict=False):
        (owners if universes[universe].sort in ("player", "party") else rest).append(key)
    of = f" of {' and '.join(owners)}" if owners else ""
    return " ".join([f"{title(name)}{of}", *rest])
