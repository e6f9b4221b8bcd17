"""Functions that are part of a module if anybody calls them: methods, written when their number is asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Protocol, cast

from rulewright.engine.native.webassembly.encoding import Type
from rulewright.engine.native.webassembly.module import Module
from rulewright.engine.native.webassembly.terms import VOID


class _Owner(Protocol):
    @property
    def module(self) -> Module:
        """The module that they are written into."""


def function(part: str, *params: Type, gives: Type = VOID) -> Callable[[Callable[..., None]], cached_property[int]]:
    """The number of a function with such parameters and result, whose body the method writes: it is given the body and
    the parameters. Profiles count its work under `part`."""
    results = () if gives is VOID else (gives,)

    def decorated(write: Callable[..., None]) -> cached_property[int]:
        def number(owner: _Owner) -> int:
            found = owner.module.declare(params, results)
            with owner.module.writing(found, part) as (body, given):
                write(owner, body, *given)
            return found

        number.__doc__ = write.__doc__
        return cast("cached_property[int]", cached_property(number))

    return decorated
