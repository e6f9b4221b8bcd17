"""Branches of which it is known which way is taken, from what kind of piece lies in a slot or that something does."""

from __future__ import annotations

from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import NO_SLOTS, Slots
from rulewright.ir.evaluation import truth

Kinds = frozenset[str] | None
"""The names of the kinds of the piece that is followed; None if it is no piece, or may be of any kind."""


def decided(i: m.JumpUnless, pc: int, holding: Slots, kinds: Kinds, given: Slots = NO_SLOTS) -> tuple[int, ...]:
    """The only way on at a branch that asks whether one of some slots holds anything, or of which kind the piece is
    that is in it; none if it hangs on more. Something is certainly in those slots that were `given` something."""

    def leaf(condition: m.Expr) -> bool | None:
        match condition:
            case m.Contains(m.Kind(name), m.Local(slot)) if slot in holding and kinds is not None:
                return name in kinds
            case m.Cmp("eq" | "ne", m.Local(slot), m.Const(m.NONE)) if slot in given & holding:
                return condition.op == "ne"
            case _:
                return None  # it may be so, or not

    found = truth(i.condition, leaf)
    return () if found is None else (pc + 1,) if found else (i.to,)
