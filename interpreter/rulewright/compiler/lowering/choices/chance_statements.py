"""Lowering of chance: draws, dice and shuffles."""

from __future__ import annotations

from rulewright.compiler.lowering.expressions.coercions import NONE_VALUE
from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.lowering.lowering_context import Windows
from rulewright.compiler.lowering.statements.piece_statements import PieceLowerer
from rulewright.compiler.lowering.statements.restrictions import DeciderLowerer
from rulewright.compiler.symbols.static_types import ANY, INT, Type, entity
from rulewright.compiler.symbols.symbols import Scope
from rulewright.foundation import limits
from rulewright.ir import model as m
from rulewright.syntax import ast


class ChanceLowerer:
    """Statements whose outcome is random."""

    def __init__(
        self, expressions: ExpressionLowerer, deciders: DeciderLowerer, pieces: PieceLowerer, windows: Windows
    ) -> None:
        self.context, self.expressions = expressions.context, expressions
        self.world = expressions.world
        self.deciders, self.pieces, self.windows = deciders, pieces, windows

    def chance(
        self, code: FunctionBuilder, label: str, universe: str, source: m.Expr, is_list: bool, into: int
    ) -> None:
        """A decision of chance from the stream of its place."""
        stream = f"{code.name}.{label}"
        self.context.streams.setdefault(stream, None)
        code.add(m.Chance(label, code.place(label), stream, universe, source, is_list, into))

    def shuffle(self, s: ast.Shuffle, scope: Scope, code: FunctionBuilder) -> None:
        """``shuffle`` a stack, row or list field: each order is equally likely (Fisher and Yates; Knuth 3.4.2)."""
        self.context.needs_procedure(code, "shuffle", s.span)
        what = self.expressions.lower(s.what, scope)
        zone, field = "", ""
        index: tuple[m.Expr, ...] = ()
        size: m.Expr
        if isinstance(what.ir, m.ZoneGet):
            zone, index = what.ir.zone, what.ir.index
            if self.world.zones[zone].order not in ("stack", "row"):
                return  # sets and bags have no order
            size = m.Size(what.ir)
        elif isinstance(what.ir, m.FieldGet) and what.type.kind == "list":
            field, index = what.ir.field, what.ir.index
            size = m.Size(what.ir, is_list=True)
        else:
            if what.type.kind != "any":
                self.context.mismatch("a stack or a list field", what.type, s.what.span, "what is shuffled")
            return
        start = len(code.items)
        last, pick = code.slot("last", INT), code.slot("pick", INT)
        again, end = code.label(), code.label()
        code.add(m.SetLocal(last, m.Arith("sub", size, m.Const(1))))
        code.mark(again)
        code.add(m.JumpUnless(m.Cmp("gt", m.Local(last), m.Const(0)), end))
        self.chance(code, f"shuffle {zone or field}", "Int", m.IntRange(m.Const(0), m.Local(last)), False, pick)
        code.add(
            m.SwapItems(zone, field, index, m.Local(last), m.Local(pick)),
            m.SetLocal(last, m.Arith("sub", m.Local(last), m.Const(1))),
            m.Jump(again),
        )
        code.mark(end)
        code.settle(start)

    def roll(self, s: ast.Roll, scope: Scope, code: FunctionBuilder) -> None:
        """``p rolls n Die as name``."""
        self.context.needs_procedure(code, "roll dice", s.span)
        who = None
        if not (isinstance(s.who, ast.Name) and s.who.name == "chance"):
            who = self.deciders.lower(s.who, scope)
        die = self.world.dice.get(s.die)
        if die is None:
            self.context.unknown("die", s.die, list(self.world.dice), s.span)
            return
        if die.kind == "int":
            universe, faces = "Int", m.Const(sum(1 << i for i in range(die.low, die.high + 1)))
        else:
            universe, faces = die.universe, m.Const((1 << self.world.size(die.universe)) - 1)
        die = self.windows.face(die)
        if s.amount is None:
            rolled = self.context.bind_slot(code, scope, s.name, die)
            self.chance(code, s.name, universe, faces, False, rolled)
            if who is not None and who[1] == "player":
                self.windows.rolled(who[0], rolled, die, code)
            return
        amount = self.expressions.number(s.amount, scope)
        if isinstance(amount, m.Const) and amount.value > limits.DICE:
            self.context.error("TYP206", f"at most {limits.DICE} dice are rolled together", s.amount.span)
        rolled = self.context.bind_slot(code, scope, s.name, die.as_list(limits.DICE))
        left, one = code.slot("left", INT), code.slot("face", die)
        again, end = code.label(), code.label()
        code.add(m.SetLocal(left, amount), m.SetLocal(rolled, m.ListConst(())))
        code.mark(again)
        code.add(m.JumpUnless(m.Cmp("gt", m.Local(left), m.Const(0)), end))
        self.chance(code, s.name, universe, faces, False, one)
        code.add(
            m.Append(rolled, m.Local(one)),
            m.SetLocal(left, m.Arith("sub", m.Local(left), m.Const(1))),
            m.Jump(again),
        )
        code.mark(end)
        if who is not None and who[1] == "player":
            self.windows.rolled(who[0], rolled, die.as_list(limits.DICE), code)

    def draw(self, s: ast.Draw, scope: Scope, code: FunctionBuilder) -> None:
        """``draw n from zone to zone as name``."""
        self.context.needs_procedure(code, "draw", s.span)
        source = self.expressions.lower(s.source, scope)
        if source.type.kind != "any" and (source.type.kind != "set" or source.type.universe != "Piece"):
            self.context.mismatch("a zone or a set of pieces", source.type, s.source.span, "what is drawn from")
        zone = self.pieces.zone(s.to, scope)
        amount = self.expressions.number(s.amount, scope) if s.amount is not None else m.Const(1)
        if zone is None:
            return
        self.pieces.check_holds(zone, source.type.kinds, s.to.span)
        unit = amount == m.Const(1)  # what is drawn may be read as that piece
        type = Type("set", "Piece", source.type.kinds, unit=unit) if source.type.universe == "Piece" else ANY
        drawn = self.context.bind_slot(code, scope, s.name, type) if s.name is not None else None
        start = len(code.items)
        stacked = isinstance(source.ir, m.ZoneGet) and self.world.zones[source.ir.zone].order in ("stack", "row")
        if stacked and isinstance(source.ir, m.ZoneGet):
            top = m.Top(source.ir.zone, source.ir.index, amount)
            if drawn is not None:
                code.add(m.SetLocal(drawn, m.ToSet(top)))
            code.add(self.pieces.move_to(top, True, zone, s.face))
            code.settle(start)
            return
        name = s.name or self._stream_word(s.source)
        left = code.slot("left", INT)
        one = code.slot(name, entity("Piece", optional=True))
        again, end = code.label(), code.label()
        code.add(m.SetLocal(left, amount))
        if drawn is not None:
            code.add(m.SetLocal(drawn, m.Const(0)))
        code.mark(again)
        code.add(m.JumpUnless(m.Cmp("gt", m.Local(left), m.Const(0)), end))
        self.chance(code, name, "Piece", source.ir, False, one)
        code.add(m.JumpUnless(m.Cmp("ne", m.Local(one), NONE_VALUE, nothing=True), end))
        picked = m.MakeSet((m.Local(one),))
        if drawn is not None:
            code.add(m.SetLocal(drawn, m.SetOp("union", m.Local(drawn), picked)))
        code.add(
            self.pieces.move_to(picked, False, zone, s.face),
            m.SetLocal(left, m.Arith("sub", m.Local(left), m.Const(1))),
            m.Jump(again),
        )
        code.mark(end)
        code.settle(start)

    @staticmethod
    def _stream_word(source: ast.Expr) -> str:
        match source:
            case ast.Name(name):
                return name
            case ast.Index(operand=ast.Name(name)):
                return name
            case _:
                return "draw"
