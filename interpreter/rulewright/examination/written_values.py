"""Values that fields come to by what the rules write: numbers, and steps upwards or downwards from where they are."""

from __future__ import annotations

from collections import defaultdict

from rulewright.ir import model as m
from rulewright.ir.arithmetic import Interval


class WrittenValues:
    """The bounds of the numbers in fields that the rules change, where these are narrower than what is declared."""

    def __init__(self, program: m.Program) -> None:
        self._fields = {field.name: field for field in program.fields}
        self._writes: dict[str, list[m.SetField]] = defaultdict(list)
        for function in program.functions:
            for i in function.code:
                if isinstance(i, m.SetField):
                    self._writes[i.field].append(i)

    def of(self, name: str) -> Interval | None:
        """The least and the largest number that a field comes to; None of what is never written, or no number."""
        field, writes = self._fields[name], self._writes.get(name)
        if writes is None or field.ty.kind != "int" or field.ty.optional:
            return None
        begin = field.initial if isinstance(field.initial, tuple) else (field.initial,)
        low, high = min(begin), max(begin)
        for write in writes:
            match write.value:
                case m.Const(value):
                    low, high = min(low, value), max(high, value)
                case m.Arith("add" | "sub" as op, m.FieldGet(same, index), m.Const(step)) if (
                    same == name and index == write.index
                ):
                    if (step > 0) == (op == "add"):
                        high = field.ty.high
                    else:
                        low = field.ty.low
                case _:
                    return None
        return low, high


__all__ = ["WrittenValues"]
