"""Jobs of an export without a browser: their workers, two at a time, and commands with nothing but the archives."""

from __future__ import annotations

import io
import json
import math
import subprocess
import sys
import zipfile
from array import array
from pathlib import Path
from typing import Any

import pytest
from studio_page import printed, require_valid

import rulewright as rw
from rulewright_tools.studio.browser import WorkerHost
from rulewright_tools.studio.export import archive as archives
from rulewright_tools.studio.export.stand_ins import float_numbers, number_arrays, statistical_functions

CONNECT_FOUR, TIC_TAC_TOE = (rw.rulesets.find_rulesets(name)[0] for name in ("connect-four", "tic-tac-toe"))
NOTHING: dict[str, Any] = {"games": {}, "files": {}}
VARIANT = 'variant "Wide" of connect_four\n    set columns = 8\n'


class Workers:
    """A page with its host, and workers that do what a test says."""

    def __init__(self, folder: Path) -> None:
        told = {"paths": [str(CONNECT_FOUR)], "opens": True}
        (folder / "exported.json").write_text(json.dumps(told))
        self.begun: dict[int, list[str]] = {}
        self.files: dict[str, str] = {}
        self.ended: list[int] = []
        self.told: list[Any] = []
        self.host = WorkerHost(str(folder), json.dumps(NOTHING), None, self._tell, self._begin, self.ended.append)

    def _begin(self, id: int, words: str, files: str) -> None:
        self.begun[id], self.files = json.loads(words), json.loads(files)

    def _tell(self, text: str) -> None:
        message = json.loads(text)
        require_valid(message)
        self.told.append(message["params"]["job"])

    def ask(self, method: str, **params: Any) -> Any:
        self.host.take(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
        said = []
        while (text := self.host.next()) is not None:
            said.append(json.loads(text))
        return said[0].get("result", said[0].get("error"))

    def states(self) -> list[str]:
        return [job["state"] for job in self.ask("jobs/list")["jobs"]]


def test_two_jobs_run_at_a_time_and_are_stopped(tmp_path: Path) -> None:
    page = Workers(tmp_path)
    page.ask("files/newVariant", ruleset="connect-four", name="wide")
    ids = [page.ask("jobs/start", kind="fuzz", ruleset="wide", seconds=9)["id"] for _ in range(4)]
    assert list(page.begun) == ids[:2]
    assert page.begun[ids[0]][:2] == ["fuzz", str(tmp_path / "own" / "wide.rules")]
    assert "wide.rules" in page.files
    assert page.states() == ["runs", "runs", "waits", "waits"]
    page.ask("jobs/stop", id=ids[2])
    assert page.states() == ["runs", "runs", "stopped", "waits"]
    page.host.job_said(ids[0], "error", '{"progress": "games", "done": 3, "total": 9}\n')
    assert page.told[-1]["progress"] == {"what": "games", "done": 3, "total": 9}
    page.host.job_said(ids[0], "out", "some of it\n")
    page.ask("jobs/stop", id=ids[0])
    assert page.ended == [ids[0]]
    page.host.job_said(ids[0], "code", "0")  # it was on its way
    assert page.states() == ["stopped", "runs", "stopped", "runs"]
    assert printed(page.ask("jobs/list")["jobs"][0]) == "some of it\n"
    page.host.job_said(ids[1], "error", f"wrong at {tmp_path}/own/wide.rules:2\n")
    page.host.job_said(ids[1], "code", "1")
    page.host.job_said(ids[3], "broken", "out of memory")
    done, failed = (page.ask("jobs/list")["jobs"][number] for number in (1, 3))
    assert (done["state"], done["code"], printed(done)) == ("done", 1, "wrong at wide/wide.rules:2\n")
    assert (failed["state"], printed(failed)) == ("failed", "out of memory")
    assert page.ended == [ids[0], ids[1], ids[3]]


ALONE = """
import json, sys
folder = sys.argv[1]
sys.path[:0] = [folder]
sys.path.append(f"{folder}/libraries.zip")
sys.modules["_multiprocessing"] = None
sys.path += sys.argv[4:]
from rulewright_tools.studio.browser.job_worker import run

said = []
run(folder, sys.argv[2], json.dumps({"wide.rules": sys.argv[3]}), lambda kind, text: said.append([kind, text]))
sys.__stdout__.write(json.dumps(said))
"""
"""Runs a command with nothing but what is in the archives, as a browser has it."""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("archives")
    page = folder / "page"
    page.mkdir()  # without code for another version of Python
    for content in (
        archives.archive([CONNECT_FOUR, TIC_TAC_TOE], True, page),
        archives.added_archive(archives.ADDITIONS["commands.zip"], page),
    ):
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            packed.extractall(folder / "unpacked")
    return folder / "unpacked"


def said_by(unpacked: Path, *words: str, behind: str = "") -> tuple[str, str, int]:
    """The texts on both streams, and the exit code. What is not in the archives is looked for in a folder `behind`."""
    command = [sys.executable, "-I", "-S", "-c", ALONE, str(unpacked), json.dumps(words), VARIANT]
    command += [behind] if behind else []
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.stderr == ""
    said = json.loads(done.stdout)
    out, error = ("".join(text for kind, text in said if kind == meant) for meant in ("out", "error"))
    assert said[-1][0] == "code", said
    return out, error, int(said[-1][1])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("test", "tic-tac-toe"), "2 scenarios, all passed"),
        (("simulate", "wide.rules", "--games", "20", "--players", "2", "--jobs", "1"), "20 games"),
        (("solve", "tic-tac-toe", "--time", "60"), "draw"),
        (("fuzz", "tic-tac-toe", "--time", "1", "--jobs", "1"), ""),
        (("examine", "tic-tac-toe", "--time", "1"), "examined the rules of Tic-tac-toe"),
        (("confirm", "tic-tac-toe", "--time", "5"), "small changes tried"),
    ],
)
def test_commands_need_nothing_that_is_not_in_the_archives(unpacked: Path, words: tuple[str, ...], told: str) -> None:
    out, error, code = said_by(unpacked, *words)
    assert code == 0, error + out
    assert told in out
    assert '{"progress"' in error


