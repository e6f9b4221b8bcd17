"""Types of names and expressions from what is written, without compiling: also in rules that are half written.

It is a guess where the compiler knows: a type that cannot be seen is None, and whoever relies on one has the compiler
check what comes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import assert_never

from rulewright.compiler.symbols.static_types import is_builtin
from rulewright.diagnostics import RulesetError
from rulewright.navigation.declared_types import (
    BOOL,
    INT,
    PLAYER,
    DeclaredTypes,
    built_in_type,
    element_of,
    first_of,
    name_of_type,
    prefix_type,
    present,
)
from rulewright.navigation.file_symbols import FileSymbols
from rulewright.navigation.selection import nodes_around
from rulewright.navigation.symbol_index import SymbolIndex
from rulewright.navigation.symbols import Declaration, Symbol
from rulewright.syntax import ast, parse_expression
from rulewright.syntax.lexer.tokens import Token

Resolver = Callable[[ast.Name], tuple[Symbol, ...]]
"""The symbols that a name in an expression stands for."""

_DEEPEST = 40
"""Names that are followed, one from the other, before a circle is supposed."""


class TypeInference:
    """The types of one ruleset."""

    def __init__(self, index: SymbolIndex) -> None:
        self.index = index
        self.declared = DeclaredTypes(index)
        self._depth = 0
        self._known: dict[Symbol, ast.TypeExpr | None] = {}
        self._files = {file.path: file for file in index.files.values()}

    # ----------------------------------------------------------------------------------------------- symbols

    def of_symbol(self, symbol: Symbol) -> ast.TypeExpr | None:
        """The type of what a symbol stands for; of a query its result, of a zone or field an element of it."""
        if symbol in self._known:
            return self._known[symbol]
        if self._depth > _DEEPEST:
            return None
        self._depth += 1
        try:
            found = first_of(map(self._of_declaration, self.index.declarations.get(symbol, ())))
        finally:
            self._depth -= 1
        self._known[symbol] = found
        return found

    def _of_declaration(self, one: Declaration) -> ast.TypeExpr | None:
        if one.symbol.kind == "value":
            return ast.NamedType(one.symbol.owner) if one.word == "value" and one.symbol.owner else None
        if one.symbol.kind == "player":
            return PLAYER
        node, file = one.node, self._files[one.name.file]
        match node:
            case ast.Param() | ast.FieldDecl() | ast.Attribute() | ast.Callable():
                return node.type
            case ast.Parameter():
                return node.type or self.of_expression(node.value, self.resolver(file))
            case ast.Query(type=None, value=None, cases=cases) if cases:
                return self.of_expression(cases[0].value, self.resolver(file))
            case ast.Query() | ast.Value():
                return node.type or self.of_expression(node.value, self.resolver(file))
            case ast.Zone(kinds=kinds):
                return self.declared.zone(node, kinds)
            case ast.Area(place=place):
                return (
                    ast.SetType(ast.NamedType(place)) if one.symbol.kind == "declaration" else self.declared.edge(place)
                )
            case ast.Merged(name=name):
                return ast.NamedType(name)
            case ast.IndexPart():
                return node.key
            case ast.Let():
                return node.type or self.of_expression(node.value, self.resolver(file))
            case ast.Bind():
                return self._bind(node, self.resolver(file))
            case ast.Choose():
                return self._chosen(node, one, file)
            case ast.Roll():
                faces = self.declared.faces(node.die)
                return ast.ListType(faces) if node.amount is not None and faces is not None else faces
            case ast.Draw():
                drawn = element_of(self.of_expression(node.source, self.resolver(file)))
                return ast.SetType(drawn) if node.amount is not None and drawn is not None else drawn
            case ast.Reach(by=str()):
                return element_of(self.of_expression(node, self.resolver(file)))
            case ast.Reach():
                return self.declared.edge(name_of_type(self.of_expression(node.start, self.resolver(file))))
            case ast.Reaction():
                return PLAYER
            case _:
                return None

    def _chosen(self, node: ast.Choose, one: Declaration, file: FileSymbols) -> ast.TypeExpr | None:
        kind = ast.NamedType(node.kind) if node.kind is not None else None
        chosen = kind or element_of(self.of_expression(node.source, self.resolver(file)))
        several = node.many is not None and (node.as_name in (None, one.symbol.name))
        single = node.name == one.symbol.name and node.as_name is not None
        return ast.SetType(chosen) if several and not single and chosen is not None else chosen

    def meant(self, file: FileSymbols, token: Token, symbols: tuple[Symbol, ...]) -> tuple[Symbol, ...]:
        """The attributes or values among several of one name that fit where the word stands; all if that is unknown."""
        if not symbols or symbols[0].kind not in ("attribute", "value") or self._declares(file, token):
            return symbols
        around = [node for node, _ in nodes_around(file, token.line, token.column + 1)]
        if symbols[0].kind == "value":
            owner = self._owner_of_value(around, self.resolver(file)) if len(symbols) > 1 else ""
            return tuple(symbol for symbol in symbols if symbol.owner == owner) or symbols
        dot = next((node for node in reversed(around) if isinstance(node, ast.Dot)), None)
        held = name_of_type(self.of_expression(dot.operand, self.resolver(file))) if dot is not None else ""
        if not held:
            return symbols
        # A piece of a kind may be known to be of a narrower one.
        return tuple(s for s in symbols if s.owner in self.declared.bases(held) or held in self.declared.bases(s.owner))

    def _declares(self, file: FileSymbols, token: Token) -> bool:
        return (token.line, token.column) in file.declared_at

    def _owner_of_value(self, around: list[ast.Node], resolve: Resolver) -> str:
        """The declaration whose values are compared or assigned around a name."""
        for node in reversed(around[:-1]):
            match node:
                case ast.Parameter(name=name) | ast.FieldDecl(name=name):
                    return name_of_type(node.type) or name
                case ast.AssignOp(path=path) | ast.SSet(path=path):
                    return self._owner_of(ast.Name(path.parts[-1]), lambda name: self._called_so(name.name))
                case ast.Assign() | ast.Setting() | ast.SDraw():
                    return self._owner_of(node.target, resolve)
                case ast.Match():
                    return self._owner_of(node.subject, resolve)
                case ast.Cell(column=column, span=span):
                    return self._owner_of(ast.Name(column, span=span), resolve)
                case ast.Binary(op="is" | "is not"):
                    return self._owner_of(node.left if node.right is around[-1] else node.right, resolve)
                case ast.Arm() | ast.Sign():
                    continue
                case _:
                    return ""
        return ""

    def _called_so(self, name: str) -> tuple[Symbol, ...]:
        return tuple(self.index.by_name.get(("declaration", name), ()))

    def _owner_of(self, expr: ast.Expr, resolve: Resolver) -> str:
        """The declaration to which the values of an expression belong: its enum, or the field or parameter itself."""
        type = element_of(self.of_expression(expr, resolve))
        if isinstance(type, ast.NamedType):
            return type.name
        named = expr.operand if isinstance(expr, ast.Index | ast.Call) else expr
        found = resolve(named) if isinstance(named, ast.Name) else ()
        return found[0].name if found else ""

    # ------------------------------------------------------------------------------------------- expressions

    def resolver(self, file: FileSymbols) -> Resolver:
        """Names of expressions that stand in a file."""

        def resolve(name: ast.Name) -> tuple[Symbol, ...]:
            token = file.words.at(name.span.line, name.span.column + 1)
            return self.index.resolve(file, token) if token is not None and token.value == name.name else ()

        return resolve

    def of_expression(self, expr: ast.Expr | None, resolve: Resolver) -> ast.TypeExpr | None:
        """The type of an expression."""
        match expr:
            case None | ast.NoneValue() | ast.StringLiteral() | ast.Tuple():
                return None
            case ast.Number() | ast.Divide():
                return INT
            case ast.BoolLiteral() | ast.Every() | ast.IsA() | ast.IsEmpty():
                return BOOL
            case ast.Name(name="players" | "everyone"):
                return ast.SetType(PLAYER)
            case ast.Name():
                return first_of(map(self.of_symbol, resolve(expr)))
            case ast.TypeName(name=name):
                return ast.SetType(ast.NamedType(name))
            case ast.ListOf(items=items):
                held = self._first(items, resolve)
                return ast.ListType(held) if held is not None else None
            case ast.SetOf(items=(ast.Entry() as entry, *_)) | ast.Comprehension(element=ast.Entry() as entry):
                key = self.of_expression(entry.key, resolve)
                held = self.of_expression(entry.value, resolve) or INT
                return ast.KeyedType(held, key) if isinstance(key, ast.NamedType) else None
            case ast.SetOf(items=items):
                held = self._first(items, resolve)
                return ast.SetType(held) if held is not None else None
            case ast.Range(listed=in_order):
                return ast.ListType(INT) if in_order else ast.SetType(INT)
            case ast.Comprehension():
                found = self.of_expression(expr.element, resolve)
                held = self._bind(expr.binds[0], resolve) if expr.element is None else found
                listed = expr.listed or (expr.leading != "" and expr.element is None)
                return None if held is None else ast.ListType(held) if listed else ast.SetType(held)
            case ast.Aggregate():
                return self._aggregate(expr, resolve)
            case ast.Ranked(kind=kind, bind=bind):
                held = self._bind(bind, resolve)
                return None if held is None else ast.ListType(held) if kind == "sorted" else ast.SetType(held)
            case ast.Reach():
                held = present(self.of_expression(expr.start, resolve))
                return ast.SetType(held) if held is not None and not isinstance(held, ast.SetType) else held
            case ast.Binary():
                return self._infix(expr, resolve)
            case ast.Unary(op=op):
                return prefix_type(op)
            case ast.After(of=of):
                return self.of_expression(of, resolve)
            case ast.IfElse():
                return self.of_expression(expr.then, resolve) or self.of_expression(expr.otherwise, resolve)
            case ast.Dot():
                return self.declared.member(self.of_expression(expr.operand, resolve), expr.name)
            case ast.Index():
                held = self.of_expression(expr.operand, resolve)
                keys = self._keys(expr.operand, resolve)
                if held is not None and keys and len(expr.index) == len(keys) - 1:
                    return ast.KeyedType(held, ast.NamedType(keys[-1]))
                return held if keys else element_of(held)
            case ast.Call(operand=ast.Name(name=name) as operand, args=args):
                return self._called(name, operand, args, resolve)
            case _:
                return None

    def _infix(self, expr: ast.Binary, resolve: Resolver) -> ast.TypeExpr | None:
        match expr.op:
            case "and" | "or" | "is" | "is not" | "<" | "<=" | ">" | ">=" | "in" | "not in":
                return BOOL
            case "|":
                return self.declared.edge(name_of_type(self.of_expression(expr.left, resolve)))
            case "*" | "mod":
                return INT
            case "+" | "-" | "except" | "intersect" | "or else":
                found = self.of_expression(expr.left, resolve) or self.of_expression(expr.right, resolve)
                return INT if isinstance(found, ast.RangeType) else found
            case _:
                assert_never(expr.op)

    def _first(self, items: tuple[ast.Expr, ...], resolve: Resolver) -> ast.TypeExpr | None:
        return first_of(self.of_expression(item, resolve) for item in items)

    def _bind(self, bind: ast.Bind, resolve: Resolver) -> ast.TypeExpr | None:
        if bind.kind is not None:
            return ast.NamedType(bind.kind)
        return element_of(self.of_expression(bind.source, resolve))

    def _aggregate(self, expr: ast.Aggregate, resolve: Resolver) -> ast.TypeExpr | None:
        match expr.kind:
            case "count" | "sum":
                return INT
            case "some" | "no":
                return BOOL
            case "max" | "min":
                return self._aggregated(expr, resolve)
            case "first" | "last" | "single":
                held = self._aggregated(expr, resolve)
                return ast.OptionalType(held) if held is not None else None
            case _:
                assert_never(expr.kind)

    def _aggregated(self, expr: ast.Aggregate, resolve: Resolver) -> ast.TypeExpr | None:
        """The type of the members among which an aggregate chooses."""
        if expr.element is None:
            return self._bind(expr.binds[0], resolve) if expr.binds else None
        found = self.of_expression(expr.element, resolve)
        return found if expr.binds else element_of(found)

    def _keys(self, operand: ast.Expr, resolve: Resolver) -> tuple[str, ...]:
        """The types of the keys of a zone, field or parameter, whose type is what stands under them."""
        symbols = resolve(operand) if isinstance(operand, ast.Name) else ()
        for symbol in symbols if any(s.kind == "declaration" for s in symbols) else ():
            node = self.declared.node(symbol.name)
            if isinstance(node, ast.Zone | ast.FieldDecl) and node.index:
                return tuple(part.type for part in node.index)
            if isinstance(node, ast.Parameter) and node.key is not None:
                return (node.key,) if node.type is not None else ()
        return ()

    def _called(
        self, name: str, operand: ast.Name, args: tuple[ast.Expr, ...], resolve: Resolver
    ) -> ast.TypeExpr | None:
        found = next((s for s in resolve(operand) if s.kind == "declaration"), None)
        if found is None:
            found = next(iter(self.index.by_name.get(("declaration", name), ())), None)
        if found is not None:
            return self.of_symbol(found)
        if not is_builtin(name):
            return None
        return built_in_type(name, self.of_expression(args[0], resolve) if args else None)


_OPEN = {"RPAR": "LPAR", "RSQB": "LSQB", "RBRACE": "LBRACE"}
_PARTS = frozenset({"NAME", "TYPE", "PLAYERS", "PLACE", "CHANCE"})
COMPARING = frozenset(
    {"IS", "IN", "LESS", "MORE", "AT_MOST_SIGN", "AT_LEAST_SIGN", "EQUAL", "PLUS_IS", "MINUS_IS", "NOT"}
)
"""The words and signs behind which something of the type of what stands before them is written."""


def operand_before(tokens: Sequence[Token]) -> ast.Expr | None:
    """The value at the end of some words: a name with dots and brackets behind it."""
    at = len(tokens)
    while at:
        last = tokens[at - 1]
        if last.type in _OPEN:
            opening = _opening(tokens, at - 1)
            if opening is None:
                return None
            at = opening
            if (
                last.type == "RBRACE"
                or not at
                or (tokens[at - 1].type not in _PARTS and tokens[at - 1].type not in _OPEN)
            ):
                # A set, a list, or brackets around a value; or the brackets of `count(…)`.
                at -= bool(at and last.type == "RPAR" and tokens[at - 1].value.isalpha())
                break
        elif last.type in _PARTS:
            at -= 1
            if not at or tokens[at - 1].type != "DOT":
                break
            at -= 1
        else:
            return None
    if at == len(tokens):
        return None
    try:
        return parse_expression(" ".join(token.value for token in tokens[at:]))
    except RulesetError:
        return None


def _opening(tokens: Sequence[Token], closing: int) -> int | None:
    depth = 0
    for at in range(closing, -1, -1):
        depth += (tokens[at].type in _OPEN) - (tokens[at].type in _OPEN.values())
        if depth == 0:
            return at
    return None


def argument_type(types: TypeInference, tokens: Sequence[Token]) -> ast.TypeExpr | None:
    """The type of the argument or key that is written behind some words: of a call, a zone or a field."""
    depth = number = 0
    for at in range(len(tokens) - 1, 0, -1):
        type = tokens[at].type
        depth += (type in _OPEN) - (type in _OPEN.values())
        number += type == "COMMA" and depth == 0
        if depth < 0:
            places = types.index.declared_as(tokens[at - 1].value) if type != "LBRACE" else []
            node = places[0].node if places else None
            if type == "LPAR" and isinstance(node, ast.Query | ast.Value | ast.Limits | ast.Callable):
                return node.params[number].type if number < len(node.params) else None
            if type == "LSQB" and isinstance(node, ast.Zone | ast.FieldDecl):
                return node.index[number].key if number < len(node.index) else None
            return None
    return None


def type_before(types: TypeInference, tokens: Sequence[Token], near: Iterable[Declaration]) -> ast.TypeExpr | None:
    """The type of the value at the end of some words, in which some locals can be used."""
    locals_ = {one.symbol.name: one.symbol for one in near}

    def resolve(name: ast.Name) -> tuple[Symbol, ...]:
        if name.name in locals_:
            return (locals_[name.name],)
        by_name = types.index.by_name
        return tuple(
            s for kind in ("declaration", "value", "label", "attribute") for s in by_name.get((kind, name.name), ())[:1]
        )

    return types.of_expression(operand_before(tokens), resolve)


__all__ = [
    "COMPARING",
    "TypeInference",
    "argument_type",
    "element_of",
    "name_of_type",
    "operand_before",
    "present",
    "type_before",
]
