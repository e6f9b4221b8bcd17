"""Entry point of the command ``rulewright``."""

from __future__ import annotations

import atexit
import gc
import os
import sys
import threading
from typing import NoReturn

from rulewright_tools import extras, signals, streams

_COLLECT = (50_000, 50, 100)
"""Thresholds of the garbage collector: trees and programs live until the end, so looking through them frees nothing."""


def main() -> None:
    """Run the command. The tools are imported in here, so that Ctrl-C is one line from the first moment on."""
    try:
        gc.set_threshold(*_COLLECT)
        signals.listen()
        streams.complete()
        for stream in (sys.stdout, sys.stderr):
            # Names of pieces may hold any letter; a terminal that cannot show one must not stop the program.
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure is not None:
                reconfigure(errors="replace")
        try:
            from rulewright_tools.app import app

            app()
        except ModuleNotFoundError as error:  # of the app, or of a command, which is imported when it is called
            sentence = extras.missing_extra(error)
            if sentence is None:
                raise
            print(f"error: {sentence}", file=sys.stderr)
            sys.exit(2)
        except SystemExit as end:
            if signals.early(end.code):
                signals.leave()
            raise
    except KeyboardInterrupt:
        signals.leave()


def run() -> NoReturn:
    """Run the command and end the process, without first taking apart all that it has made: that takes a while."""
    try:
        main()
    except SystemExit as end:
        code = end.code
    else:
        code = 0
    others = [one for one in threading.enumerate() if one is not threading.main_thread() and not one.daemon]
    if not isinstance(code, int | None) or others or "multiprocessing" in sys.modules:
        gc.freeze()  # what is looked through when Python ends
        sys.exit(code)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            sys.exit(code)
    os._exit(code or 0)


if __name__ == "__main__":
    run()
