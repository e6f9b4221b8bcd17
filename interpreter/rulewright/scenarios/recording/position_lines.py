"""Lines that lay out a position, shorter: what is the same of several places is one line."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, count

from rulewright.scenarios.recording.state_diff import Words
from rulewright.syntax import ast, print_expr, reserved_words

LEAST = 3
"""So many places are named in one line."""

_PLACES = (ast.Tuple, ast.Binary)
"""The forms in which places and edges of a map are written. Of other keys a list could not tell what they are."""


def joined(lines: Iterable[ast.ScenarioLine], words: Words) -> list[ast.ScenarioLine]:
    """The lines, with those put together that give a field the same value, or lay the same piece, at several places."""
    given = list(lines)
    groups: dict[tuple[object, ...], list[ast.Index]] = {}
    for line in given:
        if (key := _group(line, words)) is not None:
            groups.setdefault(key, []).append(_target(line))
    binder, done = _free_name(words), set[tuple[object, ...]]()
    found: list[ast.ScenarioLine] = []
    for line in given:
        key = _group(line, words)
        if key is None or len(groups[key]) < LEAST:
            found.append(line)
        elif key not in done:
            done.add(key)
            found.append(_for_each(line, groups[key], binder))
    return found


def _target(line: ast.ScenarioLine) -> ast.Index:
    """The zone or field of a line, with the place."""
    found = (
        line.settings[0].target if isinstance(line, ast.SGiven) else line.zone if isinstance(line, ast.SPut) else None
    )
    assert isinstance(found, ast.Index)
    return found


def _group(line: ast.ScenarioLine, words: Words) -> tuple[object, ...] | None:
    """The key that lines have in common which can be put together; None if a line stays as it is."""
    match line:
        case ast.SGiven((ast.Setting(ast.Index(ast.Name(name), (place,)), value),)) if isinstance(place, _PLACES):
            return name, print_expr(value)
        case ast.SPut(amount, key, ast.Index(ast.Name(name), (place,)), face, side) if isinstance(place, _PLACES):
            # In a stack or row it matters what was laid before.
            return None if words.layout.zone_of[name].order else (name, amount, key, face, side)
    return None


def _for_each(line: ast.ScenarioLine, alike: list[ast.Index], binder: str) -> ast.ScenarioLine:
    """One line for several places."""
    target = ast.Index(alike[0].operand, (ast.Name(binder),))
    binds = (ast.Bind(binder, None, ast.SetOf(tuple(place for one in alike for place in one.index))),)
    if isinstance(line, ast.SGiven):
        return ast.SGiven((ast.Setting(target, line.settings[0].value),), binds)
    assert isinstance(line, ast.SPut)
    return ast.SPut(line.amount, line.key, target, line.face, line.side, binds)


def _free_name(words: Words) -> str:
    """A name that no declaration has. (Keys are not looked at: numbers are a universe, too, and have no end.)"""
    taken = {*reserved_words(), *words.seats, *words.declared}
    return next(name for name in chain(["c"], (f"c{number}" for number in count(1))) if name not in taken)
