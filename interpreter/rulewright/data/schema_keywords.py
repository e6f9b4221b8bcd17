"""JSON Schema for large files: three keywords of the standard whose checks would take long, or keep too much.

Their meaning is the standard one. `uniqueItems` looks for each item in a set, and does not compare it with every one
before it; `anyOf` sees at once that a plain value fits, and of a value that fits nowhere, `anyOf` and `oneOf` keep only
so much as is needed to say what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, cast

from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import ValidationError

from rulewright.data.schema_acceptance import comparable

_KEPT = 100
"""So many errors of one form are kept to find which form was meant."""


def _unique(validator: Any, wanted: bool, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    if not wanted or not validator.is_type(instance, "array"):
        return
    seen: set[object] = set()
    for item in instance:
        key = comparable(item)
        if key in seen:
            yield ValidationError("the same value occurs twice in this list")
            return
        seen.add(key)


def _any_of(validator: Any, forms: list[Any], instance: Any, _schema: Any) -> Iterator[ValidationError]:
    if any(_plainly(instance, form) for form in forms):
        return
    context: list[ValidationError] = []
    for number, form in enumerate(forms):
        errors = list(islice(validator.descend(instance, form, schema_path=number), _KEPT))
        if not errors:
            return
        context += errors
    yield ValidationError("this fits none of the forms that are possible here", context=context)


def _one_of(validator: Any, forms: list[Any], instance: Any, _schema: Any) -> Iterator[ValidationError]:
    context: list[ValidationError] = []
    fits = 0
    for number, form in enumerate(forms):
        errors = list(islice(validator.descend(instance, form, schema_path=number), _KEPT))
        fits += not errors
        context += errors
    if fits == 0:
        yield ValidationError("this fits none of the forms that are possible here", context=context)
    elif fits > 1:
        yield ValidationError("this fits more than one of the forms that are possible here")


def _plainly(instance: object, form: object) -> bool:
    """True if a value fits a schema of nothing but a type and bounds; False if the schema is more than that."""
    if not isinstance(form, dict) or not form.keys() <= _PLAIN:
        return False
    match form.get("type"):
        case "integer":
            low, high = form.get("minimum"), form.get("maximum")
            return type(instance) is int and (low is None or instance >= low) and (high is None or instance <= high)
        case "string":
            most = form.get("maxLength")
            return type(instance) is str and (most is None or len(instance) <= most)
        case "boolean":
            return type(instance) is bool
        case "null":
            return instance is None
        case _:
            return False


_PLAIN = {"type", "minimum", "maximum", "maxLength", "title", "description"}

_KEYWORDS = {"uniqueItems": _unique, "anyOf": _any_of, "oneOf": _one_of}

Validator: type[Any] = cast(Any, validators).extend(Draft202012Validator, _KEYWORDS)
"""A validator of JSON Schema 2020-12."""
