"""One job in a worker of its own: the command as it runs in a terminal, with streams that the page hears."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable

from rulewright_tools.cli import main
from rulewright_tools.progress import VARIABLE
from rulewright_tools.studio.browser.exported_files import OwnFiles
from rulewright_tools.studio.browser.job_workers import BROKEN, CODE, ERROR, OUT
from rulewright_tools.studio.host.jobs.job import WIDTH

COMMANDS = "rulewright_tools.commands"


class _Stream(io.TextIOBase):
    """A standard stream whose text is handed on, line by line: a line stays whole."""

    encoding = "utf-8"  # of a stream that can write every letter

    def __init__(self, send: Callable[[str], object]) -> None:
        super().__init__()
        self._send = send
        self._kept = ""

    def write(self, text: str, /) -> int:
        """Hand on all whole lines."""
        whole, end, rest = (self._kept + text).rpartition("\n")
        self._kept = rest
        if end:
            self._send(whole + end)
        return len(text)

    def writable(self) -> bool:
        """True: the stream is never closed."""
        return True

    def end_line(self) -> None:
        """Hand on what is no whole line."""
        if self._kept:
            self._send(self._kept)
            self._kept = ""


def run(folder: str, words: str, files: str, send: Callable[[str, str], object]) -> None:
    """Run a command on the rulesets of an export and the player's own files, and say what comes of it."""
    os.chdir(OwnFiles(folder, json.loads(files)).folder)
    os.environ |= {VARIABLE: "json", "COLUMNS": WIDTH, "NO_COLOR": "1"}
    out, error = _Stream(lambda text: send(OUT, text)), _Stream(lambda text: send(ERROR, text))
    sys.stdout, sys.stderr = out, error
    sys.argv = ["rulewright", *json.loads(words)]
    try:
        main()
        code: object = 0
    except SystemExit as end:
        code = end.code or 0
    except Exception as wrong:
        send(BROKEN, f"error inside Rulewright ({type(wrong).__name__}: {wrong})\n")
        return
    out.end_line()
    error.end_line()
    send(CODE, str(code if isinstance(code, int) else 2))
