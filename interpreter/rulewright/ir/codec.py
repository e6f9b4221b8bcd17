"""Programs as JSON, with its JSON Schema, both derived from the classes of the model; pickles hold that JSON."""

from __future__ import annotations

import json
import types
import zlib
from collections.abc import Callable
from dataclasses import is_dataclass
from functools import cache
from hashlib import blake2b
from threading import Lock
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.foundation import versions
from rulewright.ir import model as m
from rulewright.ir.model import Program
from rulewright.ir.walk import EXPR_TYPES, INSTR_TYPES, deep_recursion, field_names

FORMAT = "rulewright-program"
SCHEMA_ID = "https://rulewright.dev/schemas/program.schema.json"
_HEAD = {"format": FORMAT, "version": versions.PROGRAM}
"""The header of a program, before its fields."""
_EXACT = 1 << 53
_TAGGED = frozenset((*EXPR_TYPES, *INSTR_TYPES))
_NAMES = {t.__name__: t for t in _TAGGED}
_BIG = {
    (m.Const, "value"),
    (m.ListConst, "values"),
    (m.Table, "values"),
    (m.KindSet, "members"),
    (m.Graph, "neighbours"),
    (m.Field, "initial"),
}
"""Fields that can hold bit sets."""
_LEFT_OUT = {(m.Ty, "keys"), (m.Graph, "base"), (m.Extra, "is_declared")}
"""Fields that are left out where they say nothing."""


