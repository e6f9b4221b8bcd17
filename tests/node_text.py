"""Text of nodes that can be read again: `Filter(Alive('Cell'), 'c', Cmp('eq', FieldGet('owner', [c]), $0))`.

A node is its class with its fields, as far as they are not what they are by default. A variable is its name, a constant
its number, a slot `$` and its number.
"""

from __future__ import annotations

import re
from dataclasses import MISSING, fields
from typing import Any

from rulewright.ir import model as m
from rulewright.ir.walk import EXPR_TYPES, INSTR_TYPES

_NODES: dict[str, type] = {
    kind.__name__: kind for kind in (*EXPR_TYPES, *INSTR_TYPES, m.Bound, m.Restriction, m.Extra, m.Exception_, m.Ty)
}
_WORDS = {None: "none", True: "true", False: "false"}
_TOKEN = re.compile(r"\s*(?:(-?\d+)|\$(\d+)|'((?:[^'\\]|\\.)*)'|([A-Za-z_][\w'*]*)|([()\[\],]))")


def written(node: Any) -> str:
    """The text of an expression or instruction."""
    match node:
        case None | bool():
            return _WORDS[node]
        case int() | m.Const(int()):
            return str(node if isinstance(node, int) else node.value)
        case str():
            return "'" + re.sub(r"([\\'])", r"\\\1", node) + "'"
        case m.Var(name):
            return name
        case m.Local(slot):
            return f"${slot}"
        case tuple():
            return f"[{', '.join(map(written, node))}]"
        case _:
            pass  # by its parts
    values = [(f, getattr(node, f.name)) for f in fields(node)]
    while values and values[-1][0].default is not MISSING and values[-1][1] == values[-1][0].default:
        values.pop()
    return f"{type(node).__name__}({', '.join(written(value) for _, value in values)})"


def read(text: str) -> Any:
    """The expression or instruction that has a text; ValueError if none has."""
    reader = _Reader(text)
    found = reader.value(None)
    if reader.left:
        raise ValueError(f"there is more: {reader.left!r}")
    return found


class _Reader:
    def __init__(self, text: str) -> None:
        self.left = text.strip()

    def _next(self) -> re.Match[str]:
        found = _TOKEN.match(self.left)
        if found is None:
            raise ValueError(f"this is no expression: {self.left!r}")
        self.left = self.left[found.end() :].lstrip()
        return found

    def value(self, annotation: str | None) -> Any:
        """The next value; what a field is declared for tells numbers from constants."""
        found = self._next()
        number, slot, word, name, mark = found.groups()
        if number is not None:
            return int(number) if annotation is not None and "Expr" not in annotation else m.Const(int(number))
        if slot is not None:
            return m.Local(int(slot))
        if word is not None:
            return re.sub(r"\\(.)", r"\1", word)
        if mark == "[":
            return tuple(self._items("]", [annotation] if annotation else []))
        if name in _WORDS.values():
            return next(value for value, written in _WORDS.items() if written == name)
        kind = _NODES.get(name or "")
        if kind is None or not self.left.startswith("("):
            return m.Var(name)
        self._next()
        return kind(*self._items(")", [str(f.type) for f in fields(kind)]))

    def _items(self, end: str, annotations: list[str]) -> list[Any]:
        found: list[Any] = []
        while not self.left.startswith(end):
            at = min(len(found), len(annotations) - 1)
            found.append(self.value(annotations[at] if annotations else None))
            if self.left.startswith(","):
                self._next()
        self._next()
        return found


__all__ = ["read", "written"]
