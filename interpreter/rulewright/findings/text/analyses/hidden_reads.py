"""Reads of what players do not see, in expressions that belong to a choice of one of them.

For every zone and field that is read and each player who may have to decide, it is determined whether that player sees
it, as far as that is certain: ``hand[p]`` is their own if p decides, ``hand[p.left]`` is not, ``hand[q]`` for q running
over all players is everybody's. Whatever is uncertain (``hand[victim]``, an audience that changes during the game, a
zone of which something is shown) counts as seen: a finding is never a false alarm. Where backs are seen, what they show
is no secret.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from rulewright.findings.text.analyses.declared_visibility import Values
from rulewright.findings.text.analyses.program_index import ProgramIndex
from rulewright.findings.text.analyses.referenced_names import ReferencedNames, names_in, names_in_part
from rulewright.findings.text.analyses.value_origins import (
    makes_otherwise,
)
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.memo import traced_by_node
from rulewright.ir import model as m
from rulewright.ir.declared_sight import Facet, Level
from rulewright.ir.reads import Whole, beside, counted, reads
from rulewright.ir.walk import children, nodes, scoped
from rulewright.knowledge.piece_visibility import is_ordered

Env = Mapping[str, Values | None]


@dataclass(frozen=True, slots=True)
class Secret:
    """A zone or field that is read and not seen."""

    name: str
    zone: bool
    facet: str
    """``count`` or ``face``: what would have to be seen."""
    others: bool
    """True if players see their own."""
    label: str = ""
    """The restriction that reads it; empty: the set that is chosen from, or a condition of an option."""


_Collected = m.Collect | m.Mapped
_SPECIAL = frozenset(
    (
        *(m.Size, m.SetEq, m.Cmp, m.Attr, m.ZoneGet, m.ZoneList, m.FieldGet, m.And, m.Or, m.IfElse, m.LetIn),
        *(m.Fold, m.Collect, m.Mapped, m.Filter, m.Leading, m.Best, m.Sort, m.CallQuery, m.Component, m.After),
    )
)
"""The classes of which something is known: of all others only the parts are looked at."""


ANYONE = m.Local(-1)
"""Stands for the player to act in a function that was called: there another slot holds them."""


def may_reveal(index: ProgramIndex, e: m.Expr) -> bool:
    """True if an expression may read anything of which not everybody sees all."""
    return _reads_hidden(index, names_in(e)) or any(isinstance(n, m.After) for n in nodes(e))


@traced_by_node
def _asks_hidden(query: m.QueryDef, index: ProgramIndex) -> bool:
    """True if a query reads anything, itself or through others, of which not everybody sees all."""
    return _reads_hidden(index, names_in_part(query))


def _reads_hidden(index: ProgramIndex, spoken: ReferencedNames) -> bool:
    """True if anything is read where these words stand, or by what they ask, of which not everybody sees all."""
    visibility = index.visibility()
    if not visibility.public.issuperset(spoken.fields | spoken.zones):
        return True
    queries = (index.query(name) for name in sorted(spoken.asks) if not name.startswith("area "))
    if any(_asks_hidden(query, index) for query in queries if query is not None):
        return True
    return any(_reads_hidden(index, area) for name, area in visibility.spoken_in_areas.items() if name in spoken.asks)


@traced_by_node
def _read_through(
    query: m.QueryDef, index: ProgramIndex, who: m.Expr, args: tuple[Values | None, ...], kind: type[Reading]
) -> tuple[Secret, ...]:
    """The secrets that a query reads with these arguments: found once for all equal arguments, and for those (`kind`)
    who must see it."""
    reading = kind(index, who)
    return reading.secrets((query.body,), {p.name: a for p, a in zip(query.params, args, strict=True)})


def _mentioned(index: ProgramIndex, e: m.Expr) -> frozenset[str]:
    """The fields and zones that an expression mentions, itself or through queries."""
    spoken = names_in(e)
    found, queries = set(spoken.fields | spoken.zones | spoken.inside), sorted(spoken.asks)
    seen = set(queries)
    for name in queries:  # which grows meanwhile
        query = index.query(name)
        if query is not None:
            spoken = names_in_part(query)
            found |= spoken.fields | spoken.zones | spoken.inside
            queries += sorted(spoken.asks - seen)
            seen |= spoken.asks
    return frozenset(found)


class Reading:
    """A walk over expressions that belong to a choice of one player."""

    def __init__(self, index: ProgramIndex, who: m.Expr, given: Mapping[m.Expr, Values] | None = None) -> None:
        """`given`: what is known of slots, in a function that was called for the choice."""
        self.index, self.visibility, self.who = index, index.visibility(), who
        visibility = self.visibility
        self.all = frozenset(range(visibility.players))
        self.askable = (who.value,) if isinstance(who, m.Const) else tuple(range(visibility.players))
        self.given = given or {}
        self.found: dict[Secret, None] = {}

    def inside(self, args: Sequence[m.Expr], env: Env) -> Reading:
        """The walk over a function that is called with these."""
        values = {m.Local(number): self.values(arg, env) for number, arg in enumerate(args)}
        who = self.who if isinstance(self.who, m.Const) else ANYONE
        return type(self)(self.index, who, {slot: found for slot, found in values.items() if found is not None})

    # ------------------------------------------------------------------------------------------ values

    def values(self, e: m.Expr, env: Env) -> Values | None:
        """The values of an expression for each player who may have to decide; None if that is not certain."""
        if e == self.who:
            return tuple(frozenset((p,)) for p in self.askable)
        if e in self.given:
            return self.given[e]
        match e:
            case m.Const(value):
                return (frozenset((value,)),) * len(self.askable)
            case m.Var(name):
                return env.get(name)
            case m.Attr(table) if (keys := self.values(e.of, env)) is not None:
                entries = self.visibility.tables[table].values
                if all(0 <= k < len(entries) and isinstance(entries[k], int) for row in keys for k in row):
                    return tuple(frozenset(v for k in row if isinstance(v := entries[k], int)) for row in keys)
        return None

    def members(self, source: m.Expr, env: Env) -> Values | None:
        """The values of a binder over a set, for each player who may have to decide."""
        match source:
            case m.Alive("Player"):
                return (self.all,) * len(self.askable)
            case m.Const(value) if value == (1 << self.visibility.players) - 1:
                return (self.all,) * len(self.askable)
            case m.Filter() if self._others(source.where, source.var):
                rows = self.members(source.source, env)
                own = self.values(self.who, env)
                return None if rows is None or own is None else tuple(a - b for a, b in zip(rows, own, strict=True))
            case m.ClockwiseFrom():
                return (self.all,) * len(self.askable)
            case _:
                return None

    def _others(self, e: m.Expr, var: str) -> bool:
        """True if a condition is just that a binder is not the player to act."""
        match e:
            case (m.Cmp("ne") as unlike) | m.Not(m.Cmp("eq") as unlike):
                return (unlike.left, unlike.right) in ((m.Var(var), self.who), (self.who, m.Var(var)))
            case _:
                return False

    # ------------------------------------------------------------------------------------------ the walk

    def secrets(self, parts: Iterable[m.Expr], env: Env) -> tuple[Secret, ...]:
        """The secrets that expressions read, each once."""
        outer, self.found = self.found, {}
        for part in parts:
            self.walk(part, env)
        inner, self.found = self.found, outer
        return tuple(inner)

    def walk(self, e: m.Expr, env: Env) -> None:
        """Find the secrets that an expression reads."""
        if type(e) not in _SPECIAL:
            for child in children(e):
                self.walk(child, env)
            return
        if self._less(e, env):
            return
        match e:
            case m.And(items) | m.Or(items):
                for item in items:
                    self.walk(item, env)
                    if item == m.Const(isinstance(e, m.Or)):
                        return
                    env = self.behind(item, env)
            case m.IfElse():
                self.walk(e.condition, env)
                env = self.behind(e.condition, env)
                if e.condition != m.Const(0):
                    self.walk(e.then, env)
                if e.condition != m.Const(1):
                    self.walk(e.otherwise, env)
            case m.Fold():
                self.fold(e, env)
            case _ if isinstance(e, Whole):
                self.read(reads(e)[0].name, e.index, "face", env)
            case _:
                values = self.values if isinstance(e, m.LetIn) else self.members
                for part, bound in scoped(e):
                    self.walk(
                        part, {**env, **{var: None if of is None else values(of, env) for var, of in bound.items()}}
                    )
                self.through(e, env)

    def _less(self, e: m.Expr, env: Env) -> bool:
        """Read what an expression looks at, if that is less than the faces of all that lies in a zone."""
        inner = None if isinstance(e, m.Fold) else counted(e)
        match e:
            case _ if (read := _whole(inner)) is not None:
                self.read(*read, "count", env)
            case _ if isinstance(inner, m.Filter) and _whole(inner.source) is not None:
                self.fold(m.Fold("count", (m.Bound(inner.var, inner.source, False),), inner.where, None), env)
            case m.Cmp(nothing=True) if isinstance(operand := beside(e, m.NONE), m.FieldGet):
                for key in operand.index:
                    self.walk(key, env)
            case m.Attr(table, m.First() | m.Item() as one):
                stack, *at = children(one)
                if not isinstance(stack, m.ZoneList):
                    return False
                if not self.visibility.backs.shows(self.visibility.zones[stack.zone], table):
                    return False
                self.read(stack.zone, stack.index, "back", env)
                for part in at:
                    self.walk(part, env)
            case _ if isinstance(e, _Collected) and (read := _whole(e.source)) is not None:
                self.read(*read, self.facet(read[0], e.var, e.element), env)
                self.walk(e.element, {**env, e.var: self.members(e.source, env)})
            case _:
                return False
        return True

    def through(self, e: m.Expr, env: Env) -> None:
        """Read what is read by all that an expression asks."""
        match e:
            case m.CallQuery(query, args) if (declared := self.index.query(query)) is not None:
                self.ask(declared, tuple(self.values(arg, env) for arg in args))
            case m.After(function, args, of):
                self.after(function, self.inside(args, env), of)
            case m.Component(area):
                self.walk(self.visibility.areas[area].across, {})
            case _:
                pass  # it reads by itself

    def after(self, name: str, inner: Reading, of: m.Expr) -> None:
        """Read all that decides what an effect changes of that which is read after it."""
        function = self.index.function(name)
        if function is not None:
            changed = _mentioned(self.index, of)
            self.found.update(dict.fromkeys(inner.secrets(makes_otherwise(function, changed), {})))

    def behind(self, condition: m.Expr, env: Env) -> Env:
        """The certainties after a condition: a binder that it mentions need not take all its values any more."""
        if not env:
            return env
        own = self.values(self.who, {})
        found: dict[str, Values | None] = dict(env)
        for name in self.index.facts.free(condition):
            rows = env.get(name)
            if rows is None or all(len(row) == 1 for row in rows):
                continue
            keeps = self._others(condition, name) and own is not None
            found[name] = tuple(a - b for a, b in zip(rows, own or (), strict=True)) if keeps else None
        return found

    def fold(self, e: m.Fold, env: Env) -> None:
        """Counting and the like; to count all pieces in a zone its count is enough, or their backs."""
        where, body = e.where, e.body
        plain = e.kind in ("count", "some", "no") and where is None and body is None
        for number, bind in enumerate(e.binds):
            source, filters = _unfiltered(bind.source)
            whole = _whole(source)
            if whole is None:
                self.walk(bind.source, env)
            else:
                rest = (e.binds[number + 1 :], where, body)
                facet = "count" if plain else self.facet(whole[0], bind.var, rest)
                facets = {facet, *(self.placed(whole[0], one.var, one.where) for one in filters)}
                self.read(*whole, _most(facets), env)
                for one in filters:
                    self.walk(one.where, env)
            env = {**env, bind.var: self.members(bind.source, env)}
        if where is not None:
            self.walk(where, env)
            for part in where.items if isinstance(where, m.And) else (where,):
                env = self.behind(part, env)
        if body is not None:
            self.walk(body, env)

    def facet(self, name: str, var: str, where: object) -> Facet:
        """The facet of a zone or field that must be seen for a condition on each thing in it."""
        declared = self.visibility.declared(name)
        return self.visibility.backs.facet(declared, var, where) if isinstance(declared, m.Zone) else "face"

    def offered(self, i: m.Choose) -> tuple[Secret, ...]:
        """The secrets that the set of options reveals. Pieces in a row or stack are offered by the places in which they
        lie, with their backs: more is revealed only by the conditions on them."""
        assert i.source is not None
        restricted = tuple((r.condition, *(x.condition for x in r.unless)) for r in i.restrictions)
        source, filters = _unfiltered(i.source)
        place = _in_places(source)
        if place is None or not _is_ordered(self.visibility.declared(place[0])):
            return self.secrets((i.source,), {})
        name, keys = place
        outer, self.found = self.found, {}
        parts = [(i.var, (i.where, restricted)), *((one.var, one.where) for one in filters)]
        self.read(name, keys, _most({self.placed(name, var, where) for var, where in parts}), {})
        for one in filters:
            self.walk(one.where, {})
        inner, self.found = self.found, outer
        return tuple(inner)

    def placed(self, name: str, var: str, where: object) -> Facet:
        """The facet that must be seen of a row or stack for a condition on what lies in its places."""
        return self.facet(name, var, where) if any(n == m.Var(var) for n in nodes(where)) else "count"

    def ask(self, query: m.QueryDef, args: tuple[Values | None, ...]) -> None:
        """Read all that a query reads with these arguments."""
        if _asks_hidden(query, self.index):
            self.found.update(dict.fromkeys(_read_through(query, self.index, self.who, args, type(self))))

    def read(self, name: str, keys: tuple[m.Expr, ...], facet: Facet, env: Env) -> None:
        """A zone or field is read."""
        for key in keys:
            self.walk(key, env)
        if name in self.visibility.public:
            return
        declared = self.visibility.declared(name)
        zone = isinstance(declared, m.Zone)
        if isinstance(declared, m.Zone) and self.visibility.may_be_shown(declared, facet):
            return
        given = dict(zip(declared.binders, (self.values(key, env) for key in keys), strict=True))
        if self.is_hidden(declared, facet, given):
            others = not self.visibility.sight.levels(declared, facet) <= {Level.NO_PLAYER}
            self.found[Secret(name, zone, "count" if facet == "count" else "face", others)] = None

    def is_hidden(self, declared: m.Field | m.Zone, facet: Facet, given: Mapping[str, Values | None]) -> bool:
        """True if a player who must see what is read certainly does not see it."""
        return any(
            self.visibility.hidden(declared, facet, given, n, viewer)
            for n, player in enumerate(self.askable)
            for viewer in self.viewers(player)
        )

    def viewers(self, player: int) -> Iterable[int]:
        """The players who must see what is read, where this one decides."""
        return (player,)

    def never_seen(self, name: str, keys: tuple[m.Expr, ...]) -> bool:
        """True if no player who may have to decide sees the face of a zone or field, as far as that is certain."""
        declared = self.visibility.declared(name)
        given = dict(zip(declared.binders, (self.values(key, {}) for key in keys), strict=True))
        return all(self.visibility.hidden(declared, "face", given, n, player) for n, player in enumerate(self.askable))


class OthersReading(Reading):
    """The reading for what the others do not see."""

    def viewers(self, player: int) -> Iterable[int]:
        """All others."""
        return self.all - {player}


class PublicReading(Reading):
    """The reading for what some player does not see: of whomever something is read that only they see, all others do
    not."""

    def is_hidden(self, declared: m.Field | m.Zone, facet: Facet, given: Mapping[str, Values | None]) -> bool:
        """True if some player certainly does not see it, whatever the one key is that is not known."""
        unknown = [name for name, values in given.items() if values is None]
        if len(unknown) != 1:
            return super().is_hidden(declared, facet, given)
        rows = [(frozenset((player,)),) * len(self.askable) for player in sorted(self.all)]
        return all(super(PublicReading, self).is_hidden(declared, facet, {**given, unknown[0]: row}) for row in rows)

    def viewers(self, player: int) -> Iterable[int]:
        """All players."""
        return self.all


def _unfiltered(e: m.Expr) -> tuple[m.Expr, tuple[m.Filter, ...]]:
    """A set without the conditions that take from it, and these."""
    filters: list[m.Filter] = []
    while isinstance(e, m.Filter):
        filters.append(e)
        e = e.source
    return e, tuple(filters)


def _most(facets: Collection[Facet]) -> Facet:
    """The facet that shows all that some facets show."""
    return "face" if "face" in facets else "back" if "back" in facets else "count"


def _is_ordered(declared: m.Zone | m.Field) -> bool:
    return isinstance(declared, m.Zone) and is_ordered(declared)


def _in_places(e: m.Expr) -> tuple[str, tuple[m.Expr, ...]] | None:
    """The zone out of which pieces come that are identified by their places: all of it, the first of it, one place of
    it."""
    if isinstance(e, m.MakeSet | m.MakeList) and len(e.items) == 1:
        return _in_places(e.items[0])
    if isinstance(e, m.Top):
        return e.zone, e.index
    return _whole(next(children(e)) if isinstance(e, m.First | m.Single | m.Item) else e)


def _whole(e: m.Expr | None) -> tuple[str, tuple[m.Expr, ...]] | None:
    """The zone or field of which an expression is the whole."""
    while isinstance(e, m.ToSet | m.ToList):
        e = e.of
    return (reads(e)[0].name, e.index) if isinstance(e, Whole) else None
