"""A pause of the garbage collector, for work that makes many objects and no cycles of them."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


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


__all__ = ["no_collections"]
