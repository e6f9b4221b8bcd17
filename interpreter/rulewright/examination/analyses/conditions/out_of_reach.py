"""EXM111: a number that is compared with one that it cannot come to, or divided by one that is too large."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.bounds import Bounds
from rulewright.examination.examined_program import ExaminedProgram, names_in, queries_in
from rulewright.examination.findings import Suspect
from rulewright.examination.written_values import WrittenValues
from rulewright.ir import model as m
from rulewright.ir.arithmetic import Interval
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


def numbers_out_of_reach(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A count is bounded by the number of things that there are: more pieces than these cannot be asked for.

    Where there are more of them for other numbers of players, nothing is wrong.
    """
    known, written = Bounds(examined), WrittenValues(examined.program)
    for name, part in _parts(examined):
        for node in nodes(part):
            found = _decided(known, node) or _missed(written, node) or _vanishing(known, node)
            if found is not None:
                about, number, message, hint = found
                yield Suspect(
                    "EXM111",
                    name,
                    about,
                    message,
                    hint,
                    kinds=(ast.Binary, ast.Divide),
                    otherwise=(ast.AssignOp, ast.Parameter),
                    words=frozenset((str(abs(number)),)),
                    names=names_in(node) | queries_in(node),
                    everywhere=True,
                )


def _parts(examined: ExaminedProgram) -> Iterator[tuple[str, object]]:
    """Queries and instructions, with the names of the rules in which they are written."""
    yield from ((query.name, query.body) for query in examined.program.queries)
    for function in examined.program.functions:
        yield from ((_written_in(function, at), i) for at, i in enumerate(function.code))


def _written_in(function: m.Function, at: int) -> str:
    """The rule of an instruction: that of a consequence that is called if its condition holds, else the function."""
    match function.code[at : at + 3]:
        case (m.SetLocal(slot), m.JumpUnless(m.Cmp("ne", m.Local(asked), m.Const(m.NONE))), m.Call(name)) if (
            asked == slot
        ):
            return name
        case _:
            return function.name


_Found = tuple[str, int, str, str]
"""Subject, number, message and hint."""


def _decided(known: Bounds, e: object) -> _Found | None:
    """A comparison of what is counted with a number that it always, or never, is."""
    compared = _compared(e)
    if compared is None:
        return None
    turned, counted, number = compared
    if isinstance(counted, m.Attr) and turned not in ("eq", "ne"):
        return None  # rules may well be ready for other tables
    bounds = known.number(counted) if number != m.NONE else None
    if bounds is None or bounds[0] == bounds[1]:
        return None
    holds = _holds(turned, bounds, number)
    if holds is None:
        return None
    low, high = bounds
    verb = "always holds" if holds else "can never hold"
    printed = f"`{counted.table.partition('.')[2]}`: " if isinstance(counted, m.Attr) else ""
    message = f"a condition {verb}: {printed}what is compared with {number} lies between {low} and {high}"
    return f"{turned} {number}", number, message, f"compare it with a number between {low} and {high}"


def _missed(written: WrittenValues, e: object) -> _Found | None:
    """A comparison of a field with a number that nothing which the rules write into it comes to.

    One that always holds is no mistake: what is careful asks so.
    """
    match _compared(e):
        case (op, m.FieldGet(name), number) if number != m.NONE:
            bounds = written.of(name)
        case _:
            return None
    if bounds is None or _holds(op, bounds, number) is not False:
        return None
    low, high = bounds
    lies = f"is always {low}" if low == high else f"lies between {low} and {high}"
    message = f"a condition can never hold: `{name}` {lies}, by all that the rules write into it"
    return f"{op} {number}", number, message, f"change `{name}` where it should come to this, or compare it otherwise"


def _compared(e: object) -> tuple[str, m.Expr, int] | None:
    """A comparison with a number that is written: how, what and with which."""
    match e:
        case m.Cmp(op, m.Const(number), right, _) if not isinstance(right, m.Const):
            return {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}.get(op, op), right, number
        case m.Cmp(op, left, m.Const(number), _) if not isinstance(left, m.Const):
            return op, left, number
        case _:
            return None


def _holds(op: str, bounds: Interval, number: int) -> bool | None:
    """True or False if a comparison of a number within bounds is decided by them."""
    low, high = bounds
    never = {"lt": low >= number, "le": low > number, "gt": high <= number, "ge": high < number}
    always = {"lt": high < number, "le": high <= number, "gt": low > number, "ge": low >= number}
    outside = not low <= number <= high
    never["eq"] = always["ne"] = outside
    if never.get(op):
        return False
    return True if always.get(op) else None


def _vanishing(known: Bounds, e: object) -> _Found | None:
    """A division that always gives 0, though what is divided is not always 0."""
    match e:
        case m.Arith("div_down", divided, m.Const(number)) if number > 1:
            bounds = known.number(divided)
        case _:
            return None
    if bounds is None or not (bounds[0] == 0 < bounds[1] < number):
        return None
    message = f"this is always 0: what is divided by {number} is {bounds[1]} at most"
    return f"/ {number}", number, message, "divide by less, or round up"


__all__ = ["numbers_out_of_reach"]
