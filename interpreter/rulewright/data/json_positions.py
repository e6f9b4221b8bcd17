"""JSON that remembers where everything stands.

Good files are read by :mod:`json`, which is fast. Only when something is to be said about a file, a second
reader goes over the text, slowly, and notes the place of each key and value; it also describes in people's words
what is wrong with a broken file. It keeps its own stack, so nesting cannot exhaust Python's.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import NoReturn

from rulewright.data.paths import read_text, shown
from rulewright.diagnostics import NOWHERE, Diagnostic, RulesetError, Span, over_limit
from rulewright.foundation import limits
from rulewright.foundation.characters import UNSEEN, code_point
from rulewright.foundation.lazy_dataclass import dataclass

# Possessive: what is passed over once is not tried again, so that no text can make it slow or large.
_TEXT = re.compile(r'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)


def held(text: str, signs: str, most: int) -> int:
    """Count some characters in a text, leaving out quoted ones where this decides whether there are at most `most`."""
    found = sum(text.count(sign) for sign in signs)
    if found > most and '"' in text:
        plain = _TEXT.sub("", text)
        found = sum(plain.count(sign) for sign in signs)
    return found


def few(found: Sequence[Diagnostic], file: str, more: str = "") -> list[Diagnostic]:
    """Findings about one data file: the first ones, and how many there are besides."""
    most = limits.DATA_FINDINGS
    if len(found) <= most:
        return list(found)
    rest = f"and {len(found) - most}{more} more findings in this file"
    return [*found[:most], Diagnostic("DAT019", rest, Span(file, 1, 1, 1, 2))]


Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
JsonPath = Sequence[str | int]

_SPACE = re.compile(r"[ \t\n\r]*")
_LETTERS = re.compile(r'(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+')
"""The contents of a string. The groups are possessive, so the search never backtracks."""
_STRING = re.compile(f'"{_LETTERS.pattern}"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![0-9A-Za-z_.])")
_WORD = re.compile(r"[-+]?[A-Za-z_][A-Za-z_0-9]*|[-+.0-9][-+.0-9A-Za-z_]*")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(slots=True)
class _Place:
    """The place of a value, with its key if it has one, and what is inside."""

    start: int
    end: int = 0
    key: tuple[int, int] | None = None
    inside: dict[str | int, _Place] = field(default_factory=dict)


class JsonText:
    """A parsed JSON file: its `value`, and the span of any path inside."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.value: Json = self._load()

    def span(self, path: JsonPath = (), *, key: bool = False) -> Span:
        """The span of the value at `path` (with `key`, of its key). A path that leads too far gives the last part
        found.
        """
        place = self._root
        for part in path:
            if part not in place.inside:
                return self._between(place.start, place.start + 1)
            place = place.inside[part]
        if key and place.key is not None:
            return self._between(*place.key)
        return self._between(place.start, place.end)

    def _load(self) -> Json:
        self._check_size()
        try:
            value: Json = json.loads(self.text, object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float)
            # Escaped halves of characters cannot be written out again.
            if "\\u" in self.text and _SURROGATE.search(json.dumps(value, ensure_ascii=False)):
                raise ValueError
        except (ValueError, RecursionError):
            pass
        else:
            if self.text.count("[") + self.text.count("{") > limits.JSON_DEPTH:
                self._check_depth()
            return value
        _Reader(self).read()
        self.fail("DAT001", "this is not valid JSON", 0, 1)

    def _check_size(self) -> None:
        found = held(self.text, ",:[{", limits.JSON_VALUES)
        if found > limits.JSON_VALUES:
            where = Span(self.file, 1, 1, 1, 2)
            hint = "divide it into several files"
            raise RulesetError(over_limit("values and keys are in this file", found, limits.JSON_VALUES, where, hint))

    def _check_depth(self) -> None:
        depth = 0
        for match in re.finditer(r'"(?:[^"\\]++|\\.)*+"|[\[{]|[\]}]', self.text):
            depth += 1 if match[0] in "[{" else -1 if match[0] in "]}" else 0
            if depth > limits.JSON_DEPTH:
                self.fail("DAT008", f"nested more than {limits.JSON_DEPTH} deep", match.start(), match.end())

    @cached_property
    def _root(self) -> _Place:
        return _Reader(self).read()

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def _between(self, start: int, end: int) -> Span:
        first, last = bisect_right(self._lines, start), bisect_right(self._lines, end)
        return Span(self.file, first, start - self._lines[first - 1] + 1, last, end - self._lines[last - 1] + 1)

    def fail(self, code: str, message: str, start: int, end: int, hint: str = "") -> NoReturn:
        """Raise an error about a stretch of the text."""
        raise RulesetError(Diagnostic(code, message, self._between(start, end), hint=hint))


