"""Lint rules about choices, and the answers that they leave."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulewright.compiler.overlays.declaration_set import name_of
from rulewright.compiler.tree_walk import named_in, nodes
from rulewright.diagnostics import Span
from rulewright.findings.text.analyses.constant_conditions import ConditionAnalysis, always_follows, operands
from rulewright.findings.text.analyses.control_flow import Words
from rulewright.findings.text.analyses.declaration_nodes import blocks, nodes_of
from rulewright.findings.text.analyses.flow_questions import callers_look, looks_at, reads, writes
from rulewright.findings.text.analyses.mentions import rooted, roots
from rulewright.findings.text.analyses.program_index import ProgramIndex, memoized_by_code
from rulewright.findings.text.analyses.rule_index import RuleIndex, first_span
from rulewright.findings.text.context import Finding, lint, lint_declarations
from rulewright.findings.text.subject import Subject
from rulewright.foundation.memo import memoized_by_node, traced_by_node, tracked_query
from rulewright.ir import model as m
from rulewright.ir.dataflow.effects import NOTHING, Tokens
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


@lint_declarations("CHO310", ast.Repeat)
def exhaustible_choice(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A repetition that takes from a zone again and again, without an alternative when it is empty."""
    for loop in nodes_of(decl, ast.Repeat):
        if loop.mode == "forever":
            continue
        bounded = reads(index, (loop.value, loop.at_most))
        conditional = {id(choice) for choice in _conditional(loop)}
        for block in blocks(nodes(loop)):
            for choice in block:
                if not isinstance(choice, ast.Choose) or choice.optional or choice.otherwise is not None:
                    continue
                if id(choice) in conditional:
                    continue
                zone = rooted(choice.source)
                if index.zone_order(zone) is None or zone in bounded or _looks(loop, zone, index):
                    continue
                if choice.many is None and _takes(loop, choice.name) and not _fills(loop, zone):
                    message = f"`{zone}` may be empty before this is over: then nothing can be chosen"
                    yield Finding(message, choice.span, hint=f"add an `else`, or repeat at most `size({zone}…)` times")


def _conditional(loop: ast.Clause) -> Iterator[ast.Choose]:
    """The choices whose answers decide whether what they stand in is offered at all, so that no alternative is needed:
    the first ones of options, and of what a player repeats as often as they like."""
    for node in nodes(loop):
        match node:
            case ast.Option(body=body):
                yield from _opening(body)
            case ast.Repeats(many=ast.Many(mode="up to" | "any number"), body=body):
                yield from _opening(body)
            case _:
                pass


def _opening(body: tuple[ast.Stmt, ...]) -> Iterator[ast.Choose]:
    """The choices that may come first in a body."""
    for statement in body:
        match statement:
            case ast.Choose():
                yield statement
            case ast.Step(body=inner):
                yield from _opening(inner)
            case ast.If(branches=branches, otherwise=otherwise):
                for inner in (*(branch.body for branch in branches), otherwise):
                    yield from _opening(inner)
            case _:
                pass
        if not isinstance(statement, (ast.Forbid, ast.Obey, ast.Let, ast.DoNothing, ast.If)):
            return


def _looks(loop: ast.Repeat, zone: str, index: RuleIndex) -> bool:
    """True if some condition in a repetition looks at a zone."""
    return any(isinstance(n, ast.Branch) and zone in reads(index, n.condition) for n in nodes(loop.body))


def _takes(loop: ast.Repeat, name: str) -> bool:
    return any(isinstance(n, ast.Move) and n.what == ast.Name(name) for n in nodes(loop.body))


def _fills(loop: ast.Clause, zone: str) -> bool:
    return any(isinstance(n, (ast.Move, ast.Draw)) and zone in roots(n.to) for n in nodes(loop))


_MOST = 40
"""So many restrictions of one choice are compared with each other."""


