"""Comparison of two rulesets, clause by clause, whatever their text looks like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from rulewright.comparison.diff.clause_matching import Pair, align, common, same_labels, tokens
from rulewright.comparison.diff.clause_tree import Part, declaration, settled, walk
from rulewright.comparison.diff.editions import Edition, Side, edition
from rulewright.comparison.diff.table_rows import columns, rows, template
from rulewright.compiler.overlays.declaration_set import Rules
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Diagnostic, RulesetError, Span
from rulewright.syntax import ast, print_expr, print_type

ARROW = "→"


def notes(old: Part, new: Part) -> tuple[str, ...]:
    """Notes on the difference between two forms of one clause, where it can be said in a few words."""
    return tuple(note for note in _notes(old.node, new.node) if note)


def _notes(old: object, new: object) -> list[str]:
    match old, new:
        case ast.Parameter(), ast.Parameter():
            return [_types(old.type, new.type), _values("", old.value, new.value)]
        case ast.FieldDecl(), ast.FieldDecl():
            return [_types(old.type, new.type), _values("first value ", old.value, new.value)]
        case ast.Attribute(), ast.Attribute():
            return [_types(old.type, new.type)]
        case ast.EnumDecl(), ast.EnumDecl():
            return [_names(old.values, new.values)]
        case ast.Die(), ast.Die():
            return [_names(old.faces, new.faces)]
        case ast.Party(), ast.Party():
            return [_names([m.name for m in old.members], [m.name for m in new.members])]
        case ast.Choose(), ast.Choose() if old.optional is not new.optional:
            return ["may now choose nothing" if new.optional else "now has to choose"]
        case dict(), dict():
            changed = [name for name in dict.fromkeys([*old, *new]) if old.get(name) != new.get(name)]
            return [f"{name} {old.get(name, 'none')} {ARROW} {new.get(name, 'none')}" for name in changed]
        case _:
            return []


def _types(old: ast.TypeExpr | None, new: ast.TypeExpr | None) -> str:
    if old is None or new is None or old == new:
        return ""
    if isinstance(old, ast.ChoiceType) and isinstance(new, ast.ChoiceType):
        return _names(old.values, new.values)
    return f"type {print_type(old)} {ARROW} {print_type(new)}"


def _values(what: str, old: ast.Expr | None, new: ast.Expr | None) -> str:
    if old is None or new is None or old == new:
        return ""
    return f"{what}{print_expr(old)} {ARROW} {print_expr(new)}"


def _names(old: Sequence[str], new: Sequence[str]) -> str:
    gone = [name for name in old if name not in new]
    come = [name for name in new if name not in old]
    parts = [f"{word} {', '.join(names)}" for word, names in (("drops", gone), ("adds", come)) if names]
    return "; ".join(parts) or ("in another order" if list(old) != list(new) else "")


Kind = Literal["added", "removed", "changed", "moved", "cited"]


@dataclass(frozen=True, slots=True)
class Wording:
    """A clause as one of the two sides says it."""

    text: str
    """The clause on one line."""
    below: tuple[str, ...]
    """The clauses, one a line, if all of it is new or gone."""
    cites: tuple[str, ...]
    """The statements of the rulebook that it cites itself: those of the clause around it were not written for it."""
    span: Span


@dataclass(frozen=True, slots=True)
class Difference:
    """One clause that the two sides say differently."""

    kind: Kind
    declaration: str
    label: str | None
    """The label of the clause, or of the closest labelled clause around it."""
    word: str
    """The kind: ``param``, ``forbid``, ``row``, ``assign`` …"""
    old: Wording | None
    new: Wording | None
    inside: tuple[str, ...] = ()
    """The clauses without a label in which it stands, outermost first."""
    notes: tuple[str, ...] = ()
    """The meaning, where a few words can give it."""
    players: tuple[int, ...] = ()
    """The numbers of players with which it is so; none if with all that were compared."""

    @property
    def address(self) -> str:
        """``declaration.label`` as overlays write it; ``Good["fish"]`` for a row of a table."""
        if self.label is None:
            return self.declaration
        return f'{self.declaration}["{self.label}"]' if self.word == "row" else f"{self.declaration}.{self.label}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sides and all that they say differently, by declarations in the order written."""

    old: Edition
    new: Edition
    players: tuple[tuple[int, int], ...]
    """The numbers of players that were compared, of the one side and of the other."""
    differences: tuple[Difference, ...]
    """Clauses that differ in play."""
    cited: tuple[Difference, ...]
    """Clauses that are the same, but cite other statements of the rulebook."""

    @property
    def equal(self) -> bool:
        """True if both say the same."""
        return not self.differences


