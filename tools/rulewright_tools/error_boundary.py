"""The boundary around every command: errors for people, exit codes, Ctrl-C and closed pipes. Never a traceback."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from typing import ParamSpec

import typer

import rulewright as rw
from rulewright_tools import extras, signals, streams
from rulewright_tools.console import CommandError, Exit, print_note, show_diagnostics

P = ParamSpec("P")

DEBUG = "RULEWRIGHT_DEBUG"
"""Set in the environment, an error inside Rulewright shows its traceback."""


def guarded(command: Callable[P, Exit]) -> Callable[P, None]:
    """Run `command`, say what went wrong in one place, and leave with its exit code."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        code = outcome(lambda: command(*args, **kwargs))
        raise typer.Exit(signals.exit_code() if code is Exit.INTERRUPTED else int(code))

    # typer reads the signature; the wrapper gives back nothing.
    run.__annotations__ = {**command.__annotations__, "return": None}
    return run


def outcome(action: Callable[[], Exit]) -> Exit:
    """The exit code of an action, whatever happens in it."""
    try:
        return _outcome(action)
    except OSError:  # while an error was reported: there is no reader left
        return Exit.COULD_NOT_RUN
    finally:
        streams.hush()


def _outcome(action: Callable[[], Exit]) -> Exit:
    signals.enter()
    try:
        with rw.interrupts.stopping_at_once():
            code = action()
        sys.stdout.flush()
        return code
    except rw.RulesetError as error:
        show_diagnostics(error.diagnostics)
    except rw.Stopped as error:
        show_diagnostics((error.diagnostic,))
    except CommandError as error:
        print_note(f"error: {error}")
    except KeyboardInterrupt:
        print_note("stopped")
        return Exit.INTERRUPTED
    except BrokenPipeError:
        # The reader has gone (`| head`): that is no error.
        return Exit.FINE
    except RecursionError:
        print_note("error: the rules are nested too deeply to be read")
    except MemoryError:
        print_note("error: out of memory")
    except OSError as error:
        print_note(f"error: {_place(error)}: {error.strerror or error}")
    except (typer.Exit, typer.Abort, typer.BadParameter):
        raise
    except Exception as error:
        sentence = extras.missing_extra(error) if isinstance(error, ModuleNotFoundError) else None
        if sentence is not None:
            print_note(f"error: {sentence}")
            return Exit.COULD_NOT_RUN
        if os.environ.get(DEBUG):
            raise
        print_note(f"error inside Rulewright ({type(error).__name__}: {error}); {DEBUG}=1 shows where")
    return Exit.COULD_NOT_RUN


def _place(error: OSError) -> str:
    """The place of an error of the system that names no file."""
    if error.filename is not None:
        return os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else str(error.filename)
    try:
        os.getcwd()
    except OSError:
        return "the working directory"
    return "output"
