"""CHO315: an option that may end nowhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulewright.compiler.tree_walk import named_in
from rulewright.lint.analyses.control_flow import Words
from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.flow_questions import reads, writes
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr

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
        openings = [_opening(option, self.index) for option in either.options]
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


def _opening(option: ast.Option, index: RuleIndex) -> tuple[object, ...] | None:
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
