"""REF015: a field that is set and never read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.foundation.memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir.dataflow.effects import instructions_of
from rulewright.ir.declared_sight import sight_of
from rulewright.ir.information_flow.function_levels import OPEN, FunctionLevels
from rulewright.ir.information_flow.public_flow import public_levels
from rulewright.ir.walk import nodes
from rulewright.lint.analyses.program_index import ProgramIndex
from rulewright.lint.analyses.uses import uses
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject
from rulewright.syntax import ast


@lint("REF015")
def unread_field(subject: Subject) -> Iterator[Finding]:
    """Fields that are set, and that no rule ever asks for."""
    seen = subject.ask(uses)
    for name, decl in seen.decls.items():
        if not isinstance(decl, ast.FieldDecl) or name not in seen.reached or name in seen.read:
            continue
        if not any(_informs(game.ask(ProgramIndex).program, name) for game in subject.games):
            yield Finding(f"`{name}` is set, but no rule ever reads it", decl.span)


def _informs(program: m.Program, name: str) -> bool:
    """True if players read a field: it shows to some player what is not public without it, or keeps in view what a die
    has shown."""
    declared = next((field for field in program.fields if field.name == name), None)
    if declared is None or sight_of(program).nobody(declared):
        return False
    levels = public_levels(program)
    return any(
        i.field == name and not _drawn(program)[f.name].isdisjoint(_slots(i.value))
        for f in program.functions
        for _, i in instructions_of(f, (m.SetField,))
    ) or any(
        i.field == name
        and (pc in levels[f.name].dark or any(_is_news(f, i, e, levels[f.name]) for e in (*i.index, i.value)))
        for f in program.functions
        for pc, i in instructions_of(f, (m.SetField,))
    )


@memoized_by_node
def _drawn(program: m.Program) -> Mapping[str, frozenset[int]]:
    """For each function the slots that hold what chance has given, or what was worked out from it: a field that keeps
    it reminds players of what they have seen only once."""
    found: dict[str, set[int]] = {f.name: set() for f in program.functions}
    given: set[str] = set()
    """The functions that give back such a value."""
    risen = True
    while risen:
        before = sum(map(len, found.values())) + len(given)
        for function in program.functions:
            own = found[function.name]
            for i in function.code:
                match i:
                    case m.Chance(into=slot):
                        own.add(slot)
                    case m.SetLocal(slot, value) | m.Append(slot, value) if not own.isdisjoint(_slots(value)):
                        own.add(slot)
                    case m.Call(called, args, into):
                        found[called] |= {n for n, arg in enumerate(args) if not own.isdisjoint(_slots(arg))}
                        own |= {into} if into is not None and called in given else set()
                    case m.Return(value) if value is not None and not own.isdisjoint(_slots(value)):
                        given.add(function.name)
                    case _:
                        pass  # it brings nothing into a slot
        risen = sum(map(len, found.values())) + len(given) > before
    return {name: frozenset(slots) for name, slots in found.items()}


def _slots(e: m.Expr) -> Iterator[int]:
    return (node.slot for node in nodes(e) if isinstance(node, m.Local))


def _is_news(function: m.Function, i: m.SetField, e: m.Expr, levels: FunctionLevels) -> bool:
    """True if a value is a secret, and more than the answers of those whose field it is."""
    own = {one.into for _, one in instructions_of(function, (m.Choose,)) if one.who in i.index}
    return levels.level(e) > OPEN and not levels.follows(e, own)
