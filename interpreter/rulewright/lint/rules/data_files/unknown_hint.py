"""DAT033: a hint about something that is not there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.data.json_positions import JsonPath
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Configuration, Subject

_LISTS = ("shows", "hides", "stacks")
_BY_NAME = ("colours", "labels", "shapes", "colour_by", "badges", "markers", "beside", "figures")
"""Tables of hints whose keys are words of the rules."""
_NAMING = (("tint",), ("rim",), ("ground", "field"), ("walls", "field"), ("walls", "mark"), ("links", "field"))


@lint("DAT033")
def unknown_hint(subject: Subject) -> Iterator[Finding]:
    """Hints for drawing, of the ruleset's own manifest, about what no game of it has."""
    source = subject.ruleset.manifest.source
    draw = source.value.get("draw") if source is not None and isinstance(source.value, dict) else None
    if source is None or not isinstance(draw, dict):
        return
    known = {word for game in subject.games for word in _words(game)}
    used = {text for name, part in draw.items() if name != "colours" for text in _texts(part)}
    for way, word, is_key in _named(draw):
        if word not in known and not (way[1] == "colours" and word in used):
            hint = did_you_mean(word, sorted(known))
            yield Finding(f"the rules have nothing called `{word}`", source.span(way, key=is_key), hint)


def _words(game: Configuration) -> Iterator[str]:
    """All words by which a hint can mean something in a game."""
    yield from game.rules.decls
    for universe in game.program.universes:
        yield universe.name
        for key in universe.keys:
            yield from (key, *key.split())
    for kind in game.program.kinds:
        yield from (kind.name, kind.name.lower(), *kind.sides, *(f"({side})" for side in kind.sides))
    for table in game.program.tables:
        yield table.name.rpartition(".")[2]


def _texts(part: object) -> Iterator[str]:
    """All texts in a part of the hints."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict | list):
        for inner in part.values() if isinstance(part, dict) else part:
            yield from _texts(inner)


def _named(draw: Mapping[str, object]) -> Iterator[tuple[JsonPath, str, bool]]:
    """Words that hints are about, each with its place; True for the key of an entry."""
    for way in _NAMING:
        held: object = draw
        for step in way:
            held = held.get(step) if isinstance(held, dict) else None
        if isinstance(held, str):
            yield ("draw", *way), held, False
    for part in _LISTS:
        listed = draw.get(part)
        for number, word in enumerate(listed if isinstance(listed, list) else ()):
            yield ("draw", part, number), str(word), False
    for part in _BY_NAME:
        table = draw.get(part)
        for word in table if isinstance(table, dict) else ():
            yield ("draw", part, word), word, True
