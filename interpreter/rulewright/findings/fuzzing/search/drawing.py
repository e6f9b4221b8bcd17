"""Hypothesis draws the numbers of the smallest game that still goes wrong.

A player may raise :class:`~rulewright.findings.fuzzing.deadlines.OutOfTime`, which ends the run of Hypothesis at once.

Only this module needs Hypothesis, which is an extra: import it where games are drawn, not at the top of a module.
Each decision is one draw of Hypothesis, so that it shrinks the length of a game and its answers together.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import strategies as st
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.database import ExampleDatabase, choices_to_bytes
from hypothesis.errors import HypothesisException
from hypothesis.internal.conjecture import providers

from rulewright.findings.fuzzing.deadlines import OutOfTime
from rulewright.findings.fuzzing.search.players import Pick

_LOW = 7**14 + 5
"""Numbers are drawn from here on. Hypothesis likes to try numbers that stand in the source code of its caller; with
other code the same seed would give other games."""

_strategies: dict[int, st.SearchStrategy[int]] = {}


class _Hit(Exception):
    """A game has gone wrong: for Hypothesis a test that fails."""


def smallest(fails: Callable[[Pick], bool], numbers: Sequence[int]) -> None:
    """Try ever smaller games, beginning with one of which `fails` is known to be true; `fails` keeps the best."""

    @settings(_QUIET, max_examples=1, phases=(Phase.reuse, Phase.shrink), database=_Known(numbers))
    @given(st.data())
    def game(data: st.DataObject) -> None:
        with stops.noted():
            failed = fails(_pick(data))
        if failed:
            raise _Hit

    stops = _Stops()
    _run(game, stops)


_QUIET = settings(
    database=None,
    deadline=None,
    verbosity=Verbosity.quiet,
    print_blob=False,
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
)


def _pick(data: st.DataObject) -> Pick:
    def pick(size: int) -> int:
        if size == 1:
            return 0
        if size not in _strategies:
            _strategies[size] = st.integers(_LOW, _LOW + size - 1)
        return data.draw(_strategies[size]) - _LOW

    return pick


class _Stops:
    """Exceptions that stop a run: no failure of a game, so Hypothesis lets them through.

    All but once: if the smallest game is cut off when it is played for the last time, it is called flaky.
    """

    def __init__(self) -> None:
        self.stop: BaseException | None = None

    @contextmanager
    def noted(self) -> Iterator[None]:
        try:
            yield
        except (OutOfTime, KeyboardInterrupt) as stop:
            self.stop = stop
            raise


def _run(game: Callable[[], None], stops: _Stops) -> None:
    with _no_folder(), _no_constants(), suppress(_Hit, HypothesisException):
        game()
    if stops.stop is not None:
        raise stops.stop


@contextmanager
def _no_folder() -> Iterator[None]:
    """Discard whatever Hypothesis wants to store."""
    with tempfile.TemporaryDirectory() as folder:
        set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            set_hypothesis_home_dir(None)


_READ_CONSTANTS = "_get_local_constants"


@contextmanager
def _no_constants() -> Iterator[None]:
    """Spare Hypothesis to parse all sources that are no installed packages, for numbers that stand there: it takes
    seconds in each process, and the numbers drawn here are larger (`_LOW`)."""
    read, known = getattr(providers, _READ_CONSTANTS, None), getattr(providers, "_local_constants", None)
    if read is None or known is None:
        yield
        return
    setattr(providers, _READ_CONSTANTS, lambda: known)
    try:
        yield
    finally:
        setattr(providers, _READ_CONSTANTS, read)


class _Known(ExampleDatabase):
    """A database that knows just one game: that is how Hypothesis is handed one to be made smaller."""

    def __init__(self, numbers: Sequence[int]) -> None:
        super().__init__()
        self._bytes = choices_to_bytes([_LOW + number for number in numbers])

    def fetch(self, key: bytes) -> Iterable[bytes]:
        """The game, as one that has not been made smaller yet."""
        return [self._bytes] if key.endswith(b".secondary") else []

    def save(self, key: bytes, value: bytes) -> None:
        """Keep nothing."""

    def delete(self, key: bytes, value: bytes) -> None:
        """Throw nothing away."""
