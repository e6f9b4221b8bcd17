"""Entry point of the command ``rulewright``."""

from __future__ import annotations

import gc
import sys

from rulewright_tools import extras, signals, streams

_COLLECT = (50_000, 20, 100)
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


if __name__ == "__main__":
    main()