AnySide = str | Path | Ruleset | Side


def compare(old: AnySide, new: AnySide | None = None, players: int | None = None) -> Comparison:
    """Compare what two rulesets say.

    A side is the name or path of a ruleset, one that is opened, a :class:`Side`, or text as :meth:`Side.read` takes
    it, such as ``"stones:Long war:3"`` and for the second side also ``":Long war"``. Without a second side the first
    is compared with what it builds upon: its ruleset without variants and options, or the ruleset that it extends.

    All numbers of players that both sides know are compared, or `players` only, or those that the sides name.
    :class:`RulesetError` if a side cannot be read.
    """
    one = _side(old, None)
    if new is None:
        one, other = _basis(one), one
    else:
        other = _side(new, one)
    ours, theirs = edition(_counted(one, other, players)), edition(_counted(other, one, players))
    counts = _counts(ours, theirs)
    found = [_at(ours, theirs, a, b) for a, b in counts]
    changes = _merged(found, [b for _, b in counts])
    differences = tuple(d for d in changes if d.kind != "cited")
    return Comparison(ours, theirs, tuple(counts), differences, tuple(d for d in changes if d.kind == "cited"))


def _side(side: AnySide, other: Side | None) -> Side:
    if isinstance(side, Side):
        return side
    return Side.read(side, other) if isinstance(side, str) else Side(side)


def _basis(side: Side) -> Side:
    if side.variants or side.options:
        return replace(side, variants=(), options={})
    ruleset = edition(side).ruleset
    if ruleset.base is None:
        message = f"{ruleset.title} extends no other ruleset: say what to compare it with"
        raise RulesetError(Diagnostic("DAT021", message))
    return Side(ruleset.base, players=side.players)


def _counted(side: Side, other: Side, players: int | None) -> Side:
    count = side.players or players or other.players
    return replace(side, players=count)


def _counts(old: Edition, new: Edition) -> list[tuple[int, int]]:
    if old.players is not None and new.players is not None:
        return [(old.players, new.players)]
    both = [(count, count) for count in old.counts if count in new.counts]
    return both or [(old.counts[0], new.counts[0])]


def _merged(found: Sequence[Sequence[Difference]], counts: Sequence[int]) -> list[Difference]:
    """The differences of several numbers of players: each once, with the numbers for which it holds."""
    holds: dict[tuple[Difference, int], list[int]] = {}
    for count, differences in zip(counts, found, strict=True):
        seen: Counter[Difference] = Counter()
        for difference in differences:
            holds.setdefault((difference, seen[difference]), []).append(count)
            seen[difference] += 1
    order = {name: None for differences in found for name in (d.declaration for d in differences)}
    places = {name: place for place, name in enumerate(order)}
    ordered = sorted(holds.items(), key=lambda item: places[item[0][0].declaration])
    return [replace(d, players=() if len(at) == len(counts) else tuple(at)) for (d, _), at in ordered]


def _at(old: Edition, new: Edition, count: int, other: int) -> list[Difference]:
    ours, theirs = old.rules(count), new.rules(other)
    return compare_rules(ours, theirs, old.ruleset, new.ruleset, count, other)


# ------------------------------------------------------------------------------------------ declarations


