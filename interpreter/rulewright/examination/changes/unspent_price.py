"""EXM114: a price of a change that nobody ever pays, or that somebody else pays."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.analyses.amounts.unpaid_price import asked_prices
from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.walk import nodes


def unspent_prices(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """An option is refused to who has too little of something, which nothing else asks for and nobody ever gives: what
    was got once is enough for ever. Or it is taken from the one who sits beside.
    """
    asked = asked_prices(examined)
    currencies = {one.price.resource for one in asked if one.paid}
    for one in asked:
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


__all__ = ["unspent_prices"]
