"""Checks of data files against the JSON schemas, in people's words.

The schemas under ``schemas/`` are the same that an editor uses to complete the files. A schema library
reports what failed in the schema's terms; here each failure becomes a diagnostic with file, line, and the
path inside the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from rulewright.data.json_positions import JsonText, few, parsed, show_path, unseen
from rulewright.data.schema_acceptance import Acceptance, Undecided
from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.diagnostics.suggestions import did_you_mean, listing
from rulewright.foundation.resources import share

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from referencing import Registry

BASE = "https://rulewright.dev/schemas/"
_ENOUGH = 500
"""After this many findings a file is not looked at further: they must be sorted before the first are reported."""

_TYPES = {
    "object": "an object `{…}`",
    "array": "a list `[…]`",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "`true`/`false`",
    "null": "`null`",
}


def validate(source: JsonText, schema: str) -> None:
    """Raise :class:`RulesetError` with all findings if the file does not fit
    ``schemas/<schema>.schema.json``."""
    found = findings(source, schema)
    if found:
        raise RulesetError(found)


def findings(source: JsonText, schema: str) -> tuple[Diagnostic, ...]:
    """Findings about a file, in the order of its lines."""
    return _findings(source.text, source.file, schema)


def fits(value: object, schema: str) -> list[str]:
    """Reasons why a value in memory does not fit a schema, as sentences: for tests and for formats read back."""
    return list(misfits(value, schema))


def misfits(value: object, schema: str) -> Iterator[str]:
    """The misfits of a value one by one, so that the first comes without a wait for all."""
    errors: Iterable[ValidationError] = validator(schema).iter_errors(value)
    for error in errors:
        for _, message, path, _, _ in _messages_of(error):
            yield f"{show_path(path) or 'the whole'}: {message}"


@cache
def validator(schema: str) -> Any:
    """The validator of ``schemas/<schema>.schema.json``; references between schemas work without a
    network."""
    from rulewright.data.schema_keywords import Validator  # takes long to import, and most files fit

    return Validator({"$ref": f"{BASE}{schema}.schema.json"}, registry=_registry())


@cache
def schemas() -> dict[str, dict[str, object]]:
    """All shipped schemas by name."""
    return {
        path.name.removesuffix(".schema.json"): json.loads(path.read_text("utf-8"))
        for path in sorted(share("schemas").glob("*.schema.json"))
    }


@cache
def _acceptance() -> Acceptance:
    return Acceptance({str(schema["$id"]): schema for schema in schemas().values()})


def accepted(value: object, schema: str) -> bool:
    """True if a value certainly fits ``schemas/<schema>.schema.json``."""
    try:
        return _acceptance().fits(value, f"{BASE}{schema}.schema.json")
    except Undecided:
        return False


@cache
def _registry() -> Registry[Any]:
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    resources = [(str(schema["$id"]), DRAFT202012.create_resource(schema)) for schema in schemas().values()]
    registry: Registry[Any] = Registry()
    return registry.with_resources(resources)


@lru_cache(maxsize=256)
def _findings(text: str, file: str, schema: str) -> tuple[Diagnostic, ...]:
    # The same file is read for every player count and variant; it is checked once.
    source = parsed(text, file)
    if isinstance(source, RulesetError):
        raise RulesetError(source.diagnostics)
    errors = () if accepted(source.value, schema) else validator(schema).iter_errors(source.value)
    messages = (message for error in errors for message in _messages_of(error))
    found: list[Diagnostic] = []
    for code, message, path, on_key, hint in islice(messages, _ENOUGH):
        span = source.span(path, key=on_key)
        found.append(Diagnostic(code, message, span, hint=hint, path=show_path(path)))
    more = " or" if len(found) == _ENOUGH else ""
    found += unseen(source)
    unique = sorted(dict.fromkeys(found), key=lambda d: (d.span, d.code, d.message))
    return tuple(few(unique, file, more))


_Message = tuple[str, str, tuple[str | int, ...], bool, str]
"""Code, message, path, whether the key is meant, hint."""


def _meant(value: object, pattern: object, error: ValidationError) -> str:
    """The name that was probably meant, else what is allowed."""
    name = re.sub(r"[^a-z0-9]+", "-", value.lower()).strip("-") if isinstance(value, str) else ""
    fits = error.validator == "pattern" and name and re.search(str(pattern), name)
    return f"did you mean `{name}`? {_description(error)}".rstrip() if fits else _description(error)


def _messages_of(error: ValidationError) -> Iterable[_Message]:
    if error.validator in ("anyOf", "oneOf") and error.context:
        return _messages_of_best(error)
    path = tuple(error.absolute_path)
    value = error.instance
    want: Any = error.validator_value
    if "propertyNames" in error.absolute_schema_path and isinstance(value, str):
        return [
            (
                "DAT012",
                f"the key {_say(value)} is not allowed here",
                (*path, value),
                True,
                _description(error),
            )
        ]
    match error.validator:
        case "additionalProperties" | "unevaluatedProperties":
            return _message_of_unknown(error, path)
        case "required":
            return [("DAT010", f"the key `{key}` is missing", path, False, "") for key in _missing(error)]
        case "type":
            return [("DAT011", f"{_wanted_types(want)} is needed here, not {_say(value)}", path, False, "")]
        case "enum":
            hint = did_you_mean(value, [w for w in want if isinstance(w, str)]) if isinstance(value, str) else ""
            choice = listing(w if isinstance(w, str) else json.dumps(w) for w in want)
            return [("DAT012", f"{_say(value)} is not one of {choice}", path, False, hint)]
        case "const":
            return [("DAT012", f"this must be {_say(want)}, not {_say(value)}", path, False, "")]
        case "pattern" | "format":
            return [("DAT012", f"{_say(value)} is not allowed here", path, False, _meant(value, want, error))]
        case "minimum" | "exclusiveMinimum":
            return [("DAT013", f"{value} is too small: at least {want}", path, False, "")]
        case "maximum" | "exclusiveMaximum":
            return [("DAT013", f"{value} is too large: at most {want}", path, False, "")]
        case "minItems" | "minLength" | "minProperties":
            return [("DAT013", f"this is too short: at least {want} {_unit(error)}", path, False, "")]
        case "maxItems" | "maxLength" | "maxProperties":
            return [("DAT013", f"this is too long: at most {want} {_unit(error)}", path, False, "")]
        case "uniqueItems":
            return [("DAT013", "the same value occurs twice in this list", path, False, "")]
        case _:
            return [("DAT012", error.message, path, False, "")]


def _messages_of_best(error: ValidationError) -> list[_Message]:
    """Of several forms that a value may have, mention the one that was most likely meant."""
    branches: dict[int, list[ValidationError]] = {}
    for inner in error.context or ():
        branches.setdefault(int(inner.schema_path[0]), []).append(inner)
    root = len(error.absolute_path)
    meant = {
        number: found
        for number, found in branches.items()
        if not any(e.validator == "type" and len(e.absolute_path) == root for e in found)
    }
    if not meant:
        types: list[str] = []
        for found in branches.values():
            for inner in found:
                if inner.validator == "type" and len(inner.absolute_path) == root:
                    want: Any = inner.validator_value
                    types += [want] if isinstance(want, str) else list(want)
        message = f"{_wanted_types(list(dict.fromkeys(types)))} is needed here, not {_say(error.instance)}"
        return [("DAT011", message, tuple(error.absolute_path), False, "")]

    def worth(number: int) -> tuple[int, int, int]:
        # A form whose fixed words fit is meant before others; then the one with fewest findings.
        found = meant[number]
        foreign = sum(e.validator in ("const", "enum") for e in found)
        return (foreign, len(found), number)

    chosen = meant[min(meant, key=worth)]
    words = [
        (tuple(inner.absolute_path), inner.validator_value, inner.instance)
        for found in meant.values()
        for inner in found
        if inner.validator == "const"
    ]
    if len(words) == len(meant) > 1 and len({path for path, _, _ in words}) == 1:
        # Each form has another word in the same place, and none of them fits: that is all there is to say.
        path, _, value = words[0]
        wanted = [str(word) for _, word, _ in words]
        hint = did_you_mean(value, wanted) if isinstance(value, str) else ""
        return [("DAT012", f"{_say(value)} is not one of {listing(wanted)}", path, False, hint)]
    return [message for inner in chosen for message in _messages_of(inner)]


def _message_of_unknown(error: ValidationError, path: tuple[str | int, ...]) -> Iterator[_Message]:
    schema: dict[str, Any] = error.schema if isinstance(error.schema, dict) else {}
    value: Any = error.instance
    known = [key for key in schema.get("properties", {}) if key != "$schema"]
    missing = [key for key in known if key not in value]
    for key in value:
        if key not in schema.get("properties", {}) and not _by_pattern(key, schema):
            renamed = [name for name, about in schema.get("properties", {}).items() if key in about.get("formerly", ())]
            hint = f"it is called `{renamed[0]}` now" if renamed else did_you_mean(key, missing or known)
            hint = hint or did_you_mean(key, known)
            if not hint:
                hint = f"possible here: {listing(missing)}" if missing else "no other key is possible here"
            yield "DAT015", f"unknown key `{key}`", (*path, key), True, hint


def _by_pattern(key: str, schema: dict[str, object]) -> bool:
    patterns = schema.get("patternProperties", {})
    return isinstance(patterns, dict) and any(re.search(pattern, key) for pattern in patterns)


def _missing(error: ValidationError) -> list[str]:
    # Each missing key is an error of its own; its message names it first.
    return [key for key in cast(list[str], error.validator_value) if error.message.startswith(repr(key))]


def _wanted_types(want: str | Sequence[str]) -> str:
    names = [want] if isinstance(want, str) else list(want)
    words = [_TYPES.get(name, name) for name in names]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


def _say(value: object) -> str:
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    text = json.dumps(value, ensure_ascii=False)
    return f"`{text if len(text) <= 40 else text[:37] + '…'}`"


def _description(error: ValidationError) -> str:
    """The description that the schema shows in an editor for this value."""
    text = error.schema.get("description", "") if isinstance(error.schema, dict) else ""
    return str(text)


def _unit(error: ValidationError) -> str:
    kind = str(error.validator)
    one = error.validator_value == 1
    word = "item" if kind.endswith("Items") else "character" if kind.endswith("Length") else "key"
    return word if one else word + "s"
