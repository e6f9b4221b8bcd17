"""EXM122: an option asks for something, and leaves it to who is asked."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.analyses.amounts.unpaid_price import asked_prices
from rulewright.examination.examined_program import ExaminedProgram, disjuncts
from rulewright.examination.findings import Suspect
from rulewright.examination.options import options_of
from rulewright.ir import model as m
from rulewright.ir.walk import nodes


def kept_prices(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """A number of something, or pieces in a zone of one's own, must be there for an option, which takes none of them.

    It may be a condition, a rank or a strength; if it is a price, it is not paid.
    """
    for one in asked_prices(examined):
        if not one.paid and not one.by_another:
            yield _suspect(one.function, one.label, one.price.resource)
    for function in examined.functions.values():
        for option in options_of(function):
            for restriction in option.extra.restrictions:
                for part in disjuncts(restriction.condition):
                    zone = _empty_zone(part, option.question.who)
                    if zone is not None and not any(_takes(examined, i, zone) for i in (*option.own, *option.behind)):
                        yield _suspect(function.name, restriction.label, zone.zone)


def _suspect(function: str, label: str, name: str) -> Suspect:
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
    match e:
        case m.Cmp("eq", m.Size(m.ZoneGet() | m.ZoneList() as zone), m.Const(0)) | m.SetEq(
            m.ZoneGet() | m.ZoneList() as zone, m.Const(0)
        ):
            return zone if zone.index[:1] == (who,) else None
        case _:
            return None


def _takes(examined: ExaminedProgram, i: m.Instr, zone: m.ZoneGet | m.ZoneList) -> bool:
    """True if an instruction may take something out of a zone: a question or a call that looks into it may do so."""
    if isinstance(i, m.Call) and examined.functions[i.function].word == "system":
        return False
    looked = (one for one in examined.carried_out((i,)) for one in nodes(one))
    return any(isinstance(node, m.ZoneGet | m.ZoneList | m.Top) and node.zone == zone.zone for node in looked)


__all__ = ["kept_prices"]
