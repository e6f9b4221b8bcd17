"""Data that follows the published schemas, and nearly follows them; drawn by Hypothesis."""

from __future__ import annotations

import json
import random
from functools import cache, lru_cache
from typing import Any

import seeds
import trees
from drawn import Drawn
from hypothesis import strategies as st
from kinds import Kind, Outcome
from of_data import alone_with
from of_rules import checked

SORTS = {"table": "table", "map": "map", "rulebook": "rulebook", "rulings": "rulings", "ruleset": "manifest"}
"""The schemas of what people write, and what each of them is called here."""
BYTES = 2000
ALIKE = 8
"""Inputs that begin with the same data, because drawing takes longer than reading."""
KEYS = st.sampled_from(["a", "b", "count", "rows", "worth", "name", "x1", "2", "3", "Player", "red", "é", ""])
ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5000) | st.text("ab c-1é#.", max_size=6) | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)


class Schemas(Kind):
    """JSON as the schemas want it."""

    name = "schemas"
    weight = 24
    about = "data that Hypothesis draws from the schemas is read, with all that the rules make of it"

    def prepare(self) -> None:
        """Make the strategies."""
        for sort in SORTS:
            drawn(sort)
        self.attempt(self.numbered(1, 0))

    def numbered(self, seed: int, number: int) -> seeds.Files:
        """Data as one of the schemas wants it; all but the first of those that begin with it are changed."""
        sort, data = begun(seed, number // ALIKE)
        if data is not None and number % ALIKE:
            data = trees.changed(data, random.Random(f"{seed} {self.name} {number}"), 2)
        text = json.dumps(data)
        if SORTS[sort] != "manifest":
            return alone_with(SORTS[sort], text)
        return alone_with("", "{}") | {"ruleset.json": text}

    def attempt(self, made: seeds.Files) -> Outcome:
        """Check the ruleset."""
        with seeds.written(made) as path:
            return checked(path)

    def told(self, made: seeds.Files) -> str:
        """All files."""
        return "\n".join(f"---- {name}\n{text}" for name, text in made.items())


@lru_cache(maxsize=4)
def begun(seed: int, number: int) -> tuple[str, Any]:
    """One of the schemas, and data as it wants it; None if that could not be drawn."""
    rng = random.Random(f"{seed} schemas begun {number}")
    sort = rng.choice(sorted(SORTS))
    return sort, drawn(sort).from_bytes(rng.randbytes(BYTES))


@cache
def drawn(name: str) -> Drawn:
    """The strategy for a schema."""
    schema = json.loads((seeds.ROOT / "schemas" / f"{name}.schema.json").read_text("utf-8"))
    return Drawn(Drawing(schema).of(schema))


class Drawing:
    """Makes strategies of a schema: as much of JSON Schema as ours use."""

    def __init__(self, whole: dict[str, Any]) -> None:
        self.whole = whole
        self.made: dict[str, st.SearchStrategy[Any]] = {}

    def of(self, schema: Any) -> st.SearchStrategy[Any]:
        """Values that follow a schema, nearly always."""
        if not isinstance(schema, dict) or not schema:
            return ANYTHING
        if (ref := schema.get("$ref")) is not None:
            return self._referred(ref)
        if "const" in schema:
            return st.just(schema["const"])
        if "enum" in schema:
            return st.sampled_from(schema["enum"])
        for word in ("anyOf", "oneOf"):
            if word in schema:
                rest = {key: value for key, value in schema.items() if key != word}
                return st.one_of([self.of(rest | one) for one in schema[word]])
        kinds = schema.get("type", "object" if "properties" in schema else "string")
        each = [self._typed(kind, schema) for kind in ([kinds] if isinstance(kinds, str) else kinds)]
        return st.one_of(each)

    def _referred(self, ref: str) -> st.SearchStrategy[Any]:
        if ref not in self.made:
            found: Any = self.whole
            for part in ref.removeprefix("#/").split("/"):
                found = found[part]
            self.made[ref] = st.deferred(lambda: self.of(found))
        return self.made[ref]

    def _typed(self, kind: str, schema: dict[str, Any]) -> st.SearchStrategy[Any]:
        match kind:
            case "integer" | "number":
                low, high = schema.get("minimum", -50), schema.get("maximum", 5000)
                return st.integers(low, high) | st.integers(max(low, -3), min(high, 9))
            case "boolean":
                return st.booleans()
            case "null":
                return st.none()
            case "array":
                return self._array(schema)
            case "object":
                return self._object(schema)
            case _:
                return self._text(schema)

    def _text(self, schema: dict[str, Any]) -> st.SearchStrategy[str]:
        if "pattern" in schema:
            return st.from_regex(schema["pattern"]) | st.sampled_from(["game.rules", "a", "b", "x_1", "t.json", "A-1"])
        low, high = schema.get("minLength", 0), min(schema.get("maxLength", 12), 12)
        return st.text('ab cd-_1é#@."{}', min_size=low, max_size=high)

    def _array(self, schema: dict[str, Any]) -> st.SearchStrategy[Any]:
        if "prefixItems" in schema:
            return st.tuples(*map(self.of, schema["prefixItems"])).map(list)
        low = schema.get("minItems", 0)
        return st.lists(
            self.of(schema.get("items", {})), min_size=low, max_size=max(low, min(schema.get("maxItems", 4), 4))
        )

    def _object(self, schema: dict[str, Any]) -> st.SearchStrategy[Any]:
        needed = schema.get("required", [])
        known = {key: self.of(value) for key, value in schema.get("properties", {}).items() if key != "$schema"}
        others = {key: value for key, value in known.items() if key not in needed}
        fixed = st.fixed_dictionaries({key: known[key] for key in needed if key in known}, optional=others)
        more = schema.get("additionalProperties", True)
        if more is False or (more is True and known):
            return fixed
        names = schema.get("propertyNames")
        keys = self.of({"type": "string"} | names) if names else KEYS
        extra = st.dictionaries(keys, self.of(more), max_size=3)
        return st.tuples(fixed, extra).map(lambda pair: pair[1] | pair[0])
