"""Analyses of prices and limits of a change."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.findings.program.facts.examined_program import ExaminedProgram, conjuncts, disjuncts
from rulewright.findings.program.facts.option_code import options_of
from rulewright.findings.program.prices import required_prices
from rulewright.findings.suspects import Suspect
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

# --------------------------------------------------------------------------------------------------------- raised limit
# EXM121: a number is counted up as long as it is not above a limit, and so to one above it.


def raised_limits(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """A count that begins with nothing may grow if it is at most so many: then it is one more. Numbers that begin with
    one are not spoken of, they count what is going on and not what there is.
    """
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            if isinstance(i, m.JumpUnless):
                body = function.code[pc + 1 : i.to] if i.to > pc else ()
                for part in conjuncts(i.condition):
                    found = _limit(examined, function, part, "le")
                    if found is not None and any(_grows(one, found[0]) for one in body):
                        yield _suspect(function, *found, "")
        for option in options_of(function):
            for restriction in option.extra.restrictions:
                for part in disjuncts(restriction.condition):
                    found = _limit(examined, function, part, "gt")
                    if found is not None and any(_grows(one, found[0]) for one in option.own):
                        yield _suspect(function, *found, restriction.label)


def _limit(examined: ExaminedProgram, function: m.Function, e: m.Expr, op: str) -> tuple[m.Expr, str, int] | None:
    """A number that begins at 0 and is compared with a limit: it, its name, and the limit."""
    if not isinstance(e, m.Cmp) or e.op != op or not isinstance(e.right, m.Const) or e.right.value < 1:
        return None
    match e.left:
        case m.FieldGet(name):
            begins = examined.fields[name].initial
            zero = begins == 0 or (isinstance(begins, tuple) and not any(begins))
            return (e.left, name, e.right.value) if zero else None
        case m.Local(slot):
            stored = [i.value for i in function.code if isinstance(i, m.SetLocal) and i.slot == slot]
            return (e.left, function.slots[slot].name, e.right.value) if m.Const(0) in stored else None
        case _:
            return None


def _grows(i: m.Instr, counted: m.Expr) -> bool:
    """True if an instruction adds one to a number."""
    match i:
        case m.SetField(name, index, m.Arith("add", old, m.Const(1))):
            return old == counted == m.FieldGet(name, index)
        case m.SetLocal(slot, m.Arith("add", old, m.Const(1))):
            return old == counted == m.Local(slot)
        case _:
            return False


def _suspect(function: m.Function, _: m.Expr, name: str, limit: int, label: str) -> Suspect:
    where = f"`{label}` lets one more in: `{name}`" if label else f"`{name}`"
    return Suspect(
        "EXM121",
        function.name,
        label or name,
        f"{where} can be {limit + 1} here, it is compared with {limit} before one is added",
        f"if it is to be {limit} at most, write `{'>=' if label else '<'} {limit}`",
        rule=label,
        kinds=(ast.Branch,),
        words=frozenset((name, str(limit))),
    )


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
