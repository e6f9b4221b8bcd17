"""Feeds inputs to worker processes, and finds exceptions, hangs and blow-ups.

A worker is forked for a portion of the numbers of a kind, prepares what the kind needs, and leaves nothing behind: its
memory is that of the kind alone. Before each input it writes its number and the time into memory that its parent sees,
and now and then it reports what has come out. One that stays with an input for too long is made to print where it
stands and is killed; another one goes on behind that input, and does those again of which was not told.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import gc
import mmap
import multiprocessing
import os
import resource
import signal
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path

from kinds import Kind, Outcome

FORK = multiprocessing.get_context("fork")
TICKS = os.sysconf("SC_CLK_TCK")
PORTION = 10_000
"""Inputs of one worker, at most."""
REPORT = 0.25
"""Seconds between two reports of a worker."""


class Progress(ctypes.Structure):
    """The position of a worker, in memory that its parent reads: the input, and the times when it began.

    Each is written at once, but not all three. So whoever reads asks for the number before and after the rest, and
    while they change no input has a number (a sequence lock).
    """

    _fields_ = (("number", ctypes.c_int64), ("used", ctypes.c_double), ("begun", ctypes.c_double))

    def announce(self, number: int, used: float, begun: float) -> None:
        """Tell which input is tried, and since when."""
        self.number = PREPARING
        self.used, self.begun = used, begun
        self.number = number

    def read(self) -> tuple[int, float, float]:
        """The number, and the times when it began."""
        while True:
            number, used, begun = self.number, self.used, self.begun
            if self.number == number:
                return number, used, begun


PREPARING = -1
"""The position of a worker that has not come to its first input."""
TURN = 60.0
"""Seconds of processor time after which it is another kind's turn: enough to make up for the preparation."""
MEMORY = 500
"""Megabytes that no input may need."""
ROOM = 1024
"""Megabytes of addresses beyond what a worker begins with; whoever wants more gets a MemoryError."""


@dataclass
class Finding:
    """Something that must not be: where it was met first, and how often the same was met."""

    what: str
    """``exception``, ``hang``, ``memory`` or ``death``."""
    kind: str
    number: int
    text: str
    times: int = 1


@dataclass
class Tally:
    """Outcomes of the inputs of a kind."""

    kind: str
    unit: str
    inputs: int = 0
    amount: int = 0
    seconds: float = 0.0
    slowest: tuple[float, int] = (0.0, 0)
    """Seconds of processor time, and the input that took them."""
    megabytes: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    findings: dict[str, Finding] = field(default_factory=dict)

    def found(self, what: str, number: int, text: str, alike: str = "") -> Finding | None:
        """Note a finding, and give it if it is new; those that end in the same line of ours are one."""
        key = alike or what
        if key in self.findings:
            self.findings[key].times += 1
            return None
        self.findings[key] = Finding(what, self.kind, number, text)
        return self.findings[key]

    def count(self, what: str) -> int:
        """The number of inputs that ended so."""
        return sum(one.times for one in self.findings.values() if one.what == what)


@dataclass(frozen=True)
class Done:
    """The message of a worker about an input."""

    number: int
    outcome: Outcome | None
    """None if something was raised."""
    raised: str
    alike: str
    seconds: float
    megabytes: int


@dataclass
class Working:
    """A worker, as its parent sees it."""

    kind: Kind
    numbers: range
    process: ForkProcess
    pipe: Connection
    stack: Path
    memory: mmap.mmap
    """The memory that the worker writes into, see :class:`Progress`."""
    next: int = 0
    """The first input of which nothing was told."""

    def now(self) -> tuple[int, float, float]:
        """The input it is at, and for how long: seconds of processor time, and of any time."""
        number, used, begun = Progress.from_buffer(self.memory).read()
        return number, _cpu(self.process) - used, time.monotonic() - begun


