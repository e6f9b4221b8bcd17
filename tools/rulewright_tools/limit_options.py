"""``--budget`` and ``--deadline``: the limits under which a command lets rules run."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any, ParamSpec

import typer

import rulewright as rw
from rulewright_tools.console import Exit

P = ParamSpec("P")

Budget = Annotated[
    int | None,
    typer.Option(
        "--budget",
        min=1,
        max=10**12,
        metavar="STEPS",
        help="Steps that the rules may take for one answer; one and a half million if not given.",
    ),
]
Deadline = Annotated[
    float | None, typer.Option("--deadline", min=0.001, metavar="SECONDS", help="Stop after this time, with an error.")
]

BUDGET = inspect.Parameter("budget", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Budget)
DEADLINE = inspect.Parameter("deadline", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Deadline)


def budgeted(command: Callable[P, Exit]) -> Callable[..., Exit]:
    """Give a command the option ``--budget``."""
    return _with(command, BUDGET)


def limited(command: Callable[P, Exit]) -> Callable[..., Exit]:
    """Give a command the options ``--budget`` and ``--deadline``."""
    return _with(command, BUDGET, DEADLINE)


def limits(budget: int | None, deadline: float | None) -> rw.Limits:
    """The limits that these options mean."""
    return rw.Limits(seconds=deadline) if budget is None else rw.Limits(steps=budget, seconds=deadline)


def _with(command: Callable[P, Exit], *options: inspect.Parameter) -> Callable[..., Exit]:
    @functools.wraps(command)
    def run(*args: Any, budget: int | None = None, deadline: float | None = None, **kwargs: Any) -> Exit:
        with rw.limited(limits(budget, deadline)):
            return command(*args, **kwargs)

    # typer reads the signature and the annotations.
    signature = inspect.signature(command, eval_str=True)
    parameters = [*signature.parameters.values(), *options]
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {**command.__annotations__, **{one.name: one.annotation for one in options}}
    return run
