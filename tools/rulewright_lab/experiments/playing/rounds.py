"""Rounds of games: those that a journal has come from there, the others are played, and kept there.

Which games a round has may follow from the results of those before. As these are the same with any workers, the journal
of an interrupted search is its beginning: each round takes from it what it has, and only the last one is not whole
there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from types import TracebackType

from rulewright.host import Jobs, OrderedMap, worker_pool
from rulewright_lab.experiments.columns.portion_columns import PortionColumns
from rulewright_lab.experiments.journal import Identity, Journal
from rulewright_lab.experiments.playing.portions import Cutter, Listed, Portion, PortionPlayer

Columns = tuple[PortionColumns, float]


class Rounds:
    """Pool of players, and the journal if there is one, while it is entered."""

    def __init__(
        self,
        player: PortionPlayer,
        seeds: range,
        jobs: Jobs = 1,
        journal: str | Path | None = None,
        identity: Identity | None = None,
    ) -> None:
        """All games have some of these `seeds`. RulesetError if the journal is of something else than `identity`."""
        self._player, self._seeds, self._jobs = player, seeds, jobs
        self._in_order: OrderedMap[Portion, Columns] | None = None
        self._journal = None if journal is None else Journal(journal, identity or {})
        self._kept = None if self._journal is None else self._journal.portions()
        self._new, self._whole = False, True
        self._stack = ExitStack()

    def __enter__(self) -> Rounds:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._whole and error is None:
            kind, error = GeneratorExit, GeneratorExit()  # what is still played ahead is not awaited
        try:
            self._stack.__exit__(kind, error, trace)
        finally:
            if self._journal is not None and self._kept is not None:
                self._kept.close()
                self._journal.close()

    def round(self, portions: Cutter | Listed) -> Iterator[tuple[int, PortionColumns]]:
        """The games of a round with their arms, each arm's in the order of their seeds."""
        self._whole = False
        while portions.left and (kept := self._next_kept()) is not None:
            arm, columns = kept
            if not portions.had(arm, columns.seeds):
                raise self._unasked(columns)
            yield arm, columns
        if portions.left:
            self._new = True
            if self._in_order is None:
                self._in_order = self._stack.enter_context(worker_pool(self._player, self._jobs, self._player.name))
            with closing(self._in_order(portions.next)) as found:
                for portion, (columns, seconds) in found:
                    portions.took(portion, seconds)
                    yield portion.arm, columns
        self._whole = True

    def keep(self, arm: int, columns: PortionColumns) -> None:
        """Note a portion in the journal, unless it is from there."""
        if self._journal is not None and self._new:
            self._journal.add(arm, columns)

    def finish(self) -> None:
        """See that the journal has no more; RulesetError if it has."""
        if (kept := self._next_kept()) is not None:
            raise self._unasked(kept[1])

    def _next_kept(self) -> tuple[int, PortionColumns] | None:
        return None if self._kept is None else next(self._kept, None)

    def _unasked(self, columns: PortionColumns) -> Exception:
        """The error of a portion of the journal that was not requested."""
        assert self._journal is not None, "it is from there"
        beyond = columns.seeds.stop > self._seeds.stop
        return self._journal.too_long(len(self._seeds)) if beyond else self._journal.damaged()
