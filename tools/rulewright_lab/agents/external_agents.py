"""Agents of other programs: a process that gets a line of JSON on its input, and answers by one on its output.

Each question has what its seat may know, and no more. A process that ends, gives something else or is late has lost: it
is stopped, and :class:`AgentFailed` is raised. Agents of entry points in the group ``rulewright.agents`` are functions
from questions to numbers of options; each runs in a process of its own, too, so that one that hangs can be stopped.
"""

from __future__ import annotations

import json
import queue
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import entry_points
from typing import Any

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine import NO_OPTION, Choice, Dice, EngineName, Passes, State
from rulewright.foundation import dataclass
from rulewright.ir import Program

PIPE = "pipe"
GROUP = "rulewright.agents"
SECONDS = 10.0
"""The time limit of an answer, by default."""
LONGEST_LINE = 1 << 20
FIRST_SECONDS = 20.0
"""So much longer may the first answer take: the process has to start."""


class AgentFailed(RulesetError):
    """Raised where an agent from outside gives no answer that can be taken: its seat has lost."""

    def __init__(self, seat: int, message: str) -> None:
        super().__init__(Diagnostic(NO_OPTION, message, hint="docs/guide/agents.md has an example"))
        self.seat = seat


@dataclass(frozen=True, slots=True)
class ExternalAgent:
    """A command that plays, with its time limit."""

    word: str
    command: tuple[str, ...]
    seconds: float = SECONDS

    def __str__(self) -> str:
        return self.word

    def begin(self, program: Program, wanted: EngineName, passes: Passes) -> Choice:
        """A process for the games of a program; it is started on the first question."""
        return _Conversation(self, program)


def entry_point_names() -> tuple[str, ...]:
    """The names of the agents that installed packages bring."""
    return tuple(sorted({one.name for one in entry_points(group=GROUP)}))


def external_agent(word: str, rest: str) -> ExternalAgent | None:
    """The agent of a word, if there is one from outside."""
    if word == PIPE:
        try:
            command = tuple(shlex.split(rest))
        except ValueError as wrong:
            raise RulesetError(
                Diagnostic(NO_OPTION, f"the command of `{PIPE}:{rest}` cannot be read: {wrong}")
            ) from None
        if not command:
            raise RulesetError(Diagnostic(NO_OPTION, "the agent `pipe` needs a command", hint="write pipe:COMMAND"))
        if shutil.which(command[0]) is None:
            message = f"the agent `{PIPE}:{rest}` cannot be asked: there is no program `{command[0]}`"
            raise RulesetError(
                Diagnostic(NO_OPTION, message, hint="write its path, or the name under which it is installed")
            )
        return ExternalAgent(f"{PIPE}:{rest}", command)
    if word in entry_point_names():
        name = f"{word}:{rest}" if rest else word
        return ExternalAgent(name, (sys.executable, "-m", "rulewright_lab.agents.entry_point_host", word, rest))
    return None


class _Conversation:
    """A process with a protocol of lines."""

    def __init__(self, agent: ExternalAgent, program: Program) -> None:
        self._agent, self._title = agent, program.title
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def __call__(self, state: State, dice: Dice) -> int:
        """The number of the option that the process takes."""
        decision, seat = state.decision, state.seat
        assert decision is not None
        assert seat is not None
        keys = [option.key for option in decision.options]
        question = {
            "game": self._title,
            "seat": decision.who,
            "question": decision.name,
            "options": keys,
            "view": state.view(seat),
            "random": dice.below(1 << 32),
        }
        return _option(self._reply(question, seat), keys, self._agent, seat)

    def _reply(self, question: dict[str, Any], seat: int) -> bytes:
        """The line with which a question is answered."""
        first = self._process is None
        try:
            process = self._running()
            assert process.stdin is not None
            process.stdin.write(json.dumps(question).encode() + b"\n")
            process.stdin.flush()
        except OSError as problem:
            self.close()
            raise AgentFailed(seat, f"the agent `{self._agent}` cannot be asked: {problem.strerror}") from None
        try:
            line = self._lines.get(timeout=self._agent.seconds + (FIRST_SECONDS if first else 0.0))
        except queue.Empty:
            self.close()
            late = f"the agent `{self._agent}` has not answered in {self._agent.seconds:g} s"
            raise AgentFailed(seat, f"{late}; a program must flush each line that it writes") from None
        if not line:
            self.close()
            raise AgentFailed(seat, f"the agent `{self._agent}` has ended without an answer")
        return line

    def _running(self) -> subprocess.Popen[bytes]:
        """The process."""
        if self._process is None:
            self._process = subprocess.Popen(self._agent.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            threading.Thread(target=_read, args=(self._process, self._lines), daemon=True).start()
        return self._process

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        self._lines = queue.SimpleQueue()
        if process is None:
            return
        with suppress(OSError):
            process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    def __del__(self) -> None:
        with suppress(Exception):
            self.close()


def _read(process: subprocess.Popen[bytes], lines: queue.SimpleQueue[bytes]) -> None:
    """Hand on the lines of a process, and at its end an empty one."""
    assert process.stdout is not None
    with suppress(OSError, ValueError):
        while line := process.stdout.readline(LONGEST_LINE):
            lines.put(line)
    lines.put(b"")


def _option(line: bytes, keys: Sequence[str], agent: ExternalAgent, seat: int) -> int:
    """The number of the option that an answer means."""
    try:
        answer = json.loads(line)
    except ValueError:
        answer = None
    option = answer.get("option") if isinstance(answer, dict) else None
    if isinstance(option, str) and option in keys:
        return keys.index(option)
    if isinstance(option, int) and not isinstance(option, bool) and 0 <= option < len(keys):
        return option
    reply = line[:80].decode("utf-8", "replace").strip()
    raise AgentFailed(seat, f"the agent `{agent}` has answered {reply!r}: that is none of the {len(keys)} options")
