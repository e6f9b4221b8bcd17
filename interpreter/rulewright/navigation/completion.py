"""Completion: words of the language, names, members, labels, statements, titles."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.compiler.symbols.builtins import BUILTINS
from rulewright.navigation.file_symbols import FileSymbols
from rulewright.navigation.hover import head_of
from rulewright.navigation.symbol_index import SymbolIndex
from rulewright.navigation.symbols import Declaration, inside
from rulewright.navigation.syntax_context import Context, context_at, phrases

_TYPES = ("Player", "Int", "Bool", "Piece", "Direction")
_PATH_HEADS = frozenset({"IN", "SET", "REMOVE", "UNCHANGED", "REPLACE", "BEFORE", "AFTER"})
"""Changes that begin with the path of what they change."""
_CALLABLE = frozenset({"effect", "procedure", "phase"})
_NEW_NAME = frozenset(
    {"LET", "VAR", "CHOOSES", "CHOOSE", "FORBID", "UNLESS", "OPTION", "STEP", "AS", "GAME", "PARAM", "ZONE", "FIELD",
     "QUERY", "VALUE", "LIMITS", "EFFECT", "PROCEDURE", "PHASE", "REACTION", "CONSEQUENCE", "END", "INVARIANT",
     "PROPERTY", "WITNESS", "FOR", "EACH", "SEATED"}
)  # fmt: skip
"""Behind these a name is given, not used."""
_ORDERS = ("SET_OF", "STACK_OF", "BAG_OF", "ROW_OF")
_PLACE_MEMBERS = ("neighbours",)
_PLAYER_MEMBERS = ("left", "right")


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that can be written."""

    text: str
    kind: str
    """``word`` for a word of the language, ``statement``, or the word of its declaration."""
    detail: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True)
class Completion:
    """All that can be written in place of a stretch of a line."""

    start: int
    """The column at which it would begin."""
    candidates: tuple[Candidate, ...]


def complete(index: SymbolIndex, file: FileSymbols, line: int, column: int) -> Completion:
    """All that can be written at a position."""
    context = context_at(file.text, line, column)
    found = dict.fromkeys(_Completer(index, file, context, line, column).candidates())
    return Completion(context.start, tuple(found))


