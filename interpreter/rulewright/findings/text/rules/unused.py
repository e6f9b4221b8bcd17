"""Lint rules about what is declared and never used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rulewright.compiler.tree_walk import named_in, nodes
from rulewright.diagnostics import Edit, Fix, Span
from rulewright.findings.text.analyses.declaration_nodes import nodes_of
from rulewright.findings.text.analyses.mentions import mentions
from rulewright.findings.text.analyses.program_index import ProgramIndex
from rulewright.findings.text.analyses.text_fixes import removal
from rulewright.findings.text.analyses.uses import (
    FOR_EACH,
    WITH_PARAMETERS,
    cells_of,
    uses,
    word_for,
    words,
    words_read,
)
from rulewright.findings.text.context import Finding, lint
from rulewright.findings.text.subject import Subject
from rulewright.foundation.memo import memoized_by_node
from rulewright.foundation.tree_fields import node_fields
from rulewright.ir import model as m
from rulewright.ir.dataflow.effects import instructions_of
from rulewright.ir.declared_sight import sight_of
from rulewright.ir.walk import nodes as ir_nodes
from rulewright.knowledge.secrets.function_levels import OPEN, FunctionLevels
from rulewright.knowledge.secrets.public_flow import public_levels
from rulewright.syntax import ast


@lint("REF016")
def unread_attribute(subject: Subject) -> Iterator[Finding]:
    """Attributes that no rule ever asks for, but for texts: people read them on cards."""
    seen = subject.ask(uses)
    for decl in seen.decls.values():
        if not isinstance(decl, (ast.Piece, ast.EnumDecl, ast.Place)):
            continue
        for attribute in (one for one in decl.attributes if one.type != ast.NamedType("Text")):
            # Inside its declaration an attribute is read by its bare name.
            if f".{attribute.name}" not in seen.reached | seen.mentioned and attribute.name not in seen.mentioned:
                yield Finding(f"no rule reads `{attribute.name}` of {decl.name}", attribute.span)


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
    if declared is None or sight_of(program).seen_by_none(declared):
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
    return (node.slot for node in ir_nodes(e) if isinstance(node, m.Local))


def _is_news(function: m.Function, i: m.SetField, e: m.Expr, levels: FunctionLevels) -> bool:
    """True if a value is a secret, and more than the answers of those whose field it is."""
    own = {one.into for _, one in instructions_of(function, (m.Choose,)) if one.who in i.index}
    return levels.level(e) > OPEN and not levels.follows(e, own)


def _started(scenario: ast.Scenario) -> Iterator[str]:
    """The words in the lines of a scenario that start something: what it begins with need not be part of a game."""
    for line in scenario.lines:
        if isinstance(line, ast.SStart):
            yield from named_in(line.call)


@lint("REF014")
def unused_definition(subject: Subject) -> Iterator[Finding]:
    """Declarations that are used by nothing that can happen in a game."""
    seen = subject.ask(uses)
    started = subject.started.union(*map(_started, subject.source.rules.scenarios))
    for name, decl in seen.decls.items():
        word = word_for(decl)
        if not word or name == "play" or seen.forms(decl) & seen.reached:
            continue
        if isinstance(decl, ast.Callable) and name in started:
            continue
        again = any(form in seen.mentioned for form in seen.forms(decl))
        how = "is used only by what is itself never used" if again else "is never used"
        hint = (
            "if a program or a policy asks it, make it a `measure`, or ignore this"
            if isinstance(decl, ast.Query)
            else ""
        )
        yield Finding(f"the {word} `{name}` {how}", decl.span, hint=hint, fix=removal(decl))


_RULES: tuple[type[ast.Clause], ...] = (*WITH_PARAMETERS, *FOR_EACH, ast.InsertOp, ast.Reaction)
_GIVING: tuple[type[ast.Clause], ...] = (ast.Let, ast.Roll, ast.Choose, ast.Each)
_WITH_BINDS: tuple[type[ast.Node], ...] = (ast.Aggregate, ast.Comprehension, ast.Ranked, ast.Every)


class _Idle(NamedTuple):
    """A name that nothing in its rule uses."""

    rule: str
    """The declaration in which an overlay may use it."""
    name: str
    is_param: bool
    finding: Finding


@lint("REF017")
def unused_local(subject: Subject) -> Iterator[Finding]:
    """Parameters, answers, rolls and other names of one rule that nothing in it uses."""
    decls = list(subject.decls())
    added: dict[str, set[str]] = {}
    for decl in decls:
        for rule, spoken in _added_by(decl):
            added.setdefault(rule, set()).update(spoken)
    events = {word for d in decls if isinstance(d, ast.Reaction) for word in words(d.event)}
    events |= {op.path.parts[0] for d in decls if isinstance(d, ast.CasesForOp) for op in d.ops}
    for decl in (decl for decl in decls if subject.wants(decl.span.file)):
        for idle in _idle_in(decl):
            # What replaces a declaration must take what it is given, and so must an event; cases are for a parameter.
            if idle.name not in added.get(idle.rule, ()) and not (idle.is_param and idle.rule in events):
                yield idle.finding


@memoized_by_node
def _idle_in(decl: ast.Clause) -> tuple[_Idle, ...]:
    """The names in a declaration that nothing in the rule uses in which they stand."""
    if isinstance(decl, ast.Scenario):
        return ()
    found: list[_Idle] = []
    for rule in nodes_of(decl, *_RULES):
        name = getattr(rule, "name", "") or str(getattr(rule, "path", "")).partition(".")[0]
        if isinstance(rule, ast.InsertOp) and rule.where == "replace" and len(rule.path.parts) > 1:
            continue  # what it gives is used behind it, in the rule that it stands in
        given = rule is decl and getattr(rule, "open", None) is None
        found += (_Idle(name, word, is_param, finding) for word, is_param, finding in _unused(rule, given))
    found += (_Idle("", "", False, finding) for node in nodes_of(decl, *_WITH_BINDS) for finding in _unused_binds(node))
    return tuple(found)


def _unused(rule: ast.Clause, with_params: bool) -> Iterator[tuple[str, bool, Finding]]:
    spoken = words_read(rule)
    if isinstance(rule, WITH_PARAMETERS) and with_params:
        for param in rule.params:
            if param.name not in spoken:
                yield param.name, True, Finding(f"nothing here uses the parameter `{param.name}`", param.span)
    for bind in rule.binds if isinstance(rule, FOR_EACH) else ():
        if bind.name not in spoken:
            yield bind.name, False, Finding(f"this is said for each `{bind.name}`, but is the same for all", bind.span)
    for node in nodes_of(rule, *_GIVING):
        message, fix = "", None
        match node:
            case ast.Let(name=name, changes=True) if name not in spoken:
                message = f"`{name}` is set, but nothing reads it"
            case ast.Let(name=name) if name not in spoken:
                message = f"nothing uses `{name}`"
                # A call may do something besides giving its result.
                called = any(isinstance(part, ast.Call) for part in nodes(node.value))
                fix = None if called else _removal(rule, node)
            case ast.Roll(name=name) if name not in spoken:
                message = f"the dice are rolled, but nothing reads `{name}`"
            case ast.Choose(name=name, as_name=None) if name not in spoken:
                message = f"`{name}` is chosen, but nothing uses the answer"
            case ast.Choose(as_name=str(name)) if name not in spoken:
                message = f"`{name}` are chosen, but nothing uses the answer"
            case ast.Each(bind=ast.Bind(name=name)) if name not in spoken:
                message = f"the same is done for each `{name}`: nothing uses the name"
            case _:
                continue
        if message:
            yield name, False, Finding(message, node.span, fix=fix)


def _removal(rule: ast.Clause, let: ast.Let) -> Fix | None:
    """The fix that removes a statement: its lines, or, where it is all that is done, that nothing is done instead.

    None where something else stands on its line.
    """
    holder = next((held for node in nodes(rule) for held in _blocks(node) if any(one is let for one in held)), ())
    if len(holder) == 1:
        return Fix("remove it", (Edit(let.span, "do nothing"),), safe=False)
    beside = (one.span for one in holder if one is not let)
    if any(one.line <= let.span.end_line and let.span.line <= one.end_line for one in beside):
        return None
    where = Span(let.span.file, let.span.line, 1, let.span.end_line + 1, 1)
    return Fix("remove it", (Edit(where, ""),), safe=False)


def _blocks(node: object) -> Iterator[tuple[ast.Node, ...]]:
    """The statements that stand one after the other in a node."""
    for name in node_fields(type(node)):
        held = getattr(node, name, None)
        if isinstance(held, tuple) and held and all(isinstance(one, ast.Node) for one in held):
            yield held


def _unused_binds(node: ast.Node) -> Iterator[Finding]:
    """Conditions inside brackets that are the same for all that are looked at."""
    match node:
        case (
            ast.Aggregate(element=element, binds=binds, where=where)
            | ast.Comprehension(element=element, binds=binds, where=where)
        ):
            parts: tuple[object, ...] = (element, where)
        case ast.Ranked(bind=bind, where=where, by=by):
            binds, parts = (bind,), (where, by)
        case ast.Every(bind=bind, where=where, has=has):
            binds, parts = (bind,), (where, has)
        case _:
            return
    parts += tuple(bind.where for bind in binds)
    if all(part is None for part in parts):
        return
    spoken = set(words(parts))
    if isinstance(node, ast.Comprehension) and node.listed:
        return  # it may be written to say how often each stands in the list
    for number, bind in enumerate(binds):
        later = set(words(binds[number + 1 :]))
        if bind.name not in spoken | later:
            yield Finding(f"what is asked here is the same for every `{bind.name}`", bind.span)


@memoized_by_node
def _added_by(decl: ast.Clause) -> tuple[tuple[str, frozenset[str]], ...]:
    """The words that an overlay or extension uses inside other declarations, by their names."""
    paths = ((op, getattr(op, "path", None)) for op in (decl, *getattr(decl, "ops", ())))
    return tuple((p.parts[0], frozenset(words(op, reading=True))) for op, p in paths if isinstance(p, ast.Path))


@lint("REF020")
def unused_value(subject: Subject) -> Iterator[Finding]:
    """Values of enums that neither a rule nor a table names, and that no rule can come to by going through all."""
    seen = subject.ask(uses)
    used = frozenset().union(*(mentions(decl).types for decl in seen.decls.values()))
    used |= {face for decl in seen.decls.values() if isinstance(decl, ast.Die) for face in decl.faces}
    used |= {value for decl in seen.decls.values() if isinstance(decl, ast.EnumDecl) for value in decl.values}
    for decl in seen.decls.values():
        if not isinstance(decl, ast.EnumDecl) or decl.name in used or decl.name not in seen.reached:
            continue
        silent = [
            value for value in seen.values[decl.name] if value not in seen.reached and value not in seen.mentioned
        ]
        cells = set(cells_of(subject, decl)) if silent else set()
        for value in silent:
            if value not in cells:
                yield Finding(f"`{value}` of {decl.name} is never named, by a rule or in a table", decl.span)
