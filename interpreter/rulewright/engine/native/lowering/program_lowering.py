"""A whole program as a module of WebAssembly."""

from __future__ import annotations

import struct
from itertools import islice
from typing import assert_never

from rulewright.engine.native.lowering.area_functions import first_found, write_area, write_grown
from rulewright.engine.native.lowering.driver.answer_functions import IN_SECRET, OF_PIECES
from rulewright.engine.native.lowering.driver.exploration_functions import ExplorationMap
from rulewright.engine.native.lowering.driver.playout_functions import MOST_GAMES
from rulewright.engine.native.lowering.driver.policy_functions import PolicyMap
from rulewright.engine.native.lowering.driver.runtime_functions import RuntimeFunctions
from rulewright.engine.native.lowering.driver.tree_search.tree_map import TreeMap
from rulewright.engine.native.lowering.expressions.expression_table import expressions
from rulewright.engine.native.lowering.expressions.known_values import ComponentAnswers
from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.lowering.instructions.function_lowering import (
    BasicBlocks,
    FunctionLowering,
    SharedCode,
    basic_blocks,
)
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.lowering.memo_tables import RESULT
from rulewright.engine.native.memory_map import MemoryMap, words
from rulewright.engine.native.observation_plan import Covered, Measured, Observed, RowPlan
from rulewright.engine.native.passes import ALL, Passes
from rulewright.engine.native.values import Unsupported
from rulewright.engine.native.webassembly.terms import mem32, mem64
from rulewright.engine.random_numbers import hash64
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.assertion_queries import AssertionQueries
from rulewright.ir.control_flow.control_flow_graph import suspension_points
from rulewright.ir.control_flow.questions import called_in_turns
from rulewright.ir.dataflow.memoized_queries import memo_name
from rulewright.ir.walk import deep_recursion


@dataclass(frozen=True, slots=True)
class NativeProgram:
    """A compiled program: the module, and where everything lies in its memory."""

    code: bytes
    memory: MemoryMap
    rule_names: tuple[str, ...]
    fired: int
    """The address of the counters of the rules, of 8 bytes each."""
    games: int
    rows: int
    """The addresses where many games leave how many were played, and a row about each."""
    questions: tuple[tuple[int, int, int], ...]
    """For each question its function, its instruction, and the words of the set that is offered (or that it is a
    list)."""
    at: int
    """The address of the number of the state that is answered, among many."""
    floor: int
    """The address of the number that is raised by who wants the code to stop."""
    tree: TreeMap | None = None
    """The addresses that matter for searches, in a program that is made for these."""
    alpha_beta: int = 0
    """The address of the registers of alpha-beta searches; 0 if the game is none of two without chance."""
    policies: PolicyMap | None = None
    """The addresses that matter for policies, in a program that is made for some."""
    most_games: int = MOST_GAMES
    """So many games at once are played at most."""
    opening: int = 0
    """The address of what is known of the way to the first question; 0 if it is not needed."""
    plan: RowPlan | None = None
    """The places of what is measured in the row about a game, in a program that measures."""
    exploration: ExplorationMap | None = None
    """The addresses that matter for explorations, in a program that notes what runs cover."""


def lower(
    program: m.Program,
    exports: tuple[str, ...] = (),
    assertions: AssertionQueries | None = None,
    passes: Passes = ALL,
    rated: tuple[str, ...] = (),
    searches: bool = False,
    measured: Measured | None = None,
    observed: Observed | None = None,
    covered: Covered | None = None,
) -> NativeProgram:
    """Compile a program; :class:`Unsupported` if it holds something that cannot be compiled.

    The queries among `exports` can be called from outside. With `assertions`, which belong to this program, invariants
    and properties are checked while it is played. Seats can decide by policies that use the queries among `rated`. With
    `searches` there are functions that search: they take as long as a small game does, and most programs only play.
    With `measured` it is counted in many games what they are measured by, and these queries are evaluated at their
    ends. With `observed` there is a function that plays many games by actions, and writes what seats see of them. With
    `covered` what runs cover is noted, and how near they come to targets.
    """
    with deep_recursion():
        return lower_with(
            LoweringContext(program, assertions, passes, rated, searches, measured, observed, covered), exports
        )


def lower_with(ctx: LoweringContext, exports: tuple[str, ...] = ()) -> NativeProgram:
    """Compile the program of a compilation that has just begun."""
    with deep_recursion():
        return _ProgramLowering(ctx).lower(exports)


