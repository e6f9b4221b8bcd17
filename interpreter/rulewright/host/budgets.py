"""Budgets of what the rules may spend: steps for each answer, totals, a deadline, cancellation.

Steps are deterministic: where they end, every process ends, with the same error of the rules. The clock and
cancellation are not; they raise :class:`Stopped`, which is no error of the rules, and which nothing in the engine
catches, so that no result can depend on them. Limits are laid down here; the engine's meters keep to them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import ParamSpec, Protocol, TypeVar

from rulewright.diagnostics import Diagnostic
from rulewright.host.api_arguments import duration, invalid_argument, whole

STEPS = 1_500_000
"""Steps that may follow one answer."""

TOTAL = 1_000_000_000
"""Steps of a whole playout."""

DECISIONS = 100_000
"""Decisions of a whole playout."""

MOST_STEPS = 10**12
"""No budget of one answer is larger: it would last for days."""

DEEPEST = 100_000
"""Integers on the stack: so deep no sensible call goes."""

SEVERAL, MANY = 4, 16
"""Budgets of one answer that one question of the host may take which asks the rules several or many things."""

STEPS_SPENT, TOTAL_SPENT, LATE, CANCELLED = "RUN006", "RUN015", "RUN016", "RUN017"
SPENT = (STEPS_SPENT, TOTAL_SPENT)

P = ParamSpec("P")
T = TypeVar("T")


class Cancellation(Protocol):
    """True once the host wants the rules to stop; a :class:`threading.Event` does."""

    def is_set(self) -> bool:
        """True if it is to stop."""


class Stopped(Exception):
    """The host's deadline has passed, or it has cancelled what was running. States made before are as good as ever."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        self.diagnostic = diagnostic
        super().__init__(diagnostic)

    def __str__(self) -> str:
        return f"[{self.diagnostic.code}] {self.diagnostic.message}"


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on what rules may spend; see :func:`limited`. Equal steps, equal games; `seconds` and `cancel` stop at any
    time.
    """

    steps: int | None = None
    """Steps that may follow one answer, or that one question to a state may take (``RUN006``): :data:`STEPS` if nobody
    says otherwise."""
    total: int | None = None
    """Steps of everything together (``RUN015``). A playout has :data:`TOTAL` at most, whatever stands here."""
    decisions: int | None = None
    """Decisions of a playout: one that is not over then is stopped, and not finished; :data:`DECISIONS` if nobody says
    otherwise."""
    depth: int = DEEPEST
    """Integers on the stack of a state (``RUN010``)."""
    seconds: float | None = None
    """So long it may take (``RUN016``)."""
    cancel: Cancellation | None = field(default=None, compare=False)
    """Looked at all the time; as soon as it is set, everything stops (``RUN017``)."""

    def __post_init__(self) -> None:
        for name, most in (("steps", MOST_STEPS), ("total", None), ("decisions", None), ("depth", DEEPEST)):
            value = getattr(self, name)
            if value is not None or name == "depth":
                whole(f"the limit `{name}`", value, least=1)
                if most is not None and value > most:
                    raise invalid_argument(f"the limit `{name}`", value, f"it must be {most} at most")
        if self.seconds is not None:
            duration("the limit `seconds`", self.seconds)
        if self.cancel is not None and not callable(getattr(self.cancel, "is_set", None)):
            raise invalid_argument("the limit `cancel`", self.cancel, "it must be an event, as of `threading`")


class Pool:
    """Steps that several runs have together."""

    __slots__ = ("code", "left", "message")

    def __init__(self, steps: int, code: str, message: str) -> None:
        self.left = steps
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class Scope:
    """The limits that are in force, those of all scopes around it included."""

    steps: int = STEPS
    decisions: int = DECISIONS
    depth: int = DEEPEST
    explicit: frozenset[str] = frozenset()
    """The limits among `steps` and `decisions` that were set explicitly: an inner scope may only make them tighter."""
    pools: tuple[Pool, ...] = ()
    until: float | None = None
    """The time at which to stop, by the monotonic clock."""
    seconds: float = 0
    cancel: tuple[Cancellation, ...] = ()

    def look(self) -> None:
        """Stop if the host wants it or time is up."""
        for cancel in self.cancel:
            if cancel.is_set():
                raise Stopped(Diagnostic(CANCELLED, "stopped because it was cancelled"))
        if self.until is not None and time.monotonic() > self.until:
            raise Stopped(Diagnostic(LATE, f"stopped at the deadline, after {self.seconds:g} seconds"))

    def inside(self, limits: Limits) -> Scope:
        """The scope of limits that are laid down in this one: no limit becomes looser."""
        until, seconds = self.until, self.seconds
        if limits.seconds is not None and (until is None or time.monotonic() + limits.seconds < until):
            until, seconds = time.monotonic() + limits.seconds, limits.seconds
        pools = self.pools
        if limits.total is not None:
            message = f"in total, the rules took more than {limits.total} steps"
            pools = (*pools, Pool(limits.total, TOTAL_SPENT, message))
        steps, decisions = self.steps, self.decisions
        if limits.steps is not None:
            steps = min(steps, limits.steps) if "steps" in self.explicit else limits.steps
        if limits.decisions is not None:
            decisions = min(decisions, limits.decisions) if "decisions" in self.explicit else limits.decisions
        given = {name for name in ("steps", "decisions") if getattr(limits, name) is not None}
        return Scope(
            steps,
            decisions,
            min(self.depth, limits.depth),
            self.explicit | given,
            pools,
            until,
            seconds,
            (*self.cancel, limits.cancel) if limits.cancel is not None else self.cancel,
        )

    def sharing(self, pool: Pool) -> Scope:
        """A copy of the scope with one more pool from which all that runs in it is paid."""
        return replace(self, pools=(*self.pools, pool))


_OPEN = Scope()
_scope: ContextVar[Scope] = ContextVar("limits", default=_OPEN)


def scope() -> Scope:
    """The limits that are in force here."""
    return _scope.get()


@contextmanager
def _entered(inner: Scope) -> Iterator[Scope]:
    token = _scope.set(inner)
    try:
        yield inner
    finally:
        _scope.reset(token)


@contextmanager
def limited(limits: Limits) -> Iterator[None]:
    """Let rules run under limits: all calls of games and states inside the ``with`` block, in this thread.

    with rw.limited(rw.Limits(steps=50_000, seconds=2.0, cancel=event)):
        state = state.choose(answer)
        seen = state.view(0)

    Limits that are already in force stay so, the tighter ones count; those that are not given, the usual million
    steps of an answer and 100,000 decisions of a playout, may also become looser. `seconds` and `total` are counted
    from the beginning of the block. RulesetError when steps are spent, :class:`Stopped` at the deadline and when
    cancelled.
    """
    if not isinstance(limits, Limits):
        raise invalid_argument("limits", limits, "make them with `rw.Limits(…)`")
    with _entered(scope().inside(limits)):
        yield


@contextmanager
def shared_pool(steps: int, code: str, message: str) -> Iterator[Pool]:
    """All runs inside share so many steps."""
    pool = Pool(steps, code, message)
    with _entered(scope().sharing(pool)):
        yield pool


@dataclass(frozen=True, slots=True)
class BudgetSnapshot:
    """The limits that are in force, for another process: without what cannot be shared, totals and cancellation."""

    steps: int
    decisions: int
    depth: int
    explicit: frozenset[str]
    until: float | None
    """By the monotonic clock, which all processes of a machine share and which is never set."""
    seconds: float


def export_budget() -> BudgetSnapshot:
    """The limits that are in force here, to be given to a process that plays for this one."""
    here = scope()
    return BudgetSnapshot(here.steps, here.decisions, here.depth, here.explicit, here.until, here.seconds)


def time_left() -> float | None:
    """The seconds until the deadline that is in force here; None if there is none."""
    until = scope().until
    return None if until is None else until - time.monotonic()


def adopt_budget(handed: BudgetSnapshot) -> None:
    """Put the limits of another process in force in this one, for good."""
    _scope.set(Scope(handed.steps, handed.decisions, handed.depth, handed.explicit, (), handed.until, handed.seconds))


def shared_budget(times: int = 1) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """For a function that asks the rules many things: all of them share so many budgets of one answer."""

    def wrap(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def run(*args: P.args, **kwargs: P.kwargs) -> T:
            steps = scope().steps * times
            with shared_pool(steps, STEPS_SPENT, f"no answer was found in {steps} steps"):
                return function(*args, **kwargs)

        return run

    return wrap
