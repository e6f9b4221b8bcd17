"""Scenarios: from what is written to a plan that can be run on a program."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from rulewright.compiler.driver import Compiler
from rulewright.compiler.scenarios.outcomes import PLACE, Outcomes, PieceNames, place_universe, places_of_signs, rows_of
from rulewright.compiler.scenarios.replies import Replies, check_says_something, check_something_is_refused
from rulewright.compiler.symbols.static_types import INT, entity
from rulewright.compiler.symbols.symbols import Binding, Scope
from rulewright.diagnostics import Report, Span
from rulewright.diagnostics.suggestions import did_you_mean, did_you_mean_key
from rulewright.foundation.bit_sets import bits_of
from rulewright.ir import model as m
from rulewright.ir import scenario_plan as steps
from rulewright.syntax import ast, print_expr

Each = tuple[tuple[steps.Each, ...], m.Expr | None, Scope]
"""Binders of a line, a condition, and the scope of what is done for each."""


class ScenarioCompiler:
    """Plans one scenario with the compiler of its game (world, queries and types are known there)."""

    def __init__(self, compiler: Compiler, report: Report, to_run: bool = True) -> None:
        """Unless the plan is `to_run`, as only findings are wanted, its steps have no texts."""
        self.to_run = to_run
        self.lowering, self.lower, self.context = compiler.lowering, compiler.expressions, compiler.context
        self.coercions, self.world, self.report = self.lower.coercions, compiler.world, report
        self.context.report = report
        self.choices, self.chances = compiler.choices, compiler.chances
        self.scope = Scope()
        self.seats: tuple[str, ...] = ()
        self.rules = compiler.rules
        self.outcomes = Outcomes(compiler, report, to_run)
        self.replies = Replies(compiler, report, self.outcomes)

    def plan(self, scenario: ast.Scenario, program: m.Program, seats: tuple[str, ...]) -> steps.ScenarioPlan:
        """The plan of a scenario."""
        self.seats = seats
        scenario = PieceNames(self.world.keys("Piece"), dict(zip(seats, self.world.keys("Player"), strict=False))).in_(
            scenario
        )
        self.context.keys_for_one.clear()
        self.scope = Scope()
        self.outcomes.begin(self.scope, seats)
        self.replies.begin(self.scope)
        for number, seat in enumerate(seats):
            self.scope.bind(seat, Binding(m.Const(number), entity("Player")))
        made: list[steps.Step] = []
        nowhere = [line for line in scenario.lines if isinstance(line, ast.SFrom)]
        for one in nowhere:
            self._begins_nowhere(one, scenario)
        for line in scenario.lines if not nowhere else ():
            made.extend(self._meant(line, self._line(line)))
        players = replace(program.universes[0], keys=seats) if seats else program.universes[0]
        named = replace(program, universes=(players, *program.universes[1:]))
        return steps.ScenarioPlan(scenario.title, named, seats, tuple(made), scenario.trivia.cites, scenario.span)

    def _meant(self, line: ast.ScenarioLine, made: list[steps.Step]) -> list[steps.Step]:
        """The steps of a line, after those that make sure which piece its keys mean."""
        keys = dict.fromkeys(self.context.keys_for_one)
        self.context.keys_for_one.clear()
        text = made[0].text if made else ""
        sure = [steps.OneMeant(line.span, text, key, self.world.called("Piece", key)) for key in keys]
        return [*sure, *made]

    def _line(self, line: ast.ScenarioLine) -> list[steps.Step]:
        at = line.span
        match line:
            case ast.SPut():
                return self._put(line)
            case ast.SGiven():
                return self._given(line)
            case ast.SDraw():
                return self._drawn(line)
            case ast.Merge():
                return self._merge(line.left, line.right, at)
            case ast.Let(name):
                of = None if line.type is None else self.world.resolve(line.type)
                typed = self.coercions.item(self.lower.lower(line.value, self.scope, of))
                self.scope.bind(name, Binding(typed.ir, typed.type))
                return []
            case ast.SStart():
                return self._start(line.call, at)
            case ast.SWhen(who, answers, may):
                seat = self._seat(who, at)
                replies = tuple(r for a in answers if (r := self.replies.reply(a)) is not None)
                self.context.keys_for_one.clear()  # of what is offered the options are compared, whichever piece it is
                text = f"when {who}{' may' if may else ''}: " + ", ".join(self.outcomes.answered(a) for a in answers)
                return [steps.When(span=at, text=text, seat=seat, replies=replies, may=may)]
            case ast.SChance(answers):
                return [f for a in answers if (f := self.outcomes.fate(a)) is not None]
            case ast.SThen(conditions):
                return [self._then(c) for c in conditions]
            case ast.SRefused(who, answer, because):
                check_something_is_refused(answer, answer.name in self.replies.several, self.report)
                reply = self.replies.reply(answer, refused=True)
                reason = None if because is None else self.replies.known_reason(because)
                text = f"refused {who}: {self.outcomes.answered(answer)}" + (f" because {because}" if because else "")
                return [steps.Refused(span=at, text=text, seat=self._seat(who, at), reply=reply, because=reason)]
            case ast.SOffered(who, name):
                return [self.replies.offered(who, self._seat(who, at), name, line.value, at)]
            case ast.SSeen(who, values, hidden):
                seat = self._seat(who, at)
                return [step for value in values if (step := self._seen(who, seat, value, hidden)) is not None]
            case ast.SWins(who):
                return [self._wins(who, at)]
            case ast.SPayoff(payoffs):
                return [step for one in payoffs if (step := self._payoff(one)) is not None]
            case ast.SOut(names):
                return [steps.Out(span=at, text=f"out {', '.join(names)}", seats=self._seats(names, at))]
            case ast.SPlayers() | ast.SVariant() | ast.SSet() | ast.SFrom():
                return []  # they decide upon the game, and where it begins
            case _:
                assert_never(line)

    def _begins_nowhere(self, line: ast.SFrom, scenario: ast.Scenario) -> None:
        """Say why a scenario cannot begin from another one: where it can, that one's lines stand here."""
        titles = [known.title for known in self.rules.scenarios]
        if line is not scenario.lines[0]:
            message, hint = "a scenario begins from one other, in its first line", "more can be laid out below it"
        elif line.title not in titles:
            message, hint = f'there is no scenario "{line.title}" to begin from', did_you_mean(line.title, titles)
        else:
            message, hint = "this scenario begins from itself, or from one that cannot begin", ""
        self.report.error("REF021", message, line.span, hint=hint)

    def _wins(self, who: tuple[ast.Expr, ...], at: Span) -> steps.Wins:
        """``wins a, b``: players, parties, sets of them; or nobody."""
        players: list[m.Expr] = []
        parties: list[tuple[str, m.Expr]] = []
        for one in who:
            if isinstance(one, ast.Name) and not self._can_win(one.name):
                if one.name != "nobody" or len(who) > 1:
                    known = [*self.seats, *self._party_names(), *(["nobody"] if len(who) == 1 else [])]
                    message = f"unknown player or party `{one.name}`"
                    self.report.error("REF001", message, one.span, hint=did_you_mean(one.name, known))
                continue
            found = self.lowering.statements.endings.winners(one, self.scope, "who wins", "`wins nobody`")
            if found is not None:
                players.append(found.players)
                parties += [(found.universe, found.parties)] if found.parties is not None else []
        source_text = ", ".join(self.outcomes.source_text(one) for one in who)
        return steps.Wins(at, f"wins {source_text}", tuple(players), tuple(parties))

    def _payoff(self, payoff: ast.PayoffOf) -> steps.Payoff | None:
        """``payoff a: 3``: players, parties or sets of them, each of whom the game is worth so much to."""
        found = self.lowering.statements.endings.winners(payoff.who, self.scope, "whose payoff it is", "leave it out")
        value = self.lower.want(payoff.value, self.scope, INT, "a payoff")
        parts = self.lower.want(payoff.parts, self.scope, INT, "a number") if payoff.parts is not None else None
        if found is None:
            return None
        source_text = print_expr(payoff.value) + (f"/{print_expr(payoff.parts)}" if payoff.parts is not None else "")
        text = f"payoff {self.outcomes.source_text(payoff.who)}: {source_text}"
        return steps.Payoff(payoff.span, text, found.players, value, parts, source_text)

    def _can_win(self, name: str) -> bool:
        """True of a name that may mean a player: a seat, a member of a party, a name of the scenario, a field."""
        world = self.world
        known = ("players", "everyone", *world.fields, *world.params, *world.absent, *self._party_names())
        return name in known or self.scope.find(name) is not None

    def _party_names(self) -> list[str]:
        names = [name for u in self.world.parties for name in self.world.keys(u)]
        return [name for name in dict.fromkeys(names) if name not in self.seats]

    def _seats(self, names: tuple[str, ...], at: Span) -> tuple[int, ...]:
        return tuple(self._seat(name, at) for name in names)

    def _seat(self, name: str, at: Span) -> int:
        if name not in self.seats:
            self.report.error("REF001", f"unknown player `{name}`", at, hint=did_you_mean(name, self.seats))
            return 0
        return self.seats.index(name)

    # ---------------------------------------------------------------------------------------- position

    def _put(self, line: ast.SPut, places: Each | None = None) -> list[steps.Step]:
        each, where, scope = places or self._each(line.binds, line.where)
        zone = self.lowering.statements.pieces.zone(line.zone, scope)
        return [step for key in line.keys for step in self._put_one(line, key, zone, (each, where))]

    def _put_one(
        self, line: ast.SPut, key: str, zone: m.ZoneGet | None, places: tuple[tuple[steps.Each, ...], m.Expr | None]
    ) -> list[steps.Step]:
        pieces = self.world.called("Piece", key)
        if not pieces:
            hint = did_you_mean_key(key, self.world.keys("Piece"))
            self.report.error("REF004", f"no piece is called `{key}`", line.span, hint=hint)
        if zone is None or not pieces:
            return []
        held = self.world.zones[zone.zone].type.kinds
        fitting = sum(1 << p for p in bits_of(pieces) if not held or self.world.overlap(held, self.world.kinds_of(p)))
        pieces = fitting or pieces  # of kinds with one name those are meant that can lie there
        kinds = self.world.kinds_of((pieces & -pieces).bit_length() - 1)
        if held and not self.world.overlap(held, kinds):
            self.report.error("TYP219", f"zone `{zone.zone}` cannot hold a {kinds[0]}", line.span)
            return []
        amount = 1 if line.amount is None else line.amount
        if amount > pieces.bit_count():
            self.report.error("TYP226", f"there are only {pieces.bit_count()} of `{key}`", line.span)
            return []
        face = {"face up": 0, "face down": 1}.get(line.face or "")
        side = self._side(line.side, kinds, line.span) if line.side is not None else None
        text = f'put {amount} "{key}" in {self.outcomes.source_text(line.zone)}'
        bottom = line.face == "at bottom"
        here = (zone.zone, zone.index, face, bottom, side, *places)
        return [steps.Put(line.span, text, amount, key, pieces, *here)]

    def _each(self, binds: tuple[ast.Bind, ...], where: ast.Expr | None) -> Each:
        """``for x in S, y in T where C``, and the scope of what is done for each."""
        scope, each = self.scope, []
        for bind in binds:
            bound, scope = self.lower.bind(bind, scope)
            each.append(steps.Each(bound.var, bound.source, bound.is_list))
        return tuple(each), None if where is None else self.lower.truth(where, scope), scope

    def _side(self, name: str, kinds: tuple[str, ...], at: Span) -> int | None:
        universe = self.world.sides_universe(kinds)
        found = self.world.member(universe, name)
        if found is None:
            self.context.unknown("side", name, list(self.world.keys(universe)), at)
        return found

    def _drawn(self, line: ast.SDraw) -> list[steps.Step]:
        """The `put` and `given` lines for which a drawing stands: one for each sign."""
        operand = line.target.operand if isinstance(line.target, ast.Index) else line.target
        name = operand.name if isinstance(operand, ast.Name) else ""
        zone, held = self.world.zones.get(name), self.world.fields.get(name)
        index = zone.index if zone is not None else held.index if held is not None else ()
        graph = self.world.graph_of(place_universe(line.target, index) or "")
        rows = rows_of(graph) if graph is not None else []
        if graph is None or not rows:
            message = "a drawing lays out a zone or field of the places of a map with rows"
            self.report.error("TYP239", message, line.target.span, hint='such as `draw on[place] with K = "knight"`')
            return []
        made: list[steps.Step] = []
        places = places_of_signs(line, rows, self.report)
        for sign in line.signs:
            var, binding = self.context.variable(PLACE, entity(graph.place))
            each = (steps.Each(var, m.Const(places.get(sign.sign, 0)), False),)
            there: Each = (each, None, self.scope.inner(**{PLACE: binding}))
            if zone is None:
                setting = ast.Setting(line.target, sign.value, span=sign.span)
                made += self._given(ast.SGiven((setting,), span=sign.span), there)
                continue
            for piece in sign.value.items if isinstance(sign.value, ast.ListOf) else (sign.value,):
                if isinstance(piece, ast.StringLiteral):
                    made += self._put(ast.SPut(None, (piece.text,), line.target, None, span=piece.span), there)
                else:
                    hint = 'write its key, or a list of several: `["knight", "castle"]`'
                    self.report.error("TYP239", "a sign for a zone stands for pieces", piece.span, hint=hint)
        return made

    def _given(self, line: ast.SGiven, places: Each | None = None) -> list[steps.Step]:
        each, where, scope = places or self._each(line.binds, line.where)
        made: list[steps.Step] = []
        for setting in line.settings:
            target = setting.target
            place, every = self.lower.target(target, scope), each
            wanted, read, key = place.type, place.ir, None
            if isinstance(read, m.Mapped) and isinstance(read.element, m.FieldGet):  # for each value of the last key
                every, key, read = (*each, steps.Each(read.var, read.source, False)), m.Var(read.var), read.element
            if not isinstance(read, m.FieldGet):
                if place.type.kind != "any":
                    self.report.error("TYP227", "`given` sets a field", target.span, hint="pieces are laid with `put`")
                continue
            wanted = wanted if key is not None else self.world.fields[read.field].type
            ir = self.lower.want(setting.value, scope, wanted.or_none(), "the given value")
            ir = ir if key is None else self.coercions.keyed.value_at(ir, key)
            if any(isinstance(one, steps.Given) and (one.field, one.index) == (read.field, read.index) for one in made):
                message = f"`{print_expr(target)}` stands here twice"
                self.report.error("REF007", message, target.span, hint="leave one of them out")
            text = f"given {self.outcomes.source_text(target)} = {self.outcomes.source_text(setting.value)}"
            made.append(steps.Given(line.span, text, read.field, read.index, ir, every, where))
        return made

    def _merge(self, left: ast.Expr, right: ast.Expr, at: Span) -> list[steps.Step]:
        for merged in self.world.merged:
            wanted = entity(merged, optional=True)
            a, b = self.lower.lower(left, self.scope, wanted), self.lower.lower(right, self.scope, wanted)
            one, other = self.coercions.fits(a, wanted), self.coercions.fits(b, wanted)
            if one is not None and other is not None:
                text = f"merge {self.outcomes.source_text(left)} with {self.outcomes.source_text(right)}"
                return [steps.Merged(at, text, merged, one, other)]
        self.report.error("TYP228", "`merge` joins two regions or places", at)
        return []

    def _start(self, call: ast.Expr, at: Span) -> list[steps.Step]:
        if isinstance(call, ast.Name):
            call = ast.Call(call, (), span=call.span)
        if not (isinstance(call, ast.Call) and isinstance(call.operand, ast.Name)):
            self.report.error("TYP214", "`start` names a procedure", at)
            return []
        name = call.operand.name
        info = self.world.calls.get(name)
        if info is None:
            self.context.unknown("procedure", name, list(self.world.calls), call.operand.span)
            return []
        args = self.lower.arguments(name, info.params, call, self.scope)
        return [
            steps.Start(at, f"start {self.outcomes.source_text(call)}", self.lowering.replacements.entry(name), args)
        ]

    # ------------------------------------------------------------------------------------------ checks

    def _then(self, condition: ast.Expr) -> steps.Step:
        parts: list[tuple[str, m.Expr, m.Ty]] = []
        before = len(self.report.found)
        ir = self.lower.truth(condition, self.scope)
        if len(self.report.found) == before:
            check_says_something(condition, self.seats, self.scope, self.world, self.report)
        one = list(self.context.keys_for_one)
        right = self.to_run and len(self.report.found) == before
        if right and isinstance(condition, ast.Binary) and condition.op not in ("and", "or"):
            for side in (condition.left, condition.right):
                quiet = Report()
                with self.context.reporting_to(quiet):
                    typed = self.lower.lower(side, self.scope)
                named = isinstance(side, ast.Name) and side.name in self.world.params
                if not quiet.found and (named or not isinstance(typed.ir, m.Const | m.ListConst)):
                    parts.append((print_expr(side), typed.ir, typed.type.run_time()))
        self.context.keys_for_one[:] = one  # the sides alone say less than the condition
        return steps.Then(condition.span, f"then {self.outcomes.source_text(condition)}", ir, tuple(parts))

    def _seen(self, who: str, seat: int, value: ast.Expr, hidden: bool) -> steps.Step | None:
        before = len(self.report.found)
        typed = self.coercions.item(self.lower.lower(value, self.scope))
        if len(self.report.found) > before:
            return None
        check_says_something(value, self.seats, self.scope, self.world, self.report)
        source_text = self.outcomes.source_text(value)
        text = f"{'hidden' if hidden else 'seen'} {who}: {source_text}"
        return steps.Seen(value.span, text, seat, typed.ir, typed.type.run_time(), hidden, source_text)
