"""Lowering of assignments and of what is declared with ``let`` and ``var``."""

from __future__ import annotations

from dataclasses import replace

from rulewright.compiler.lowering.expressions.coercions import NONE_VALUE
from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.expressions.keyed_values import value_at
from rulewright.compiler.lowering.function_builder import FunctionBuilder, begin_iteration, end_iteration
from rulewright.compiler.lowering.lowering_context import LowerBlock, a_type
from rulewright.compiler.lowering.statements.procedure_calls import ProcedureCallLowerer
from rulewright.compiler.symbols.constants import check_bounds
from rulewright.compiler.symbols.static_types import INT, RECORD, Type, entity
from rulewright.compiler.symbols.symbols import Binding, Scope, Typed
from rulewright.diagnostics import Span
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr

_WHAT = "the assigned value"
_WRITTEN_OUT = 16
"""So many values of a field are set one by one; more are set in a loop."""
_ASKS_NOTHING = (
    m.Mapped, m.Alive, m.Const, m.ListConst, m.MakeList, m.Var, m.Local, m.Attr, m.Item, m.Arith, m.Cmp,
    m.IfElse, m.LetIn,
)  # fmt: skip
"""Expressions that read nothing of the state by themselves, but for the players who are left."""


@dataclass(frozen=True, slots=True)
class LValue:
    """A place that can be set: a field, or a ``var`` in a slot."""

    read: m.Expr
    """The value that it holds; of an element the whole list."""
    type: Type
    slot: int | None = None
    at: m.Expr | None = None
    """The number of an element."""
    listed: Type | None = None
    """The type of the list that it is an element of."""
    name: str = ""
    """Of an element's list, as it is written."""

    @property
    def now(self) -> m.Expr:
        """The value that it has."""
        return self.read if self.at is None else m.Item(self.read, self.at)

    @property
    def field(self) -> m.FieldGet | None:
        """The field that is named, or whose element is, if it is one."""
        return self.read if self.slot is None and isinstance(self.read, m.FieldGet) else None

    def setting(self, value: m.Expr) -> m.Instr:
        """The instruction that gives it a value."""
        if self.slot is not None:
            return m.SetLocal(self.slot, value)
        assert isinstance(self.read, m.FieldGet)
        return m.SetField(self.read.field, self.read.index, value)


