"""INF327: a piece that was named shows where it lies."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rulewright.ir import model as m
from rulewright.ir.dataflow.effects import NOTHING, asks_location, instructions_of
from rulewright.ir.information_flow.answer_flow import Answers
from rulewright.ir.walk import nodes
from rulewright.lint.analyses.code_memo import memoized_by_code
from rulewright.lint.analyses.program_index import ProgramIndex
from rulewright.lint.analyses.rule_index import first_span
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject


@lint("INF327")
def named_piece(subject: Subject) -> Iterator[Finding]:
    """Fields that get a piece which was chosen by its name, and reveal to those who do not see it where its back
    lies."""
    reported: set[str] = set()
    for index in (game.ask(ProgramIndex) for game in subject.games):
        for name, choice in _named(index):
            if name not in reported:
                reported.add(name)
                message = f"`{name}` tells where the piece lies that was named with `{choice}`, and not which it is"
                hint = "`face seen by everyone` tells which it is, wherever it lies; or keep what is printed on it"
                yield Finding(message, first_span(index.game, name), hint)


@memoized_by_code
def _named(index: ProgramIndex) -> tuple[tuple[str, str], ...]:
    """The name of each such field, and a choice whose answer goes there."""
    fields = {f.name for f in index.program.fields if index.concerns(f.name) and _shows_backs(f)}
    hidden = _hidden(index.program, index.visibility().public) if fields else 0
    if not hidden:
        return ()
    kinds = frozenset(kind.name for kind in index.program.kinds if kind.members & hidden)
    answers: Answers | None = None
    found = []
    for function in index.program.functions:
        for pc, i in instructions_of(function, (m.Choose,)):
            if i.universe == "Piece" and _by_name(index, i, kinds):
                answers = answers or Answers(index.program)
                traces = answers.of(function.name, pc).which.traces
                names = dict.fromkeys(trace.name for trace in traces if trace.sort == "field")
                found += [(name, f"{function.name}.{i.label}") for name in names if name in fields]
    return tuple(found)


def _shows_backs(field: m.Field) -> bool:
    """True if a field mentions pieces and does not name them to all who see it."""
    over_pieces = "Piece" in field.index or field.ty.universe == "Piece"
    return over_pieces and any(audience.facet == "all" for audience in field.audiences)


def _hidden(program: m.Program, public: Collection[str]) -> int:
    """The pieces that may lie where not everybody sees their faces: in zones that are not public."""
    members = {kind.name: kind.members for kind in program.kinds}
    found = 0
    for zone in program.zones:
        if zone.name not in public:
            for kind in zone.kinds or members:
                found |= members[kind]
    return found


def _by_name(index: ProgramIndex, i: m.Choose, hidden: frozenset[str]) -> bool:
    """True if a choice is one of all pieces of a kind that may lie hidden, wherever they lie."""
    expressions = [e for e in (i.source, i.where) if e is not None]
    read = NOTHING.union(*map(index.effects.reads, expressions))
    if asks_location(read) or any(token.startswith("zone ") for token in read):
        return False
    return not hidden.isdisjoint(_kinds(index, expressions))


def _kinds(index: ProgramIndex, expressions: list[m.Expr]) -> Iterator[str]:
    """The kinds of pieces of which expressions speak as a whole, through queries, too."""
    parts, seen = list(expressions), set[str]()
    for e in parts:  # which grows meanwhile
        for node in nodes(e):
            if isinstance(node, m.Kind):
                yield node.name
            elif isinstance(node, m.CallQuery) and node.query not in seen and (query := index.query(node.query)):
                seen.add(node.query)
                parts.append(query.body)
