"""Programs as text for people: what a rule has become, and what a pass has made of it.

    query line(p: Player): Bool
        some c in Cell where disc[c] == p
    procedure turn
        0  choose %0 from {c in Cell where disc[c] is none} by active  "cell"
        1  disc[%0] := active
        2  return

Slots are ``%n``; arithmetic, comparisons, folds and reads are written as in the language, everything else as the node
and its parts. It is one way only: programs are read from JSON (:mod:`rulewright.ir.codec`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, cast

from rulewright.ir import model as m
from rulewright.ir.arithmetic import ArithOp
from rulewright.ir.comparison import CmpOp
from rulewright.ir.walk import EXPR_TYPES

_ARITHMETIC: dict[ArithOp, str] = {
    "add": "+", "sub": "-", "mul": "*", "div_up": "div_up", "div_down": "div_down", "mod": "mod", "min": "min",
    "max": "max",
}  # fmt: skip
_COMPARISONS: dict[CmpOp, str] = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def program_text(program: m.Program) -> str:
    """All queries and functions of a program."""
    return "".join([*map(query_text, program.queries), *(function_text(function) for function in program.functions)])


def query_text(query: m.QueryDef) -> str:
    """A query with its body on a line of its own."""
    params = ", ".join(f"{param.name}: {type_text(param.ty)}" for param in query.params)
    return f"query {query.name}({params}): {type_text(query.ty)}\n    {expression_text(query.body)}\n"


def function_text(function: m.Function) -> str:
    """A function, one instruction a line, each with the number to which jumps lead."""
    params = ", ".join(f"%{slot}: {type_text(function.slots[slot].ty)}" for slot in range(function.params))
    lines = (f"    {pc:<3}{instruction_text(i)}\n" for pc, i in enumerate(function.code))
    return f"{function.word} {function.name}({params})\n{''.join(lines)}"


def type_text(ty: m.Ty) -> str:
    """A type as in the language."""
    inner = ty.universe or {"bool": "Bool", "int": "Int"}.get(ty.kind, ty.kind)
    return f"{ty.kind} of {inner}" if ty.kind in ("set", "list") else inner


def expression_text(e: m.Expr) -> str:
    """An expression on one line."""
    match e:
        case m.Const(number):
            return "none" if number == m.NONE else str(number)
        case m.ListConst(values):
            return f"[{', '.join(map(str, values))}]"
        case m.Var(name) | m.Kind(name) | m.Alive(name):
            return name
        case m.Local(slot):
            return f"%{slot}"
        case m.Attr(table, of):
            return f"{table}({expression_text(of)})"
        case m.Arith(op, left, right):
            return f"({expression_text(left)} {_ARITHMETIC[op]} {expression_text(right)})"
        case m.Cmp(op, left, right):
            return f"({expression_text(left)} {_COMPARISONS[op]} {expression_text(right)})"
        case m.SetOp(op, left, right):
            return f"({expression_text(left)} {op} {expression_text(right)})"
        case m.SetEq(left, right):
            return f"({expression_text(left)} == {expression_text(right)})"
        case m.And(items):
            return f"({' and '.join(map(expression_text, items))})"
        case m.Or(items):
            return f"({' or '.join(map(expression_text, items))})"
        case m.Not(operand):
            return f"not {expression_text(operand)}"
        case m.Contains(collection, item):
            return f"({expression_text(item)} in {expression_text(collection)})"
        case m.MakeSet(items):
            return f"{{{_listed(items)}}}"
        case m.MakeList(items):
            return f"[{_listed(items)}]"
        case m.IntRange(low, high):
            return f"{{{expression_text(low)} .. {expression_text(high)}}}"
        case m.Filter(source, var, where):
            return f"{{{var} in {expression_text(source)} where {expression_text(where)}}}"
        case m.Fold(kind, binds, where, body):
            bound = ", ".join(f"{bind.var} in {expression_text(bind.source)}" for bind in binds)
            condition = "" if where is None else f" where {expression_text(where)}"
            value = "" if body is None else f": {expression_text(body)}"
            return f"({kind} {bound}{condition}{value})"
        case m.Reaches(source, var, where):
            return f"(reached {var} in {expression_text(source)} where {expression_text(where)})"
        case m.IfElse(condition, then, otherwise):
            branches = f"{expression_text(then)} else {expression_text(otherwise)}"
            return f"(if {expression_text(condition)} then {branches})"
        case m.LetIn(var, value, body):
            return f"(let {var} = {expression_text(value)} in {expression_text(body)})"
        case m.FieldGet(name, index) | m.ZoneGet(name, index) | m.ZoneList(name, index):
            return name + _index(index)
        case m.CallQuery(name, args):
            return f"{name}({_listed(args)})"
        case _:
            return _node(e)


def instruction_text(i: m.Instr) -> str:
    """An instruction on one line."""
    match i:
        case m.SetLocal(slot, value):
            return f"%{slot} := {expression_text(value)}"
        case m.SetField(field, index, value):
            return f"{field}{_index(index)} := {expression_text(value)}"
        case m.Jump(to):
            return f"jump {to}"
        case m.JumpUnless(condition, to):
            return f"unless {expression_text(condition)} jump {to}"
        case m.Return(None):
            return "return"
        case m.Return(value) if value is not None:
            return f"return {expression_text(value)}"
        case m.Move(what, _, zone, index):
            return f"move {expression_text(what)} to {zone}{_index(index)}{_options(i, ('at', 'face'))}"
        case m.Call(function, args, into):
            result = "" if into is None else f"%{into} := "
            return f"{result}call {function}({_listed(args)})"
        case m.Choose():
            source = i.universe if i.source is None else expression_text(i.source)
            where = "" if i.where is None else f" where {expression_text(i.where)}"
            return f"%{i.into} := {expression_text(i.who)} chooses {i.var} in {source}{where}{_restricted(i)}"
        case m.Fired(rule):
            return f"fired {rule}"
        case _:
            return _node(i)


def _restricted(i: m.Choose) -> str:
    limits = "".join(f" unless refused by {one.label}: {expression_text(one.condition)}" for one in i.restrictions)
    extras = "".join(f" or {one.key} jump {one.to}" for one in i.extras)
    return limits + extras


def _index(index: Iterable[m.Expr]) -> str:
    inner = _listed(index)
    return f"[{inner}]" if inner else ""


def _listed(items: Iterable[m.Expr]) -> str:
    return ", ".join(map(expression_text, items))


def _options(node: object, names: tuple[str, ...]) -> str:
    """The fields of these names that are not as usual."""
    return "".join(
        f" {f.name}={getattr(node, f.name)}"
        for f in fields(node)  # type: ignore[arg-type]
        if f.name in names and getattr(node, f.name) != f.default
    )


def _node(node: Any) -> str:
    """A node as its name and its parts, without those that are as usual."""
    return f"{type(node).__name__}({', '.join(_parts(node))})"


def _parts(node: Any) -> Iterator[str]:
    for f in fields(node):
        value = getattr(node, f.name)
        if f.default is not MISSING and value == f.default:
            continue
        yield _part(value)


def _part(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_part, value))})"
    if isinstance(value, EXPR_TYPES):
        return expression_text(cast(m.Expr, value))
    return _node(value) if is_dataclass(value) else str(value)
