"""The statement lowerer: the bodies of effects, procedures, phases and reactions."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from rulewright.compiler.lowering.choices.chance_statements import ChanceLowerer
from rulewright.compiler.lowering.choices.choices import ChoiceLowerer, LabelledOptionLowerer
from rulewright.compiler.lowering.choices.choices_of_many import ChoiceOfManyLowerer
from rulewright.compiler.lowering.choices.possibility import PossibilityLowerer
from rulewright.compiler.lowering.choices.repeats import RepeatsLowerer, passed_over
from rulewright.compiler.lowering.choices.simultaneous_choices import SimultaneousChoiceLowerer
from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import YES, FunctionBuilder, Later, StatementCode
from rulewright.compiler.lowering.lowering_context import Interruptions, Windows
from rulewright.compiler.lowering.statements.assignments import AssignmentLowerer, ParallelAssignmentLowerer
from rulewright.compiler.lowering.statements.control_flow import BlockLowerer, BranchLowerer, ControlFlowLowerer
from rulewright.compiler.lowering.statements.endings import EndingLowerer, PaymentLowerer
from rulewright.compiler.lowering.statements.loops import LoopLowerer
from rulewright.compiler.lowering.statements.piece_statements import PieceLowerer
from rulewright.compiler.lowering.statements.procedure_calls import ProcedureCallLowerer
from rulewright.compiler.lowering.statements.restrictions import DeciderLowerer, RestrictionLowerer, TellLowerer
from rulewright.compiler.symbols.symbols import Scope
from rulewright.ir import model as m
from rulewright.ir.rule_places import StatementPlace
from rulewright.syntax import ast


class StatementLowerer:
    """Lowers statements; each construct has a lowerer of its own."""

    def __init__(
        self,
        expressions: ExpressionLowerer,
        restrictions: RestrictionLowerer,
        possibility: PossibilityLowerer,
        blocks: BlockLowerer,
        windows: Windows,
        interruptions: Interruptions,
        entry: Callable[[str], str],
    ) -> None:
        context, block, deciders = expressions.context, self.block, DeciderLowerer(expressions)
        self.calls = ProcedureCallLowerer(expressions, interruptions, entry)
        self.assignments = AssignmentLowerer(expressions, self.calls, block)
        self.pieces = PieceLowerer(expressions, self.lower)
        self.parallel_assignments = ParallelAssignmentLowerer(expressions, self.assignments)
        self.lines = TellLowerer(expressions)
        self.endings = EndingLowerer(expressions)
        self.payments = PaymentLowerer(expressions, self.endings)
        self.chances = ChanceLowerer(expressions, deciders, self.pieces, windows)
        many = ChoiceOfManyLowerer(expressions, restrictions, deciders, interruptions, block)
        self.choices = ChoiceLowerer(
            expressions, restrictions, deciders, interruptions, self.chances, many, possibility, block
        )
        self.labelled_options = LabelledOptionLowerer(
            expressions, restrictions, possibility, deciders, interruptions, block
        )
        self.repeats = RepeatsLowerer(
            context, possibility, deciders, interruptions, self.choices, many, self.labelled_options, block
        )
        self.branches = BranchLowerer(expressions, self.calls, block)
        simultaneous = SimultaneousChoiceLowerer(expressions, possibility, block)
        self.loops = LoopLowerer(expressions, deciders, simultaneous.lower, blocks.ends, block)
        self.control_flow = ControlFlowLowerer(expressions, restrictions, blocks, block)

    def block(self, body: tuple[ast.Stmt, ...], scope: Scope, code: FunctionBuilder) -> None:
        """Lower statements one after the other; those that others see wait where one of several decides alone."""
        if code.alone is not None and (divided := code.alone.branches.get(id(body))) is not None:
            count, taken = divided
            self.block(body[:count], scope, code)
            code.add(m.SetLocal(taken, YES))
            code.alone.later.append(Later(body[count:], scope, taken, tuple(code.loops)))
            return
        for number, statement in enumerate(body, 1):
            if not code.unsure:
                self.lower(statement, scope, code, body[number:])
                continue
            at, before, known = len(code.items), dict(code.unsure), set(scope.names)
            code.mark(code.label())
            self.lower(statement, scope, code, body[number:])
            passed_over(code, at, before, scope, known)

    def lower(self, s: ast.Stmt, scope: Scope, code: FunctionBuilder, rest: tuple[ast.Stmt, ...] = ()) -> None:
        """Lower any statement; `rest` are those behind it."""
        begin = len(code.items)
        if code.alone is not None:
            code.alone.spans.append((begin, s.span))
        self._lower(s, scope, code, rest)
        code.statements.append(StatementCode(begin, len(code.items), StatementPlace(s.span, s.trivia.cites)))

    def _lower(self, s: ast.Stmt, scope: Scope, code: FunctionBuilder, rest: tuple[ast.Stmt, ...]) -> None:
        match s:
            case ast.Let():
                self.assignments.let(s, scope, code)
            case ast.Assign():
                self.assignments.assign(s, scope, code)
            case ast.AssignAll():
                self.parallel_assignments.assign(s, scope, code)
            case ast.MoveHeld():
                self.parallel_assignments.move(s, scope, code)
            case ast.DoNothing():
                pass
            case ast.CallStatement():
                self.calls.do(s, scope, code)
            case ast.Move():
                self.pieces.move(s, scope, code)
            case ast.Draw():
                self.chances.draw(s, scope, code)
            case ast.Flip():
                self.pieces.flip(s, scope, code)
            case ast.Show():
                self.pieces.show(s, scope, code)
            case ast.Tell():
                self.lines.lower(s, scope, code)
            case ast.Shuffle():
                self.chances.shuffle(s, scope, code)
            case ast.Merge():
                self.pieces.merge(s, scope, code)
            case ast.Roll():
                self.chances.roll(s, scope, code)
            case ast.Win():
                self.endings.win(s, scope, code)
            case ast.NobodyWins():
                self.endings.no_winner(code)
            case ast.DrawnGame():
                self.endings.draw(code)
            case ast.RankAll():
                self.endings.rank(s, scope, code)
            case ast.PayAll():
                self.payments.pay_all(s, scope, code)
            case ast.Reward():
                self.payments.reward(s, scope, code)
            case ast.Choose():
                self.choices.choose(s, scope, code, rest=rest)
            case ast.Either():
                self.labelled_options.choose(s, scope, code)
            case ast.Repeats():
                self.repeats.lower(s, scope, code)
            case ast.If():
                self.branches.if_(s, scope, code)
            case ast.Match():
                self.branches.match(s, scope, code)
            case ast.Each():
                self.loops.each(s, scope, code)
            case ast.Repeat():
                self.loops.repeat(s, scope, code)
            case ast.Step():
                self.control_flow.step(s, scope, code)
            case ast.Stop():
                self.control_flow.stop(s, code)
            case ast.Return():
                self.control_flow.return_(s, scope, code)
            case ast.Forbid() | ast.Obey():
                self.control_flow.restriction(s, scope, code)
            case ast.Proceed():
                self.calls.proceed(s, code)
            case _:
                assert_never(s)
