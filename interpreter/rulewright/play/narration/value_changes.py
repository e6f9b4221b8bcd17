"""Changes of values between two views: fields, and the queries that everybody sees beside the board."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from rulewright.play.narration.words import ARROW, Wording
from rulewright.play.view_model import Field, GameModel

_NO_ENTRY = object()
"""In place of a value that the reader does not see."""

_NOTHING: tuple[object, ...] = (None, 0, False, [], ())
"""Values of fields in which nothing stands."""

_UNSEEN = re.compile(r"back( #\d+)?")
"""The name of a piece in a view of which the reader sees nothing, not even where it lies."""

_WHERE = re.compile(r"( in \w+(\[[^\]]*\])?)?( #\d+)?$")
"""The number at the end of a piece's name in a view, where several are alike."""


def value_changes(
    wording: Wording,
    before: Mapping[str, Any],
    now: Mapping[str, Any],
    hides: Collection[str],
    lasting: Collection[str],
    ground: str,
) -> Iterator[str]:
    """The sentences on all fields of two views, in the order of the rules, but for those that the ruleset hides. That a
    lasting field has nothing in it again is left out, and so is what was under the ground."""
    for field in wording.model.fields:
        if field.name in now["fields"] and field.name not in hides:
            was, now_held = before["fields"].get(field.name, _NO_ENTRY), now["fields"][field.name]
            if was == now_held:
                continue
            changed = _changed(wording.model, field, was, now_held)
            if field.name in lasting:
                changed = {keys: values for keys, values in changed.items() if values[1] not in _NOTHING}
            kind = "land" if field.name == ground else field.type.kind
            yield from sentences(wording, field.name, field.index, kind, changed)


def sentences(
    wording: Wording, name: str, index: tuple[str, ...], kind: str, changed: Mapping[str, tuple[Any, Any]]
) -> Iterator[str]:
    """Sentences on values that have changed, given by their keys with the old value and the new one. Keys with the same
    change share a sentence."""
    together: dict[str, list[str]] = {}
    for keys, (was, new) in changed.items():
        subject = wording.member(index[0], keys) if len(index) == 1 and keys else wording.text(keys)
        together.setdefault(_change(wording, name, kind, was, new), []).append(subject)
    for change, subjects in together.items():
        yield f"{wording.several(subjects)}: {change}" if any(subjects) else change


def _change(wording: Wording, name: str, kind: str, was: Any, now: Any) -> str:
    words, value = wording.title(name), wording.value
    if kind == "bool" and was is not _NO_ENTRY:
        return words if now else wording.phrase("no longer {name}", name=words)
    if was is _NO_ENTRY:
        return wording.phrase("{name} is {value}", name=words, value=value(now))
    if kind == "set" and isinstance(was, list | tuple) and isinstance(now, list | tuple):
        more, fewer = [x for x in now if x not in was], [x for x in was if x not in now]
        parts = [wording.phrase("with {values}", values=value(more))] if more else []
        parts += [wording.phrase("without {values}", values=value(fewer))] if fewer else []
        return wording.phrase("{name} now {values}", name=words, values=", ".join(parts))
    if kind == "land":
        return (
            f"{words} {value(now)}"
            if now is not None
            else wording.phrase("no longer {name}", name=f"{words} {value(was)}")
        )
    if kind == "list" or was is None:
        return f"{words} {ARROW} {value(now)}"
    if kind == "int" and isinstance(was, int) and isinstance(now, int):
        return f"{words} {was} {ARROW} {now} ({now - was:+})"
    return f"{words} {value(was)} {ARROW} {value(now)}"


def _changed(model: GameModel, field: Field, was: Any, now: Any) -> dict[str, tuple[Any, Any]]:
    """The values of a field that are not what they were, by their keys."""
    if not field.index:
        return {"": (was, now)}
    if "Piece" in field.index and len(set(model.keys("Piece"))) < len(model.keys("Piece")):
        return _of_alike(was, now)
    found = {}
    unseen = _of_unseen(now) - _of_unseen(was) if "Piece" in field.index else Counter[str]()
    for keys in dict.fromkeys((*_named(was), *_named(now))):
        if "Piece" in field.index and _UNSEEN.fullmatch(keys):
            continue
        old, new = _entry(was, keys), _entry(now, keys)
        if old is not _NO_ENTRY and unseen[json.dumps(old)] and keys not in now["values"]:
            unseen[json.dumps(old)] -= 1  # the piece has gone out of sight, with its value
            continue
        if new is not _NO_ENTRY and old != new:
            found[keys] = old, new
    return found


def _of_unseen(entry: Any) -> Counter[str]:
    """The values of pieces of which the reader sees nothing."""
    values = {} if entry is _NO_ENTRY else entry["values"]
    return Counter(json.dumps(value) for keys, value in values.items() if _UNSEEN.fullmatch(keys))


def _named(entry: Any) -> tuple[str, ...]:
    return () if entry is _NO_ENTRY else (*entry["values"], *entry.get("hidden", ()))


def _entry(entry: Any, keys: str) -> Any:
    if entry is _NO_ENTRY or keys in entry.get("hidden", ()):
        return _NO_ENTRY
    return entry["values"].get(keys, entry["default"])


def _of_alike(was: Any, now: Any) -> dict[str, tuple[Any, Any]]:
    """Changes of keys among which pieces are alike: only the new values, as nothing tells whose they were."""

    def counted(entry: Any) -> Counter[tuple[str, str]]:
        values = {} if entry is _NO_ENTRY else entry["values"]
        seen = ((keys, value) for keys, value in values.items() if not _UNSEEN.fullmatch(keys))
        return Counter((_WHERE.sub("", keys), json.dumps(value)) for keys, value in seen)

    return {keys: (_NO_ENTRY, json.loads(value)) for keys, value in counted(now) - counted(was)}