class _ProgramLowering:
    def __init__(self, ctx: LoweringContext) -> None:
        self.program = program = ctx.program
        self.ctx = ctx
        self.runtime = RuntimeFunctions(self.ctx)
        self.questions: list[tuple[int, int]] = []
        self.blocks: list[BasicBlocks] = [basic_blocks(f) for f in program.functions]
        self._in_turns = called_in_turns(program.functions)

    def lower(self, exports: tuple[str, ...]) -> NativeProgram:
        """Write everything that can be come to."""
        ctx, program = self.ctx, self.program
        for name in exports:
            ctx.query_number(name, name)
        shared = SharedCode(ctx)
        if ctx.coverage is not None:
            places = (pc for function in program.functions for pc in suspension_points(function))
            ctx.coverage.questions(sum(1 for _ in places))
        for number, function in enumerate(program.functions):
            pcs = [pc for pc in suspension_points(function) if isinstance(function.code[pc], m.Choose | m.Chance)]
            numbers = {pc: len(self.questions) + order for order, pc in enumerate(pcs)}
            self.questions.extend((number, pc) for pc in pcs)
            with ctx.log.inside(function.name):
                FunctionLowering(ctx, shared, number, self.blocks[number], numbers).write()
            ctx.module.add_to_table(ctx.function_numbers[number])
        for name in ctx.rated:
            ctx.module.add_to_table(ctx.query_number(name))
        while ctx.waiting:
            self._write_needed(*ctx.waiting.pop())
        memory = ctx.memory
        entries = [self._question(order, *one) for order, one in enumerate(self.questions)]
        self.runtime.write(
            questions=memory.constant(b"".join(entries)),
            ends=memory.numbers(1 + ctx.rule_numbers[f.name] if f.word == "end" else 0 for f in program.functions),
            returns=memory.numbers(self._returns(number) for number in range(len(program.functions))),
            initial=memory.constant(memory.initial),
            main=ctx.functions[program.main],
            places=self.questions,
        )
        for address, content in memory.constants:
            ctx.module.add_data(address, content)
        code = ctx.module.encoded(memory.end)
        runtime = self.runtime
        names = tuple(ctx.rule_numbers)
        offered = tuple((*one, ctx.offered_words.get(order, 0)) for order, one in enumerate(self.questions))
        playouts = runtime.playouts
        policies = runtime.policies.map if runtime.policies is not None else None
        return NativeProgram(
            code,
            memory,
            names,
            ctx.fired,
            playouts.games,
            playouts.rows,
            offered,
            runtime.steps.at,
            ctx.floor,
            runtime.searches.map if runtime.searches is not None else None,
            runtime.alpha_beta.registers.at if runtime.alpha_beta is not None else 0,
            policies,
            playouts.most,
            runtime.opening.at,
            playouts.plan if ctx.measured is not None else None,
            runtime.explorations.map if runtime.explorations is not None else None,
        )

    def _write_needed(self, needed: m.QueryDef | m.AreaMap | m.Graph, earlier: bool) -> None:
        """Write the function of a query, an area or a growing map."""
        with self.ctx.log.inside(memo_name(needed)):
            match needed:
                case m.QueryDef():
                    self._query(needed, earlier)
                case m.AreaMap():
                    write_area(self.ctx, needed, earlier)
                case m.Graph():
                    write_grown(self.ctx, needed, earlier)
                case _:
                    assert_never(needed)

    def _query(self, query: m.QueryDef, earlier: bool) -> None:
        ctx = self.ctx
        number = ctx.query_number(query.name, earlier=earlier)
        body = ctx.rule_body(number)
        body.entered()
        writer = FunctionWriter(ctx, body)
        writer.earlier = earlier
        given = iter(body.parameters())
        for order, slot in enumerate(query.params):
            null = slot.ty.optional or ("param", query.name, order) in ctx.null
            writer.env[slot.name] = ctx.typed(tuple(islice(given, len(ctx.types(slot.ty)))), slot.ty, null)
        is_set, bits = query.ty.kind == "set", ctx.layout.set_bits(query.ty) if query.ty.kind == "set" else 0
        table, lower = ctx.memos.find(query.name, earlier), expressions(writer)
        if table is not None:
            ctx.log.note("memo")
        if table is not None and table.start is not None:
            ctx.log.note("components")
            lower.components = ComponentAnswers(writer, table, query)
            table = None
        elif table is not None:
            arguments = tuple(writer.env.values())
            if table.area:
                arguments = (first_found(writer, table.area, *arguments),)
            with table.when_valid(body, *arguments) as row:
                if table.cost is not None:
                    writer.pay_now(mem64(row, table.cost))
                if is_set:
                    body.give(*writer.words_of(writer.load_set(RESULT, row, bits), bits))
                else:
                    body.give(mem32(row, RESULT))
        left = body.hold(ctx.budget) if table is not None and table.cost is not None else ctx.budget
        v = lower.value(query.body)
        v = writer.as_set(v) if is_set else v
        if table is not None:
            if is_set:
                writer.store_set(v, RESULT, row, words(bits))
            else:
                body.set(mem32(row, RESULT), v.term)
            table.keep_cost(body, row, left - ctx.budget)
            table.mark_valid(body, row)
        body.push(*(writer.words_of(v, bits) if is_set else [v.term]))
        ctx.module.define(number, body)

    def _question(self, number: int, function: int, pc: int) -> bytes:
        """The entry of a question in their table."""
        ctx, numbers = self.ctx, self.blocks[function].numbers
        i = self.program.functions[function].code[pc]
        assert isinstance(i, m.Choose | m.Chance)
        into, offered = ctx.memory.frames[function].offsets[i.into], ctx.offered_words.get(number, 0)
        after = stream = counter = targets = 0
        declared = self.program.functions[function].name
        flags = 0
        if isinstance(i, m.Choose):
            flags |= IN_SECRET if i.secret or declared in self._in_turns else 0
            flags |= OF_PIECES if i.universe == "Piece" else 0
        if isinstance(i, m.Chance):
            stream, counter = hash64(i.stream), ctx.memory.cell_at[ctx.layout.counters[i.stream]]
        else:
            after = numbers[pc + 1, False]
            if i.extras:
                targets = ctx.memory.numbers(numbers[extra.to, False] for extra in i.extras)
        return struct.pack("<4iQ2i", into, after, offered, counter, stream, targets, flags)

    def _returns(self, function: int) -> int:
        """The address of a table: for each call of a function the block that goes on after it."""
        code, numbers = self.program.functions[function].code, self.blocks[function].numbers
        after = [numbers.get((pc + 1, True), 0) for pc in range(len(code))]
        return self.ctx.memory.numbers(after)


__all__ = ["NativeProgram", "Unsupported", "lower"]
