"""Incremental linking: the program of a game after an edit within a few of its declarations.

Most edits change the body of a procedure or query, and nothing that others ask of it: its signature, its steps, what it
reads and writes as a whole. Then its code is lowered and put in the place of what was there. Whatever would reach
further is left to the compiler, which makes the game anew; so both ways lead to the same program.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from rulewright.compiler.cycle_checks import report_area_cycles
from rulewright.compiler.declaration_facts import calls, inner_nodes
from rulewright.compiler.driver import Compiler
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.lowering.sharing import Unit
from rulewright.compiler.outlines import outline
from rulewright.compiler.overlays.declaration_set import Rules
from rulewright.compiler.rule_info import rule_infos
from rulewright.data.ruleset import Ruleset
from rulewright.ir import model as m
from rulewright.syntax import ast

MOST = 60
"""Of so many changed declarations a game is made anew."""

_ASSERTIONS = (ast.Invariant, ast.Property, ast.Witness)


def relink(compiler: Compiler, program: m.Program, ruleset: Ruleset, rules: Rules) -> m.Program | None:
    """The program of a game in which nothing was wrong, with other rules; None if it has to be compiled anew.

    Afterwards the compiler is that of the new game, or, if there is none, must not be used any more.
    """
    changed = _changed(compiler, rules)
    if changed is None or compiler.report.found:
        return None
    if not changed:
        compiler.renew(ruleset, rules)
        return replace(program, digest=ruleset.digest, rules=rule_infos(rules))
    return _Relinking(compiler, program, changed).run(ruleset, rules)


def _changed(compiler: Compiler, after: Rules) -> list[tuple[ast.Decl, ast.Decl]] | None:
    """The declarations that are others now, as they were and as they are; None if games must be made anew."""
    before = compiler.rules
    if list(before.decls) != list(after.decls) or before.games != after.games:
        return None
    if not _identical(before.precedence, after.precedence):
        return None
    if before.first_values.keys() != after.first_values.keys() or not _identical(
        list(before.first_values.values()), list(after.first_values.values())
    ):
        return None
    pairs = zip(before.decls.values(), after.decls.values(), strict=True)
    changed = [(a, b) for a, b in pairs if a is not b]
    if len(changed) > MOST:
        return None
    names = frozenset(compiler.world.calls)
    return changed if all(_looks_alike(a, b, names) for a, b in changed) else None


def _identical(before: list[ast.Precedence] | list[ast.Expr], after: list[ast.Precedence] | list[ast.Expr]) -> bool:
    return len(before) == len(after) and all(a is b for a, b in zip(before, after, strict=True))


def _looks_alike(a: ast.Decl, b: ast.Decl, names: frozenset[str]) -> bool:
    """True if two declarations of a name may be the same to all others."""
    match a, b:
        case ast.Callable(), ast.Callable():
            return outline(a).among(names) == outline(b).among(names)
        case (ast.Query(), ast.Query()) | (ast.Value(), ast.Value()):
            return calls(a) == calls(b)
        case ast.Property(), ast.Property():
            return a.after == b.after
        case (ast.Invariant(), ast.Invariant()) | (ast.Witness(), ast.Witness()):
            return True
        case _:
            return False


class _Relinking:
    """Lowers the changed declarations of one game."""

    def __init__(self, compiler: Compiler, program: m.Program, changed: list[tuple[ast.Decl, ast.Decl]]) -> None:
        self.compiler, self.program, self.changed = compiler, program, changed
        self.universes = len(compiler.world.universes)

    def run(self, ruleset: Ruleset, rules: Rules) -> m.Program | None:
        """The program; None if anything reaches further than a declaration."""
        compiler = self.compiler
        compiler.renew(ruleset, rules)
        for before, after in self.changed:
            for node in inner_nodes(before):
                compiler.context.typed.pop(id(node), None)
            compiler.take(after)
        queries = [after for _, after in self.changed if isinstance(after, ast.Query | ast.Value)]
        if not all(self._query(decl) for decl in queries):
            return None
        made: dict[str, m.Function] = {}
        for _, decl in self.changed:
            if isinstance(decl, ast.Callable) and not self._callable(decl, made):
                return None
        assertions = self.program.assertions
        if any(isinstance(decl, _ASSERTIONS) for _, decl in self.changed):
            assertions = compiler.assertions()
        report_area_cycles(self.program.areas, compiler.queries.made, compiler.world, compiler.report)
        if compiler.report.found or len(compiler.world.universes) != self.universes:
            return None
        return replace(
            self.program,
            digest=ruleset.digest,
            queries=tuple(compiler.queries.made.values()),
            functions=tuple([made.get(function.name, function) for function in self.program.functions]),
            assertions=assertions,
            rules=rule_infos(rules),
        )

    def _query(self, decl: ast.Query | ast.Value) -> bool:
        queries, known = self.compiler.queries, self.compiler.sharing.units
        before = known.pop(("query", decl.name), None)
        if not queries.renew(decl.name) or not _asks_alike(before, known.get(("query", decl.name)), all=True):
            return False
        return self.compiler.linker.depend.renew(queries.made[decl.name])

    def _callable(self, decl: ast.Callable, made: dict[str, m.Function]) -> bool:
        compiler, name = self.compiler, decl.name
        queries, known = compiler.queries, compiler.sharing.units
        before = known.pop(("function", name), None)
        old = compiler.codes[name]
        *stages, code = compiler.sharing.unit("function", name, partial(compiler.callable, decl))
        if not _asks_alike(before, known.get(("function", name))):
            return False
        for part, cites in [*((stage, ()) for stage in stages), (code, decl.trivia.cites)]:
            compiler.adopt(part, cites)
            function = compiler.linker.relinked(part, cites)
            if function is None:
                return False
            made[part.name] = function
        if _answers(old) != _answers(code):
            compiler.forget_answers()
        if f"possible {name}" not in queries.made:
            return True
        before = known.pop(("possible", name), None)
        if not queries.renew_possible(name) or not _asks_alike(before, known.get(("possible", name)), all=True):
            return False
        return compiler.linker.depend.renew(queries.made[f"possible {name}"])


def _asks_alike(before: Unit | None, after: Unit | None, all: bool = False) -> bool:
    """True if two forms of a unit ask the same of others: what is possible, chance, and queries if `all`."""
    if before is None or after is None or before.streams != after.streams:
        return False
    asked = [[q for q, _ in unit.asked if all or q[0] == "possible"] for unit in (before, after)]
    return asked[0] == asked[1]


def _answers(code: FunctionBuilder) -> list[object]:
    """All that scenarios can name in a function: choices, their options and restrictions, and what chance decides."""
    found: list[object] = []
    for i in code.items:
        if isinstance(i, m.Choose):
            extras = [(e.key, [r.label for r in e.restrictions]) for e in i.extras]
            found.append((i.label, i.universe, extras, [r.label for r in i.restrictions]))
        elif isinstance(i, m.Chance):
            found.append((i.label, i.universe))
    return found


__all__ = ["relink"]
