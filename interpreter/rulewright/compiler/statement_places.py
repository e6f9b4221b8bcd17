"""Places of statements in the rules, for errors at run time: a game is compiled again on request."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from rulewright.compiler import choices, compile_program, compile_rules, sources
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Report
from rulewright.foundation import limits
from rulewright.ir import model as m
from rulewright.ir.rule_places import Find, StatementPlace

Codes = Mapping[str, FunctionBuilder]


def statements_of(ruleset: Ruleset, program: m.Program) -> Find:
    """The statements of a program that was made of a ruleset."""
    players, titles, options = program.players, program.variants, program.options

    @cache
    def codes() -> Codes:
        return _compiled(ruleset, players, titles, options)

    def find(function: m.Function, pc: int) -> StatementPlace | None:
        return found_in(codes(), function, pc)

    return find


def found_in(codes: Codes, function: m.Function, pc: int) -> StatementPlace | None:
    """The statement to which an instruction of a function belongs, of which this may be the code."""
    code = codes.get(function.name)
    return None if code is None else code.statement_at(function.code, pc)


def _compiled(ruleset: Ruleset, players: int, titles: tuple[str, ...], options: tuple[tuple[str, str], ...]) -> Codes:
    """The code of a game; parameters are given only where they are not what they are without."""
    source = sources(ruleset.without_scenarios)
    plain, _ = compile_program(source, players, titles)
    usual = dict(plain.options) if plain is not None else {}
    given = {name: word for name, word in options if usual.get(name) != word}
    report = Report(most=limits.GAME_FINDINGS)
    count, chosen, values = choices(source, players, titles, given, report)
    if report.failed:
        return {}
    compiler, _ = compile_rules(source, count, chosen, values, report, linked=False)
    return compiler.codes if compiler is not None else {}
