"""Machine code on disk: found again, never out of date, and not run if anybody else could have written it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import rulewright as rw
from rulewright.engine.native import compiled_programs
from rulewright.engine.native.backend import Backend
from rulewright.engine.native.lowering.program_lowering import NativeProgram, lower
from rulewright.engine.native.module_runners.wasmtime_runner import WasmtimeRunner
from rulewright.host import disk_cache, private_cache
from rulewright.ir import model as m

GAME = rw.load("tic-tac-toe", engine="native")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(disk_cache.FOLDER, str(tmp_path / "cache"))
    return tmp_path / "cache" / disk_cache.CODE


@pytest.fixture
def lowered(monkeypatch: pytest.MonkeyPatch) -> list[m.Program]:
    """The programs that are really compiled from now on."""
    found: list[m.Program] = []

    def noted(program: m.Program, **options: Any) -> NativeProgram:
        found.append(program)
        return lower(program, **options)

    monkeypatch.setattr(compiled_programs, "lower", noted)
    return found


def played(program: m.Program) -> list[object]:
    backend = Backend(program)
    return [backend.play(seed, 99, 10**6, 10**9, None) for seed in range(5)]


def test_code_is_found_again(folder: Path, lowered: list[m.Program]) -> None:
    first = played(GAME.program)
    assert played(GAME.program) == first
    assert len(lowered) == 1
    assert [path.stat().st_mode & 0o777 for path in (folder, *folder.iterdir())] == [0o700, 0o600]
    assert disk_cache.cache_info().kinds["code"][0] == 1
    assert disk_cache.clear_cache() == 1
    assert played(GAME.program) == first
    assert len(lowered) == 2


def test_other_programs_and_compilers_have_other_code(
    lowered: list[m.Program], monkeypatch: pytest.MonkeyPatch
) -> None:
    played(GAME.program)
    other = replace(GAME.program, rules=GAME.program.rules[:1])
    assert other.digest == GAME.program.digest
    played(other)
    monkeypatch.setattr(WasmtimeRunner, "kind", "another version")
    played(GAME.program)
    monkeypatch.setattr(compiled_programs, "_compiler", lambda: "changed")
    played(GAME.program)
    assert len(lowered) == 4


def _open_folder(folder: Path, _: Path) -> None:
    folder.chmod(0o755)


def _open_file(_: Path, file: Path) -> None:
    file.chmod(0o620)


def _link(folder: Path, file: Path) -> None:
    elsewhere = folder.parent / "elsewhere"
    file.rename(elsewhere)
    file.symlink_to(elsewhere)


def _damage(_: Path, file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[-9] ^= 1
    file.write_bytes(content)


def _shorten(_: Path, file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-100])


def _of_another_key(_: Path, file: Path) -> None:
    raw = file.read_bytes()
    file.write_bytes((b"1" if raw.startswith(b"0") else b"0") + raw[1:])


def _no_code(folder: Path, file: Path) -> None:
    """Well kept, and yet none that wasmtime takes."""
    key = file.read_bytes().split()[0].decode()
    private_cache.keep(key, b"{}\nnothing")


@pytest.mark.skipif(os.name == "nt", reason="a user's folders are their own")
@pytest.mark.parametrize(
    "change", [_open_folder, _open_file, _link, _damage, _shorten, _of_another_key, _no_code], ids=lambda f: f.__name__
)
def test_what_cannot_be_trusted_is_ignored(
    folder: Path, lowered: list[m.Program], change: Callable[[Path, Path], None]
) -> None:
    first = played(GAME.program)
    change(folder, next(folder.iterdir()))
    assert played(GAME.program) == first
    assert len(lowered) == 2


def test_folders_of_others_are_not_used(
    folder: Path, lowered: list[m.Program], monkeypatch: pytest.MonkeyPatch
) -> None:
    played(GAME.program)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    played(GAME.program)
    assert len(lowered) == 2
    assert len(list(folder.iterdir())) == 1


def test_nothing_is_kept_without_a_cache(folder: Path, lowered: list[m.Program]) -> None:
    with disk_cache.without_cache():
        played(GAME.program)
        played(GAME.program)
    assert len(lowered) == 2
    assert not folder.exists()


def test_the_oldest_are_removed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(private_cache, "MOST_BYTES", 2500)
    for number in range(5):
        private_cache.keep(disk_cache.digest(str(number)), bytes(1000))
        os.utime(max(folder.iterdir(), key=lambda path: path.stat().st_mtime_ns), (number, number))
    assert len(list(folder.iterdir())) == 2
    assert private_cache.read(disk_cache.digest("4")) == bytes(1000)
    assert private_cache.read(disk_cache.digest("0")) is None


def test_a_full_disk_is_no_failure(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert played(GAME.program)
    assert list(folder.iterdir()) == []


def test_code_follows_from_all_that_lowering_imports() -> None:
    """Modules that lowering imports are part of the digest, or old code would be found after a change of them."""
    package = Path(rw.__file__).parent
    known = {"engine/native", "engine/kernels", "engine/cells", "ir", "foundation", "diagnostics"}
    folders = "engine/native/lowering", "engine/native/translation", "engine/kernels"
    found = set()
    for path in (path for folder in folders for path in (package / folder).rglob("*.py")):
        for module in re.findall(r"^from rulewright\.([\w.]+) import", path.read_text("utf-8"), re.MULTILINE):
            name = module.replace(".", "/")
            if not any(name == one or name.startswith(f"{one}/") for one in known):
                found.add(name)
    assert found <= set(compiled_programs._NUMBERS)