def read_json(path: Path, where: Span = NOWHERE) -> JsonText:
    """Read a JSON file that was named at `where`."""
    read = parsed(read_text(path, where), shown(path))
    if isinstance(read, RulesetError):
        raise RulesetError(read.diagnostics)
    return read


@lru_cache(maxsize=64)
def parsed(text: str, file: str) -> JsonText | RulesetError:
    """The text as JSON, or what is wrong with it; kept, as one file may hold many tables for many games."""
    try:
        return JsonText(text, file)
    except RulesetError as error:
        return RulesetError(error.diagnostics)


def show_path(path: JsonPath) -> str:
    """``knights[3].family``: a path as people write it; numbers count from 0, as in the file's own words."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif re.fullmatch(r"[A-Za-z_$][\w$-]*", part):
            text += f".{part}" if text else part
        else:
            text += f"[{json.dumps(part, ensure_ascii=False)}]"
    return text


_PART = re.compile(r'\.?([A-Za-z_$][\w$-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]')


def read_path(text: str) -> list[str | int]:
    """The path that `show_path` has shown."""
    return [m[1] or (int(m[2]) if m[2] else json.loads(m[3])) for m in _PART.finditer(text)]


def _pairs(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("duplicate key")
    return found


def _constant(word: str) -> NoReturn:
    raise ValueError(word)


def _float(digits: str) -> float | int:
    """JSON and its schemas know no whole numbers: ``3.0`` is one, and from here on it is the same as ``3``."""
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise ValueError(digits)
    return int(value) if value.is_integer() else value


class _Reader:
    """Goes over the text once; raises at the first thing that is wrong."""

    def __init__(self, source: JsonText) -> None:
        self.source = source
        self.text = source.text
        self.at = 0

    def read(self) -> _Place:
        self._space()
        root = self._open()
        stack = [root] if self._is_container(root) else []
        while stack:
            if len(stack) > limits.JSON_DEPTH:
                start = stack[-1].start
                self.source.fail("DAT008", f"nested more than {limits.JSON_DEPTH} deep", start, start + 1)
            top = stack[-1]
            child = self._next_member(top)
            if child is None:
                top.end = self.at
                stack.pop()
            elif self._is_container(child):
                stack.append(child)
        self._space()
        if self.at < len(self.text):
            self._unexpected("the file should end here")
        return root

    def _is_container(self, place: _Place) -> bool:
        return self.text[place.start] in "[{"

    def _next_member(self, top: _Place) -> _Place | None:
        """The next value inside a list or object, or None after its closing bracket."""
        is_object = self.text[top.start] == "{"
        close = "}" if is_object else "]"
        self._space()
        first = not top.inside
        if self._peek() == close:
            self.at += 1
            return None
        if not first:
            if self._peek() != ",":
                self._unexpected(f"`,` or `{close}` was expected", opened=top.start)
            comma = self.at
            self.at += 1
            self._space()
            if self._peek() == close:
                self.source.fail(
                    "DAT001",
                    f"`,` before `{close}`: another value was expected",
                    comma,
                    comma + 1,
                    "remove the comma",
                )
        if not is_object:
            child = self._open()
            top.inside[len(top.inside)] = child
            return child
        if self._peek() != '"':
            more = " or `}`" if first else ""
            self._unexpected(f'a key in "double quotes"{more} was expected', opened=top.start)
        start = self.at
        key = self._string()
        if key in top.inside:
            other = top.inside[key].key
            line = self.source._between(*other).line if other else 0
            self.source.fail("DAT006", f"duplicate key `{key}`", start, self.at, f"also on line {line}")
        end = self.at
        self._space()
        if self._peek() != ":":
            self._unexpected(f"`:` was expected after the key `{key}`")
        self.at += 1
        self._space()
        child = self._open()
        child.key = (start, end)
        top.inside[key] = child
        return child

    def _open(self) -> _Place:
        """A value; of lists and objects only the opening bracket."""
        place = _Place(self.at)
        character = self._peek()
        if character in ("[", "{"):
            self.at += 1
        elif character == '"':
            self._string()
        elif match := _NUMBER.match(self.text, self.at):
            self.at = match.end()
            whole = match[0].lstrip("-").isdigit()
            if len(match[0]) > 4000 or (not whole and abs(float(match[0])) == float("inf")):
                self.source.fail("DAT007", "this number is too large", place.start, self.at)
        else:
            for word in ("true", "false", "null"):
                if self.text.startswith(word, self.at) and not self.text[self.at + len(word) :][:1].isalnum():
                    self.at += len(word)
                    break
            else:
                self._unexpected("a value was expected")
        place.end = self.at
        return place

    def _string(self) -> str:
        start = self.at
        match = _STRING.match(self.text, start)
        if match is None:
            self._bad_string(start)
        self.at = match.end()
        found: str = json.loads(match[0])
        if _SURROGATE.search(found):
            self.source.fail("DAT007", r"a `\u` escape in this text is only half a character", start, self.at)
        return found

    def _bad_string(self, start: int) -> NoReturn:
        """Say what is wrong inside a text that does not end well."""
        letters = _LETTERS.match(self.text, start + 1)
        at = letters.end() if letters is not None else start + 1
        found = self.text[at : at + 1]
        if found == "\\":
            message = r"`\` must be followed by one of \" \\ / b f n r t u"
            self.source.fail("DAT001", message, at, at + 1, r"write `\\`")
        elif found and found != "\n":
            message = "this text contains a tab or control character"
            self.source.fail("DAT001", message, at, at + 1, r"write `\t` for a tab")
        self.source.fail("DAT001", 'the closing `"` of this text is missing', start, at)

    def _unexpected(self, wanted: str, opened: int | None = None) -> NoReturn:
        if self.at >= len(self.text):
            where = f"; the bracket of line {self.source._between(opened, opened).line} is still open" if opened else ""
            end = len(self.text.rstrip())
            self.source.fail("DAT001", f"the file ends too early: {wanted}{where}", max(end - 1, 0), end)
        if word := _WORD.match(self.text, self.at):
            name, end = word[0], word.end()
            if name.lstrip("+-") in ("NaN", "Infinity", "inf", "nan"):
                self.source.fail("DAT007", f"`{name}` is not a number in JSON", self.at, end)
            hint = {"True": "write `true`", "False": "write `false`", "None": "write `null`"}.get(name, "")
            if not hint and name[0].isalpha():
                hint = 'texts are written in "double quotes"'
            self.source.fail("DAT001", f"{wanted}, but `{name[:40]}` was found", self.at, end, hint)
        found = self.text[self.at]
        hint = {"'": 'use "double quotes"', "/": "JSON has no comments", "#": "JSON has no comments"}.get(found, "")
        self.source.fail("DAT001", f"{wanted}, but `{found}` was found", self.at, self.at + 1, hint)

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _space(self) -> None:
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at


PROSE = frozenset(
    "about basis check effect guess note question reason ruling source sources statement".split()  # noqa: SIM905
)
"""Keys and columns under which people write to each other: there, and only there, a text may have several lines."""

_SUSPECT = re.compile(rf"(?![\n\r\t]){UNSEEN.pattern}|\\[bfnrtu]")
"""In the text of a JSON file: something that could be one of them, or an escape for it."""


def unseen(source: JsonText, most: int = 20) -> list[Diagnostic]:
    """Findings about the first of such characters in a file; quick where there is none."""
    if not _SUSPECT.search(source.text):
        return []
    return [
        finding(text, source.span(path, key=on_key), show_path(path))
        for path, text, on_key in islice(_texts(source.value, (), prose=False), most)
    ]


def holds(text: str, *, prose: bool) -> bool:
    """True if there is such a character in a text."""
    return any(not prose or found[0] not in "\n\t" for found in UNSEEN.finditer(text))


def finding(text: str, span: Span, path: str = "") -> Diagnostic:
    """The diagnostic for a text that holds one."""
    first = next((found[0] for found in UNSEEN.finditer(text) if found[0] not in "\n\t"), "\n")
    what = "a line end or tab" if first == "\n" else f"the character {code_point(first)}"
    hint = "write it in one line" if first == "\n" else "leave it out"
    return Diagnostic("DAT009", f"this text contains {what}, which cannot be seen", span, hint=hint, path=path)


def _texts(value: Json, path: JsonPath, *, prose: bool) -> Iterator[tuple[JsonPath, str, bool]]:
    """Texts that hold such a character, and whether they are keys."""
    if isinstance(value, str):
        if holds(value, prose=prose):
            yield path, value, False
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _texts(item, (*path, number), prose=prose)
    elif isinstance(value, dict):
        for key, item in value.items():
            if holds(key, prose=False):
                yield (*path, key), key, True
            yield from _texts(item, (*path, key), prose=prose or key in PROSE)
