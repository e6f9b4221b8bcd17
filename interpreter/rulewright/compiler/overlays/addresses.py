"""Addresses of the clauses inside a declaration: ``declaration.label``, and ``declaration.move_2`` without a label.

What has no label is called by its word and a number: ``move_2`` is the second ``move`` of the declaration that has no
label, in the order written. The numbers are those of the rules beneath an overlay, so that a change does not depend on
those before it; the clause is then found again where it stands now.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.compiler.overlays.labels import label_of, labels, walk
from rulewright.foundation.node_memo import memoized_by_node
from rulewright.syntax import ast

_WORDS: dict[type, str] = {
    ast.Arm: "arm", ast.Assign: "assign", ast.AssignAll: "assign", ast.DoNothing: "nothing", ast.MoveHeld: "move",
    ast.CallStatement: "call", ast.Case: "case", ast.Draw: "draw",
    ast.Each: "each", ast.Either: "either", ast.Flip: "flip", ast.If: "if", ast.Let: "let", ast.Match: "match",
    ast.Merge: "merge", ast.Move: "move", ast.Obey: "obey", ast.Proceed: "proceed", ast.RankAll: "ranking",
    ast.Repeat: "repeat", ast.Repeats: "repeats", ast.Return: "return", ast.Roll: "roll", ast.Show: "show",
    ast.Shuffle: "shuffle", ast.Stop: "stop", ast.Swap: "swap", ast.Tell: "tells", ast.Win: "winner",
    ast.NobodyWins: "nobody", ast.DrawnGame: "a_draw", ast.PayAll: "paying", ast.Reward: "reward",
}  # fmt: skip


@memoized_by_node
def _numbered(decl: ast.Clause) -> dict[str, tuple[type, object]]:
    """The addresses of clauses without a label: what each is, and its span, which tells it from all others."""
    counts: dict[str, int] = {}
    known = labels(decl)
    found: dict[str, tuple[type, object]] = {}
    for clause in walk(decl):
        word = _WORDS.get(type(clause))
        if word is not None and label_of(clause) is None:
            counts[word] = counts.get(word, 0) + 1
            if (address := f"{word}_{counts[word]}") not in known:
                found[address] = type(clause), clause.span
    return found


def addresses(decl: ast.Clause) -> dict[str, ast.Clause]:
    """The clauses of a declaration by their addresses in it: labels, and words with numbers; in the order written."""
    known = {id(span): address for address, (_, span) in _numbered(decl).items()}
    found: dict[str, ast.Clause] = {}
    for clause in walk(decl):
        address = label_of(clause) or known.get(id(clause.span))
        if address is not None:
            found.setdefault(address, clause)
    return found


def addressed(decl: ast.Clause, address: str, beneath: ast.Clause | None) -> Callable[[ast.Clause], bool]:
    """A test for the clauses that an address means in a declaration; `beneath` is what it was before an overlay."""
    if address in labels(decl):
        return lambda clause: label_of(clause) == address
    kind, span = _numbered(decl if beneath is None else beneath).get(address, (None, None))
    if kind is None:
        return lambda clause: False
    return lambda clause: type(clause) is kind and clause.span is span


__all__ = ["addressed", "addresses"]
