"""``--time``: how long a command may take."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any, ParamSpec

import rulewright as rw
from rulewright_tools.console import Exit
from rulewright_tools.vocabulary import named

P = ParamSpec("P")

Time = Annotated[float | None, named("--time", min=0.001)]
TIME = inspect.Parameter("time", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Time)


def limited(command: Callable[P, Exit]) -> Callable[..., Exit]:
    """Give a command the option ``--time``: what is not done by then stops with an error."""

    @functools.wraps(command)
    def run(*args: Any, time: float | None = None, **kwargs: Any) -> Exit:
        with rw.limited(rw.Limits(seconds=time)):
            return command(*args, **kwargs)

    # typer reads the signature and the annotations.
    signature = inspect.signature(command, eval_str=True)
    parameters = [*signature.parameters.values(), TIME]
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {**command.__annotations__, "time": Time}
    return run
