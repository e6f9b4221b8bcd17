"""Reading JSON: broken files, places of keys and values."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.data.json_positions import JsonText, read_json, show_path
from rulewright.diagnostics import Diagnostic, RulesetError, Span
from rulewright.foundation.limits import JSON_DEPTH
from rulewright.host.files import MOST_BYTES


def refused(text: str) -> Diagnostic:
    with pytest.raises(RulesetError) as caught:
        JsonText(text, "f.json")
    (finding,) = caught.value.diagnostics
    return finding


BROKEN = [
    ('{"a": 1,}', "DAT001", "another value was expected", (1, 8), "remove the comma"),
    ('{"a": 1\n "b": 2}', "DAT001", "`,` or `}` was expected", (2, 2), ""),
    ('{"a": [1, 2', "DAT001", "the bracket of line 1 is still open", (1, 11), ""),
    ("{a: 1}", "DAT001", 'a key in "double quotes"', (1, 2), "double quotes"),
    ("{'a': 1}", "DAT001", "but `'` was found", (1, 2), "double quotes"),
    ('{"a" 1}', "DAT001", "`:` was expected after the key `a`", (1, 6), ""),
    ('{"a": tru}', "DAT001", "but `tru` was found", (1, 7), ""),
    ('{"a": True}', "DAT001", "but `True` was found", (1, 7), "write `true`"),
    ('{"a": "x\ty"}', "DAT001", "tab", (1, 9), r"\t"),
    (r'{"a": "\q"}', "DAT001", "must be followed by", (1, 8), ""),
    ('{"a": "abc\n}', "DAT001", "is missing", (1, 7), ""),
    ("// no\n{}", "DAT001", "a value was expected", (1, 1), "no comments"),
    ("[01]", "DAT001", "`01`", (1, 2), ""),
    ("[+1]", "DAT001", "`+1`", (1, 2), ""),
    ("[1] x", "DAT001", "the file should end here", (1, 5), ""),
    ("", "DAT001", "ends too early", (1, 1), ""),
    ('{"a": 1,\n "b": 2,\n "a": 3}', "DAT006", "duplicate key `a`", (3, 2), "line 1"),
    ("[NaN]", "DAT007", "`NaN`", (1, 2), ""),
    ("[-Infinity]", "DAT007", "`-Infinity`", (1, 2), ""),
    ("[1e999]", "DAT007", "too large", (1, 2), ""),
    ("[" + "9" * 5000 + "]", "DAT007", "too large", (1, 2), ""),
    (r'["\ud800"]', "DAT007", "half a character", (1, 2), ""),
    ("[" * 10_000, "DAT008", "nested", (1, JSON_DEPTH + 1), ""),
    ("[" * 500 + "]" * 500, "DAT008", "nested", (1, JSON_DEPTH + 1), ""),
    ('{"a":' * 10_000 + "1" + "}" * 10_000, "DAT008", "nested", (1, JSON_DEPTH * 5 + 1), ""),
]


@pytest.mark.parametrize("text, code, message, place, hint", BROKEN, ids=[case[0][:16] for case in BROKEN])
def test_broken_json_is_one_clear_error(text: str, code: str, message: str, place: tuple[int, int], hint: str) -> None:
    finding = refused(text)
    assert finding.code == code
    assert message in finding.message
    assert (finding.span.line, finding.span.column) == place
    assert finding.span.file == "f.json"
    assert hint in finding.hint


def test_spans_of_paths() -> None:
    text = '{\n  "knights": [\n    {"family": "red", "count": 40},\n    {"family": "bl\\u00fce"}\n  ]\n}\n'
    source = JsonText(text, "f.json")
    assert source.span(("knights", 0, "family")) == Span("f.json", 3, 16, 3, 21)
    assert source.span(("knights", 0, "family"), key=True) == Span("f.json", 3, 6, 3, 14)
    assert source.span(("knights", 1)) == Span("f.json", 4, 5, 4, 28)
    assert source.span(("knights",)).end_line == 5
    assert source.span() == Span("f.json", 1, 1, 6, 2)
    # Where a path leads nowhere, the last thing on the way is shown.
    assert source.span(("knights", 1, "count")).line == 4


def test_show_path() -> None:
    assert show_path(("knights", 3, "family")) == "knights[3].family"
    assert show_path(("seats", "2", 0)) == 'seats["2"][0]'
    assert show_path(()) == ""


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    where = Span("game.rules", 7, 14, 7, 29)

    def finding(name: str, place: Span = where) -> Diagnostic:
        with pytest.raises(RulesetError) as caught:
            read_json(tmp_path / name, place)
        (found,) = caught.value.diagnostics
        return found

    (tmp_path / "components.json").write_text("{}")
    missing = finding("componets.json")
    assert (missing.code, missing.span) == ("DAT002", where)
    assert "no such file" in missing.message
    assert missing.hint == "did you mean `components.json`?"
    assert finding("nothing-like-it/x.json").code == "DAT002"
    (tmp_path / "folder").mkdir()
    assert finding("folder").code == "DAT003"
    assert finding("x" * 5000).code == "DAT003"
    (tmp_path / "large.json").write_bytes(b"[" + b" " * MOST_BYTES + b"]")
    assert finding("large.json").code == "DAT004"
    (tmp_path / "latin.json").write_bytes('{\n "name": "M\xfcller"}'.encode("latin-1"))
    latin = finding("latin.json")
    assert (latin.code, latin.span.line, latin.span.column) == ("DAT005", 2, 12)
    assert latin.span.file.endswith("latin.json")
    (tmp_path / "utf16.json").write_bytes("{}".encode("utf-16"))
    assert finding("utf16.json").code == "DAT005"


def test_byte_order_mark_and_line_ends_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "dos.json").write_bytes(b'\xef\xbb\xbf{\r\n "a": 1}\r\n')
    source = read_json(tmp_path / "dos.json")
    assert source.value == {"a": 1}
    assert source.span(("a",)).line == 2


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text('ab\u00e9"\\', max_size=4), inner, max_size=4),
    max_leaves=12,
)


@given(values, st.sampled_from([None, 1, 3]), st.booleans())
def test_every_value_is_found_again(value: object, indent: int | None, ascii: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii)
    source = JsonText(text, "f.json")
    assert source.value == value
    lines = text.split("\n")

    def check(part: object, path: tuple[str | int, ...]) -> None:
        span = source.span(path)
        start = sum(len(line) + 1 for line in lines[: span.line - 1]) + span.column - 1
        end = sum(len(line) + 1 for line in lines[: span.end_line - 1]) + span.end_column - 1
        assert json.loads(text[start:end]) == part
        children = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
        for key, inner in children:
            check(inner, (*path, key))

    check(value, ())


@given(st.text('[]{}",:1 \n\\ae-', max_size=12))
def test_any_text_is_read_as_json_reads_it_or_refused(text: str) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        refused(text)
        return
    doubled = len(re.findall(r'"[^"]*"\s*:', text)) > 1
    # Only keys that stand twice make a difference.
    if not doubled:
        assert JsonText(text, "f.json").value == expected
