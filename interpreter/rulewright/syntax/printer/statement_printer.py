"""Writing statements, restrictions and everything else that stands in blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from rulewright.syntax import ast
from rulewright.syntax.ast import NO_TRIVIA, Trivia
from rulewright.syntax.printer.expression_printer import (
    POSTFIX,
    SUM,
    bind_doc,
    binder,
    expr_doc,
    listed,
    print_type,
    separated,
    where_doc,
)
from rulewright.syntax.printer.line_layout import INDENT, Break, Doc, Page, flat


class StatementPrinter:
    """Writes what stands in blocks to a page."""

    def __init__(self) -> None:
        self.page = Page()

    # ------------------------------------------------------------------ clauses and blocks

    def head(self, doc: Doc, indent: int, clause: ast.Clause) -> None:
        """The line of a clause."""
        self.page.clause(doc, indent, clause.trivia)

    def inner(self, label: str, text: str | Doc, indent: int, clause: ast.Clause) -> None:
        """A line that belongs to a clause without being one."""
        trivia = dict(clause.trivia.inner).get(label, NO_TRIVIA)
        self.page.clause([text] if isinstance(text, str) else text, indent, trivia)
        self.page.comments(trivia.below, indent)

    def close(self, indent: int, clause: ast.Clause) -> None:
        """The comments at the end of the block in which the clause stands."""
        self.page.comments(clause.trivia.below, indent)

    def block(self, stmts: Sequence[ast.Stmt], indent: int) -> None:
        """A block of statements below a head."""
        self.page.fresh = True
        for stmt in stmts:
            self.stmt(stmt, indent + INDENT)
        self.page.fresh = False

    # ------------------------------------------------------------------ restrictions

    def _restrictions(self, restrictions: Sequence[ast.Restriction], indent: int) -> None:
        """A block of restrictions below a head."""
        self.block(restrictions, indent)

    def _unless(self, clause: ast.Unless, indent: int) -> None:
        """``unless label: condition``."""
        self.head([f"unless {clause.label.rpartition('.')[2]}: ", *expr_doc(clause.condition)], indent, clause)
        self.close(indent, clause)

    # ------------------------------------------------------------------ statements

    def stmt(self, stmt: ast.Stmt, indent: int) -> None:
        """Any statement, with the blocks below it."""
        match stmt:
            case ast.If() if not stmt.one_line:
                self._if(stmt, indent)
            case ast.Match():
                self._match(stmt, indent)
            case ast.Choose():
                self._choose(stmt, indent)
            case ast.Either():
                self._either(stmt, indent)
            case ast.Each(body=body) | ast.Repeat(body=body) | ast.Repeats(body=body) | ast.Step(body=body):
                self.head(stmt_doc(stmt), indent, stmt)
                self.block(body, indent)
            case ast.Forbid(unless=unless):
                self.head(stmt_doc(stmt), indent, stmt)
                self.page.fresh = bool(unless)
                for exception in unless:
                    self._unless(exception, indent + INDENT)
            case ast.If():
                self.head(stmt_doc(stmt), indent, stmt)
            case _:
                self.head(_line_doc(stmt), indent, stmt)
        self.close(indent, stmt)

    def _if(self, stmt: ast.If, indent: int) -> None:
        first, *others = stmt.branches
        self.head(["if ", *expr_doc(first.condition)], indent, stmt)
        self.block(first.body, indent)
        for number, branch in enumerate(others, 1):
            self.inner(f"else if {number}", ["else if ", *expr_doc(branch.condition)], indent, stmt)
            self.block(branch.body, indent)
        if stmt.otherwise:
            self._named_block("else", stmt.otherwise, indent, stmt)

    def _named_block(self, word: str, body: Sequence[ast.Stmt], indent: int, clause: ast.Clause) -> None:
        self.inner(word, word, indent, clause)
        self.block(body, indent)

    def _match(self, stmt: ast.Match, indent: int) -> None:
        self.head(["match ", *expr_doc(stmt.subject)], indent, stmt)
        self.arms(stmt.arms, indent)
        if stmt.otherwise is not None:
            self._with_body(["otherwise"], stmt.otherwise, indent + INDENT)

    def arms(self, arms: Sequence[ast.Arm], indent: int) -> None:
        """The arms below ``match``."""
        self.page.fresh = True
        for arm in arms:
            self._with_body(listed(arm.values, 1, SUM), arm, indent + INDENT)

    def option(self, option: ast.Option, indent: int) -> None:
        """An option below ``chooses either``."""
        self._with_body([f"option {option.label}"], option, indent)

    def _with_body(self, doc: Doc, clause: ast.Arm | ast.Option, indent: int) -> None:
        if clause.one_line:
            self.head([*doc, ": ", *stmt_doc(clause.body[0])], indent, clause)
        else:
            self.head(doc, indent, clause)
            restrictions = clause.restrictions if isinstance(clause, ast.Option) else ()
            self.block((*restrictions, *clause.body), indent)
        self.close(indent, clause)

    def _choose(self, stmt: ast.Choose, indent: int) -> None:
        doc = expr_doc(stmt.who, POSTFIX)
        doc.append(" may choose " if stmt.optional else " chooses ")
        if stmt.many is not None:
            doc += [*many_doc(stmt.many, " of"), " "]
        doc.append(binder(stmt.name, stmt.kind))
        if stmt.as_name is not None:
            doc.append(f" as {stmt.as_name}")
        doc += [" from ", *expr_doc(stmt.source, SUM), *where_doc(stmt.where, 0)]
        if stmt.leading:
            doc += [",", Break(0), "leading on"]
        self.head([*doc, *_anyway(stmt)], indent, stmt)
        self._restrictions(stmt.restrictions, indent)
        if stmt.then is not None:
            self._named_block("then", stmt.then, indent, stmt)
        if stmt.otherwise is not None:
            self._named_block("else", stmt.otherwise, indent, stmt)

    def _either(self, stmt: ast.Either, indent: int) -> None:
        label = f" as {stmt.label}" if stmt.label is not None else ""
        self.head([*expr_doc(stmt.who, POSTFIX), f" chooses either{label}", *_anyway(stmt)], indent, stmt)
        self.page.fresh = True
        for option in stmt.options:
            self.option(option, indent + INDENT)
        if stmt.otherwise is not None:
            self._named_block("else", stmt.otherwise, indent, stmt)


def stmt_doc(stmt: ast.Stmt) -> Doc:
    """The line of a statement that is written on one line, or the head of its block."""
    match stmt:
        case ast.If(branches, otherwise):
            (branch,) = branches
            rest: Doc = [Break(0), "else ", *stmt_doc(otherwise[0])] if otherwise else []
            return ["if ", *expr_doc(branch.condition), " then ", *stmt_doc(branch.body[0]), *rest]
        case ast.Forbid(label, condition):
            return [f"forbid {label.rpartition('.')[2]}: ", *expr_doc(condition)]
        case ast.Each() | ast.Repeat() | ast.Repeats() | ast.Step():
            return _head_doc(stmt)
        case ast.Match() | ast.Choose() | ast.Either():
            raise TypeError(f"not a statement on one line: {stmt!r}")
        case _:
            return _line_doc(stmt)


def _line_doc(stmt: ast.LineStatement) -> Doc:
    match stmt:
        case ast.Let(name, value, changes, type):
            typed = "" if type is None else f": {print_type(type)}"
            return [f"{'var' if changes else 'let'} {name}{typed} =", Break(1), *expr_doc(value)]
        case ast.Assign(target, op, value):
            return _set(target, op, value)
        case ast.AssignAll(updates):
            return separated([_set(one.target, "=", one.value) for one in updates], 1)
        case ast.DoNothing():
            return ["do nothing"]
        case ast.CallStatement(call):
            return expr_doc(call, POSTFIX)
        case ast.Move(amount, what, to, face):
            many: Doc = [] if amount is None else [*expr_doc(amount, SUM), " of "]
            return ["move ", *many, *expr_doc(what, SUM), " to ", *expr_doc(to, SUM), _face(face)]
        case ast.MoveHeld(what, source, to):
            return ["move ", *expr_doc(what, SUM), " from ", *expr_doc(source, SUM), " to ", *expr_doc(to, SUM)]
        case ast.Draw(amount, source, to, name, face):
            many = [] if amount is None else [*_guarded(expr_doc(amount, SUM)), " "]
            as_name = "" if name is None else f" as {name}"
            return ["draw ", *many, "from ", *expr_doc(source, SUM), " to ", *expr_doc(to, SUM), as_name, _face(face)]
        case ast.Flip(what, side):
            return ["flip ", *expr_doc(what, SUM), f" {side}" if side.startswith("face ") else f" to {side}"]
        case ast.Show(what, to):
            return ["show ", *expr_doc(what, SUM), " to ", *expr_doc(to, SUM)]
        case ast.Tell(words, values):
            holes = [f"{{{flat(expr_doc(value))}}}" for value in values]
            return ['tells "', *(part for pair in zip(words, (*holes, '"'), strict=True) for part in pair)]
        case ast.Shuffle(what):
            return ["shuffle ", *expr_doc(what, SUM)]
        case ast.Merge(left, right):
            return ["merge ", *expr_doc(left, SUM), " with ", *expr_doc(right, SUM)]
        case ast.Roll(who, amount, die, name):
            many = [] if amount is None else [*expr_doc(amount, SUM), " "]
            return [*expr_doc(who, POSTFIX), " rolls ", *many, f"{die} as {name}"]
        case ast.Proceed():
            return ["proceed"]
        case ast.Stop(label):
            return ["stop" if label is None else f"stop {label}"]
        case ast.Return(value):
            return ["return"] if value is None else ["return ", *expr_doc(value)]
        case ast.Win(who):
            return ["finish with winner ", *expr_doc(who, SUM)]
        case ast.NobodyWins():
            return ["finish with nobody winning"]
        case ast.DrawnGame():
            return ["finish with a draw"]
        case ast.RankAll(bind, by):
            measures = [expr_doc(e, depth=2) for e in by]
            doc = ["finish ranking ", *bind_doc(bind), " by ", *measures[0]]
            for measure in measures[1:]:
                doc += [" then ", *measure]
            return doc
        case ast.PayAll(value, bind):
            return ["finish paying ", *expr_doc(value, depth=2), " for ", *bind_doc(bind)]
        case ast.Reward(who, value):
            return ["reward ", *expr_doc(who, SUM), ": ", *expr_doc(value)]
        case ast.Obey(call):
            return ["obey ", *expr_doc(call, POSTFIX)]
        case _:
            assert_never(stmt)


def _anyway(stmt: ast.Each | ast.Question) -> Doc:
    return [",", Break(0), "asked anyway"] if stmt.anyway else []


def _set(target: ast.Expr, op: str, value: ast.Expr) -> Doc:
    return [*expr_doc(target, POSTFIX), f" {op}", Break(1), *expr_doc(value)]


def _head_doc(stmt: ast.Each | ast.Repeat | ast.Repeats | ast.Step) -> Doc:
    match stmt:
        case ast.Each(bind, where, order, key):
            doc: Doc = ["each ", *bind_doc(bind), *where_doc(where, 0)]
            measure = [] if key is None else expr_doc(key, depth=2)
            match order:
                case "at once":
                    return [*doc, " at once"]
                case "by":
                    return [*doc, " by ", *measure]
                case "by descending":
                    return [*doc, " by ", *measure, " descending"]
                case "chosen":
                    return [*doc, ", order chosen by ", *measure, *_anyway(stmt)]
                case None:
                    return doc
                case _:
                    assert_never(order)
        case ast.Repeat(mode, value, at_most, label):
            doc = ["repeat"]
            if value is not None:
                times = mode == "times"
                doc += [" " if times else f" {mode} ", *expr_doc(value, SUM if times else 0), " times" if times else ""]
            if at_most is not None:
                doc += [",", Break(0), "at most ", *expr_doc(at_most, SUM), " times"]
            return [*doc, _label(label)]
        case ast.Repeats(who, many, label):
            return [*expr_doc(who, POSTFIX), " repeats ", *many_doc(many, ""), " times", _label(label), *_anyway(stmt)]
        case ast.Step(label):
            return [f"step {label}"]
        case _:
            assert_never(stmt)


def many_doc(many: ast.Many, of: str) -> Doc:
    """``up to 3``; `of` is what follows ``any number``."""
    low = [] if many.low is None else expr_doc(many.low, SUM)
    high = [] if many.high is None else expr_doc(many.high, SUM)
    match many.mode:
        case "exactly":
            return ["exactly ", *low]
        case "up to":
            return ["up to ", *high]
        case "between":
            return [*_guarded(low), " to ", *high]
        case "any number":
            return [f"any number{of}"]
        case "as many as possible":
            return ["as many as possible of ", *high]
        case _:
            assert_never(many.mode)


def _guarded(doc: Doc) -> Doc:
    """In brackets, if its first words would be taken for a phrase, or not be taken for one."""
    text = flat(doc)
    return ["(", *doc, ")"] if text == "up" or text.startswith("clockwise from ") else doc


def _label(label: str | None) -> str:
    return "" if label is None else f" as {label}"


def _face(face: ast.Laid | None) -> str:
    return "" if face is None else f" {face}"


__all__ = ["StatementPrinter", "Trivia", "many_doc", "separated", "stmt_doc"]
