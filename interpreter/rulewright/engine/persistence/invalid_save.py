"""Errors in a saved game or a log."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.data.json_positions import show_path
from rulewright.data.schema_checks import misfits
from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.ir.model import Program

DEEPEST = 8
"""Nesting of what is saved; it needs five."""
LARGE = 20_000
"""Values in a large save."""
LONGEST = 60
"""Characters of a foreign value in a message."""
_EXACT = 1 << 64


class InvalidSave(Exception):
    """A save or log cannot be read."""

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint

    def error(self) -> RulesetError:
        """The error for people."""
        return RulesetError(Diagnostic(self.code, self.message, hint=self.hint))


def bad(code: str, message: str, hint: str = "") -> InvalidSave:
    """A finding, to be raised."""
    return InvalidSave(code, message, hint)


def shortened(value: object) -> str:
    """A foreign value in a message, as JSON writes it and never long."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list) and any(isinstance(one, dict | list) for one in value):
        return "a list"
    text = json.dumps(value, ensure_ascii=False)
    return f"`{text if len(text) <= LONGEST else text[: LONGEST - 1] + '…'}`"


def plain(data: object, code: str) -> int:
    """The number of values in some data; :class:`Damage` unless they are what JSON can carry from one reader to any
    other.

    That is objects with texts as keys, lists, texts that can be written as UTF-8, truths, null, and whole numbers of at
    most 64 bits: no numbers with a point, no NaN, no half characters. The rest of a message may then be printed.
    """
    return _count(data) or _located(data, code)


def _count(data: Any) -> int:
    """The number of values in some data, level by level; 0 if there is anything that must be looked at more closely."""
    count, level, depth = 0, [data], 0
    while level:
        count += len(level)
        inner: list[Any] = []
        for value in level:
            kind = type(value)
            if kind is int:
                if not -_EXACT < value < _EXACT:
                    return 0
            elif kind is str:
                if not _sound(value):
                    return 0
            elif kind is list and depth <= DEEPEST:
                inner += value
            elif kind is dict and depth <= DEEPEST:
                if not _sound_keys(value):
                    return 0
                inner += value.values()
            elif kind is not bool and value is not None:
                return 0
        level, depth = inner, depth + 1
    return count


def _sound_keys(data: dict[Any, Any]) -> bool:
    """True if all keys are texts that can be written."""
    try:
        return _sound("".join(data))
    except TypeError:
        return False


def _sound(text: str) -> bool:
    """True if a text can be written as UTF-8."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def _located(data: object, code: str) -> int:
    """An error like this one, with the place of what is wrong."""
    todo: list[tuple[object, tuple[str | int, ...]]] = [(data, ())]
    count = 0
    while todo:
        value, path = todo.pop()
        count += 1
        if isinstance(value, str):
            _text(value, path, code)
        elif isinstance(value, bool) or value is None:
            pass
        elif isinstance(value, int):
            if not -_EXACT < value < _EXACT:
                raise bad(code, f"the number at {_at(path)} has more than 64 bits")
        elif isinstance(value, float):
            raise bad(code, f"the number at {_at(path)} is not whole: `{value!r}`")
        elif len(path) > DEEPEST:
            raise bad(code, f"nested more than {DEEPEST} deep at {_at(path)}")
        elif isinstance(value, list):
            todo += [(item, (*path, number)) for number, item in enumerate(value)]
        elif isinstance(value, dict):
            for key, item in value.items():
                if not isinstance(key, str):
                    raise bad(code, f"a key at {_at(path)} is not a text")
                _text(key, path, code)
                todo.append((item, (*path, key)))
        else:
            raise bad(code, f"JSON knows nothing like the {type(value).__name__} at {_at(path)}")
    return count


def _text(value: str, path: Sequence[str | int], code: str) -> None:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise bad(code, f"the text at {_at(path)} holds half a character (a lone surrogate)") from None


def _at(path: Sequence[str | int]) -> str:
    shown = show_path(path[:DEEPEST])
    return f"`{shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + '…'}`" if path else "the top"


def misshapen(data: object, size: int, schema: str, code: str) -> InvalidSave | None:
    """The first thing that keeps a value with this many others in it from fitting a schema.

    Schemas are slow readers: of what is larger than any save it is not worth the wait.
    """
    found = next(misfits(data, schema), "") if size <= LARGE else ""
    return bad(code, f"{found} (see `{schema}.schema.json`)") if found else None


def difference(given: Any, written: Any) -> str:
    """The first place where a value differs from the one that would be written, as a sentence; empty if nowhere."""
    # What Python writes alike is alike: order, types and all.
    return "" if repr(given) == repr(written) else _difference(given, written, ())


def _difference(given: Any, written: Any, path: tuple[str | int, ...]) -> str:
    if isinstance(given, dict) and isinstance(written, dict):
        return _keys(given, written, path)
    if isinstance(given, list) and isinstance(written, list):
        for number, (one, other) in enumerate(zip(given, written, strict=False)):
            if found := _difference(one, other, (*path, number)):
                return found
        return "" if len(given) == len(written) else f"{_at(path)} has {len(given)} items, not {len(written)}"
    same = type(given) is type(written) and given == written
    return "" if same else f"{_at(path)} is {shortened(given)}, not {shortened(written)}"


def _keys(given: dict[str, Any], written: dict[str, Any], path: tuple[str | int, ...]) -> str:
    for key in given:
        if key not in written:
            return f"{_at((*path, key))} has no meaning there"
    for key in written:
        if key not in given:
            return f"{_at((*path, key))} is missing"
    for key, other in zip(given, written, strict=True):
        if found := _difference(given[key], written[key], (*path, key)):
            return found
        if key != other:
            return f"{_at((*path, key))} comes where {_at((*path, other))} is expected"
    return ""


def heading(program: Program) -> dict[str, Any]:
    """The heading that names the game of a save or log."""
    return {
        "game": program.game,
        "players": program.players,
        "variants": list(program.variants),
        "options": dict(program.options),
    }


def same_game(program: Program, data: Mapping[str, Any], what: str) -> None:
    """Raise :class:`Damage` if a save or log is of another game, or of the same otherwise played."""
    for name, value in heading(program).items():
        given = data.get(name)
        if type(given) is type(value) and given == value:
            continue
        if isinstance(given, dict) and isinstance(value, dict):
            changed = next((key for key in (*value, *given) if given.get(key) != value.get(key)), "")
            name, given, value = f"option `{changed}`", given.get(changed), value.get(changed)
        raise bad("SAV002", f"the {what} is of {name} {shortened(given)}, this is {shortened(value)}")
