"""The tables of the parser are kept between commands: warm is as cold, and nothing that lies there can do harm."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lark import Lark

from rulewright.syntax.tables import stored_tables as module
from rulewright.syntax.tables.parse_tables import _Untouched, make_lark
from rulewright.syntax.tables.stored_tables import cache_folder, stored

GRAMMAR = 'start: _word ("," _word)*\n_word: WORD\nWORD: /[a-z]+/\nOTHER: /[0-9]/i\n%ignore " "\n'


def small() -> Lark:
    return Lark(GRAMMAR, parser="lalr", lexer="basic", start=["start"], propagate_positions=True)


def never() -> Lark:
    raise AssertionError("these tables are stored")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv(module.FOLDER, str(tmp_path / "cache"))
    yield tmp_path / "cache"
    for path in (tmp_path, tmp_path / "cache"):
        if path.is_dir():
            path.chmod(0o700)


def shape(parser: Lark) -> Any:
    """All that decides how a text is read."""
    table = parser.parse_interactive(start="start").parser_state.parse_conf.parse_table
    states = {
        state: {
            token: (action.name, to if isinstance(to, int) else (to.origin.name, to.expansion, to.alias, to.order))
            for token, (action, to) in found.items()
        }
        for state, found in table.states.items()
    }
    terminals = [(t.name, t.pattern.to_regexp(), t.priority, type(t.pattern)) for t in parser.terminals]
    rules = [
        (r.origin, r.expansion, r.alias, r.options.expand1, r.options.keep_all_tokens, tuple(r.options.empty_indices))
        for r in parser.rules
    ]
    return states, table.start_states, table.end_states, terminals, rules


def the_file(folder: Path) -> Path:
    (path,) = folder.glob("*.json")
    return path


def test_the_grammar_is_read_as_it_was_written() -> None:
    cold = stored(make_lark, "rules", postlex=_Untouched())
    warm = stored(never, "rules", postlex=_Untouched())
    assert warm is not cold
    assert shape(warm) == shape(cold)


def test_other_grammars_and_versions_have_other_tables(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored(small, GRAMMAR)
    with pytest.raises(AssertionError, match="are stored"):
        stored(never, GRAMMAR + "\n")
    monkeypatch.setattr(module.lark, "__version__", "99")
    with pytest.raises(AssertionError, match="are stored"):
        stored(never, GRAMMAR)


@pytest.mark.parametrize("harm", ["nothing", "half", "a letter", "binary", "a list", "a state", "huge"])
def test_what_is_damaged_is_made_anew(harm: str, folder: Path) -> None:
    stored(small, GRAMMAR)
    path = the_file(folder)
    good = path.read_bytes()
    head, body = good.split(b"\n", 1)
    state = re.sub(rb'"states":\{"0"', b'"states":{"x"', body)
    assert state != body
    path.write_bytes({
        "nothing": b"", "half": good[: len(good) // 2], "a letter": good.replace(b"WORD", b"WORT", 1),
        "binary": b"\x80\x04\x95" + good, "a list": module._head(head[:64].decode(), "[]").encode() + b"\n[]",
        "a state": module._head(head[:64].decode(), state.decode()).encode() + b"\n" + state,
        "huge": b"[" * 11_000_000,
    }[harm])  # fmt: skip
    assert stored(small, GRAMMAR).parse("a, b").children == ["a", "b"]
    assert path.read_bytes().startswith(head[:64])
    assert stored(never, GRAMMAR).parse("a, b").children == ["a", "b"]


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
@pytest.mark.parametrize("whose", ["the file", "the folder"])
def test_what_others_can_write_is_not_read(whose: str, folder: Path) -> None:
    stored(small, GRAMMAR)
    path = the_file(folder) if whose == "the file" else folder
    path.chmod(path.stat().st_mode | stat.S_IWOTH)
    with pytest.raises(AssertionError, match="are stored"):
        stored(never, GRAMMAR)


@pytest.mark.parametrize("why", ["a file is in the way", "a link", "no name"])
def test_where_nothing_can_be_written_it_works_as_well(
    why: str, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if why == "a file is in the way":
        folder.write_text("mine", encoding="utf-8")
    elif why == "a link":
        folder.symlink_to(tmp_path / "nowhere" / "at" / "all")
    else:
        monkeypatch.setenv(module.FOLDER, "")
        assert cache_folder() is None
    for _ in range(2):
        assert stored(small, GRAMMAR).parse("a, b").children == ["a", "b"]
    assert [p.name for p in tmp_path.rglob("*.json")] == []


def test_old_tables_are_thrown_away(folder: Path) -> None:
    for version in range(9):
        stored(small, GRAMMAR + f"// {version}")
    assert len(list(folder.glob("grammar-*.json"))) == module._KEPT
    stored(never, GRAMMAR + "// 8")


def test_a_command_stores_them_and_reads_the_same(folder: Path) -> None:
    code = (
        "from rulewright.syntax import parse, print_file; import sys;"
        " sys.stdout.write(print_file(parse('query q(n: Int) -> Int = n + 1  # why\\n').file))"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": str(seed)}, capture_output=True,
            text=True, check=True,
        ).stdout
        for seed in (1, 2)
    ]  # fmt: skip
    assert said[0] == said[1] != ""
    assert the_file(folder).stat().st_size > 100_000
