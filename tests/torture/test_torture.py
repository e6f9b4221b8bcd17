"""A little of each of the fuzzers, and of the faults; `make torture` does it for an hour.

The driver forks, so it has a process of its own; every day it is given a few kinds of input, and the others are tried
here, in the way of its workers.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import driver
import pytest
import trees
import typer
from of_data import Maps
from of_grammar import Grammar
from of_rules import Layout

from sampling import THOROUGH, thorough

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
GROUPS = (
    (10, ("rules", "layout", "grammar", "trees", "rulesets", "played", "messages", "refactorings")),
    (4, ("manifest", "table", "rulebook", "rulings", "schemas")),
    (3, ("saves", "logs", "mutants", "corpora", "games", "prefixes")),
)
"""The number of inputs for each group of kinds; few groups, because a process takes longer to begin than most kinds."""
DRIVEN = ("saves", "logs", "games")
"""Kinds that are quickly prepared, for the driver every day."""
DEAR = {"messages": 4, "corpora": 1}
"""Fewer inputs of what takes long."""
OF_ONE_OUTCOME = ("corpora", "layout", "mutants", "prefixes")
"""Kinds whose inputs may all end in the same way."""
ENOUGH = 200
"""By so many inputs one is used: of changed rulesets a sixth are, so ten of them may all be refused."""
AT_ONCE = 0.2
"""Seconds of a kind of games before the other one has its turn."""
HERE_AND_NOW = [(DEAR.get(kind, inputs), kind) for inputs, kinds in GROUPS for kind in kinds if kind not in DRIVEN]


def environment(*paths: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (*paths, ROOT / "interpreter", ROOT / "tools")))}


def script(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment(), timeout=250)


def driven(inputs: int, kinds: tuple[str, ...]) -> None:
    words = [word for kind in kinds for word in ("--kind", kind)]
    done = script(HERE / "run.py", "--small", "--inputs", inputs, "--minutes", 4, "--format", "json", *words)
    assert done.returncode == 0, done.stdout + done.stderr
    tallies = {one["kind"]: one for one in json.loads(done.stdout)}
    assert set(tallies) == set(kinds)
    for one in tallies.values():
        assert one["inputs"] == sum(one["outcomes"].values()) == inputs
        assert len(one["outcomes"]) > 1 or one["kind"] in OF_ONE_OUTCOME, one


def differ(outcomes: set[str]) -> bool:
    """A fuzzer all of whose inputs are refused, or end in the same way, would find nothing."""
    return len(outcomes) > 1 and any(not word.startswith("refused") for word in outcomes)


def test_the_driver_tells_of_all_kinds() -> None:
    driven(3, DRIVEN)


@thorough
@pytest.mark.parametrize(("inputs", "kinds"), GROUPS, ids=[kinds[0] for _, kinds in GROUPS])
def test_the_driver_tries_whatever_comes_in(inputs: int, kinds: tuple[str, ...]) -> None:
    driven(inputs, kinds)


@pytest.mark.skipif(THOROUGH, reason="the driver tries them all")
@pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisWarning")
@pytest.mark.parametrize(("inputs", "name"), HERE_AND_NOW, ids=[kind for _, kind in HERE_AND_NOW])
def test_whatever_comes_in_is_used_or_refused(
    inputs: int, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import run  # takes long, and only who comes here needs it

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    kind = run.kind_called(name)
    kind.small = True
    kind.prepare()
    outcomes: set[str] = set()
    sought = ENOUGH if inputs >= 10 and name not in OF_ONE_OUTCOME else inputs
    for number in range(sought):
        if number >= inputs and differ(outcomes):
            break
        done = driver.tried(kind, 1, number)
        assert done.outcome is not None, done.raised
        outcomes.add(done.outcome.word)
    assert sought == inputs or differ(outcomes), outcomes


def test_both_engines_differ_nowhere(tmp_path: Path) -> None:
    """A second command goes on where the first has stopped; it is called here, for what is new in it is no process."""
    import differential

    kept, kinds = tmp_path / "found.json", ["tic-tac-toe", "programs", "simultaneous"]
    before = dict.fromkeys(kinds, 0)
    for number in range(2):
        wanted = sum(before.values()) + 200
        if number == 0:
            words = [word for kind in kinds for word in ("--kind", kind)]
            done = script(HERE / "differential.py", "--decisions", wanted, *words, "--keep", kept, "--at-once", AT_ONCE)
            assert done.returncode == 0, done.stdout + done.stderr
        else:
            with pytest.raises(typer.Exit) as ended:
                differential.main(wanted, kinds, keep=kept, at_once=AT_ONCE, only=None, seed=1, passes="all")
            assert ended.value.exit_code == 0
        found = json.loads(kept.read_text())["kinds"]
        assert not any(one["differences"] for one in found)
        after = {one["kind"]: one["decisions"] for one in found}
        assert sum(after.values()) >= wanted
        assert all(after[kind] >= decisions for kind, decisions in before.items())
        before = after


def test_an_input_follows_from_its_number_alone() -> None:
    """Things put into one tree are not changed with it: the next would be another one, or hold itself."""
    strange = repr(trees.STRANGE)
    for number in range(3000):
        trees.changed({"a": [1, {"b": "x"}, [2]], "c": []}, random.Random(number), most=9)
    assert repr(trees.STRANGE) == strange


BAD = """
import sys, time
sys.path[:0] = [{here!r}]
import driver
from kinds import Kind, Outcome
class Bad(Kind):
    name = "bad"
    def make(self, rng):
        return rng.random()
    def numbered(self, seed, number):
        return number
    def attempt(self, number):
        if number == 2: raise KeyError("two")
        if number == 3:
            while True: pass
        if number == 5: bytearray(2**31)
        if number == 7: import os; os.abort()
        return Outcome("accepted", number)
