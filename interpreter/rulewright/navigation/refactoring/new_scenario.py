"""A new scenario for a procedure: who plays, the call with arguments that fit, and what is to be filled in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rulewright.diagnostics import Edit, Span
from rulewright.navigation.call_hierarchy import incoming_calls
from rulewright.navigation.file_symbols import FileSymbols
from rulewright.navigation.refactoring.proposals import Proposal
from rulewright.navigation.symbol_index import SymbolIndex
from rulewright.navigation.symbols import Declaration
from rulewright.syntax import ast

_STARTED = frozenset({"procedure", "phase", "effect"})


def new_scenario(index: SymbolIndex, one: Declaration) -> Proposal | None:
    """The change that adds a scenario which starts a procedure, where its other scenarios are."""
    node = one.node
    if one.word not in _STARTED or not isinstance(node, ast.Callable):
        return None
    file = _file_of(index, one)
    seats = _seats(index)
    if file is None or seats is None:
        return None
    arguments = [_argument(param.type, seats) for param in node.params]
    call = f"{one.symbol.name}({', '.join(arguments)})" if arguments else one.symbol.name
    cites = "".join(f"  @{id}" for id in one.cites[:1] if id in index.ruleset.statements)
    lines = [
        f'scenario "{_title(index, one.symbol.name)}"{cites}',
        f"    players {', '.join(seats)}",
        f"    start {call}",
    ]
    return Proposal(f"New scenario for `{one.symbol.name}`", (_at_the_end(index.files[file], lines),))


def _title(index: SymbolIndex, name: str) -> str:
    """A title that no scenario has."""
    title, number = f"{name}: what happens", 2
    while ("scenario", title) in index.by_name:
        title, number = f"{name}: what happens ({number})", number + 1
    return title


def _at_the_end(file: FileSymbols, block: list[str]) -> Edit:
    """The edit that puts some lines behind all others."""
    text = file.text.replace("\r\n", "\n")
    lines = text.split("\n")
    gap = "" if not text.strip() else "\n" if text.endswith("\n") else "\n\n"
    end = Span(file.path, len(lines), len(lines[-1]) + 1, len(lines), len(lines[-1]) + 1)
    return Edit(end, gap + "\n".join(block) + "\n")


def _file_of(index: SymbolIndex, one: Declaration) -> str | None:
    """The file in which most scenarios start the procedure, else the first one for scenarios."""
    keys = {found.path: key for key, found in index.files.items()}
    listed = [keys[file.path] for file in index.ruleset.of_role("scenario") if file.path in keys]
    callers = [caller.name.file for caller, _ in incoming_calls(index, one) if caller.symbol.kind == "scenario"]
    counted = Counter(keys[path] for path in callers if path in keys)
    own = [keys[file.path] for file in index.ruleset.files if file.path in keys]
    return max(listed, key=lambda path: counted[path], default=next(iter(own), None))


def _seats(index: SymbolIndex) -> list[str] | None:
    """The players of the smallest game."""
    for decl in _all(index):
        if isinstance(decl, ast.Players):
            return list(index.ruleset.manifest.seat_names(decl.low))
    return None


def _all(index: SymbolIndex) -> Iterator[ast.Node]:
    for file in index.files.values():
        yield from file.tree.decls


def _argument(type: ast.TypeExpr, seats: list[str]) -> str:
    """An example value of a type, as an expression."""
    match type:
        case ast.OptionalType():
            return "none"
        case ast.SetType():
            return "{}"
        case ast.ListType() | ast.PositionsType():
            return "[]"
        case ast.RangeType(low=low):
            return str(low)
        case ast.ChoiceType(values=values):
            return values[0]
        case ast.NamedType(name="Player"):
            return seats[0]
        case ast.NamedType(name="Int"):
            return "1"
        case ast.NamedType(name="Bool"):
            return "true"
        case ast.NamedType(name=name):
            return f"first({name})"