def compare_rules(
    old: Rules, new: Rules, old_ruleset: Ruleset, new_ruleset: Ruleset, old_count: int, new_count: int
) -> list[Difference]:
    """The differences of two sets of declarations that hold for some numbers of players."""

    def parts(name: str) -> tuple[Part | None, Part | None]:
        read = columns(old, name), columns(new, name)
        both = read[0] & read[1] if name in old.decls and name in new.decls else read[0] | read[1]
        kinds = [rules.decls.get(name) for rules in (old, new)]
        # The values of a plain enum are told in one line, unless the other side has a table of them.
        plain = all(d is None or (isinstance(d, ast.EnumDecl) and d.table is None) for d in kinds)
        # Both sides call a row alike, even if one names its pieces otherwise.
        named = min(filter(None, (template(old, name), template(new, name))), default="")

        def part(rules: Rules, ruleset: Ruleset, count: int) -> Part | None:
            if name not in rules.decls:
                return None
            decl = settled(rules.decls[name], count, old_count != new_count)
            return declaration(decl, name, None if plain else rows(ruleset, decl, both, named, count))

        return part(old, old_ruleset, old_count), part(new, new_ruleset, new_count)

    alike = old_count == new_count and old_ruleset.folder == new_ruleset.folder
    names = [
        name
        for name in dict.fromkeys([*old.decls, *new.decls])
        if name != "game" and not (alike and old.decls.get(name) is new.decls.get(name))
    ]
    found = [d for name in names for d in _declarations(name, *parts(name))]
    found += _declarations("precedence", *(_precedence(rules) for rules in (old, new)))
    return found + list(_looked_at(old, new))


def _precedence(rules: Rules) -> Part:
    lines = (Part("precedence", f"precedence {', '.join(p.names)}", None, (), p.trivia.cites, p.span)
             for p in rules.precedence)  # fmt: skip
    return Part("precedence", "precedence", "precedence", tuple(lines))


def _looked_at(old: Rules, new: Rules) -> Iterator[Difference]:
    """Consequences and ends are looked at in the order written: those that are looked at earlier or later now."""
    watched = (ast.Consequence, ast.End)
    ours, theirs = ([n for n, d in rules.decls.items() if isinstance(d, watched)] for rules in (old, new))
    both = set(ours) & set(theirs)
    ours, theirs = ([name for name in names if name in both] for names in (ours, theirs))
    kept = {ours[i] for i, _ in common(ours, theirs)}
    for at, name in enumerate(theirs):
        if name not in kept:
            note = f"is now looked at after {theirs[at - 1]}" if at else "is now looked at first"
            one, other = (declaration(rules.decls[name], name) for rules in (old, new))
            yield Difference("moved", name, None, other.word, _worded(one), _worded(other), notes=(note,))


def _worded(part: Part, whole: bool = False) -> Wording:
    text, below = (part.brief, part.below) if whole else (part.text, ())
    return Wording(text, below, part.cites, part.span)


def _declarations(name: str, old: Part | None, new: Part | None) -> list[Difference]:
    if old is None or new is None:
        there = old or new
        assert there is not None
        one, other = (None if side is None else _worded(side, whole=True) for side in (old, new))
        return [Difference("removed" if new is None else "added", name, None, there.word, one, other)]
    if old.lines == new.lines and _cites(old) == _cites(new):
        return []
    return list(_Declaration(name, old, new).differences())


def _cites(part: Part) -> list[tuple[str, ...]]:
    return [part.cites, *(inner.cites for inner in walk(part))]


@dataclass(frozen=True, slots=True)
class _Around:
    """The surroundings of a clause: the closest label, and the clauses without one below that."""

    label: str | None
    inside: tuple[str, ...]


_TOP = _Around(None, ())


@dataclass(frozen=True, slots=True)
class _Place:
    """The place of a clause among the parts of the clause above it."""

    around: _Around
    above: Part
    number: int


