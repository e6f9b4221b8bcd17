"""The standard input as a stream of messages that can be given up."""

from __future__ import annotations

import os
import socket
import threading
from contextlib import suppress
from typing import BinaryIO

from rulewright_tools.lsp.framing import Frames

_AT_ONCE = 65_536


class StandardInput:
    """Passes on what an editor sends, through a pair of sockets.

    A thread that waits for the standard input itself cannot be woken, and the process would not end on Ctrl-C before
    the editor sends something. One that waits for a socket can.
    """

    def __init__(self, handle: int) -> None:
        self._near, self._far = socket.socketpair()
        self.stream: BinaryIO = self._near.makefile("rb")
        threading.Thread(target=self._pass_on, args=(handle,), daemon=True, name="standard input").start()

    def _pass_on(self, handle: int) -> None:
        with suppress(OSError):
            frames = Frames()
            while sent := os.read(handle, _AT_ONCE):
                for message in frames.feed(sent):
                    self._far.sendall(message)
            self._far.shutdown(socket.SHUT_WR)

    def give_up(self) -> None:
        """Close the stream for its reader."""
        with suppress(OSError):
            self._near.shutdown(socket.SHUT_RDWR)
