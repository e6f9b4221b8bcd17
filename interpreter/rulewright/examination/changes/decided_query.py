"""EXM157: a query of a change whose answer the other rules decide, whatever it is asked about."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.rule_flow import KnownValues
from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.examination.symbolic_truth import SymbolicTruth


def decided_queries(examined: ExaminedProgram, base: ExaminedProgram) -> Iterator[Suspect]:
    """A new truth that asks queries of the base which, with the parameters as they are, always give what it compares
    them with. What a parameter decides by itself is meant to be so."""
    values = KnownValues(examined.program)
    for name, query in examined.queries.items():
        if query.ty.kind != "bool" or base.queries.get(name) == query or values.of(query.body, {}) is not None:
            continue
        sure = frozenset(slot.name for slot in query.params if not slot.ty.optional)
        found = SymbolicTruth(examined, None, sure).of(query.body)
        if found is not None:
            yield Suspect(
                "EXM157",
                name,
                "always" if found else "never",
                f"`{name}` {'always' if found else 'never'} holds: what it asks is decided by other rules, with the "
                f"parameters as they are",
                "look at what the queries that it asks give",
                rule=name,
                everywhere=True,
            )


__all__ = ["decided_queries"]
