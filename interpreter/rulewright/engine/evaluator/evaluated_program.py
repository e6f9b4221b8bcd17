"""A program that is evaluated: the blocks of its functions, its queries, and expressions about its states."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from rulewright.engine.evaluator.blocks import Block, FunctionEvaluation
from rulewright.engine.evaluator.collections import Collections
from rulewright.engine.evaluator.context import Context
from rulewright.engine.evaluator.expressions import Expressions, Kinds
from rulewright.engine.evaluator.map_queries import MapQueries, remembered
from rulewright.engine.evaluator.registers import RETURNED, Registers, forget
from rulewright.engine.evaluator.scalars import Scalars
from rulewright.engine.evaluator.scope import VARIABLES, Evaluate, Scope
from rulewright.engine.evaluator.state_reads import StateReads, offsets
from rulewright.engine.faults import INSIDE, TOO_DEEP, fault
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import suspension_points
from rulewright.ir.transform.passes import SHARED
from rulewright.ir.walk import deep_recursion

Origin = tuple[str, int]
"""Function and instruction, or query and -1."""
BlockKey = tuple[int, int, bool]
"""Of a block: function, instruction, and whether it begins by taking what a called function has returned."""


def _kinds(prefix: str) -> Kinds:
    """The kinds of expressions that the parts evaluate by methods with such a prefix."""
    parts = (Scalars, StateReads, Collections, MapQueries)
    methods = [(name, part, method) for part in parts for name, method in vars(part).items()]
    return {getattr(m, n.removeprefix(prefix)): (part, one) for n, part, one in methods if n.startswith(prefix)}


EVALUATED, TESTED = _kinds("_x_"), _kinds("_t_")
"""For each kind of expression the part that evaluates it, and by which method; and of some where a truth is wanted."""


@contextmanager
def loud() -> Iterator[None]:
    """A mistake in the making of closures must not look like one of the rules, which are running when it happens."""
    try:
        yield
    except (LookupError, ValueError, TypeError, ArithmeticError) as error:
        raise AssertionError(f"no closure could be made: {error}") from error


@dataclass(frozen=True, slots=True)
class Question:
    """The part that the machine needs of a :class:`~rulewright.ir.model.Choose` or ``Chance``."""

    number: int
    function: str
    pc: int
    instr: m.Choose | m.Chance
    into: int
    """Offset of the slot in the frame."""
    block: int
    """The block that asks it."""
    after: int
    extras: tuple[int, ...]

    @property
    def name(self) -> str:
        """The name of the decision."""
        return f"{self.function}.{self.instr.label}" if self.instr.label else self.function


class EvaluatedProgram:
    """The functions of a program, each made when it is first needed."""

    def __init__(self, program: m.Program, passes: Collection[str] = SHARED) -> None:
        self.program = program
        self.ctx = Context(program, passes)
        self.layout = self.ctx.layout
        self.offsets = [offsets(f.slots) for f in program.functions]
        self.blocks: list[Block] = []
        """The blocks by number."""
        self._numbers: dict[BlockKey, int] = {}
        self._functions: dict[int, FunctionEvaluation] = {}
        self._queries: dict[str, Callable[..., Any]] = {}
        self._expressions: dict[tuple[int, tuple[str, ...]], tuple[m.Expr, Callable[..., Any]]] = {}
        self.x = Expressions(self.ctx, EVALUATED, TESTED, self._what_if, self._raw_query)
        self._shared: dict[str, int] = {}
        for function in program.functions:
            for i in function.code:
                if isinstance(i, m.Call) and i.shared:
                    self._shared[i.function] = max(self._shared.get(i.function, 0), len(i.shared))
        self.entries = [self.block(number, 0) for number in range(len(program.functions))]
        self.questions = self._find_questions()

    # ------------------------------------------------------------------------------------------ functions

    def block(self, function: int, pc: int, result: bool = False) -> int:
        """The number of the block that begins with an instruction, or with what the call before it has returned."""
        key = function, pc, result
        if key not in self._numbers:
            with self.ctx.making:
                if key not in self._numbers:
                    self.blocks.append(self._block(key))
                    self._numbers[key] = len(self.blocks) - 1  # last: other threads may use it then
        return self._numbers[key]

    def _block(self, key: BlockKey) -> Block:
        """A block that is made when it is first run, as most games come to few of them."""
        number, pc, result = key
        made: list[Block] = []

        def unmade_block(C: list[int], S: list[int], R: Registers) -> int:
            if not made:
                block, place = self.function(number).block(pc, result), self._numbers[key]
                made.append(block)
                if self.blocks[place] is unmade_block:  # else a listener is in its place
                    self.blocks[place] = block
            return made[0](C, S, R)

        return unmade_block

    def function(self, number: int) -> FunctionEvaluation:
        """The instructions of a function."""
        found = self._functions.get(number)
        if found is None:
            with self.ctx.making, deep_recursion(), loud():
                if number not in self._functions:
                    handed_back = self._shared.get(self.program.functions[number].name, 0)
                    self._functions[number] = FunctionEvaluation(self.x, number, self.block, handed_back)
                found = self._functions[number]
        return found

    def _find_questions(self) -> dict[tuple[int, int], Question]:
        """The questions, by function and instruction."""
        found: dict[tuple[int, int], Question] = {}
        for function, declared in enumerate(self.program.functions):
            for pc in self.suspension_points(function):
                i = declared.code[pc]
                if isinstance(i, m.Choose | m.Chance):
                    into = self.offsets[function][i.into]
                    extras = tuple(self.block(function, x.to) for x in i.extras) if isinstance(i, m.Choose) else ()
                    block, after = self.block(function, pc), self.block(function, pc + 1)
                    found[function, pc] = Question(len(found), declared.name, pc, i, into, block, after, extras)
        return found

    def suspension_points(self, function: int) -> tuple[int, ...]:
        """The places where a function can rest."""
        return suspension_points(self.program.functions[function])

    def _what_if(self, C: list[int], R: Registers, function: int, frame: Sequence[int]) -> tuple[list[int], Registers]:
        """Copies of cells and registers as they are after a function has run in a frame.

        No player observes what happens there, and no rule counts as fired. The effect is paid for as if it happened.
        """
        cells, stack, meter, block = C[:], list(frame), R.meter, self.block(function, 0)
        registers = Registers(3, self.ctx.memo_layout.new(), meter, budget=R.budget)
        while block >= 0:
            if registers.budget < 0:
                meter.refill(registers)
            if len(stack) > meter.scope.depth:
                fault(TOO_DEEP, "calls are nested too deeply")
            block = self.blocks[block](cells, stack, registers)
        if block != RETURNED:
            fault(INSIDE, "a hypothetical effect has stopped")
        return cells, registers

    # ------------------------------------------------------------------------------------------ queries, expressions

    def query(self, name: str) -> Callable[..., Any]:
        """A query as a function of cells, registers and arguments."""
        function = self._raw_query(name)
        return (lambda *args: 1 if function(*args) else 0) if self.x.query_is_truth(name) else function

    def _raw_query(self, name: str) -> Callable[..., Any]:
        """The function of a query, which may give a truth as Python has it."""
        found = self._queries.get(name)
        if found is None:
            with self.ctx.making, deep_recursion(), loud():
                if name not in self._queries:
                    self._queries[name] = self._made_query(name)
                found = self._queries[name]
        return found

    def _made_query(self, name: str) -> Callable[..., Any]:
        query = self.ctx.optimizer.query(name)
        scope = Scope.of([(slot.name, slot.ty.kind == "list") for slot in query.params])
        body = (self.x.test if self.x.query_is_truth(name) else self.x.value)(query.body, scope)
        blank = scope.blank()[VARIABLES + len(query.params) :]

        def evaluated_query(C: list[int], R: Registers, *args: Any) -> Any:
            return body(C, [R, None, 0, C, *args, *blank])

        def evaluated_query_of_one(C: list[int], R: Registers, arg: Any) -> Any:
            return body(C, [R, None, 0, C, arg])

        is_short = len(query.params) == 1 and not blank
        function: Any = evaluated_query_of_one if is_short else evaluated_query
        function.__code__ = function.__code__.replace(co_name=f"query {name}")  # for `origins`
        known = self.ctx.memo_layout.numbers.get(name)
        if known is None:
            return function  # type: ignore[no-any-return]
        pays = self.ctx.optimizer.charges.pays(name)
        return (self._memoized_with_price if pays else self._memoized)(function, known)

    def _memoized(self, function: Callable[..., Any], number: int) -> Callable[..., Any]:
        """A query of which results are kept that are still valid."""
        most = self.ctx.memo_layout.most

        def memoized_query(C: list[int], R: Registers, *args: Any) -> Any:
            memo = R.memo
            if memo[0] is not C:
                forget(memo, C)
            results = memo[number]
            if args in results:
                return results[args]
            value = function(C, R, *args)
            if len(results) >= most:
                results.clear()
            results[args] = value
            return value

        return memoized_query

    def _memoized_with_price(self, function: Callable[..., Any], number: int) -> Callable[..., Any]:
        """A query of which results are kept that are still valid; what is kept costs what it did."""
        most, pay = self.ctx.memo_layout.most, self.x.pay

        def memoized_query(C: list[int], R: Registers, *args: Any) -> Any:
            results = remembered(C, R, number)
            if args in results:
                value, paid = results[args]
                pay(R, paid)
                return value
            left = R.budget + R.meter.left
            value = function(C, R, *args)
            if len(results) >= most:
                results.clear()
            results[args] = value, left - (R.budget + R.meter.left)
            return value

        return memoized_query

    def expression(self, e: m.Expr, params: tuple[str, ...] = (), types: tuple[m.Ty, ...] = ()) -> Callable[..., Any]:
        """An expression, closed but for `params`, as a function of cells, registers, earlier cells and parameters."""
        if isinstance(e, m.Const):
            constant = e.value
            return lambda *_: constant
        known = self._expressions.get((id(e), params))
        if known is not None:
            return known[1]
        with self.ctx.making, deep_recursion():
            scope = Scope.of([(name, ty.kind == "list") for name, ty in zip(params, types, strict=True)])
            value = self.x.value(self.ctx.optimizer.charges.written(e), scope)
            blank = scope.blank()[VARIABLES + len(params) :]

            def evaluated(C: list[int], R: Registers, D: list[int], *args: Any) -> Any:
                return value(C, [R, None, 0, D, *args, *blank])

            self._expressions[id(e), params] = e, evaluated
        return evaluated

    def in_frame(
        self, function: int, pc: int, make: Callable[[Expressions, Scope], Evaluate], var: str = ""
    ) -> Callable[..., Any]:
        """The closure that `make` makes, as a function of cells, registers, stack, the base of a frame of a function,
        and a member that `var` stands for; errors are those of its instruction `pc`."""
        declared = self.program.functions[function]
        with self.ctx.making, deep_recursion():
            slots = tuple(zip(self.offsets[function], declared.slots, strict=False))
            scope = Scope.of([(var, False)], slots)
            value, origin = make(self.x, scope), (declared.name, pc)
            blank = scope.blank()[VARIABLES + 1 :]

        def evaluated_in_frame(C: list[int], R: Registers, S: Sequence[int], B: int, member: Any = None) -> Any:
            _place = origin  # for `origins`
            return value(C, [R, S, B, None, member, *blank])

        return evaluated_in_frame

    def origins(self, trace: TracebackType | None) -> list[Origin]:
        """The places in the rules of a traceback, outermost first."""
        found = []
        while trace is not None:
            code, here = trace.tb_frame.f_code, trace.tb_frame.f_locals
            if code.co_name == "evaluated_block":
                found.append((here["_name"], here["pc"]))
            elif code.co_name == "evaluated_in_frame":
                found.append(here["_place"])
            elif code.co_name.startswith("query "):
                found.append((code.co_name[6:], -1))
            trace = trace.tb_next
        return found
