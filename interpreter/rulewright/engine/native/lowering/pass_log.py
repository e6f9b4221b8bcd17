"""A note of what each pass has done, and where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from rulewright.engine.native.passes import Passes


class PassLog:
    """The passes that are made, and how often each has found something to do in each rule."""

    def __init__(self, passes: Passes, before: Counter[tuple[str, str, str]]) -> None:
        """Notes of what passes over the program have done `before` come first."""
        self.passes = passes
        self.rule = ""
        """The rule, query or area that is written now."""
        self.done = Counter(before)
        """Rule, pass, and what it was done to (or nothing): how often."""

    def makes(self, name: str) -> bool:
        """True if a pass is made."""
        return name in self.passes

    def note(self, name: str, what: str = "") -> None:
        """A pass has done something here."""
        self.done[self.rule, name, what] += 1

    @contextmanager
    def inside(self, rule: str) -> Iterator[None]:
        """Code of a rule is written."""
        before, self.rule = self.rule, rule
        yield
        self.rule = before