def megabytes() -> int:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def work(kind: Kind, seed: int, numbers: range, until: float, pipe: Connection, stack: Path, memory: mmap.mmap) -> None:
    """A worker: try these numbers and tell of them."""
    tempfile.tempdir = str(stack.parent)
    at = Progress.from_buffer(memory)
    at.announce(PREPARING, time.process_time(), time.monotonic())
    kind.prepare()
    # What was prepared stays: it need not be looked through again and again.
    gc.collect()
    gc.freeze()
    with stack.open("w") as file:
        faulthandler.register(signal.SIGUSR1, file, all_threads=False)
        addresses = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        most = addresses + ROOM * 2**20
        with contextlib.suppress(ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
        with contextlib.suppress(BrokenPipeError):
            begun, told = time.process_time(), time.monotonic()
            several: list[Done] = []
            for number in numbers:
                used, now = time.process_time(), time.monotonic()
                if now > until or used - begun > TURN:
                    break
                at.announce(number, used, now)
                done = tried(kind, seed, number)
                several.append(done)
                large = done.megabytes > MEMORY or done.alike.startswith("MemoryError")
                if large or done.raised or now - told > REPORT:
                    pipe.send(several)
                    several, told = [], now
                if large:
                    break
            pipe.send(several)
    pipe.close()
    os._exit(0)


def tried(kind: Kind, seed: int, number: int) -> Done:
    """Try one input, here and now."""
    begun = time.process_time()
    outcome, raised, alike = None, "", ""
    try:
        outcome = kind.attempt(kind.numbered(seed, number))
    except Exception as error:
        raised, alike = traceback.format_exc(limit=-12), _signature(error)
    return Done(number, outcome, raised, alike, time.process_time() - begun, megabytes())


def _innermost(stack: str) -> str:
    """The line of a stack at which a worker was."""
    return next((line.strip() for line in stack.splitlines() if line.lstrip().startswith("File ")), "")


def _signature(error: BaseException) -> str:
    """The exception raised, and the last line of the package that was being carried out."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f for f in frames if "/rulewright" in f.filename and "/site-packages/" not in f.filename] or frames[-1:]
    return f"{type(error).__name__} at {Path(ours[-1].filename).name}:{ours[-1].lineno}"


Tell = Callable[["Driver", "Finding | None"], None]
"""Told of the first of each finding when it is met, and of nothing every now and then."""


class Driver:
    """Gives each kind its share of the inputs, by its weight."""

    def __init__(
        self, kinds: list[Kind], seed: int = 1, jobs: int = 1, first: int = 0, tell: Tell = lambda *_: None
    ) -> None:
        self.kinds = {kind.name: kind for kind in kinds}
        self.seed = seed
        self.jobs = jobs
        self.tallies = {kind.name: Tally(kind.name, kind.unit) for kind in kinds}
        self._next = dict.fromkeys(self.kinds, first)
        self._most = dict(self._next)
        self._left: dict[str, list[range]] = {name: [] for name in self.kinds}
        """Inputs that workers have not come to."""
        self._working: list[Working] = []
        self._first = first
        self._last = 0
        self._until = 0.0
        self._tell = tell

    def run(self, seconds: float, inputs: int | None = None, total: int | None = None) -> list[Tally]:
        """Until the time is over, or every kind has had so many inputs, or all of them that many together."""
        self._until = time.monotonic() + seconds
        weights = sum(kind.weight for kind in self.kinds.values())
        for name, kind in self.kinds.items():
            share = 10**18 if total is None else -(-total * kind.weight // weights)
            self._most[name] = self._first + (share if inputs is None else inputs)
        with tempfile.TemporaryDirectory(
            prefix="torture-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None
        ) as folder:
            try:
                while self._fill(Path(folder)):
                    self._listen()
            finally:
                for one in self._working:
                    self._end(one)
        return list(self.tallies.values())

    def _fill(self, folder: Path) -> bool:
        """See that enough workers are at work; False if there is nothing left to do."""
        while len(self._working) < self.jobs and time.monotonic() < self._until:
            portion = self._portion()
            if portion is None:
                break
            kind, numbers = portion
            ours, theirs = FORK.Pipe(duplex=False)
            self._last += 1
            stack = folder / f"{self._last}.stack"
            memory = mmap.mmap(-1, ctypes.sizeof(Progress))
            Progress.from_buffer(memory).announce(PREPARING, 0.0, time.monotonic())
            process = FORK.Process(
                target=work, args=(kind, self.seed, numbers, self._until, theirs, stack, memory), daemon=True
            )
            process.start()
            theirs.close()
            self._working.append(Working(kind, numbers, process, ours, stack, memory, numbers.start))
        return bool(self._working)

    def _portion(self) -> tuple[Kind, range] | None:
        """The numbers that are next, of the kind that had the least of its share."""
        busy = Counter(one.kind.name for one in self._working)
        waiting = [name for name, number in self._next.items() if self._left[name] or number < self._most[name]]
        if not waiting:
            return None
        name = min(waiting, key=lambda one: (busy[one], self.tallies[one].inputs / self.kinds[one].weight))
        if self._left[name]:
            return self.kinds[name], self._left[name].pop(0)
        start = self._next[name]
        self._next[name] = stop = min(start + PORTION, self._most[name])
        return self.kinds[name], range(start, stop)

    def _listen(self) -> None:
        """Take what the workers tell; end those that hang."""
        patience = min((one.kind.patience for one in self._working), default=1.0)
        ready = wait([one.pipe for one in self._working], timeout=min(0.5, patience / 4))
        for one in list(self._working):
            if one.pipe in ready:
                try:
                    while one.pipe.poll():
                        for done in one.pipe.recv():
                            self._heard(one, done)
                except (EOFError, OSError):
                    self._gone(one)
            else:
                number, used, waited = one.now()
                if number != PREPARING and (used > one.kind.patience or waited > one.kind.patience * 10):
                    self._hangs(one, number, used)
        self._tell(self, None)

    def _heard(self, one: Working, done: Done) -> None:
        tally = self.tallies[one.kind.name]
        one.next = done.number + 1
        tally.inputs += 1
        tally.seconds += done.seconds
        tally.slowest = max(tally.slowest, (round(done.seconds, 2), done.number))
        tally.megabytes = max(tally.megabytes, done.megabytes)
        if done.outcome is not None:
            tally.outcomes[done.outcome.word] += 1
            tally.amount += done.outcome.amount
        if done.alike.startswith("MemoryError"):
            self._found(tally, "memory", done.number, done.raised, done.alike)
        elif done.megabytes > MEMORY:
            self._found(tally, "memory", done.number, f"{done.megabytes} MB")
        elif done.raised:
            self._found(tally, "exception", done.number, done.raised, done.alike)

    def _found(self, tally: Tally, what: str, number: int, text: str, alike: str = "") -> None:
        if new := tally.found(what, number, text, alike):
            self._tell(self, new)

    def _gone(self, one: Working) -> None:
        """A worker has closed its pipe: it is through, or it has died."""
        one.process.join()
        if one.process.exitcode:
            text = f"the worker ended with {one.process.exitcode}\n{one.stack.read_text()}"
            self._count(one, "death", max(one.next, one.now()[0]), text, 0.0)
        self._end(one)

    def _hangs(self, one: Working, number: int, seconds: float) -> None:
        assert one.process.pid is not None
        os.kill(one.process.pid, signal.SIGUSR1)
        until = time.monotonic() + 0.5
        while not one.stack.stat().st_size and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(0.05)  # the stack may be longer than its first line
        self._count(one, "hang", number, f"no answer after {seconds:.0f} s\n{one.stack.read_text()}", seconds)
        self._end(one)

    def _count(self, one: Working, what: str, number: int, text: str, seconds: float) -> None:
        """Note the input that ended a worker; what was done before it and not told of is done again."""
        tally = self.tallies[one.kind.name]
        tally.inputs += 1
        tally.seconds += seconds
        self._found(tally, what, number, text, f"{what} {_innermost(text)}")
        if one.next < number:
            self._left[tally.kind].append(range(one.next, number))
        one.next = number + 1

    def _end(self, one: Working) -> None:
        """Forget a worker; another one goes on where it stopped."""
        one.process.kill()
        one.process.join()
        one.pipe.close()
        one.memory.close()
        self._working.remove(one)
        if one.next < one.numbers.stop:
            self._left[one.kind.name].append(range(one.next, one.numbers.stop))


def _cpu(process: ForkProcess) -> float:
    """Seconds of processor time that a worker has used."""
    try:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICKS
