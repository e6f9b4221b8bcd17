"""Several threads that do something at the same time, switched as often as can be."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Barrier, Thread
from time import sleep
from typing import TypeVar

import pytest

from rulewright.engine.evaluator.expressions import Expressions
from rulewright.engine.evaluator.scope import Evaluate, Scope
from rulewright.ir import model as m

T = TypeVar("T")

THREADS = 6


@contextmanager
def often_switched() -> Iterator[None]:
    """Threads lose Python's lock after each few instructions: what they share is met in any state."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def at_once(work: Callable[[int], T], threads: int = THREADS) -> list[T | str]:
    """The results of some work with each number, or the error that it ends with; all begin together."""
    found: list[T | str] = ["nothing"] * threads
    together = Barrier(threads)

    def run(number: int) -> None:
        together.wait()
        try:
            found[number] = work(number)
        except BaseException as error:  # whatever it is, it is told
            found[number] = f"{type(error).__name__}: {error}"

    started = [Thread(target=run, args=(number,)) for number in range(threads)]
    with often_switched():
        for one in started:
            one.start()
        for one in started:
            one.join()
    return found


@pytest.fixture
def _others_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all other threads run while closures are made and cannot be called yet."""
    value = Expressions.value

    def slowly(x: Expressions, e: m.Expr, s: Scope) -> Evaluate:
        made = value(x, e, s)
        if isinstance(e, m.CallQuery | m.Fold | m.Filter):
            sleep(0.0002)
        return made

    monkeypatch.setattr(Expressions, "value", slowly)


def in_turn(work: Callable[[int], T], threads: int = THREADS) -> list[T]:
    """The same work by one thread."""
    return [work(number) for number in range(threads)]
