"""Lowering of the simple statements: assignments, moves, merging, calls and the end of the game."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from rulewright.compiler.lowering.coercions import _a
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.lowering.possibility import Possibility
from rulewright.compiler.symbols.consteval import check_bounds
from rulewright.compiler.symbols.scope import Binding, Scope, Typed
from rulewright.compiler.symbols.static_types import INT, Type, entity
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.diagnostics import Report, Span
from rulewright.ir import model as m
from rulewright.syntax import ast


class Actions(Possibility):
    """Statements that neither ask a player nor contain others."""

    def __init__(self, world: SymbolTable, report: Report) -> None:
        super().__init__(world, report)

    def bind_slot(
        self, code: FunctionBuilder, scope: Scope, name: str, type: Type, changes: bool = False, unsure: bool = False
    ) -> int:
        """A new local known from here on. What is `unsure` may hold none, whatever its type says."""
        slot = code.slot(name, type.or_none() if unsure else type)
        scope.bind(name, Binding(self.read(m.Local(slot), type), type, changes, slot))
        return slot

    def needs_procedure(self, code: FunctionBuilder, what: str, span: Span) -> bool:
        """Report something that an effect may not do."""
        if not code.asks:
            self.report.error("CTL108", f"an effect may not {what}", span, hint=f"make `{code.name}` a procedure")
        return code.asks

    # ------------------------------------------------------------------------------------- assignments

    def let(self, s: ast.Let, scope: Scope, code: FunctionBuilder) -> None:
        """``let`` and ``var``."""
        value = self.lower(s.value, scope)
        type = value.type
        if s.changes and type.kind == "int":
            type = INT.or_none() if type.optional else INT
        elif s.changes:
            type = type.or_none()
        if s.changes and type.is_collection and type.universe == "Int":
            type = replace(type, low=INT.low, high=INT.high)
        if type.kind == "list" and s.changes:
            type = type.as_list(max(type.capacity, self.world.capacity_of(type.element())))
        nothing = isinstance(s.value, ast.ListOf) and not s.value.items
        if (type.kind == "set" and not type.universe) or type.kind == "none" or nothing:
            self.report.error("TYP221", f"cannot infer the type of `{s.name}`", s.span)
        code.add(m.SetLocal(self.bind_slot(code, scope, s.name, type, s.changes), value.ir))

    def assign(self, s: ast.Assign, scope: Scope, code: FunctionBuilder) -> None:
        """``=``, ``+=`` and ``-=``."""
        target = s.target
        if isinstance(target, ast.Name) and (bound := scope.find(target.name)) is not None:
            if bound.slot is None or not bound.changes:
                self.report.error("CTL109", f"`{target.name}` does not change", s.span, hint="declare it with `var`")
                return
            value = self._assigned(s, Typed(bound.ir, bound.type), bound.type, scope)
            code.add(m.SetLocal(bound.slot, value))
            return
        place = self.target(target, scope)
        if not isinstance(place.ir, m.FieldGet):
            if place.type.kind != "any":
                is_zone = isinstance(place.ir, m.ZoneGet)
                what = "a zone changes by `move`" if is_zone else "only fields and `var`s change"
                self.report.error("CTL109", "this cannot be assigned", target.span, hint=what)
            return
        field = self.world.fields[place.ir.field]
        value = self._assigned(s, place, field.type, scope)
        start = len(code.items)
        code.add(m.SetField(place.ir.field, place.ir.index, value))
        code.settle(start)

    def _assigned(self, s: ast.Assign, place: Typed, wanted: Type, scope: Scope) -> m.Expr:
        value = self.lower(s.value, scope, wanted)
        what = "what is assigned"
        if wanted.kind == "any":
            return value.ir
        if s.op == "=":
            if value.type.kind == "none" and not wanted.optional and wanted.kind not in ("set", "any"):
                self.mismatch(_a(wanted), value.type, s.value.span, what)
            ir = self.coerce(value, wanted, s.value.span, what)
            check_bounds(ir, wanted, s.value.span, self.report)
            return ir
        if wanted.kind == "set":
            if not value.type.is_collection:
                value = Typed(m.MakeSet((value.ir,)), value.type.present().as_set())
            ir = self.coerce(value, wanted, s.value.span, what)
            return m.SetOp("union" if s.op == "+=" else "minus", place.ir, ir)
        if wanted.kind not in ("int", "any"):
            self.mismatch("a number or set", wanted, s.target.span, f"what `{s.op}` changes")
        ir = self.coerce(value, INT.or_none(), s.value.span, what)
        return m.Arith("add" if s.op == "+=" else "sub", place.ir, ir)

    # ------------------------------------------------------------------------------------------- pieces

    def zone(self, expr: ast.Expr, scope: Scope) -> m.ZoneGet | None:
        """An expression that must name one zone."""
        value = self.lower(expr, scope)
        if isinstance(value.ir, m.ZoneGet):
            return value.ir
        if isinstance(expr, ast.Name) and expr.name == "box":
            return m.ZoneGet("box", ())
        if value.type.kind != "any":
            self.mismatch("a zone", value.type, expr.span)
        return None

    def move(self, s: ast.Move, scope: Scope, code: FunctionBuilder) -> None:
        """``move [n of] what to zone``; the zone may be chosen by ``a if c else b``."""
        if isinstance(s.to, ast.IfElse):
            both = ast.If(
                (ast.Branch(s.to.condition, (ast.Move(s.amount, s.what, s.to.then, s.face, span=s.span),)),),
                (ast.Move(s.amount, s.what, s.to.otherwise, s.face, span=s.span),),
                span=s.span,
            )
            self.statement(both, scope, code)
            return
        what, is_list, kinds = self._pieces(s.what, scope)
        if s.amount is not None:
            amount = self.number(s.amount, scope)
            what = self._some_of(what, amount)
            is_list = isinstance(what, m.Top)
        zone = self.zone(s.to, scope)
        if zone is None:
            return
        self._holds(zone, kinds, s.to.span)
        start = len(code.items)
        code.add(self._move(what, is_list, zone, s.face))
        code.settle(start)

    def _some_of(self, what: m.Expr, amount: m.Expr) -> m.Expr:
        if isinstance(what, m.ZoneList):
            return m.Top(what.zone, what.index, amount)
        return m.Lowest(what, amount)

    def _pieces(self, expr: ast.Expr, scope: Scope) -> tuple[m.Expr, bool, tuple[str, ...]]:
        """Pieces to be moved: the expression, whether it is a list, and their kinds."""
        value = self.lower(expr, scope)
        if value.type.universe not in ("Piece", "") or value.type.kind in ("bool", "int", "none"):
            self.mismatch("pieces", value.type, expr.span, "what is moved")
            return m.Const(0), False, ()
        if value.type.kind == "entity":
            return m.MakeSet((value.ir,)), False, value.type.kinds
        if isinstance(value.ir, m.ZoneGet) and self.world.zones[value.ir.zone].order in ("stack", "row"):
            return m.ZoneList(value.ir.zone, value.ir.index), True, value.type.kinds
        return value.ir, value.type.kind == "list", value.type.kinds

    def _holds(self, zone: m.ZoneGet, kinds: tuple[str, ...], span: Span) -> None:
        held = self.world.zones[zone.zone].type.kinds
        if held and kinds and not self.world.overlap(held, kinds):
            self.report.error("TYP219", f"zone `{zone.zone}` cannot hold a {' or '.join(kinds)}", span)

    @staticmethod
    def _move(what: m.Expr, is_list: bool, zone: m.ZoneGet, face: ast.Face | None) -> m.Move:
        at: Literal["top", "bottom"] = "bottom" if face == "at bottom" else "top"
        turned = {"face up": 0, "face down": 1}.get(face or "")
        return m.Move(what, is_list, zone.zone, zone.index, at, turned)

    def flip(self, s: ast.Flip, scope: Scope, code: FunctionBuilder) -> None:
        """``flip x face up``, ``flip x to night``."""
        what, is_list, kinds = self._pieces(s.what, scope)
        side = {"face up": 0, "face down": 1}.get(s.side)
        if side is None:
            universe = self.world.sides_universe(kinds)
            found = self.world.member(universe, s.side)
            if found is None:
                if self.lower(s.what, scope).type.kind == "any":
                    return
                self.unknown("side", s.side, list(self.world.keys(universe)), s.span)
                return
            side = found
        start = len(code.items)
        code.add(m.Flip(m.ToSet(what) if is_list else what, side))
        code.settle(start)

    def show(self, s: ast.Show, scope: Scope, code: FunctionBuilder) -> None:
        """``show x to p``."""
        what, is_list, _ = self._pieces(s.what, scope)
        to = self.lower(s.to, scope)
        if to.type.kind == "entity" and to.type.universe == "Player":
            seen = m.MakeSet((to.ir,))
        else:
            seen = self.collection(s.to, scope).ir  # type: ignore[assignment]
        code.add(m.Show(m.ToSet(what) if is_list else what, seen))

    def merge(self, s: ast.Merge, scope: Scope, code: FunctionBuilder) -> None:
        """``merge r with n``."""
        left = self.item(self.lower(s.left, scope))
        universe = left.type.universe
        if not self.world.is_merged(universe):
            if left.type.kind != "any":
                self.mismatch("a region", left.type, s.left.span, "what is merged")
            return
        right = self.want(s.right, scope, entity(universe, optional=True), "what is merged")
        start = len(code.items)
        code.add(m.Merge(universe, left.ir, right))
        code.settle(start)

    def who(self, expr: ast.Expr, scope: Scope) -> tuple[m.Expr, Literal["player", "party"]]:
        """The one who is asked."""
        value = self.item(self.lower(expr, scope, entity("Player")))
        if value.type.kind == "entity" and self.world.is_party(value.type.universe):
            return m.Attr(f"{value.type.universe}.members", value.ir), "party"
        if value.type.kind != "any" and (value.type.kind != "entity" or value.type.universe != "Player"):
            self.mismatch("a player or party", value.type, expr.span, "the one who is asked")
        return value.ir, "player"

    # --------------------------------------------------------------------------------- calls and the end

    def do(self, s: ast.CallStatement, scope: Scope, code: FunctionBuilder) -> None:
        """A call as a statement."""
        call = s.call
        if isinstance(call, ast.Name):
            call = ast.Call(call, (), span=call.span)
        if not (isinstance(call, ast.Call) and isinstance(call.operand, ast.Name)):
            self.report.error("TYP214", "this does nothing", s.span, hint="a statement assigns, moves, asks or calls")
            return
        name = call.operand.name
        if name == "eliminate" and name not in self.world.calls:
            if len(call.args) != 1:
                self.report.error("TYP215", f"`{name}` takes 1 argument, here are {len(call.args)}", call.span)
                return
            start = len(code.items)
            code.add(m.Eliminate(self.want(call.args[0], scope, entity("Player", optional=True))))
            code.settle(start)
            return
        self.invoke(name, call, scope, code, None)

    def invoke(self, name: str, call: ast.Call, scope: Scope, code: FunctionBuilder, into: int | None) -> Type | None:
        """Call an effect or procedure."""
        info = self.world.calls.get(name)
        if info is None:
            if name in self.world.query_decls:
                self.report.error("CTL110", f"`{name}` only tells something; nothing is done with it here", call.span)
            else:
                known = [*self.world.calls, "eliminate", *(["proceed"] if code.goes_on is not None else [])]
                self.unknown("procedure", name, known, call.operand.span)
            return None
        args = self.arguments(name, info.params, call, scope)
        if info.decl.word != "effect":
            self.needs_procedure(code, f"call the {info.decl.word} `{name}`", call.span)
        start = len(code.items)
        code.add(m.Call(self.entry(name), args, into, code.place(name)))
        if info.decl.word == "effect":
            code.settle(start)
        return info.result

    def win(self, s: ast.Win, scope: Scope, code: FunctionBuilder) -> None:
        """``finish with winner e``."""
        value = self.item(self.lower(s.who, scope))
        if value.type.kind == "entity" and value.type.universe == "Player":
            players: m.Expr = m.MakeSet((value.ir,))
        elif value.type.kind == "entity" and self.world.is_party(value.type.universe):
            players = m.Attr(f"{value.type.universe}.members", value.ir)
        elif value.type.is_collection and self.world.is_party(value.type.universe):
            var = self.fresh("winner")
            held = m.Attr(f"{value.type.universe}.members", m.Var(var))
            players = m.Collect(value.ir, var, held, flat=True, is_list=value.type.kind == "list")
        elif value.type.is_collection and value.type.universe in ("Player", ""):
            players = self.as_set(value)
        else:
            if value.type.kind != "any":
                self.mismatch("a player, a party or a set of them", value.type, s.who.span, "the winner")
            return
        code.add(m.FinishWin(players, code.name))

    def rank(self, s: ast.RankAll, scope: Scope, code: FunctionBuilder) -> None:
        """``finish ranking x in S by e then e``."""
        bound, inner = self.bind(s.bind, scope)
        keys = tuple(self.number(k, inner) for k in s.by)
        universe = bound.type.universe
        if bound.type.kind != "any" and universe != "Player" and not self.world.is_party(universe):
            self.mismatch("players or parties", bound.type.as_set(), s.bind.source.span, "who is ranked")
            return
        source = m.ToSet(bound.source) if bound.is_list else bound.source
        code.add(m.FinishRank(source, universe, bound.var, keys, code.name))

    def entry(self, name: str) -> str:
        """The function that is called for an effect or procedure."""
        return name

    def statement(self, s: ast.Stmt, scope: Scope, code: FunctionBuilder) -> None:
        """Lower any statement."""
        raise NotImplementedError