@lint_declarations("CHO301", ast.Choose)
def choice_without_answer(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Choices from which nothing can ever be chosen."""
    truths = ConditionAnalysis(decl, index)
    for choice in nodes_of(decl, ast.Choose):
        if isinstance(choice.source, (ast.SetOf, ast.ListOf)) and not choice.source.items:
            yield Finding(f"there is nothing to choose `{choice.name}` from", choice.source.span)
        refusals = [r for r in choice.restrictions[:_MOST] if isinstance(r, ast.Forbid) and not r.unless]
        for late, refusal in enumerate(refusals):
            if choice.where is not None and always_follows(choice.where, refusal.condition, truths):
                yield Finding(f"`{refusal.label}` refuses everything that `where` allows", refusal.span)
            for other in refusals[:late]:
                parts = [*operands(other.condition, "or"), *operands(refusal.condition, "or")]
                if all(truths.truth(p) is None for p in parts) and truths.always(parts):
                    message = f"`{other.label}` and `{refusal.label}` together refuse everything"
                    yield Finding(message, refusal.span)


@lint_declarations("CHO316", ast.Choose)
def question_of_nothing(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Questions that must be answered from a zone in which nothing begins, without a look at it anywhere before."""
    offered = {id(choice) for choice in _conditional(decl)}
    for choice in nodes_of(decl, ast.Choose):
        some = choice.optional or (choice.many is not None and choice.many.mode != "exactly")
        if some or choice.otherwise is not None or id(choice) in offered or not _is_zone(choice.source, index):
            continue
        zone = rooted(choice.source)
        if _fills(decl, zone) or looks_at(decl, zone, index) or callers_look(index, name_of(decl) or "", zone):
            continue
        if not _begins_with_some(index, zone):
            message = f"`{zone}` may be empty: then nothing can be chosen, and the rules stop"
            yield Finding(message, choice.span, hint="add an `else`, or look before: `if … is not empty`")


def _is_zone(source: ast.Expr, index: RuleIndex) -> bool:
    operand = source.operand if isinstance(source, ast.Index) else source
    return isinstance(operand, ast.Name) and index.zone_order(operand.name) is not None


@tracked_query
def _begins_with_some(index: RuleIndex, zone: str) -> bool:
    """True if pieces lie in a zone when a game begins."""
    return any(at[0] == zone for at in index.game.program.begins)


_QUIET = (ast.DoNothing, ast.Tell, ast.Show)
"""Statements that change nothing of the game."""
_EVERYWHERE = frozenset(("regions", "players"))
_DOES = (ast.Assign, ast.AssignAll, ast.Move, ast.MoveHeld, ast.Flip)
"""Statements after which it is known what has changed."""


@lint_declarations("CHO315", ast.Option, ast.Repeats)
def dead_end(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Questions without an answer behind what is offered and begun already."""
    for node in nodes_of(decl, ast.Option, ast.Repeats):
        assert isinstance(node, ast.Option | ast.Repeats)
        if isinstance(node, ast.Option):
            yield from _Offer(f"`{node.label}`", index, node.restrictions).body(node.body)
        elif node.many.mode in ("any number", "up to"):
            yield from _Offer(f"`{node.label}`" if node.label else "this", index, ()).body(node.body)


class _Offer:
    """An option that a player may choose, and the statements since."""

    def __init__(self, name: str, index: RuleIndex, restrictions: Sequence[ast.Restriction]) -> None:
        self.name, self.index = name, index
        self.lets: set[str] = set()
        self.read: Words = self._looked_at(restrictions)
        """All that conditions on the way have looked at: they may say that there is an answer."""
        self.changed: Words | None = None
        """All that was changed before the first question; None if nothing was done yet."""
        self.answers: list[ast.Choose] = []

    def body(self, body: Sequence[ast.Stmt]) -> Iterator[Finding]:
        """The questions of a body, as long as it runs straight on."""
        for statement in body:
            if isinstance(statement, ast.Choose):
                yield from self._question(statement)
                if statement.then is not None:
                    return
                self.answers.append(statement)
                self.read |= self._looked_at(statement.where, statement.restrictions)
            elif isinstance(statement, ast.Either):
                if statement.otherwise is None:
                    yield from self._either(statement)
                return
            elif isinstance(statement, ast.Forbid | ast.Obey):
                self.read |= self._looked_at(statement)
            elif isinstance(statement, ast.Let):
                self.lets.add(f"local {statement.name}")
            elif isinstance(statement, _DOES):
                self._did(statement)
            elif isinstance(statement, ast.CallStatement):
                yield from self._called(statement)
                return
            elif not isinstance(statement, _QUIET):
                return

    def _did(self, statement: ast.Stmt) -> None:
        changed = writes(self.index, statement)
        if isinstance(statement, ast.Assign) and statement.op == "-=":
            self.read -= changed  # what was enough before may not be now
            changed = frozenset()
        self.changed = changed if self.changed is None else self.changed | changed

    def _called(self, statement: ast.CallStatement) -> Iterator[Finding]:
        """The questions of a procedure that is called when a price was paid already, reported where it is called."""
        call = statement.call.operand if isinstance(statement.call, ast.Call) else statement.call
        decl = self.index.decl_named(call.name) if isinstance(call, ast.Name) else None
        if self.changed is not None and isinstance(decl, ast.Callable):
            for found in self.body(decl.body):
                yield replace(found, span=statement.span)

    def _looked_at(self, *parts: object) -> Words:
        """All that conditions depend on, besides the players and names that stand for anything."""
        words = reads(self.index, parts)
        return frozenset(w for w in words - _EVERYWHERE if not w.startswith("local ") or w in self.lets)

    def _question(self, choice: ast.Choose) -> Iterator[Finding]:
        if choice.optional or choice.otherwise is not None or not _may_have_none(choice, self.index):
            return
        hint = self._why(choice.source, choice.where, choice.restrictions)
        if hint:
            message = f"{self.name} is offered although there may be no `{choice.name}` to choose here"
            yield Finding(message, choice.source.span, hint=hint)

    def _either(self, either: ast.Either) -> Iterator[Finding]:
        openings = [_guards(option, self.index) for option in either.options]
        if None in openings:
            return
        hint = self._why(*(part for opening in openings for part in opening or ()))
        if hint:
            message = f"{self.name} is offered although none of these options may be left"
            yield Finding(message, either.who.span, hint=hint)

    def _why(self, *parts: object) -> str:
        """The advice, if a question may be without an answer in spite of all conditions before it."""
        looked_at = self._looked_at(parts)
        if self.read & looked_at:
            return ""
        if self.answers:
            last = self.answers[-1]
            named = {name for part in _nodes(parts) for name in named_in(part)}
            if last.leading or last.many is not None or last.name not in named or self.changed is not None:
                return ""
            return f"only a `{last.name}` that leads on may be chosen: `from {print_expr(last.source)}…, leading on`"
        if self.changed is None or self.changed & looked_at:
            return ""
        return "put the question first, or `forbid` the option where there is none"


def _nodes(parts: Sequence[object]) -> Iterator[ast.Node]:
    for part in parts:
        if isinstance(part, ast.Node):
            yield part
        elif isinstance(part, tuple):
            yield from _nodes(part)


def _may_have_none(choice: ast.Choose, index: RuleIndex) -> bool:
    """True if a question restricts its options, or takes them from a zone."""
    if choice.where is not None or any(isinstance(r, ast.Forbid | ast.Obey) for r in choice.restrictions):
        return True
    source = choice.source
    if isinstance(source, ast.Index):
        source = source.operand
    if isinstance(source, ast.Name):
        return index.zone_order(source.name) is not None
    return isinstance(source, ast.Comprehension) and (source.where is not None)


def _guards(option: ast.Option, index: RuleIndex) -> tuple[object, ...] | None:
    """The questions of an option before it is offered; None if nothing may keep it from that."""
    found: list[object] = list(option.restrictions)
    for statement in option.body:
        if isinstance(statement, ast.Forbid | ast.Obey):
            found.append(statement)
        elif isinstance(statement, ast.Choose):
            if not statement.optional and statement.otherwise is None and _may_have_none(statement, index):
                found += [statement.source, statement.where, statement.restrictions]
            break
        elif not isinstance(statement, ast.Let | ast.DoNothing):
            break
    return tuple(found) or None


@lint("CHO312")
def invalidated_answer(subject: Subject) -> Iterator[Finding]:
    """Questions without ``else`` of which an interruption may take away every answer."""
    reported: set[Span] = set()
    for index in (game.ask(ProgramIndex) for game in subject.games):
        for function, label, thieves in _open_questions(index):
            span = first_span(index.game, f"{function}.{label}", function)
            if span not in reported:
                reported.add(span)
                who = " or ".join(f"`{name}`" for name in thieves)
                message = f"{who} may take away what `{label}` is chosen from while it is asked"
                yield Finding(message, span, "then nothing is done with the answer: say by `else` what happens instead")


@memoized_by_code
def _open_questions(index: ProgramIndex) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Questions that must be answered (function, label), with the interruptions that change what is offered there."""
    numbers = {f"field {f.name}" for f in index.program.fields if f.ty.universe in ("Int", "")}
    functions = {f.name: f for f in index.program.functions}
    written: dict[str, Tokens] = {}
    found: list[tuple[str, str, tuple[str, ...]]] = []
    for function in (f for f in functions.values() if index.concerns(f.name)):
        for i in _must_be_answered(function):
            reads = index.effects.reads(i.source) if i.source is not None else NOTHING
            offered = {token for token in reads - numbers if token.startswith(("zone ", "field "))}
            thieves = []
            for name in (extra.key for extra in i.extras if extra.key in functions):
                if name not in written:
                    written[name] = _written(name, functions, index)
                if written[name] & offered:
                    thieves.append(name)
            if thieves:
                found.append((function.name, i.label, tuple(thieves)))
    return tuple(found)


@memoized_by_node
def _must_be_answered(function: m.Function) -> tuple[m.Choose, ...]:
    """The questions that may be interrupted and can end with an answer only."""
    questions = (i for i in function.code if isinstance(i, m.Choose))
    choices = (i for i in questions if i.source is not None and i.on_empty is None and not i.secret)
    return tuple(i for i in choices if i.extras and all(extra.aside for extra in i.extras))


def _written(name: str, functions: dict[str, m.Function], index: ProgramIndex) -> Tokens:
    """The writes of a function, with all that it calls."""
    reached, todo, found = {name}, [name], NOTHING
    while todo:
        writes, called = _own_effects(functions[todo.pop()], index)
        found |= writes
        todo += called - reached
        reached |= called
    return found


@traced_by_node
def _own_effects(function: m.Function, index: ProgramIndex) -> tuple[Tokens, frozenset[str]]:
    """The writes of a function itself, and the functions that it calls."""
    index.declared()
    writes = NOTHING.union(*map(index.effects.writes, function.code))
    return writes, frozenset(i.function for i in function.code if isinstance(i, m.Call))


@lint_declarations("CHO304", ast.Choose, ast.Either)
def single_option(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Questions that have one answer."""
    for node in nodes_of(decl, ast.Choose, ast.Either):
        match node:
            case ast.Choose(who=who, optional=False, source=source) if who != ast.Name("chance"):
                if _one_member(source, index):
                    message = f"there is only one answer: {print_expr(source)}"
                    yield Finding(
                        message, source.span, hint=f"without a question: let {node.name} = …; or `may choose`"
                    )
            case ast.Either(options=(only,)):
                hint = "ask `may choose`, or do it without a question"
                yield Finding(f"`{only.label}` is the only option", node.span, hint=hint)
            case _:
                pass  # all else is in order


def _one_member(source: ast.Expr, index: RuleIndex) -> bool:
    match source:
        case ast.SetOf((_,)) | ast.ListOf((_,)):
            return True
        case ast.Range(low, high):
            return low == high or (index.value_of(low) is not None and index.value_of(low) == index.value_of(high))
        case _:
            return False
