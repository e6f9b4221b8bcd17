"""The tables of the parser are kept between commands: warm is as cold, and nothing that lies there can do harm."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.host import disk_cache
from rulewright.host.disk_cache import cache_folder
from rulewright.syntax.lalr.machine import END, Machine
from rulewright.syntax.lexer.tokens import Scanner
from rulewright.syntax.tables import parse_tables as module
from rulewright.syntax.tables.grammar import make_tables
from rulewright.syntax.tables.parse_tables import (
    ALWAYS_WRONG,
    EXPRESSION,
    START,
    TRIVIA,
    ParseTables,
    grammar_text,
    stored,
    tables_from_json,
)

GRAMMAR = 'start: _word ("," _word)*\n_word: WORD\nWORD: /[a-z]+/\nOTHER: /[0-9]/i\n%ignore / +/\n'


def small() -> dict[str, Any]:
    return make_tables(GRAMMAR, ("start",))


def never() -> dict[str, Any]:
    raise AssertionError("these tables are stored")


def children(tables: ParseTables, text: str) -> list[str]:
    """The words of the tree that the small grammar makes of a text."""
    tokens = Scanner(tables.scanner).scan(text, 1)
    tree = Machine(tables, "start").parse([*tokens, tokens[-1].like(END, "")])
    assert tree is not None
    return [str(child) for child in tree.children]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv(disk_cache.FOLDER, str(tmp_path / "cache"))
    monkeypatch.setattr(module, "BUILT_IN", "none.json")
    yield tmp_path / "cache"
    for path in (tmp_path, tmp_path / "cache"):
        if path.is_dir():
            path.chmod(0o700)


def the_file(folder: Path) -> Path:
    (path,) = folder.glob("*.json")
    return path


def test_the_grammar_is_read_as_it_was_written() -> None:
    grammar = grammar_text()
    made = make_tables(grammar, (START, EXPRESSION), (*TRIVIA, *ALWAYS_WRONG))
    cold = stored(lambda: made, tables_from_json, grammar)
    warm = stored(never, tables_from_json, grammar)
    assert warm is not cold
    assert warm == cold == tables_from_json(made)


def test_a_package_contains_the_tables_of_its_grammar(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "share", lambda _: folder)
    folder.mkdir(exist_ok=True)
    built_in = folder / module.BUILT_IN
    built_in.write_text(module.built_in_text(small(), GRAMMAR), "utf-8")
    with disk_cache.without_cache():
        assert children(stored(never, tables_from_json, GRAMMAR), "a, b") == ["a", "b"]
        for damaged in ("", "[]", built_in.read_text("utf-8")[:-9]):
            built_in.write_text(damaged, "utf-8")
            with pytest.raises(AssertionError, match="are stored"):
                stored(never, tables_from_json, GRAMMAR)
        built_in.write_text(module.built_in_text(small(), GRAMMAR + "\n"), "utf-8")
        with pytest.raises(AssertionError, match="are stored"):
            stored(never, tables_from_json, GRAMMAR)


def test_other_grammars_and_versions_have_other_tables(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored(small, tables_from_json, GRAMMAR)
    with pytest.raises(AssertionError, match="are stored"):
        stored(never, tables_from_json, GRAMMAR + "\n")
    monkeypatch.setattr(module, "lark_digest", lambda: "another version")
    with pytest.raises(AssertionError, match="are stored"):
        stored(never, tables_from_json, GRAMMAR)


def test_the_digest_of_lark_tells_its_version() -> None:
    import lark

    path = Path(lark.__file__)
    assert lark.__version__ in path.read_text("utf-8")
    assert len(module.lark_digest()) == 64


@pytest.mark.parametrize("harm", ["nothing", "half", "a letter", "binary", "a list", "a state", "huge"])
def test_what_is_damaged_is_made_anew(harm: str, folder: Path) -> None:
    stored(small, tables_from_json, GRAMMAR)
    path = the_file(folder)
    good = path.read_bytes()
    head, body = good.split(b"\n", 1)
    state = body.replace(b'"rows":[', b'"rows":[[9999,1],')
    assert state != body
    path.write_bytes({
        "nothing": b"", "half": good[: len(good) // 2], "a letter": good.replace(b"WORD", b"WORT", 1),
        "binary": b"\x80\x04\x95" + good, "a list": disk_cache._head(head[:64].decode(), "[]").encode() + b"\n[]",
        "a state": disk_cache._head(head[:64].decode(), state.decode()).encode() + b"\n" + state,
        "huge": b"[" * 11_000_000,
    }[harm])  # fmt: skip
    assert children(stored(small, tables_from_json, GRAMMAR), "a, b") == ["a", "b"]
    assert path.read_bytes().startswith(head[:64])
    assert children(stored(never, tables_from_json, GRAMMAR), "a, b") == ["a", "b"]


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
@pytest.mark.parametrize("whose", ["the file", "the folder"])
def test_what_others_can_write_is_not_read(whose: str, folder: Path) -> None:
    stored(small, tables_from_json, GRAMMAR)
    path = the_file(folder) if whose == "the file" else folder
    path.chmod(path.stat().st_mode | stat.S_IWOTH)
    with pytest.raises(AssertionError, match="are stored"):
        stored(never, tables_from_json, GRAMMAR)


@pytest.mark.parametrize("why", ["a file is in the way", "a link", "no name"])
def test_where_nothing_can_be_written_it_works_as_well(
    why: str, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if why == "a file is in the way":
        folder.write_text("mine", encoding="utf-8")
    elif why == "a link":
        folder.symlink_to(tmp_path / "nowhere" / "at" / "all")
    else:
        monkeypatch.setenv(disk_cache.FOLDER, "")
        assert cache_folder() is None
    for _ in range(2):
        assert children(stored(small, tables_from_json, GRAMMAR), "a, b") == ["a", "b"]
    assert [p.name for p in tmp_path.rglob("*.json")] == []


def test_old_tables_are_thrown_away(folder: Path) -> None:
    for version in range(9):
        stored(small, tables_from_json, GRAMMAR + f"// {version}")
    assert len(list(folder.glob("grammar-*.json"))) == module._KEPT
    stored(never, tables_from_json, GRAMMAR + "// 8")


def test_a_command_stores_them_and_reads_the_same(folder: Path) -> None:
    code = (
        "from rulewright.syntax.tables import parse_tables; parse_tables.BUILT_IN = 'none.json';"
        " from rulewright.syntax import parse, print_file; import sys;"
        " sys.stdout.write(print_file(parse('query q(n: Int) -> Int = n + 1  # why\\n').file));"
        " sys.stdout.write(str('lark' in sys.modules))"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": str(seed)}, capture_output=True,
            text=True, check=True,
        ).stdout
        for seed in (1, 2)
    ]  # fmt: skip
    text = "query q(n: Int) -> Int = n + 1  # why\n"
    assert said == [text + "True", text + "False"], "who finds the tables stored does not wait for lark"
    assert the_file(folder).stat().st_size > 100_000
