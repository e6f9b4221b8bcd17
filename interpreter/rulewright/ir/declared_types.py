"""Types of expressions, as far as they are declared or follow from the operation."""

from __future__ import annotations

from rulewright.ir import folds
from rulewright.ir import model as m


class DeclaredTypes:
    """The types of what a program declares."""

    def __init__(self, program: m.Program) -> None:
        self._fields = {field.name: field.ty for field in program.fields}
        self._tables = {table.name: table.ty for table in program.tables}
        self._queries = {query.name: query.ty for query in program.queries}

    def of(self, e: m.Expr, function: m.Function | None = None) -> m.Ty | None:
        """The type of an expression of a function; None if it is not declared, as that of a set or variable."""
        match e:
            case m.FieldGet(name):
                return self._fields[name]
            case m.Attr(table):
                return self._tables[table]
            case m.CallQuery(query):
                return self._queries[query]
            case m.Local(slot):
                return function.slots[slot].ty if function is not None else None
            case m.Old(of):
                return self.of(of, function)
            case m.Fold(kind):
                return folds.type_of(kind)
            case m.Arith() | m.Size():
                return m.INT
            case _:
                return None
