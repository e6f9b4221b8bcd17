"""Uses of declarations: the words they mention, and what can be reached from where a game begins."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rulewright.compiler.overlays.declaration_set import name_of
from rulewright.compiler.symbols.symbols import MAIN
from rulewright.data.ruleset import Ruleset
from rulewright.findings.text.subject import Subject
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.memo import memoized_by_node
from rulewright.foundation.tree_fields import node_fields
from rulewright.syntax import ast

_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")

WITH_PARAMETERS = (ast.Query, ast.Value, ast.Limits, ast.Callable)
FOR_EACH = (ast.Consequence, ast.End, ast.Invariant, ast.Property)

_WORDS: dict[type[ast.Decl], str] = {
    ast.Query: "query",
    ast.Value: "value",
    ast.Limits: "list of restrictions",
    ast.Parameter: "parameter",
    ast.EnumDecl: "enum",
    ast.Die: "die",
    ast.Piece: "kind of piece",
    ast.Party: "party",
    ast.Area: "area",
    ast.Merged: "region",
    ast.Zone: "zone",
    ast.FieldDecl: "field",
}

_BEGINNINGS = (
    *(ast.Game, ast.Players, ast.Consequence, ast.End, ast.Invariant, ast.Property, ast.Witness, ast.Reaction),
    ast.MapDecl,
)
"""Declarations that happen, or are looked at, without being named anywhere."""


def words(node: object, *, reading: bool = False) -> Iterator[str]:
    """The names that a piece of rules mentions, attributes with a dot in front.

    With `reading`, a field or variable that is only set does not count.
    """
    todo: list[object] = [node]
    while todo:
        at = todo.pop()
        if isinstance(at, tuple):
            todo.extend(at)
            continue
        if not isinstance(at, ast.Node):
            continue
        yield from _own(at)
        if reading and isinstance(at, ast.Assign):
            target = at.target
            todo += [target.index if isinstance(target, ast.Index) else (), at.value]
            continue
        todo.extend(getattr(at, name) for name in reversed(node_fields(type(at))))


@memoized_by_node
def words_of(clause: ast.Clause) -> frozenset[str]:
    """The names that a clause speaks of, found once for it."""
    return frozenset(words(clause))


@memoized_by_node
def words_read(clause: ast.Clause) -> frozenset[str]:
    """The words of a clause, without what is only set."""
    return frozenset(words(clause, reading=True))


def _own(node: ast.Node) -> Iterator[str]:
    match node:
        case ast.Name(name) | ast.TypeName(name) | ast.NamedType(name):
            yield name
        case ast.Dot(name=name):
            yield f".{name}"
        case ast.IsA(kind=kind):
            yield kind
        case ast.Bind(kind=str(kind)) | ast.Choose(kind=str(kind)):
            yield kind
        case ast.Roll(die=name) | ast.IndexPart(type=name) | ast.Merged(place=name) | ast.Area(place=name):
            yield name
        case ast.Die(faces=names) | ast.Zone(kinds=names) | ast.Precedence(names=names):
            yield from names
        case ast.EnumDecl(values=values):
            yield from (value for value in values if value[:1].isupper())
        case ast.Piece(base=base, named=named, back=back):
            yield from [base] if base else []
            yield from (f".{word}" for word in _WORD.findall(f"{named} {back}"))
        case ast.Place(named=named):
            yield from (f".{word}" for word in _WORD.findall(named or ""))
        case ast.MapDecl(place=place, edges=edges):
            yield place
            yield from [edges] if edges else []
        case ast.FieldDecl(lasting=str(label)) | ast.End(after=str(label)) | ast.Property(after=str(label)):
            yield label
        case ast.Players(seated=str(name)):
            yield name
        case ast.Path(parts):
            yield from parts
        case _:
            pass


@dataclass(slots=True)
class Uses:
    """Declarations by name, with those that can be reached from where a game begins."""

    decls: dict[str, ast.Decl]
    reached: set[str]
    """Words that something reachable mentions."""
    read: set[str]
    """The reached words, without fields that are only set."""
    mentioned: set[str]
    """Words that some declaration mentions, reachable or not."""
    values: dict[str, tuple[str, ...]]
    """The values of enums."""

    def forms(self, decl: ast.Decl) -> set[str]:
        """The words that stand for a declaration: its name; of an enum also its values, of a party its members, of an
        area the question."""
        name = name_of(decl) or ""
        match decl:
            case ast.Area() | ast.Merged() | ast.Party():
                members = decl.members if isinstance(decl, ast.Party) else ()
                own = {member.name for member in members} - {"players", "teams"}
                return {name, name.lower(), f".{name.lower()}"} | own
            case ast.EnumDecl():
                return {name, *self.values[name]}
            case ast.Die(faces=faces):
                return {name, *(face for face in faces if face[:1].islower())}
            case _:
                return {name}


def _begins(decl: ast.Decl) -> bool:
    """True of what happens, or is looked at, without being named anywhere."""
    measured = isinstance(decl, ast.Query) and decl.word == "measure"
    return measured or isinstance(decl, _BEGINNINGS) or name_of(decl) == MAIN


def uses(subject: Subject) -> Uses:
    """The declarations used in a ruleset by something that happens; scenarios do not count."""
    rules = subject.source.rules
    overlays: list[ast.WithPlayers | ast.Variant] = [*rules.by_count, *rules.variants]
    decls = dict(rules.decls)
    for op in (op for overlay in overlays for op in overlay.ops):
        if isinstance(op, ast.AddDeclOp) and (name := name_of(op.decl)) is not None:
            decls.setdefault(name, op.decl)
    if not any(subject.wants(decl.span.file) for decl in decls.values()):
        return Uses({}, set(), set(), set(), {})  # no more is needed
    todo: list[ast.Clause] = [d for d in decls.values() if _begins(d)]
    todo += [*rules.changes, *rules.precedence, *overlays]
    outside = set(_of_manifest(subject.ruleset))
    kinds: dict[str, list[str]] = {}
    """Kinds of pieces by what they are."""
    for decl in decls.values():
        if isinstance(decl, ast.Piece) and decl.base is not None:
            kinds.setdefault(decl.base, []).append(decl.name)
    values = {d.name: _values(subject.ruleset, d) for d in decls.values() if isinstance(d, ast.EnumDecl)}
    found = Uses(decls, set(outside), set(outside), set(), values)
    by_word: dict[str, list[str]] = {}
    for name, decl in decls.items():
        for form in found.forms(decl):
            by_word.setdefault(form, []).append(name)
    todo += [decls[name] for word in sorted(outside) for name in by_word.get(word, ())]
    done: set[str] = set()
    while todo:
        at = todo.pop()
        spoken = words_of(at)
        fresh = sorted(spoken - found.reached)
        found.read |= words_read(at)
        found.reached |= spoken
        names = [name for word in fresh for name in by_word.get(word, ())]
        names += kinds.get(at.name, []) if isinstance(at, ast.Piece) else []
        for name in names:
            if name not in done:
                done.add(name)
                todo.append(decls[name])
    found.reached |= done
    found.mentioned = set().union(*(words_of(decl) - {name} for name, decl in decls.items()))
    return found


def _values(ruleset: Ruleset, decl: ast.EnumDecl) -> tuple[str, ...]:
    """The values of an enum, also of one that stands in a table."""
    if decl.table is None:
        return tuple(value for value in decl.values if not value[:1].isupper())
    rows = ruleset.table_of(decl).rows
    return tuple(str(row[key]) for row in rows for key in ("name", decl.name.lower()) if key in row)


def cells_of(subject: Subject, but: ast.Decl) -> Iterator[str]:
    """All words in tables and maps that the rules and their changes name, except in the table of one declaration."""
    todo: list[Mapping[str, object]] = []
    rules = subject.source.rules
    overlays: list[ast.WithPlayers | ast.Variant] = [*rules.by_count, *rules.variants]
    changes = (op for overlay in overlays for op in overlay.ops)
    changed = (op.decl for op in changes if isinstance(op, (ast.AddDeclOp, ast.ReplaceDeclOp)))
    for decl in (*rules.decls.values(), *changed):
        if decl is but:
            continue
        if isinstance(decl, ast.MapDecl) and decl.table is not None and decl.shape != "growing":
            graph = subject.ruleset.map_file(decl.table, decl.span).graph
            todo += [dict(data) for _, data in graph.nodes.items()]
            todo += [dict(data) for _, _, data in graph.edges()]
        elif isinstance(decl, (ast.Piece, ast.EnumDecl)) and decl.table is not None:
            todo += subject.ruleset.table_of(decl).rows
    yield from texts_in([list(row.values()) for row in todo], keys=True)  # `{"wood": 1}` uses the name


def texts_in(value: object, keys: bool = False) -> Iterator[str]:
    """The texts in a value of JSON, with `keys` those of its objects, too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value if keys else ()
        yield from texts_in(list(value.values()), keys)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_in(inner, keys)


def _of_manifest(ruleset: Ruleset) -> Iterator[str]:
    """Names of which the manifest speaks: the procedure of a move, hints for drawing."""
    source = ruleset.manifest.source
    value = source.value if source is not None else None
    if isinstance(value, dict):
        for text in texts_in([value.get("move"), value.get("draw")], keys=True):
            for word in _WORD.findall(text):
                yield from (word, f".{word}")
    if ruleset.base is not None:
        yield from _of_manifest(ruleset.base)


def word_for(decl: ast.Decl) -> str:
    """The word for a kind of declaration; empty for those that need not be used."""
    if isinstance(decl, ast.Query) and decl.word == "measure":
        return ""
    return decl.word if isinstance(decl, ast.Callable) else _WORDS.get(type(decl), "")
