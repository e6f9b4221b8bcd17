"""The subject of a lint rule, and its findings.

A lint rule is a function that yields findings, marked with its code; what the code stands for is said in
:mod:`rulewright.diagnostics.codes`. Most rules look at one declaration in one game: they name the classes of nodes that
concern them, and are given the declarations that are or hold one:

    @lint_declarations("CTL105", ast.RankAll)
    def not_all_ranked(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
        for node in nodes_of(decl, ast.RankAll):
            yield Finding("not everybody gets a place in this ranking", node.span)

The runner remembers what they find (:mod:`rulewright.lint.analyses.all_games`), with all that they have asked of the
game: so whatever does not stand in the declaration itself they learn from a *question* to the index
(:mod:`rulewright.foundation.traced_memo`), from nowhere else. Questions that one rule alone has stand in its own file.
What a rule wants to know of a declaration alone is a function under
:func:`rulewright.foundation.node_memo.memoized_by_node`.

Others look at the whole ruleset, as written and in all its games:

    @lint("REF014")
    def unused_definition(subject: Subject) -> Iterator[Finding]:
        yield Finding("the query `f` is never used", decl.span)

Lint rules never say that a ruleset is wrong, only that it probably does not mean what it says: they run when there is
no error, and what they find can be suppressed with a reason (:mod:`rulewright.lint.suppressions`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from typing import TYPE_CHECKING, Any, Self, TypeVar

from rulewright.compiler import Sources
from rulewright.compiler.driver import Compiler
from rulewright.compiler.overlays.declaration_set import Rules
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import NOWHERE, Diagnostic, Fix, Severity, Span
from rulewright.diagnostics.codes import CODES
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.syntax import ast

if TYPE_CHECKING:
    from rulewright.lint.analyses.rule_index import RuleIndex

T = TypeVar("T")


class Asked:
    """The subject of lint rules; facts that many of them need are found once."""

    __slots__ = ()
    known: dict[Callable[[Any], Any], Any]

    def ask(self, what: Callable[[Self], T]) -> T:
        """The result of a class or function for this; found once, as many lint rules ask for the same."""
        if what not in self.known:
            self.known[what] = what(self)
        found: T = self.known[what]
        return found


@dataclass(frozen=True, slots=True)
class Configuration(Asked):
    """The rules of one game: a number of players and a chain of variants."""

    players: int
    variants: tuple[str, ...]
    compiler: Compiler
    """Its `world` knows types and names, its `rules` the declarations with all overlays laid over."""
    program: m.Program

    known: dict[Callable[[Any], Any], Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def rules(self) -> Rules:
        """The declarations of this game."""
        return self.compiler.rules


@dataclass(frozen=True, slots=True)
class Subject(Asked):
    """A ruleset without errors, and every game that it describes: each player count, alone and with each variant."""

    ruleset: Ruleset
    source: Sources
    games: tuple[Configuration, ...]
    known: dict[Callable[[Any], Any], Any] = field(default_factory=dict, compare=False, repr=False)

    def decls(self) -> Iterator[ast.Decl | ast.Change]:
        """All declarations as written, file by file, those of the ruleset it extends first; variants and changes of
        that ruleset among them."""
        chain: list[Ruleset] = []
        at: Ruleset | None = self.ruleset
        while at is not None:
            chain.insert(0, at)
            at = at.base
        for ruleset in chain:
            for file in ruleset.files:
                yield from file.file.decls


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of a lint rule; code and severity are those of the rule."""

    message: str
    span: Span = NOWHERE
    hint: str = ""
    notes: tuple[str, ...] = ()
    path: str = ""
    fix: Fix | None = None


@dataclass(frozen=True, slots=True)
class Lint:
    """A lint rule."""

    code: str
    name: str
    severity: Severity
    find: Callable[..., Iterable[Finding]]
    classes: frozenset[type[ast.Node]] = frozenset()
    """Of one that looks at declarations: the classes of nodes that concern it."""

    def diagnostic(self, f: Finding) -> Diagnostic:
        """A finding as a diagnostic."""
        return Diagnostic(self.code, f.message, f.span, self.severity, f.hint, f.notes, (), f.path, f.fix)


def lint(code: str) -> Callable[[Callable[[Subject], Iterable[Finding]]], Lint]:
    """Make a function of a ruleset the lint rule of a code; its name and severity are those of the registry."""
    return _rule(code, frozenset())


def lint_declarations(
    code: str, *classes: type[ast.Node]
) -> Callable[[Callable[[Any, RuleIndex], Iterable[Finding]]], Lint]:
    """Make a function of a declaration in a game the lint rule of a code, for declarations that are or hold a node of
    some classes."""
    return _rule(code, frozenset(classes))


def _rule(code: str, classes: frozenset[type[ast.Node]]) -> Callable[[Callable[..., Iterable[Finding]]], Lint]:
    if code not in CODES or not CODES[code].name:
        raise TypeError(f"{code} is no code of a lint rule in rulewright.diagnostics.codes")
    known = CODES[code]
    return lambda find: Lint(code, known.name, known.severity, find, classes)