class AssignmentLowerer:
    """Lowers ``let``, ``var``, ``=``, ``+=`` and ``-=``; what follows them may be the call of a procedure."""

    def __init__(self, expressions: ExpressionLowerer, calls: ProcedureCallLowerer, lower_block: LowerBlock) -> None:
        self.context, self.coercions, self.expressions = expressions.context, expressions.coercions, expressions
        self.world = expressions.world
        self.calls, self.lower_block = calls, lower_block

    def let(self, s: ast.Let, scope: Scope, code: FunctionBuilder) -> None:
        """``let x = procedure(…)`` runs the procedure."""
        got = self.calls.result_of(s.value, scope, code)
        if got is None:
            self._let(s, scope, code)
            return
        unsure = got[0] in code.unsure
        type = _variable(got[1]) if s.changes else got[1]
        slot = self.context.bind_slot(code, scope, s.name, type, s.changes, unsure)
        code.add(m.SetLocal(slot, m.Local(got[0])))
        if unsure:
            code.doubt(slot)

    def _let(self, s: ast.Let, scope: Scope, code: FunctionBuilder) -> None:
        """``let`` and ``var``."""
        wanted = None if s.type is None else self.world.resolve(s.type)
        value = self.expressions.lower(s.value, scope, wanted)
        type = wanted or (_variable(value.type) if s.changes else value.type)
        if wanted is not None:
            ir = self.coercions.coerce(value, wanted, s.value.span, _WHAT)
            value = Typed(self.coercions.within(ir, value.type, wanted, s.value.span, s.name), wanted)
        if type.kind == "list" and s.changes and not type.keys:
            type = type.as_list(max(type.capacity, self.world.capacity_of(type.element())))
        nothing = wanted is None and isinstance(s.value, ast.ListOf | ast.SetOf) and not s.value.items
        unknown = s.changes and type.is_collection and not type.universe
        if nothing or unknown or type.kind == "none":
            self.context.error("TYP221", f"cannot infer the type of `{s.name}`", s.span)
        code.add(m.SetLocal(self.context.bind_slot(code, scope, s.name, type, s.changes), value.ir))

    def assign(self, s: ast.Assign, scope: Scope, code: FunctionBuilder) -> None:
        """``x = procedure(…)`` runs the procedure; anything else is a plain assignment."""
        got = self.calls.result_of(s.value, scope, code)
        if got is None:
            self._assign(s, scope, code)
            return
        slot, type = got
        name = "result of a call"
        inner = scope.inner(**{name: Binding(self.context.read(m.Local(slot), type), type)})
        self.lower_block((ast.Assign(s.target, s.op, ast.Name(name, span=s.value.span), span=s.span),), inner, code)

    def _assign(self, s: ast.Assign, scope: Scope, code: FunctionBuilder) -> None:
        """``=``, ``+=`` and ``-=``."""
        place = self.place(s.target, s.span, scope)
        if place is None:
            return
        start = len(code.items)
        if place.type.keys:
            self._keyed(s, place, scope, code)
        elif place.type.kind == "list" and s.op == "+=":
            self._append(s, place, scope, code)
        elif place.at is not None:
            held = self._numbered(place, place.at, code)
            self.store(held, self.value(s, held, scope), code)
        else:
            code.add(place.setting(self.value(s, place, scope)))
        if place.slot is None:
            code.settle(start)

    def _keyed(self, s: ast.Assign, place: LValue, scope: Scope, code: FunctionBuilder) -> None:
        """``stock[p] -= x.cost``: each value is set, once all are known."""
        value = s.value if s.op == "=" else ast.Binary("+" if s.op == "+=" else "-", s.target, s.value, span=s.span)
        made = self.value(ast.Assign(s.target, "=", value, span=s.span), place, scope)
        self.store(place, made, code)

    @staticmethod
    def _numbered(place: LValue, at: m.Expr, code: FunctionBuilder) -> LValue:
        """The place of an element, with its number computed once."""
        if isinstance(at, m.Const | m.Local):
            return place
        number = code.slot("number", INT.or_none())
        code.add(m.SetLocal(number, at))
        return replace(place, at=m.Local(number))

    def store(self, place: LValue, value: m.Expr, code: FunctionBuilder) -> None:
        """Give a place a value. For an element the list is made anew, with this one exchanged."""
        if place.type.keys and place.field is not None:
            self._store_each(place.field, place.type, value, code)
            return
        if place.at is None or place.listed is None:
            code.add(place.setting(value))
            return
        items, made = code.slot("items", place.listed), code.slot("made", place.listed)
        given, at, one = code.slot("given", place.type), code.slot("at", INT), code.slot("one", place.type)
        size = m.Size(m.Local(items), is_list=True)
        there = m.And((m.Cmp("ge", place.at, m.Const(0)), m.Cmp("lt", place.at, size)))
        ty = place.type.run_time()
        missing = m.IfElse(
            m.Cmp("eq", place.at, NONE_VALUE, nothing=True),
            m.Fault("bounds", f"`{place.name}` has no element none", None, ty),
            m.Fault("bounds", f"`{place.name}` has no element", place.at, ty),
        )
        code.add(m.SetLocal(items, place.read), m.SetLocal(given, m.IfElse(there, value, missing)))
        code.add(m.SetLocal(made, m.ListConst(())))
        again, end = begin_iteration(code, items, at, one)
        code.add(m.Append(made, m.IfElse(m.Cmp("eq", m.Local(at), place.at), m.Local(given), m.Local(one))))
        end_iteration(code, at, again, end)
        code.add(place.setting(m.Local(made)))

    def _store_each(self, field: m.FieldGet, type: Type, value: m.Expr, code: FunctionBuilder) -> None:
        """Set a field for each value of its last key."""
        field = self.context.with_keys_held(field, lambda key: not isinstance(key, m.Const | m.Local), code)
        if not self._apart(field, value):
            made = code.slot("made", type)
            code.add(m.SetLocal(made, value))
            value = m.Local(made)
        if type.capacity <= _WRITTEN_OUT:
            for number in range(type.capacity):
                key = m.Const(number)
                code.add(m.SetField(field.field, (*field.index, key), value_at(value, key)))
            return
        items, at, one = code.slot("keys", type), code.slot("at", INT), code.slot("one", entity(type.keys))
        code.add(m.SetLocal(items, m.ListConst(tuple(range(type.capacity)))))
        again, end = begin_iteration(code, items, at, one)
        code.add(m.SetField(field.field, (*field.index, m.Local(one)), value_at(value, m.Local(one))))
        end_iteration(code, at, again, end)

    @staticmethod
    def _apart(field: m.FieldGet, value: m.Expr) -> bool:
        """True if the value for each key depends on nothing that is set for another one."""
        if isinstance(value, m.Local | m.ListConst):
            return True
        own = (*field.index, m.Var(value.var)) if isinstance(value, m.Mapped) else None
        return all(
            isinstance(node, _ASKS_NOTHING)
            or (isinstance(node, m.FieldGet) and (node.field != field.field or node.index == own))
            for node in nodes(value)
        )

    def _append(self, s: ast.Assign, place: LValue, scope: Scope, code: FunctionBuilder) -> None:
        """``list += x``: x, or all members of a collection, behind those that are there; none adds nothing."""
        item = place.type.element()
        value = self.coercions.item(self.expressions.lower(s.value, scope, item))
        if value.type.is_collection:
            most = value.type.capacity if value.type.kind == "list" else self.world.most_members(value.type)
            as_list = self.coercions.coerce(value, place.type, s.value.span, _WHAT)
            as_list = self.coercions.within(as_list, value.type, place.type, s.value.span, _WHAT)
            value = Typed(as_list, item.as_list(max(most, 1)))
        else:
            ir = self.coercions.coerce(value, item.or_none(), s.value.span, _WHAT)
            value = Typed(self.coercions.within(ir, value.type, item, s.value.span, _WHAT), value.type)
        grown = code.slot(print_expr(s.target), place.type) if place.slot is None else place.slot
        if place.slot is None:
            code.add(m.SetLocal(grown, place.read))
        end = code.label()
        if value.type.kind == "list":
            items, at, one = code.slot("more", value.type), code.slot("at", INT), code.slot("one", item)
            code.add(m.SetLocal(items, value.ir))
            again, end = begin_iteration(code, items, at, one)
            code.add(m.Append(grown, m.Local(one)))
            end_iteration(code, at, again, end)
        else:
            code.add(m.Append(grown, value.ir))
        if place.slot is None:
            code.add(place.setting(m.Local(grown)))

    def place(self, target: ast.Expr, span: Span, scope: Scope) -> LValue | None:
        """The field or ``var`` that stands left of ``=``; anything else is reported."""
        if isinstance(target, ast.Name) and (bound := scope.find(target.name)) is not None:
            if bound.slot is None or not bound.changes:
                hint = self.context.hidden(target) or "declare it with `var`"
                self.context.error("CTL109", f"`{target.name}` cannot be changed", span, hint)
                return None
            return LValue(bound.ir, bound.type, bound.slot)
        found = self.expressions.target(target, scope, RECORD)  # a record can be emptied
        if isinstance(found.ir, m.Item) and isinstance(target, ast.Index):
            element = self._element(target, found.ir, scope)
            if element is not None:
                return element
        if found.type.keys and isinstance(found.ir, m.Mapped) and isinstance(found.ir.element, m.FieldGet):
            held = found.ir.element
            return LValue(m.FieldGet(held.field, held.index[:-1]), found.type)
        if not isinstance(found.ir, m.FieldGet):
            if found.type.kind != "any":
                is_zone = isinstance(found.ir, m.ZoneGet) or (
                    isinstance(found.ir, m.Item) and isinstance(found.ir.list, m.ZoneList)
                )
                what = "a zone is changed with `move`" if is_zone else "only fields and `var`s can be changed"
                self.context.error("CTL109", "this cannot be assigned", target.span, hint=what)
            return None
        return LValue(found.ir, self.world.fields[found.ir.field].type)

    def _element(self, target: ast.Index, found: m.Item, scope: Scope) -> LValue | None:
        """``order[2]``: an element of a list that can be set."""
        slot: int | None = None
        if isinstance(found.list, m.FieldGet):
            listed = self.world.fields[found.list.field].type
        else:
            bound = scope.find(target.operand.name) if isinstance(target.operand, ast.Name) else None
            if bound is None or bound.slot is None or not bound.changes or bound.type.kind != "list":
                return None
            listed, slot = bound.type, bound.slot
        name = print_expr(target.operand)
        if isinstance(found.at, m.Const) and not 0 <= found.at.value < listed.capacity:
            hint = "elements are counted from 0"
            if found.at.value >= listed.capacity:
                hint += f"; `, at most {found.at.value + 1}` in its declaration makes room"
            self.context.error("TYP206", f"`{name}` has at most {listed.capacity} elements", target.span, hint=hint)
        return LValue(found.list, listed.element(), slot, found.at, listed, name)

    def value(self, s: ast.Assign, place: LValue, scope: Scope) -> m.Expr:
        """The value that is assigned."""
        wanted = place.type
        value = self.expressions.lower(s.value, scope, wanted)
        what, before = _WHAT, len(self.context.report.found)
        if wanted.kind == "any":
            return value.ir
        if s.op == "=":
            if wanted.kind == "positions" and s.value == ast.ListOf(()):
                return m.ListConst(())  # all that was recorded is forgotten
            if value.type.kind == "none" and not wanted.optional and wanted.kind not in ("set", "any"):
                self.context.mismatch(a_type(wanted), value.type, s.value.span, what)
            ir = self.coercions.coerce(value, wanted, s.value.span, what)
            return self._kept(ir, value.type, s, place) if len(self.context.report.found) == before else ir
        if wanted.kind == "set":
            if not value.type.is_collection:
                value = Typed(m.MakeSet((value.ir,)), value.type.present().as_set())
            ir = self.coercions.coerce(value, wanted, s.value.span, what)
            return m.SetOp("union" if s.op == "+=" else "minus", place.now, ir)
        if wanted.kind == "list" and not wanted.keys:
            left = ast.Binary("except", s.target, s.value, span=s.span)
            return self.coercions.coerce(self.expressions.lower(left, scope, wanted), wanted, s.value.span, what)
        if wanted.kind not in ("int", "any"):
            self.context.mismatch("a number, set or list", wanted, s.target.span, f"the target of `{s.op}`")
        ir = self.coercions.coerce(value, INT.or_none(), s.value.span, what)
        found = INT.or_none() if value.type.optional else INT
        return self._kept(m.Arith("add" if s.op == "+=" else "sub", place.now, ir), found, s, place)

    def _kept(self, ir: m.Expr, found: Type, s: ast.Assign, place: LValue) -> m.Expr:
        """A value that keeps to the bounds of where it is kept; single numbers are tested by fields themselves."""
        if place.slot is None and place.at is None and (place.type.kind != "list" or place.type.keys):
            check_bounds(ir, place.type, s.value.span, self.context.report)
            return ir
        ir = self.coercions.within(ir, found, place.type, s.value.span, print_expr(s.target))
        if (
            isinstance(ir, m.Const)
            if place.at is not None
            else place.type.kind != "list" or place.type.keys or not _lists_what_may_be_none(ir)
        ):
            return ir
        value, one = self.context.fresh("value"), self.context.fresh("one")
        name = place.name or print_expr(s.target)
        fault = m.Fault("bounds", f"an element of `{name}` cannot become none", None, place.type.run_time())
        nothing: m.Expr = m.Cmp("eq", m.Var(value if place.at is not None else one), NONE_VALUE, nothing=True)
        if place.at is None:
            nothing = m.Fold("some", (m.Bound(one, m.Var(value), True),), nothing, None)
        return m.LetIn(value, ir, m.IfElse(nothing, fault, m.Var(value)))


