"""Files of every kind are read or refused, and a file that is written is always the old one or the new one."""

from __future__ import annotations

import errno
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulewright.data.ruleset import load_ruleset
from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.findings.fuzzing import corpus
from rulewright.findings.fuzzing.corpus import Kept
from rulewright.findings.fuzzing.failures import Setting
from rulewright.host import files
from rulewright.reporting import to_text
from sampling import sample

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links, pipes and devices of POSIX")

SECRET = "a line that is nobody's business"

# --------------------------------------------------------------------------------------------------- reading


def fifo(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def dangling(path: Path) -> None:
    path.symlink_to(path.parent / "nowhere")


def circle(path: Path) -> None:
    path.symlink_to(path)


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))


def large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(10**12)  # nothing of it is on the disk


STRANGE: list[tuple[Callable[[Path], None], str]] = [
    (fifo, "DAT003"),
    (device, "DAT003"),
    (Path.mkdir, "DAT003"),
    (listening, "DAT003"),
    (circle, "DAT003"),
    (dangling, "DAT002"),
    (large, "DAT004"),
]


@pytest.mark.parametrize(("make", "code"), STRANGE, ids=lambda given: getattr(given, "__name__", ""))
def test_what_is_no_file(tmp_path: Path, make: Callable[[Path], None], code: str) -> None:
    path = tmp_path / "x.json"
    make(path)
    with pytest.raises(RulesetError) as caught:
        files.read_text(path)
    assert [one.code for one in caught.value.diagnostics] == [code]


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="files that do not tell their size")
def test_files_of_the_system_are_read_up_to_the_limit() -> None:
    with pytest.raises(RulesetError, match="DAT004"):
        files.read_bytes(Path("/proc/self/environ"), most=1)


@pytest.mark.parametrize("make", [make for make, _ in STRANGE], ids=lambda make: make.__name__)
def test_a_corpus_passes_over_what_is_no_file(tmp_path: Path, make: Callable[[Path], None]) -> None:
    game = Kept(Setting(2, (), ()), (1, 2, 3))
    corpus.write(tmp_path, "pond", [game])
    make(tmp_path / "0.json")
    (tmp_path / "1.json").write_text("[" * 100_000, "utf-8")
    (tmp_path / "2.json").write_text(game.text("pond").replace("[1, 2, 3]", "[1e999]"), "utf-8")
    assert corpus.read(tmp_path, "pond") == [game]


