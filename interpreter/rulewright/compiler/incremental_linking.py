"""Incremental linking: the program of a game after an edit within a few of its declarations.

Most edits change the body of a procedure, query or reaction, and nothing that others ask of it: its signature and its
steps. Then its code is lowered and put in the place of what was there; if anything is wrong with it, that is all that
is wrong with the game. If it reads or writes something else as a whole, all code is linked again. A declaration of
which only comments or lines are others is put in the place of its former self, whatever it declares. Whatever would
reach further is left to the compiler, which makes the game anew; so both ways lead to the same program and the same
findings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from rulewright.compiler.cycles import report_area_cycles
from rulewright.compiler.declaration_diff import Change, DeclarationDiff
from rulewright.compiler.declaration_facts import calls, inner_nodes
from rulewright.compiler.driver import Compiler
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.lowering.sharing import Unit
from rulewright.compiler.overlays.declaration_set import Rules
from rulewright.compiler.signatures import reaction_block, signature
from rulewright.compiler.what_ifs import report_what_ifs
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Diagnostic, Enough
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.syntax import ast


class Checkpoint:
    """All that relinking changes in a compiler."""

    def __init__(self, compiler: Compiler) -> None:
        context, sharing, queries = compiler.context, compiler.sharing, compiler.queries
        world, linker, lowering = compiler.world, compiler.linker, compiler.lowering
        self._compiler = compiler
        self._attributes = [
            (held, name, getattr(held, name))
            for held, names in (
                (compiler, ("ruleset", "rules", "answers", "linker")),
                (context, ("report", "streams", "numbered")),
                (world, ("reads", "lookups", "in_property")),
                (sharing, ("rules",)),
                (queries, ("made",)),
                (lowering.ends, ("looked",)),
            )
            for name in names
        ]
        contents: tuple[dict[Any, Any], ...] = (
            *(world.universes, world.calls, world.query_decls, world.fields, world.zones, world.areas, world.parties),
            *(context.streams, sharing.made, sharing.units, queries.made, queries.signatures),
            *(lowering.events.calls, lowering.events.found, lowering.restrictions.declared),
            *(compiler.codes, compiler.cites),
            *(() if linker is None else (linker.does, linker.made, linker.depend.own)),
        )
        self._typed = context.typed.copy()
        self._contents = [(held, dict(held)) for held in contents]

    def restore(self) -> None:
        """Give the compiler back what it knew."""
        compiler = self._compiler
        compiler.forget_answers()
        for held, name, value in self._attributes:
            setattr(held, name, value)
        for known, before in self._contents:
            known.clear()
            known.update(before)
        compiler.context.typed = self._typed
        compiler.queries.in_progress.clear()
        compiler.lowering.reach()
        compiler.report.found.clear()
        compiler.report.errors = 0


SHUFFLE = "shuffle "
"""Begins the label of an order that chance decides; scenarios leave it out."""

Relinked = tuple[m.Program, list[Diagnostic]]
"""A program and what is wrong with it; then it is the one before the edit."""


def relink(
    compiler: Compiler, program: m.Program, ruleset: Ruleset, rules: Rules, diff: DeclarationDiff
) -> Relinked | None:
    """The program of a game in which nothing was wrong, with other rules; None if it has to be compiled anew.

    If nothing is wrong with the new rules either, the compiler is that of the new game, and else it is as it was.
    """
    changed = diff.changed(compiler.rules, rules)
    if changed is None or compiler.report.found:
        return None
    same = [pair for pair in changed if diff.same(*pair)]
    others = [pair for pair in changed if not diff.same(*pair)]
    if not others:
        compiler.renew(ruleset, rules)
        for before, after in same:
            _exchange(compiler, before, after)
        return replace(program, digest=ruleset.digest, rules=diff.infos(rules)), []
    checkpoint, made = Checkpoint(compiler), None
    try:
        compiler.renew(ruleset, rules)
        for before, after in same:
            _exchange(compiler, before, after)
        made = _Relinking(compiler, program, others).run()
        if made is not None and not made[1]:
            made = replace(made[0], digest=ruleset.digest, rules=diff.infos(rules)), []
    except (Enough, RecursionError):
        pass
    finally:
        if made is None or made[1]:
            checkpoint.restore()
    return made


def _exchange(compiler: Compiler, before: ast.Decl, after: ast.Decl) -> None:
    """Put a declaration in the place of one that means the same."""
    typed = compiler.context.typed
    for old, new in zip((before, *inner_nodes(before)), (after, *inner_nodes(after)), strict=True):
        if old is not new:
            typed.exchange(old, new)
    compiler.take(after)


class _Relinking:
    """Lowers the changed declarations of one game."""

    def __init__(self, compiler: Compiler, program: m.Program, changed: Sequence[Change]) -> None:
        self.compiler, self.program, self.changed = compiler, program, changed
        self.universes = len(compiler.world.universes)
        self.made: dict[str, m.Function] = {}
        self.assertions: dict[str, m.Assertion] = {}
        self.alike = True
        """False once something was met that the code of other declarations depends on."""
        self.same_effects = True
        """False once something was met that reads or writes something else than before."""
        self.contained = True
        """False once something was met that may make a difference to what is wrong with other declarations."""

    def run(self) -> Relinked | None:
        """The program, or what is wrong; None if anything reaches further than a declaration."""
        compiler = self.compiler
        names = frozenset(compiler.world.calls)
        outlined = all(_outlined_alike(a, b, names) for a, b in self.changed)
        reach = None if outlined else compiler.lowering.reach()
        conduct = compiler.conduct()
        windows = [self._window(before) for before, _ in self.changed]
        for before, after in self.changed:
            compiler.context.typed.forget(inner_nodes(before))
            compiler.take(after)
        if reach is not None and compiler.lowering.reach() != reach:
            return None
        if compiler.conduct() != conduct:
            return None
        self.alike = windows == [self._window(after) for _, after in self.changed]
        for before, after in self.changed:
            self._lower(before, after)
        report = compiler.report
        report_area_cycles(self.program.areas, compiler.queries.made, compiler.world, report)
        decls, codes, areas = compiler.rules.decls.values(), compiler.codes, self.program.areas
        report_what_ifs(decls, codes, compiler.queries.made, areas, compiler.context)
        compiler.report_turns(areas, self.program.fields, self.program.zones)
        if not self.contained or len(compiler.world.universes) != self.universes:
            return None
        if report.found:
            return (self.program, list(report.found)) if report.failed else None
        return (self._program(), []) if self.alike else None

    def _program(self) -> m.Program:
        program = replace(
            self.program,
            queries=tuple(self.compiler.queries.made.values()),
            assertions=tuple([self.assertions.get(one.name, one) for one in self.program.assertions]),
        )
        if self.compiler.linker is not None and not self.same_effects:
            self.compiler.linker = None
            return self.compiler.link(program)
        functions = tuple([self.made.get(function.name, function) for function in program.functions])
        return replace(program, functions=functions)

    def _lower(self, before: ast.Decl, after: ast.Decl) -> None:
        compiler = self.compiler
        match after:
            case ast.Query() | ast.Value():
                self.alike &= calls(before) == calls(after)
                self.contained &= not any(isinstance(d, ast.Query) and d.at_most is not None for d in (before, after))
                self._query(after)
            case ast.Callable():
                self._function("function", after)
                self._possible(after.name)
            case ast.Reaction():
                self._function("reaction", after)
            case ast.Invariant() | ast.Property() | ast.Witness():
                unit = compiler.sharing.unit("assertion", after.name, partial(compiler.assertion, after))
                self.assertions[after.name] = unit
            case _:
                pass

    def _window(self, decl: ast.Decl) -> object:
        """The form in which a declaration becomes part of others: a reaction that players may choose."""
        return self.compiler.lowering.window(decl) if isinstance(decl, ast.Reaction) else None

    def _query(self, decl: ast.Query | ast.Value) -> None:
        queries, known = self.compiler.queries, self.compiler.sharing.units
        before = known.pop(("query", decl.name), None)
        self.contained &= queries.renew(decl.name)
        self.alike &= _asks_alike(before, known.get(("query", decl.name)), all=True)
        self._effects(queries.made[decl.name])

    def _possible(self, name: str) -> None:
        queries, known = self.compiler.queries, self.compiler.sharing.units
        if f"possible {name}" not in queries.made:
            return
        before = known.pop(("possible", name), None)
        self.alike &= queries.renew_possible(name)
        self.alike &= _asks_alike(before, known.get(("possible", name)), all=True)
        self._effects(queries.made[f"possible {name}"])

    def _effects(self, query: m.QueryDef) -> None:
        """Take in what a query reads now: functions may depend on it."""
        linker = self.compiler.linker
        self.same_effects &= linker is None or linker.depend.renew(query)

    def _function(self, kind: str, decl: ast.Callable | ast.Reaction) -> None:
        compiler, known = self.compiler, self.compiler.sharing.units
        before, old = known.pop((kind, decl.name), None), compiler.codes[decl.name]
        *stages, code = compiler.code_of(decl)
        if compiler.report.found:
            return
        self.alike &= _asks_alike(before, known.get((kind, decl.name)))
        for part, cites in [*((stage, ()) for stage in stages), (code, decl.trivia.cites)]:
            compiler.adopt(part, cites)
            function = compiler.linker.relinked(part, cites) if compiler.linker is not None else None
            if function is not None:
                self.made[part.name] = function
            else:
                self.same_effects = False
        if (concerned := _concerned(_answers(old), _answers(code))) is not None:
            compiler.forget_answers(concerned)


def _outlined_alike(a: ast.Decl, b: ast.Decl, names: frozenset[str]) -> bool:
    """True if two declarations, as others see them, call the same of these names."""
    match a, b:
        case ast.Callable(), ast.Callable():
            return signature(a).among(names) == signature(b).among(names)
        case ast.Reaction(), ast.Reaction():
            return reaction_block(a).among(names) == reaction_block(b).among(names)
        case _:
            return True


def _asks_alike(before: Unit | None, after: Unit | None, all: bool = False) -> bool:
    """True if two forms of a unit ask the same of others: what is possible, chance, and queries if `all`."""
    if before is None or after is None or before.streams != after.streams:
        return False
    lookups = [[q for q, _ in unit.lookups if all or q[0] == "possible"] for unit in (before, after)]
    return lookups[0] == lookups[1]


@dataclass(frozen=True, slots=True)
class _Answer:
    """A name in a function for scenarios: a choice, or what chance decides."""

    label: str
    universe: str
    options: tuple[str, ...] = ()
    restrictions: tuple[str, ...] = ()

    def words(self) -> Iterator[str]:
        """The words by which scenarios name it and what belongs to it."""
        yield from (self.label, self.label.removeprefix(SHUFFLE), *self.options)
        for label in self.restrictions:
            yield from label.split(".")


def _answers(code: FunctionBuilder) -> list[_Answer]:
    found = []
    for i in code.items:
        if isinstance(i, m.Choose):
            options = tuple(e.key for e in i.extras)
            restrictions = (*(r.label for r in i.restrictions), *(r.label for e in i.extras for r in e.restrictions))
            found.append(_Answer(i.label, i.universe, options, restrictions))
        elif isinstance(i, m.Chance):
            found.append(_Answer(i.label, i.universe))
    return found


def _concerned(before: list[_Answer], after: list[_Answer]) -> frozenset[str] | None:
    """The words by which scenarios name what is different; None if nothing is."""
    if before == after:
        return None
    had, has = Counter(before), Counter(after)
    different = set((had - has) + (has - had)) or {*before, *after}
    return frozenset(word for one in different for word in one.words())
