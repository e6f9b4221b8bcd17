"""The work of a process in figures that another load of the machine does not change: instructions, or calls.

Retired instructions are counted by the processor, of a process and its children, where the kernel lets a program ask
for that (Linux, no virtual machine that hides the counter). Elsewhere the calls of functions are counted, Python's and
those in C, with a profiler in the process itself, which makes it slower: its seconds are not those of a user.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PERF_EVENT_OPEN = {"x86_64": 298, "aarch64": 241}
HARDWARE, INSTRUCTIONS = 0, 1
DISABLED, INHERIT, NO_KERNEL, NO_HYPERVISOR = 1 << 0, 1 << 1, 1 << 5, 1 << 6
ENABLE, DISABLE = 0x2400, 0x2401

COUNTING = """
import atexit, cProfile, runpy, sys
_, path, module, *words = sys.argv
profile = cProfile.Profile()

@atexit.register
def write():
    profile.disable()
    with open(path, "w") as file:
        file.write(str(sum(entry.callcount for entry in profile.getstats())))

sys.argv[1:] = words
profile.enable()
runpy.run_module(module, run_name="__main__", alter_sys=True)
"""
"""Runs a module with its words, and writes the number of calls into a file when the process ends."""


@dataclass(frozen=True)
class Work:
    """The work of one process: processor seconds, peak megabytes, and instructions or calls where they were counted."""

    seconds: float
    megabytes: float
    count: int | None = None


class InstructionCounter:
    """The counter of retired instructions, in user space, of all processes that are started while it is on."""

    def __init__(self, kind: int = HARDWARE, event: int = INSTRUCTIONS) -> None:
        """OSError where the kernel has no such counter, or gives it to nobody."""
        if sys.platform != "linux" or platform.machine() not in PERF_EVENT_OPEN:
            raise OSError(f"no counter of instructions on {sys.platform}, {platform.machine()}")
        flags = DISABLED | INHERIT | NO_KERNEL | NO_HYPERVISOR
        attributes = struct.pack("IIQQQQQ", kind, 112, event, 0, 0, 0, flags).ljust(112, b"\0")
        system = ctypes.CDLL(None, use_errno=True)
        self._file: int = system.syscall(PERF_EVENT_OPEN[platform.machine()], attributes, 0, -1, -1, 8)
        if self._file < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    def read(self) -> int:
        """The count so far, with that of children that have ended."""
        return int.from_bytes(os.read(self._file, 8), sys.byteorder)

    def switch(self, on: bool) -> None:
        """Begin or stop to count."""
        from fcntl import ioctl

        ioctl(self._file, ENABLE if on else DISABLE, 0)


def instruction_counter() -> InstructionCounter | None:
    """The counter, where there is one."""
    try:
        return InstructionCounter()
    except OSError:
        return None


def work_of(
    module: str,
    words: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    counter: InstructionCounter | None = None,
    calls: Path | None = None,
) -> Work:
    """The work of ``python -m module words`` in a folder.

    Instructions are counted if there is a counter, or calls if there is a file for their number.
    RuntimeError if the exit code is neither 0 nor 1 (findings).
    """
    start = ["-m", module] if calls is None else ["-c", COUNTING, str(calls), module]
    before = counter.read() if counter else 0
    if counter:
        counter.switch(True)
    with subprocess.Popen(
        [sys.executable, *start, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=environment,
    ) as process:
        assert process.stderr is not None
        said = process.stderr.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if counter:
        counter.switch(False)
    if process.returncode not in (0, 1):
        last = said.decode(errors="replace").strip().rpartition("\n")[2]
        raise RuntimeError(f"{module} {' '.join(words)}: exit code {process.returncode}: {last}")
    count = counter.read() - before if counter else int(calls.read_text()) if calls else None
    kilobyte = 1 if sys.platform == "darwin" else 1024  # in which the system counts
    return Work(used.ru_utime + used.ru_stime, used.ru_maxrss * kilobyte / 2**20, count)
