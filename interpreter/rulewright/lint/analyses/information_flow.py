"""Secrets on which the options of a choice depend.

A choice is followed through its set, its restrictions and options, and all queries they ask. For every zone and field
read there and each player who may be asked, the analysis decides whether that player sees it, as far as that is
certain: ``hand[p]`` is their own if p is asked, ``hand[p.left]`` is not, ``hand[q]`` for q running over all players is
everybody's. Whatever is uncertain (``hand[victim]``, an audience that changes during the game, a zone of which
something is shown) counts as seen: a finding is never a false alarm. Where backs are seen, what they tell is no secret.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import product
from typing import Any

from rulewright.ir import model as m
from rulewright.ir.walk import Facts, children, nodes
from rulewright.lint.analyses.backs import Backs

Values = tuple[frozenset[int], ...]
"""For each player who may be asked, all the values that an expression takes then; it takes every one of them."""

Env = Mapping[str, Values | None]


@dataclass(frozen=True, slots=True)
class Secret:
    """Something that is read and not seen."""

    name: str
    zone: bool
    facet: str
    """``count`` or ``face``: what would have to be seen."""
    others: bool
    """True if the owner sees their own."""
    label: str
    """The restriction that reads it; empty: the set that is chosen from, or a condition of an option."""


_ENOUGH = {"face": ("face", "all"), "back": ("face", "all", "back"), "count": ("face", "all", "back", "count")}
"""The facets that suffice to see one of a zone."""


def unseen(declared: m.Field | m.Zone) -> bool:
    """True if nobody ever sees anything of it."""
    return all(a.by is None or a.by == m.Const(0) for a in declared.audiences)


class Sight:
    """The declarations of a program, for all analyses of who sees what."""

    def __init__(self, program: m.Program) -> None:
        self.players = program.players
        self.queries = {q.name: q for q in program.queries}
        self.tables = {t.name: t for t in program.tables}
        self.zones = {z.name: z for z in program.zones}
        self.fields = {f.name: f for f in program.fields}
        self.areas = {a.name: a for a in program.areas}
        self.facts = Facts(self.queries)
        self.shown = _shown(program)
        self.backs = Backs(program)


def secrets_of(sight: Sight, i: m.Choose) -> list[Secret]:
    """Secrets that the options of a choice depend on and the asked player certainly does not see, each once."""
    if i.who_is != "player":
        return []
    found: dict[Secret, None] = {}
    for label, expr in _conditions(i):
        for secret in _Reading(sight, i, label).walk(expr, {}):
            found[secret] = None
    return list(found)


def own_and_unseen(sight: Sight, i: m.Choose, declared: m.Zone | m.Field, keys: tuple[m.Expr, ...]) -> bool:
    """True if a zone or field belongs to the asked player, by one of its keys, and they certainly do not see it."""
    reading = _Reading(sight, i, "")
    return i.who_is == "player" and i.who in keys and reading.never_seen(declared, keys)


def _conditions(i: m.Choose) -> Iterator[tuple[str, m.Expr]]:
    for expr in (i.source, i.where):
        if expr is not None:
            yield "", expr
    for restriction in i.restrictions:
        yield from _restriction(restriction)
    for extra in i.extras:
        if extra.guard is not None:
            yield "", extra.guard
        for restriction in extra.restrictions:
            yield from _restriction(restriction)


def _restriction(restriction: m.Restriction) -> Iterator[tuple[str, m.Expr]]:
    if restriction.condition == m.Const(0) or any(x.condition == m.Const(1) for x in restriction.unless):
        return  # with these options it never refuses
    yield restriction.label, restriction.condition
    for exception in restriction.unless:
        if exception.condition != m.Const(0):
            yield restriction.label, exception.condition


class _Reading:
    """A walk over an expression that belongs to one choice."""

    def __init__(self, sight: Sight, i: m.Choose, label: str) -> None:
        self.who = i.who
        self.label = label
        self.players = sight.players
        self.all = frozenset(range(sight.players))
        self.askable = (i.who.value,) if isinstance(i.who, m.Const) else tuple(range(sight.players))
        self.queries, self.tables, self.areas = sight.queries, sight.tables, sight.areas
        self.zones, self.fields = sight.zones, sight.fields
        self.facts, self.shown, self.backs = sight.facts, sight.shown, sight.backs
        self.asked: set[tuple[str, tuple[Values | None, ...]]] = set()

    # ------------------------------------------------------------------------------------------ values

    def values(self, e: m.Expr, env: Env) -> Values | None:
        """The values of an expression for each player who may be asked; None if that is not certain."""
        if e == self.who:
            return tuple(frozenset((p,)) for p in self.askable)
        match e:
            case m.Const(value):
                return (frozenset((value,)),) * len(self.askable)
            case m.Var(name):
                return env.get(name)
            case m.Attr(table, of) if (keys := self.values(of, env)) is not None:
                entries = self.tables[table].values
                if all(0 <= k < len(entries) and isinstance(entries[k], int) for row in keys for k in row):
                    return tuple(frozenset(v for k in row if isinstance(v := entries[k], int)) for row in keys)
        return None

    def members(self, source: m.Expr, env: Env) -> Values | None:
        """The values of a binder over a set, for each player who may be asked."""
        match source:
            case m.Alive("Player"):
                return (self.all,) * len(self.askable)
            case m.Const(value) if value == (1 << self.players) - 1:
                return (self.all,) * len(self.askable)
            case m.Filter(inner, var, body) if self._others(body, var):
                rows = self.members(inner, env)
                own = self.values(self.who, env)
                return None if rows is None or own is None else tuple(a - b for a, b in zip(rows, own, strict=True))
            case m.ClockwiseFrom():
                return (self.all,) * len(self.askable)
            case m.ToList(inner) | m.ToSet(inner):
                return self.members(inner, env)
        return None

    def _others(self, e: m.Expr, var: str) -> bool:
        """True if a condition says that a binder is not the asked player, and nothing else."""
        match e:
            case m.Cmp("ne", m.Var(name), other) | m.Cmp("ne", other, m.Var(name)):
                return name == var and other == self.who
            case m.Not(m.Cmp("eq", m.Var(name), other)) | m.Not(m.Cmp("eq", other, m.Var(name))):
                return name == var and other == self.who
            case m.And((only,)):
                return self._others(only, var)
        return False

    # ------------------------------------------------------------------------------------------ the walk

    def walk(self, e: m.Expr, env: Env) -> Iterator[Secret]:
        """The secrets that an expression reads."""
        match e:
            case m.Size(inner) if (read := _whole(inner)) is not None:
                yield from self.read(*read, "count", env)
            case m.SetEq(left, m.Const(0)) | m.SetEq(m.Const(0), left) if (read := _whole(left)) is not None:
                yield from self.read(*read, "count", env)
            case m.Cmp(_, left, m.Const(m.NONE), True) | m.Cmp(_, m.Const(m.NONE), left, True):
                yield from self.whether(left, env)
            case m.Attr(table, m.First(m.ZoneList(name, keys))) if self.backs.tell(self.zones[name], table):
                yield from self.read(name, keys, "back", env)
            case m.ZoneGet(name, keys) | m.ZoneList(name, keys) | m.FieldGet(name, keys):
                yield from self.read(name, keys, "face", env)
            case m.Top(name, keys):
                yield from self.read(name, keys, "face", env)
            case m.And(items) | m.Or(items):
                for item in items:
                    yield from self.walk(item, env)
                    if item == m.Const(isinstance(e, m.Or)):
                        return
                    env = self.behind(item, env)
            case m.IfElse(condition, then, otherwise):
                yield from self.walk(condition, env)
                env = self.behind(condition, env)
                if condition != m.Const(0):
                    yield from self.walk(then, env)
                if condition != m.Const(1):
                    yield from self.walk(otherwise, env)
            case m.LetIn(var, value, body):
                yield from self.walk(value, env)
                yield from self.walk(body, {**env, var: self.values(value, env)})
            case m.Fold(kind, binds, where, body):
                yield from self.fold(kind, binds, where, body, env)
            case m.Collect(source, var, body) if (read := _whole(source)) is not None:
                yield from self.read(*read, self.facet(read[0], var, body), env)
                yield from self.walk(body, {**env, var: self.members(source, env)})
            case m.Filter(source, var, body) | m.Collect(source, var, body) | m.Best(source, var, body):
                yield from self.over(source, var, body, env)
            case m.Sort(source, var, body):
                yield from self.over(source, var, body, env)
            case m.CallQuery(query, args) if query in self.queries:
                for arg in args:
                    yield from self.walk(arg, env)
                yield from self.ask(query, tuple(self.values(arg, env) for arg in args))
            case m.Component(area):
                yield from self.walk(self.areas[area].across, {})
                for child in children(e):
                    yield from self.walk(child, env)
            case _:
                for child in children(e):
                    yield from self.walk(child, env)

    def behind(self, condition: m.Expr, env: Env) -> Env:
        """The environment that is certain under a condition: a binder that it restricts need not take all its values
        any more.
        """
        own = self.values(self.who, {})
        found: dict[str, Values | None] = dict(env)
        for name in sorted(self.facts.free(condition)):
            rows = env.get(name)
            if rows is None or all(len(row) == 1 for row in rows):
                continue
            keeps = self._others(condition, name) and own is not None
            found[name] = tuple(a - b for a, b in zip(rows, own or (), strict=True)) if keeps else None
        return found

    def over(self, source: m.Expr, var: str, body: m.Expr, env: Env) -> Iterator[Secret]:
        """One binder and what is asked of each."""
        yield from self.walk(source, env)
        yield from self.walk(body, {**env, var: self.members(source, env)})

    def fold(
        self, kind: str, binds: tuple[m.Bound, ...], where: m.Expr | None, body: m.Expr | None, env: Env
    ) -> Iterator[Secret]:
        """Counting and the like; to count all pieces in a zone its count is enough, or their backs."""
        plain = kind in ("count", "some", "no") and where is None and body is None
        for number, bind in enumerate(binds):
            whole = _whole(bind.source)
            if whole is None:
                yield from self.walk(bind.source, env)
            else:
                rest = (binds[number + 1 :], where, body)
                yield from self.read(*whole, "count" if plain else self.facet(whole[0], bind.var, rest), env)
            env = {**env, bind.var: self.members(bind.source, env)}
        if where is not None:
            yield from self.walk(where, env)
            for part in where.items if isinstance(where, m.And) else (where,):
                env = self.behind(part, env)
        if body is not None:
            yield from self.walk(body, env)

    def facet(self, name: str, var: str, where: object) -> str:
        """The facet of a zone or field that must be seen to evaluate this for each thing in it."""
        zone = self.zones.get(name) if name not in self.fields else None
        return "back" if zone is not None and self.backs.enough(zone, var, where) else "face"

    def ask(self, query: str, args: tuple[Values | None, ...]) -> Iterator[Secret]:
        """The secrets that a query reads with these arguments."""
        if (query, args) in self.asked:
            return
        self.asked.add((query, args))
        declared = self.queries[query]
        yield from self.walk(declared.body, {slot.name: a for slot, a in zip(declared.params, args, strict=True)})

    def whether(self, e: m.Expr, env: Env) -> Iterator[Secret]:
        """Asking only whether there is something at all."""
        match e:
            case m.FieldGet(_, keys):
                for key in keys:
                    yield from self.walk(key, env)
            case m.Single(inner) | m.First(inner) if (read := _whole(inner)) is not None:
                yield from self.read(*read, "count", env)
            case m.Top(name, keys):
                yield from self.read(name, keys, "count", env)
            case _:
                yield from self.walk(e, env)

    def read(self, name: str, keys: tuple[m.Expr, ...], facet: str, env: Env) -> Iterator[Secret]:
        """A zone or field is read."""
        for key in keys:
            yield from self.walk(key, env)
        zone = name in self.zones and name not in self.fields
        declared: m.Zone | m.Field = self.zones[name] if zone else self.fields[name]
        if isinstance(declared, m.Zone) and facet != "count" and self._may_be_shown(declared):
            return
        enough = _ENOUGH[facet]
        given = dict(zip(declared.binders, (self.values(key, env) for key in keys), strict=True))
        hidden = [player for n, player in enumerate(self.askable) if self._hidden(declared, enough, given, n, player)]
        if hidden:
            others = any(a.facet in enough and a.by not in (None, m.Const(0)) for a in declared.audiences)
            yield Secret(name, zone, "count" if facet == "count" else "face", others, self.label)

    def never_seen(self, declared: m.Zone | m.Field, keys: tuple[m.Expr, ...]) -> bool:
        """True if nobody who may be asked sees the face of it, as far as that is certain."""
        given = dict(zip(declared.binders, (self.values(key, {}) for key in keys), strict=True))
        return all(self._hidden(declared, _ENOUGH["face"], given, n, player) for n, player in enumerate(self.askable))

    def _may_be_shown(self, zone: m.Zone) -> bool:
        """True if some pieces in a zone may be known though its faces are hidden."""
        return zone.faced or self.shown is None or zone.name in self.shown

    def _hidden(
        self, declared: m.Zone | m.Field, enough: tuple[str, ...], given: dict[str, Values | None], n: int, player: int
    ) -> bool:
        """True if a player who is asked certainly does not see one of those that are read."""
        asked = [a.by for a in declared.audiences if a.facet in enough and a.by is not None]
        names = sorted({name for by in asked for name in self.facts.free(by)})
        rows = [given.get(name) for name in names]
        if any(row is None for row in rows):
            return False
        for keys in product(*(sorted(row[n]) for row in rows if row is not None)):
            seers = [_seers(by, dict(zip(names, keys, strict=True)), self.tables, self.players) for by in asked]
            if all(s is not None for s in seers) and not reduce(lambda a, b: a | (b or 0), seers, 0) >> player & 1:
                return True
        return False


def _whole(e: m.Expr) -> tuple[str, tuple[m.Expr, ...]] | None:
    """The zone or field of which an expression is the whole."""
    match e:
        case m.ZoneGet(name, keys) | m.ZoneList(name, keys) | m.FieldGet(name, keys):
            return name, keys
        case m.ToSet(inner) | m.ToList(inner):
            return _whole(inner)
    return None


def _seers(by: m.Expr, keys: dict[str, int], tables: Mapping[str, m.Table], players: int) -> int | None:
    """The set of players an audience is, for these keys; None if it may change during the game."""

    def value(e: m.Expr) -> Any:
        match e:
            case m.Const(number):
                return number
            case m.Var(name):
                return keys.get(name)
            case m.Attr(table, of):
                key = value(of)
                entries = tables[table].values
                return entries[key] if isinstance(key, int) and 0 <= key < len(entries) else None
            case m.Alive("Player"):
                return (1 << players) - 1
            case m.MakeSet(items):
                found = [value(item) for item in items]
                return None if None in found else sum(1 << k for k in set(found) if k >= 0)
            case m.SetOp(op, left, right):
                a, b = value(left), value(right)
                if a is None or b is None:
                    return None
                return {"union": a | b, "inter": a & b, "minus": a & ~b}[op]
        return None

    found = value(by)
    return found if isinstance(found, int) else None


def _shown(program: m.Program) -> frozenset[str] | None:
    """The zones of which something is shown; None if it cannot be told which."""
    found: set[str] = set()
    for function in program.functions:
        for i in function.code:
            if isinstance(i, m.Show):
                zones = {n.zone for n in nodes(i.what) if isinstance(n, m.ZoneGet | m.ZoneList | m.Top)}
                if not zones:
                    return None
                found |= zones
    return frozenset(found)