class _Completer:
    def __init__(self, index: SymbolIndex, file: FileSymbols, context: Context, line: int, column: int) -> None:
        self.index, self.file, self.context = index, file, context
        self.line, self.column = line, column

    def candidates(self) -> Iterator[Candidate]:
        before = self.context.before
        last = before[-1].type if before else ""
        if self.context.partial.startswith("@"):
            for id, statement in self.index.ruleset.statements.items():
                yield Candidate(f"@{id}", "statement", statement.section, statement.statement)
        elif self.context.quoted:
            yield from self._titles()
        elif last == "DOT":
            yield from self._members()
        else:
            if "STRING" in self.context.accepted and last == "VARIANT":
                yield from self._symbols("variant", quoted=True)
            if "NAME" in self.context.accepted:
                yield from self._names(last)
            if "TYPE" in self.context.accepted and not self._begins_path(last):
                yield from self._types()
            for text in phrases(self.context.accepted):
                yield Candidate(text, "word")

    def _titles(self) -> Iterator[Candidate]:
        """Inside quotes: the title of a variant, where one is named."""
        row = self.file.text.split("\n")[self.line - 1][: self.column - 1]
        if row.split('"')[0].split()[-1:] == ["variant"] and row.count('"') == 1:
            for (kind, name), _ in self.index.by_name.items():
                if kind == "variant":
                    yield Candidate(name, "variant")

    # ---------------------------------------------------------------------------------------------- behind a dot

    def _members(self) -> Iterator[Candidate]:
        before = self.context.before
        holder = before[-2] if len(before) > 1 else None
        root = holder.value if holder is not None else ""
        if self._is_path():
            yield from self._symbols("label", owner=root)
            return
        named = holder is not None and holder.type == "NAME" and not (len(before) > 2 and before[-3].type == "DOT")
        types = set(self._types_of(root)) if named else set()
        owners = {name for type in types for name in self._bases(type)}
        for declared in self._all("attribute"):
            if not types or declared.symbol.owner in owners:
                yield self._candidate(declared)
        words = {d.symbol.name: d.word for d in self._all("declaration")}
        if not types or any(words.get(type) in ("place", "merged") for type in types):
            yield from (Candidate(name, "attribute") for name in _PLACE_MEMBERS)
        if not types or "Player" in types:
            yield from (Candidate(name, "attribute") for name in _PLAYER_MEMBERS)

    def _is_path(self) -> bool:
        before = self.context.before
        if before[0].type in _PATH_HEADS and len(before) <= 4:
            return True
        return any(t.type == "BECAUSE" for t in before[-4:]) or (
            before[0].type == "PROPERTY" and any(t.type == "EACH" for t in before[-4:])
        )

    def _types_of(self, name: str) -> Iterator[str]:
        """The types that a local can have, from how it was given: ``x: Kind``, ``x in Kind``, ``x from zone``."""
        for one in self._locals():
            if one.symbol.name == name:
                clause, at = self.file.words.clause(next(self.file.words.within(one.name)))
                behind = clause[at + 1 : at + 3]
                if len(behind) == 2 and behind[0].type in ("COLON", "IN", "FROM"):
                    yield from self._named(behind[1].type, behind[1].value)

    def _named(self, type: str, value: str) -> Iterator[str]:
        """The type that a word means: itself, or of a zone the pieces in it."""
        if type == "TYPE":
            yield value
        elif value == "players":
            yield "Player"
        for one in self._all("declaration"):
            if one.symbol.name == value and one.word == "zone":
                file = next(f for f in self.index.files.values() if f.path == one.name.file)
                clause, _ = file.words.clause(next(file.words.within(one.name)))
                order = next((n for n, t in enumerate(clause) if t.type in _ORDERS), len(clause))
                for token in itertools.takewhile(lambda t: t.type in ("TYPE", "OR"), clause[order + 1 :]):
                    if token.type == "TYPE":
                        yield token.value

    def _bases(self, type: str) -> Iterator[str]:
        """A kind of piece, and those that it is one of."""
        seen: set[str] = set()
        while type and type not in seen:
            yield type
            seen.add(type)
            heads = [head_of(self.index, d) for d in self._all("declaration") if d.symbol.name == type]
            words = heads[0].split() if heads else []
            type = words[words.index("is") + 2] if words[:1] == ["piece"] and "is" in words[:-2] else ""

    # ------------------------------------------------------------------------------------------------------ names

    def _types(self) -> Iterator[Candidate]:
        yield from (Candidate(name, "type") for name in _TYPES)
        for one in self._all("declaration"):
            if one.symbol.name[:1].isupper():
                yield self._candidate(one)

    def _names(self, last: str) -> Iterator[Candidate]:
        context = self.context
        scenario = context.head == "SCENARIO"
        if scenario and last in ("WHEN", "REFUSED", "OFFERED", "SEEN", "HIDDEN", "WINS", "OUT"):
            yield from map(self._candidate, self._locals("player"))
        elif scenario and last in ("COLON", "COMMA") and context.before[0].type in _ANSWERING:
            yield from (c for c in self._symbols("label") if c.kind in _ASKED)
        elif last == "STOP":
            owner = self.index.owner(self.file, self.line, self.column) or self._owner_above()
            yield from self._symbols("label", owner=owner)
        elif last in ("LASTING",) or (last in ("AFTER", "COMMA") and context.head == "END" and len(context.before) > 3):
            yield from (c for c in self._symbols("declaration") if c.kind in _CALLABLE)
        elif self._begins_path(last):
            yield from self._symbols("declaration")
        elif last == "OBEY":
            yield from (c for c in self._symbols("declaration") if c.kind == "limits")
        elif context.before and context.before[0].type == "PRECEDENCE":
            yield from (c for c in self._symbols("declaration") if c.kind in ("reaction", "consequence"))
        elif last not in _NEW_NAME:
            yield from self._values()

    def _begins_path(self, last: str) -> bool:
        """True where ``declaration.label`` begins."""
        return last == "BECAUSE" or (last in _PATH_HEADS and len(self.context.before) == 1)

    def _values(self) -> Iterator[Candidate]:
        """Names of all that has a value, or can be done."""
        at_start = "MOVE" in self.context.accepted and "IF" in self.context.accepted
        done = at_start or any(t.type in ("START", "THEN") for t in self.context.before[-1:])
        yield from map(self._candidate, self._locals())
        for one in self._all("declaration"):
            if one.word in _VALUED or (done and one.word in _CALLABLE):
                yield self._candidate(one)
            elif one.word in ("area", "merged"):
                yield Candidate(one.symbol.name.lower(), "query", head_of(self.index, one))
        if not at_start:
            yield from self._symbols("value")
            yield from (Candidate(name, "function") for name in BUILTINS)
            yield from (Candidate(name, "function") for name in ("everyone", "box"))

    def _locals(self, kind: str = "") -> list[Declaration]:
        """The locals that can be used here, also at the end of a block that is just being written."""
        found: dict[str, Declaration] = {}
        for one in self.file.declared:
            if one.scope is None or (kind and one.symbol.kind != kind):
                continue
            if inside(one.scope, self.line, self.column) or self._goes_on(one):
                found[one.symbol.name] = one
        if not found:
            found = {d.symbol.name: d for d in self.index.locals_at(self.file, self.line, self.column)}
        return list(found.values())

    def _goes_on(self, one: Declaration) -> bool:
        """True if this line, indented as it is, continues the block in which a name is given."""
        scope = one.scope or one.whole
        if not self.context.first_line <= scope.line < self.line:
            return False
        same = one.word in ("let", "var", "choice", "draw")
        return scope.column - 1 < self.context.indent + same

    def _owner_above(self) -> str:
        """The declaration in which the clause stands, by its first line."""
        tops = [d for d in self.file.declared if d.whole.line == self.context.first_line]
        return tops[0].symbol.name if tops else ""

    # ----------------------------------------------------------------------------------------------------- tables

    def _all(self, kind: str) -> Iterator[Declaration]:
        return (places[0] for symbol, places in self.index.declarations.items() if symbol.kind == kind)

    def _symbols(self, kind: str, owner: str = "", *, quoted: bool = False) -> Iterator[Candidate]:
        for one in self._all(kind):
            if not owner or one.symbol.owner == owner:
                made = self._candidate(one)
                yield Candidate(f'"{made.text}"', made.kind, made.detail) if quoted else made

    def _candidate(self, one: Declaration) -> Candidate:
        return Candidate(one.symbol.name, one.word, head_of(self.index, one), "\n".join(one.comments))


_VALUED = frozenset({"param", "zone", "field", "query", "value"})
"""Declarations whose names have a value."""
_ASKED = frozenset({"choice", "option", "draw", "repetition"})
"""Labels that are answered."""
_ANSWERING = frozenset({"WHEN", "CHANCE", "REFUSED", "OFFERED"})


__all__ = ["Candidate", "Completion", "complete"]
