"""EXM113: a restriction that can refuse nothing, as it asks for pieces where what is chosen does not lie."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram, disjuncts
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m


def idle_restrictions(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A piece lies in one zone at a time: one chosen from a zone is refused only if it lies in another."""
    for function in examined.functions.values():
        for i in function.code:
            if not isinstance(i, m.Choose) or not isinstance(i.source, m.ZoneGet | m.ZoneList):
                continue
            for restriction in i.restrictions:
                asked = [_elsewhere(part, i.var, i.source.zone) for part in disjuncts(restriction.condition)]
                if not restriction.unless and all(asked):
                    yield Suspect(
                        "EXM113",
                        function.name,
                        restriction.label,
                        f"`{restriction.label}` never refuses anything: what is chosen lies in `{i.source.zone}`, and "
                        f"so not in `{asked[0]}`",
                        f"ask for what the pieces in `{asked[0]}` have in common with it",
                        rule=restriction.label,
                    )


def _elsewhere(e: m.Expr, var: str, zone: str) -> str:
    """The other zone in which a condition asks for the piece that is chosen; empty if it asks for something else."""
    match e:
        case m.Contains(m.ZoneGet(other) | m.ZoneList(other), m.Var(name)) if name == var and other != zone:
            return other
        case m.InZone((other,), m.Var(name)) if name == var and other != zone:
            return other
        case _:
            return ""


__all__ = ["idle_restrictions"]
