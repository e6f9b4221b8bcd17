"""REF015: a field that is set and never read."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.ir import model as m
from rulewright.ir.dataflow.effects import instructions_of
from rulewright.ir.declared_sight import sight_of
from rulewright.ir.information_flow.function_levels import OPEN, FunctionLevels
from rulewright.ir.information_flow.public_flow import public_levels
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
        if not any(_tells(game.ask(ProgramIndex).program, name) for game in subject.games):
            yield Finding(f"`{name}` is set, but no rule ever reads it", decl.span)


def _tells(program: m.Program, name: str) -> bool:
    """True if players read a field: it tells somebody who sees it what not everybody knows without it."""
    declared = next((field for field in program.fields if field.name == name), None)
    if declared is None or sight_of(program).nobody(declared):
        return False
    levels = public_levels(program)
    return any(
        i.field == name
        and (pc in levels[f.name].dark or any(_is_news(f, i, e, levels[f.name]) for e in (*i.index, i.value)))
        for f in program.functions
        for pc, i in instructions_of(f, (m.SetField,))
    )


def _is_news(function: m.Function, i: m.SetField, e: m.Expr, levels: FunctionLevels) -> bool:
    """True if a value is a secret, and more than the answers of those whose field it is."""
    own = {one.into for _, one in instructions_of(function, (m.Choose,)) if one.who in i.index}
    return levels.level(e) > OPEN and not levels.follows(e, own)
