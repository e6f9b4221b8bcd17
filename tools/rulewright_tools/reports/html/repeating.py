"""Repetition of what a page reports: the command, seeds, versions, and digests of the rules."""

from __future__ import annotations

import platform
import shlex
from collections.abc import Iterable
from typing import Any

import typer

import rulewright as rw
from rulewright_tools.reports.html.parts import Html, element, terms

_NOT_SAID = frozenset({"output", "format", "jobs", "keep"})
"""Parameters that change no figure."""


def command_line(context: typer.Context) -> str:
    """The command that runs, with all that was given to it but how it is reported."""
    words = ["rulewright", context.info_name or ""]
    for parameter in context.command.params:
        name = parameter.name or ""
        source = context.get_parameter_source(name)
        if name not in _NOT_SAID and name in context.params and source is not None and source.name != "DEFAULT":
            words += _given(parameter, context.params[name])
    return shlex.join(words)


def _given(parameter: Any, value: object) -> list[str]:
    """A parameter as it was given."""
    each = [_word(one) for one in (value if isinstance(value, list | tuple) else [value])]
    if parameter.param_type_name == "argument":
        return each
    if parameter.is_flag:
        return [parameter.opts[0]]
    return [word for one in each for word in (parameter.opts[0], one)]


def _word(value: object) -> str:
    return str(getattr(value, "value", value))


def repeating(command: str, games: Iterable[tuple[str, rw.Game]], seeds: str) -> Html:
    """The part of a page with the command that gives the same figures."""
    digests = {name: element("code", game.digest[:16]) for name, game in games}
    return Html(
        element("pre", element("code", command))
        + terms(
            {
                "Seeds": seeds,
                "Rulewright": rw.__version__,
                "Python": platform.python_version(),
                **{f"Rules of {name}": digest for name, digest in digests.items()},
            }
        )
    )
