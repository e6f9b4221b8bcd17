"""Lowering of control flow: conditions, steps and whole bodies."""

from __future__ import annotations

from rulewright.compiler.lowering.coercions import NONE_VALUE
from rulewright.compiler.lowering.function_builder import Block, Ends, FunctionBuilder, Loop
from rulewright.compiler.lowering.loops import Loops
from rulewright.compiler.symbols.scope import Binding, Scope
from rulewright.compiler.symbols.static_types import ANY, Type
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.diagnostics import Report
from rulewright.ir import model as m
from rulewright.syntax import ast

EMPTY: dict[str, m.Expr] = {
    "set": m.Const(0),
    "list": m.ListConst(()),
    "bool": m.Const(0),
    "int": NONE_VALUE,
    "entity": NONE_VALUE,
    "any": NONE_VALUE,
    "none": NONE_VALUE,
}


class Statements(Loops):
    """Lowers the bodies of effects, procedures and phases."""

    def __init__(self, world: SymbolTable, report: Report) -> None:
        super().__init__(world, report)
        self.ends = Ends()
        self.watched: frozenset[str] = frozenset()
        """Blocks that properties speak of."""

    def statement(self, s: ast.Stmt, scope: Scope, code: FunctionBuilder) -> None:
        """Lower any statement."""
        match s:
            case ast.Let():
                self.let(s, scope, code)
            case ast.Assign():
                self._assign_or_call(s, scope, code)
            case ast.CallStatement():
                self.do(s, scope, code)
            case ast.Move():
                self.move(s, scope, code)
            case ast.Draw():
                self.draw(s, scope, code)
            case ast.Flip():
                self.flip(s, scope, code)
            case ast.Show():
                self.show(s, scope, code)
            case ast.Shuffle():
                self.shuffle(s, scope, code)
            case ast.Merge():
                self.merge(s, scope, code)
            case ast.Roll():
                self.roll(s, scope, code)
            case ast.Win():
                self.win(s, scope, code)
            case ast.RankAll():
                self.rank(s, scope, code)
            case ast.Choose():
                self.choose(s, scope, code)
            case ast.Either():
                self.either(s, scope, code)
            case ast.Repeats():
                self.repeats(s, scope, code)
            case ast.If():
                self._if(s, scope, code)
            case ast.Match():
                self._match(s, scope, code)
            case ast.Each():
                self._each(s, scope, code)
            case ast.Repeat():
                self._repeat(s, scope, code)
            case ast.Step():
                self._step(s, scope, code)
            case ast.Stop():
                self._stop(s, code)
            case ast.Return():
                self._return(s, scope, code)
            case ast.Forbid() | ast.Obey():
                self._head(s, scope, code)
            case ast.Proceed():
                self.proceed(s, code)

    def proceed(self, s: ast.Proceed, code: FunctionBuilder) -> None:
        """``proceed`` means something only in an ``instead of`` reaction."""
        self.report.error("TRG306", "`proceed` stands only in an `instead of` reaction", s.span)

    def _assign_or_call(self, s: ast.Assign, scope: Scope, code: FunctionBuilder) -> None:
        """``x = procedure(…)`` runs the procedure; anything else is a plain assignment."""
        got = self._result_of(s.value, scope, code)
        if got is None:
            self.assign(s, scope, code)
            return
        slot, type = got
        name = "result of a call"
        inner = scope.inner(**{name: Binding(self.read(m.Local(slot), type), type)})
        self.block((ast.Assign(s.target, s.op, ast.Name(name, span=s.value.span), span=s.span),), inner, code)

    def _result_of(self, expr: ast.Expr, scope: Scope, code: FunctionBuilder) -> tuple[int, Type] | None:
        """If an expression calls a procedure, run it: the slot and type of what it gives back."""
        if not (isinstance(expr, ast.Call) and isinstance(expr.operand, ast.Name)):
            return None
        info = self.world.calls.get(expr.operand.name)
        if info is None:
            return None
        if info.result is None:
            self.report.error("TYP222", f"`{expr.operand.name}` gives nothing back", expr.span)
        type = info.result or ANY
        unsure = self.may_give_nothing(expr.operand.name)
        slot = code.slot("result", type.or_none() if unsure else type)
        self.invoke(expr.operand.name, expr, scope, code, slot)
        if unsure:
            code.doubt(slot)
        return slot, type

    def may_give_nothing(self, name: str) -> bool:
        """Whether a procedure may come back without the result that it promises, through no fault of its own."""
        return False

    def let(self, s: ast.Let, scope: Scope, code: FunctionBuilder) -> None:
        """``let x = procedure(…)`` runs the procedure."""
        got = self._result_of(s.value, scope, code)
        if got is None:
            super().let(s, scope, code)
            return
        unsure = got[0] in code.unsure
        slot = self.bind_slot(code, scope, s.name, got[1], s.changes, unsure)
        code.add(m.SetLocal(slot, m.Local(got[0])))
        if unsure:
            code.doubt(slot)

    # ---------------------------------------------------------------------------------- conditions

    def _if(self, s: ast.If, scope: Scope, code: FunctionBuilder) -> None:
        end = code.label()
        for branch in s.branches:
            other = code.label()
            condition = self._condition(branch.condition, scope, code)
            code.add(m.JumpUnless(condition, other))
            self.block(branch.body, scope.inner(), code)
            code.add(m.Jump(end))
            code.mark(other)
        self.block(s.otherwise, scope.inner(), code)
        code.mark(end)

    def _condition(self, expr: ast.Expr, scope: Scope, code: FunctionBuilder) -> m.Expr:
        """A condition; ``if procedure(…)`` runs the procedure and asks what it gave back."""
        got = self._result_of(expr, scope, code)
        if got is None:
            return self.truth(expr, scope)
        if got[1].kind not in ("bool", "any"):
            self.mismatch("true or false", got[1], expr.span, "a condition")
        return m.Local(got[0])

    def _match(self, s: ast.Match, scope: Scope, code: FunctionBuilder) -> None:
        end = code.label()
        subject = self.item(self.lower(s.subject, scope))
        if subject.type.is_collection:
            self.mismatch("a single thing", subject.type, s.subject.span, "what is matched")
            return
        seen: set[m.Expr] = set()
        unclear = False
        for arm in s.arms:
            other = code.label()
            for value in arm.values:
                found = self.lower(value, scope, subject.type)
                if found.type.kind == "any" or self.common(subject, found) is None:
                    unclear = True
                    continue
                if found.ir in seen and isinstance(found.ir, m.Const):
                    self.report.error("CTL111", "this arm can never be reached: the value stands above", value.span)
                seen.add(found.ir)
            code.add(m.JumpUnless(self.matches(s.subject, arm, scope), other))
            self.block(arm.body, scope.inner(), code)
            code.add(m.Jump(end))
            code.mark(other)
        if s.otherwise is not None:
            self.block(s.otherwise.body, scope.inner(), code)
        elif self.world.is_enum(subject.type.universe):
            missing = [k for i, k in enumerate(self.world.keys(subject.type.universe)) if m.Const(i) not in seen]
            if missing and not unclear:
                told = ", ".join(f"`{name}`" for name in missing)
                self.report.error("TYP223", f"no arm handles {told}", s.span, hint="add arms, or `otherwise`")
        code.mark(end)

    def _head(self, s: ast.Forbid | ast.Obey, scope: Scope, code: FunctionBuilder) -> None:
        """A restriction as a statement: if it refuses, the procedure ends here."""
        for restriction in self.restrictions((s,), scope, code.name):
            on = code.label()
            code.add(m.JumpUnless(m.Not(self.not_refused(restriction)), on))
            self._leave(1, code)
            code.add(m.Jump(code.exit))
            code.mark(on)

    # --------------------------------------------------------------------------------------- steps

    def lasting(self, block: str) -> tuple[str, ...]:
        """Fields that last as long as a block."""
        return tuple(n for n, f in self.world.fields.items() if f.lasting == block)

    def _step(self, s: ast.Step, scope: Scope, code: FunctionBuilder) -> None:
        end = code.label()
        code.loops.append(Loop(s.label, True, end, len(code.blocks)))
        block = self._enter(s.label, f"{code.name}.{s.label}", code)
        self.block(s.body, scope.inner(), code)
        code.blocks.pop()
        code.loops.pop()
        code.mark(end)
        self._exit(block, code)

    def _enter(self, label: str, rule: str, code: FunctionBuilder) -> Block:
        """The beginning of a block: what lasts as long as it forgets itself, whoever watches is told."""
        block = Block(label, self.lasting(label))
        self._forget(block, code)
        code.add(m.Fired(rule))
        self._observe(label, False, code)
        code.blocks.append(block)
        return block

    def _exit(self, block: Block, code: FunctionBuilder) -> None:
        """The end of a block: it forgets, watchers are told, and ends of the game are looked for."""
        self._forget(block, code)
        self._observe(block.label, True, code)
        ends = self.ends.looked[block.label] = tuple(self.ends.after.get(block.label, ()))
        for end in ends:
            self.check_end(end, code)

    def _leave(self, down_to: int, code: FunctionBuilder) -> None:
        """Before a jump out of blocks: all that belongs to their end, innermost first."""
        for block in reversed(code.blocks[down_to:]):
            self._exit(block, code)

    def _forget(self, block: Block, code: FunctionBuilder) -> None:
        start = len(code.items)
        if block.fields:
            code.add(m.Reset(block.fields))
            code.settle(start)

    def _observe(self, block: str, leaving: bool, code: FunctionBuilder) -> None:
        """Tell whoever watches that a block begins or is over, if a property speaks of it."""
        if block in self.watched:
            code.add(m.Observe(block, leaving))

    def check_end(self, name: str, code: FunctionBuilder) -> None:
        """Look for an end of the game here."""
        self.world.reads.update(self.ends.params[name])
        one = code.slot(name, self.ends.types[name])
        on = code.label()
        code.add(m.SetLocal(one, self.ends.matches[name]))
        code.add(m.JumpUnless(m.Cmp("ne", m.Local(one), NONE_VALUE, nothing=True), on))
        code.add(m.Call(name, (m.Local(one),), None, code.place(name)))
        code.mark(on)

    def _stop(self, s: ast.Stop, code: FunctionBuilder) -> None:
        for loop in reversed(code.loops):
            if (s.label is None and not loop.is_step) or (s.label is not None and loop.label == s.label):
                self._leave(loop.blocks + (1 if loop.is_step else 0), code)
                code.add(m.Jump(loop.end))
                return
        if s.label is None:
            self.report.error("CTL112", "there is no repetition to stop", s.span)
        else:
            known = [p.label for p in code.loops if p.label]
            self.unknown("step or repetition", s.label, known, s.span, "CTL112")

    def _return(self, s: ast.Return, scope: Scope, code: FunctionBuilder) -> None:
        if s.value is not None:
            if code.result is None:
                self.report.error(
                    "TYP224", f"`{code.name}` gives nothing back", s.span, hint="say what: `procedure name(…) -> Type`"
                )
            else:
                value = self.want(s.value, scope, code.result, "what is returned")
                code.add(m.SetLocal(code.result_slot or 0, value))
        elif code.result is not None:
            self.report.error("TYP224", f"`{code.name}` must give back a {code.result}", s.span)
        self._leave(1, code)
        code.add(m.Jump(code.exit))

    def opening(self, code: FunctionBuilder) -> None:
        """What comes before a procedure."""

    def closing(self, code: FunctionBuilder) -> None:
        """What comes when a procedure is over, wherever it has been left."""

    def function(
        self, code: FunctionBuilder, params: tuple[tuple[str, Type], ...], body: tuple[ast.Stmt, ...], changing: int = 0
    ) -> None:
        """The code of a whole function, from its parameters to its end; the first `changing` parameters may change."""
        scope = Scope()
        for number, (name, type) in enumerate(params):
            self.bind_slot(code, scope, name, type, changes=number < changing)
        code.params = len(params)
        if code.result is not None:
            code.result_slot = code.slot("result", code.result.or_none())
            code.add(m.SetLocal(code.result_slot, EMPTY[code.result.kind]))
        code.exit = code.label()
        block = self._enter(code.name, code.name, code)
        self.opening(code)
        self.block(body, scope, code)
        code.blocks.pop()
        code.mark(code.exit)
        self.closing(code)
        self._exit(block, code)
        code.add(m.Return(m.Local(code.result_slot) if code.result_slot is not None else None))