class _Bad(Exception):
    """An error in the JSON of a program."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.path: list[str] = []


_known_hints: dict[type, dict[str, Any]] = {}


def _hints(kind: type) -> dict[str, Any]:
    known = _known_hints.get(kind)
    if known is None:
        known = _known_hints[kind] = get_type_hints(kind, localns={"Expr": m.Expr})
    return known


# -------------------------------------------------------------------------------------------------- writing


def to_json(program: m.Program) -> dict[str, Any]:
    """The program as a JSON object."""
    with deep_recursion():
        return {**_HEAD, **_plain(program)}


def _plain(value: Any) -> Any:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return value if -_EXACT < value < _EXACT else hex(value)
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    kind = type(value)
    found = {"node": kind.__name__} if kind in _TAGGED else {}
    for name in field_names(kind):
        held = getattr(value, name)
        if held or (kind, name) not in _LEFT_OUT:
            found[name] = _plain(held)
    return found


# -------------------------------------------------------------------------------------------------- reading


def from_json(data: Any) -> m.Program:
    """The program of a JSON object; :class:`RulesetError` if it is none."""
    with deep_recursion():
        try:
            program = _reader(m.Program)(_body(data))
        except _Bad as bad:
            path = "".join(reversed(bad.path)).lstrip(".")
            message = f"this is not a program: {bad} at {path or 'the top'}"
            raise RulesetError(Diagnostic("PRG001", message, path=path)) from None
    assert isinstance(program, m.Program)
    return program


def _body(data: Any) -> Any:
    """The fields of a program whose format and version are known."""
    if not isinstance(data, dict):
        raise _Bad("an object (Program) is expected")
    if data.get("format") != FORMAT:
        raise _Bad(f"the format {FORMAT!r} is expected")
    version = data.get("version")
    if versions.is_newer(version, versions.PROGRAM):
        message = f"this program is of version {version}, but this Rulewright reads up to version {versions.PROGRAM}"
        raise RulesetError(Diagnostic("PRG002", message, hint="install a newer Rulewright", path="version"))
    if type(version) is not int or version != versions.PROGRAM:
        raise _Bad(f"the version {versions.PROGRAM} is expected")
    return {name: value for name, value in data.items() if name not in _HEAD}


@cache
def _reader(hint: Any) -> Callable[[Any], Any]:
    """A function that reads values of a type."""
    origin = get_origin(hint)
    if origin is Literal:
        return _one_of(get_args(hint))
    if origin is tuple:
        return _tuple(get_args(hint))
    if origin in (Union, types.UnionType):
        return _union(get_args(hint))
    if hint is type(None):
        return _nothing
    if hint is int:
        return _number
    if hint is bool:
        return _exactly(bool, "true or false")
    if hint is str:
        return _exactly(str, "a text")
    assert is_dataclass(hint)
    assert isinstance(hint, type)
    return _object(hint)


def _number(data: Any) -> int:
    if isinstance(data, str) and data.lstrip("-").startswith("0x"):
        try:
            return int(data, 16)
        except ValueError:
            pass
    if isinstance(data, int) and not isinstance(data, bool):
        return data
    raise _Bad("a whole number is expected")


def _nothing(data: Any) -> None:
    if data is not None:
        raise _Bad("null is expected")


def _exactly(kind: type, words: str) -> Callable[[Any], Any]:
    def read(data: Any) -> Any:
        if not isinstance(data, kind):
            raise _Bad(f"{words} is expected")
        return data

    return read


def _one_of(words: tuple[Any, ...]) -> Callable[[Any], Any]:
    def read(data: Any) -> Any:
        if data not in words:
            raise _Bad(f"one of {', '.join(map(str, words))} is expected")
        return data

    return read


def _tuple(args: tuple[Any, ...]) -> Callable[[Any], Any]:
    def read(data: Any) -> Any:
        if not isinstance(data, list):
            raise _Bad("a list is expected")
        if len(args) == 2 and args[1] is Ellipsis:
            readers = [_reader(args[0])] * len(data)
        else:
            readers = [_reader(a) for a in args]
        if len(readers) != len(data):
            raise _Bad(f"{len(readers)} items are expected")
        found = []
        for i, (reader, item) in enumerate(zip(readers, data, strict=True)):
            try:
                found.append(reader(item))
            except _Bad as bad:
                bad.path.append(f"[{i}]")
                raise
        return tuple(found)

    return read


def _union(args: tuple[Any, ...]) -> Callable[[Any], Any]:
    tagged = frozenset(a for a in args if a in _TAGGED)
    optional = type(None) in args
    others = [a for a in args if a not in _TAGGED and a is not type(None)]

    def read(data: Any) -> Any:
        if data is None and optional:
            return None
        if tagged:
            kind = _NAMES.get(data.get("node", "")) if isinstance(data, dict) else None
            if kind not in tagged:
                raise _Bad("an object with a known `node` is expected")
            return _reader(kind)(data)
        listed = [a for a in others if (get_origin(a) is tuple) == isinstance(data, list)]
        if not listed:
            raise _Bad("something else is expected")
        return _reader(listed[0])(data)

    return read


def _object(kind: type) -> Callable[[Any], Any]:
    names = field_names(kind)
    known = {*names, "node"} if kind in _TAGGED else set(names)
    spare = {name for name in names if (kind, name) in _LEFT_OUT}

    def read(data: Any) -> Any:
        if not isinstance(data, dict):
            raise _Bad(f"an object ({kind.__name__}) is expected")
        if not known - spare <= data.keys() <= known:
            missing, odd = sorted(known - spare - data.keys()), sorted(map(str, data.keys() - known))
            raise _Bad(f"{kind.__name__} {f'lacks {missing[0]!r}' if missing else f'has no {odd[0]!r}'}")
        hints = _hints(kind)
        found = {}
        for name in names if not spare else [name for name in names if name in data]:
            try:
                found[name] = _reader(hints[name])(data[name])
            except _Bad as bad:
                bad.path.append(f".{name}")
                raise
        return kind(**found)

    return read


# -------------------------------------------------------------------------------------------------- the schema


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of programs."""
    defs: dict[str, Any] = {
        "Number": {
            "description": "A whole number; a bit set of more than 53 bits as a hexadecimal string.",
            "anyOf": [{"type": "integer"}, {"type": "string", "pattern": "^-?0x[0-9a-f]+$"}],
        },
        "Expr": {"oneOf": [{"$ref": f"#/$defs/{t.__name__}"} for t in EXPR_TYPES]},
        "Instr": {"oneOf": [{"$ref": f"#/$defs/{t.__name__}"} for t in INSTR_TYPES]},
    }
    waiting: list[type] = [m.Program, *EXPR_TYPES, *INSTR_TYPES]
    while waiting:
        kind = waiting.pop()
        if kind.__name__ not in defs:
            defs[kind.__name__] = _class_schema(kind, waiting)
    whole = defs["Program"]
    whole["properties"] = {name: {"const": value} for name, value in _HEAD.items()} | whole["properties"]
    whole["required"] = [*_HEAD, *whole["required"]]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID,
        "title": "A program of Rulewright",
        "$ref": "#/$defs/Program",
        "$defs": {name: defs[name] for name in sorted(defs)},
    }