class _Declaration:
    """Compares two forms of one declaration."""

    def __init__(self, name: str, old: Part, new: Part) -> None:
        self.name, self.old, self.new = name, old, new
        self.labelled = same_labels(walk(old), walk(new))
        self.tokens = tokens(self.labelled)
        self.met: set[Part] = set()
        """Labelled parts of the old side that stand on the new side where they stood."""
        self.gone: list[tuple[Part, Difference]] = []
        self.come: list[tuple[Part, Difference]] = []

    def differences(self) -> Iterator[Difference]:
        found = list(self._pair(self.old, self.new, _TOP, _TOP))
        places, before = self._places(self.new), self._places(self.old)
        for one, other in self.labelled:
            if one not in self.met:
                at, to = before[one].around, places[other].around
                found.append(self._difference("moved", one, other, to, self._where(places[other])))
                found += self._pair(one, other, at, to)
        return iter(self._without_moves(found, places))

    # ------------------------------------------------------------------------------------- one clause

    def _pair(self, old: Part, new: Part, at: _Around, to: _Around) -> Iterator[Difference]:
        """A clause and its other form."""
        if old.wording != new.wording:
            yield self._difference("changed", old, new, to, notes(old, new))
        elif old.cites != new.cites:
            yield self._difference("cited", old, new, to)
        yield from self._blocks(old, new, _below(old, self.old, at), _below(new, self.new, to))

    def _blocks(self, old: Part, new: Part, at: _Around, to: _Around) -> Iterator[Difference]:
        pairs: list[Pair] = align(old.parts, new.parts, self.tokens)
        ours, theirs = list(old.parts), list(new.parts)
        for one, other in pairs:
            yield from self._lone(ours, one, "removed", at)
            yield from self._lone(theirs, other, "added", to)
            if one.label is not None:
                self.met.add(one)
            yield from self._pair(one, other, at, to)
        yield from self._lone(ours, None, "removed", at)
        yield from self._lone(theirs, None, "added", to)

    def _lone(
        self, parts: list[Part], until: Part | None, kind: Literal["added", "removed"], at: _Around
    ) -> Iterator[Difference]:
        """Report the parts that stand before a clause that both have, and have no other form."""
        while parts:
            part = parts.pop(0)
            if part is until:
                return
            if part in self.tokens:
                continue  # it has moved
            wording_of_part = _worded(part, whole=True)
            old, new = (wording_of_part, None) if kind == "removed" else (None, wording_of_part)
            difference = Difference(kind, self.name, part.label or at.label, part.word, old, new, at.inside)
            (self.gone if kind == "removed" else self.come).append((part, difference))
            yield difference

    def _difference(self, kind: Kind, old: Part, new: Part, to: _Around, notes: tuple[str, ...] = ()) -> Difference:
        label = None if new is self.new else new.label or to.label
        return Difference(kind, self.name, label, new.word, _worded(old), _worded(new), inside=to.inside, notes=notes)

    # ------------------------------------------------------------------------------------------ moves

    def _without_moves(self, found: list[Difference], places: dict[Part, _Place]) -> list[Difference]:
        """Join what was taken away in one place and put in at another, word for word, into one move."""
        instead: dict[int, Difference | None] = {}
        come = [(part, added) for part, added in self.come if part.label is None]
        for part, removed in self.gone:
            again = next((c for c in come if (c[0].word, c[0].lines) == (part.word, part.lines)), None)
            if part.label is None and again is not None:
                come.remove(again)
                other, added = again
                instead[id(removed)] = None
                instead[id(added)] = replace(added, kind="moved", old=removed.old, notes=self._where(places[other]))
        placed = (instead.get(id(difference), difference) for difference in found)
        return [difference for difference in placed if difference is not None]

    def _places(self, top: Part) -> dict[Part, _Place]:
        """The place of each part of a declaration."""
        found: dict[Part, _Place] = {}

        def visit(part: Part, around: _Around) -> None:
            below = _below(part, top, around)
            for number, inner in enumerate(part.parts):
                found[inner] = _Place(below, part, number)
                visit(inner, below)

        visit(top, _TOP)
        return found

    def _where(self, place: _Place) -> tuple[str, ...]:
        where = f"now after `{place.above.parts[place.number - 1].brief}`" if place.number else "now first"
        return (where if place.above is self.new else f"{where} in `{place.above.text}`",)


def _below(part: Part, top: Part, at: _Around) -> _Around:
    """The surroundings of the clauses below a part."""
    if part is top:
        return _Around(None, ())
    if part.label is not None:
        return _Around(part.label, ())
    return _Around(at.label, (*at.inside, part.text))