def _lists_what_may_be_none(ir: m.Expr) -> bool:
    """True if members of a list are written out that may be none, whatever their types say."""
    return any(isinstance(n, m.MakeList) and not all(isinstance(i, m.Const) for i in n.items) for n in nodes(ir))


def _variable(type: Type) -> Type:
    """The type of a ``var`` that begins with a value of a type."""
    if type.kind == "int":
        return INT.or_none() if type.optional else INT
    made = type.or_none()
    return replace(made, low=INT.low, high=INT.high) if made.is_collection and made.universe == "Int" else made


class ParallelAssignmentLowerer:
    """Lowers statements that set several fields or ``var``s as one: all is read before anything is set, and
    consequences look on when all of it is done."""

    def __init__(self, expressions: ExpressionLowerer, assignments: AssignmentLowerer) -> None:
        self.context, self.world, self.assignments = expressions.context, expressions.world, assignments

    def assign(self, s: ast.AssignAll, scope: Scope, code: FunctionBuilder) -> None:
        """``a = x, b = y``."""
        updates: list[tuple[LValue, m.Expr]] = []
        for one in s.updates:
            place = self.assignments.place(one.target, one.span, scope)
            if place is not None:
                value = self.assignments.value(ast.Assign(one.target, "=", one.value, span=one.span), place, scope)
                updates.append((place, value))
        self._set(updates, code)

    def move(self, s: ast.MoveHeld, scope: Scope, code: FunctionBuilder) -> None:
        """``move field from a to b``."""
        name, keys = (s.what.operand, s.what.index) if isinstance(s.what, ast.Index) else (s.what, ())
        if isinstance(name, ast.Name) and name.name in self.world.zones and scope.find(name.name) is None:
            hint = f"pieces move from zone to zone: `move {name.name}[a] to {name.name}[b]`"
            self.context.error("CTL109", f"`{name.name}` is a zone, no field", s.what.span, hint=hint)
            return
        places = [
            self.assignments.place(ast.Index(name, (*keys, key), span=s.what.span), s.span, scope)
            for key in (s.source, s.to)
        ]
        source, to = places
        if source is None or to is None:
            return
        if source.type.keys and source.field is not None:
            hint = f"{source.field.field}[{self.world.index_hint(source.field.field)}]"
            self.context.error("TYP207", f"`{print_expr(s.what)}` needs one key more", s.what.span, hint=hint)
            return
        if source.at is not None:
            listed = source.name
            hint = f"two elements change places so: `{listed}[0] = {listed}[1], {listed}[1] = {listed}[0]`"
            self.context.error("CTL109", f"`{listed}` is a list, no field with keys", s.what.span, hint=hint)
            return
        left = _nothing(source.type)
        if left is None:
            hint = "give it a type `… or none`"
            message = f"nothing could stay behind: this is always {a_type(source.type)}"
            self.context.error("TYP241", message, s.what.span, hint=hint)
            return
        self._set([(source, left), (to, source.read)], code)

    def _set(self, updates: list[tuple[LValue, m.Expr]], code: FunctionBuilder) -> None:
        start = len(code.items)
        changed = {place.slot for place, _ in updates}
        held = [
            (self._keys_held(place, changed, code), self._held(value, place.type, code)) for place, value in updates
        ]
        for place, value in held:
            self.assignments.store(place, value, code)
        if any(place.slot is None for place, _ in held):
            code.settle(start)

    def _held(self, value: m.Expr, type: Type, code: FunctionBuilder) -> m.Expr:
        """A value that stays what it is, whatever is set."""
        if isinstance(value, m.Const | m.ListConst):
            return value
        slot = code.slot("value", type.or_none())
        code.add(m.SetLocal(slot, value))
        return m.Local(slot)

    def _keys_held(self, place: LValue, changed: set[int | None], code: FunctionBuilder) -> LValue:
        """The place with its keys held in slots, so that setting other places does not move it."""
        if place.at is not None and not isinstance(place.at, m.Const):
            number = code.slot("number", INT.or_none())
            code.add(m.SetLocal(number, place.at))
            place = replace(place, at=m.Local(number))
        if place.field is None:
            return place

        def changes(key: m.Expr) -> bool:
            return not isinstance(key, m.Const) and not (isinstance(key, m.Local) and key.slot not in changed)

        return replace(place, read=self.context.with_keys_held(place.field, changes, code))


def _nothing(type: Type) -> m.Expr | None:
    """The value of a field that holds nothing; None if it always holds something."""
    if type.optional:
        return NONE_VALUE
    if type.kind == "list":
        return m.ListConst(())
    if type.kind in ("set", "bool", "any") or (type.kind == "int" and type.low <= 0 <= type.high):
        return m.Const(0)
    return None
