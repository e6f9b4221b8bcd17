"""Paths of the files that come with the library, and a pause of the garbage collector for large work."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_MOST_UNCOLLECTED = 1_000_000
_uncollected = 0
"""Objects made in pauses since the last collection of all generations, and their limit: without it the cyclic garbage
of each large ruleset would stay until far more objects are made outside of pauses."""


@contextmanager
def no_collections(old_at_once: bool = False) -> Iterator[None]:
    """Pause the garbage collector: looking through what is being made frees nothing, and takes a tenth of the time.

    With `old_at_once` that is not done afterwards either, but only if ever all old objects are looked through: for
    something large that is made once. Where that is not so, they are looked through before the next one is made.
    """
    global _uncollected
    enabled = gc.isenabled()
    if enabled and old_at_once and _uncollected > _MOST_UNCOLLECTED:
        gc.collect()
        _uncollected = 0
    gc.disable()
    try:
        yield
    finally:
        if enabled and old_at_once:
            _uncollected += gc.get_count()[0]
            gc.freeze()
            gc.unfreeze()
        if enabled:
            gc.enable()


_PACKAGE = Path(__file__).resolve().parents[1]
_INSIDE = _PACKAGE / "_share"
_CHECKOUT = _PACKAGE.parent.parent


_IN_DOCS = ("diagnostics", "language", "language.md")


def share(name: str) -> Path:
    """``grammar``, ``schemas``, ``rulesets``, ``diagnostics``, ``language.md`` or ``language`` (its chapters), or a
    file below one of them: of an installed package, or of the checkout."""
    inside = _INSIDE / name
    if inside.exists():
        return inside
    return _CHECKOUT / "docs" / name if name.partition("/")[0] in _IN_DOCS else _CHECKOUT / name
