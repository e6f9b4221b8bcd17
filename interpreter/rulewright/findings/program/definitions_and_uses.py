"""EXM305: definitions and uses of a field that a change brings: what sets it, sets it back, and asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from rulewright.compiler.tree_walk import nodes
from rulewright.data.ruleset import Ruleset
from rulewright.findings.mutation.mutation_sites import places
from rulewright.findings.mutation.operators.operator_api import shown
from rulewright.findings.program.facts.examined_program import is_field
from rulewright.findings.suspects import Suspect
from rulewright.ir import model as m
from rulewright.ir.walk import nodes as all_nodes
from rulewright.play.game import Game
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


def _own_declarations(ruleset: Ruleset, titles: Sequence[str]) -> Iterator[ast.Decl | ast.Change]:
    """The variants with these titles; without titles all that the ruleset itself declares, its scenarios left out."""
    for file in ruleset.files:
        for decl in file.file.decls if file.role != "scenario" else ():
            if decl.title in titles if isinstance(decl, ast.Variant) else not titles:
                yield decl


MOST = 8
"""The number of fields that are listed; of a whole game those first that only go one way."""
MOST_TEXTS = 3
"""The number of clauses of each kind that are listed for a field."""
LONG = 90
"""The number of letters of a clause that are shown."""

_AT_THE_END = (ast.RankAll, ast.End, ast.Win, ast.PayAll, ast.Reward)

T = TypeVar("T")


def definitions_and_uses(game: Game, base: Game | None) -> Iterator[Suspect]:
    """The fields that a change has brought (of a whole game: all that go one way only), each with the clauses that set
    it and those that ask for it, in the words of the rules."""
    known = {declared.name for declared in base.program.fields} if base is not None else frozenset[str]()
    decls = _own_declarations(game.ruleset, game.program.variants)
    clauses = [site.clause for decl in decls for site in places(decl) if site.node is site.clause]
    new = [one for one in game.program.fields if one.name not in known and not one.is_internal and not one.is_record]
    ordered_fields = [(one, _one_way(game.program, one)) for one in new]
    for one, one_way in sorted(ordered_fields, key=lambda pair: not pair[1])[:MOST]:
        clauses_of = _definitions_and_uses(one, clauses, base is not None)
        if clauses_of and (base is not None or (one_way and one.index in ((), ("Player",)))):
            yield Suspect(
                "EXM305",
                one.name,
                "uses",
                f"`{one.name}`: {'; '.join((*clauses_of, *one_way))}",
                "is that all that is meant?",
                kinds=(ast.FieldDecl,),
                given=one.name,
            )


def _definitions_and_uses(field: m.Field, clauses: Sequence[ast.Clause], is_change: bool) -> list[str]:
    """Clauses that set a field and that ask for it, and of whom, in words.

    Nothing if it is never set or never asked for, and in a whole game nothing either if only ends ask for it: that
    points are never lowered is as it should be.
    """
    sets, asks, plays_on = list[str](), list[str](), False
    written, read = list[str](), list[str]()
    for clause in clauses:
        targets = list(_targets(clause))
        own = [target for target in targets if _named(target) == field.name]
        if own:
            sets.append(shown(clause))
            written += map(_index, own)
            continue
        others = [node for node in _read_in(clause, targets) if _named(node) == field.name]
        if others:
            asks.append(shown(clause))
            read += map(_index, others)
            plays_on = plays_on or not isinstance(clause, _AT_THE_END)
    if not sets or not asks or not (is_change or plays_on):
        return []
    found = [f"set by {_listed(sets)}", f"asked for by {_listed(asks)}"]
    if field.index == ("Player",):
        found += _whose(_once(written), _once(read))
    return found


def _whose(written: Sequence[str], read: Sequence[str]) -> Iterator[str]:
    """The owners of the entry that is set and of the entry that is read, in words, where that is one only."""
    if len(written) == len(read) == 1:
        if written == read:
            yield f"only ever that of the same one, `{written[0]}`, is set and asked for"
        else:
            yield f"that of `{written[0]}` is set, that of `{read[0]}` is asked for"


def _one_way(program: m.Program, field: m.Field) -> tuple[str, ...]:
    """In words, that a field only goes one way and is never set back; nothing if it goes both, or is never set."""
    code = [i for function in program.functions for i in function.code]
    values = [i.value for i in code if isinstance(i, m.SetField) and i.field == field.name]
    if not values or any(isinstance(i, m.Reset) and field.name in i.fields for i in code):
        return ()
    kind, optional = field.ty.kind, field.ty.optional
    if kind == "bool" and all(value == values[0] and isinstance(value, m.Const) for value in values):
        return (f"once {'true' if values[0] == m.Const(1) else 'false'} it stays so",)
    if kind == "int" and all(isinstance(v, m.Arith) and is_field(v.left, field.name) for v in values):
        ways = {v.op for v in values if isinstance(v, m.Arith)}
        if ways <= {"add"} or ways <= {"sub"}:
            return (f"nothing {'lowers' if ways == {'add'} else 'raises'} it or sets it back",)
    if kind == "set" and all(
        isinstance(v, m.SetOp) and v.op == "union" and is_field(v.left, field.name) for v in values
    ):
        return ("nothing takes out what is in it",)
    if kind == "entity" and optional and m.Const(m.NONE) not in values and _is_compared_to_none(program, field.name):
        return ("it is never none again",)
    return ()


def _is_compared_to_none(program: m.Program, name: str) -> bool:
    comparisons = (node for node in all_nodes((program.functions, program.queries)) if isinstance(node, m.Cmp))
    return any(is_field(node.left, name) and node.right == m.Const(m.NONE) for node in comparisons)


def _targets(clause: ast.Clause) -> Iterator[ast.Expr]:
    match clause:
        case ast.Assign(target=target):
            yield target
        case ast.AssignAll(updates=updates):
            yield from (update.target for update in updates)
        case _:
            pass  # all else sets no field


def _read_in(clause: ast.Clause, targets: Sequence[ast.Expr]) -> Iterator[ast.Node]:
    """Nodes of a clause that are not below another clause, nor what it sets."""
    own = {id(node) for target in targets for node in (target, getattr(target, "operand", target))}
    below = {
        id(node) for inner in nodes(clause) if isinstance(inner, ast.Clause) and inner is not clause
        for node in nodes(inner)
    }  # fmt: skip
    inside = set[int]()
    for node in nodes(clause):
        if id(node) in own or id(node) in below or id(node) in inside or isinstance(clause, ast.FieldDecl):
            continue
        if isinstance(node, ast.Index):
            inside.add(id(node.operand))
        yield node


def _named(node: ast.Node) -> str:
    """The field that a node sets or reads, if it does."""
    match node:
        case ast.Index(operand=ast.Name(name)) | ast.Name(name):
            return name
        case _:
            return ""


def _index(node: ast.Node) -> str:
    return ", ".join(print_expr(one) for one in node.index) if isinstance(node, ast.Index) else ""


def _listed(several: Iterable[str]) -> str:
    once = _once(several)
    texts = [f"`{text if len(text) <= LONG else text[: LONG - 1] + '…'}`" for text in once[:MOST_TEXTS]]
    return " and ".join(texts) + (f" and {len(once) - MOST_TEXTS} more" if len(once) > MOST_TEXTS else "")


def _once(several: Iterable[T]) -> list[T]:
    return list(dict.fromkeys(several))
