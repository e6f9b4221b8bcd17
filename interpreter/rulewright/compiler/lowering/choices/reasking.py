"""Asking a question again after an interruption, with what is left of it."""

from __future__ import annotations

from rulewright.compiler.lowering.conditions import NO, YES, all_of, not_refused
from rulewright.ir import model as m


def still_offered(question: m.Choose) -> m.Expr:
    """The condition that a question still offers something and the player who is asked is in the game."""
    ways = [all_of(e.guard or YES, *map(not_refused, e.restrictions)) for e in question.extras if not e.aside]
    if question.source is not None:
        test = all_of(question.where or YES, *map(not_refused, question.restrictions))
        members = m.Bound(question.var, question.source, question.is_list)
        ways.append(m.Fold("some", (members,), None if test == YES else test, None))
    answer = YES if YES in ways else m.Or(tuple(ways)) if ways else NO
    return all_of(m.Contains(m.Alive("Player"), question.who), answer)


__all__ = ["still_offered"]