HOSTILE = """
import resource, sys
from rulewright.data import csv_positions as csvpos
from rulewright.data.json_positions import JsonText
from rulewright.diagnostics import RulesetError
size = 10 * 1024 * 1024
texts = (
    (csvpos.parse, "a\\n" + '"' * size),
    (csvpos.parse, 'a\\n"' + 'a""' * (size // 3)),
    (JsonText, '"' + "a" * size),
    (JsonText, '["' + "\\\\n" * (size // 2) + '",'),
    (JsonText, '"' + "\\\\u00e9" * (size // 6)),
)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for read, text in texts:
    try:
        read(text, "x")
    except RulesetError:
        pass
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory as Linux tells it")
def test_ten_megabytes_of_quotes_take_no_more_than_they_are() -> None:
    command = [sys.executable, "-c", HOSTILE]
    done = subprocess.run(
        command, capture_output=True, text=True, env=os.environ | environment(), timeout=120, check=True
    )
    assert int(done.stdout) < 150


# --------------------------------------------------------------------------------------- how far a ruleset reaches


def ruleset(folder: Path, **more: object) -> Path:
    folder.mkdir(parents=True)
    manifest = {"name": folder.name, "title": "Pond", "rules": ["game.rules"], **more}
    (folder / "ruleset.json").write_text(json.dumps(manifest), "utf-8")
    (folder / "game.rules").write_text("param goal = 3\n", "utf-8")
    return folder


def findings(folder: Path) -> tuple[Diagnostic, ...]:
    try:
        return load_ruleset(folder).diagnostics
    except RulesetError as error:
        return error.diagnostics


@pytest.mark.parametrize("name", ["ruleset.json", "game.rules", "rulebook.json"])
def test_links_out_of_the_folder_are_not_read(tmp_path: Path, name: str) -> None:
    folder = ruleset(tmp_path / "pond", rulebook="rulebook.json")
    (tmp_path / "elsewhere").write_text(SECRET, "utf-8")
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(tmp_path / "elsewhere")
    found = findings(folder)
    assert "DAT020" in [one.code for one in found]
    assert SECRET not in to_text(found)


def test_links_inside_the_folder_are_read(tmp_path: Path) -> None:
    folder = ruleset(tmp_path / "pond")
    (folder / "game.rules").rename(folder / "first.rules")
    (folder / "game.rules").symlink_to("first.rules")
    assert not findings(folder)


@pytest.mark.parametrize(
    ("extends", "code"),
    [
        ("../base", None),
        ("../base/ruleset.json", None),
        ("../deep/base", None),
        ("../../else/base", "DAT020"),
        ("{tmp}/home/base", "DAT020"),
        ("../linked", "DAT020"),
        ("..", "DAT021"),
        ("../nothing", "DAT021"),
    ],
)
def test_a_ruleset_extends_what_lies_beside_it(tmp_path: Path, extends: str, code: str | None) -> None:
    home = tmp_path / "home"
    for base in (home / "base", home / "deep" / "base", tmp_path / "else" / "base"):
        ruleset(base)
    (home / "linked").symlink_to(tmp_path / "else" / "base")
    manifest = {"extends": extends.format(tmp=tmp_path), "rules": []}
    found = findings(ruleset(home / "pond", **manifest))
    assert [one.code for one in found] == ([] if code is None else [code])


def test_a_link_in_the_manifest_of_what_is_extended(tmp_path: Path) -> None:
    base = ruleset(tmp_path / "base")
    (tmp_path / "elsewhere").write_text(SECRET, "utf-8")
    (base / "ruleset.json").unlink()
    (base / "ruleset.json").symlink_to(tmp_path / "elsewhere")
    found = findings(ruleset(tmp_path / "pond", extends="../base", rules=[]))
    assert [one.code for one in found] == ["DAT020"]
    assert SECRET not in to_text(found)


# --------------------------------------------------------------------------------------------------- writing


CALLS = ("write", "fsync", "chmod", "replace", "close")


@pytest.mark.parametrize("problem", [errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("old", [None, "old"])
def test_when_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, problem: int, old: str | None
) -> None:
    """The file is the old one or the new one whichever system call fails, and nothing else is there."""
    path = tmp_path / "game.json"
    right: Callable[..., Any] = getattr(os, name)
    for fails in range(1, 4):
        if old is not None:
            path.write_text(old, "utf-8")
        calls = 0

        def call(*args: Any, fails: int = fails, **more: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == fails:
                if name == "close":
                    right(*args)
                if name == "write" and len(args[1]) > 1:
                    right(args[0], args[1][:1])
                raise OSError(problem, os.strerror(problem))
            # A disk that is nearly full takes a little.
            return right(args[0], args[1][:2]) if name == "write" else right(*args, **more)

        with monkeypatch.context() as patched:
            patched.setattr(os, name, call)
            if calls_fail := fails <= {"write": 2, "fsync": 2, "close": 2}.get(name, 1):
                with pytest.raises(OSError, match=os.strerror(problem)):
                    files.write_text(path, "new!")
            else:
                files.write_text(path, "new!")
        # Once the new name stands, only the folder itself can still fail to come onto the disk.
        stands = not calls_fail or (name in ("fsync", "close") and fails == 2)
        assert (path.read_text("utf-8") if path.exists() else None) == ("new!" if stands else old)
        assert sorted(tmp_path.iterdir()) == ([path] if path.exists() else [])
        path.unlink(missing_ok=True)


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    path, target = tmp_path / "game.json", tmp_path / "target"
    target.write_text("old", "utf-8")
    path.symlink_to(target)
    with pytest.raises(OSError, match="link"):
        files.write_text(path, "new")
    assert target.read_text("utf-8") == "old"
    assert path.is_symlink()


@pytest.mark.parametrize("make", [fifo, device, dangling, Path.mkdir], ids=lambda make: make.__name__)
def test_nothing_is_written_into_what_is_no_file(tmp_path: Path, make: Callable[[Path], None]) -> None:
    path = tmp_path / "game.json"
    make(path)
    with pytest.raises(OSError, match="this is"):
        files.write_text(path, "new")
    assert [one.name for one in tmp_path.iterdir()] == ["game.json"]


def test_permissions_stay_and_nobody_can_guess_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.json"
    path.write_text("old", "utf-8")
    path.chmod(0o640)
    seen: set[str] = set()
    replace = os.replace

    def watched(one: str, other: Path) -> None:
        seen.add(one)
        assert Path(one).parent == path.parent
        replace(one, other)

    monkeypatch.setattr(os, "replace", watched)
    for _ in range(3):
        files.write_text(path, "new")
    assert len(seen) == 3
    assert path.stat().st_mode & 0o777 == 0o640


WRITER = """
import sys
from pathlib import Path
from rulewright.host.files import write_text
path, size = Path(sys.argv[1]), 200_000
print("ready", flush=True)
while True:
    for letter in "ab":
        write_text(path, letter * size)
"""


def test_a_writer_that_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text("old", "utf-8")
    for number in range(2):
        command = [sys.executable, "-c", WRITER, str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ | environment()) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(0.01 + 0.017 * number)
            process.send_signal(signal.SIGKILL)
        assert path.read_text("utf-8") in ("old", "a" * 200_000, "b" * 200_000)


GROWER = """
import sys
from pathlib import Path
from rulewright.findings.fuzzing import corpus
from rulewright.findings.fuzzing.failures import Setting
own = int(sys.argv[2])
for number in range(int(sys.argv[3])):
    both, mine = ((number,), (own, number))
    corpus.write(Path(sys.argv[1]), "pond", [corpus.Kept(Setting(2, (), ()), game) for game in (both, mine)])
"""


def test_two_processes_lose_nothing_at_one_corpus(tmp_path: Path) -> None:
    count = sample(25, 60)
    commands = [[sys.executable, "-c", GROWER, str(tmp_path), own, str(count)] for own in ("1001", "1002")]
    processes = [subprocess.Popen(command, env=os.environ | environment()) for command in commands]
    assert [process.wait(timeout=60) for process in processes] == [0, 0]
    found = {game.numbers for game in corpus.read(tmp_path, "pond")}
    expected = {(own, number) for own in (1001, 1002) for number in range(count)} | {
        (number,) for number in range(count)
    }
    assert found == expected
    assert all(path.suffix == ".json" for path in tmp_path.iterdir())


def environment() -> dict[str, str]:
    return {"PYTHONPATH": os.pathsep.join(sys.path)}
