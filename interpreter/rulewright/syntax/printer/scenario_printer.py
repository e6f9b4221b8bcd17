"""Writing lines of scenarios."""

from __future__ import annotations

import re

from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import (
    POSTFIX,
    SUM,
    TERM,
    UNARY,
    bind_doc,
    expr_doc,
    listed,
    separated,
    texts_doc,
    where_doc,
)
from rulewright.syntax.printer.line_layout import Break, Doc
from rulewright.syntax.printer.statement_printer import stmt_doc
from rulewright.syntax.tables.parse_tables import reserved_words

_BARE = re.compile(r"[A-Z][A-Za-z0-9]*|[a-z_][a-z0-9_]*|[0-9]+")
"""Signs of a drawing that need no quotes."""


def scenario_line_doc(line: ast.Clause) -> Doc:
    """A line of a scenario."""
    match line:
        case ast.Let() | ast.Merge():
            return stmt_doc(line)
        case ast.SPlayers(names):
            return ["players ", *texts_doc(names)]
        case ast.SFrom(title):
            return [f'from "{title}"']
        case ast.SVariant(title):
            return [f'variant "{title}"']
        case ast.SPut(amount, key, zone, face, side, binds, where):
            many = "" if amount is None else f"{amount} "
            turned = ("" if face is None else f" {face}") + ("" if side is None else f" as {side}")
            return [f'put {many}"{key}" in ', *expr_doc(zone, POSTFIX), turned, *_each(binds, where)]
        case ast.SGiven(settings, binds, where):
            return ["given ", *separated([_setting(s) for s in settings], 1), *_each(binds, where)]
        case ast.SDraw(target, signs):
            return ["draw ", *expr_doc(target, POSTFIX), " with ", *separated([_sign(sign) for sign in signs], 1)]
        case ast.SStart(call):
            return ["start ", *expr_doc(call, POSTFIX)]
        case ast.SWhen(who, answers, may):
            return [f"when {who}{' may' if may else ''}: ", *separated([_answer(a) for a in answers], 1)]
        case ast.SChance(answers):
            return ["chance: ", *separated([_answer(a) for a in answers], 1)]
        case ast.SThen(conditions):
            return ["then ", *listed(conditions, 1)]
        case ast.SRefused(who, answer, because):
            return [f"refused {who}: ", *_answer(answer), "" if because is None else f" because {because}"]
        case ast.SOffered(who, name, value):
            return [f"offered {who}: {name} =", Break(1), *expr_doc(value)]
        case ast.SSeen(who, values, hidden):
            return [f"{'hidden' if hidden else 'seen'} {who}: ", *listed(values, 1)]
        case ast.SWins(who):
            return ["wins ", *separated([expr_doc(e, SUM) for e in who], 1)]
        case ast.SPayoff(payoffs):
            return ["payoff ", *separated([_payoff(p) for p in payoffs], 1)]
        case ast.SOut(names):
            return ["out ", *texts_doc(names)]
        case _:
            raise TypeError(f"not a clause: {line!r}")


def _payoff(payoff: ast.PayoffOf) -> Doc:
    who = [*expr_doc(payoff.who, SUM), ": "]
    if payoff.parts is None:
        return [*who, *expr_doc(payoff.value, SUM)]
    return [*who, *expr_doc(payoff.value, TERM), "/", *expr_doc(payoff.parts, UNARY)]


def _setting(setting: ast.Setting) -> Doc:
    return [*expr_doc(setting.target, POSTFIX), " =", Break(2), *expr_doc(setting.value)]


def _sign(sign: ast.Sign) -> Doc:
    bare = _BARE.fullmatch(sign.sign) and sign.sign not in reserved_words()
    return [sign.sign if bare else f'"{sign.sign}"', " =", Break(2), *expr_doc(sign.value)]


def _each(binds: tuple[ast.Bind, ...], where: ast.Expr | None) -> Doc:
    return [] if not binds else [" for ", *separated([bind_doc(b, 2) for b in binds], 1), *where_doc(where, 1)]


def _answer(answer: ast.Answer) -> Doc:
    name = [answer.name, *(["[", *listed(answer.keys, 1), "]"] if answer.keys else [])]
    return name if answer.value is None else [*name, " = ", *expr_doc(answer.value, depth=2)]
