"""Random rules: trees as they can be read, with comments and citations on their clauses."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from hypothesis import strategies as st

from closed_words import words_of
from rulewright.syntax import ast, keywords, reserved_words
from rulewright.syntax.ast import Trivia

Strategy = st.SearchStrategy[Any]

PLAIN = ["a", "b", "x", "some_longer_name", "number", "is_it", "_odd", "x2"]
BEGINNINGS = [
    "an",
    "back",
    "on",
    "up",
    "row",
    "at",
    "seen",
    "out",
    "joined",
    "hexes",
    "stack",
    "any",
    "face",
    "finish",
    "clockwise",
]
"""Names with which phrases of several words begin."""
CONTEXTUAL = sorted(keywords().keys() - reserved_words())
names = st.sampled_from(PLAIN + BEGINNINGS + CONTEXTUAL)
types = st.sampled_from(["A", "Knight", "Ogre", "Some2Type"])
texts = st.text("abc {}#@.-'äß", max_size=8)
ints = st.integers(0, 120)
counts = st.lists(st.integers(1, 6), min_size=1, max_size=3).map(tuple)
words = st.sampled_from(sorted(keywords()))


def of(kind: type, field: str) -> Strategy:
    """Each of the words that a field of a node can be."""
    return st.sampled_from(words_of(kind, field))


def maybe(strategy: Strategy) -> Strategy:
    return st.none() | strategy


def some(strategy: Strategy, least: int = 1, most: int = 3) -> Strategy:
    return st.lists(strategy, min_size=least, max_size=most).map(tuple)


# ---------------------------------------------------------------------------------- trivia

comment = st.text("ab#@\"' é", max_size=10).map(lambda t: t.strip())
cite = st.sampled_from(["A-1", "CM-PREP-1", "KT-7.5a", "x_y"])
trivia: Strategy = st.just(ast.NO_TRIVIA) | st.builds(
    Trivia,
    comments=some(comment, 0, 2),
    behind=maybe(comment),
    cites=some(cite, 0, 2),
    gap=st.booleans(),
    below=some(comment, 0, 1),
)


def clause(kind: type[Any], *args: Strategy, **more: Strategy) -> Strategy:
    return st.builds(kind, *args, trivia=trivia, **more)


# ---------------------------------------------------------------------------------- expressions

leaves: Strategy = st.one_of(
    st.builds(ast.Name, names | st.sampled_from(["players", "chance", "place"])),
    st.builds(ast.TypeName, types),
    st.builds(ast.Number, ints),
    st.builds(ast.StringLiteral, texts),
    st.just(ast.NoneValue()),
    st.builds(ast.BoolLiteral, st.booleans()),
    st.just(ast.SetOf(())),
    st.just(ast.ListOf(())),
)


def binds(inner: Strategy) -> Strategy:
    return st.builds(ast.Bind, names, maybe(types), inner)


def sources(inner: Strategy) -> Strategy:
    """Sources of which the last is bare: what stands behind it is that of the whole."""
    return st.builds(lambda held, last: (*held, last), some(source_of(inner), 0, 1), binds(inner))


def source_of(inner: Strategy) -> Strategy:
    """A source with or without a condition of its own."""
    leading = st.builds(ast.Bind, names, maybe(types), inner, inner, st.sampled_from(["while", "until"]))
    return st.builds(ast.Bind, names, maybe(types), inner, maybe(inner)) | leading


def entry(e: Strategy) -> Strategy:
    """An entry of braces: its key is a name or text, or ends in a dot or brackets."""
    key = st.one_of(
        st.builds(ast.Name, names),
        st.builds(ast.StringLiteral, texts),
        st.builds(ast.Dot, e, names | words),
        st.builds(ast.Index, e, some(e)),
        st.builds(ast.Call, e, some(e, 0)),
    )
    return st.builds(ast.Entry, key, e)


def grow(e: Strategy) -> Strategy:
    """Expressions one level deeper."""
    bind, where = binds(e), maybe(e)
    kinds, operators = of(ast.Aggregate, "kind"), of(ast.Binary, "op")
    return st.one_of(
        st.builds(ast.Binary, operators, e, e),
        st.builds(ast.Binary, operators, e, e),
        st.builds(ast.Divide, e, e, of(ast.Divide, "rounded")),
        st.builds(ast.Unary, of(ast.Unary, "op"), e),
        st.builds(ast.IsA, e, types, st.booleans()),
        st.builds(ast.IsEmpty, e, st.booleans()),
        st.builds(ast.After, e, e),
        st.builds(ast.IfElse, e, e, e),
        st.builds(ast.Dot, e, names | words),
        st.builds(ast.Index, e, some(e)),
        st.builds(ast.Call, e, some(e, 0)),
        st.builds(ast.Tuple, some(e, 2)),
        st.builds(ast.ListOf, some(e)),
        st.builds(ast.SetOf, some(e)),
        st.builds(ast.SetOf, some(entry(e))),
        st.builds(ast.Comprehension, entry(e), sources(e), where),
        st.builds(ast.Range, e, e, st.booleans()),
        st.builds(ast.Comprehension, maybe(e), sources(e), where),
        st.builds(ast.Comprehension, e, sources(e), where, listed=st.just(True)),
        st.builds(ast.Comprehension, maybe(e), sources(e), e, st.sampled_from(["while", "until"])),
        st.builds(ast.Aggregate, kinds, maybe(e), sources(e), where),
        st.builds(ast.Aggregate, kinds, maybe(e), sources(e), e, st.sampled_from(["while", "until"])),
        st.builds(ast.Aggregate, kinds, e, st.just(()), st.none()),
        st.builds(ast.Ranked, of(ast.Ranked, "kind"), bind, where, e),
        st.builds(ast.Every, bind, where, e),
        st.builds(ast.Reach, e, where, st.none(), st.none()),
        st.builds(ast.Reach, e, where, names, where),
        st.builds(ast.Reach, e, where, st.none(), st.none(), names, e),
    )


expressions: Strategy = st.recursive(leaves, grow, max_leaves=8)
small: Strategy = leaves | grow(leaves)

one_kind: Strategy = st.one_of(
    st.builds(ast.NamedType, types),
    st.builds(ast.RangeType, st.integers(-9, 9), maybe(st.integers(-9, 9))),
    st.builds(ast.ChoiceType, some(names)),
)
several_kinds: Strategy = st.builds(ast.UnionType, st.lists(one_kind, min_size=2, max_size=3).map(tuple))
base_types: Strategy = st.recursive(
    one_kind | several_kinds, lambda t: st.builds(ast.SetType, t) | st.builds(ast.ListType, t), max_leaves=2
)
positions: Strategy = st.builds(ast.PositionsType, some(st.builds(ast.Name, names)))
keyed_types: Strategy = st.builds(
    ast.KeyedType,
    st.builds(ast.NamedType, types) | st.builds(ast.RangeType, st.integers(-9, 9), maybe(st.integers(-9, 9))),
    st.builds(ast.NamedType, types),
)
type_exprs: Strategy = base_types | positions | keyed_types | st.builds(ast.OptionalType, base_types)

# ---------------------------------------------------------------------------------- statements

e = small
alone = e.filter(lambda expr: not (isinstance(expr, ast.Name) and expr.name in CONTEXTUAL))
"""Expressions that can be a line: a word of the language that is all of a line stays one, as half of something."""
names_only = names.map(ast.Name)
bind = binds(small)
faces, laid = of(ast.Draw, "face"), of(ast.Move, "face")
many: Strategy = st.one_of(
    st.builds(ast.Many, st.just("exactly"), e, st.none()),
    st.builds(ast.Many, st.just("up to"), st.none(), e),
    st.builds(ast.Many, st.just("between"), e, e),
    st.builds(ast.Many, st.just("any number"), st.none(), st.none()),
    st.builds(ast.Many, st.just("as many as possible"), st.none(), e),
)
unless = clause(ast.Unless, names, e)
restriction = clause(ast.Forbid, names, e, some(unless, 0, 1)) | clause(ast.Obey, e)

simple: Strategy = st.one_of(
    clause(ast.Let, names, e, st.booleans()),
    clause(ast.Let, names, e, st.just(True), type_exprs),
    clause(ast.Assign, e, of(ast.Assign, "op"), e),
    clause(ast.AssignAll, some(st.builds(ast.Update, e, e), 2)),
    clause(ast.DoNothing),
    clause(ast.MoveHeld, e, e, e),
    clause(ast.CallStatement, alone),
    clause(ast.Move, maybe(e), e, e, laid),
    clause(ast.Draw, maybe(e), e, e, maybe(names), faces),
    clause(ast.Flip, e, st.sampled_from(["face up", "face down", "baron"])),
    clause(ast.Show, e, e),
    clause(ast.Tell, st.just(("", " does ", "")), st.tuples(names_only, names_only)),
    clause(ast.Shuffle, e),
    clause(ast.Merge, e, e),
    clause(ast.Roll, e, maybe(e), types, names),
    clause(ast.Proceed),
    clause(ast.Stop, maybe(names)),
    clause(ast.Return, maybe(e)),
    clause(ast.Win, e),
    clause(ast.NobodyWins),
    clause(ast.DrawnGame),
    clause(ast.RankAll, bind, some(e)),
    clause(ast.PayAll, e, bind),
    clause(ast.Reward, e, e),
)
bare_simple = simple.map(lambda s: type(s)(**{f: getattr(s, f) for f in _fields(s)}))
"""Without trivia, as behind a colon."""


def _fields(node: ast.Node) -> list[str]:
    return [f.name for f in fields(node) if f.name not in ("trivia", "span")]


def blocks(stmt: Strategy) -> Strategy:
    return some(stmt, 1, 2)


one = bare_simple.map(lambda s: (s,))


def arms(block: Strategy) -> Strategy:
    return clause(ast.Arm, some(e), one, st.just(True)) | clause(ast.Arm, some(e), block)


def options(block: Strategy) -> Strategy:
    plain = block.filter(lambda b: not isinstance(b[0], ast.Forbid | ast.Obey))
    return st.one_of(
        clause(ast.Option, names, st.just(()), one, st.just(True)),
        clause(ast.Option, names, some(restriction, 0, 1), plain),
        clause(ast.Option, names, some(restriction, 0, 1), st.just(())),
    )


def compound(stmt: Strategy) -> Strategy:
    """Statements with blocks."""
    block = blocks(stmt)
    branch = st.builds(ast.Branch, e, block)
    arm, option = arms(block), options(block)
    last = clause(ast.Arm, st.just(()), one, st.just(True)) | clause(ast.Arm, st.just(()), block)
    repetition = st.tuples(st.sampled_from(["until", "while", "times"]), e) | st.just(("forever", None))
    return st.one_of(
        restriction,
        clause(ast.If, st.builds(ast.Branch, e, one).map(lambda b: (b,)), one | st.just(()), st.just(True)),
        clause(ast.If, some(branch), block | st.just(())),
        clause(ast.Match, e, some(arm, 1, 2), maybe(last)),
        clause(ast.Each, bind, maybe(e), st.sampled_from([None, "at once"]), st.none(), block),
        clause(ast.Each, bind, maybe(e), st.sampled_from(["by", "by descending", "chosen"]), e, block),
        clause(ast.Each, bind, maybe(e), st.just("chosen"), e, block, st.just(True)),
        st.builds(
            lambda r, m, label, b, t: ast.Repeat(*r, m, label, b, trivia=t),
            repetition,
            maybe(e),
            maybe(names),
            block,
            trivia,
        ),
        clause(ast.Repeats, e, many, maybe(names), block, st.booleans()),
        clause(
            ast.Choose,
            e,
            st.booleans(),
            maybe(many),
            names,
            maybe(types),
            maybe(names),
            e,
            maybe(e),
            some(restriction, 0, 2),
            maybe(block),
            maybe(block),
            st.booleans(),
            st.booleans(),
        ),
        clause(ast.Either, e, maybe(names), some(option, 1, 2), maybe(block), st.booleans()),
        clause(ast.Step, names, block),
    )


statements: Strategy = simple | compound(simple) | compound(simple | compound(simple))
body = some(statements, 1, 2)


@st.composite
def block_within(draw: st.DrawFn) -> Any:
    """A body by name: Hypothesis writes out a strategy of which nothing passes a filter, and a body would take 1 GB."""
    return draw(body)


option = options(block_within())
more_arms = clause(ast.MoreArms, some(arms(block_within()), 1, 2))

# ---------------------------------------------------------------------------------- declarations

attribute = clause(ast.Attribute, names, type_exprs, maybe(e))
attributes = some(attribute, 0, 2)
tables = st.sampled_from(["t.json", "a/b.csv#part"])
params = some(st.builds(ast.Param, names, type_exprs), 0, 2)
index = some(st.builds(ast.IndexPart, maybe(names), types | st.sampled_from(["1..4", "-2..0"])), 0, 2)
modifier = clause(ast.Modifier, names, of(ast.Modifier, "op"), e, maybe(e))
case = clause(ast.Case, alone, maybe(e))
word_modifier = st.builds(ast.Modifier, st.just(""), of(ast.Modifier, "op"), e, maybe(e))
path = st.builds(ast.Path, st.tuples(names | types) | st.tuples(names, names | words))


def not_alone(path: ast.Path) -> bool:
    """False for a word of the language, which stays one where it is all of a line."""
    return len(path.parts) > 1 or path.parts[0] not in CONTEXTUAL


def seen(facets: list[str | None]) -> Strategy:
    return st.lists(st.builds(ast.Audience, st.sampled_from(facets), e), max_size=3, unique_by=lambda a: a.facet).map(
        tuple
    )


audiences, field_audiences = seen(["face", "back", "count", None]), seen(["face", "count", None])


@st.composite
def maps(draw: st.DrawFn) -> ast.MapDecl:
    shape = draw(of(ast.MapDecl, "shape"))
    form = draw(st.sampled_from([None, "hexagon", "rhombus", "triangle"])) if shape == "hexes" else None
    form = draw(st.sampled_from([None, "diagonals"])) if shape == "grid" else form
    amount = {"ring": 1, "grid": 2, "growing": 1, "hexagon": 1, "rhombus": 2, "triangle": 1, "diagonals": 2}.get(
        form or shape, 0
    )
    table = draw(tables) if shape in ("hexes", "graph") and form is None else None
    sizes = tuple(draw(e) for _ in range(amount))
    base = draw(types) if shape == "corners" else None
    return ast.MapDecl(
        draw(types), shape, sizes, table, draw(types), draw(maybe(types)), form, base, trivia=draw(trivia)
    )


@st.composite
def players(draw: st.DrawFn) -> ast.Players:
    low = draw(st.integers(1, 4))
    more: tuple[Any, ...] = draw(st.just(()) | st.tuples(st.just(2), maybe(st.just(4)), maybe(names)))
    return ast.Players(low, low + draw(st.integers(0, 3)), *more, trivia=draw(trivia))


members = st.builds(ast.Member, names | st.just("players"), counts | st.just(()))
plain_declarations: Strategy = st.one_of(
    clause(ast.Game, names),
    players(),
    clause(ast.Party, types, some(members)),
    clause(ast.Parameter, names, maybe(type_exprs), e, some(st.builds(ast.ByCount, e, counts), 0, 2), maybe(types)),
    clause(ast.EnumDecl, types, some(names | types), st.none(), attributes),
    clause(ast.EnumDecl, types, st.just(()), tables, attributes),
    clause(ast.Die, types, ints, ints, st.just(())),
    clause(ast.Die, types, st.none(), st.none(), some(names | types)),
    clause(
        ast.Piece, types, maybe(types), maybe(tables), attributes, maybe(texts), maybe(texts), some(names, 0), maybe(e)
    ),
    clause(ast.Place, of(ast.Place, "word"), types, attributes, maybe(texts)),
    maps(),
    clause(ast.Area, types, types, names, e),
    clause(ast.Merged, types, types),
    clause(
        ast.Zone,
        names,
        index,
        of(ast.Zone, "order"),
        some(types),
        maybe(e),
        maybe(some(types, 0)),
        audiences,
    ),
    clause(ast.FieldDecl, names, index, type_exprs, maybe(e), maybe(names), field_audiences, maybe(e)),
    clause(ast.Query, names, params, maybe(type_exprs), expressions, st.just(()), maybe(small), of(ast.Query, "word")),
    clause(
        ast.Query,
        names,
        params,
        maybe(type_exprs),
        st.none(),
        st.tuples(some(clause(ast.Let, names, e, st.booleans()) | case, 0, 3), case).map(lambda t: (*t[0], t[1])),
        maybe(small),
        of(ast.Query, "word"),
    ),
    clause(ast.Value, names, params, maybe(type_exprs), e, some(modifier, 0)),
    clause(ast.Limits, names, params, some(restriction)),
    clause(
        ast.Callable,
        of(ast.Callable, "word"),
        names,
        params,
        maybe(type_exprs),
        maybe(e),
        body,
    ),
    st.builds(
        lambda n, m, ev, by, w, b, a, each, who, t: ast.Reaction(n, m, ev, *by, w, b, a, each, who, trivia=t),
        names,
        of(ast.Reaction, "moment"),
        e,
        st.just((None, None)) | st.tuples(names, maybe(bind)),
        maybe(e),
        body,
        st.booleans(),
        maybe(bind),
        maybe(e),
        trivia,
    ),
    clause(ast.Precedence, some(names)),
    st.builds(
        lambda n, b, w, s, t: ast.Consequence(n, *b, w, s, trivia=t),
        names,
        st.just(((), None)) | st.tuples(some(source_of(small)), maybe(e)),
        e,
        body,
        trivia,
    ),
    clause(ast.End, names, st.just(()) | some(source_of(small)), e, maybe(names), body),
    clause(ast.Invariant, names, st.just(()) | some(source_of(small)), expressions),
    clause(ast.Property, names, maybe(path.map(str)), st.just(()) | some(source_of(small)), e),
    clause(ast.Witness, names, e),
    clause(ast.ExtendOp, path, some(restriction | modifier | case | unless | option | more_arms)),
)


def replacing(kind: type[Any]) -> Strategy:
    """``add`` or ``replace`` with a declaration, whose own trivia stand with that word."""
    return st.builds(
        lambda decl, t: kind(type(decl)(**{f: getattr(decl, f) for f in _fields(decl)}), trivia=t),
        plain_declarations,
        trivia,
    )


rows = st.builds(ast.Rows, maybe(texts), types, maybe(expressions), st.booleans())
cells = some(st.builds(ast.Cell, names | st.just("count"), e, some(st.builds(ast.ByCount, e, counts), 0, 2)))

change: Strategy = st.one_of(
    clause(ast.SetRowsOp, rows, cells),
    clause(ast.AddRowOp, types, cells),
    clause(ast.RemoveRowsOp, rows),
    clause(ast.AssignOp, path, e),
    clause(ast.RemoveOp, path),
    clause(ast.UnchangedOp, path),
    clause(ast.ReplaceClauseOp, path, e),
    clause(ast.ReplaceClauseOp, path, many, st.booleans()),
    clause(ast.ReplaceClauseOp, path, st.builds(ast.Case, e, e)),
    clause(ast.ReplaceClauseOp, path, word_modifier.filter(lambda made: made.op != "-")),  # a minus begins a number
    replacing(ast.ReplaceDeclOp),
    clause(ast.InsertOp, of(ast.InsertOp, "where"), path, body),
    clause(
        ast.InsertOp,
        st.just("replace"),
        path,
        one.filter(lambda body: not isinstance(body[0], ast.CallStatement)),  # a call is a value, too
        st.just(True),
    ),
    clause(ast.MoveOp, path, of(ast.MoveOp, "where"), path),
)
op: Strategy = st.one_of(
    change,
    replacing(ast.AddDeclOp),
    clause(ast.ExtendOp, path, some(restriction | modifier | case | unless | option | more_arms)),
)

answer = st.builds(ast.Answer, names | st.just("stop"), maybe(e))
scenario_line: Strategy = st.one_of(
    clause(ast.SPlayers, some(names)),
    clause(ast.SVariant, texts),
    clause(ast.SFrom, texts),
    clause(ast.SSet, path, e),
    clause(ast.SPut, maybe(ints), some(texts), e, faces, maybe(names)),
    clause(ast.SPut, maybe(ints), some(texts), e, faces, maybe(names), sources(e), maybe(e)),
    clause(ast.SGiven, some(st.builds(ast.Setting, e, e))),
    clause(ast.SGiven, some(st.builds(ast.Setting, e, e)), sources(e), maybe(e)),
    clause(
        ast.SDraw,
        e,
        some(st.builds(ast.Sign, names | types | texts | ints.map(str), e)),
        some(st.builds(ast.DrawnRow, texts)),
    ),
    clause(ast.SStart, e),
    clause(ast.SWhen, names, some(answer), st.booleans()),
    clause(ast.SChance, some(answer | st.builds(ast.Answer, names, maybe(e), some(e)))),
    clause(ast.SThen, some(e)),
    clause(ast.SRefused, names, answer, maybe(path)),
    clause(ast.SOffered, names, names, e),
    clause(ast.SSeen, names, some(e), st.booleans()),
    clause(ast.SWins, some(e)),
    clause(ast.SPayoff, some(st.builds(ast.PayoffOf, e, e, maybe(e)))),
    clause(ast.SOut, some(names)),
    clause(ast.Let, names, e, st.booleans()),
    clause(ast.Merge, e, e),
)

own = st.one_of(
    st.builds(lambda body: ast.MoreArms((ast.Arm((), body, True),)), one),
    st.builds(lambda body: ast.MoreArms((ast.Arm((), body),)), block_within()),
    st.builds(ast.Case, e, maybe(e)),
    word_modifier,
)

declarations: Strategy = st.one_of(
    plain_declarations,
    clause(ast.CasesForOp, some(e), some(clause(ast.ExtendOp, path.filter(not_alone), st.tuples(own)), 1, 2)),
    change,
    clause(ast.WithPlayers, counts, some(op, 1, 2)),
    clause(ast.Variant, texts, path, some(op, 1, 2), st.just(()) | some(texts, 1, 2)),
    clause(ast.Scenario, texts, some(scenario_line)),
)
files: Strategy = st.builds(ast.File, some(declarations, 0, 2), trivia=st.builds(Trivia, below=some(comment, 0, 2)))
