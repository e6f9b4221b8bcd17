"""Settings that all tests share: how Hypothesis draws, how golden files are updated, which tests begin.

Hypothesis has one profile for everyday use, which draws the same examples each time and knows no clock, and
``--hypothesis-profile=torture``, which draws others in each run. With that, tests also try more than every day
(:mod:`sampling`).
"""

from __future__ import annotations

import gc
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from rulewright.syntax.tables.parse_tables import tables

settings.register_profile(
    "repeatable",
    max_examples=50,
    derandomize=True,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "torture", settings.get_profile("repeatable"), max_examples=200, derandomize=False, database=None
)
settings.load_profile("repeatable")


CACHE = "RULEWRIGHT_CACHE"
PREFIX = "rulewright-tests-"
"""Begins the name of a cache of tests, which tests that are run by a test use, too."""


def pytest_configure(config: pytest.Config) -> None:
    """Tests, and the commands that they run, share a cache of their own: nobody's findings are taken for theirs.

    Trees and programs live long, as they do in a command, which sets such thresholds of the garbage collector, too.
    """
    gc.set_threshold(3_000_000, 20, 100_000)
    _keep_bytecode(config)
    if config.getoption("--hypothesis-profile", None) != "torture":
        _no_constants_of_sources()
    if not hasattr(config, "workerinput") and not Path(os.environ.get(CACHE, "")).name.startswith(PREFIX):
        folder = tempfile.mkdtemp(prefix=PREFIX)
        os.environ[CACHE] = folder
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
        if getattr(config.option, "numprocesses", None):
            tables()  # before each worker makes them, which takes seconds


def _no_constants_of_sources() -> None:
    """Keep Hypothesis from trying constants that stand in the modules that happen to be loaded.

    With others, that other tests have loaded, it would try other examples, and to parse a thousand modules takes
    seconds in each process.
    """
    pytest.MonkeyPatch().setattr(providers, "_get_local_constants", lambda: providers._local_constants, raising=False)


def _keep_bytecode(config: pytest.Config) -> None:
    """If nothing is to be written beside the sources, bytecode is kept with the other caches of pytest.

    The tests run some hundred commands, and each of them would compile all modules anew, which takes longer than most
    of what they do.
    """
    cache: pytest.Cache | None = getattr(config, "cache", None)
    if sys.dont_write_bytecode and cache is not None:
        prefix = str(cache.mkdir("bytecode"))
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = prefix
        sys.dont_write_bytecode = False


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-goldens", action="store_true", help="write expected texts anew instead of comparing")
    parser.addoption("--minutes", type=float, help="in another order in each run, and begin none after so many minutes")
    parser.addoption("--quick", action="store_true", help="leave out the tests of tests/slow.txt, as `make test` does")


@cache
def slow() -> frozenset[str]:
    """Folders, files and tests that the quick set leaves out, as they stand in ``tests/slow.txt``."""
    lines = (Path(__file__).parent / "slow.txt").read_text("utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Folders and files of slow tests are not even read, which takes half of the time of a small run."""
    if not config.getoption("--quick"):
        return None
    return True if collection_path.relative_to(config.rootpath).as_posix() in slow() else None


@pytest.fixture
def updating(request: pytest.FixtureRequest) -> bool:
    """True if expected texts are to be written anew."""
    return bool(request.config.getoption("--update-goldens"))


@pytest.fixture
def golden(updating: bool) -> Callable[[Path, str], None]:
    """Compares a text with a file, or writes it there."""

    def compare(path: Path, found: str) -> None:
        if updating:
            path.write_text(found, encoding="utf-8")
        assert found == path.read_text(encoding="utf-8")

    return compare


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Files with a long test come first, so that no processor is left alone with one at the end; files stay whole.

    Thorough tests are left to ``make torture``, and with ``--quick`` slow ones to ``make test-all``.
    """
    for item in items:
        if isinstance(item, pytest.Function) and {"sample", "THOROUGH"} & vars(item.module).keys():
            item.add_marker("sampled")
        if item.path.parent.name == "studio" and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(1_800))  # it waits for servers, jobs and browsers: more than PATIENCE
    if config.getoption("--quick"):
        left = [item for item in items if item.nodeid.partition("[")[0] in slow()]
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item.nodeid.partition("[")[0] not in slow()]
    if config.getoption("--hypothesis-profile", None) != "torture":
        left = [item for item in items if item.get_closest_marker("thorough")]
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in set(left)]
    if config.getoption("--minutes"):
        random.Random(os.environ[CACHE]).shuffle(items)  # another folder in each run, the same one for all workers
        return
    long = {item.path for item in items if item.get_closest_marker("long")}
    items.sort(key=lambda item: item.path not in long)


BEGUN = pytest.StashKey[float]()
"""The time at which the first test could begin."""


def pytest_collection_finish(session: pytest.Session) -> None:
    """Tests and modules stay: the garbage collector need not look at them again and again."""
    gc.freeze()
    session.config.stash[BEGUN] = time.monotonic()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what would begin too late."""
    minutes = item.config.getoption("--minutes")
    if minutes and time.monotonic() > item.config.stash[BEGUN] + 60 * minutes:
        pytest.skip(f"{minutes:g} minutes are over")


@pytest.fixture(autouse=True)
def _without_a_clock(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests of the studio know no clock by which opponents are measured: a search takes a second each time it is looked
    at, so that a strength is as many simulations as seconds."""
    if request.path.parent.name == "studio":
        from rulewright_tools.studio.host.play.strength import Strengths

        seconds = map(float, count())
        monkeypatch.setattr(Strengths, "clock", lambda self: next(seconds))
