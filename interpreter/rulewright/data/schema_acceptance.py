"""A quick answer to whether a value fits a JSON schema, without saying why not.

Nearly all data files fit, and the library that explains what does not takes longer to import than a small ruleset to
check. It is consulted only about files that do not fit, or whose schema has a keyword that is not known here. A known
keyword has exactly the meaning of JSON Schema 2020-12; a test compares the two.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urldefrag, urljoin

Schema = Any
"""A schema is an object or a truth; what stands in it has the form that its keyword wants."""


class Undecided(Exception):
    """The schema has a keyword that is not known here."""


class Acceptance:
    """Tells whether values fit; `documents` are all schemas to which a reference may lead, by their `$id`."""

    def __init__(self, documents: Mapping[str, Schema]) -> None:
        self._documents = documents
        self._found: dict[tuple[str, str], tuple[Schema, str]] = {}

    def fits(self, value: object, ref: str) -> bool:
        """True if a value fits the schema with this address; :class:`Undecided` if that is unknown."""
        return self._fits(value, *self._resolve("", ref))

    def _resolve(self, base: str, ref: str) -> tuple[Schema, str]:
        """The schema to which a reference leads, and the address of its document."""
        known = self._found.get((base, ref))
        if known is None:
            known = self._found[base, ref] = self._find(base, ref)
        return known

    def _find(self, base: str, ref: str) -> tuple[Schema, str]:
        address, pointer = urldefrag(urljoin(base, ref))
        if address not in self._documents:
            raise Undecided(ref)
        found = self._documents[address]
        for part in pointer.split("/")[1:]:
            if not isinstance(found, dict) or part not in found or "%" in part or "~" in part:
                raise Undecided(ref)
            found = found[part]
        return found, address

    def _fits(self, value: Any, schema: Schema, base: str) -> bool:
        if isinstance(schema, bool):
            return schema
        for keyword, wanted in schema.items():
            if keyword in _REMARKS:
                continue
            if (plain := _PLAIN.get(keyword)) is not None:
                if not plain(value, wanted):
                    return False
            elif (nested := _NESTED.get(keyword)) is not None:
                if not nested(self, value, wanted, schema, base):
                    return False
            else:
                raise Undecided(keyword)
        return True

    def _ref(self, value: Any, wanted: Any, _schema: Schema, base: str) -> bool:
        return self._fits(value, *self._resolve(base, wanted))

    def _properties(self, value: Any, wanted: Any, _schema: Schema, base: str) -> bool:
        if not isinstance(value, dict):
            return True
        return all(self._fits(value[key], wanted[key], base) for key in wanted if key in value)

    def _additional(self, value: Any, wanted: Any, schema: Schema, base: str) -> bool:
        if not isinstance(value, dict):
            return True
        known = schema.get("properties", {})
        return all(self._fits(held, wanted, base) for key, held in value.items() if key not in known)

    def _names(self, value: Any, wanted: Any, _schema: Schema, base: str) -> bool:
        return not isinstance(value, dict) or all(self._fits(key, wanted, base) for key in value)

    def _items(self, value: Any, wanted: Any, _schema: Schema, base: str) -> bool:
        return not isinstance(value, list) or all(self._fits(item, wanted, base) for item in value)

    def _any(self, value: Any, wanted: Any, _schema: Schema, base: str) -> bool:
        return any(self._fits(value, one, base) for one in wanted)

    def _one(self, value: Any, wanted: Any, _schema: Schema, base: str) -> bool:
        return sum(self._fits(value, one, base) for one in wanted) == 1

    def _all(self, value: Any, wanted: Any, _schema: Schema, base: str) -> bool:
        return all(self._fits(value, one, base) for one in wanted)

    def _if(self, value: Any, wanted: Any, schema: Schema, base: str) -> bool:
        return self._fits(value, schema.get("then" if self._fits(value, wanted, base) else "else", True), base)


def comparable(item: object) -> object:
    """A form that is the same for equal JSON values: 1 is 1.0, and true is not 1."""
    if isinstance(item, bool | list | dict):
        return json.dumps(item, sort_keys=True), type(item).__name__
    return item


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_integer(value: object) -> bool:
    return _is_number(value) and (isinstance(value, int) or (isinstance(value, float) and value.is_integer()))


_TYPES: dict[str, Callable[[object], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": _is_integer,
    "number": _is_number,
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}


def _type(value: Any, wanted: Any) -> bool:
    return any(_TYPES[name](value) for name in ([wanted] if isinstance(wanted, str) else wanted))


def _unique(value: Any, wanted: Any) -> bool:
    return not wanted or not isinstance(value, list) or len({comparable(item) for item in value}) == len(value)


def _of(kind: type, holds: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    """A keyword that says something of one type of values only."""
    return lambda value, wanted: not isinstance(value, kind) or holds(value, wanted)


_PLAIN: dict[str, Callable[[Any, Any], bool]] = {
    "type": _type,
    "const": lambda value, wanted: comparable(value) == comparable(wanted),
    "enum": lambda value, wanted: any(comparable(value) == comparable(one) for one in wanted),
    "minimum": lambda value, wanted: not _is_number(value) or value >= wanted,
    "maximum": lambda value, wanted: not _is_number(value) or value <= wanted,
    "minLength": _of(str, lambda value, wanted: len(value) >= wanted),
    "maxLength": _of(str, lambda value, wanted: len(value) <= wanted),
    "pattern": _of(str, lambda value, wanted: re.search(wanted, value) is not None),
    "minItems": _of(list, lambda value, wanted: len(value) >= wanted),
    "maxItems": _of(list, lambda value, wanted: len(value) <= wanted),
    "uniqueItems": _unique,
    "minProperties": _of(dict, lambda value, wanted: len(value) >= wanted),
    "maxProperties": _of(dict, lambda value, wanted: len(value) <= wanted),
    "required": _of(dict, lambda value, wanted: all(key in value for key in wanted)),
}
"""Keywords that are decided by the value alone."""

_NESTED: dict[str, Callable[[Acceptance, Any, Any, Schema, str], bool]] = {
    "$ref": Acceptance._ref,
    "properties": Acceptance._properties,
    "additionalProperties": Acceptance._additional,
    "propertyNames": Acceptance._names,
    "items": Acceptance._items,
    "anyOf": Acceptance._any,
    "oneOf": Acceptance._one,
    "allOf": Acceptance._all,
    "if": Acceptance._if,
}
"""Keywords that hold schemas."""

_REMARKS = {"$schema", "$id", "$defs", "$comment", "title", "description", "default", "examples", "then", "else"}
"""Keywords that demand nothing, or are read by another."""