EXPERIMENT = ("experiment", "connect-four", "wide.rules", "--jobs", "1", "--format", "json", "--games")


@pytest.mark.thorough
@pytest.mark.parametrize("native", [False, True])
def test_an_experiment_says_the_same_without_numpy_and_scipy(unpacked: Path, tmp_path: Path, native: bool) -> None:
    pytest.importorskip("scipy")
    wasmtime = pytest.importorskip("wasmtime")
    (tmp_path / "wide.rules").write_text(VARIANT)
    words = [sys.executable, "-m", "rulewright_tools", *EXPERIMENT, "60"]
    meant = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path)
    behind = str(Path(wasmtime.__file__).parents[1]) if native else ""
    out, error, code = said_by(unpacked, *EXPERIMENT, "60", behind=behind)
    assert (out, code) == (meant.stdout, meant.returncode), error
    assert '"adjusted_p"' in out


@pytest.mark.parametrize("of", [1, 2, 5, 30, 1000, 2500])
def test_shares_are_tested_as_scipy_does(of: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    for hits in sorted({0, 1, of // 3, of // 2, of - 1, of}):
        own, meant = statistical_functions.binomtest(hits, of), stats.binomtest(hits, of)
        assert own.pvalue == pytest.approx(meant.pvalue, rel=1e-9)
        found, ends = own.proportion_ci(0.95, method="wilson"), meant.proportion_ci(0.95, method="wilson")
        assert (found.low, found.high) == pytest.approx((ends.low, ends.high), rel=1e-12)


@pytest.mark.parametrize("freedom", [1, 2, 7, 49, 199, 99_999])
def test_the_distribution_of_student_is_that_of_scipy(freedom: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    assert statistical_functions.t.ppf(0.975, freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=1e-10)
    for value in (0.0, 0.1, 1.0, 2.5, 30.0, -1.0):
        assert statistical_functions.t.sf(value, freedom) == pytest.approx(stats.t.sf(value, freedom), rel=1e-8)


def test_arrays_in_python_are_as_those_of_numpy() -> None:
    """The same statements on both."""
    np = pytest.importorskip("numpy")
    said = [_said_of_arrays(module) for module in (np, number_arrays)]
    assert said[0] == said[1]


def _said_of_arrays(np: Any) -> str:
    whole = np.fromiter((3, -1, 2, 0, 7, 7), np.int64, 6)
    table = np.stack([whole, whole * 2 - 3])
    known = np.where(whole > 0, whole, np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = whole / (whole - 7)
    names = np.frombuffer(array("i", [1, 2, 3, 4, 5, 6]), np.int32)
    values = [
        np.zeros((2, 0)), np.full(3, 0.5), np.ones(2, bool), whole[whole > 1], whole[1:4], table[:, 1:3], table[[1, 0]],
        table[1, np.flatnonzero(whole)], table[:, 2], table.sum(axis=0), table.sum(axis=1), table.max(axis=1),
        (table == table[0]).all(axis=0), known == known, parts, whole.clip(1), whole.clip(max=2), whole << 2,
        np.hstack((table, table)), np.concatenate([whole, whole], axis=-1), np.bincount(whole[whole >= 0], minlength=2),
        np.isin(whole, [7, 2]), ~(whole > 1), (whole > 1) & (whole < 7), 1 - whole, whole >> 1,
        (whole > 1).astype(int) - (whole < 0),
        *np.unique(whole, return_counts=True), np.trunc(known[known == known]),
        np.round(parts, 2), np.minimum(known, 2.0),
        names.reshape(-1, 2).T, names.view(np.uint32), (known[:2] + 0.0).view(np.int64), np.nan_to_num(known),
        np.take_along_axis(table, (table > 2).argmax(axis=1)[:, None], axis=1), np.count_nonzero(table, axis=1),
        table - np.take_along_axis(table, (table > 2).argmax(axis=1)[:, None], axis=1), (whole > 1).nonzero()[0],
        np.array([1.5, 2]), whole.astype("i1"), np.where(known == known, known, np.iinfo("i1").min).astype("i1"),
        sum(table) / 2, (table**2).sum(axis=0),
    ]  # fmt: skip
    held = known.copy()
    held[whole > 2] = 9
    filled = np.zeros((2, 2), int)
    filled[1, 0] = 4
    told = [(one.shape, one.dtype.kind, one.tolist()) for one in (*values, held, filled)]
    return repr((told, whole.astype("<i2").tobytes(), whole.size, len(table), whole.nbytes))


def test_numbers_in_python_are_as_those_of_hypothesis() -> None:
    native = pytest.importorskip("hypothesis._native").internal
    values = [0.0, -0.0, 1.0, -1.5, 2.0**-1022, 5e-324, -5e-324, 1e308, math.inf, -math.inf, 65504.0, 3.14159]
    for width in (16, 32, 64):
        assert float_numbers.width_smallest_normals(width) == native.floats.width_smallest_normals(width)
        known = [native.floats.float_of(x, width) for x in values if abs(x) < 60_000 or math.isinf(x)]
        for x in known:
            for name in ("float_to_int", "next_up", "next_down"):
                assert getattr(float_numbers, name)(x, width) == getattr(native.floats, name)(x, width), (name, x)
            for name in ("next_up_normal", "next_down_normal"):
                for subnormal in (True, False):
                    found, meant = (
                        getattr(one, name)(x, width, allow_subnormal=subnormal)
                        for one in (float_numbers, native.floats)
                    )
                    assert found == meant, (name, x)
            bits = native.floats.float_to_int(x, width)
            assert float_numbers.int_to_float(bits, width) == native.floats.int_to_float(bits, width)
            for y in known:
                if (x, math.copysign(1, x)) <= (y, math.copysign(1, y)):
                    found = float_numbers.count_between_floats(x, y, width)
                    assert found == native.floats.count_between_floats(x, y, width)
    for h, a in ((5.0, 3.0), (1e308, 1e307), (1.0, 2.0), (math.inf, 1.0), (math.inf, math.inf)):
        found, meant = float_numbers.cathetus(h, a), native.cathetus.cathetus(h, a)
        assert found == pytest.approx(meant) or (math.isnan(found) and math.isnan(meant))
