"""Paths of the files that come with the library, and a pause of the garbage collector for large work."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def no_collections(old_at_once: bool = False) -> Iterator[None]:
    """Pause the garbage collector: looking through what is being made frees nothing, and takes a tenth of the time.

    With `old_at_once` that is not done afterwards either, but only if ever all old objects are looked through: for
    something large that is made once, as otherwise what is no longer needed stays too long.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled and old_at_once:
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
