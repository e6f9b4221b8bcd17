"""Queries and functions of programs as text for people: what a rule has become, and what a pass has made of it.

    query line(p: Player): Bool
        some c in Cell where disc[c] == p
    procedure turn
        0  choose %0 from {c in Cell where disc[c] is none} by active  "cell"
        1  disc[%0] := active
        2  return

Expressions are written by :mod:`rulewright.ir.text`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields

from rulewright.ir import model as m
from rulewright.ir.text import expression_text, node_text


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
            return node_text(i)


def _restricted(i: m.Choose) -> str:
    limits = "".join(f" unless refused by {one.label}: {expression_text(one.condition)}" for one in i.restrictions)
    extras = "".join(f" or {one.key} jump {one.to}" for one in i.extras)
    return limits + extras


def _options(node: object, names: tuple[str, ...]) -> str:
    """The fields of these names that are not as usual."""
    return "".join(
        f" {f.name}={getattr(node, f.name)}"
        for f in fields(node)  # type: ignore[arg-type]
        if f.name in names and getattr(node, f.name) != f.default
    )


def _index(index: Iterable[m.Expr]) -> str:
    return f"[{inner}]" if (inner := _listed(index)) else ""


def _listed(items: Iterable[m.Expr]) -> str:
    return ", ".join(map(expression_text, items))
