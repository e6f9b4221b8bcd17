"""Answers that fill a cell: on each way from the question on, a field gets a value where it was none, or becomes true
where it was false, and no rule ever takes such a value away. There are no more of these answers than the field has
cells.

It is looked at all ways from a question to the next one, with the slots on the way that are known to name an empty cell
(a forward analysis of facts that hold on all ways; G. Kildall, *A unified approach to global program optimization*,
POPL 1973).
"""

from __future__ import annotations

from math import prod

from rulewright.ir import EXIT, CallGraph, allowed, loop_members, slots_stored, successors
from rulewright.ir import model as m

Slots = frozenset[int]
Visited = frozenset[tuple[str, int]]
"""Slots, each with the name of its function."""


class FilledCells:
    """The questions of a program whose answers fill cells."""

    def __init__(self, program: m.Program) -> None:
        self._functions = {function.name: function for function in program.functions}
        self._queries = {query.name: query for query in program.queries}
        self._sizes = {universe.name: universe.size for universe in program.universes}
        self._fields = {field.name: field for field in program.fields}
        closures = CallGraph(program.functions).closures(lambda function: function.name)
        asking = {f.name for f in program.functions if any(isinstance(i, m.Choose) for i in f.code)}
        self._asks = {name for name, called in closures.items() if asking & called}
        writers = {
            field.name: {f.name for f in program.functions if any(_writes(i, field.name) for i in f.code)}
            for field in program.fields
        }
        self._writers = {
            field: {name for name, called in closures.items() if own & called} for field, own in writers.items()
        }
        self._lacking = {table.name: m.NONE in table.values for table in program.tables}
        """For each table whether a value is missing."""
        self._eliminates = any(isinstance(i, m.Eliminate) for f in program.functions for i in f.code)
        self._given: dict[str, list[tuple[m.Function, tuple[m.Expr, ...]]]] = {}
        """For each function from where it is called, with what."""
        for function in program.functions:
            for i in function.code:
                if isinstance(i, m.Call):
                    self._given.setdefault(i.function, []).append((function, i.args))
        self._only_filled = [field.name for field in program.fields if self._is_only_filled(field)]
        self._ends_before: set[str] = set()
        """The fields of which a game may end after an answer before the cell is filled."""
        self._chains: dict[tuple[str, int, str], int] = {}

    def chain(self, function: str, pc: int) -> tuple[str, int] | None:
        """The field of which a cell is filled after each answer to a question, and how many answers there are at most
        from this one until it is; None if there is no such field."""
        found = ((field, self._chain(function, pc, field)) for field in self._only_filled)
        return next((one for one in found if one[1]), None)

    def answers(self, field: str, chain: int) -> int:
        """The most answers in a game, if so many at most come before each cell of a field is filled."""
        cells = prod(self._sizes[universe] for universe in self._fields[field].index)
        return (cells + (field in self._ends_before)) * chain

    def _is_only_filled(self, field: m.Field) -> bool:
        """True if no rule takes a value away: each value that is stored is something, or true."""
        is_truth = field.ty.kind == "bool" and not field.ty.optional
        if len(field.index) != 1 or not (is_truth or (field.ty.optional and field.ty.kind in ("entity", "int"))):
            return False
        return all(
            isinstance(i, m.SetField) and (i.value == m.Const(1) if is_truth else self._is_something(function, i.value))
            for function in self._functions.values()
            for i in function.code
            if _writes(i, field.name)
        )

    def _is_something(self, function: m.Function, e: m.Expr, visited: Visited = frozenset()) -> bool:
        """True if a value is never none; `asked` are slots that are being asked about: a cycle adds nothing."""
        match e:
            case m.Const(value):
                return value != m.NONE
            case m.First(m.Alive("Player")):
                return not self._eliminates
            case m.Attr(table, of):
                return not self._lacking.get(table, True) and self._is_something(function, of, visited)
            case m.Local(slot):
                place = function.name, slot
                return place in visited or self._holds_something(function, slot, visited | {place})
            case _:
                return False

    def _holds_something(self, function: m.Function, slot: int, visited: Visited) -> bool:
        """True if all that is stored in a slot is something, and all that it is given as a parameter."""
        if slot < function.params:
            given = self._given.get(function.name, [])
            if not given or not all(self._is_something(caller, args[slot], visited) for caller, args in given):
                return False
        taken = loop_members(function)
        for pc, i in enumerate(function.code):
            if slot not in slots_stored(i) or isinstance(i, m.Choose):
                continue
            if not isinstance(i, m.SetLocal):
                return False
            if pc in taken and self._has_no_none(function, taken[pc].slot):
                continue
            if not self._is_something(function, i.value, visited):
                return False
        return True

    def _has_no_none(self, function: m.Function, slot: int) -> bool:
        """True if none is not among the members of the set or list in a slot."""
        if function.slots[slot].ty.kind == "set":
            return True
        stores = [i for i in function.code if slot in slots_stored(i)]
        return slot >= function.params and all(isinstance(i, m.SetLocal) and _without_none(i.value) for i in stores)

    # ------------------------------------------------------------------------------------------------- the ways

    def _chain(self, name: str, pc: int, field: str) -> int:
        """The most answers from a question on, with that to it, until a cell is filled or the game ends; 0 if there are
        ways on which neither happens."""
        key = name, pc, field
        if key not in self._chains:
            self._chains[key] = 0  # a question that comes again before a cell is filled has no bound
            function = self._functions[name]
            question = function.code[pc]
            assert isinstance(question, m.Choose)
            offers = self._offers_empty(question, field)
            begins = [(pc + 1, frozenset((question.into,)) if offers else frozenset[int]())]
            begins += [(extra.to, frozenset[int]()) for extra in question.extras]
            more = self._most_before(function, begins, field, ())
            self._chains[key] = 0 if more is None else 1 + more
        return self._chains[key]

    def _most_before(
        self, function: m.Function, begins: list[tuple[int, Slots]], field: str, callers: tuple[str, ...]
    ) -> int | None:
        """The most answers on the ways from some instructions, with the slots that name an empty cell there, until one
        is filled; None if there are ways on which none is."""
        waiting, seen = list(begins), set(begins)
        most, ends = 0, False
        while waiting:
            pc, empty = waiting.pop()
            i = function.code[pc] if pc < len(function.code) else m.Return(None)
            match i:
                case m.Return():
                    return None
                case m.FinishWin() | m.FinishRank() | m.Fail():
                    ends = True
                    continue
                case m.SetField(name, (index,)) if name == field and self._names_empty(index, field, empty):
                    continue
                case m.Choose():
                    chain = self._chain(function.name, pc, field)
                    most = max(most, chain)
                    if not chain or i.on_empty is not None:
                        return None
                    continue
                case m.Call():
                    before = self._most_in(i, field, empty, (*callers, function.name))
                    if before is not None:
                        most = max(most, before)
                        continue
                    if i.function in self._asks:
                        return None
                case _:
                    pass
            after = self._after(i, field, empty)
            for to in successors(i, pc):
                if to != EXIT and (to, after) not in seen:
                    seen.add((to, after))
                    waiting.append((to, after))
        if ends:
            self._ends_before.add(field)
        return most

    def _most_in(self, call: m.Call, field: str, empty: Slots, callers: tuple[str, ...]) -> int | None:
        """Most cells that a called function fills; None if a way leads back out of it."""
        if call.function not in self._writers[field] or call.function in callers:
            return None
        given = frozenset(n for n, arg in enumerate(call.args) if self._names_empty(arg, field, empty))
        return self._most_before(self._functions[call.function], [(0, given)], field, callers)

    def _after(self, i: m.Instr, field: str, empty: Slots) -> Slots:
        """The slots that name an empty cell behind an instruction."""
        if _writes(i, field) or (isinstance(i, m.Call) and i.function in self._writers[field]):
            return frozenset()
        if isinstance(i, m.SetLocal) and self._names_empty(i.value, field, empty):
            return empty | {i.slot}
        return empty - slots_stored(i)

    # ------------------------------------------------------------------------------------------------ empty cells

    def _offers_empty(self, question: m.Choose, field: str) -> bool:
        """True if all that a question offers are empty cells."""
        conditions = allowed(question.restrictions)
        conditions += [question.where] if question.where is not None else []
        if any(self._says_empty(one, question.var, field) for one in conditions):
            return True
        return question.source is not None and self._all_empty(question.source, field)

    def _names_empty(self, e: m.Expr, field: str, empty: Slots) -> bool:
        """True if a value is an empty cell, or none, under which nothing can be stored."""
        match e:
            case m.Local(slot):
                return slot in empty
            case m.Const(value):
                return value == m.NONE
            case m.Single(of) | m.First(of):
                return self._all_empty(of, field)
            case m.IfElse(_, then, otherwise):
                return self._names_empty(then, field, empty) and self._names_empty(otherwise, field, empty)
            case m.LetIn(body=body):
                return self._names_empty(body, field, frozenset())
            case m.CallQuery(query):
                return self._names_empty(self._queries[query].body, field, frozenset())
            case _:
                return False

    def _all_empty(self, e: m.Expr, field: str) -> bool:
        """True if all members of a set or list are empty cells."""
        match e:
            case m.Filter(source, var, where) | m.Leading(source, var, where):
                return self._says_empty(where, var, field) or self._all_empty(source, field)
            case m.Collect(source, var, element, flat) | m.Mapped(source, var, element, flat):
                return (
                    self._all_empty(element, field)
                    if flat
                    else (element == m.Var(var) and self._all_empty(source, field))
                )
            case m.Best(source) | m.Sort(source):
                return self._all_empty(source, field)
            case m.ToList(of) | m.ToSet(of) | m.Lowest(of):
                return self._all_empty(of, field)
            case m.SetOp("minus", left):
                return self._all_empty(left, field)
            case m.SetOp("inter", left, right):
                return self._all_empty(left, field) or self._all_empty(right, field)
            case m.SetOp("union", left, right):
                return self._all_empty(left, field) and self._all_empty(right, field)
            case m.LetIn(body=body):
                return self._all_empty(body, field)
            case m.CallQuery(query):
                return self._all_empty(self._queries[query].body, field)
            case _:
                return False

    def _says_empty(self, condition: m.Expr, var: str, field: str) -> bool:
        """True if a condition holds for a variable only where the field is none, or false."""
        here, nothing = m.FieldGet(field, (m.Var(var),)), m.Const(m.NONE)
        match condition:
            case m.And(items):
                return any(self._says_empty(item, var, field) for item in items)
            case m.Cmp("eq", left, right, nothing=True) | m.Not(m.Cmp("ne", left, right, nothing=True)):
                return (left, right) in ((here, nothing), (nothing, here))
            case m.Not(m.Or(items)):
                return any(self._says_empty(m.Not(item), var, field) for item in items)
            case m.Not(m.Not(of)):
                return self._says_empty(of, var, field)
            case m.Not(of):
                return of == here
            case m.CallQuery(query, args):
                declared = self._queries[query]
                named = [p.name for p, arg in zip(declared.params, args, strict=True) if arg == m.Var(var)]
                return any(self._says_empty(declared.body, name, field) for name in named)
            case _:
                return False


def _without_none(e: m.Expr) -> bool:
    """True if a list has no none in it, as it is made of a set, or of the players."""
    return isinstance(e, m.ToList | m.ClockwiseFrom)


def _writes(i: m.Instr, field: str) -> bool:
    """True if an instruction changes a field."""
    match i:
        case m.SetField(name):
            return name == field
        case m.Reset(fields):
            return field in fields
        case m.SwapItems(field=name):
            return name == field
        case _:
            return False
