"""From the parse tree to typed statements, restrictions and everything else that stands in blocks."""

from __future__ import annotations

from typing import Any, cast

from rulewright.syntax import ast
from rulewright.syntax.builder.expression_builder import (
    Clauses,
    ExprBuilder,
    parts,
    text,
    text_or_none,
    tree,
    words_and_values,
)
from rulewright.syntax.lalr.machine import Tree
from rulewright.syntax.lexer.tokens import Token

Block = tuple[ast.Stmt, ...]


class StatementBuilder:
    """Builds what stands in blocks."""

    def __init__(self, expressions: ExprBuilder, clauses: Clauses) -> None:
        self.around, self.span, self.file = clauses.around, expressions.span, expressions.file
        self.expr, self.expr_or_none = expressions.expr, expressions.expr_or_none
        self.bind, self.bind_where = expressions.bind, expressions.bind_where
        self.binder, self.members, self.type_or_none = expressions.binder, expressions.members, expressions.type_or_none

    # ------------------------------------------------------------------ restrictions

    def _forbid(self, node: Tree[Token]) -> ast.Forbid:
        around, (label, condition, *unless) = self.around(node), parts(node)
        exceptions = tuple(self.unless(u) for u in unless if u is not None)
        return ast.Forbid(text(label), self.expr(condition), exceptions, **around)

    def unless(self, node: Tree[Token]) -> ast.Unless:
        """An exception to a restriction."""
        around, (label, condition) = self.around(node), parts(node)
        return ast.Unless(text(label), self.expr(condition), **around)

    def _obey(self, node: Tree[Token]) -> ast.Obey:
        return ast.Obey(self.expr(node.children[0]), **self.around(node))

    def _restrictions(self, branch: object) -> tuple[ast.Restriction, ...]:
        return tuple(cast(ast.Restriction, self.stmt(r)) for r in parts(branch))

    # ------------------------------------------------------------------ simple statements

    def stmt(self, branch: object) -> ast.Stmt:
        """Any statement."""
        node = tree(branch)
        build = getattr(self, f"_{node.data}")
        return cast(ast.Stmt, build(node))

    def block(self, branch: object) -> Block:
        """The statements of a ``block`` node, or of one that holds a block."""
        if branch is None:
            return ()
        node = tree(branch)
        if node.data in ("else_block", "then_block"):
            return self.block(node.children[0])
        return tuple(self.stmt(s) for s in node.children)

    def _block_or_none(self, branch: object) -> Block | None:
        return None if branch is None else self.block(branch)

    def _let(self, node: Tree[Token]) -> ast.Let:
        around, (word, name, *typed, value) = self.around(node), parts(node)
        type = self.type_or_none(typed[0]) if typed else None
        return ast.Let(text(name), self.expr(value), word.type == "VAR", type, **around)

    def _assign(self, node: Tree[Token]) -> ast.Assign:
        around, c = self.around(node), parts(node)
        op: Any = text(c[1]) if len(c) == 3 else "="
        return ast.Assign(self.expr(c[0]), op, self.expr(c[-1]), **around)

    def _assign_all(self, node: Tree[Token]) -> ast.AssignAll:
        return ast.AssignAll(tuple(self._update(tree(part)) for part in parts(node)), **self.around(node))

    def _update(self, node: Tree[Token]) -> ast.Update:
        target, value = parts(node)
        return ast.Update(self.expr(target), self.expr(value), span=self.span(node))

    def _do_nothing(self, node: Tree[Token]) -> ast.DoNothing:
        return ast.DoNothing(**self.around(node))

    def _do(self, node: Tree[Token]) -> ast.CallStatement:
        return ast.CallStatement(self.expr(node.children[0]), **self.around(node))

    def _move(self, node: Tree[Token]) -> ast.Move:
        around, (amount, what, to, face) = self.around(node), parts(node)
        return ast.Move(self.expr_or_none(amount), self.expr(what), self.expr(to), face_of(face), **around)

    def _move_held(self, node: Tree[Token]) -> ast.MoveHeld:
        around, (what, source, to) = self.around(node), parts(node)
        return ast.MoveHeld(self.expr(what), self.expr(source), self.expr(to), **around)

    def _draw(self, node: Tree[Token]) -> ast.Draw:
        around, (amount, source, to, name, face) = self.around(node), parts(node)
        return ast.Draw(
            self.expr_or_none(amount),
            self.expr(source),
            self.expr(to),
            text_or_none(name),
            face_of(face),
            **around,
        )

    def _flip(self, node: Tree[Token]) -> ast.Flip:
        around, (what, side) = self.around(node), parts(node)
        return ast.Flip(self.expr(what), face_of(side) or text(side), **around)

    def _show(self, node: Tree[Token]) -> ast.Show:
        around, (what, to) = self.around(node), parts(node)
        return ast.Show(self.expr(what), self.expr(to), **around)

    def _tell(self, node: Tree[Token]) -> ast.Tell:
        around, token = self.around(node), node.children[0]
        assert isinstance(token, Token)
        words, values = words_and_values(token, self.file, self.expr)
        return ast.Tell(words, values, **around)

    def _shuffle(self, node: Tree[Token]) -> ast.Shuffle:
        return ast.Shuffle(self.expr(node.children[0]), **self.around(node))

    def _merge(self, node: Tree[Token]) -> ast.Merge:
        around, (left, right) = self.around(node), parts(node)
        return ast.Merge(self.expr(left), self.expr(right), **around)

    def _roll(self, node: Tree[Token]) -> ast.Roll:
        around, (who, amount, die, name) = self.around(node), parts(node)
        return ast.Roll(self.expr(who), self.expr_or_none(amount), text(die), text(name), **around)

    def _proceed(self, node: Tree[Token]) -> ast.Proceed:
        return ast.Proceed(**self.around(node))

    def _stop(self, node: Tree[Token]) -> ast.Stop:
        return ast.Stop(text_or_none(node.children[0]), **self.around(node))

    def _return(self, node: Tree[Token]) -> ast.Return:
        return ast.Return(self.expr_or_none(node.children[0]), **self.around(node))

    def _win(self, node: Tree[Token]) -> ast.Win:
        return ast.Win(self.expr(node.children[-1]), **self.around(node))

    def _nobody_wins(self, node: Tree[Token]) -> ast.NobodyWins:
        return ast.NobodyWins(**self.around(node))

    def _drawn_game(self, node: Tree[Token]) -> ast.DrawnGame:
        return ast.DrawnGame(**self.around(node))

    def _rank(self, node: Tree[Token]) -> ast.RankAll:
        around, (_, bind, *by) = self.around(node), parts(node)
        return ast.RankAll(self.bind(bind), tuple(self.expr(e) for e in by), **around)

    def _pay(self, node: Tree[Token]) -> ast.PayAll:
        around, (_, value, bind) = self.around(node), parts(node)
        return ast.PayAll(self.expr(value), self.bind(bind), **around)

    def _reward(self, node: Tree[Token]) -> ast.Reward:
        around, (who, value) = self.around(node), parts(node)
        return ast.Reward(self.expr(who), self.expr(value), **around)

    # ------------------------------------------------------------------ compound statements

    def _if_one(self, node: Tree[Token]) -> ast.If:
        around, (condition, then, *otherwise) = self.around(node), parts(node)
        branch = ast.Branch(self.expr(condition), (self.stmt(then),), span=self.span(node))
        return ast.If((branch,), tuple(map(self.stmt, otherwise)), True, **around)

    def _if(self, node: Tree[Token]) -> ast.If:
        condition, block, *more = parts(node)
        others = [m for m in more if m is not None and m.data == "else_if"]
        last = next((m for m in more if m is not None and m.data == "else_block"), None)
        inner: dict[str, object] = {f"else if {i}": m for i, m in enumerate(others, 1)}
        around = self.around(node, **inner, **{"else": last})
        branches = [ast.Branch(self.expr(condition), self.block(block), span=self.span(condition))]
        for other in others:
            condition, block = parts(other)
            branches.append(ast.Branch(self.expr(condition), self.block(block), span=self.span(condition)))
        return ast.If(tuple(branches), self.block(last), **around)

    def _match(self, node: Tree[Token]) -> ast.Match:
        around, (subject, *arms) = self.around(node), parts(node)
        found = self.expr(subject)
        built = [self.arm(a) for a in arms if a is not None and a.data == "arm"]
        last = next((self.arm(a) for a in arms if a is not None and a.data == "otherwise"), None)
        return ast.Match(found, tuple(built), last, **around)

    def arm(self, node: Tree[Token]) -> ast.Arm:
        """An arm of a ``match``."""
        around = self.around(node)
        *values, body = parts(node)
        one_line = tree(body).data != "block"
        stmts = (self.stmt(body),) if one_line else self.block(body)
        return ast.Arm(tuple(self.expr(v) for v in values), stmts, one_line, **around)

    def _each(self, node: Tree[Token]) -> ast.Each:
        around, (bind_where, order, block) = self.around(node), parts(node)
        bind, where = self.bind_where(bind_where)
        how: Any = None if order is None else _ORDERS[str(tree(order).data)]
        *_, key, anyway = (None, None) if how in (None, "at once") else (*parts(order), None)[:3]
        chooser = None if key is None else self.expr(key)
        return ast.Each(bind, where, how, chooser, self.block(block), anyway is not None, **around)

    def _repeat(self, node: Tree[Token]) -> ast.Repeat:
        around, (repetition, at_most, bound, label, block) = self.around(node), _repeat_parts(node)
        mode, value = "forever", None
        for part in parts(repetition):
            if isinstance(part, Token):
                mode = text(part)
            else:
                value = self.expr(part)
        limit = None if at_most is None else self.expr(bound)
        return ast.Repeat(cast(Any, mode), value, limit, text_or_none(label), self.block(block), **around)

    def _repeats(self, node: Tree[Token]) -> ast.Repeats:
        around, (who, *head, anyway, block) = self.around(node), parts(node)
        many, label = self.many(head[0]), text_or_none(head[1])
        return ast.Repeats(self.expr(who), many, label, self.block(block), anyway is not None, **around)

    def many(self, branch: object) -> ast.Many:
        """``exactly n``, ``1 to 3`` and so on."""
        node = tree(branch)
        span, c = self.span(node), [e for e in parts(node) if isinstance(e, Tree)]
        match node.data:
            case "exactly" | "exactly_bare":
                return ast.Many("exactly", self.expr(c[0]), None, span=span)
            case "up_to":
                return ast.Many("up to", None, self.expr(c[0]), span=span)
            case "between":
                return ast.Many("between", self.expr(c[0]), self.expr(c[1]), span=span)
            case "any_number":
                return ast.Many("any number", None, None, span=span)
            case _:
                return ast.Many("as many as possible", None, self.expr(c[0]), span=span)

    def _choose(self, node: Tree[Token]) -> ast.Choose:
        choice, restrictions, then, otherwise = parts(node)
        around = self.around(node, then=then, **{"else": otherwise})
        who, word, many, binder, as_name, members, leading, anyway = parts(choice)
        name, kind = self.binder(binder)
        source, where = self.members(members)
        return ast.Choose(
            self.expr(who),
            word.type == "CHOOSE",
            None if many is None else self.many(many),
            name,
            kind,
            text_or_none(as_name),
            source,
            where,
            self._restrictions(restrictions),
            self._block_or_none(then),
            self._block_or_none(otherwise),
            leading is not None,
            anyway is not None,
            **around,
        )

    def _either(self, node: Tree[Token]) -> ast.Either:
        who, label, anyway, *options, otherwise = parts(node)
        around = self.around(node, **{"else": otherwise})
        subject = self.expr(who)
        built = tuple(self.option(o) for o in options)
        last = self._block_or_none(otherwise)
        return ast.Either(subject, text_or_none(label), built, last, anyway is not None, **around)

    def option(self, node: Tree[Token]) -> ast.Option:
        """An option of a choice."""
        around, (label, *body) = self.around(node), parts(node)
        if node.data == "option_one":
            return ast.Option(text(label), (), (self.stmt(body[0]),), True, **around)
        stmts = self.block(body[0]) if body else ()
        count = next((i for i, s in enumerate(stmts) if not isinstance(s, ast.Restriction)), len(stmts))
        restrictions = cast(tuple[ast.Restriction, ...], stmts[:count])
        return ast.Option(text(label), restrictions, stmts[count:], **around)

    def _step(self, node: Tree[Token]) -> ast.Step:
        around, (*_, label, block) = self.around(node), parts(node)
        return ast.Step(text(label), self.block(block), **around)


_ORDERS = {
    "order_at_once": "at once",
    "order_by": "by",
    "order_descending": "by descending",
    "order_chosen": "chosen",
}


def _repeat_parts(node: Tree[Token]) -> list[Any]:
    """``repeat`` with its optional parts, of which two may be left out together."""
    repetition, *bound, label, block = parts(node)
    return [repetition, *(bound or [None, None]), label, block]


def face_of(token: object) -> Any:
    """``face up`` and so on, however many spaces there are; nothing for another token."""
    faces = {"FACE_UP": "face up", "FACE_DOWN": "face down", "ON_TOP": "on top", "AT_BOTTOM": "at bottom"}
    faces["AS_IT_LIES"] = "as it lies"
    return faces.get(token.type) if isinstance(token, Token) else None
