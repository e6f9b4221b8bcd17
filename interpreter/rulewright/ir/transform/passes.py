"""Passes of the optimiser by name: the class of them, and those that rewrite a program before an engine has it."""

from __future__ import annotations

from rulewright.foundation.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Pass:
    """A pass of the optimiser."""

    name: str
    summary: str
    """A summary in a few words, for people."""
    file: str
    """The file that does it, in the package."""


FIRST = (
    Pass("tables", "a query of what is printed is worked out before the game", "ir/transform/tables.py"),
    Pass("inlining", "short queries are written where they are asked", "ir/transform/inlining.py"),
    Pass("emptiness", "a set that is asked whether it is empty is not made", "ir/transform/existence_tests.py"),
    Pass("floods", "a flood that is asked for one place stops at the first", "ir/transform/existence_tests.py"),
    Pass("rays", "places in one direction are a set that is known", "ir/transform/rays.py"),
    Pass("records", "earlier positions are compared block by block", "ir/transform/optimizer.py"),
    Pass("unswitching", "what does not depend on the members of a set is asked once", "ir/transform/unswitching.py"),
    Pass("masks", "conditions on the members of a set are asked of all members at once", "ir/transform/masks.py"),
    Pass("repeats", "what is asked again in one condition is asked once", "ir/transform/repeats.py"),
)
"""Passes over the program, in the order in which they are made: both engines make them."""
SHARED = frozenset(one.name for one in FIRST)
