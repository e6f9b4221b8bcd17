"""DAT033: a hint about something that is not there, and words for a question that does not exist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulewright.data.json_positions import JsonPath, JsonText
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.ir import model as m
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Configuration, Subject

_LISTS = ("shows", "hides", "stacks")
_BY_NAME = ("colours", "labels", "shapes", "colour_by", "badges", "markers", "beside", "figures")
"""Tables of hints whose keys are words of the rules."""
_NAMING = (("tint",), ("rim",), ("ground", "field"), ("walls", "field"), ("walls", "mark"), ("links", "field"))


_HIDDEN = "(hidden)"
"""An answer that a reader may not know, in words for answers."""


@lint("DAT033")
def unknown_hint(subject: Subject) -> Iterator[Finding]:
    """Hints of the ruleset's own manifest about what no game of it has."""
    source = subject.ruleset.manifest.source
    if source is None or not isinstance(source.value, dict):
        return
    if isinstance(draw := source.value.get("draw"), dict):
        yield from _in_drawing(subject, source, draw)
    if worded := list(_of_questions(source.value)):
        yield from _about_questions(subject, source, worded)


def _about_questions(
    subject: Subject, source: JsonText, worded: Sequence[tuple[JsonPath, str, bool]]
) -> Iterator[Finding]:
    questions: dict[str, set[str]] = {}
    for game in subject.games:
        for name, answers in _questions(game):
            questions.setdefault(name, set()).update(answers)
    actions = {answer for answers in questions.values() for answer in answers}
    for way, word, is_key in worded:
        name, _, answer = word.partition(" ")
        span = source.span(way, key=is_key)
        if "." not in name:
            if name not in actions:
                yield Finding(f"no answer is called `{name}`", span, did_you_mean(name, sorted(actions)))
        elif name not in questions:
            yield Finding(f"the rules ask nothing called `{name}`", span, did_you_mean(name, sorted(questions)))
        elif answer and answer not in questions[name] and not answer.lstrip("-").isdecimal():
            hint = did_you_mean(answer, sorted(questions[name]))
            yield Finding(f"nobody can answer `{name}` with `{answer}`", span, hint)


def _questions(game: Configuration) -> Iterator[tuple[str, set[str]]]:
    """The decisions of players and of chance, with the answers that have names."""
    keys = {universe.name: universe.keys for universe in game.program.universes}
    for function in game.program.functions:
        for i in function.code:
            if isinstance(i, m.Choose | m.Chance):
                words = {extra.key for extra in i.extras} if isinstance(i, m.Choose) else set()
                yield f"{function.name}.{i.label}", {*words, *keys.get(i.universe, ()), _HIDDEN}


def _of_questions(manifest: Mapping[str, object]) -> Iterator[tuple[JsonPath, str, bool]]:
    """Names of questions in a manifest, each with its place; True for the key of an entry."""
    asks, log = manifest.get("asks"), manifest.get("log")
    yield from ((("asks", name), name, True) for name in (asks if isinstance(asks, dict) else ()))
    if isinstance(log, dict):
        yield from ((("log", "answers", name), name, True) for name in log.get("answers", ()))
        hides = enumerate(log.get("hides", ()))
        yield from ((("log", "hides", number), str(name), False) for number, name in hides if "." in str(name))


def _in_drawing(subject: Subject, source: JsonText, draw: Mapping[str, object]) -> Iterator[Finding]:
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
