"""Outcomes in scenarios: what chance gives, and the keys of what is answered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any, TypeVar

from rulewright.compiler.driver import Compiler
from rulewright.compiler.symbols.symbols import Scope
from rulewright.diagnostics import Report, Span
from rulewright.diagnostics.suggestions import did_you_mean, listing
from rulewright.foundation.tree_fields import node_fields
from rulewright.ir import model as m
from rulewright.ir import scenario_plan as steps
from rulewright.syntax import ast, print_expr


class Outcomes:
    """Lowers the ``chance`` lines of one scenario."""

    def __init__(self, compiler: Compiler, report: Report, to_run: bool) -> None:
        self.to_run = to_run
        self.lower, self.context, self.chances = compiler.expressions, compiler.context, compiler.chances
        self.coercions, self.world, self.report = self.lower.coercions, compiler.world, report
        self.scope, self.seats = Scope(), tuple[str, ...]()

    def begin(self, scope: Scope, seats: tuple[str, ...]) -> None:
        """A scenario with these names and seats."""
        self.scope, self.seats = scope, seats

    def known_key(self, key: ast.StringLiteral, universes: Iterable[str]) -> str:
        """A key, which must be one of what may be chosen; an option of an `either` is no key.

        Behind the key of a piece may stand what distinguishes it from others: ``meadow, place 2``, ``knight in
        land[4]``. One that the player to decide does not see is ``back in market, place 2``.
        """
        universes = tuple(universes)
        known = [k for name in universes for k in self.keys(name)]
        if known and key.text not in known:
            for name in universes:  # a corner has several names
                if (number := self.world.member(name, key.text)) is not None and name != "Player":
                    return self.world.key(name, number)
            longer = any(key.text.startswith((f"{k} ", f"{k}, ")) for k in known) or self._is_back(key.text)
            if not longer:
                known = [k for name in universes for k in (*self.keys(name), *self.world.names(name))]
                self.context.unknown("key", key.text, known, key.span, "REF004")
        return key.text

    def _is_back(self, text: str) -> bool:
        """True if this is a back in a stack or row: what it shows is known when the game is made."""
        _, _, lies = text.partition(" in ")
        zone = self.world.zones.get(lies.partition(",")[0].partition("[")[0])
        return zone is not None and zone.order in ("stack", "row") and ", place " in lies

    def keys(self, universe: str) -> tuple[str, ...]:
        """The keys of a universe, players by their seats."""
        if universe == "Player":
            return self.seats
        return self.world.keys(universe) if universe in self.world.universes else ()

    def fate(self, answer: ast.Answer) -> steps.Fate | None:
        """``chance: n = [4, 2]``: what chance gives, one after the other."""
        found = self.chances.get(answer.name)
        if not found and f"shuffle {answer.name}" in self.chances:
            return self._order(answer)
        if not found:
            decided = [name.removeprefix("shuffle ") for name in self.chances]
            hint = did_you_mean(answer.name, decided) or (f"it decides {listing(decided, 8)}" if decided else "")
            self.report.error("REF012", f"chance decides nothing with the name `{answer.name}`", answer.span, hint=hint)
            return None
        if answer.keys:
            hint = f"keys say which of several piles is shuffled; write `chance: {answer.name} = …`"
            self.report.error("REF012", f"`{answer.name}` is no shuffle", answer.span, hint=hint)
            return None
        items = answer.value.items if isinstance(answer.value, ast.ListOf) else (answer.value,)
        keys = tuple(self.fate_key(i, found[0].universe) for i in items if i is not None)
        return steps.Fate(answer.span, f"chance: {self.answered(answer)}", answer.name, keys)

    def _order(self, answer: ast.Answer) -> steps.Fate | None:
        """``chance: deck = [a, b, c]``: how a shuffle leaves a stack (from the top), row or list. With keys one of
        several is meant, without them whichever is shuffled next."""
        name = answer.name
        declared = self.world.zones.get(name) or self.world.fields[name]
        index: tuple[m.Expr, ...] | None = None
        if answer.keys and not declared.index:
            hint = f"there is only one: `chance: {name} = [a, b, c]`"
            self.report.error("REF012", f"`{name}` has no keys", answer.span, hint=hint)
            return None
        if answer.keys:
            operand = ast.Name(name, span=answer.span)
            one = self.lower.lower(ast.Index(operand, answer.keys, span=answer.span), self.scope)
            if not isinstance(one.ir, m.ZoneGet | m.FieldGet):
                return None
            index = one.ir.index
        if not isinstance(answer.value, ast.ListOf):
            written = f"{name}[{', '.join(print_expr(key) for key in answer.keys)}]" if answer.keys else name
            self.report.error("REF012", f"give the whole order of `{written}`: `[a, b, c]`", answer.span)
            return None
        universe = "Piece" if name in self.world.zones else self.world.fields[name].type.universe
        keys = tuple(self.fate_key(i, universe) for i in answer.value.items)
        text = f"chance: {self.answered(answer)}"
        return steps.Fate(answer.span, text, f"shuffle {name}", keys, True, index)

    def fate_key(self, value: ast.Expr, universe: str) -> str:
        """The key of an outcome."""
        if isinstance(value, ast.StringLiteral):
            return self.known_key(value, (universe,))
        if universe in ("Int", "Bool"):
            return print_expr(value)
        wanted = self.world.option_type(universe)
        typed = self.coercions.item(self.lower.lower(value, self.scope, wanted))
        ir = self.coercions.coerce(typed, wanted, value.span, "the outcome")
        keys = self.keys(universe)
        return keys[ir.value] if isinstance(ir, m.Const) and 0 <= ir.value < len(keys) else print_expr(value)

    def source_text(self, value: ast.Expr) -> str:
        """A value as it is written, for those who run the scenario."""
        return print_expr(value) if self.to_run else ""

    def answered(self, answer: ast.Answer) -> str:
        """An answer as it is written."""
        keys = f"[{', '.join(self.source_text(key) for key in answer.keys)}]" if answer.keys else ""
        return answer.name + keys + ("" if answer.value is None else f" = {self.source_text(answer.value)}")


EMPTY = "."
"""The sign for a place that stays as it is."""

PLACE = "place"
"""The word for the place in what is drawn: ``on[place]``."""

_SIGN = re.compile(r"[^ ]+")


def place_universe(target: ast.Expr, index: tuple[str, ...]) -> str | None:
    """The universe of the places that are drawn: that of ``place`` among the keys of a zone or field."""
    if not isinstance(target, ast.Index) or len(target.index) != len(index):
        return None
    found = [one for one, arg in zip(index, target.index, strict=True) if arg == ast.Name(PLACE)]
    return found[0] if len(found) == 1 else None


def rows_of(graph: m.Graph) -> list[list[int]]:
    """The rows of a map, from above; none if it has no rows."""
    if graph.shape not in ("grid", "hexes"):
        return []
    numbers = sorted(range(len(graph.layout)), key=lambda place: (graph.layout[place][1], graph.layout[place][0]))
    return [list(row) for _, row in groupby(numbers, key=lambda place: graph.layout[place][1])]


def places_of_signs(drawing: ast.SDraw, rows: list[list[int]], report: Report) -> dict[str, int]:
    """For each sign the places where it stands, as a bit set. What does not fit the map is reported."""
    found = {sign.sign: 0 for sign in drawing.signs}
    _check_signs(drawing, report)
    if len(drawing.rows) != len(rows):
        message = f"the map has {len(rows)} rows, and {len(drawing.rows)} are drawn"
        report.error("TYP239", message, drawing.rows[-1].span, hint=f"`{EMPTY}` leaves a place as it is")
        return {}
    for row, places in zip(drawing.rows, rows, strict=True):
        signs = list(_signs(row))
        if len(signs) != len(places):
            extra = signs[len(places)][1] if len(signs) > len(places) else row.span
            message = f"this row of the map has {len(places)} places, and {len(signs)} are drawn"
            report.error("TYP239", message, extra, hint=f"`{EMPTY}` leaves a place as it is")
            continue
        for (sign, at), place in zip(signs, places, strict=True):
            if sign in found:
                found[sign] |= 1 << place
            elif sign != EMPTY:
                report.error("TYP239", f"nothing says what `{sign}` stands for", at, hint=did_you_mean(sign, found))
    return found


def _check_signs(drawing: ast.SDraw, report: Report) -> None:
    known = set[str]()
    for sign in drawing.signs:
        if sign.sign == EMPTY or not _SIGN.fullmatch(sign.sign):
            message = f"`{sign.sign}` can be no sign of a drawing"
            report.error(
                "TYP239", message, sign.span, hint="a sign is a word without blanks; a point is a place left alone"
            )
        elif sign.sign in known:
            report.error("TYP239", f"`{sign.sign}` stands for two things", sign.span)
        known.add(sign.sign)


def _signs(row: ast.DrawnRow) -> Iterator[tuple[str, Span]]:
    """The signs of a row, each with its place in the file."""
    at = row.span
    for found in _SIGN.finditer(row.text):
        start = at.column + 1 + found.start()
        yield found[0], Span(at.file, at.line, start, at.line, start + len(found[0]))


N = TypeVar("N")


class PieceNames:
    """The names of the pieces of a game in which these players have these seats."""

    def __init__(self, known: Iterable[str], seats: Mapping[str, str]) -> None:
        self._known, self._seats = frozenset(known), {name: seat for name, seat in seats.items() if name != seat}

    def in_(self, part: N) -> N:
        """A part of a scenario in which pieces have the names that the game gives them: ``"anna castle 1"`` is the
        `orange castle 1` if anna is orange."""
        return self._named(part) if self._seats else part

    def _named(self, part: Any) -> Any:
        match part:
            case tuple():
                return tuple(map(self._named, part))
            case ast.StringLiteral(text):
                return replace(part, text=self._key(text))
            case ast.Node():
                now = {name: self._named(getattr(part, name)) for name in node_fields(type(part))}
                changed = {name: value for name, value in now.items() if value != getattr(part, name)}
                if isinstance(part, ast.SPut):
                    changed["keys"] = tuple(map(self._key, part.keys))
                return replace(part, **changed) if changed else part
            case _:
                return part

    def _key(self, key: str) -> str:
        name, comma, place = key.partition(", ")
        named = " ".join(self._seats.get(word, word) for word in name.split(" "))
        return named + comma + place if name not in self._known and named in self._known else key