def _class_schema(kind: type, waiting: list[type]) -> dict[str, Any]:
    properties: dict[str, Any] = {"node": {"const": kind.__name__}} if kind in _TAGGED else {}
    for name in field_names(kind):
        properties[name] = _type_schema(_hints(kind)[name], (kind, name) in _BIG, waiting)
    return {
        "description": " ".join((kind.__doc__ or "").split()),
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if (kind, name) not in _LEFT_OUT],
        "additionalProperties": False,
    }


def _type_schema(hint: Any, big: bool, waiting: list[type]) -> dict[str, Any]:
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"enum": list(args)}
    if origin is tuple:
        if len(args) == 2 and args[1] is Ellipsis:
            return {"type": "array", "items": _type_schema(args[0], big, waiting)}
        items = [_type_schema(a, big, waiting) for a in args]
        return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items)}
    if origin in (Union, types.UnionType):
        plain = [a for a in args if a is not type(None)]
        if all(a in _TAGGED for a in plain):
            name = "Expr" if plain[0] in EXPR_TYPES else "Instr"
            choices: list[dict[str, Any]] = [{"$ref": f"#/$defs/{name}"}]
        else:
            choices = [_type_schema(a, big, waiting) for a in plain]
        if len(plain) < len(args):
            choices.append({"type": "null"})
        return choices[0] if len(choices) == 1 else {"anyOf": choices}
    if hint is int:
        return {"$ref": "#/$defs/Number"} if big else {"type": "integer"}
    if hint in (bool, str):
        return {"type": "boolean" if hint is bool else "string"}
    waiting.append(hint)
    return {"$ref": f"#/$defs/{hint.__name__}"}


if __name__ == "__main__":
    import json
    import sys

    sys.stdout.write(json.dumps(schema(), indent=2, ensure_ascii=False) + "\n")


KEPT = 16
"""Programs that a process knows by their digests."""

_known: dict[str, tuple[Program, bytes]] = {}
_looking = Lock()


def packed(program: Program) -> tuple[str, bytes]:
    """The digest of a program's JSON, and the bytes from which it can be made again."""
    with _looking:
        for digest, (known, data) in _known.items():
            if known is program:
                return digest, data
    with deep_recursion():
        text = json.dumps(to_json(program), separators=(",", ":")).encode()
    digest, data = blake2b(text, digest_size=16).hexdigest(), zlib.compress(text)
    _keep(digest, program, data)
    return digest, data


def unpacked(digest: str, data: bytes) -> Program:
    """The program of a digest: the one that is known, or else that of the bytes."""
    with _looking:
        if digest in _known:
            return _known[digest][0]
    with deep_recursion():
        return _keep(digest, from_json(json.loads(zlib.decompress(data))), data)


def _keep(digest: str, program: Program, data: bytes) -> Program:
    """Keep a program, unless another thread has kept one of this digest meanwhile; the one that is known now."""
    with _looking:
        if digest not in _known:
            while len(_known) >= KEPT:
                del _known[next(iter(_known))]
            _known[digest] = program, data
        return _known[digest][0]
