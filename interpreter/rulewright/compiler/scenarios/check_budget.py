"""The number of games that a check compiles, limited by nodes and not by seconds: the same on any machine."""

from __future__ import annotations

from rulewright.compiler import Sources
from rulewright.compiler.declaration_facts import inner_nodes
from rulewright.diagnostics import Diagnostic, Severity, Span
from rulewright.diagnostics.suggestions import listing
from rulewright.foundation import limits
from rulewright.ir import model as m

_CELLS = 10
"""So many printed cells, or pairs of places, take as long as a node of the rules."""


class Budget:
    """The number of nodes that may still be compiled, and the names of the games left out."""

    def __init__(self, source: Sources, most: int, what: str) -> None:
        self.source, self.most, self.what = source, most, what
        self.spent = 0
        self.done = 0
        self.left: list[str] = []
        self._rules = sum(1 + len(inner_nodes(decl)) for decl in source.rules.decls.values())

    def allows(self, name: str, span: Span) -> bool:
        """Take a game from the budget; False if it is spent, and then the name is kept."""
        if self.spent < self.most:
            self.done += 1
            return True
        if not self.left:
            self._where = span
        self.left.append(name)
        return False

    def spend(self, program: m.Program | None) -> None:
        """Count a game that was compiled."""
        self.spent += self._rules + limits.GAME_EFFORT
        if program is not None:
            cells = sum(len(t.values) for t in program.tables) + sum(
                len(g.neighbours) ** 2 // 10 for g in program.graphs
            )
            self.spent += cells // _CELLS

    def said(self) -> list[Diagnostic]:
        """The finding about what was left out."""
        if not self.left:
            return []
        message = (
            f"{len(self.left):,} of {self.done + len(self.left):,} {self.what} are not checked:"
            f" together they have more than {self.most:,} words, operators and clauses"
        )
        note = f"not checked: {listing(self.left)}"
        return [Diagnostic("LIM002", message, self._where, Severity.WARNING, notes=(note,))]
