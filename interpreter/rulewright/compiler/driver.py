"""From declarations to a program: the pass that calls all the others."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, partial
from typing import TypeVar

from rulewright.compiler.cycles import (
    asked_by,
    report_area_cycles,
    report_limit_cycles,
    report_query_cycles,
    topological_order,
)
from rulewright.compiler.declaration_facts import rule_infos, steps
from rulewright.compiler.declarations.declare import Declarations
from rulewright.compiler.declarations.parameters import declare_payments
from rulewright.compiler.declarations.state_declarations import Holding, RecordChecks
from rulewright.compiler.lowering.choices.possibility import PossibilityLowerer
from rulewright.compiler.lowering.decided_alone import Conduct, conduct_of
from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import Ends, FunctionBuilder
from rulewright.compiler.lowering.lowering_context import LoweringContext
from rulewright.compiler.lowering.queries import QueryLowerer
from rulewright.compiler.lowering.sharing import Sharing, UnitCache
from rulewright.compiler.lowering.statement_lowering import StatementLowerer
from rulewright.compiler.lowering.statements.control_flow import BlockLowerer, FunctionLowerer
from rulewright.compiler.lowering.statements.procedure_calls import runs_procedure
from rulewright.compiler.lowering.statements.restrictions import RestrictionLowerer
from rulewright.compiler.overlays.declaration_set import Rules
from rulewright.compiler.reactions.consequences import Following, Linker, MatchLowerer
from rulewright.compiler.reactions.reaction_lowering import ReactionLowerer, ReplacementLowerer, mark_blocks
from rulewright.compiler.reactions.reaction_order import Events
from rulewright.compiler.reactions.windows import InterruptionLowerer, WindowLowerer
from rulewright.compiler.symbols.static_types import Type
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.symbols.symbols import MAIN, Scope
from rulewright.compiler.tree_walk import nodes as nodes_of
from rulewright.compiler.turn_independence import TurnChecks
from rulewright.compiler.what_ifs import report_what_ifs
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Report, Span
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.foundation.bit_sets import bits_of
from rulewright.ir import model as m
from rulewright.ir.dataflow.effects import EffectAnalysis
from rulewright.ir.graphs import folded
from rulewright.syntax import ast


class RuleLowering:
    """The lowerers of one game. Each is given those that it needs, so what is made first needs least."""

    def __init__(
        self, context: LoweringContext, events: Events, limits: dict[str, ast.Limits], watched: frozenset[str]
    ) -> None:
        world = context.world
        self.context, self.events = context, events
        self.ends = Ends()
        self.expressions = ExpressionLowerer(context)
        self.restrictions = RestrictionLowerer(self.expressions, limits)
        self.possibility = PossibilityLowerer(self.expressions, self.restrictions)
        self.windows = windows = WindowLowerer(self.expressions, self.possibility, events)
        self.replacements = ReplacementLowerer(world, events, windows)
        context.entry = self.replacements.entry
        blocks = BlockLowerer(world, self.ends, watched)
        self.interruptions = InterruptionLowerer(world, events, windows)
        self.statements = StatementLowerer(
            self.expressions,
            self.restrictions,
            self.possibility,
            blocks,
            windows,
            self.interruptions,
            self.replacements.entry,
        )
        self.functions = FunctionLowerer(context, blocks, windows, self.statements.block)
        self.reactions = ReactionLowerer(self.expressions, self.functions, windows, self.replacements)

    def window(self, decl: ast.Reaction) -> object:
        """All that a window shows of a reaction besides its head: when it is offered, and whether it changes the event.

        Two reactions with the same head for which this is the same are the same to all windows.
        """
        reacting = self.events.reacting(decl)
        if decl.by is None:
            return reacting.changes
        slots = range(len(reacting.params))
        numbered, self.context.numbered = self.context.numbered, 0
        made = self.windows.option(reacting, list(slots), m.Local(len(slots)), 0)
        self.context.numbered = numbered
        return reacting.changes, made

    def reach(self) -> object:
        """All that others ask of the procedures and reactions that one calls, as these are now: during which blocks it
        may be interrupted, and which results may be none for that."""
        during = self.events.reach()
        return during, self.interruptions.giving_nothing()


D = TypeVar("D", bound=ast.Clause)
L = TypeVar("L", m.Choose, m.Chance)


class Compiler:
    """Makes the program of one game. Findings go to the report; a program is made as far as possible."""

    def __init__(
        self,
        ruleset: Ruleset,
        rules: Rules,
        count: int,
        options: dict[str, ast.Expr],
        report: Report,
        units: UnitCache | None = None,
    ) -> None:
        self.ruleset, self.rules, self.report = ruleset, rules, report
        units = units or UnitCache()
        self.declarations = Declarations(rules, ruleset, count, options, report, units.snapshots)
        self.world: SymbolTable = self.declarations.build()
        self.asks = {name: asked_by(decl) for name, decl in self.world.query_decls.items()}
        circular = report_query_cycles(self.asks, self.world, report)
        self.context = LoweringContext(self.world, report)
        settling: list[ast.Consequence | ast.End] = [*self._all(ast.Consequence), *self._all(ast.End)]
        events = Events(self._all(ast.Reaction), rules.precedence, settling, self.world, report)
        mark_blocks(self.world, events)
        declare_payments(self.world, rules)
        obeyed = {d.name: d for d in self._all(ast.Limits)}
        watched = frozenset(p.after for p in self._all(ast.Property) if p.after is not None)
        self.lowering = RuleLowering(self.context, events, obeyed, watched)
        self.expressions = self.lowering.expressions
        self.sharing = Sharing(units, rules, self.context, self.lowering.ends, watched)
        self.matches = MatchLowerer(self.expressions)
        self.queries = QueryLowerer(self.expressions, self.lowering.possibility, self.sharing, circular)
        self.world.queries = self.queries
        self.codes: dict[str, FunctionBuilder] = {}
        self.cites: dict[str, tuple[str, ...]] = {}
        self.settling: list[Following] = []
        self.linker: Linker | None = None
        """None until the functions of the game are requested."""
        self.run_as: tuple[m.Program, m.Program] | None = None
        """The program, and the same as scenarios run it."""
        self.answers: tuple[frozenset[str], ...] = ()
        """Each time that what scenarios can name has changed, the words that were concerned."""

    @cached_property
    def choices(self) -> dict[str, list[m.Choose]]:
        """The choices of the whole game by their labels, once it is compiled."""
        return self._labelled(m.Choose)

    @cached_property
    def chances(self) -> dict[str, list[m.Chance]]:
        """The random outcomes of the whole game by their labels, once it is compiled."""
        return self._labelled(m.Chance)

    def _labelled(self, kind: type[L]) -> dict[str, list[L]]:
        found: dict[str, list[L]] = {}
        for code in self.codes.values():
            for item in code.questions():
                if isinstance(item, kind):
                    found.setdefault(item.label, []).append(item)
        return found

    def _all(self, kind: type[D]) -> list[D]:
        return self.rules.all(kind)

    def renew(self, ruleset: Ruleset, rules: Rules) -> None:
        """From here on this is the game of other rules, of which some declarations are to be taken (:meth:`take`)."""
        self.ruleset, self.rules = ruleset, rules
        self.context.report = self.report  # scenarios have reports of their own
        self.sharing.renew(rules)

    def take(self, decl: ast.Decl) -> None:
        """Take a declaration in the place of that of its name; what it becomes is for others to say."""
        world = self.world
        match decl:
            case ast.Callable():
                world.calls[decl.name] = replace(world.calls[decl.name], decl=decl)
                self.lowering.events.calls[decl.name] = decl
            case ast.Query() | ast.Value():
                world.query_decls[decl.name] = decl
            case ast.Reaction():
                self.lowering.events.renew(decl)
            case ast.Limits():
                self.lowering.restrictions.declared[decl.name] = decl
            case ast.FieldDecl():
                world.fields[decl.name] = replace(world.fields[decl.name], decl=decl)
            case ast.Zone():
                world.zones[decl.name] = replace(world.zones[decl.name], decl=decl)
            case ast.Area():
                world.areas[decl.name] = decl
            case ast.Party():
                world.parties[decl.name] = decl
            case _:
                pass

    def forget_answers(self, concerned: frozenset[str] = frozenset()) -> None:
        """Find the choices and random outcomes on request."""
        for name in ("choices", "chances"):
            self.__dict__.pop(name, None)
        self.answers += (concerned,)

    def compile(self, variants: tuple[str, ...], linked: bool = True) -> m.Program:
        """The whole program; without functions, which :meth:`link` adds, if it is not `linked` or something is wrong:
        so much is enough to find all that is wrong."""
        world = self.world
        for name in topological_order(self.asks):
            self.queries.signature(name, world.query_decls[name].span)
        holding = Holding(self.rules, self.declarations, self.expressions, self.sharing, self.report)
        areas, fields, zones = holding.areas(), holding.fields(), holding.zones()
        holding.check_room(fields, zones)
        RecordChecks(self.rules, self.world, self.report).check(fields, zones)
        report_limit_cycles(self._all(ast.Limits), self.report)
        for limits in self._all(ast.Limits):
            self.sharing.unit("limits", limits.name, partial(self._limits, limits))
        for end in self._all(ast.End):
            self._end(end)
        for consequence in self._all(ast.Consequence):
            self._consequence(consequence)
        for end in self._all(ast.End):
            if end.after is None:
                self._settle_with(end.name)
        for call in self._all(ast.Callable):
            *stages, code = self.code_of(call)
            for stage in stages:
                self.adopt(stage, ())
            self.adopt(code, call.trivia.cites)
        for reacting in self.lowering.events.all():
            self.adopt(self.code_of(reacting.decl)[-1], reacting.decl.trivia.cites)
        self._check_blocks()
        report_area_cycles(areas, self.queries.made, world, self.report)
        assertions = self._assertions()
        kinds = self._all(ast.Piece)
        begin = partial(self.declarations.pieces.begins, kinds)
        begins = self.sharing.unit("pieces", "begin", begin, tuple(kind.name for kind in kinds))
        self._check_main()
        report_what_ifs(self.rules.decls.values(), self.codes, self.queries.made, areas, self.context)
        self.report_turns(areas, fields, zones)
        game = self.rules.decls.get("game")
        program = m.Program(
            game=game.name if isinstance(game, ast.Game) else self.ruleset.name,
            title=self.ruleset.title,
            players=world.player_count,
            variants=variants,
            options=tuple((n, self._word(t, v)) for n, (t, v) in world.params.items()),
            universes=tuple(world.universes.values()),
            tables=tuple(world.tables.values()),
            kinds=self._kinds(),
            alike=self.declarations.pieces.rows.alike(),
            backs=self.declarations.pieces.backs(),
            begins=tuple(begins),
            graphs=tuple(folded(g) for g in world.graphs.values()),
            merged=self._merged(),
            areas=areas,
            fields=fields,
            zones=zones,
            streams=tuple(m.Stream(s) for s in self.context.streams),
            queries=tuple(self.queries.made.values()),
            functions=(),
            main=MAIN,
            assertions=assertions,
            rules=rule_infos(self.rules),
            move=self._move(),
            digest=self.ruleset.digest,
        )
        return self.link(program) if linked else program

    def report_turns(
        self, areas: tuple[m.AreaMap, ...], fields: tuple[m.Field, ...], zones: tuple[m.Zone, ...]
    ) -> None:
        """Report what is decided at once and yet seen by others, or hangs on what they decide."""
        if any(code.turns for code in self.codes.values()):
            queries, graphs = self.queries.made, self.world.graphs.values()
            depend = EffectAnalysis(queries.values(), areas, fields, zones, self._kinds(), self._merged(), graphs)
            made = (self.codes, queries, areas, fields, zones, self.settling, depend, self.context)
            TurnChecks(*made).report()

    def conduct(self) -> dict[str, Conduct]:
        """All that blocks `at once` ask of procedures: what these do."""
        if not any(code.turns for code in self.codes.values()):
            return {}
        return {name: conduct_of(self.world, name) for name in self.world.calls}

    def _check_main(self) -> None:
        main = self.world.calls.get(MAIN)
        if main is None:
            self.report.error("CTL101", f"there is no procedure `{MAIN}`, which is the game", self._game_span())
        elif main.params:
            self.report.error("CTL101", f"`{MAIN}` is the game itself, and takes no parameters", main.decl.span)

    def _game_span(self) -> Span:
        game = self.rules.decls.get("game")
        return game.span if game is not None else Span(self.ruleset.path)

    def _move(self) -> str:
        move = self.ruleset.manifest.move
        if move and move not in self.world.calls:
            self.report.error(
                "DAT016",
                f"`move` names `{move}`, which is not a procedure",
                self.ruleset.manifest.span("move"),
                hint=did_you_mean(move, self.world.calls),
            )
            return ""
        return move

    def _word(self, type: Type, value: int | tuple[int, ...]) -> str:
        if isinstance(value, tuple):
            return "[" + ", ".join(self._word(type.element(), v) for v in value) + "]"
        if type.kind == "set":
            return "{" + ", ".join(self._word(type.element(), v) for v in bits_of(value)) + "}"
        if value == m.NONE:
            return "none"
        if type.kind == "bool":
            return "true" if value else "false"
        if type.kind == "entity":
            return self.world.key(type.universe, value)
        return str(value)

    # ---------------------------------------------------------------------------------------- functions

    def _limits(self, decl: ast.Limits) -> None:
        scope = Scope()
        for param in decl.params:
            scope.bind(param.name, self.context.variable(param.name, self.world.resolve(param.type))[1])
        self.lowering.restrictions.lower(decl.restrictions, scope, decl.name)

    def adopt(self, code: FunctionBuilder, cites: tuple[str, ...]) -> None:
        """A function of this game; its code may be that of another game, too."""
        self.codes[code.name] = code
        self.cites[code.name] = cites

    def code_of(self, decl: ast.Callable | ast.Reaction) -> tuple[FunctionBuilder, ...]:
        """The code of a procedure, effect or reaction, after what is done instead of it."""
        if isinstance(decl, ast.Callable):
            return self.sharing.unit("function", decl.name, partial(self._callable, decl))
        lower = partial(self.lowering.reactions.lower, self.lowering.events.reacting(decl))
        return (self.sharing.unit("reaction", decl.name, lower),)

    def _callable(self, decl: ast.Callable) -> tuple[FunctionBuilder, ...]:
        info = self.world.calls[decl.name]
        code = FunctionBuilder(decl.name, decl.word, decl.word != "effect", info.result)
        stages = self.lowering.replacements.stages(decl.name)
        self.lowering.functions.lower(code, info.params, decl.body)
        if decl.open is not None:
            scope = Scope()
            for name, type in info.params:
                scope.bind(name, self.context.variable(name, type)[1])
            self.expressions.collection(decl.open, scope)
        return (*stages, code)

    def _reacting(
        self,
        name: str,
        word: str,
        params: tuple[tuple[str, Type], ...],
        decl: ast.Consequence | ast.End,
    ) -> FunctionBuilder:
        self.world.lookups["match", name] = None
        code = FunctionBuilder(name, word, True)
        self.lowering.functions.lower(code, params, decl.body, begin=self.matches.others(decl))
        # What follows at once is looked at again as a whole when the body is done.
        if not any(isinstance(i, m.Choose | m.Chance) for i in code.items):
            code.settle_as_a_whole()
        return code

    def _consequence(self, decl: ast.Consequence) -> None:
        match, reads, params = self.sharing.unit("match", decl.name, partial(self.matches.matched, decl))
        self.settling.append((decl.name, match, reads))
        make = partial(self._reacting, decl.name, "consequence", params, decl)
        self.adopt(self.sharing.unit("consequence", decl.name, make), decl.trivia.cites)

    def _end(self, decl: ast.End) -> None:
        match, reads, params = self.sharing.unit("match", decl.name, partial(self.matches.matched, decl))
        inside = [n for statement in decl.body for n in nodes_of(statement)]
        if not any(isinstance(n, ast.Ending) or runs_procedure(self.world, n) for n in inside):
            self.report.error(
                "CTL114", f"`{decl.name}` does not end the game", decl.span, hint="`finish with winner p`"
            )
        ends = self.lowering.ends
        ends.matches[decl.name] = match
        ends.types[decl.name] = params[0][1].or_none()
        ends.reads[decl.name] = reads
        if decl.after is not None:
            ends.after.setdefault(decl.after, []).append(decl.name)
        make = partial(self._reacting, decl.name, "end", params, decl)
        self.adopt(self.sharing.unit("end", decl.name, make), decl.trivia.cites)

    def _settle_with(self, name: str) -> None:
        self.settling.append((name, self.lowering.ends.matches[name], self.lowering.ends.reads[name]))

    def _check_blocks(self) -> None:
        blocks = {*self.world.calls}
        for call in self._all(ast.Callable):
            blocks |= {step.label for step in steps(call)}
        blocks |= {r.name for r in self._all(ast.Reaction)}
        bounded: list[ast.End | ast.FieldDecl | ast.Property] = [
            *self._all(ast.End),
            *self._all(ast.FieldDecl),
            *self._all(ast.Property),
        ]
        for decl in bounded:
            block = decl.lasting if isinstance(decl, ast.FieldDecl) else decl.after
            if block is not None and block not in blocks:
                self.report.error(
                    "REF009", f"there is no procedure or step `{block}`", decl.span, hint=did_you_mean(block, blocks)
                )

    def _kinds(self) -> tuple[m.KindSet, ...]:
        return tuple(m.KindSet(k.name, k.members, k.sides) for k in self.world.kinds.values())

    def _merged(self) -> tuple[m.MergedMap, ...]:
        return tuple(m.MergedMap(n, p) for n, p in self.world.merged.items())

    def link(self, program: m.Program) -> m.Program:
        """The program of this game with its functions; as it is if something is wrong."""
        if self.linker is not None or self.report.failed:
            return program
        return replace(program, functions=self._functions(program.areas, program.fields, program.zones))

    def _functions(
        self, areas: tuple[m.AreaMap, ...], fields: tuple[m.Field, ...], zones: tuple[m.Zone, ...]
    ) -> tuple[m.Function, ...]:
        queries, graphs = self.queries.made.values(), self.world.graphs.values()
        depend = EffectAnalysis(queries, areas, fields, zones, self._kinds(), self._merged(), graphs)
        self.linker = Linker(self.codes, self.cites, self.settling, depend)
        return self.linker.functions()

    # --------------------------------------------------------------------------------------- assertions

    def _assertions(self) -> tuple[m.Assertion, ...]:
        written: list[ast.Invariant | ast.Property | ast.Witness] = [
            *self._all(ast.Invariant),
            *self._all(ast.Property),
            *self._all(ast.Witness),
        ]
        return tuple(self.sharing.unit("assertion", d.name, partial(self.assertion, d)) for d in written)

    def assertion(self, decl: ast.Invariant | ast.Property | ast.Witness) -> m.Assertion:
        """An assertion, lowered."""
        lower, scope, var, source, inner = self.expressions, Scope(), None, None, []
        self.world.in_property = isinstance(decl, ast.Property)
        for bind in () if isinstance(decl, ast.Witness) else decl.binds:
            bound, scope = lower.bind(bind, scope)
            if source is None:
                var, source = bound.var, (m.ToSet(bound.source) if bound.is_list else bound.source)
            else:
                inner.append(m.Bound(bound.var, bound.source, bound.is_list))
        condition = lower.truth(decl.condition, scope)
        self.world.in_property = False
        after = decl.after if isinstance(decl, ast.Property) else None
        word = type(decl).__name__.lower()
        return m.Assertion(decl.name, word, after, var, source, condition, decl.trivia.cites, tuple(inner))  # type: ignore[arg-type]
