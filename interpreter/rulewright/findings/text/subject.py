"""Subjects of lint rules: the rules of one game, and a ruleset with all its games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Any, Self, TypeVar

from rulewright.compiler import Sources
from rulewright.compiler.driver import Compiler
from rulewright.compiler.overlays.declaration_set import Rules
from rulewright.data.ruleset import Ruleset
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.syntax import ast

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
class Part:
    """The part of a game that some files bring."""

    files: frozenset[str]
    beneath: Rules
    """The rules without these files: what stands there is looked at elsewhere."""


@dataclass(frozen=True, slots=True)
class Configuration(Asked):
    """The rules of one game: a number of players and a chain of variants."""

    players: int
    variants: tuple[str, ...]
    compiler: Compiler
    """The `world` of the compiler knows types and names, its `rules` the declarations with all overlays laid over."""
    program: m.Program
    part: Part | None = None
    """The part that findings are wanted about; None: all of it."""

    known: dict[Callable[[Any], Any], Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def rules(self) -> Rules:
        """The declarations of this game."""
        return self.compiler.rules

    @property
    def decls(self) -> tuple[ast.Decl, ...]:
        """The declarations that findings are wanted about."""
        every, beneath = self.rules.decls, self.part.beneath.decls if self.part is not None else {}
        return tuple(decl for name, decl in every.items() if decl is not beneath.get(name))


@dataclass(frozen=True, slots=True)
class Subject(Asked):
    """A ruleset without errors, and every game that it describes: each player count, alone and with each variant."""

    ruleset: Ruleset
    source: Sources
    games: tuple[Configuration, ...]
    files: frozenset[str] | None = None
    """The files whose findings are wanted; None: all."""
    started: frozenset[str] = frozenset()
    """Words that stand in what is started by scenarios which were not read."""
    known: dict[Callable[[Any], Any], Any] = field(default_factory=dict, compare=False, repr=False)

    def wants(self, file: str) -> bool:
        """True if findings in a file are wanted."""
        return self.files is None or file in self.files

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
