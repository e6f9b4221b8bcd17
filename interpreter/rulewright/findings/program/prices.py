"""Analyses of prices: required and not paid, paid by another player, in another amount, or never spent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rulewright.findings.program.facts.examined_program import ExaminedProgram, disjuncts
from rulewright.findings.program.facts.option_code import options_of
from rulewright.findings.program.facts.thresholds import required_members
from rulewright.findings.suspects import Suspect
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import reads_slot
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

# --------------------------------------------------------------------------------------------------------- unpaid price
# EXM101: a required price that is not paid, or paid by another player.


@dataclass(frozen=True, slots=True)
class Price:
    """An amount of a field that a player must have: of which player, and how much if that is a number."""

    resource: str
    whose: m.Expr
    amount: int | None


@dataclass(frozen=True, slots=True)
class RequiredPrice:
    """A restriction of a function that asks for a price; paid is what is taken by what it guards, or behind it."""

    function: str
    label: str
    price: Price
    paid: bool
    by_another: bool
    """True if the price is taken from another player, not from the player to act."""


def unpaid_prices(examined: ExaminedProgram) -> Iterator[Suspect]:
    """An option is refused to a player with too little of something, and does not take it from them.

    Only of what is a currency: elsewhere an option that asks for it takes it. That something must be there which
    stays, a strength or a rank, is no price.
    """
    guarded = required_prices(examined)
    currencies = {one.price.resource for one in guarded if one.paid}
    for one in guarded:
        name = one.price.resource
        if not one.paid and name in currencies:
            what = "it is taken from another player" if one.by_another else "nothing of it is ever taken here"
            yield Suspect(
                "EXM101",
                one.function,
                one.label,
                f"`{one.label}` asks for `{name}`, but {what}",
                f"take it where it is asked for: `{name}[…] -= …`",
                rule=one.label,
            )


def required_prices(examined: ExaminedProgram) -> list[RequiredPrice]:
    """The restrictions of a program that ask for a price."""
    return [one for f in examined.functions.values() for one in _guarded(examined, f)]


def _guarded(examined: ExaminedProgram, function: m.Function) -> Iterator[RequiredPrice]:
    code = function.code
    for pc, i in enumerate(code):
        if isinstance(i, m.Choose):
            yield from _required(examined, function, i.restrictions, _done_with(examined, code, pc, i))
    for option in options_of(function):
        yield from _required(examined, function, option.extra.restrictions, (*option.own, *option.behind))


def _done_with(examined: ExaminedProgram, code: tuple[m.Instr, ...], pc: int, i: m.Choose) -> tuple[m.Instr, ...]:
    """The instructions that are carried out with an answer; of a question that may be left alone those that are not
    carried out without one, if there are any, and not the consequences of them."""
    without = {extra.to for extra in i.extras} | ({i.on_empty} if i.on_empty is not None else set())
    ends = min(without) if len(without) == 1 else None
    statements = [
        one
        for one in (code[pc + 1 : ends] if ends is not None else ())
        if not isinstance(one, m.Jump | m.Fired)
        and not (isinstance(one, m.Call) and examined.functions[one.function].word == "system")
    ]
    return tuple(statements) or code[pc + 1 :]


def _required(
    examined: ExaminedProgram, function: m.Function, restrictions: tuple[m.Restriction, ...], code: tuple[m.Instr, ...]
) -> Iterator[RequiredPrice]:
    for restriction in restrictions:
        for part in disjuncts(restriction.condition):
            if not restriction.unless and (price := _price(examined, part)) is not None:
                takings = [one for one in _takings(examined, code, price.resource) if not _own_price(one, price)]
                paid = any(not _of_another(one.whose, price.whose) for one in takings)
                yield RequiredPrice(function.name, restriction.label, price, paid, bool(takings))


def _price(examined: ExaminedProgram, e: m.Expr) -> Price | None:
    """The price of which there is too little if a condition holds."""
    match e:
        case m.Cmp("lt" | "le" as op, m.FieldGet(name, (whose,)), amount):
            least = op == "le"
        case m.Cmp("gt" | "ge" as op, amount, m.FieldGet(name, (whose,))):
            least = op == "ge"
        case _:
            return None
    known = examined.fields[name]
    if known.ty.kind != "int" or known.index[0] != "Player":
        return None
    return Price(name, whose, amount.value + least if isinstance(amount, m.Const) else None)


@dataclass(frozen=True, slots=True)
class _Taking:
    """An instruction that may leave less of a field than there was."""

    whose: m.Expr | None
    """The player, in words of the outermost function; None if that is not known."""
    amount: int | None
    required: bool
    """True if it stands in a function that requires the price itself."""


def _takings(
    examined: ExaminedProgram,
    code: tuple[m.Instr, ...],
    resource: str,
    given: Mapping[int, m.Expr | None] | None = None,
    required: bool = False,
    seen: set[object] | None = None,
) -> Iterator[_Taking]:
    """Takings of some instructions and all functions that they call; `given` are the parameters of the function."""
    seen = set() if seen is None else seen
    for i in code:
        match i:
            case m.SetField(name, index, value) if name == resource:
                whose = _outside(index[0], given) if index else None
                match value:
                    case m.Arith("add", m.FieldGet(read), amount) if read == resource:
                        if any(isinstance(node, m.Arith) and node.op == "sub" for node in nodes(amount)):
                            yield _Taking(whose, None, required)
                    case m.Arith("sub", m.FieldGet(read), m.Const(amount)) if read == resource:
                        yield _Taking(whose, amount, required)
                    case _:
                        yield _Taking(whose, None, required)
            case m.Reset(names) if resource in names:
                yield _Taking(None, None, required)
            case m.Call(name, args):
                inner = {n: _outside(arg, given) for n, arg in enumerate(args)}
                called = examined.functions[name]
                asks = required or _asks(called, resource)
                if (once := (name, tuple(inner.values()), asks)) not in seen:
                    seen.add(once)
                    yield from _takings(examined, called.code, resource, inner, asks, seen)
            case _:
                pass


def _outside(e: m.Expr, given: Mapping[int, m.Expr | None] | None) -> m.Expr | None:
    """An expression of a function in words of the one that was called first; None if it has locals of its own."""
    if given is None:
        return e
    match e:
        case m.Local(slot):
            return given.get(slot)
        case m.Attr(table, of):
            inner = _outside(of, given)
            return None if inner is None else m.Attr(table, inner)
        case _:
            return None if any(isinstance(node, m.Local) for node in nodes(e)) else e


def _asks(function: m.Function, resource: str) -> bool:
    """True if a function refuses an answer because of a field."""
    return any(
        isinstance(node, m.FieldGet) and node.field == resource
        for i in function.code
        if isinstance(i, m.Choose)
        for restriction in (*i.restrictions, *(r for extra in i.extras for r in extra.restrictions))
        for node in nodes(restriction)
    )


def _own_price(one: _Taking, price: Price) -> bool:
    """True if what is taken is a smaller price that is required where it is paid."""
    return one.required and one.amount is not None and price.amount is not None and one.amount < price.amount


def _of_another(whose: m.Expr | None, required: m.Expr) -> bool:
    """True if an entry is surely of another player: of one who sits beside the player to act."""
    match whose:
        case m.Attr("Player.left" | "Player.right", player):
            return player == required
        case m.LetIn(_, player, m.LetIn(_, m.Attr("Player.left" | "Player.right"), _)):  # of those still in the game
            return player == required
        case _:
            return False


# ------------------------------------------------------------------------------------------------------- untaken amount
# EXM101: an amount that is bounded by what a player has, and not taken from it.


def untaken_amounts(examined: ExaminedProgram) -> Iterator[Suspect]:
    """As much as a player has at most is worked out of a currency and of other things, and of all these only one of the
    other things changes by it.
    """
    currencies = {one.price.resource for one in required_prices(examined) if one.paid}
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            if not isinstance(i, m.SetLocal) or function.slots[i.slot].ty.kind != "int":
                continue
            least = {part for part in _least(i.value) if isinstance(part, m.FieldGet)}
            had = [part for part in least if part.field in currencies and part.index]
            asks = (at for at in range(pc + 1, len(function.code)) if isinstance(function.code[at], m.Choose))
            behind = function.code[pc + 1 : next(asks, None)]
            used = [one for one in behind if reads_slot(one, frozenset((i.slot,)))]
            changed = {(one.field, one.index) for one in used if isinstance(one, m.SetField) and _takes(one, i.slot)}
            for part in had:
                written = any(isinstance(one, m.SetField) and one.field == part.field for one in behind)
                called = any(f"field {part.field}" in examined.effects.writes(one) for one in used)
                if not written and not called and changed & {(one.field, one.index) for one in least - {part}}:
                    name = function.slots[i.slot].name
                    yield Suspect(
                        "EXM101",
                        function.name,
                        name,
                        f"`{name}` is at most what there is of `{part.field}`, but nothing of it is ever taken here",
                        f"take it where it is asked for: `{part.field}[…] -= {name}`",
                        kinds=(ast.Let,),
                        given=name,
                    )


def _least(e: m.Expr) -> Iterator[m.Expr]:
    """The numbers of which an expression is the least."""
    match e:
        case m.Arith("min", left, right):
            yield from _least(left)
            yield from _least(right)
        case _:
            yield e


def _takes(i: m.SetField, slot: int) -> bool:
    match i.value:
        case m.Arith("sub", m.FieldGet(field, index), amount):
            return (field, index) == (i.field, i.index) and any(node == m.Local(slot) for node in nodes(amount))
        case _:
            return False


# -------------------------------------------------------------------------------------------------------- unspent price
# EXM114: a price of a change that no player ever pays, or that another player pays.


def unspent_prices(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """An option is refused to a player with too little of something, which nothing else asks for and no player ever
    gives: what was got once is enough for ever. Or it is taken from a neighbour.
    """
    required = required_prices(examined)
    currencies = {one.price.resource for one in required if one.paid}
    for one in required:
        name = one.price.resource
        if one.paid or name in currencies:  # of a currency EXM101 speaks
            continue
        if one.by_another:
            what = "it is taken from another player: the one who is asked never pays"
        elif not _is_read(examined, name) and not _is_taken(examined, name):
            what = "nothing of it is ever taken, and nothing else looks at it: it is never spent"
        else:
            continue
        yield Suspect(
            "EXM114",
            one.function,
            one.label,
            f"`{one.label}` asks for `{name}`, but {what}",
            f"take it where it is asked for: `{name}[…] -= …`",
            rule=one.label,
        )


def _is_read(examined: ExaminedProgram, field: str) -> bool:
    """True if anything but questions and its own changes looks at a field."""
    for function in examined.functions.values():
        for i in function.code:
            own = isinstance(i, m.Choose) or (isinstance(i, m.SetField) and i.field == field)
            if not own and _reads(i, field):
                return True
    return any(_reads(query.body, field) for query in examined.program.queries)


def _is_taken(examined: ExaminedProgram, field: str) -> bool:
    """True if something may leave less of a field than there was."""
    for function in examined.functions.values():
        for i in function.code:
            match i:
                case m.SetField(name, _, m.Arith("add", m.FieldGet(read), m.Const(more))) if name == read == field:
                    if more < 0:
                        return True
                case m.SetField(name) if name == field:
                    return True
                case m.Reset(names) if field in names:
                    return True
                case _:
                    pass
    return False


def _reads(e: object, field: str) -> bool:
    return any(isinstance(node, m.FieldGet) and node.field == field for node in nodes(e))


# ----------------------------------------------------------------------------------------------------------- kept price
# EXM122: an option requires an amount, and does not take it from the player to act.


def kept_prices(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """A number of something, or pieces in a zone of one's own, must be there for an option, which takes none of them.

    It may be a condition, a rank or a strength; if it is a price, it is not paid.
    """
    for one in required_prices(examined):
        if not one.paid and not one.by_another:
            yield _kept_price(one.function, one.label, one.price.resource)
    for function in examined.functions.values():
        for option in options_of(function):
            for restriction in option.extra.restrictions:
                for part in disjuncts(restriction.condition):
                    zone = _empty_zone(part, option.question.who)
                    if zone is not None and not any(
                        _takes_some(examined, i, zone) for i in (*option.own, *option.behind)
                    ):
                        yield _kept_price(function.name, restriction.label, zone.zone)


def _kept_price(function: str, label: str, name: str) -> Suspect:
    return Suspect(
        "EXM122",
        function,
        label,
        f"`{label}` asks for `{name}`, and nothing of it is taken here: who has it once has it for the next time, too",
        "if it is a price, take it where it is asked for",
        rule=label,
    )


def _empty_zone(e: m.Expr, who: m.Expr) -> m.ZoneGet | m.ZoneList | None:
    """The own zone of which a condition asks whether nothing lies there."""
    match required_members(e):
        case (m.ZoneGet() | m.ZoneList() as zone, 1, False) if zone.index[:1] == (who,):
            return zone
        case _:
            return None


def _takes_some(examined: ExaminedProgram, i: m.Instr, zone: m.ZoneGet | m.ZoneList) -> bool:
    """True if an instruction may take something out of a zone: a question or a call that looks into it may do so."""
    if isinstance(i, m.Call) and examined.functions[i.function].word == "system":
        return False
    looked = (one for one in examined.carried_out((i,)) for one in nodes(one))
    return any(isinstance(node, m.ZoneGet | m.ZoneList | m.Top) and node.zone == zone.zone for node in looked)