Kind.patience = 0.3
heard = []
tally, = driver.Driver([Bad()], jobs=2, tell=lambda _, new: heard.append(new)).run(100, 10)
assert [one for one in heard if one] == list(tally.findings.values()), heard
print(tally.inputs, tally.outcomes["accepted"], tally.amount)
print(sorted((one.what, one.number, one.text.splitlines()[-1]) for one in tally.findings.values()))
"""


def test_the_driver_finds_exceptions_hangs_blow_ups_and_deaths() -> None:
    done = script("-c", BAD.format(here=str(HERE)))
    first, second = done.stdout.splitlines()
    assert first == "10 6 28"
    for what in (
        "('death', 7, ",
        "('exception', 2, \"KeyError: 'two'\")",
        "('hang', 3, ",
        "('memory', 5, 'MemoryError')",
    ):
        assert what in second
    assert second.count("(") == 4


TORN = """
import mmap, os, sys
sys.path[:0] = [{here!r}]
import driver
at = driver.Progress.from_buffer(mmap.mmap(-1, 64))
at.announce(5, 5.0, 5.0)
if child := os.fork():
    seen = {{at.read() for _ in range(200_000)}}
    while len(seen) <= 10:  # a busy machine: the child has hardly run yet
        seen.add(at.read())
    os.kill(child, 9)
    print([s for s in seen if s[0] != driver.PREPARING and not s[0] == s[1] == s[2]])
else:
    while True:
        for number in range(5, 5000):
            at.announce(number, number, number)
"""


def test_when_an_input_began_is_not_read_while_it_is_written() -> None:
    """A worker that was read just then seemed to have been at its input from its first second on, and to hang."""
    assert script("-c", TORN.format(here=str(HERE))).stdout == "[]\n"


SHARES = """
import sys
sys.path[:0] = [{here!r}]
import driver
from kinds import Kind, Outcome
class Cheap(Kind):
    name, weight = "cheap", 30
    def make(self, rng):
        return rng.random()
    def attempt(self, made):
        return Outcome("accepted")
class Dear(Cheap):
    name, weight = "dear", 1
print(*(tally.inputs for tally in driver.Driver([Dear(), Cheap()], jobs=1).run(100, total=3100)))
"""


def test_inputs_are_shared_out_by_weight() -> None:
    assert script("-c", SHARES.format(here=str(HERE))).stdout.split() == ["100", "3000"]


def test_a_run_that_is_ended_tells_what_it_has() -> None:
    words = [sys.executable, HERE / "run.py", "--small", "--kind", "saves", "--minutes", "4"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
                          env=environment()) as process:  # fmt: skip
        _worker(process.pid, b"run.py")
        process.send_signal(signal.SIGTERM)
        told, _ = process.communicate(timeout=120)
    assert process.returncode == 0, told
    assert "saves" in told
    assert "of processors" in told


def test_inputs_follow_from_seed_and_number() -> None:
    kinds = [Grammar(), Layout(), Maps()]
    made = [[kind.told(kind.numbered(seed, 7)) for kind in kinds] for seed in (1, 1, 2)]
    assert made[0] == made[1]
    assert all(one != other for one, other in zip(made[0], made[2], strict=True))


def test_every_call_to_the_disk_fails_once() -> None:
    done = script(HERE / "faults.py", 2)
    assert done.returncode == 0, done.stdout + done.stderr


LIMITED = """
import resource, sys
if "--multiprocessing-fork" in sys.orig_argv:
    resource.setrlimit(resource.RLIMIT_AS, ({megabytes} * 2**20,) * 2)
"""
"""Python carries this out when a process begins: workers, and nobody else, get that much memory."""
AT_WORK = {
    "simulate": ("simulate", "tic-tac-toe", "--games", "1000000", "--jobs", "2"),
    "fuzz": ("fuzz", "tic-tac-toe", "--games", "1000000", "--jobs", "2"),
    "mutate": ("mutate", "breakthrough", "--jobs", "2"),
}


@pytest.mark.parametrize("command", ["simulate"])
def test_a_worker_without_memory(command: str, tmp_path: Path) -> None:
    """The command ends soon and says so in one line, wherever it fails."""
    (tmp_path / "sitecustomize.py").write_text(LIMITED.format(megabytes=48), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "rulewright_tools", *AT_WORK[command]],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment(tmp_path),
        timeout=120,
    )
    assert done.returncode == 2, done.stderr
    assert "memory" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("command", AT_WORK)
def test_a_worker_that_is_killed(command: str) -> None:
    """As the system does when memory is short."""
    words = [sys.executable, "-m", "rulewright_tools", *AT_WORK[command]]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
                          env=environment()) as process:  # fmt: skip
        os.kill(_worker(process.pid), signal.SIGKILL)
        _, told = process.communicate(timeout=120)
    assert process.returncode == 2, told
    assert "Traceback" not in told
    assert "memory" in told.splitlines()[-1]


def _worker(parent: int, command: bytes = b"spawn_main") -> int:
    """A process that works for this one."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        for path in Path(f"/proc/{parent}/task/{parent}/children").read_text().split():
            if command in Path(f"/proc/{path}/cmdline").read_bytes():
                time.sleep(0.2)
                return int(path)
        time.sleep(0.05)
    raise AssertionError("no worker")


def test_no_clock_that_can_be_set() -> None:
    """Deadlines and durations are told by clocks that nobody can move."""
    for folder in ("interpreter", "tools"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text("utf-8")
            assert "time.time(" not in text, path
            assert "clock.time(" not in text, path
            assert "datetime.now(" not in text, path
