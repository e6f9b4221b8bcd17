"""INF326: a line of the log without a possible reader."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagnostics import Span
from rulewright.ir import model as m
from rulewright.ir.dataflow.effects import instructions_of
from rulewright.ir.information_flow.public_flow import public_lines
from rulewright.lint.analyses.code_memo import memoized_by_code
from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.program_index import ProgramIndex
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Configuration, Subject
from rulewright.syntax import ast


@lint("INF326")
def secret_line(subject: Subject) -> Iterator[Finding]:
    """Lines of ``tells`` that contain a secret, or depend on one: the log leaves them out."""
    found: dict[Span, str] = {}
    for index in (game.ask(ProgramIndex) for game in subject.games if _has_lines(game)):
        for name, line in _silent(index):
            found |= dict.fromkeys(_written(index.game, name, line), name)
    hint = "tell it where it is seen by all, or leave out what is hidden; a piece may be named by its key"
    for span, name in found.items():
        message = f"no player hears this line of `{name}`: it would tell what is hidden from some of them"
        yield Finding(message, span, hint)


def _has_lines(game: Configuration) -> bool:
    """True if there are lines that findings are wanted about."""
    return any(isinstance(line_of_log, ast.Tell) for decl in game.decls for line_of_log in nodes_of(decl, ast.Tell))


@memoized_by_code
def _silent(index: ProgramIndex) -> tuple[tuple[str, m.Tell], ...]:
    """The lines that are left out of the log, and the functions in which they stand."""
    public = public_lines(index.program)
    lines = ((f.name, pc, i) for f in index.program.functions for pc, i in instructions_of(f, (m.Tell,)))
    return tuple((name, i) for name, pc, i in lines if not public.ever_heard((name, pc)))


def _written(game: Configuration, name: str, line: m.Tell) -> list[Span]:
    """The places where a line may stand: those in its own declaration, if they are found there."""
    decls = game.rules.decls
    own = [decls[name]] if name in decls else list(decls.values())
    return [
        line_of_log.span for decl in own for line_of_log in nodes_of(decl, ast.Tell) if line_of_log.words == line.words
    ]
