"""Lowering of steps and of what leaves them: ``stop``, ``return`` and restrictions as statements."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import reduce
from operator import or_

from rulewright.compiler.lowering.expressions.coercions import NONE_VALUE
from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import Block, Ends, FunctionBuilder, Loop, not_refused
from rulewright.compiler.lowering.lowering_context import LowerBlock, LoweringContext, Windows
from rulewright.compiler.lowering.statements.procedure_calls import ProcedureCallLowerer
from rulewright.compiler.lowering.statements.restrictions import RestrictionLowerer
from rulewright.compiler.symbols.static_types import BOOL, Type, stand_in, stands_for
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.symbols.symbols import Scope
from rulewright.ir import model as m
from rulewright.syntax import ast, print_expr


class BranchLowerer:
    """Lowers statements that go one way or another."""

    def __init__(self, expressions: ExpressionLowerer, calls: ProcedureCallLowerer, lower_block: LowerBlock) -> None:
        self.context, self.coercions, self.expressions = expressions.context, expressions.coercions, expressions
        self.world = expressions.world
        self.calls, self.lower_block = calls, lower_block

    def if_(self, s: ast.If, scope: Scope, code: FunctionBuilder) -> None:
        """The first branch whose condition holds."""
        end, around, where = code.label(), scope, self.expressions.operators.narrowing.where
        for branch in s.branches:
            other = code.label()
            condition = self._condition(branch.condition, scope, code)
            code.add(m.JumpUnless(condition, other))
            self.lower_block(branch.body, where(branch.condition, scope, pure=False).inner(), code)
            code.add(m.Jump(end))
            code.mark(other)
            scope = where(branch.condition, scope, False, pure=False)
        self.lower_block(s.otherwise, scope.inner(), code)
        code.mark(end)
        if all(isinstance(statement, ast.Stop | ast.Return) for branch in s.branches for statement in branch.body[-1:]):
            around.names |= scope.since(around)  # what follows is reached where no branch was taken

    def _condition(self, expr: ast.Expr, scope: Scope, code: FunctionBuilder) -> m.Expr:
        """A condition; ``if procedure(…)`` runs the procedure and asks what it gave back."""
        got = self.calls.result_of(expr, scope, code)
        if got is None:
            return self.expressions.truth(expr, scope)
        if got[1].kind not in ("bool", "any"):
            self.context.mismatch("true or false", got[1], expr.span, "a condition")
        return m.Local(got[0])

    def match(self, s: ast.Match, scope: Scope, code: FunctionBuilder) -> None:
        """The arm that has the value of the subject; each value has one."""
        end = code.label()
        subject = self.coercions.item(self.expressions.lower(s.subject, scope))
        if subject.type.is_collection:
            self.context.mismatch("a single thing", subject.type, s.subject.span, "the matched value")
            return
        seen: dict[m.Expr, ast.Expr] = {}
        kinds: dict[str, ast.Expr] = {}
        unclear, narrowing = False, self.expressions.operators.narrowing
        for arm in s.arms:
            other = code.label()
            for value in arm.values:
                if isinstance(value, ast.TypeName):
                    self._reached(value, arm, next((kinds[k] for k in self._above(value.name) if k in kinds), None))
                    kinds.setdefault(value.name, value)
                    continue
                found = self.expressions.lower(value, scope, subject.type)
                if found.type.kind == "any" or self.coercions.common(subject, found) is None:
                    unclear = True
                    continue
                self._reached(value, arm, seen.get(found.ir) if isinstance(found.ir, m.Const) else None)
                seen.setdefault(found.ir, value)
            code.add(m.JumpUnless(self.expressions.is_one_of(s.subject, arm.values, scope), other))
            self.lower_block(arm.body, narrowing.arm(s.subject, arm, scope).inner(), code)
            code.add(m.Jump(end))
            code.mark(other)
            scope = narrowing.arm(s.subject, arm, scope, False)
        if s.otherwise is not None:
            self.lower_block(s.otherwise.body, scope.inner(), code)
        elif self.world.is_enum(subject.type.universe) or kinds:
            missing = self._unhandled(subject.type, seen, kinds)
            if missing and not unclear:
                self.context.error(
                    "TYP223",
                    f"no arm handles {', '.join(f'`{k}`' for k in missing)}",
                    s.span,
                    hint="add arms, or `otherwise`",
                )
        code.mark(end)

    def _above(self, kind: str) -> list[str]:
        """A kind and those that it is one of."""
        return self.world.ancestors(kind) or [kind]

    def _reached(self, value: ast.Expr, arm: ast.Arm, above: ast.Expr | None) -> None:
        """Report a value of an arm that one `above` has already."""
        if above is not None:
            place = value.span if value.span.line >= arm.span.line else arm.span  # else it stands for a value
            what = f"`{print_expr(above)}` is handled above, in line {above.span.line}"
            self.context.error("CTL111", f"this arm can never be reached: {what}", place)

    def _unhandled(self, type: Type, seen: Mapping[m.Expr, ast.Expr], kinds: Collection[str]) -> list[str]:
        """The values of an enum, or the kinds of several, for which no arm of a ``match`` stands."""
        world = self.world
        if type.universe == "Piece":
            every = {k: world.kinds[k].members for k in type.kinds or world.kinds}
            named = (known for k in kinds for known in (k, stand_in(k)) if known in world.kinds)
            handled = reduce(or_, (world.kinds[known].members for known in named), 0)
            return [stands_for(k) or k for k, members in every.items() if members & ~handled]
        parts = world.unions.get(type.universe, {})
        numbers = {n for part, at in parts.items() if part in kinds for n in range(at, at + world.size(part))}
        left = [n for n in range(world.size(type.universe)) if m.Const(n) not in seen and n not in numbers]
        whole = {part: range(at, at + world.size(part)) for part, at in parts.items()}
        missing = [part for part, own in whole.items() if part[0].isupper() and {*own} <= {*left}]
        inside = {n for part in missing for n in whole[part]}
        return [*missing, *(world.key(type.universe, n) for n in left if n not in inside)]


class BlockLowerer:
    """Lowers the beginning and the end of steps and functions."""

    def __init__(self, world: SymbolTable, ends: Ends, watched: frozenset[str]) -> None:
        self.world, self.ends = world, ends
        self.watched = watched
        """Blocks that properties mention."""

    def enter(self, label: str, rule: str, code: FunctionBuilder) -> Block:
        """The beginning of a block: fields of the block are reset, and observers are notified."""
        mark = self.world.marks.get(label)
        block = Block(label, self._lasting(label), code.slot(mark, BOOL) if mark is not None else None)
        self._forget(block, code)
        if mark is not None and block.before is not None:
            code.add(m.SetLocal(block.before, m.FieldGet(mark, ())), m.SetField(mark, (), m.Const(1)))
        code.add(m.Fired(rule))
        self._observe(label, False, code)
        code.blocks.append(block)
        return block

    def exit(self, block: Block, code: FunctionBuilder) -> None:
        """The end of a block: fields are reset, observers notified, and ends of the game looked for."""
        if block.before is not None:
            code.add(m.SetField(self.world.marks[block.label], (), m.Local(block.before)))
        self._forget(block, code)
        self._observe(block.label, True, code)
        ends = self.ends.looked[block.label] = tuple(self.ends.after.get(block.label, ()))
        for end in ends:
            self._check_end(end, code)

    def leave(self, down_to: int, code: FunctionBuilder) -> None:
        """Before a jump out of blocks: all that belongs to their end, innermost first."""
        for block in reversed(code.blocks[down_to:]):
            self.exit(block, code)

    def _lasting(self, block: str) -> tuple[str, ...]:
        """Fields that last as long as a block."""
        return tuple(n for n, f in self.world.fields.items() if f.lasting == block)

    def _forget(self, block: Block, code: FunctionBuilder) -> None:
        start = len(code.items)
        if block.fields:
            code.add(m.Reset(block.fields))
            code.settle(start)

    def _observe(self, block: str, leaving: bool, code: FunctionBuilder) -> None:
        """Notify observers that a block begins or ends, if a property mentions it."""
        if block in self.watched:
            code.add(m.Observe(block, leaving))

    def _check_end(self, name: str, code: FunctionBuilder) -> None:
        """Look for an end of the game here."""
        self.world.lookups["match", name] = None
        one = code.slot(name, self.ends.types[name])
        on = code.label()
        code.add(m.SetLocal(one, self.ends.matches[name]))
        code.add(m.JumpUnless(m.Cmp("ne", m.Local(one), NONE_VALUE, nothing=True), on))
        code.add(m.Call(name, (m.Local(one),), None, code.place(name)))
        code.mark(on)


class ControlFlowLowerer:
    """Lowers ``step``, ``stop``, ``return``, and ``forbid`` and ``obey`` at the head of a procedure."""

    def __init__(
        self,
        expressions: ExpressionLowerer,
        restrictions: RestrictionLowerer,
        blocks: BlockLowerer,
        lower_block: LowerBlock,
    ) -> None:
        self.context, self.expressions, self.restrictions = expressions.context, expressions, restrictions
        self.blocks, self.lower_block = blocks, lower_block

    def restriction(self, s: ast.Forbid | ast.Obey, scope: Scope, code: FunctionBuilder) -> None:
        """A restriction as a statement: if it refuses, the procedure ends here."""
        for restriction in self.restrictions.lower((s,), scope, code.name):
            on = code.label()
            code.add(m.JumpUnless(m.Not(not_refused(restriction)), on))
            self.blocks.leave(1, code)
            code.add(m.Jump(code.exit))
            code.mark(on)

    def step(self, s: ast.Step, scope: Scope, code: FunctionBuilder) -> None:
        """``step label``."""
        end = code.label()
        code.loops.append(Loop(s.label, True, end, len(code.blocks)))
        block = self.blocks.enter(s.label, f"{code.name}.{s.label}", code)
        self.lower_block(s.body, scope.inner(), code)
        code.blocks.pop()
        code.loops.pop()
        code.mark(end)
        self.blocks.exit(block, code)

    def stop(self, s: ast.Stop, code: FunctionBuilder) -> None:
        """``stop [label]``."""
        for loop in reversed(code.loops):
            if (s.label is None and not loop.is_step) or (s.label is not None and loop.label == s.label):
                self.blocks.leave(loop.blocks + (1 if loop.is_step else 0), code)
                code.add(m.Jump(loop.end))
                return
        if s.label is None:
            self.context.error("CTL112", "there is no repetition to stop", s.span)
        else:
            known = [p.label for p in code.loops if p.label]
            self.context.unknown("step or repetition", s.label, known, s.span, "CTL112")

    def return_(self, s: ast.Return, scope: Scope, code: FunctionBuilder) -> None:
        """``return [e]``."""
        if s.value is not None:
            if code.result is None:
                self.context.error(
                    "TYP224",
                    f"`{code.name}` returns nothing",
                    s.span,
                    hint="declare its result: `procedure name(…) -> Type`",
                )
            else:
                value = self.expressions.given(s.value, scope, code.result, f"the result of `{code.name}`")
                code.add(m.SetLocal(code.result_slot or 0, value))
        elif code.result is not None:
            self.context.error("TYP224", f"`{code.name}` must return a {code.result}", s.span)
        self.blocks.leave(1, code)
        code.add(m.Jump(code.exit))


EMPTY: dict[str, m.Expr] = {
    "set": m.Const(0),
    "list": m.ListConst(()),
    "bool": m.Const(0),
    "int": NONE_VALUE,
    "entity": NONE_VALUE,
    "any": NONE_VALUE,
    "none": NONE_VALUE,
}


class FunctionLowerer:
    """Lowers effects, procedures, phases, reactions, consequences and ends."""

    def __init__(
        self, context: LoweringContext, blocks: BlockLowerer, windows: Windows, lower_block: LowerBlock
    ) -> None:
        self.context, self.blocks, self.windows, self.lower_block = context, blocks, windows, lower_block

    def lower(
        self,
        code: FunctionBuilder,
        params: tuple[tuple[str, Type], ...],
        body: tuple[ast.Stmt, ...],
        changing: int = 0,
        begin: Callable[[Scope, FunctionBuilder], None] | None = None,
    ) -> None:
        """The code of a whole function, from its parameters to its end; the first `changing` parameters may change, and
        `begin` gives further names before the block begins."""
        scope = Scope()
        for number, (name, type) in enumerate(params):
            self.context.bind_slot(code, scope, name, type, changes=number < changing)
        code.params = len(params)
        if begin is not None:
            begin(scope, code)
        if code.result is not None:
            code.result_slot = code.slot("result", code.result.or_none())
            code.add(m.SetLocal(code.result_slot, EMPTY[code.result.kind]))
        code.exit = code.label()
        block = self.blocks.enter(code.name, code.name, code)
        self.windows.opening(code)
        self.lower_block(body, scope, code)
        code.blocks.pop()
        code.mark(code.exit)
        self.windows.closing(code)
        self.blocks.exit(block, code)
        code.add(m.Return(m.Local(code.result_slot) if code.result_slot is not None else None))
