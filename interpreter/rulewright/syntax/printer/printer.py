"""The printer: canonical text of a tree and of a text; whole files, declarations, overlays and scenarios."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import assert_never

from rulewright.foundation.memo import memoized_by_node
from rulewright.host.api_arguments import text as as_text
from rulewright.syntax import ast
from rulewright.syntax.parser.parser import parse_file
from rulewright.syntax.printer.expression_printer import (
    EXPR,
    OR,
    POSTFIX,
    SUM,
    TERM,
    UNARY,
    bind_doc,
    expr_doc,
    listed,
    print_type,
    separated,
    texts_doc,
    where_doc,
)
from rulewright.syntax.printer.line_layout import INDENT, Break, Doc, Page, Row
from rulewright.syntax.printer.statement_printer import StatementPrinter, many_doc, stmt_doc
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
        case ast.SPut(amount, keys, zone, face, side, binds, where):
            many = "" if amount is None else f"{amount} "
            turned = ("" if face is None else f" {face}") + ("" if side is None else f" as {side}")
            held = ", ".join(f'"{key}"' for key in keys)
            return [f"put {many}{held} in ", *expr_doc(zone, POSTFIX), turned, *_each(binds, where)]
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


def print_file(file: ast.File) -> str:
    """The canonical text of a file."""
    page = Page(fresh=True)
    for decl in file.decls:
        page.take(_rows_of(decl))
    page.comments(file.trivia.below, 0)
    return page.text()


@memoized_by_node
def _rows_of(decl: ast.Decl | ast.Change) -> tuple[Row, ...]:
    """The rows of a declaration, as they stand below another one."""
    printer = DeclPrinter()
    if isinstance(decl, ast.Change):
        printer.op(decl, 0)
    else:
        printer.decl(decl, 0)
    return tuple(printer.page.rows)


class DeclPrinter(StatementPrinter):
    """Writes declarations to a page."""

    def decl(self, decl: ast.Decl, indent: int, prefix: str = "", outer: ast.Clause | None = None) -> None:
        """A declaration; `prefix` is the ``add`` or ``replace`` before it, whose trivia stand on the same line."""
        clause = outer or decl
        self.head([prefix, *decl_doc(decl)], indent, clause)
        self.page.fresh = True
        match decl:
            case ast.EnumDecl(attributes=attributes):
                self._lines(attributes, indent)
            case ast.Piece():
                self._lines(decl.attributes, indent)
                self._piece(decl, indent + INDENT)
            case ast.Place(attributes=attributes, named=named):
                self._lines(attributes, indent)
                if named is not None:
                    self.inner("named", f'named "{named}"', indent + INDENT, decl)
            case ast.Query():
                alone = len(decl.cases) == 1 and decl.cases[0].condition is None
                for line in decl.lines:
                    if isinstance(line, ast.Let):
                        self.stmt(line, indent + INDENT)
                    elif alone:
                        self.head(expr_doc(line.value), indent + INDENT, line)
                        self.close(indent + INDENT, line)
                    else:
                        self._lines((line,), indent)
            case ast.Value(modifiers=modifiers):
                self._lines(modifiers, indent)
            case ast.Limits(restrictions=restrictions):
                self._restrictions(restrictions, indent)
            case ast.Callable(body=body) | ast.Reaction(body=body) | ast.Consequence(body=body) | ast.End(body=body):
                self.block(body, indent)
            case ast.ExtendOp(clauses=clauses):
                self._lines(clauses, indent)
            case ast.CasesForOp(ops=owns):
                for own in owns:
                    self._own(own, indent + INDENT)
            case ast.WithPlayers(ops=ops) | ast.Variant(ops=ops):
                for op in ops:
                    self.op(op, indent + INDENT)
            case ast.Scenario(lines=lines):
                self._lines(lines, indent)
            case (
                ast.Game() | ast.Players() | ast.Party() | ast.Parameter() | ast.Die() | ast.MapDecl() | ast.Area()
                | ast.Merged() | ast.Zone() | ast.FieldDecl() | ast.Precedence() | ast.Invariant() | ast.Property()
                | ast.Witness()
            ):  # fmt: skip
                pass  # nothing stands below
            case _:
                assert_never(decl)
        self.page.fresh = False
        self.close(indent, clause)

    def _piece(self, decl: ast.Piece, indent: int) -> None:
        if decl.named is not None:
            self.inner("named", f'named "{decl.named}"', indent, decl)
        if decl.back is not None:
            self.inner("back", f'back shows "{decl.back}"', indent, decl)
        if decl.sides:
            self.inner("sides", f"sides {', '.join(decl.sides)}", indent, decl)
        if decl.begins is not None:
            self.inner("begins", ["begins in ", *expr_doc(decl.begins)], indent, decl)

    def _lines(self, clauses: Sequence[ast.Clause], indent: int) -> None:
        for clause in clauses:
            if isinstance(clause, ast.Forbid | ast.Obey):
                self.stmt(clause, indent + INDENT)
            elif isinstance(clause, ast.Option):
                self.option(clause, indent + INDENT)
            elif isinstance(clause, ast.MoreArms):
                self.head(["match"], indent + INDENT, clause)
                self.arms(clause.arms, indent + INDENT)
                self.close(indent + INDENT, clause)
            else:
                self.head(line_doc(clause), indent + INDENT, clause)
                if isinstance(clause, ast.SDraw):
                    for number, row in enumerate(clause.rows):
                        self.inner(f"row {number}", f'"{row.text}"', indent + 2 * INDENT, clause)
                self.close(indent + INDENT, clause)

    def _own(self, own: ast.ExtendOp, indent: int) -> None:
        """A line of a block ``for`` a value: the path, and the arm or case that is its."""
        (clause,) = own.clauses
        doc: Doc = [str(own.path)]
        match clause:
            case ast.MoreArms((arm,)) if not arm.one_line:
                self.head(doc, indent, own)
                self.block(arm.body, indent)
            case ast.MoreArms((arm,)):
                self.head([*doc, ": ", *stmt_doc(arm.body[0])], indent, own)
            case ast.Case(value, condition):
                when: Doc = [] if condition is None else [Break(0), "when ", *expr_doc(condition)]
                self.head([*doc, " = ", *expr_doc(value, EXPR if condition is None else OR), *when], indent, own)
            case _:
                self.head([*doc, *line_doc(clause)], indent, own)  # a modifier, whose label is empty
        self.close(indent, own)

    def op(self, op: ast.OverlayOp, indent: int) -> None:
        """One line of an overlay, with its block."""
        match op:
            case ast.ExtendOp() | ast.CasesForOp():
                self.decl(op, indent)
            case ast.ReplaceDeclOp(decl):
                self.decl(decl, indent, "replace ", op)
            case ast.AddDeclOp(decl):
                self.decl(decl, indent, "add ", op)
            case ast.InsertOp(where, path, (stmt,), True):
                self.head([f"{where} {path}: ", *stmt_doc(stmt)], indent, op)
                self.close(indent, op)
            case ast.InsertOp(where, path, body):
                self.head([f"{where} {path}"], indent, op)
                self.block(body, indent)
                self.close(indent, op)
            case (
                ast.AssignOp() | ast.RemoveOp() | ast.ReplaceClauseOp() | ast.MoveOp() | ast.UnchangedOp()
                | ast.SetRowsOp() | ast.AddRowOp() | ast.RemoveRowsOp()
            ):  # fmt: skip
                self.head(line_doc(op), indent, op)
                self.close(indent, op)
            case _:
                assert_never(op)


def decl_doc(decl: ast.Decl) -> Doc:
    """The first line of a declaration."""
    match decl:
        case ast.Game(name):
            return [f"game {name}"]
        case ast.Players():
            return [_players(decl)]
        case ast.Party(name, members):
            return [f"party {name}: ", *texts_doc([m.name + _with(m.counts) for m in members])]
        case ast.Parameter(name, type_, value, by_count, key):
            typed = ("" if key is None else f"[{key}]") + ("" if type_ is None else f": {print_type(type_)}")
            parts = [expr_doc(value, depth=2)]
            parts += [[*expr_doc(b.value, depth=2), _with(b.counts)] for b in by_count]
            return [f"param {name}{typed} = ", *separated(parts, 1)]
        case ast.EnumDecl(name, values, table):
            return [f'enum {name} from "{table}"'] if table is not None else [f"enum {name}: ", *texts_doc(values)]
        case ast.Die(name, low, _, faces):
            return [f"die {name}: {low} to {decl.high}"] if low is not None else [f"die {name}: ", *texts_doc(faces)]
        case ast.Piece(name, base, table):
            is_a = "" if base is None else f" is {'an' if base[0] in 'AEIOU' else 'a'} {base}"
            return [f"piece {name}{is_a}" + ("" if table is None else f' from "{table}"')]
        case ast.Place(word, name):
            return [f"{word} {name}"]
        case ast.MapDecl():
            return _map(decl)
        case ast.Area(name, place, across, where):
            return [f"area {name} of {place}, joined across {across}", *where_doc(where, 1)]
        case ast.Merged(name, place):
            return [f"merged {name} of {place}"]
        case ast.Zone():
            return _zone(decl)
        case ast.FieldDecl():
            return _field(decl)
        case ast.Query(name, params, type_, value):
            often: Doc = []
            if decl.at_most is not None:
                often = [",", Break(0), "at most ", *expr_doc(decl.at_most, SUM), " times"]
            return [*_signature(decl.word, name, params, type_), *often, *_defined(value)]
        case ast.Value(name, params, type_, value):
            return [*_signature("value", name, params, type_), *_defined(value)]
        case ast.Limits(name, params):
            return _signature("limits", name, params, None)
        case ast.Callable(word, name, params, type_, open_):
            opened: Doc = [] if open_ is None else [",", Break(0), "open ", *expr_doc(open_)]
            return [*_signature(word, name, params, type_), *opened]
        case _:
            return _happening(decl)


def _happening(decl: ast.Happening) -> Doc:
    match decl:
        case ast.Reaction(name, moment, event, by, with_, where, anyway=anyway, each=each, chooser=chooser):
            doc: Doc = [f"reaction {name} {moment} ", *expr_doc(event, POSTFIX)]
            doc += [] if each is None else [" for ", *bind_doc(each)]
            if by is not None:
                doc += [",", Break(0), f"by {by}"]
                doc += [] if with_ is None else [" with ", *bind_doc(with_)]
            last: Doc = [",", Break(0), "asked anyway"] if anyway else []
            last += [] if chooser is None else [",", Break(0), "order chosen by ", *expr_doc(chooser)]
            return [*doc, *where_doc(where, 0), *last]
        case ast.Precedence(names):
            return ["precedence ", *texts_doc(names)]
        case ast.Consequence(name, binds, by, when):
            measure: Doc = [] if by is None else [" by ", *expr_doc(by, depth=2)]
            return [f"consequence {name}", *for_binds(binds), *measure, Break(0), "when ", *expr_doc(when)]
        case ast.End(name, binds, when, after):
            behind: Doc = [] if after is None else [",", Break(0), f"after {after}"]
            return [f"end {name}", *for_binds(binds), Break(0), "when ", *expr_doc(when), *behind]
        case ast.Invariant(name, binds, condition):
            return [f"invariant {name}", *for_binds(binds), ":", Break(1), *expr_doc(condition)]
        case ast.Property(name, after, binds, condition):
            times = "always" if after is None else f"after each {after}"
            return [f"property {name} {times}", *for_binds(binds), ":", Break(1), *expr_doc(condition)]
        case ast.Witness(name, condition):
            return [f"witness {name}:", Break(1), *expr_doc(condition)]
        case ast.ExtendOp(path):
            return [f"in {path}"]
        case ast.CasesForOp(values):
            return ["for ", *listed(values, 1, SUM)]
        case ast.WithPlayers(counts):
            return [_with(counts).strip()]
        case ast.Variant(title, of, _, others):
            excludes = ", ".join(f'"{other}"' for other in others)
            return [f'variant "{title}" of {of}' + (f", excludes {excludes}" if others else "")]
        case ast.Scenario(title):
            return [f'scenario "{title}"']
        case _:
            assert_never(decl)


def line_doc(clause: ast.Clause) -> Doc:
    """A clause on one line that is neither a declaration nor a statement."""
    match clause:
        case ast.Attribute(name, type_, value):
            return [f"{name}: {print_type(type_)}", *([] if value is None else _defined(value))]
        case ast.Case(value, condition):
            if condition is None:
                return [*expr_doc(value), " otherwise"]
            return [*expr_doc(value, OR), Break(0), "when ", *expr_doc(condition)]
        case ast.Modifier(label, op, value, condition):
            when: Doc = [] if condition is None else [Break(0), "when ", *expr_doc(condition)]
            least = EXPR if condition is None else OR  # brackets around `a if b else c`, for the eye
            return [f"{label}: {op} ", *expr_doc(value, least), *when]
        case ast.Unless(label, condition):
            return [f"unless {label.rpartition('.')[2]}: ", *expr_doc(condition)]
        case ast.AssignOp(path, value) | ast.SSet(path, value):
            return [f"set {path} =", Break(1), *expr_doc(value)]
        case ast.RemoveOp(path):
            return [f"remove {path}"]
        case ast.MoveOp(path, where, anchor):
            return [f"move {path} {where} {anchor}"]
        case ast.UnchangedOp(path):
            return [f"unchanged {path}"]
        case ast.SetRowsOp(rows, cells):
            return ["set ", *_rows(rows), ": ", *separated([_cell(c) for c in cells], 1)]
        case ast.AddRowOp(kind, cells):
            return [f"add row to {kind}: ", *separated([_cell(c) for c in cells], 1)]
        case ast.RemoveRowsOp(rows):
            return ["remove ", *_rows(rows)]
        case ast.ReplaceClauseOp(path, value, times):
            if isinstance(value, ast.Many):
                return [f"replace {path}: ", *many_doc(value, ""), " times" if times else ""]
            if isinstance(value, ast.Modifier):
                return [f"replace {path}", *line_doc(value)]  # a modifier, whose label is empty
            return [f"replace {path}: ", *(line_doc(value) if isinstance(value, ast.Case) else expr_doc(value))]
        case _:
            return scenario_line_doc(clause)


def _rows(rows: ast.Rows) -> Doc:
    key = "" if rows.key is None else f' "{rows.key}"'
    where = [] if rows.where is None else where_doc(rows.where, 2)
    return [f"{'rows' if rows.many else 'row'}{key} of {rows.kind}", *where]


def _cell(cell: ast.Cell) -> Doc:
    parts = [[f"{cell.column} = ", *expr_doc(cell.value, depth=2)]]
    parts += [[*expr_doc(b.value, depth=2), _with(b.counts)] for b in cell.by_count]
    return separated(parts, 2)


def _players(decl: ast.Players) -> str:
    text = f"players {decl.low}" + ("" if decl.high == decl.low else f" to {decl.high}")
    if decl.team_size is not None:
        text += f", teams of {decl.team_size}" + _with(() if decl.team_count is None else (decl.team_count,))
    return text + ("" if decl.seated is None else f", seated {decl.seated}")


def _map(decl: ast.MapDecl) -> Doc:
    sizes = [expr_doc(e, SUM) for e in decl.sizes]
    shape: Doc
    match decl.shape:
        case "ring":
            shape = ["ring of ", *sizes[0], f" {decl.place}"]
        case "grid":
            shape = ["grid ", *sizes[0], " by ", *sizes[1], f" of {decl.place}"]
            shape += [" with diagonals"] if decl.form is not None else []
        case "hexes" if decl.form == "hexagon":
            shape = ["hexes of radius ", *sizes[0], f" of {decl.place}"]
        case "hexes" if decl.form is not None:
            by = [" by ", *sizes[1]] if len(sizes) > 1 else []
            shape = [f"hexes in {decl.form} ", *sizes[0], *by, f" of {decl.place}"]
        case "growing":
            shape = [f"growing hexes of {decl.place}, at most ", *sizes[0]]
        case "corners":
            shape = [f"corners of {decl.base} of {decl.place}"]
        case _:
            shape = [f'{decl.shape} from "{decl.table}" of {decl.place}']
    return [f"map {decl.name}: ", *shape, "" if decl.edges is None else f", edges {decl.edges}"]


def _zone(decl: ast.Zone) -> Doc:
    doc: Doc = [f"zone {decl.name}{_index(decl.index)}: {decl.order} of {' or '.join(decl.kinds)}"]
    if decl.at_most is not None:
        doc += [",", Break(0), "at most ", *expr_doc(decl.at_most, SUM)]
    if decl.faced is not None:
        doc += [",", Break(0), f"faced {' or '.join(decl.faced)}".rstrip()]
    return [*doc, *_seen(decl.audiences)]


def _field(decl: ast.FieldDecl) -> Doc:
    doc: Doc = [f"field {decl.name}{_index(decl.index)}: {print_type(decl.type)}"]
    if decl.value is not None:
        doc += _defined(decl.value)
    if decl.at_most is not None:
        doc += [",", Break(0), "at most ", *expr_doc(decl.at_most, SUM)]
    if decl.lasting is not None:
        doc += [",", Break(0), f"lasting {decl.lasting}"]
    return [*doc, *_seen(decl.audiences)]


def _seen(audiences: Sequence[ast.Audience]) -> Doc:
    doc: Doc = []
    for audience in audiences:
        facet = "" if audience.facet is None else f"{audience.facet} "
        doc += [",", Break(0), f"{facet}seen by ", *expr_doc(audience.by)]
    return doc


def _index(index: tuple[ast.IndexPart, ...]) -> str:
    parts = [part.type if part.name is None else f"{part.name}: {part.type}" for part in index]
    return f"[{', '.join(parts)}]" if parts else ""


_ASKED = {"query", "measure", "value"}
"""Declarations that are used with parentheses, so that they have them, though nothing stands between them."""


def _signature(word: str, name: str, params: tuple[ast.Param, ...], type_: ast.TypeExpr | None) -> Doc:
    doc: Doc = [f"{word} {name}"]
    if not params and word in _ASKED:
        doc = [f"{word} {name}()"]
    elif params:
        doc += ["(", *separated([[f"{p.name}: {print_type(p.type)}"] for p in params], 2), ")"]
    return doc if type_ is None else [*doc, f" -> {print_type(type_)}"]


def _defined(value: ast.Expr | None) -> Doc:
    return [] if value is None else [" =", Break(1), *expr_doc(value)]


def for_binds(binds: Sequence[ast.Bind]) -> Doc:
    """`` for x in S, y in T``; nothing without binders."""
    return [" for ", *separated([bind_doc(bind) for bind in binds], 1)] if binds else []


def _with(counts: tuple[int, ...]) -> str:
    return f" with {' or '.join(str(c) for c in counts)} players" if counts else ""


def format_text(text: str, file: str = "<text>") -> str:
    """The rules of a text in canonical form; raises :class:`RulesetError` if they cannot be read."""
    return print_file(parse_file(as_text("the rules", text), as_text("the file", file)))
