"""Checks of what is decided at once: nothing of it is seen by others, or depends on what they decide, before all have.

A turn may change only what belongs to the deciding player: values of fields, and zones, that stand under their key and
that no other player sees. And of what the turns change each reads only its own. Then the turns can be taken in any
order, and the result is always the same (M. C. Rinard and P. C. Diniz, *Commutativity Analysis*, ACM TOPLAS 19(6),
1997, find such operations in the same way). Anybody may be rewarded: payments are added up, and no rule reads them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import assert_never

from rulewright.compiler.lowering.function_builder import FunctionBuilder, Mark, RunTriggers, TurnSource
from rulewright.compiler.lowering.lowering_context import LoweringContext
from rulewright.diagnostics import Span
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.reachability import reachable
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import successors
from rulewright.ir.dataflow.effects import EffectAnalysis
from rulewright.ir.declared_sight import DeclaredSight
from rulewright.ir.facts import Kind, Zoned, from_origins
from rulewright.ir.set_operations import all_have, all_hold
from rulewright.ir.walk import allowed, conjuncts, nodes

LATER = (
    "write it behind the choices, not under a `then`, `else` or `option` of one: what comes after the last of them is "
    "done when all have decided"
)
KEYED = "with who decides as a key, and `seen by` them, it is theirs: `{0}[p: Player, …]`; or "

OTHERS = "somebody else is asked here before all have decided"
ASKER = "asker"
"""The token of who decides, where that hangs on the one in turn but may be another player."""

_FORBIDDEN = (
    m.Chance, m.Show, m.Tell, m.Eliminate, m.FinishWin, m.FinishRank, m.Merge, m.SwapItems, m.Flip,
)  # fmt: skip
_HARMLESS = (
    m.SetLocal, m.Append, m.Jump, m.JumpUnless, m.Return, m.Fail, m.Fired, m.Observe, m.Turn,
)  # fmt: skip
_EMPTY = (m.Const(0), m.Const(m.NONE), m.ListConst(()))
_SOMETHING = m.Fault("bounds", "", None, m.INT)
_PLACES = (m.PlaceOf, m.SlotOf, m.InZone, m.SideOf)


Item = m.Instr | Mark | RunTriggers
Link = tuple[type[m.Expr], str]
"""A field or attribute with one key that names the one to whom something belongs."""


@dataclass(frozen=True, slots=True)
class Own:
    """All that a function knows to belong to the one in turn: slots that hold them, and slots that hold pieces out of
    zones of theirs."""

    who: frozenset[int] = frozenset()
    pieces: frozenset[int] = frozenset()
    names: frozenset[str] = frozenset()
    """Parameters of a query that hold them."""
    owned: frozenset[tuple[int, Link]] = frozenset()
    """Slots of which all that they hold belongs to them, and by what."""


@dataclass(frozen=True, slots=True)
class Access:
    """A read or write of a turn."""

    token: str
    """A field or zone, as `EffectAnalysis` names it; empty if it is neither."""
    changes: bool
    own: bool
    """True if it is only that of the one in turn."""
    why: str = ""
    """The reason why it is wrong in any case."""


class TurnChecks:
    """Looks whether the turns of a game are independent."""

    def __init__(
        self,
        codes: Mapping[str, FunctionBuilder],
        queries: Mapping[str, m.QueryDef],
        areas: Iterable[m.AreaMap],
        fields: Iterable[m.Field],
        zones: Sequence[m.Zone],
        settling: Sequence[tuple[str, m.Expr, m.Expr]],
        depend: EffectAnalysis,
        context: LoweringContext,
    ) -> None:
        self._codes, self._queries, self._context = codes, queries, context
        self._areas = {a.name: a.across for a in areas}
        self._declared: dict[str, m.Field | m.Zone] = {f"field {f.name}": f for f in fields}
        self._declared |= {f"zone {z.name}": z for z in zones}
        self._sight = DeclaredSight(context.world.player_count)
        self._givers = [f"zone {z.name}" for z in zones if z.index and not z.faced and self._sight.owner_alone(z)]
        """The zones out of which the pieces may come that are moved: those that one player alone sees."""
        self._follows = {name: depend.reads(reads) for name, _, reads in settling}
        self._known: dict[tuple[str, Own], tuple[Access, ...]] = {}

    def report(self) -> None:
        """Report what of a turn is seen by others or hangs on them, each statement once."""
        for code in self._codes.values():
            for source in code.turns:
                self._turn(code, source)

    def _turn(self, code: FunctionBuilder, source: TurnSource) -> None:
        items = [None if isinstance(i, Mark | RunTriggers) else i for i in code.items[source.begin : source.end]]
        own = self._owned(code.items[source.begin : source.end], code.slots, Own(frozenset((source.turn.one,))))
        found = [(source.begin + at, one) for at, i in enumerate(items) if i is not None for one in self._of(i, own)]
        changed = {one.token for _, one in found if one.changes}
        reported: set[Span] = set()
        for at, access in found:
            message = self._wrong(access, changed)
            span = source.span(at)
            if message and span not in reported:
                reported.add(span)
                shared = access.changes and access.token and not access.own and not access.why
                keyed = KEYED.format(access.token.partition(" ")[2]) if shared else ""
                self._context.error("CHO306", message, span, hint=keyed + LATER)

    def _wrong(self, access: Access, changed: set[str]) -> str:
        name = access.token.partition(" ")[2]
        if access.why:
            return access.why
        if access.changes:
            if not access.own:
                return f"none of the keys of `{name}` is who decides here: others may change the same one at once"
            follows = next((one for one, reads in self._follows.items() if access.token in reads), None)
            if follows is not None:
                return f"`{follows}` may follow from this before all have decided"
        elif access.token == ASKER:
            return OTHERS if changed else ""
        elif access.token in changed and not access.own:
            return f"others may just be deciding about `{name}`, which is read here"
        return ""

    # ---------------------------------------------------------------------------------------- accesses

    def _function(self, name: str, own: Own) -> tuple[Access, ...]:
        key = (name, own)
        if key not in self._known:
            self._known[key] = ()  # a cycle adds nothing
            code = self._codes.get(name)
            if code is not None:
                items = [i for i in code.items if not isinstance(i, Mark | RunTriggers)]
                owned = self._owned(code.items, code.slots, own)
                self._known[key] = tuple(dict.fromkeys(one for i in items for one in self._of(i, owned)))
        return self._known[key]

    def _of(self, i: m.Instr, own: Own) -> Iterator[Access]:
        """All that an instruction reads and changes, with whatever it calls."""
        yield from self._reads(i, own)
        match i:
            case m.SetField(m.PAID):
                pass  # sums are the same in any order
            case m.SetField(field, index):
                yield self._change(f"field {field}", index, own)
            case m.Reset(fields):
                yield from (self._change(f"field {field}", (), own) for field in fields)
            case m.Move(what, _, zone, index):
                yield self._change(f"zone {zone}", index, own)
                if not self._pieces(what, own):
                    yield Access("", True, False, "this may be taken from where others see it, or take it, too")
                yield from (Access(token, True, True) for token in self._givers)
                yield Access("where", True, True)
            case m.Choose(who=who):
                # The leaders of armies may be any player, as long as no player sees what another one has written.
                if not self._is_own(who, own):
                    yield Access(ASKER if _about(who, own) else "", False, False, "" if _about(who, own) else OTHERS)
            case m.Call(function, args):
                mine = frozenset(n for n, arg in enumerate(args) if self._is_own(arg, own))
                pieces = frozenset(n for n, arg in enumerate(args) if self._pieces(arg, own))
                owned = frozenset((n, link) for n, arg in enumerate(args) for link in self._links(arg, own))
                yield from self._function(function, Own(mine, pieces, owned=owned))
            case _ if isinstance(i, _FORBIDDEN):
                yield Access("", True, False, "others see this before all have decided, or it changes what they meet")
            case _ if isinstance(i, _HARMLESS):
                pass  # it changes nothing but the frame
            case _:
                assert_never(i)

    def _change(self, token: str, index: tuple[m.Expr, ...], own: Own) -> Access:
        declared = self._declared.get(token)
        decides = (m.FieldGet, token.partition(" ")[2]) in {link for _, link in own.owned}
        mine = not decides and any(self._is_key(key, own) for key in index)
        if declared is None or (mine and self._hidden(declared, index, own)):
            return Access(token, True, mine)
        name = token.partition(" ")[2]
        if not mine:
            return Access(token, True, False)
        return Access(token, True, True, f"others see something of `{name}` before all have decided")

    def _hidden(self, declared: m.Field | m.Zone, index: tuple[m.Expr, ...], own: Own) -> bool:
        """True if only the player in turn sees anything of it."""
        if isinstance(declared, m.Zone) and declared.faced:
            return False
        keys = tuple(zip(declared.binders, index, declared.index, strict=True))
        mine = [binder for binder, key, universe in keys if universe == "Player" and self._is_own(key, own)]
        theirs = [(binder, link) for binder, key, _ in keys for link in self._links(key, own)]
        seen = tuple(one for one in declared.audiences if not _is_owner(one.by, theirs))
        return self._sight.owner_alone(replace(declared, audiences=seen), tuple(mine))

    def _reads(self, of: object, own: Own) -> Iterator[Access]:
        for node in nodes(of):
            match node:
                case m.FieldGet(field, index) if field != m.PAID:
                    yield Access(f"field {field}", False, any(self._is_key(key, own) for key in index))
                case _ if isinstance(node, Zoned):
                    yield Access(f"zone {node.zone}", False, any(self._is_key(key, own) for key in node.index))
                case m.Fingerprint(fields, zones):
                    yield from (Access(f"field {name}", False, False) for name in fields)
                    yield from (Access(f"zone {name}", False, False) for name in zones)
                case m.CallQuery(query, args):
                    yield from self._query(query, args, own)
                case m.After(function):
                    yield from (Access(one.token, False, False) for one in self._function(function, Own()) if one.token)
                case m.Component(area) if area in self._areas:
                    yield from self._area(area)
                case _ if isinstance(node, _PLACES):
                    yield Access("where", False, self._pieces(node.piece, own))
                case _:
                    pass  # expressions that read nothing which another player may just be changing

    def _query(self, name: str, args: tuple[m.Expr, ...], own: Own) -> Iterator[Access]:
        query = self._queries.get(name)
        if query is None:
            return
        mine = frozenset(param.name for param, arg in zip(query.params, args, strict=True) if self._is_own(arg, own))
        inside = Own(names=mine)
        key = (f"query {name}", inside)
        if key not in self._known:
            self._known[key] = ()
            self._known[key] = tuple(dict.fromkeys(self._reads(query.body, inside)))
        yield from self._known[key]

    def _area(self, name: str) -> Iterator[Access]:
        key = (f"area {name}", Own())
        if key not in self._known:
            self._known[key] = ()
            self._known[key] = tuple(dict.fromkeys(self._reads(self._areas[name], Own())))
        yield from self._known[key]

    # ---------------------------------------------------------------------------------------- whose it is

    def _is_own(self, e: m.Expr, own: Own) -> bool:
        """True if an expression is the one in turn, or a piece out of a zone of theirs."""
        match e:
            case m.Local(slot):
                return slot in own.who or slot in own.pieces
            case m.Var(name):
                return name in own.names
            case m.Canon(of=of):
                return self._is_own(of, own)
            case _:
                return False

    def _is_key(self, e: m.Expr, own: Own) -> bool:
        """True if no other one in turn has this key: it is them, or belongs to them by what stays unchanged while it is
        read in the turn."""
        return self._is_own(e, own) or bool(self._links(e, own))

    def _links(self, e: m.Expr, own: Own) -> frozenset[Link]:
        """The fields and attributes by which all that an expression holds belongs to the one in turn."""

        def links(e: m.Expr, _kind: Kind) -> frozenset[Link]:
            match e:
                case m.Local(slot):
                    return frozenset(link for one, link in own.owned if one == slot)
                case m.Canon(of=of):
                    return self._links(of, own)
                case _:
                    return frozenset()

        def kept(e: m.Expr, known: frozenset[Link]) -> frozenset[Link]:
            return known | self._owners(e.where, m.Var(e.var), own) if isinstance(e, m.Filter) else known

        return from_origins(e, links, all_hold, part=kept)

    def _owners(self, condition: m.Expr, of: m.Expr, own: Own) -> frozenset[Link]:
        """The fields and attributes of a candidate that a condition compares with the one in turn."""
        found = set[Link]()
        for part in conjuncts(condition):
            if isinstance(part, m.Cmp) and part.op == "eq":
                for e, who in ((part.left, part.right), (part.right, part.left)):
                    link = _link(e, of)
                    found |= {link} if link is not None and self._is_own(who, own) else set()
        return frozenset(found)

    def _pieces(self, e: m.Expr, own: Own) -> bool:
        """True if an expression holds nothing but pieces out of zones that only the one in turn sees."""

        def hidden(e: m.Expr, kind: Kind) -> bool:
            match e:
                case m.Local(slot):
                    return slot in own.pieces
                case m.Const(m.NONE) | m.ListConst(()):
                    return True
                case m.Const(0):
                    return kind != "entity"
                case _ if isinstance(e, Zoned):
                    mine = any(self._is_own(key, own) for key in e.index)
                    return mine and self._hidden(self._declared[f"zone {e.zone}"], e.index, own)
                case _:
                    return False

        return from_origins(e, hidden, all_have)

    def _owned(self, items: Sequence[Item], slots: Sequence[m.Slot], own: Own) -> Own:
        """The slots that hold only the one in turn, or pieces of theirs, whatever way the code takes."""
        given: dict[int, list[tuple[m.Expr, bool]]] = {}
        for i in items:
            if not isinstance(i, m.Stores):
                continue
            match i:
                case m.SetLocal(slot, value) | m.Append(slot, value):
                    given.setdefault(slot, []).append((value, False))
                case m.Choose(source=source, into=into):
                    holds = (*(() if i.where is None else (i.where,)), *allowed(i.restrictions))
                    offered = m.Filter(source or m.Const(0), i.var, m.And(holds))
                    given.setdefault(into, []).append((offered, True))
                case m.Chance(into=slot):
                    given.setdefault(slot, []).append((_SOMETHING, True))
                case m.Call(into=into, shared=shared):
                    for slot in (*shared, *(() if into is None else (into,))):
                        given.setdefault(slot, []).append((_SOMETHING, True))
                case _:
                    assert_never(i)
        who = {slot for slot in own.who | given.keys() if _all_local(given.get(slot, []), own.who)}
        pieces = {slot for slot in own.pieces | given.keys() if slots[slot].ty.universe == "Piece"}
        while True:
            here = Own(frozenset(who), frozenset(pieces), own.names)
            kept = {slot for slot in pieces if all(self._pieces(value, here) for value, _ in given.get(slot, []))}
            if kept == pieces:
                return self._with_owned(here, given, own, items)
            pieces = kept

    def _with_owned(
        self, here: Own, given: Mapping[int, list[tuple[m.Expr, bool]]], own: Own, items: Sequence[Item]
    ) -> Own:
        """The ownership facts with the slots that hold only what belongs to the player in turn."""
        values = {slot: [e for e, _ in several if e not in _EMPTY] for slot, several in given.items()}
        filters = (n for several in values.values() for e in several for n in nodes(e) if isinstance(n, m.Filter))
        links = {link for one in filters for link in self._owners(one.where, m.Var(one.var), here)}
        guarded = {slot: self._owners(condition, m.Local(slot), here) for slot, condition in _guards(items).items()}
        links.update(*guarded.values())
        owned = own.owned | {(slot, link) for slot, several in values.items() if several for link in links}
        while True:
            here = replace(here, owned=owned)
            kept = {
                (slot, link)
                for slot, link in owned
                if link in guarded.get(slot, ()) or all(link in self._links(e, here) for e in values.get(slot, ()))
            }
            if kept == owned:
                return here
            owned = frozenset(kept)


def _guards(items: Sequence[Item]) -> dict[int, m.Expr]:
    """The conditions that hold of the members of loops wherever these are read, by their slots."""
    labels = {one.label: at for at, one in enumerate(items) if isinstance(one, Mark)}

    def after(at: int) -> list[int]:
        i = items[at]
        ways = (at + 1,) if isinstance(i, Mark | RunTriggers) else successors(i, at)
        return [to for way in ways if 0 <= (to := labels.get(way, way)) < len(items)]

    found: dict[int, m.Expr] = {}
    for at, i in enumerate(items):
        if not (isinstance(i, m.SetLocal) and isinstance(i.value, m.Item | m.First)):
            continue
        taken = at + 1 < len(items) and isinstance(items[at + 1], m.SetLocal)  # out of what is still to come
        guard = items[at + 1 + taken] if at + 1 + taken < len(items) else None
        if isinstance(guard, m.JumpUnless) and guard.to in labels:

            def going(one: int, loop: int = at) -> Iterable[int]:
                return after(one) if one != loop else ()

            others = [items[one] for one in reachable((labels[guard.to],), going) if one != at]
            if not any(node == m.Local(i.slot) for other in others for node in nodes(other)):
                found[i.slot] = guard.condition
    return found


def _link(e: m.Expr | None, of: m.Expr) -> Link | None:
    """The field or attribute that is read of something."""
    match e:
        case m.FieldGet(name, (key,)) | m.Attr(name, key) if key == of:
            return type(e), name
        case _:
            return None


def _is_owner(by: m.Expr | None, theirs: Iterable[tuple[str, Link]]) -> bool:
    """True if an audience is only the player to whom a key belongs."""
    return (
        isinstance(by, m.MakeSet) and len(by.items) == 1 and any(_link(by.items[0], m.Var(b)) == k for b, k in theirs)
    )


def _all_local(values: list[tuple[m.Expr, bool]], who: frozenset[int]) -> bool:
    return all(not chosen and isinstance(value, m.Local) and value.slot in who for value, chosen in values)


def _about(who: m.Expr, own: Own) -> bool:
    """True if who decides hangs on the one in turn: the leader of an army."""
    return any(isinstance(node, m.Local) and node.slot in own.who for node in nodes(who))
